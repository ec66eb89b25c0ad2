#include "crc16.h"

uint16_t crc16(uint16_t crc, const uint8_t XDATA *octets, uint16_t length)
{
    uint16_t at;
    /* Eight bits at once without a table: the fold of the reflected polynomial 0x8408 written out. */
    for (at = 0u; at < length; at++) {
        uint8_t mixed = (uint8_t)(octets[at] ^ (uint8_t)(crc & 0xFFu));
        mixed = (uint8_t)(mixed ^ (uint8_t)(mixed << 4));
        crc = (uint16_t)((crc >> 8) ^ ((uint16_t)mixed << 8) ^ ((uint16_t)mixed << 3) ^ ((uint16_t)mixed >> 4));
    }
    return crc;
}
