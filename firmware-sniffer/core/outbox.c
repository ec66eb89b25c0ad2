#include "outbox.h"

void outbox_clear(struct outbox XDATA *outbox)
{
    outbox->first = 0u;
    outbox->count = 0u;
}

uint16_t outbox_room(const struct outbox XDATA *outbox)
{
    return (uint16_t)(OUTBOX_SIZE - outbox->count);
}

bool outbox_put(struct outbox XDATA *outbox, const uint8_t XDATA *octets, uint16_t length)
{
    uint16_t at;

    if (length > outbox_room(outbox)) {
        return false;
    }
    for (at = 0u; at < length; at++) {
        outbox->octets[(uint16_t)(outbox->first + outbox->count) % OUTBOX_SIZE] = octets[at];
        outbox->count++;
    }
    return true;
}

uint16_t outbox_take(struct outbox XDATA *outbox, uint8_t XDATA *out, uint16_t most)
{
    const uint16_t length = (outbox->count < most) ? outbox->count : most;
    uint16_t at;

    for (at = 0u; at < length; at++) {
        out[at] = outbox->octets[outbox->first];
        outbox->first = (uint16_t)((outbox->first + 1u) % OUTBOX_SIZE);
    }
    outbox->count = (uint16_t)(outbox->count - length);
    return length;
}
