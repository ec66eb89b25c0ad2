#include "decode.h"

long decode_cobs(const uint8_t *in, size_t length, uint8_t *out)
{
    size_t at = 0u;
    long written = 0;
    while (at < length) {
        const uint8_t code = in[at];
        size_t i;
        if ((code == 0u) || (at + code > length)) {
            return -1;
        }
        for (i = 1u; i < code; i++) {
            if (in[at + i] == 0u) {
                return -1;
            }
            out[written++] = in[at + i];
        }
        at += code;
        if ((code != 0xFFu) && (at < length)) {
            out[written++] = 0u;
        }
    }
    return written;
}

uint16_t decode_crc(uint16_t crc, const uint8_t *octets, size_t length)
{
    size_t at;
    for (at = 0u; at < length; at++) {
        int bit;
        crc = (uint16_t)(crc ^ octets[at]);
        for (bit = 0; bit < 8; bit++) {
            crc = (uint16_t)((crc >> 1) ^ ((crc & 1u) ? 0x8408u : 0u));
        }
    }
    return crc;
}

static uint8_t nibble(char digit)
{
    return (uint8_t)((digit <= '9') ? (digit - '0') : (digit - 'a' + 10));
}

size_t decode_hex(const char *digits, uint8_t *out)
{
    size_t count = 0u;
    while ((digits[0] != '\0') && (digits[1] != '\0')) {
        out[count++] = (uint8_t)((nibble(digits[0]) << 4) | nibble(digits[1]));
        digits += 2;
    }
    return count;
}
