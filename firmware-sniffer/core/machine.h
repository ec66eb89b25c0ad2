/* Functions that each target defines for the core; the tests on the host define fakes. */
#ifndef CORE_MACHINE_H
#define CORE_MACHINE_H

#include "port.h"

/* Starts receiving on a channel (11..26), or moves to it. A frame that is on the air at that moment is not heard. */
void machine_receive(uint8_t channel);

/* Stops receiving. */
void machine_sleep(void);

/*
 * Measures the highest energy on a channel (11..26) in about one millisecond, in dBm, and waits for it. Receives
 * nothing meanwhile and leaves the radio off. False when the radio did not answer: `dbm` is then not valid.
 */
bool machine_energy(uint8_t channel, int8_t XDATA *dbm);

/* Enters the bootloader and does not return; returns where there is none. */
void machine_bootloader(void);

#endif
