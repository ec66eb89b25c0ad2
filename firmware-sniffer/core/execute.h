/* The commands. */
#ifndef CORE_EXECUTE_H
#define CORE_EXECUTE_H

#include "sniffer.h"

/* Carries out `sniffer->command`. */
void execute(struct sniffer XDATA *sniffer);

#endif
