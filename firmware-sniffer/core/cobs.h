/*
 * Consistent overhead byte stuffing (Cheshire and Baker, IEEE/ACM Transactions on Networking 7(2), 1999): octets without
 * a zero among them, so that a zero can end a record and a reader can start anywhere.
 */
#ifndef CORE_COBS_H
#define CORE_COBS_H

#include "port.h"

/* The most octets that `length` octets become, without the zero that ends a record. */
#define COBS_MAX(length) ((length) + ((length) / 254u) + 1u)

/*
 * Stuffs `length` octets into `out`, which has room for COBS_MAX(length). Returns the octets written, without the zero.
 */
uint16_t cobs_encode(const uint8_t XDATA *octets, uint16_t length, uint8_t XDATA *out);

#endif
