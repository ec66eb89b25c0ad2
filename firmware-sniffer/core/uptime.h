/*
 * Time since power-up in 64 bits, from a tick counter of 32 bits that wraps.
 *
 * The main loop calls uptime_advance more often than the counter wraps half way; a frame's ticks, before or after that
 * moment, then have one meaning.
 */
#ifndef CORE_UPTIME_H
#define CORE_UPTIME_H

#include "port.h"

/* 64 bits in two halves, in ticks or microseconds: an 8051 compiler makes a library call of every 64-bit operation. */
struct time64 {
    uint32_t high;
    uint32_t low;
};

/* Moves `now` on to the counter's value. Less than 2^31 ticks may have passed since the last call. */
void uptime_advance(struct time64 XDATA *now, uint32_t ticks);

/* The full time of a counter value within 2^31 ticks of `now`, before or after it; 0 when that is before power-up. */
void uptime_extend(const struct time64 XDATA *now, uint32_t ticks, struct time64 XDATA *out);

/*
 * Divides by 2^shift, shift 1..31. A macro, for a constant: an 8051 moves octets then, and else shifts all 64 bits one by one.
 */
#define UPTIME_SHIFT(time, shift)                                                      \
    do {                                                                               \
        (time)->low = ((time)->low >> (shift)) | ((time)->high << (32u - (shift)));    \
        (time)->high = (time)->high >> (shift);                                        \
    } while (0)

/* Converts ticks to microseconds, rounding down. */
void uptime_scale(struct time64 XDATA *time);

#endif
