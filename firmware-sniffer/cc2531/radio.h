/* The receiver and its clock, the MAC timer. The interrupt and the main loop share `radio_ring` and nothing else. */
#ifndef CC2531_RADIO_H
#define CC2531_RADIO_H

#include "ring.h"

extern XDATA struct ring radio_ring;
/* Times the receive FIFO overflowed and was emptied. */
extern XDATA volatile uint32_t radio_overflows;

void radio_start(void);

/* Empties a FIFO that overflowed, which takes an interrupt held up for milliseconds. */
void radio_supervise(void);

/* Now, in ticks of 32 to the microsecond. */
uint32_t radio_now(void);

void radio_isr(void) __interrupt(16);

#endif
