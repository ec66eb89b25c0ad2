/* The same octets reach the host in either framing, however it reads. */
#include <stdio.h>

#include "check.h"
#include "fake.h"
#include "session.h"

static void a_mark_is_a_line_or_a_record(void)
{
    static uint8_t out[4][RECORD_MAX];
    session_open();
    sniffer_tick(&sniffer, 77u);
    sniffer_mark(&sniffer);
    CHECK(strcmp(session_read(), "# mark 1 time=77\r\n") == 0);
    session_say("framing binary 1\r");
    (void)session_read();
    sniffer_mark(&sniffer);
    CHECK_EQUAL(session_records(out, 4u), 1u);
    CHECK_EQUAL(out[0][0], RECORD_MARK);
    CHECK_EQUAL(out[0][1], 77u);
    CHECK_EQUAL(out[0][9], 2u);
}

static void energy_is_a_record_for_each_channel(void)
{
    static uint8_t out[20][RECORD_MAX];
    unsigned i;
    session_open();
    session_say("shell echo on\rframing binary 1\r");
    (void)session_read();
    session_say("energy\r");
    CHECK_EQUAL(session_records(out, 20u), 17u);
    for (i = 0u; i < 16u; i++) {
        CHECK_EQUAL(out[i][0], RECORD_ENERGY);
        CHECK_EQUAL(out[i][9], 11u + i);
        CHECK_EQUAL((int8_t)out[i][10], -11 - (int)i);
    }
    CHECK_EQUAL(out[16][0], RECORD_REPLY);
}

/* A host that reads nothing: frames wait in the ring, marks and statuses are left out, nothing is cut. */
static void a_full_outbox_takes_no_half_records(void)
{
    static uint8_t out[40][RECORD_MAX];
    unsigned n;
    session_open();
    session_say("framing binary 1\rreceive\r");
    (void)session_read();
    for (n = 0u; n < 100u; n++) {
        session_receive(127u, n * 5000u, true);
    }
    while (sniffer_forward(&sniffer)) {
    }
    for (n = 1u; n < 100u; n++) {
        sniffer_mark(&sniffer);
        sniffer_tick(&sniffer, n * SECOND);
    }
    CHECK(session_records(out, 40u) < 40u);
    CHECK_EQUAL(out[0][0], RECORD_FRAME);
}

static void binary_shows_all_frames(void)
{
    static uint8_t out[8][RECORD_MAX];
    session_open();
    session_say("framing binary 1\r");
    CHECK(strncmp(session_read(), "# framing binary 1\r\n\0", 21u) == 0);
    session_say("receive\rnonsense\r");
    session_receive(5u, 1000u, true);
    session_receive(127u, 0xFFFFFFF0u, false);
    sniffer_tick(&sniffer, 5000u);
    while (sniffer_forward(&sniffer)) {
    }
    sniffer_mark(&sniffer);
    CHECK_EQUAL(session_records(out, 8u), 5u);
    CHECK_EQUAL(out[0][0], RECORD_REPLY);
    CHECK_EQUAL(out[0][9], 1u);
    CHECK_EQUAL(out[1][9], 0u);
    CHECK(memcmp(&out[1][10], "error unknown command", 21u) == 0);
    CHECK_EQUAL(out[2][0], RECORD_FRAME);
    CHECK_EQUAL(out[2][1], FRAME_FCS_OK);
    CHECK_EQUAL(out[2][21], 5u);
    CHECK_EQUAL(out[3][1], 0u);
    CHECK_EQUAL(out[3][2], 1u);
    CHECK_EQUAL(out[3][21], 127u);
    CHECK_EQUAL(out[4][0], RECORD_MARK);
    session_say("framing text\rsleep\r");
    CHECK(strstr((session_read(), (const char *)&got[got_length - 9u]), "# sleep\r\n") != NULL);
}

static void a_status_every_second_in_binary_only(void)
{
    static uint8_t out[8][RECORD_MAX];
    uint32_t second;
    session_open();
    for (second = 1u; second < 5u; second++) {
        sniffer_tick(&sniffer, second * SECOND);
    }
    CHECK_EQUAL((session_read(), got_length), 0u);
    session_say("framing binary 1\r");
    (void)session_read();
    sniffer_tick(&sniffer, 5u * SECOND - 1u);
    CHECK_EQUAL(session_records(out, 8u), 0u);
    sniffer_tick(&sniffer, 5u * SECOND);
    sniffer_tick(&sniffer, 5u * SECOND + 1u);
    CHECK_EQUAL(session_records(out, 8u), 1u);
    CHECK_EQUAL(out[0][0], RECORD_STATUS);
    CHECK_EQUAL(out[0][11], 2u); /* the reset cause */
}

