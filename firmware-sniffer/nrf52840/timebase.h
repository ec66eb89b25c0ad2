/* TIMER0: microseconds, a stamp for each frame taken by hardware, and the main loop's tick. */
#ifndef NRF52840_TIMEBASE_H
#define NRF52840_TIMEBASE_H

#include <stdbool.h>
#include <stdint.h>

/* Needs the crystal: the timer runs from it. */
void timebase_start(void);

/* Now. For the main loop only: an interrupt here would take its capture register. */
uint32_t timebase_now(void);

/* The end of the last frame's PHR, captured through PPI when the radio saw it. */
uint32_t timebase_stamp(void);

/* True once every 1 / BOARD_TICKS_PER_SECOND; the interrupt behind it wakes the CPU. */
bool timebase_ticked(void);
/* Whether timebase_ticked would be true. */
bool timebase_tick_waits(void);

void timebase_isr(void);

#endif
