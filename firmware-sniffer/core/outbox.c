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

/* Copies a run that does not wrap: on an 8051 an index and a remainder in each step are slow. */
static void copy(uint8_t XDATA *to, const uint8_t XDATA *from, uint16_t length)
{
    for (; length != 0u; length--) {
        *to = *from;
        to++;
        from++;
    }
}

bool outbox_put(struct outbox XDATA *outbox, const uint8_t XDATA *octets, uint16_t length)
{
    uint16_t at;
    uint16_t run;

    if (length > outbox_room(outbox)) {
        return false;
    }
    at = (uint16_t)((uint16_t)(outbox->first + outbox->count) % OUTBOX_SIZE);
    run = (uint16_t)(OUTBOX_SIZE - at);
    if (run > length) {
        run = length;
    }
    copy(&outbox->octets[at], octets, run);
    copy(outbox->octets, octets + run, (uint16_t)(length - run));
    outbox->count = (uint16_t)(outbox->count + length);
    return true;
}

uint16_t outbox_take(struct outbox XDATA *outbox, uint8_t XDATA *out, uint16_t most)
{
    const uint16_t length = (outbox->count < most) ? outbox->count : most;
    uint16_t run = (uint16_t)(OUTBOX_SIZE - outbox->first);

    if (run > length) {
        run = length;
    }
    copy(out, &outbox->octets[outbox->first], run);
    copy(out + run, outbox->octets, (uint16_t)(length - run));
    outbox->first = (uint16_t)((outbox->first + length) % OUTBOX_SIZE);
    outbox->count = (uint16_t)(outbox->count - length);
    return length;
}