static void closing_discards_and_goes_on_receiving(void)
{
    session_open();
    session_say("receive\rframing binary 1\r");
    session_receive(5u, 1u, true);
    CHECK(sniffer_forward(&sniffer));
    sniffer_listen(&sniffer, false);
    CHECK_EQUAL(outbox_room(&sniffer.outbox), OUTBOX_SIZE);
    session_receive(5u, 2u, true);
    session_receive(5u, 3u, true);
    while (sniffer_forward(&sniffer)) {
    }
    /* A host that speaks without opening the line is heard and not answered. */
    session_say("channel 25\rinfo\rframing binary 1\rstatus\renergy 11\r");
    CHECK_EQUAL(outbox_room(&sniffer.outbox), OUTBOX_SIZE);
    CHECK(fake.receiving && (fake.channel == 25u));
    sniffer_mark(&sniffer);
    sniffer_listen(&sniffer, true);
    session_receive(5u, 4u, true);
    CHECK(sniffer_forward(&sniffer));
    CHECK(strncmp(session_read(), "\r\nreceived: ", 12u) == 0);
    session_say("status\r");
    CHECK(strstr(session_read(), " heard=4 dropped=0 discarded=2 ") != NULL);
}

/* However little the host reads: replies whole, frames whole or still in the ring, and counts that add up. */
static void a_slow_host_gets_whole_lines_and_true_counts(void)
{
    uint64_t seed = 10u;
    uint32_t step;
    uint32_t heard_frames = 0u;
    uint32_t lines = 0u;
    struct ring_counters counters;
    static char text[1u << 22];
    uint32_t length = 0u;

    session_open();
    session_say("receive\r");
    for (step = 0u; step < PROPERTY_RUNS; step++) {
        if (draw_below(&seed, 3u) == 0u) {
            session_receive((uint8_t)(3u + draw_below(&seed, 125u)), step * 400u, true);
            heard_frames++;
        }
        (void)sniffer_forward(&sniffer);
        if ((draw_below(&seed, 50u) == 0u) && sniffer_takes_input(&sniffer)) {
            /* one octet of input at a time may be refused; a command of one octet is answered at once */
            sniffer_input(&sniffer, (uint8_t)'x');
            sniffer_input(&sniffer, (uint8_t)'\r');
        }
        if (draw_below(&seed, 100u) < (((step >> 10) & 1u) ? 60u : 20u)) {
            const uint16_t count = outbox_take(&sniffer.outbox, (uint8_t *)&text[length], 64u);
            length += count;
        }
    }
    sniffer_tick(&sniffer, step * 400u);
    while (sniffer_forward(&sniffer) || (outbox_room(&sniffer.outbox) < OUTBOX_SIZE)) {
        length += outbox_take(&sniffer.outbox, (uint8_t *)&text[length], 64u);
    }
    text[length] = '\0';
    {
        char *line = strtok(text, "\r\n");
        while (line != NULL) {
            unsigned psdu_digits = 0u;
            int power;
            unsigned lqi;
            unsigned long long time;
            if (sscanf(line, "received: %*[0-9a-f]%n power: %d lqi: %u time: %llu", (int *)&psdu_digits, &power, &lqi,
                       &time) == 3) {
                CHECK_EQUAL(psdu_digits % 2u, 0u);
                lines++;
            } else {
                CHECK(line[0] == '#');
            }
            line = strtok(NULL, "\r\n");
        }
    }
    ring_counters(&sniffer.ring, &counters);
    CHECK(counters.dropped > 0u);
    CHECK_EQUAL(lines + counters.dropped, heard_frames);
    CHECK_EQUAL(counters.heard, heard_frames);
}

void framing_tests(void)
{
    TEST(a_mark_is_a_line_or_a_record);
    TEST(energy_is_a_record_for_each_channel);
    TEST(a_full_outbox_takes_no_half_records);
    TEST(binary_shows_all_frames);
    TEST(a_status_every_second_in_binary_only);
    TEST(closing_discards_and_goes_on_receiving);
    TEST(a_slow_host_gets_whole_lines_and_true_counts);
}
