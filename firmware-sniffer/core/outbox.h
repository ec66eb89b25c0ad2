/* Octets on their way to the host. A line or a record goes in whole or not at all. */
#ifndef CORE_OUTBOX_H
#define CORE_OUTBOX_H

#include "port.h"

/* A power of two. */
#ifndef OUTBOX_SIZE
#define OUTBOX_SIZE 2048u
#endif

struct outbox {
    uint16_t first;
    uint16_t count;
    uint8_t octets[OUTBOX_SIZE];
};

void outbox_clear(struct outbox XDATA *outbox);
uint16_t outbox_room(const struct outbox XDATA *outbox);
/* False, and nothing is taken, when there is no room for all of it. */
bool outbox_put(struct outbox XDATA *outbox, const uint8_t XDATA *octets, uint16_t length);
/* Takes up to `most` octets out; returns how many. */
uint16_t outbox_take(struct outbox XDATA *outbox, uint8_t XDATA *out, uint16_t most);

#endif
