#include "uptime.h"

#include "check.h"

static uint64_t whole(const struct time64 *time)
{
    return ((uint64_t)time->high << 32) | time->low;
}

static void from(struct time64 *time, uint64_t value)
{
    time->high = (uint32_t)(value >> 32);
    time->low = (uint32_t)value;
}

/* The counter shows the low half of the true time; the true time must come back. */
static void time_goes_on_over_every_wrap(void)
{
    uint64_t seed = 2u;
    uint64_t truth = 0u;
    struct time64 now = {0u, 0u};
    uint32_t step;

    for (step = 0u; step < PROPERTY_RUNS; step++) {
        truth += draw_below(&seed, 0x7FFFFFFFu);
        uptime_advance(&now, (uint32_t)truth);
        CHECK_EQUAL(whole(&now), truth);
    }
    CHECK(now.high > 1000u);
}

static void a_stamp_near_now_has_one_meaning(void)
{
    uint64_t seed = 3u;
    uint32_t step;

    for (step = 0u; step < PROPERTY_RUNS; step++) {
        struct time64 now;
        struct time64 out;
        const uint64_t truth = (((uint64_t)draw_below(&seed, 4u)) << 32) + 0x80000000u + draw(&seed);
        const int64_t away = (int64_t)draw_below(&seed, 0xFFFFFFFFu) - 0x7FFFFFFF;
        from(&now, truth);
        uptime_extend(&now, (uint32_t)(truth + (uint64_t)away), &out);
        CHECK_EQUAL(whole(&out), truth + (uint64_t)away);
    }
}

static void the_edges_of_a_turn(void)
{
    static const struct {
        uint64_t now;
        uint32_t ticks;
        uint64_t expected;
    } cases[] = {
        {0u, 0u, 0u},
        {0xFFFFFFFFu, 0u, 0x100000000u},
        {0x100000000u, 0xFFFFFFFFu, 0xFFFFFFFFu},
        {0x100000000u, 0x7FFFFFFFu, 0x17FFFFFFFu},
        {0x100000000u, 0x80000000u, 0x80000000u},
        {0x180000000u, 0u, 0x100000000u},
        {0x17FFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu},
        /* before power-up: a frame cannot be, so it is at the beginning */
        {5u, 0xFFFFFFF0u, 0u},
    };
    unsigned i;
    for (i = 0u; i < sizeof cases / sizeof cases[0]; i++) {
        struct time64 now;
        struct time64 out;
        from(&now, cases[i].now);
        uptime_extend(&now, cases[i].ticks, &out);
        CHECK_EQUAL(whole(&out), cases[i].expected);
    }
}

static void ticks_become_microseconds(void)
{
    uint64_t seed = 4u;
    uint32_t step;
    for (step = 0u; step < PROPERTY_RUNS; step++) {
        struct time64 time;
        const uint64_t value = ((uint64_t)draw(&seed) << 32) | draw(&seed);
        const uint8_t shift = (uint8_t)(1u + draw_below(&seed, 31u));
        from(&time, value);
        UPTIME_SHIFT(&time, shift);
        CHECK_EQUAL(whole(&time), value >> shift);
    }
}

void uptime_tests(void)
{
    TEST(time_goes_on_over_every_wrap);
    TEST(a_stamp_near_now_has_one_meaning);
    TEST(the_edges_of_a_turn);
    TEST(ticks_become_microseconds);
}
