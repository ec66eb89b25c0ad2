/* Messages to the host besides frames, in the framing it asked for. Each needs room in the outbox; see sniffer.h. */
#ifndef CORE_REPLY_H
#define CORE_REPLY_H

#include "sniffer.h"

/* The time now, in microseconds since power-up. */
void reply_time(const struct sniffer XDATA *sniffer, struct time64 XDATA *out);

/* Puts `sniffer->record` into the outbox, stuffed and ended by a zero. */
void reply_record(struct sniffer XDATA *sniffer);

/* Puts a zero into the outbox: it separates earlier octets from the next record. */
void reply_zero(struct sniffer XDATA *sniffer);

/*
 * Begins a reply in `sniffer->line`, adds a name with a number, and sends it, where a host listens. As text it begins
 * with "# ", which no frame does; `ok` is 1 when the command was carried out, else 0.
 */
void reply_begin(struct sniffer XDATA *sniffer, const char *text);
void reply_number(struct sniffer XDATA *sniffer, const char *name, uint32_t value);
void reply_send(struct sniffer XDATA *sniffer, uint8_t ok);

/* Sends a reply of one text: the command was carried out, or it was not, for the reason given. */
void reply(struct sniffer XDATA *sniffer, const char *text);
void reply_error(struct sniffer XDATA *sniffer, const char *text);

/* Sends all counters: a STATUS record, or a line. */
void reply_status(struct sniffer XDATA *sniffer);

#endif
