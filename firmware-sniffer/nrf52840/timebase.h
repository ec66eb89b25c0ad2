/* TIMER0: counts microseconds, stamps each frame by hardware, and gives the tick of the main loop. */
#ifndef NRF52840_TIMEBASE_H
#define NRF52840_TIMEBASE_H

#include <stdbool.h>
#include <stdint.h>

/* Starts the timer, which runs from the crystal: that must be running. */
void timebase_start(void);

/* The time now, us; wraps at 2^32, after 71 minutes. For the main loop only: it uses a capture register. */
uint32_t timebase_now(void);

/* Time of the end of the last frame's PHR, us, captured through PPI when the radio saw it. */
uint32_t timebase_stamp(void);

/* True once in each tick of 1 / BOARD_TICKS_PER_SECOND s; its interrupt wakes the CPU. */
bool timebase_ticked(void);
/* Whether timebase_ticked would be true. */
bool timebase_tick_waits(void);

/* Interrupt of TIMER0: begins a tick. */
void timebase_isr(void);

#endif
