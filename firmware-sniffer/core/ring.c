#include "ring.h"

#if defined(__SDCC_mcs51)
/* The interrupt calls functions of this file: their variables must not lie over those of what it interrupts. */
#pragma nooverlay
#endif

/*
 * The index after another. A macro, because both sides need it: a function of an 8051 has its variables in fixed places
 * and must not be entered by the interrupt while the main loop is in it.
 */
#define AFTER(index) ((ring_index_t)(((index) == (RING_SLOTS - 1u)) ? 0u : ((index) + 1u)))

/* Reads a counter until two reads agree: the producer adds one at a time and cannot interrupt for ever. */
static uint32_t whole(const volatile uint32_t XDATA *counter)
{
    uint32_t first;
    uint32_t second;
    do {
        first = *counter;
        second = *counter;
    } while (first != second);
    return first;
}

void ring_reset(struct ring XDATA *ring)
{
    ring->head = 0u;
    ring->tail = 0u;
    ring->heard = 0u;
    ring->dropped = 0u;
    ring->bad_fcs = 0u;
    ring->malformed = 0u;
}

struct frame XDATA *ring_writable(struct ring XDATA *ring)
{
    return &ring->slot[ring->head];
}

bool ring_commit(struct ring XDATA *ring)
{
    struct frame XDATA *frame = &ring->slot[ring->head];
    const ring_index_t next = AFTER(ring->head);
    const uint32_t number = ring->heard;

    ring->heard = number + 1u;
    if ((frame->flags & FRAME_FCS_OK) == 0u) {
        ring->bad_fcs = ring->bad_fcs + 1u;
    }
    if (next == ring->tail) {
        ring->dropped = ring->dropped + 1u;
        return false;
    }
    frame->seq = number;
    frame->dropped = ring->dropped;
    CORE_BARRIER();
    ring->head = next;
    return true;
}

void ring_reject(struct ring XDATA *ring)
{
    ring->malformed = ring->malformed + 1u;
}

const struct frame XDATA *ring_oldest(const struct ring XDATA *ring)
{
    if (ring->tail == ring->head) {
        return (const struct frame XDATA *)0;
    }
    CORE_BARRIER();
    return &ring->slot[ring->tail];
}

void ring_release(struct ring XDATA *ring)
{
    CORE_BARRIER();
    ring->tail = AFTER(ring->tail);
}

void ring_counters(const struct ring XDATA *ring, struct ring_counters XDATA *out)
{
    out->heard = whole(&ring->heard);
    out->dropped = whole(&ring->dropped);
    out->bad_fcs = whole(&ring->bad_fcs);
    out->malformed = whole(&ring->malformed);
}
