/* Execution of the commands. */
#ifndef CORE_EXECUTE_H
#define CORE_EXECUTE_H

#include "sniffer.h"

/* Carries out `sniffer->command` and answers it (PROTOCOL.md, 2.1); does nothing while no line has ended. */
void execute(struct sniffer XDATA *sniffer);

#endif
