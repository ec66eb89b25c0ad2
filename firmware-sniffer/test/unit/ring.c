#include "ring.h"

#include <pthread.h>
#include <sched.h>

#include "check.h"

static struct ring ring;

static void fill(struct frame *frame, uint32_t n)
{
    unsigned i;
    frame->ticks = n * 7u;
    frame->channel = (uint8_t)(11u + (n % 16u));
    frame->rssi = (int8_t)(-(int)(n % 100u));
    frame->lqi = (uint8_t)n;
    frame->flags = (uint8_t)(((n % 5u) == 0u) ? 0u : FRAME_FCS_OK);
    for (i = 0u; i < sizeof frame->air; i++) {
        frame->air[i] = (uint8_t)(n + i);
    }
}

static bool holds(const struct frame *frame, uint32_t n)
{
    struct frame expected;
    fill(&expected, n);
    return (frame->ticks == expected.ticks) && (frame->rssi == expected.rssi) && (frame->lqi == expected.lqi) &&
           (frame->flags == expected.flags) && (memcmp(frame->air, expected.air, sizeof expected.air) == 0);
}

static void a_full_ring_keeps_what_it_has_and_counts_the_rest(void)
{
    struct ring_counters counters;
    uint32_t n;

    ring_reset(&ring);
    CHECK(ring_oldest(&ring) == NULL);
    for (n = 0u; n < RING_SLOTS + 10u; n++) {
        fill(ring_writable(&ring), n);
        CHECK_EQUAL(ring_commit(&ring), n < RING_SLOTS - 1u);
    }
    for (n = 0u; n < RING_SLOTS - 1u; n++) {
        CHECK_EQUAL(ring_oldest(&ring)->seq, n);
        CHECK(holds(ring_oldest(&ring), n));
        ring_release(&ring);
    }
    CHECK(ring_oldest(&ring) == NULL);
    fill(ring_writable(&ring), n);
    CHECK(ring_commit(&ring));
    /* Eleven were dropped, and the number says so too. */
    CHECK_EQUAL(ring_oldest(&ring)->seq, RING_SLOTS + 10u);
    CHECK_EQUAL(ring_oldest(&ring)->dropped, 11u);
    ring_counters(&ring, &counters);
    CHECK_EQUAL(counters.heard, RING_SLOTS + 11u);
    CHECK_EQUAL(counters.dropped, 11u);
}

static void what_is_no_frame_has_no_number(void)
{
    struct ring_counters counters;

    ring_reset(&ring);
    ring_reject(&ring);
    ring_reject(&ring);
    fill(ring_writable(&ring), 0u);
    CHECK(ring_commit(&ring));
    ring_counters(&ring, &counters);
    CHECK_EQUAL(counters.malformed, 2u);
    CHECK_EQUAL(counters.heard, 1u);
    CHECK_EQUAL(counters.bad_fcs, 1u);
    CHECK_EQUAL(ring_oldest(&ring)->seq, 0u);
}

/* Against a model of counters: any interleaving of the two sides. */
static void any_interleaving_loses_only_what_it_counts(void)
{
    uint64_t seed = 1u;
    uint32_t written = 0u;
    uint32_t last_seq = 0u;
    uint32_t read = 0u;
    uint32_t step;
    bool first = true;

    ring_reset(&ring);
    for (step = 0u; step < PROPERTY_RUNS * 20u; step++) {
        /* Long runs of one side, so that the ring is empty and full again and again. */
        const bool produce = draw_below(&seed, 100u) < (((step >> 12) & 1u) ? 70u : 30u);
        if (produce) {
            fill(ring_writable(&ring), written);
            (void)ring_commit(&ring);
            written++;
        } else if (ring_oldest(&ring) != NULL) {
            const struct frame *frame = ring_oldest(&ring);
            CHECK(holds(frame, frame->seq));
            CHECK(first || (frame->seq > last_seq));
            /* The number of this frame is how many came before it: read, or dropped. */
            CHECK_EQUAL(frame->seq, read + frame->dropped);
            last_seq = frame->seq;
            first = false;
            read++;
            ring_release(&ring);
        } else {
            /* nothing to read */
        }
    }
    CHECK(ring.dropped > 0u);
    CHECK(read > 0u);
}

#define THREAD_FRAMES 200000u

static void *produce(void *unused)
{
    uint32_t n;
    (void)unused;
    for (n = 0u; n < THREAD_FRAMES; n++) {
        fill(ring_writable(&ring), n);
        (void)ring_commit(&ring);
        if ((n % 700u) == 0u) {
            sched_yield();
        }
    }
    return NULL;
}

/* What the consumer of `ring` has seen. */
struct consumer {
    uint32_t read;     /* frames */
    uint32_t torn;     /* of these, frames that were not whole, and frames out of order */
    uint32_t expected; /* the least number the next frame may have */
};

/* Reads the oldest frame; false when there is none. */
static bool consume(struct consumer *consumer)
{
    const struct frame *frame = ring_oldest(&ring);
    if (frame == NULL) {
        return false;
    }
    consumer->torn += holds(frame, frame->seq) ? 0u : 1u;
    consumer->torn += (frame->seq >= consumer->expected) ? 0u : 1u;
    consumer->expected = frame->seq + 1u;
    consumer->read++;
    ring_release(&ring);
    return true;
}

/* Two threads stand in for interrupt and main loop: stronger than the target needs. */
static void two_threads_never_see_half_a_frame(void)
{
    pthread_t producer;
    struct consumer consumer = {0u, 0u, 0u};
    struct ring_counters counters;

    ring_reset(&ring);
    CHECK_EQUAL(pthread_create(&producer, NULL, produce, NULL), 0);
    do {
        if (!consume(&consumer)) {
            sched_yield();
        }
        ring_counters(&ring, &counters);
    } while (counters.heard != THREAD_FRAMES);
    (void)pthread_join(producer, NULL);
    /* A frame is heard before it can be read: the last ones may have come only now. */
    while (consume(&consumer)) {
        /* until the ring is empty */
    }
    ring_counters(&ring, &counters);
    CHECK_EQUAL(consumer.torn, 0u);
    CHECK_EQUAL(consumer.read + counters.dropped, THREAD_FRAMES);
}

void ring_tests(void)
{
    TEST(a_full_ring_keeps_what_it_has_and_counts_the_rest);
    TEST(what_is_no_frame_has_no_number);
    TEST(any_interleaving_loses_only_what_it_counts);
    TEST(two_threads_never_see_half_a_frame);
}
