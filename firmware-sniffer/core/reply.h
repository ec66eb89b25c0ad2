/* Messages to the host besides frames, in the framing it asked for. Each needs room in the outbox; see sniffer.h. */
#ifndef CORE_REPLY_H
#define CORE_REPLY_H

#include "sniffer.h"

/* Now, in microseconds since power-up. */
void reply_time(const struct sniffer XDATA *sniffer, struct time64 XDATA *out);

/* Sends `sniffer->record`, stuffed and ended by a zero. */
void reply_record(struct sniffer XDATA *sniffer);

/* A lone zero: it separates earlier octets from the next record. */
void reply_zero(struct sniffer XDATA *sniffer);

/* A reply is begun, added to in `sniffer->line`, and sent. As text it begins with "# ", which no frame does. */
void reply_begin(struct sniffer XDATA *sniffer, const char *text);
void reply_number(struct sniffer XDATA *sniffer, const char *name, uint32_t value);
void reply_send(struct sniffer XDATA *sniffer, uint8_t ok);

/* A reply of one text: the command was carried out, or it was not. */
void reply(struct sniffer XDATA *sniffer, const char *text);
void reply_error(struct sniffer XDATA *sniffer, const char *text);

/* All counters: a STATUS record, or a line. */
void reply_status(struct sniffer XDATA *sniffer);

#endif
