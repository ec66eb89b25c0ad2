/* The receiver and its clock, the MAC timer. The interrupt and the main loop share `radio_ring` and nothing else. */
#ifndef CC2531_RADIO_H
#define CC2531_RADIO_H

#include "ring.h"

extern XDATA struct ring radio_ring;
/* Overflows of the receive FIFO since power-up, after each of which it was emptied. */
extern XDATA volatile uint32_t radio_overflows;

/* Sets up the radio and starts the MAC timer; the radio stays off. */
void radio_start(void);

/* Empties the FIFO and receives again after an overflow, which needs an interrupt delayed by milliseconds. */
void radio_supervise(void);

/* The time now, in ticks of 1/32 us; wraps at 2^32, after 134 s. For the main loop only. */
uint32_t radio_now(void);

/* Interrupt 16, RF: takes stamps at SFDs, and frames into the ring. */
void radio_isr(void) __interrupt(16);

#endif
