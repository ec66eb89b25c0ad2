#include "sniffer.h"

#include <stdlib.h>

#include "check.h"
#include "crc16.h"
#include "decode.h"
#include "fake.h"

static struct sniffer sniffer;
static uint8_t got[1u << 20];
static uint32_t got_length;

static void start(void)
{
    memset(&fake, 0, sizeof fake);
    fake.answers = true;
    /* Whatever was in memory before. */
    memset(&sniffer, 0xA5, sizeof sniffer);
    sniffer_start(&sniffer, 2u);
    got_length = 0u;
}

/* What the host reads, as text that ends. */
static const char *heard(void)
{
    uint8_t packet[64];
    uint16_t length = outbox_take(&sniffer.outbox, packet, sizeof packet);
    got_length = 0u;
    while (length > 0u) {
        memcpy(&got[got_length], packet, length);
        got_length += length;
        length = outbox_take(&sniffer.outbox, packet, sizeof packet);
    }
    got[got_length] = 0u;
    return (const char *)got;
}

static void say(const char *text)
{
    unsigned i;
    for (i = 0u; text[i] != '\0'; i++) {
        sniffer_input(&sniffer, (uint8_t)text[i]);
    }
}

static void open_line(void)
{
    start();
    sniffer_listen(&sniffer, true);
    CHECK(strcmp(heard(), "\r\n") == 0);
    say("shell echo off\r");
    (void)heard();
}

/* A frame of `length` octets heard at `ticks`, with octets that tell which it is. */
static void receive(uint8_t length, uint32_t ticks, bool fcs_ok)
{
    struct frame *frame = ring_writable(&sniffer.ring);
    unsigned i;
    frame->air[0] = length;
    for (i = 1u; i < sizeof frame->air; i++) {
        frame->air[i] = (uint8_t)(ticks + i);
    }
    frame->ticks = ticks;
    frame->channel = fake.channel;
    frame->rssi = -70;
    frame->lqi = 100u;
    frame->flags = (uint8_t)(fcs_ok ? FRAME_FCS_OK : 0u);
    (void)ring_commit(&sniffer.ring);
}

/* The records in what the host reads, without their check, one after the other; returns how many. */
static unsigned records(uint8_t out[][RECORD_MAX], unsigned most)
{
    uint32_t at = 0u;
    unsigned count = 0u;
    (void)heard();
    while (at < got_length) {
        const uint8_t *end = memchr(&got[at], 0, got_length - at);
        uint8_t record[RECORD_MAX + 8u];
        long length;
        CHECK(end != NULL);
        if (end == NULL) {
            break;
        }
        length = decode_cobs(&got[at], (size_t)(end - &got[at]), record);
        at = (uint32_t)(end - got) + 1u;
        if (length == 0) {
            continue;
        }
        CHECK(length >= 3);
        CHECK_EQUAL((uint16_t)~decode_crc(0xFFFFu, record, (size_t)length - 2u),
                    record[length - 2] | (record[length - 1] << 8));
        if (count < most) {
            memcpy(out[count], record, (size_t)length);
        }
        count++;
    }
    return count;
}

static void commands_reach_the_radio(void)
{
    open_line();
    say("channel 20\r\n");
    CHECK_EQUAL(fake.starts, 0u);
    say("receive\r\n");
    CHECK(fake.receiving && (fake.channel == 20u) && (fake.starts == 1u));
    say("channel 21\r\n");
    CHECK(fake.receiving && (fake.channel == 21u) && (fake.starts == 2u));
    say("channel 21\r\nreceive\r\n");
    CHECK_EQUAL(fake.starts, 2u);
    say("sleep\r\n");
    CHECK(!fake.receiving);
    say("bootloader\r\n");
    CHECK_EQUAL(fake.bootloads, 1u);
    CHECK(strcmp(heard(), "# channel 20\r\n# receive\r\n# channel 21\r\n# channel 21\r\n# receive\r\n# sleep\r\n"
                          "# error no bootloader to enter\r\n") == 0);
}

static void energy_gives_the_radio_back(void)
{
    open_line();
    say("channel 13\rreceive\renergy 26\r");
    CHECK(fake.receiving && (fake.channel == 13u));
    CHECK(strstr(heard(), "# energy 26 -26\r\n") != NULL);
    say("sleep\renergy\r");
    CHECK(!fake.receiving);
    CHECK(strstr(heard(), "# energy 11 -11 12 -12 13 -13 14 -14 15 -15 16 -16 17 -17 18 -18 19 -19 20 -20 21 -21 "
                          "22 -22 23 -23 24 -24 25 -25 26 -26\r\n") != NULL);
    fake.answers = false;
    say("energy 11\r");
    CHECK(strstr(heard(), "# error the radio does not answer\r\n") != NULL);
}

