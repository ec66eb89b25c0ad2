/* Functions that each target defines for the core; the tests on the host define fakes. */
#ifndef CORE_MACHINE_H
#define CORE_MACHINE_H

#include "port.h"

/* Starts receiving on a channel, or moves to it. A frame being received at that moment is not heard. */
void machine_receive(uint8_t channel);

/* Stops receiving. */
void machine_sleep(void);

/*
 * The highest energy on a channel in about one millisecond, in dBm; waits for it. Receives nothing meanwhile and leaves the
 * radio off. False when the radio did not answer.
 */
bool machine_energy(uint8_t channel, int8_t XDATA *dbm);

/* Enters the bootloader, if there is one to enter; then it does not return. */
void machine_bootloader(void);

#endif
