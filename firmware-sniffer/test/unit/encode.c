#include "check.h"
#include "cobs.h"
#include "crc16.h"
#include "decode.h"
#include "line.h"

#include <stdlib.h>

static void the_crc_has_the_values_of_its_catalogue_entries(void)
{
    static const uint8_t digits[] = "123456789";
    /* CRC-16/KERMIT and CRC-16/IBM-SDLC in the catalogue of parametrised CRC algorithms. */
    CHECK_EQUAL(crc16(CRC16_FCS_START, digits, 9u), 0x2189u);
    CHECK_EQUAL((uint16_t)~crc16(CRC16_RECORD_START, digits, 9u), 0x906Eu);
}

static void the_fcs_of_the_standard_s_example(void)
{
    /* IEEE 802.15.4-2020, 7.2.11: an acknowledgment with sequence number 0x6A (0101 0110, first bit first) has the FCS
     * 0010 0111 1001 1110, first bit first. */
    static const uint8_t ack[] = {0x02u, 0x00u, 0x6Au};
    CHECK_EQUAL(crc16(CRC16_FCS_START, ack, 3u), 0x79E4u);
}

static void the_crc_is_what_bit_by_bit_division_gives(void)
{
    uint64_t seed = 5u;
    uint32_t step;
    for (step = 0u; step < PROPERTY_RUNS; step++) {
        uint8_t octets[160];
        const uint16_t length = (uint16_t)draw_below(&seed, sizeof octets);
        const uint16_t start = (uint16_t)draw(&seed);
        uint16_t i;
        for (i = 0u; i < length; i++) {
            octets[i] = (uint8_t)draw(&seed);
        }
        CHECK_EQUAL(crc16(start, octets, length), decode_crc(start, octets, length));
    }
}

static void cobs_comes_back_and_holds_no_zero(void)
{
    uint64_t seed = 6u;
    uint32_t step;
    for (step = 0u; step < PROPERTY_RUNS; step++) {
        uint8_t octets[800];
        uint8_t stuffed[COBS_MAX(sizeof octets)];
        uint8_t back[sizeof stuffed];
        const uint16_t length = (uint16_t)draw_below(&seed, sizeof octets + 1u);
        /* From no zeros at all to mostly zeros: blocks of every length. */
        const uint32_t zeros = draw_below(&seed, 5u) * draw_below(&seed, 60u);
        uint16_t count;
        uint16_t i;
        for (i = 0u; i < length; i++) {
            octets[i] = (draw_below(&seed, 256u) < zeros) ? 0u : (uint8_t)(1u + draw_below(&seed, 255u));
        }
        count = cobs_encode(octets, length, stuffed);
        CHECK(count <= COBS_MAX(length));
        CHECK(memchr(stuffed, 0, count) == NULL);
        CHECK_EQUAL(decode_cobs(stuffed, count, back), length);
        CHECK(memcmp(back, octets, length) == 0);
    }
}

static void cobs_of_the_paper_s_edges(void)
{
    uint8_t octets[256];
    uint8_t out[COBS_MAX(sizeof octets)];
    memset(octets, 0xAA, sizeof octets);
    CHECK_EQUAL(cobs_encode(octets, 0u, out), 1u);
    CHECK_EQUAL(out[0], 1u);
    CHECK_EQUAL(cobs_encode(octets, 254u, out), 255u);
    CHECK_EQUAL(out[0], 0xFFu);
    CHECK_EQUAL(cobs_encode(octets, 255u, out), 257u);
    CHECK_EQUAL(out[255], 2u);
    octets[254] = 0u;
    CHECK_EQUAL(cobs_encode(octets, 255u, out), 257u);
    CHECK_EQUAL(out[255], 1u);
    CHECK_EQUAL(out[256], 1u);
}

static void numbers_read_back(void)
{
    uint64_t seed = 7u;
    uint32_t step;
    for (step = 0u; step < PROPERTY_RUNS; step++) {
        struct line line;
        struct time64 time;
        char text[LINE_SIZE + 1u];
        char expected[64];
        /* Every magnitude, not only large ones. */
        const unsigned shift = draw_below(&seed, 64u);
        const uint64_t value = ((((uint64_t)draw(&seed)) << 32) | draw(&seed)) >> shift;
        const int16_t small = (int16_t)(uint16_t)draw(&seed);
        time.high = (uint32_t)(value >> 32);
        time.low = (uint32_t)value;
        line_clear(&line);
        line_time(&line, &time);
        line_octet(&line, (uint8_t)' ');
        line_signed(&line, small);
        memcpy(text, line.text, line.length);
        text[line.length] = '\0';
        (void)snprintf(expected, sizeof expected, "%llu %d", (unsigned long long)value, small);
        CHECK(strcmp(text, expected) == 0);
    }
}

static void a_line_that_is_too_long_is_cut_off(void)
{
    struct line line;
    unsigned i;
    line_clear(&line);
    for (i = 0u; i < LINE_SIZE + 50u; i++) {
        line_hex(&line, (uint8_t)i);
    }
    CHECK_EQUAL(line.length, LINE_SIZE);
}

void encode_tests(void)
{
    TEST(the_crc_has_the_values_of_its_catalogue_entries);
    TEST(the_fcs_of_the_standard_s_example);
    TEST(the_crc_is_what_bit_by_bit_division_gives);
    TEST(cobs_comes_back_and_holds_no_zero);
    TEST(cobs_of_the_paper_s_edges);
    TEST(numbers_read_back);
    TEST(a_line_that_is_too_long_is_cut_off);
}
