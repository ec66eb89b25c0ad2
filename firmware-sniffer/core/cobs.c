#include "cobs.h"

#define BLOCK_FULL 0xFFu

uint16_t cobs_encode(const uint8_t XDATA *octets, uint16_t length, uint8_t XDATA *out)
{
    uint16_t code_at = 0u;
    uint16_t written = 1u;
    uint8_t code = 1u;
    uint16_t at;

    for (at = 0u; at < length; at++) {
        if (code == BLOCK_FULL) {
            /* A full block says nothing about a zero behind it. */
            out[code_at] = code;
            code_at = written;
            written++;
            code = 1u;
        }
        if (octets[at] == 0u) {
            out[code_at] = code;
            code_at = written;
            written++;
            code = 1u;
        } else {
            out[written] = octets[at];
            written++;
            code++;
        }
    }
    out[code_at] = code;
    return written;
}
