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

/* The version of the binary framing, as in `framing binary 1`. */
#define FRAMING_VERSION 1u
#define SECOND (1000000u << TICK_SHIFT)

struct sniffer {
    struct ring ring;
    struct outbox outbox;
    struct command command;
    struct line line;
    struct record record;
    uint8_t wire[RECORD_WIRE_MAX];
    struct time64 now; /* ticks */
    uint32_t status_at; /* low half of the ticks at which the next STATUS is due */
    uint32_t dropped_reported;
    uint32_t marks;
    bool listening; /* a host has the line open (DTR) */
    bool echo;
    bool binary;
    struct record_state state;
};

void sniffer_start(struct sniffer XDATA *sniffer, uint8_t reset_cause);

/* The machine's tick counter, at least once in 2^31 ticks. In binary framing a STATUS goes out every second. */
void sniffer_tick(struct sniffer XDATA *sniffer, uint32_t ticks);

/* The host opened or closed the line. Closing ends the binary framing and discards what waits; receiving goes on. */
void sniffer_listen(struct sniffer XDATA *sniffer, bool listening);

/* True while there is room for all that the next octet may cause. Otherwise leave octets with the host. */
bool sniffer_takes_input(const struct sniffer XDATA *sniffer);
void sniffer_input(struct sniffer XDATA *sniffer, uint8_t octet);

/* True when a frame waits and there is room for it. */
bool sniffer_forwards(const struct sniffer XDATA *sniffer);

/* Moves one frame from the ring to the outbox. False when there was none or it found no room. */
bool sniffer_forward(struct sniffer XDATA *sniffer);

/* The button was pressed: a mark among the frames. */
void sniffer_mark(struct sniffer XDATA *sniffer);

#endif
