/* Queue of octets to the host. A line or a record is put in whole or not at all. */
#ifndef CORE_OUTBOX_H
#define CORE_OUTBOX_H

#include "port.h"

/* Capacity in octets, a power of two. */
#ifndef OUTBOX_SIZE
#define OUTBOX_SIZE 2048u
#endif

/* `count` octets from `first` on, wrapping at the end. */
struct outbox {
    uint16_t first;
    uint16_t count;
    uint8_t octets[OUTBOX_SIZE];
};

/* Empties it. */
void outbox_clear(struct outbox XDATA *outbox);
/* Octets that can still be put in. */
uint16_t outbox_room(const struct outbox XDATA *outbox);
/* Appends `length` octets. False, and nothing is appended, when there is no room for all of them. */
bool outbox_put(struct outbox XDATA *outbox, const uint8_t XDATA *octets, uint16_t length);
/* Moves up to `most` octets to `out`, the oldest first; returns their number. */
uint16_t outbox_take(struct outbox XDATA *outbox, uint8_t XDATA *out, uint16_t most);

#endif
