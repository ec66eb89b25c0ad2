#include "crc16.h"

uint16_t crc16(uint16_t crc, const uint8_t XDATA *octets, uint16_t length)
{
    uint8_t low = (uint8_t)(crc & 0xFFu);
    uint8_t high = (uint8_t)(crc >> 8);
    /*
     * Eight bits at once without a table: the fold of the reflected polynomial 0x8408 written out, in halves that an 8051
     * shifts at once.
     */
    for (; length != 0u; length--) {
        uint8_t mixed = (uint8_t)(*octets ^ low);
        mixed = (uint8_t)(mixed ^ (uint8_t)(mixed << 4));
        low = (uint8_t)(high ^ (uint8_t)(mixed << 3) ^ (uint8_t)(mixed >> 4));
        high = (uint8_t)(mixed ^ (mixed >> 5));
        octets++;
    }
    return (uint16_t)(((uint16_t)high << 8) | low);
}
