/* The receiver. Its interrupt is the only thing that runs beside the main loop, and `ring` is all they share. */
#ifndef NRF52840_RADIO_H
#define NRF52840_RADIO_H

#include <stdbool.h>

#include "ring.h"

/* Sets up the radio; it stays off. Frames go to `ring`, which must be reset. */
void radio_start(struct ring *ring);

/*
 * To be called every tick: true when the radio should have been receiving and was not for two ticks, and was started
 * again. No sequence of this firmware leads to that.
 */
bool radio_revive(void);

/* Interrupt of RADIO: takes a frame into the ring and receives the next. */
void radio_isr(void);

#endif
