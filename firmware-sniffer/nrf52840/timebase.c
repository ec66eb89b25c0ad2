#include "timebase.h"

#include "board.h"
#include "regs.h"

/* Length of a tick, us. */
#define TICK_US (1000000u / BOARD_TICKS_PER_SECOND)

static volatile bool ticked;

void timebase_start(void)
{
    TIMER0_MODE = 0u;
    TIMER0_BITMODE = TIMER0_BITMODE_32;
    TIMER0_PRESCALER = TIMER0_PRESCALER_1MHZ;
    TIMER0_CC2 = TICK_US;
    TIMER0_INTENSET = TIMER0_INT_COMPARE2;
    TIMER0_TASKS_CLEAR = 1u;
    PPI_CH0_EEP = RADIO_EVENTS_FRAMESTART_ADDRESS;
    PPI_CH0_TEP = TIMER0_TASKS_CAPTURE1_ADDRESS;
    PPI_CHENSET = BIT(0);
    NVIC_IPR(IRQ_TIMER0) = PRIORITY_OTHER;
    NVIC_ISER(IRQ_TIMER0) = NVIC_BIT(IRQ_TIMER0);
    TIMER0_TASKS_START = 1u;
}

uint32_t timebase_now(void)
{
    TIMER0_TASKS_CAPTURE0 = 1u;
    return TIMER0_CC0;
}

uint32_t timebase_stamp(void)
{
    return TIMER0_CC1;
}

bool timebase_tick_waits(void)
{
    return ticked;
}

bool timebase_ticked(void)
{
    const bool was = ticked;
    ticked = false;
    return was;
}

void timebase_isr(void)
{
    TIMER0_EVENTS_COMPARE2 = 0u;
    /* Read back, so that the event is clear before the interrupt returns. */
    (void)TIMER0_EVENTS_COMPARE2;
    TIMER0_CC2 = TIMER0_CC2 + TICK_US;
    ticked = true;
}
