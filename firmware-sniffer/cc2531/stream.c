#include "stream.h"

#include "cobs.h"
#include "radio.h"
#include "regs.h"
#include "uptime.h"

/* Types of TI's messages: a type, the length of the rest in two octets, then the rest (PROTOCOL.md, 4.2). */
#define TI_FRAME 0u
#define TI_TICK 1u
/* Octets of a frame's message before its PSDU: the stamp and the PHR. */
#define TI_FRAME_HEAD 5u
/* TI's tick comes each 2^26 ticks of the clock (2.1 s) and carries its top six bits. */
#define TI_TICK_SHIFT 26u
/* Ticks within which a frame is complete after its SFD, 6 ms: 127 octets take 4.1 ms; the rest is for the interrupt. */
#define LONGEST_FRAME (6000uL << TICK_SHIFT)
/* Ticks of a second: the time between two STATUS records. */
#define SECOND (1000000uL << TICK_SHIFT)
/*
 * Calls of stream_poll between two readings of the clock while frames wait. Chosen here by judgement: reading takes
 * time that waiting frames need, and the clock only has to be read once in the 134 s in which it wraps, and for the
 * STATUS of each second.
 */
#define TURNS 32u
/* Octets that may wait: three packets, and a record, the largest message that is written at once. */
#define WAITING_MAX (3u * STREAM_PACKET + RECORD_WIRE_MAX)

/*
 * Octets that wait for the host, in one piece from `first` up to `end`. When all have been sent, writing starts at the
 * beginning again. Frames wait in the ring while a host does not read, not here.
 */
static XDATA uint8_t waiting[WAITING_MAX];
static uint8_t XDATA *XDATA first;
static uint8_t XDATA *XDATA end;
static XDATA struct time64 now;
static XDATA struct record record;
static XDATA uint32_t status_at;
static XDATA uint32_t discarded;
static XDATA uint8_t ticked;
static XDATA uint8_t turn;
static XDATA bool open;
static XDATA bool binary;

/* Throws away the octets that wait. */
static void forget(void)
{
    first = waiting;
    end = waiting;
}

/* Whether the longest record fits. */
static bool has_room(void)
{
    return (uint16_t)(end - waiting) <= (WAITING_MAX - RECORD_WIRE_MAX);
}

uint8_t stream_ready(void)
{
    const uint16_t length = (uint16_t)(end - first);
    if (length >= STREAM_PACKET) {
        return STREAM_PACKET;
    }
    /* Packets are filled while frames wait that can follow at once. */
    if (open && has_room() && (ring_oldest(&radio_ring) != (const struct frame XDATA *)0)) {
        return 0u;
    }
    return (uint8_t)length;
}

void stream_take(uint8_t length)
{
    FAST uint8_t left;
    const uint8_t XDATA *from = first;

    for (left = length; left != 0u; left--) {
        USBF3 = *from;
        from++;
    }
    first = (uint8_t XDATA *)from;
    if (first == end) {
        forget();
    }
}

void stream_reset(void)
{
    now.high = 0u;
    now.low = 0u;
    discarded = 0u;
    open = false;
    binary = false;
    forget();
}

void stream_open(bool as_binary)
{
    forget();
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
        forget();
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

    uptime_advance(&now, radio_now());
    ring_counters(&radio_ring, &counters);
    state.receiving = open ? 1u : 0u;
    state.channel = channel;
    /* SLEEPSTA.RST: 0 power, 1 pin, 2 watchdog. */
    state.reset_cause = (uint8_t)((SLEEPSTA >> 3) & 3u);
    state.discarded = discarded;
    state.restarts = radio_overflows;
    time.high = now.high;
    time.low = now.low;
    uptime_scale(&time);
    record_status(out, &state, &counters, &time);
}

static void send_status(uint8_t channel)
{
    stream_status(channel, &record);
    end += cobs_encode(record.octets, record.length, end);
    *end = 0u;
    end++;
}

static void send_tick(void)
{
    ticked = (uint8_t)((ticked + 1u) & 0x3Fu);
    end[0] = TI_TICK;
    end[1] = 1u;
    end[2] = 0u;
    end[3] = (uint8_t)(ticked << 2);
    end += 4;
}

static void send_frame(const struct frame XDATA *frame)
{
    const uint32_t ticks = frame->ticks;
    uint8_t XDATA *to = end;
    const uint8_t XDATA *from = frame->air;
    uint8_t left = *from;

    to[0] = TI_FRAME;
    to[1] = (uint8_t)(left + TI_FRAME_HEAD);
    to[2] = 0u;
    to[3] = (uint8_t)(ticks & 0xFFu);
    to[4] = (uint8_t)((ticks >> 8) & 0xFFu);
    to[5] = (uint8_t)((ticks >> 16) & 0xFFu);
    to[6] = (uint8_t)(ticks >> 24);
    to += 7;
    /* The PHR and the PSDU with what the radio puts in place of the FCS: just as TI's hosts expect it. */
    for (left++; left != 0u; left--) {
        *to = *from;
        to++;
        from++;
    }
    end = to;
}

/* Whether a tick is due before a stamp, or before the present: its period is later than that of the last tick. */
static bool tick_due(uint32_t ticks)
{
    return ((uint8_t)(ticks >> TI_TICK_SHIFT) != ticked) &&
           ((uint8_t)(((uint8_t)(ticks >> TI_TICK_SHIFT) - ticked) & 0x3Fu) < 32u);
}

void stream_poll(uint8_t channel)
{
    static XDATA struct time64 time;
    const struct frame XDATA *frame;

    frame = ring_oldest(&radio_ring);
    turn++;
    if (((turn % TURNS) == 0u) || (frame == (const struct frame XDATA *)0)) {
        uptime_advance(&now, radio_now());
    }
    if (!open) {
        if (frame != (const struct frame XDATA *)0) {
            discarded++;
            ring_release(&radio_ring);
        }
    } else if (!has_room()) {
        /* the host is slow; frames wait */
    } else if (binary && ((now.low - status_at) < 0x80000000uL)) {
        status_at = now.low + SECOND;
        send_status(channel);
    } else if (frame != (const struct frame XDATA *)0) {
        if (binary) {
            uptime_extend(&now, frame->ticks, &time);
            uptime_scale(&time);
            end += record_frame(end, frame, &time);
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
