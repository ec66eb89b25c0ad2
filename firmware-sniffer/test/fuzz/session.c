/*
 * Anything a host, the air and the clock can do to the sniffer, in any order. The input is a list of operations; after each,
 * what reaches the host must be whole: lines in text, records with a right check in binary, and no frame uncounted.
 */
#include <stdlib.h>
#include <string.h>

#include "decode.h"
#include "fake.h"
#include "sniffer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition) \
    do {                   \
        if (!(condition)) { \
            abort();       \
        }                  \
    } while (0)

static struct sniffer sniffer;
/* Octets that the host has read and not understood yet. */
static uint8_t unread[8192];
static uint32_t unread_length;
static uint32_t seen;
static uint32_t injected;

static void frame(uint8_t length, uint32_t ticks, uint8_t flags)
{
    struct frame *slot = ring_writable(&sniffer.ring);
    if (length < FRAME_PSDU_MIN) {
        ring_reject(&sniffer.ring);
    } else {
        memset(slot->air, length, sizeof slot->air);
        slot->air[0] = length;
        slot->ticks = ticks;
        slot->channel = 11u;
        slot->rssi = -1;
        slot->lqi = 1u;
        slot->flags = flags;
        injected++;
        (void)ring_commit(&sniffer.ring);
    }
}

static void record(const uint8_t *stuffed, size_t length)
{
    uint8_t plain[1024];
    long count;
    if (length == 0u) {
        return;
    }
    REQUIRE(length < sizeof plain);
    count = decode_cobs(stuffed, length, plain);
    REQUIRE(count >= 3);
    REQUIRE((uint16_t)~decode_crc(0xFFFFu, plain, (size_t)count - 2u) ==
            (plain[count - 2] | (plain[count - 1] << 8)));
    REQUIRE((plain[0] >= RECORD_FRAME) && (plain[0] <= RECORD_MARK));
    if (plain[0] == RECORD_FRAME) {
        REQUIRE(count == 22 + plain[21] - 2 + 2);
        seen++;
    }
}

/* Takes all that waits; in binary framing it is whole records. */
static void read_all(bool binary)
{
    uint16_t count = outbox_take(&sniffer.outbox, &unread[unread_length], 64u);
    while (count > 0u) {
        unread_length += count;
        REQUIRE(unread_length < sizeof unread - 64u);
        count = outbox_take(&sniffer.outbox, &unread[unread_length], 64u);
    }
    if (binary) {
        uint32_t at = 0u;
        while (at < unread_length) {
            const uint8_t *end = memchr(&unread[at], 0, unread_length - at);
            REQUIRE(end != NULL);
            record(&unread[at], (size_t)(end - &unread[at]));
            at = (uint32_t)(end - unread) + 1u;
        }
    } else if (sniffer.listening && (unread_length > 0u)) {
        REQUIRE(memchr(unread, 0, unread_length) == NULL);
    } else {
        /* nobody listens */
    }
    unread_length = 0u;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ring_counters counters;
    uint32_t ticks = 0u;
    uint32_t in_ring = 0u;
    size_t at;

    memset(&fake, 0, sizeof fake);
    sniffer_start(&sniffer, 0u);
    unread_length = 0u;
    injected = 0u;
    for (at = 0u; at + 1u < size; at += 2u) {
        const uint8_t value = data[at + 1u];
        switch (data[at] & 7u) {
        case 0u:
        case 1u:
            if (sniffer_takes_input(&sniffer)) {
                const bool before = sniffer.binary;
                sniffer_input(&sniffer, value);
                if (before != sniffer.binary) {
                    /* The answer is in the old framing and ends in the new one: not for this check. */
                    outbox_clear(&sniffer.outbox);
                }
            }
            break;
        case 2u:
            frame((uint8_t)(value & 0x7Fu), ticks, (uint8_t)(value >> 7));
            break;
        case 3u:
            ticks += (uint32_t)value << 18;
            sniffer_tick(&sniffer, ticks);
            break;
        case 4u:
            sniffer_listen(&sniffer, (value & 1u) != 0u);
            break;
        case 5u:
            (void)sniffer_forward(&sniffer);
            break;
        case 6u:
            sniffer_mark(&sniffer);
            break;
        default:
            read_all(sniffer.binary);
            break;
        }
        REQUIRE(outbox_room(&sniffer.outbox) <= OUTBOX_SIZE);
    }
    ring_counters(&sniffer.ring, &counters);
    REQUIRE(counters.heard == injected);
    while (ring_oldest(&sniffer.ring) != NULL) {
        ring_release(&sniffer.ring);
        in_ring++;
    }
    REQUIRE(in_ring + counters.dropped <= injected);
    return 0;
}
