/* The receiver. Its interrupt is the only thing that runs beside the main loop, and `ring` is all they share. */
#ifndef NRF52840_RADIO_H
#define NRF52840_RADIO_H

#include <stdbool.h>

#include "ring.h"

/* Frames go to `ring` from now on, which must be reset. */
void radio_start(struct ring *ring);

/*
 * To be called every tick: true when the radio should be receiving and has not been for two ticks, which no sequence of
 * ours leads to. It has been started again then.
 */
bool radio_revive(void);

void radio_isr(void);

#endif
