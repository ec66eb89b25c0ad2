#include "cobs.h"

/* The code of a full block: 254 octets, and no zero behind them. */
#define BLOCK_FULL 0xFFu

uint16_t cobs_encode(const uint8_t XDATA *octets, uint16_t length, uint8_t XDATA *out)
{
    /* Pointers, not indices: an 8051 multiplies nothing and adds little then. */
    uint8_t XDATA *to = out + 1;
    uint8_t XDATA *code_at = out;
    uint8_t code = 1u;

    for (; length != 0u; length--) {
        const uint8_t octet = *octets;
        octets++;
        if (code == BLOCK_FULL) {
            /* A full block says nothing about a zero behind it. */
            *code_at = code;
            code_at = to;
            to++;
            code = 1u;
        }
        if (octet == 0u) {
            *code_at = code;
            code_at = to;
            code = 1u;
        } else {
            *to = octet;
            code++;
        }
        to++;
    }
    *code_at = code;
    return (uint16_t)(to - out);
}
