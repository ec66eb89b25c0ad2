#include "stream.h"

#include "cobs.h"
#include "radio.h"
#include "regs.h"
#include "uptime.h"

/* TI's messages: a type, the length of what follows in two octets, then that. */
#define TI_FRAME 0u
#define TI_TICK 1u
/* The stamp and the PHR of a frame. */
#define TI_FRAME_HEAD 5u
/* A tick comes each 2^26 ticks of the clock and says its top six bits. */
#define TI_TICK_SHIFT 26u
/* A frame that began before the clock's tick is complete this much later at the latest: 127 octets and then some. */
#define LONGEST_FRAME (6000uL << TICK_SHIFT)
#define SECOND (1000000uL << TICK_SHIFT)
/* The largest thing that goes into the outbox at once. */
#define ROOM (COBS_MAX(RECORD_MAX) + 1u)

XDATA struct outbox stream_outbox;

static XDATA struct time64 now;
static XDATA struct record record;
static XDATA uint8_t wire[ROOM];
static XDATA uint32_t status_at;
static XDATA uint32_t discarded;
static XDATA uint8_t ticked;
static XDATA bool open;
static XDATA bool binary;

void stream_reset(void)
{
    now.high = 0u;
    now.low = 0u;
    discarded = 0u;
    open = false;
    binary = false;
    outbox_clear(&stream_outbox);
}

void stream_open(bool as_binary)
{
    outbox_clear(&stream_outbox);
    open = true;
    binary = as_binary;
    uptime_advance(&now, radio_now());
    ticked = (uint8_t)(now.low >> TI_TICK_SHIFT);
    status_at = now.low;
}

void stream_close(void)
{
    open = false;
}

void stream_framing(bool as_binary)
{
    if (as_binary != binary) {
        binary = as_binary;
        /* Half a message of one kind must not run into the other. */
        outbox_clear(&stream_outbox);
        status_at = now.low;
    }
}

bool stream_is_binary(void)
{
    return binary;
}

uint32_t stream_dropped(void)
{
    static XDATA struct ring_counters counters;
    ring_counters(&radio_ring, &counters);
    return counters.dropped;
}

void stream_status(uint8_t channel, struct record XDATA *out)
{
    static XDATA struct ring_counters counters;
    static XDATA struct record_state state;
    static XDATA struct time64 time;

    ring_counters(&radio_ring, &counters);
    state.receiving = open ? 1u : 0u;
    state.channel = channel;
    /* SLEEPSTA.RST: 0 power, 1 pin, 2 watchdog. */
    state.reset_cause = (uint8_t)((SLEEPSTA >> 3) & 3u);
    state.discarded = discarded;
    state.restarts = radio_overflows;
    time.high = now.high;
    time.low = now.low;
    uptime_scale(&time, TICK_SHIFT);
    record_status(out, &state, &counters, &time);
}

static void send_record(void)
{
    const uint16_t length = cobs_encode(record.octets, record.length, wire);
    wire[length] = 0u;
    (void)outbox_put(&stream_outbox, wire, (uint16_t)(length + 1u));
}

static void send_tick(void)
{
    ticked = (uint8_t)((ticked + 1u) & 0x3Fu);
    wire[0] = TI_TICK;
    wire[1] = 1u;
    wire[2] = 0u;
    wire[3] = (uint8_t)(ticked << 2);
    (void)outbox_put(&stream_outbox, wire, 4u);
}

static void send_frame(const struct frame XDATA *frame)
{
    const uint8_t length = frame->air[0];
    wire[0] = TI_FRAME;
    wire[1] = (uint8_t)(length + TI_FRAME_HEAD);
    wire[2] = 0u;
    wire[3] = (uint8_t)(frame->ticks & 0xFFu);
    wire[4] = (uint8_t)((frame->ticks >> 8) & 0xFFu);
    wire[5] = (uint8_t)((frame->ticks >> 16) & 0xFFu);
    wire[6] = (uint8_t)(frame->ticks >> 24);
    (void)outbox_put(&stream_outbox, wire, 7u);
    /* The PHR and the PSDU with what the radio puts in place of the FCS: just as TI's hosts expect it. */
    (void)outbox_put(&stream_outbox, frame->air, (uint16_t)(length + 1u));
}

/* The tick that the stamp or the present is in; ticks up to there are due before it. */
static bool tick_due(uint32_t ticks)
{
    return ((uint8_t)(ticks >> TI_TICK_SHIFT) != ticked) &&
           ((uint8_t)(((uint8_t)(ticks >> TI_TICK_SHIFT) - ticked) & 0x3Fu) < 32u);
}

void stream_poll(uint8_t channel)
{
    static XDATA struct time64 time;
    const struct frame XDATA *frame;

    uptime_advance(&now, radio_now());
    frame = ring_oldest(&radio_ring);
    if (!open) {
        if (frame != (const struct frame XDATA *)0) {
            discarded++;
            ring_release(&radio_ring);
        }
    } else if (outbox_room(&stream_outbox) < ROOM) {
        /* the host is slow; frames wait */
    } else if (binary && ((now.low - status_at) < 0x80000000uL)) {
        status_at = now.low + SECOND;
        stream_status(channel, &record);
        send_record();
    } else if (frame != (const struct frame XDATA *)0) {
        if (binary) {
            uptime_extend(&now, frame->ticks, &time);
            uptime_scale(&time, TICK_SHIFT);
            record_frame(&record, frame, &time);
            send_record();
            ring_release(&radio_ring);
        } else if (tick_due(frame->ticks)) {
            send_tick();
        } else {
            send_frame(frame);
            ring_release(&radio_ring);
        }
    } else if (!binary && tick_due(now.low - LONGEST_FRAME)) {
        send_tick();
    } else {
        /* nothing to say */
    }
}
