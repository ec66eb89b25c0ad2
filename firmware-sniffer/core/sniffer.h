/*
 * The sniffer behind a serial line: commands in, frames out, in Nordic's text or in our records (PROTOCOL.md).
 *
 * The radio's interrupt fills `ring`; everything else happens in the main loop, which calls the functions below and
 * carries `outbox` to the host.
 */
#ifndef CORE_SNIFFER_H
#define CORE_SNIFFER_H

#include "cobs.h"
#include "command.h"
#include "line.h"
#include "outbox.h"
#include "record.h"
#include "ring.h"

/* Version of the binary framing, as in `framing binary 1`. */
#define FRAMING_VERSION 1u
/* Ticks of a second: the time between two STATUS records. */
#define SECOND (1000000u << TICK_SHIFT)

/* State of a sniffer. `line`, `record` and `wire` are buffers for the message that is being written. */
struct sniffer {
    struct ring ring;
    struct outbox outbox;
    struct command command;
    struct line line;
    struct record record;
    uint8_t wire[RECORD_WIRE_MAX];
    struct time64 now;         /* ticks */
    uint32_t status_at;        /* low half of the ticks at which the next STATUS is due */
    uint32_t dropped_reported; /* dropped frames that the host knows of, in text */
    uint32_t marks;            /* marks since power-up */
    bool listening;            /* a host has the line open (DTR) */
    bool echo;                 /* octets of the host are echoed, in text */
    bool binary;               /* records; else text */
    struct record_state state;
};

/* Sets everything to its state at power-up: asleep, channel 11, text, echo on. `reset_cause` is for STATUS. */
void sniffer_start(struct sniffer XDATA *sniffer, uint8_t reset_cause);

/* Takes the machine's tick counter, at least once in 2^31 ticks. In binary framing it sends a STATUS every second. */
void sniffer_tick(struct sniffer XDATA *sniffer, uint32_t ticks);

/* The host opened or closed the line. Closing ends the binary framing and discards what waits; receiving goes on. */
void sniffer_listen(struct sniffer XDATA *sniffer, bool listening);

/* True while there is room for all answers that the next octet may cause. Otherwise octets must wait with the host. */
bool sniffer_takes_input(const struct sniffer XDATA *sniffer);
/* Takes an octet of the host: echoes it, and carries out the command that it ends. */
void sniffer_input(struct sniffer XDATA *sniffer, uint8_t octet);

/* True when a frame waits and there is room for it. */
bool sniffer_forwards(const struct sniffer XDATA *sniffer);

/*
 * Moves one frame from the ring to the outbox, or counts it as discarded where no host listens. False: none was moved.
 */
bool sniffer_forward(struct sniffer XDATA *sniffer);

/* Sends a mark among the frames, numbered: the button was pressed. Counted, not sent, without room or a host. */
void sniffer_mark(struct sniffer XDATA *sniffer);

#endif
