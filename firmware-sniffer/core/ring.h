/*
 * The queue between the radio's interrupt and the main loop: one producer, one consumer, no lock.
 *
 * The producer always owns one slot, so the radio always has somewhere to write. A frame that finds the ring full is
 * counted and its slot is used again; what is in the ring is never touched.
 */
#ifndef CORE_RING_H
#define CORE_RING_H

#include "frame.h"

/* The slots from `tail` up to `head`, which is not among them, hold frames. */
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

/* Counters since power-up; they wrap at 2^32. */
struct ring_counters {
    uint32_t heard;     /* frames with a PHR of 3..127 */
    uint32_t dropped;   /* of these, frames that found the ring full */
    uint32_t bad_fcs;   /* of these, frames with a wrong FCS */
    uint32_t malformed; /* receptions with a PHR below 3: neither numbered nor kept */
};

/* Empties the ring and sets its counters to 0. To be called before the producer starts. */
void ring_reset(struct ring XDATA *ring);

/* Producer: the slot to fill, which always exists. */
struct frame XDATA *ring_writable(struct ring XDATA *ring);

/*
 * Producer: keeps the filled slot and numbers the frame. False when the ring was full: the frame is counted and lost.
 */
bool ring_commit(struct ring XDATA *ring);

/* Producer: counts a reception too short for a frame; its slot is used again. */
void ring_reject(struct ring XDATA *ring);

/* Consumer: the oldest frame, or a null pointer. It stays valid until ring_release. */
const struct frame XDATA *ring_oldest(const struct ring XDATA *ring);

/* Consumer: frees the oldest frame. There must be one. */
void ring_release(struct ring XDATA *ring);

/* Consumer: reads each counter whole, even where that takes several instructions and the producer interrupts. */
void ring_counters(const struct ring XDATA *ring, struct ring_counters XDATA *out);

#endif
