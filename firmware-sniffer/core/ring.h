/*
 * The queue between the radio's interrupt and the main loop: one producer, one consumer, no lock.
 *
 * The producer always owns one slot, so the radio always has somewhere to write. A frame that finds the ring full is
 * counted and its slot is used again; what is in the ring is never touched.
 */
#ifndef CORE_RING_H
#define CORE_RING_H

#include "frame.h"

struct ring {
    volatile ring_index_t head; /* the producer's slot */
    volatile ring_index_t tail; /* the consumer's oldest slot; equal to head when there is none */
    /* Written by the producer only; read them with ring_counters. */
    volatile uint32_t heard;
    volatile uint32_t dropped;
    volatile uint32_t bad_fcs;
    volatile uint32_t malformed;
    struct frame slot[RING_SLOTS];
};

struct ring_counters {
    uint32_t heard;     /* frames with a PHR of 3..127 */
    uint32_t dropped;   /* of these, frames that found the ring full */
    uint32_t bad_fcs;   /* of these, frames with a wrong FCS */
    uint32_t malformed; /* receptions with a PHR below 3: neither numbered nor kept */
};

void ring_reset(struct ring XDATA *ring);

/* Producer: the slot to fill. Always there. */
struct frame XDATA *ring_writable(struct ring XDATA *ring);

/* Producer: the slot is filled. Numbers the frame; false when the ring was full and the frame is gone. */
bool ring_commit(struct ring XDATA *ring);

/* Producer: the slot holds what is not a frame. */
void ring_reject(struct ring XDATA *ring);

/* Consumer: the oldest frame, or a null pointer. It stays valid until ring_release. */
const struct frame XDATA *ring_oldest(const struct ring XDATA *ring);

/* Consumer: done with the oldest frame. There must be one. */
void ring_release(struct ring XDATA *ring);

/* Consumer: each counter whole, even where reading one takes several instructions and the producer interrupts. */
void ring_counters(const struct ring XDATA *ring, struct ring_counters XDATA *out);

#endif
