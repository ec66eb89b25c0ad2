#include "uptime.h"

/* Half of the counter's range: a difference below it is forward. */
#define HALF_TURN 0x80000000u

void uptime_advance(struct time64 XDATA *now, uint32_t ticks)
{
    if (ticks < now->low) {
        now->high = now->high + 1u;
    }
    now->low = ticks;
}

void uptime_extend(const struct time64 XDATA *now, uint32_t ticks, struct time64 XDATA *out)
{
    out->high = now->high;
    out->low = ticks;
    if ((ticks - now->low) < HALF_TURN) {
        if (ticks < now->low) {
            out->high = out->high + 1u;
        }
    } else if (ticks > now->low) {
        if (out->high == 0u) {
            out->low = 0u;
        } else {
            out->high = out->high - 1u;
        }
    } else {
        /* earlier, in the same turn */
    }
}

void uptime_scale(struct time64 XDATA *time)
{
#if TICK_SHIFT != 0u
    UPTIME_SHIFT(time, TICK_SHIFT);
#else
    (void)time;
#endif
}
