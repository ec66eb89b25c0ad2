#include "reply.h"

void reply_time(const struct sniffer XDATA *sniffer, struct time64 XDATA *out)
{
    out->high = sniffer->now.high;
    out->low = sniffer->now.low;
    uptime_scale(out);
}

void reply_record(struct sniffer XDATA *sniffer)
{
    uint16_t length = cobs_encode(sniffer->record.octets, sniffer->record.length, sniffer->wire);
    sniffer->wire[length] = 0u;
    length++;
    (void)outbox_put(&sniffer->outbox, sniffer->wire, length);
}

void reply_zero(struct sniffer XDATA *sniffer)
{
    sniffer->wire[0] = 0u;
    (void)outbox_put(&sniffer->outbox, sniffer->wire, 1u);
}

void reply_begin(struct sniffer XDATA *sniffer, const char *text)
{
    line_clear(&sniffer->line);
    line_text(&sniffer->line, "# ");
    line_text(&sniffer->line, text);
}

void reply_number(struct sniffer XDATA *sniffer, const char *name, uint32_t value)
{
    line_octet(&sniffer->line, (uint8_t)' ');
    line_text(&sniffer->line, name);
    line_unsigned(&sniffer->line, value);
}

void reply_send(struct sniffer XDATA *sniffer, uint8_t ok)
{
    struct line XDATA *line = &sniffer->line;

    if (!sniffer->listening) {
        return;
    }
    if (sniffer->binary) {
        struct time64 time;
        reply_time(sniffer, &time);
        record_reply(&sniffer->record, ok, &line->text[2], (uint16_t)(line->length - 2u), &time);
        reply_record(sniffer);
    } else {
        line_end(line);
        (void)outbox_put(&sniffer->outbox, line->text, line->length);
    }
}

void reply(struct sniffer XDATA *sniffer, const char *text)
{
    reply_begin(sniffer, text);
    reply_send(sniffer, 1u);
}

void reply_error(struct sniffer XDATA *sniffer, const char *text)
{
    reply_begin(sniffer, "error ");
    line_text(&sniffer->line, text);
    reply_send(sniffer, 0u);
}

void reply_status(struct sniffer XDATA *sniffer)
{
    struct ring_counters counters;
    struct time64 time;

    ring_counters(&sniffer->ring, &counters);
    reply_time(sniffer, &time);
    if (sniffer->binary) {
        record_status(&sniffer->record, &sniffer->state, &counters, &time);
        reply_record(sniffer);
    } else {
        reply_begin(sniffer, "status");
        reply_number(sniffer, "receiving=", sniffer->state.receiving);
        reply_number(sniffer, "channel=", sniffer->state.channel);
        reply_number(sniffer, "heard=", counters.heard);
        reply_number(sniffer, "dropped=", counters.dropped);
        reply_number(sniffer, "discarded=", sniffer->state.discarded);
        reply_number(sniffer, "bad-fcs=", counters.bad_fcs);
        reply_number(sniffer, "malformed=", counters.malformed);
        reply_number(sniffer, "restarts=", sniffer->state.restarts);
        reply_number(sniffer, "reset=", sniffer->state.reset_cause);
        line_text(&sniffer->line, " time=");
        line_time(&sniffer->line, &time);
        reply_send(sniffer, 1u);
    }
}
