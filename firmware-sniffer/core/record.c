#include "record.h"

#include "crc16.h"

/* Octets of a FRAME record before its payload. */
#define FRAME_HEAD 22u

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

/* Writes 32 bits to octets of `head`, little-endian. A macro: on an 8051 the call costs more. */
#define SPREAD(at, value)                                    \
    do {                                                     \
        const uint32_t value_ = (value);                     \
        head[(at)] = (uint8_t)(value_ & 0xFFu);              \
        head[(at) + 1u] = (uint8_t)((value_ >> 8) & 0xFFu);  \
        head[(at) + 2u] = (uint8_t)((value_ >> 16) & 0xFFu); \
        head[(at) + 3u] = (uint8_t)(value_ >> 24);           \
    } while (0)

/* A record that is being stuffed: places of its next octet and of the code of the present block, and the CRC so far. */
struct passing {
    uint8_t XDATA *to;
    uint8_t XDATA *count_at;
    uint8_t low;
    uint8_t high;
};

/*
 * CRC and stuffing in one pass over the octets: in two, an 8051 is slower than the air. A record is shorter than a block of
 * COBS (254), so only a zero ends one.
 */
static void pass(struct passing XDATA *passing, const uint8_t XDATA *from, uint8_t left)
{
    FAST uint8_t octet;
    FAST uint8_t mixed;
    FAST uint8_t low;
    FAST uint8_t high;
    uint8_t XDATA *to = passing->to;

    low = passing->low;
    high = passing->high;
    do {
        octet = *from;
        from++;
        *to = octet;
        if (octet == 0u) {
            *passing->count_at = (uint8_t)(to - passing->count_at);
            passing->count_at = to;
        }
        to++;
        /* As in crc16.c. */
        mixed = (uint8_t)(octet ^ low);
        mixed = (uint8_t)(mixed ^ (uint8_t)(mixed << 4));
        low = (uint8_t)(high ^ (uint8_t)(mixed << 3) ^ (uint8_t)(mixed >> 4));
        high = (uint8_t)(mixed ^ (mixed >> 5));
        left--;
    } while (left != 0u);
    passing->to = to;
    passing->low = low;
    passing->high = high;
}

uint16_t record_frame(uint8_t XDATA *out, const struct frame XDATA *frame, const struct time64 XDATA *time)
{
    SCRATCH uint8_t head[FRAME_HEAD];
    SCRATCH struct passing passing;

    head[0] = RECORD_FRAME;
    head[1] = frame->flags;
    SPREAD(2, frame->seq);
    SPREAD(6, frame->dropped);
    SPREAD(10, time->low);
    SPREAD(14, time->high);
    head[18] = frame->channel;
    head[19] = (uint8_t)frame->rssi;
    head[20] = frame->lqi;
    head[21] = frame->air[0];
    passing.to = out + 1;
    passing.count_at = out;
    passing.low = (uint8_t)(CRC16_RECORD_START & 0xFFu);
    passing.high = (uint8_t)(CRC16_RECORD_START >> 8);
    pass(&passing, head, FRAME_HEAD);
    pass(&passing, &frame->air[1], (uint8_t)(frame->air[0] - FRAME_FCS));
    head[0] = (uint8_t)~passing.low;
    head[1] = (uint8_t)~passing.high;
    pass(&passing, head, 2u);
    *passing.count_at = (uint8_t)(passing.to - passing.count_at);
    *passing.to = 0u;
    return (uint16_t)((passing.to - out) + 1);
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
