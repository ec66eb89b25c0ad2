#include "outbox.h"

#include "check.h"

static struct outbox outbox;

/* Against two counters: octets come out in the order they went in, and a refused line leaves nothing behind. */
static void what_goes_in_comes_out_in_order(void)
{
    uint64_t seed = 9u;
    uint32_t in = 0u;
    uint32_t out = 0u;
    uint32_t refused = 0u;
    uint32_t step;

    outbox_clear(&outbox);
    for (step = 0u; step < PROPERTY_RUNS; step++) {
        uint8_t octets[400];
        const uint16_t length = (uint16_t)draw_below(&seed, sizeof octets);
        uint16_t i;
        for (i = 0u; i < length; i++) {
            octets[i] = (uint8_t)(in + i);
        }
        if (outbox_put(&outbox, octets, length)) {
            in += length;
        } else {
            refused++;
            CHECK(length > OUTBOX_SIZE - (in - out));
        }
        CHECK_EQUAL(outbox_room(&outbox), OUTBOX_SIZE - (in - out));
        while (draw_below(&seed, 4u) != 0u) {
            const uint16_t got = outbox_take(&outbox, octets, 64u);
            CHECK(got <= 64u);
            for (i = 0u; i < got; i++) {
                CHECK_EQUAL(octets[i], (uint8_t)(out + i));
            }
            out += got;
        }
    }
    CHECK(refused > 0u);
}

void outbox_tests(void)
{
    TEST(what_goes_in_comes_out_in_order);
}
