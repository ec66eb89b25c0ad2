#include "record.h"

#include "crc16.h"

static void put8(struct record XDATA *out, uint8_t value)
{
    out->octets[out->length] = value;
    out->length++;
}

static void put16(struct record XDATA *out, uint16_t value)
{
    put8(out, (uint8_t)(value & 0xFFu));
    put8(out, (uint8_t)(value >> 8));
}

static void put32(struct record XDATA *out, uint32_t value)
{
    put16(out, (uint16_t)(value & 0xFFFFu));
    put16(out, (uint16_t)(value >> 16));
}

static void put_time(struct record XDATA *out, const struct time64 XDATA *time)
{
    put32(out, time->low);
    put32(out, time->high);
}

static void start(struct record XDATA *out, uint8_t type)
{
    out->length = 0u;
    put8(out, type);
}

static void finish(struct record XDATA *out)
{
    put16(out, (uint16_t)~crc16(CRC16_RECORD_START, out->octets, out->length));
}

void record_frame(struct record XDATA *out, const struct frame XDATA *frame, const struct time64 XDATA *time)
{
    const uint8_t kept = (uint8_t)(frame->air[0] - FRAME_FCS);
    const uint8_t XDATA *from = &frame->air[1];
    uint8_t XDATA *to;
    uint8_t left;

    start(out, RECORD_FRAME);
    put8(out, frame->flags);
    put32(out, frame->seq);
    put32(out, frame->dropped);
    put_time(out, time);
    put8(out, frame->channel);
    put8(out, (uint8_t)frame->rssi);
    put8(out, frame->lqi);
    put8(out, frame->air[0]);
    to = &out->octets[out->length];
    for (left = kept; left != 0u; left--) {
        *to = *from;
        to++;
        from++;
    }
    out->length = (uint16_t)(out->length + kept);
    finish(out);
}

void record_status(struct record XDATA *out, const struct record_state XDATA *state,
                   const struct ring_counters XDATA *counters, const struct time64 XDATA *time)
{
    start(out, RECORD_STATUS);
    put_time(out, time);
    put8(out, state->receiving);
    put8(out, state->channel);
    put8(out, state->reset_cause);
    put32(out, counters->heard);
    put32(out, counters->dropped);
    put32(out, state->discarded);
    put32(out, counters->bad_fcs);
    put32(out, counters->malformed);
    put32(out, state->restarts);
    finish(out);
}

void record_reply(struct record XDATA *out, uint8_t ok, const uint8_t XDATA *text, uint16_t length,
                  const struct time64 XDATA *time)
{
    uint16_t at;

    start(out, RECORD_REPLY);
    put_time(out, time);
    put8(out, ok);
    for (at = 0u; (at < length) && (at < RECORD_REPLY_MAX); at++) {
        put8(out, text[at]);
    }
    finish(out);
}

void record_energy(struct record XDATA *out, uint8_t channel, int8_t dbm, const struct time64 XDATA *time)
{
    start(out, RECORD_ENERGY);
    put_time(out, time);
    put8(out, channel);
    put8(out, (uint8_t)dbm);
    finish(out);
}

void record_mark(struct record XDATA *out, uint32_t number, const struct time64 XDATA *time)
{
    start(out, RECORD_MARK);
    put_time(out, time);
    put32(out, number);
    finish(out);
}
