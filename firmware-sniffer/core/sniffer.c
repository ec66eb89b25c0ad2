#include "sniffer.h"

#include "execute.h"
#include "nordic.h"
#include "reply.h"

/* Octets of the outbox kept free of frames, so that a host that reads slowly can still be answered. */
#define REPLY_RESERVE 512u
/* Octets for an echoed octet, the longest reply with its framing, and the 16 records of `energy`. */
#define INPUT_ROOM 480u
/* Octets for a frame as text, and the line `# dropped N` before it. */
#define FRAME_ROOM (LINE_SIZE + 24u)

void sniffer_start(struct sniffer XDATA *sniffer, uint8_t reset_cause)
{
    ring_reset(&sniffer->ring);
    outbox_clear(&sniffer->outbox);
    command_reset(&sniffer->command);
    line_clear(&sniffer->line);
    sniffer->record.length = 0u;
    sniffer->now.high = 0u;
    sniffer->now.low = 0u;
    sniffer->status_at = 0u;
    sniffer->dropped_reported = 0u;
    sniffer->marks = 0u;
    sniffer->listening = false;
    sniffer->echo = true;
    sniffer->binary = false;
    sniffer->state.receiving = 0u;
    sniffer->state.channel = CHANNEL_MIN;
    sniffer->state.reset_cause = reset_cause;
    sniffer->state.discarded = 0u;
    sniffer->state.restarts = 0u;
}

void sniffer_tick(struct sniffer XDATA *sniffer, uint32_t ticks)
{
    uptime_advance(&sniffer->now, ticks);
    if (sniffer->binary && ((ticks - sniffer->status_at) < 0x80000000u) &&
        (outbox_room(&sniffer->outbox) >= REPLY_RESERVE)) {
        reply_status(sniffer);
        sniffer->status_at = ticks + SECOND;
    }
}

void sniffer_listen(struct sniffer XDATA *sniffer, bool listening)
{
    if (listening != sniffer->listening) {
        sniffer->listening = listening;
        sniffer->binary = false;
        /* Hosts of Nordic's older sniffer wait for the echo; newer ones turn it off and leave it so when they close. */
        sniffer->echo = true;
        command_reset(&sniffer->command);
        outbox_clear(&sniffer->outbox);
        if (listening) {
            /* Ends a line that an earlier host left half read. */
            line_clear(&sniffer->line);
            line_end(&sniffer->line);
            (void)outbox_put(&sniffer->outbox, sniffer->line.text, sniffer->line.length);
        }
    }
}

bool sniffer_takes_input(const struct sniffer XDATA *sniffer)
{
    return outbox_room(&sniffer->outbox) >= INPUT_ROOM;
}

static void echo(struct sniffer XDATA *sniffer, uint8_t octet, bool after_cr)
{
    line_clear(&sniffer->line);
    if (octet == (uint8_t)'\r') {
        line_end(&sniffer->line);
    } else if (octet == (uint8_t)'\n') {
        if (!after_cr) {
            line_end(&sniffer->line);
        }
    } else if (command_printable(octet)) {
        line_octet(&sniffer->line, octet);
    } else {
        /* A control character would end up in what the host takes for text; a zero, for the binary framing. */
    }
    (void)outbox_put(&sniffer->outbox, sniffer->line.text, sniffer->line.length);
}

void sniffer_input(struct sniffer XDATA *sniffer, uint8_t octet)
{
    if (sniffer->listening && sniffer->echo && !sniffer->binary) {
        echo(sniffer, octet, sniffer->command.after_cr);
    }
    command_octet(&sniffer->command, octet);
    execute(sniffer);
}

static void forward_text(struct sniffer XDATA *sniffer, const struct frame XDATA *frame,
                         const struct time64 XDATA *time)
{
    if (frame->dropped != sniffer->dropped_reported) {
        sniffer->dropped_reported = frame->dropped;
        reply_begin(sniffer, "dropped");
        reply_number(sniffer, "", frame->dropped);
        reply_send(sniffer, 1u);
    }
    if ((frame->flags & FRAME_FCS_OK) != 0u) {
        line_clear(&sniffer->line);
        nordic_frame(&sniffer->line, frame, time);
        (void)outbox_put(&sniffer->outbox, sniffer->line.text, sniffer->line.length);
    }
}

bool sniffer_forwards(const struct sniffer XDATA *sniffer)
{
    return (ring_oldest(&sniffer->ring) != (const struct frame XDATA *)0) &&
           (!sniffer->listening || (outbox_room(&sniffer->outbox) >= (REPLY_RESERVE + FRAME_ROOM)));
}

bool sniffer_forward(struct sniffer XDATA *sniffer)
{
    const struct frame XDATA *frame;
    struct time64 time;

    if (!sniffer_forwards(sniffer)) {
        return false;
    }
    frame = ring_oldest(&sniffer->ring);
    uptime_extend(&sniffer->now, frame->ticks, &time);
    uptime_scale(&time);
    if (!sniffer->listening) {
        sniffer->state.discarded++;
    } else if (sniffer->binary) {
        const uint16_t length = record_frame(sniffer->wire, frame, &time);
        (void)outbox_put(&sniffer->outbox, sniffer->wire, length);
    } else {
        forward_text(sniffer, frame, &time);
    }
    ring_release(&sniffer->ring);
    return true;
}

void sniffer_mark(struct sniffer XDATA *sniffer)
{
    struct time64 time;

    sniffer->marks++;
    if (sniffer->listening && (outbox_room(&sniffer->outbox) >= REPLY_RESERVE)) {
        reply_time(sniffer, &time);
        if (sniffer->binary) {
            record_mark(&sniffer->record, sniffer->marks, &time);
            reply_record(sniffer);
        } else {
            reply_begin(sniffer, "mark");
            reply_number(sniffer, "", sniffer->marks);
            line_text(&sniffer->line, " time=");
            line_time(&sniffer->line, &time);
            reply_send(sniffer, 1u);
        }
    }
}
