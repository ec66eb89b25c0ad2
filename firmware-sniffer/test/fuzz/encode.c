/* Any frame and any octets: what is encoded must decode to the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cobs.h"
#include "decode.h"
#include "nordic.h"
#include "record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition) \
    do {                   \
        if (!(condition)) { \
            abort();       \
        }                  \
    } while (0)

#define HEAD 24u

static void stuffing(const uint8_t *data, size_t size)
{
    static uint8_t stuffed[COBS_MAX(2048u)];
    static uint8_t back[COBS_MAX(2048u)];
    const uint16_t length = (uint16_t)((size < 2048u) ? size : 2048u);
    const uint16_t count = cobs_encode(data, length, stuffed);
    REQUIRE(count <= COBS_MAX(length));
    REQUIRE(decode_cobs(stuffed, count, back) == length);
    REQUIRE(memcmp(back, data, length) == 0);
}

static void frames(const uint8_t *data, size_t size)
{
    struct frame frame;
    struct time64 time;
    struct record record;
    struct line line;
    uint8_t wire[RECORD_WIRE_MAX];
    uint8_t stuffed[RECORD_WIRE_MAX];
    uint16_t length_on_wire;
    char text[LINE_SIZE + 1u];
    char digits[256];
    uint8_t octets[130];
    int power;
    unsigned lqi;
    unsigned long long stamp;
    size_t length = size - HEAD;

    if (length > FRAME_PSDU_MAX - FRAME_FCS) {
        length = FRAME_PSDU_MAX - FRAME_FCS;
    }
    if (length == 0u) {
        return;
    }
    memcpy(&frame.seq, &data[0], 4u);
    memcpy(&frame.dropped, &data[4], 4u);
    memcpy(&time.low, &data[8], 4u);
    memcpy(&time.high, &data[12], 4u);
    frame.ticks = 0u;
    frame.channel = data[16];
    memcpy(&frame.rssi, &data[17], 1u);
    frame.lqi = data[18];
    frame.flags = data[19] & 1u;
    memset(frame.air, 0x55, sizeof frame.air);
    frame.air[0] = (uint8_t)(length + FRAME_FCS);
    memcpy(&frame.air[1], &data[HEAD], length);

    length_on_wire = record_frame(wire, &frame, &time);
    REQUIRE(length_on_wire <= RECORD_WIRE_MAX);
    REQUIRE(wire[length_on_wire - 1u] == 0u);
    REQUIRE(memchr(wire, 0, (size_t)length_on_wire - 1u) == NULL);
    record.length = (uint16_t)decode_cobs(wire, (size_t)length_on_wire - 1u, record.octets);
    /* In one pass comes what comes in steps. */
    REQUIRE(cobs_encode(record.octets, record.length, stuffed) == length_on_wire - 1u);
    REQUIRE(memcmp(stuffed, wire, (size_t)length_on_wire - 1u) == 0);
    REQUIRE(record.length == 22u + length + 2u);
    REQUIRE(memcmp(&record.octets[2], &data[0], 16u) == 0);
    REQUIRE(memcmp(&record.octets[22], &data[HEAD], length) == 0);
    REQUIRE((uint16_t)~decode_crc(0xFFFFu, record.octets, record.length - 2u) ==
            (record.octets[record.length - 2u] | (record.octets[record.length - 1u] << 8)));

    line_clear(&line);
    nordic_frame(&line, &frame, &time);
    memcpy(text, line.text, line.length);
    text[line.length] = '\0';
    REQUIRE(sscanf(text, "received: %255[0-9a-f] power: %d lqi: %u time: %llu", digits, &power, &lqi, &stamp) == 4);
    REQUIRE(decode_hex(digits, octets) == length + FRAME_FCS);
    REQUIRE(memcmp(octets, &data[HEAD], length) == 0);
    /* Over a frame with its FCS the remainder is zero. */
    REQUIRE(decode_crc(0u, octets, length + FRAME_FCS) == 0u);
    REQUIRE((power == frame.rssi) && (lqi == frame.lqi));
    REQUIRE(stamp == (((unsigned long long)time.high << 32) | time.low));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    stuffing(data, size);
    if (size > HEAD) {
        frames(data, size);
    }
    return 0;
}
