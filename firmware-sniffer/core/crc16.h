/*
 * The CRC of ITU-T polynomial x^16 + x^12 + x^5 + 1, least significant bit first.
 *
 * From 0 it is the FCS of IEEE 802.15.4-2020, 7.2.11. From 0xFFFF and complemented it is the check of our own records
 * (ISO/IEC 13239, 4.2.5.2), which also notices missing leading zeros.
 */
#ifndef CORE_CRC16_H
#define CORE_CRC16_H

#include "port.h"

/* Start values: of the FCS, and of our records. */
#define CRC16_FCS_START 0x0000u
#define CRC16_RECORD_START 0xFFFFu

/* Returns the CRC `crc` continued over `length` octets. */
uint16_t crc16(uint16_t crc, const uint8_t XDATA *octets, uint16_t length);

#endif
