/* The other end of the encoders, written for the tests: one octet and one bit at a time. */
#ifndef UNIT_DECODE_H
#define UNIT_DECODE_H

#include <stddef.h>
#include <stdint.h>

/* Undoes COBS. Returns the length, or -1 when it is not COBS. */
long decode_cobs(const uint8_t *in, size_t length, uint8_t *out);

/* The CRC of the reflected polynomial 0x8408, bit by bit. */
uint16_t decode_crc(uint16_t crc, const uint8_t *octets, size_t length);

/* Hexadecimal digits to octets; returns how many. */
size_t decode_hex(const char *digits, uint8_t *out);

#endif
