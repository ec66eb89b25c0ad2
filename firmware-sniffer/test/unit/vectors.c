/* The vectors of PROTOCOL.md, which test/vectors.py computes without this code. */
#include <stdlib.h>

#include "check.h"
#include "cobs.h"
#include "decode.h"
#include "nordic.h"
#include "record.h"

#ifndef VECTORS
#define VECTORS "vectors"
#endif
#define VECTOR_MAX 4096

static char vector[VECTOR_MAX];

/* The value of a field of the vector at hand, as text; "" when it has none. */
static const char *text_of(const char *key)
{
    static char value[VECTOR_MAX];
    char pattern[32];
    const char *at;
    (void)snprintf(pattern, sizeof pattern, " %s=", key);
    at = strstr(vector, pattern);
    if (at == NULL) {
        return "";
    }
    at += strlen(pattern);
    (void)snprintf(value, sizeof value, "%.*s", (int)strcspn(at, " \n"), at);
    return value;
}

static long long number_of(const char *key)
{
    return strtoll(text_of(key), NULL, 10);
}

static void time_of(struct time64 *time)
{
    const unsigned long long value = strtoull(text_of("time"), NULL, 10);
    time->high = (uint32_t)(value >> 32);
    time->low = (uint32_t)value;
}

static void frame_of(struct frame *frame)
{
    memset(frame, 0xEE, sizeof *frame);
    frame->air[0] = (uint8_t)(decode_hex(text_of("payload"), &frame->air[1]) + FRAME_FCS);
    frame->flags = (uint8_t)number_of("flags");
    frame->seq = (uint32_t)number_of("seq");
    frame->dropped = (uint32_t)number_of("dropped");
    frame->channel = (uint8_t)number_of("channel");
    frame->rssi = (int8_t)number_of("rssi");
    frame->lqi = (uint8_t)number_of("lqi");
}

/* The vector at hand as a record, and as it goes on the wire; returns how long that is. */
static uint16_t encode(struct record *record, uint8_t *wire)
{
    uint16_t length;
    struct time64 time;
    const char *type = text_of("type");
    char kind = type[0];
    time_of(&time);
    if (kind == 'f') {
        struct frame frame;
        frame_of(&frame);
        length = record_frame(wire, &frame, &time);
        CHECK(length <= RECORD_WIRE_MAX);
        record->length = (uint16_t)decode_cobs(wire, (size_t)length - 1u, record->octets);
        return length;
    }
    if (kind == 's') {
        struct record_state state;
        struct ring_counters counters;
        state.receiving = (uint8_t)number_of("receiving");
        state.channel = (uint8_t)number_of("channel");
        state.reset_cause = (uint8_t)number_of("reset");
        state.discarded = (uint32_t)number_of("discarded");
        state.restarts = (uint32_t)number_of("restarts");
        counters.heard = (uint32_t)number_of("heard");
        counters.dropped = (uint32_t)number_of("dropped");
        counters.bad_fcs = (uint32_t)number_of("bad_fcs");
        counters.malformed = (uint32_t)number_of("malformed");
        record_status(record, &state, &counters, &time);
    } else if (kind == 'r') {
        uint8_t text[RECORD_MAX];
        const uint16_t letters = (uint16_t)decode_hex(text_of("text"), text);
        record_reply(record, (uint8_t)number_of("ok"), text, letters, &time);
    } else if (kind == 'e') {
        record_energy(record, (uint8_t)number_of("channel"), (int8_t)number_of("dbm"), &time);
    } else {
        record_mark(record, (uint32_t)number_of("number"), &time);
    }
    length = cobs_encode(record->octets, record->length, wire);
    wire[length] = 0u;
    return (uint16_t)(length + 1u);
}

/* Calls `one` for each line of a file; returns how many there were. */
static unsigned each(const char *name, void (*one)(void))
{
    char path[512];
    FILE *file;
    unsigned count = 0u;
    (void)snprintf(path, sizeof path, "%s/%s", VECTORS, name);
    file = fopen(path, "r");
    CHECK(file != NULL);
    if (file == NULL) {
        return 0u;
    }
    vector[0] = ' ';
    while (fgets(&vector[1], VECTOR_MAX - 1, file) != NULL) {
        one();
        count++;
    }
    (void)fclose(file);
    return count;
}

static void record_vector(void)
{
    struct record record;
    uint8_t expected[VECTOR_MAX];
    uint8_t wire[RECORD_WIRE_MAX];
    const uint16_t length = encode(&record, wire);
    CHECK_EQUAL(record.length, decode_hex(text_of("record"), expected));
    CHECK(memcmp(record.octets, expected, record.length) == 0);
    CHECK_EQUAL(length, decode_hex(text_of("wire"), expected));
    CHECK(memcmp(wire, expected, length) == 0);
}

static void line_vector(void)
{
    struct frame frame;
    struct time64 time;
    struct line line;
    uint8_t expected[VECTOR_MAX];
    frame_of(&frame);
    time_of(&time);
    line_clear(&line);
    nordic_frame(&line, &frame, &time);
    CHECK_EQUAL(line.length, decode_hex(text_of("text"), expected));
    CHECK(memcmp(line.text, expected, line.length) == 0);
}

static void records_are_the_vectors(void)
{
    CHECK_EQUAL(each("records.txt", record_vector), 27);
}

static void text_lines_are_the_vectors(void)
{
    CHECK_EQUAL(each("lines.txt", line_vector), 8);
}

static void the_longest_of_each_fits(void)
{
    struct record record;
    struct line line;
    struct frame frame;
    uint8_t text[RECORD_MAX];
    struct time64 time = {0xFFFFFFFFu, 0xFFFFFFFFu};
    memset(&frame, 0xFF, sizeof frame);
    memset(text, 'x', sizeof text);
    frame.air[0] = FRAME_PSDU_MAX;
    frame.rssi = -128;
    {
        uint8_t wire[RECORD_WIRE_MAX];
        /* 22 octets before a payload of 125, two of CRC; one of stuffing and the zero. */
        CHECK_EQUAL(record_frame(wire, &frame, &time), 22u + 125u + 2u + 2u);
    }
    record_reply(&record, 1u, text, sizeof text, &time);
    CHECK(record.length <= RECORD_MAX);
    CHECK_EQUAL(record.length, 10u + RECORD_REPLY_MAX + 2u);
    line_clear(&line);
    nordic_frame(&line, &frame, &time);
    CHECK_EQUAL(line.length, 314u);
}

void vector_tests(void)
{
    TEST(records_are_the_vectors);
    TEST(text_lines_are_the_vectors);
    TEST(the_longest_of_each_fits);
}