static void nothing_that_is_no_frame_looks_like_one(void)
{
    open_line();
    say("info\rstatus\rchannel\rreceived: 0102 power: -1 lqi: 1 time: 1\rshell echo off\rframing binary 9\rsleep 1\r");
    CHECK(strstr(heard(), "received:") == NULL);
    CHECK(strstr((const char *)got, "# status receiving=0 channel=11 heard=0") != NULL);
    CHECK(strstr((const char *)got, "# error unknown framing version\r\n") != NULL);
}

static void echo_is_on_until_it_is_turned_off(void)
{
    start();
    sniffer_listen(&sniffer, true);
    (void)heard();
    say("sleep\r\n\r\nchannel 12\n");
    CHECK(strcmp(heard(), "sleep\r\n# sleep\r\n\r\nchannel 12\r\n# channel 12\r\n") == 0);
    say("shell echo off\r\n");
    (void)heard();
    say("sleep\r\n");
    CHECK(strcmp(heard(), "# sleep\r\n") == 0);
    say("shell echo on\r\n");
    CHECK(strcmp(heard(), "# echo on\r\n") == 0);
    say("shell echo off\r\n");
    (void)heard();
    /* The same again changes nothing. */
    sniffer_listen(&sniffer, true);
    say("sleep\r\n");
    CHECK(strcmp(heard(), "# sleep\r\n") == 0);
    /* The next host finds it on. */
    sniffer_listen(&sniffer, false);
    sniffer_listen(&sniffer, true);
    say("sleep\r\n");
    CHECK(strcmp(heard(), "\r\nsleep\r\n# sleep\r\n") == 0);
}

static void control_characters_are_not_echoed(void)
{
    static const uint8_t input[] = {'s', 0x00u, 0x1Bu, 0x7Fu, 0xFFu, '\r'};
    unsigned i;
    start();
    sniffer_listen(&sniffer, true);
    (void)heard();
    for (i = 0u; i < sizeof input; i++) {
        sniffer_input(&sniffer, input[i]);
    }
    CHECK(strcmp(heard(), "s\r\n# error unknown command\r\n") == 0);
}

static void a_mark_is_a_line_or_a_record(void)
{
    static uint8_t out[4][RECORD_MAX];
    open_line();
    sniffer_tick(&sniffer, 77u);
    sniffer_mark(&sniffer);
    CHECK(strcmp(heard(), "# mark 1 time=77\r\n") == 0);
    say("framing binary 1\r");
    (void)heard();
    sniffer_mark(&sniffer);
    CHECK_EQUAL(records(out, 4u), 1u);
    CHECK_EQUAL(out[0][0], RECORD_MARK);
    CHECK_EQUAL(out[0][1], 77u);
    CHECK_EQUAL(out[0][9], 2u);
}

static void energy_is_a_record_for_each_channel(void)
{
    static uint8_t out[20][RECORD_MAX];
    unsigned i;
    open_line();
    say("shell echo on\rframing binary 1\r");
    (void)heard();
    say("energy\r");
    CHECK_EQUAL(records(out, 20u), 17u);
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
    open_line();
    say("framing binary 1\rreceive\r");
    (void)heard();
    for (n = 0u; n < 100u; n++) {
        receive(127u, n * 5000u, true);
    }
    while (sniffer_forward(&sniffer)) {
    }
    for (n = 1u; n < 100u; n++) {
        sniffer_mark(&sniffer);
        sniffer_tick(&sniffer, n * SECOND);
    }
    CHECK(records(out, 40u) < 40u);
    CHECK_EQUAL(out[0][0], RECORD_FRAME);
}

