/*
 * The records of the binary framing (PROTOCOL.md, 3): a type, fields in little-endian order, a CRC over all of it. Each
 * function writes one record, check included; what carries it (COBS) is another layer, but for frames, of which there are many.
 */
#ifndef CORE_RECORD_H
#define CORE_RECORD_H

#include "cobs.h"
#include "frame.h"
#include "ring.h"
#include "uptime.h"

#define RECORD_FRAME 0x01u
#define RECORD_STATUS 0x02u
#define RECORD_REPLY 0x03u
#define RECORD_ENERGY 0x04u
#define RECORD_MARK 0x05u

/* The longest: a frame of 127 octets (22 before it, two less of FCS, two of CRC), or a reply of REPLY_MAX. */
#define RECORD_MAX 160u
#define RECORD_REPLY_MAX 140u
/* The longest with its stuffing and its zero. */
#define RECORD_WIRE_MAX (COBS_MAX(RECORD_MAX) + 1u)

struct record {
    uint16_t length;
    uint8_t octets[RECORD_MAX];
};

/* Fields of a STATUS record besides the ring's counters. */
struct record_state {
    uint8_t receiving; /* 0 or 1 */
    uint8_t channel;
    uint8_t reset_cause;
    uint32_t discarded; /* frames not sent because no host was listening */
    uint32_t restarts;  /* times the radio had to be started again */
};

/*
 * A FRAME as it goes on the wire: stuffed, with its zero. `out` has room for RECORD_WIRE_MAX; returns the length. The frame's
 * PHR is 3..127.
 */
uint16_t record_frame(uint8_t XDATA *out, const struct frame XDATA *frame, const struct time64 XDATA *time);
void record_status(struct record XDATA *out, const struct record_state XDATA *state,
                   const struct ring_counters XDATA *counters, const struct time64 XDATA *time);
/* `ok` 0 or 1; of the text, what fits in RECORD_REPLY_MAX. */
void record_reply(struct record XDATA *out, uint8_t ok, const uint8_t XDATA *text, uint16_t length,
                  const struct time64 XDATA *time);
void record_energy(struct record XDATA *out, uint8_t channel, int8_t dbm, const struct time64 XDATA *time);
void record_mark(struct record XDATA *out, uint32_t number, const struct time64 XDATA *time);

#endif
