#include "session.h"

#include "check.h"
#include "decode.h"
#include "fake.h"

struct sniffer sniffer;
uint8_t got[1u << 20];
uint32_t got_length;

void session_start(void)
{
    memset(&fake, 0, sizeof fake);
    fake.answers = true;
    /* Whatever was in memory before. */
    memset(&sniffer, 0xA5, sizeof sniffer);
    sniffer_start(&sniffer, 2u);
    got_length = 0u;
}

const char *session_read(void)
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

void session_say(const char *text)
{
    unsigned i;
    for (i = 0u; text[i] != '\0'; i++) {
        sniffer_input(&sniffer, (uint8_t)text[i]);
    }
}

void session_open(void)
{
    session_start();
    sniffer_listen(&sniffer, true);
    CHECK(strcmp(session_read(), "\r\n") == 0);
    session_say("shell echo off\r");
    (void)session_read();
}

void session_receive(uint8_t length, uint32_t ticks, bool fcs_ok)
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

unsigned session_records(uint8_t out[][RECORD_MAX], unsigned most)
{
    uint32_t at = 0u;
    unsigned count = 0u;
    (void)session_read();
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