static void text_shows_good_frames_and_counts_drops(void)
{
    uint32_t n;
    open_line();
    say("receive\r");
    (void)heard();
    receive(5u, 1000u, true);
    receive(9u, 2000u, false);
    sniffer_tick(&sniffer, 5000u);
    while (sniffer_forward(&sniffer)) {
    }
    /* 1001, 1002 and 1003 in their low octets, then the FCS. */
    CHECK(strstr(heard(), "received: e9eaeb") != NULL);
    CHECK(strstr((const char *)got, " power: -70 lqi: 100 time: 1000\r\n") != NULL);
    CHECK(strstr((const char *)got, "time: 2000") == NULL);
    CHECK(strchr((const char *)got, '#') == NULL);
    for (n = 0u; n < RING_SLOTS + 4u; n++) {
        receive(5u, 10000u + n, true);
    }
    while (sniffer_forward(&sniffer)) {
        (void)heard();
    }
    receive(5u, 20000u, true);
    CHECK(sniffer_forward(&sniffer));
    CHECK(strncmp(heard(), "# dropped 5\r\nreceived: ", 23u) == 0);
    receive(5u, 20001u, true);
    CHECK(sniffer_forward(&sniffer));
    CHECK(strncmp(heard(), "received: ", 10u) == 0);
}

static void binary_shows_all_frames(void)
{
    static uint8_t out[8][RECORD_MAX];
    open_line();
    say("framing binary 1\r");
    CHECK(strncmp(heard(), "# framing binary 1\r\n\0", 21u) == 0);
    say("receive\rnonsense\r");
    receive(5u, 1000u, true);
    receive(127u, 0xFFFFFFF0u, false);
    sniffer_tick(&sniffer, 5000u);
    while (sniffer_forward(&sniffer)) {
    }
    sniffer_mark(&sniffer);
    CHECK_EQUAL(records(out, 8u), 5u);
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
    say("framing text\rsleep\r");
    CHECK(strstr((heard(), (const char *)&got[got_length - 9u]), "# sleep\r\n") != NULL);
}

static void a_status_every_second_in_binary_only(void)
{
    static uint8_t out[8][RECORD_MAX];
    uint32_t second;
    open_line();
    for (second = 1u; second < 5u; second++) {
        sniffer_tick(&sniffer, second * SECOND);
    }
    CHECK_EQUAL((heard(), got_length), 0u);
    say("framing binary 1\r");
    (void)heard();
    sniffer_tick(&sniffer, 5u * SECOND - 1u);
    CHECK_EQUAL(records(out, 8u), 0u);
    sniffer_tick(&sniffer, 5u * SECOND);
    sniffer_tick(&sniffer, 5u * SECOND + 1u);
    CHECK_EQUAL(records(out, 8u), 1u);
    CHECK_EQUAL(out[0][0], RECORD_STATUS);
    CHECK_EQUAL(out[0][11], 2u); /* the reset cause */
}

static void closing_discards_and_goes_on_receiving(void)
{
    open_line();
    say("receive\rframing binary 1\r");
    receive(5u, 1u, true);
    CHECK(sniffer_forward(&sniffer));
    sniffer_listen(&sniffer, false);
    CHECK_EQUAL(outbox_room(&sniffer.outbox), OUTBOX_SIZE);
    receive(5u, 2u, true);
    receive(5u, 3u, true);
    while (sniffer_forward(&sniffer)) {
    }
    /* A host that speaks without opening the line is heard and not answered. */
    say("channel 25\rinfo\rframing binary 1\rstatus\renergy 11\r");
    CHECK_EQUAL(outbox_room(&sniffer.outbox), OUTBOX_SIZE);
    CHECK(fake.receiving && (fake.channel == 25u));
    sniffer_mark(&sniffer);
    sniffer_listen(&sniffer, true);
    receive(5u, 4u, true);
    CHECK(sniffer_forward(&sniffer));
    CHECK(strncmp(heard(), "\r\nreceived: ", 12u) == 0);
    say("status\r");
    CHECK(strstr(heard(), " heard=4 dropped=0 discarded=2 ") != NULL);
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

    open_line();
    say("receive\r");
    for (step = 0u; step < PROPERTY_RUNS; step++) {
        if (draw_below(&seed, 3u) == 0u) {
            receive((uint8_t)(3u + draw_below(&seed, 125u)), step * 400u, true);
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

void sniffer_tests(void)
{
    TEST(commands_reach_the_radio);
    TEST(energy_gives_the_radio_back);
    TEST(nothing_that_is_no_frame_looks_like_one);
    TEST(echo_is_on_until_it_is_turned_off);
    TEST(control_characters_are_not_echoed);
    TEST(a_mark_is_a_line_or_a_record);
    TEST(energy_is_a_record_for_each_channel);
    TEST(a_full_outbox_takes_no_half_records);
    TEST(text_shows_good_frames_and_counts_drops);
    TEST(binary_shows_all_frames);
    TEST(a_status_every_second_in_binary_only);
    TEST(closing_discards_and_goes_on_receiving);
    TEST(a_slow_host_gets_whole_lines_and_true_counts);
}
