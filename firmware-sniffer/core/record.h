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

/* Types of records, PROTOCOL.md 3. */
#define RECORD_FRAME 0x01u
#define RECORD_STATUS 0x02u
#define RECORD_REPLY 0x03u
#define RECORD_ENERGY 0x04u
#define RECORD_MARK 0x05u

/*
 * Octets of a record, at most. A frame of 127 octets takes 149 (22 before it, two less for the FCS, two for the CRC), a
 * reply of RECORD_REPLY_MAX characters 152.
 */
#define RECORD_MAX 160u
/* Characters of a reply, at most. */
#define RECORD_REPLY_MAX 140u
/* Octets of a record on the wire, at most: stuffed, with its zero. */
#define RECORD_WIRE_MAX (COBS_MAX(RECORD_MAX) + 1u)

/* A record with its CRC, not stuffed. */
struct record {
    uint16_t length;
    uint8_t octets[RECORD_MAX];
};

/* Fields of a STATUS record besides the ring's counters. */
struct record_state {
    uint8_t receiving;   /* 0 or 1 */
    uint8_t channel;     /* CHANNEL_MIN..CHANNEL_MAX */
    uint8_t reset_cause; /* as the machine gives it, PROTOCOL.md 3 and 4.3 */
    uint32_t discarded;  /* frames not sent because no host was listening */
    uint32_t restarts;   /* times the radio had to be started again */
};

/*
 * Writes a FRAME as it goes on the wire: stuffed, with its zero. `out` has room for RECORD_WIRE_MAX; returns the octets
 * written. The frame's PHR is 3..127. `time`, here and below: microseconds since power-up.
 */
uint16_t record_frame(uint8_t XDATA *out, const struct frame XDATA *frame, const struct time64 XDATA *time);
/* Writes a STATUS. */
void record_status(struct record XDATA *out, const struct record_state XDATA *state,
                   const struct ring_counters XDATA *counters, const struct time64 XDATA *time);
/* Writes a REPLY: `ok` is 0 or 1; text beyond RECORD_REPLY_MAX is cut off. */
void record_reply(struct record XDATA *out, uint8_t ok, const uint8_t XDATA *text, uint16_t length,
                  const struct time64 XDATA *time);
/* Writes an ENERGY: the highest energy on a channel. */
void record_energy(struct record XDATA *out, uint8_t channel, int8_t dbm, const struct time64 XDATA *time);
/* Writes a MARK with its number, from 1. */
void record_mark(struct record XDATA *out, uint32_t number, const struct time64 XDATA *time);

#endif
