/* Requests of type vendor: those of TI's sniffer, and ours (PROTOCOL.md, 4.1). */
#ifndef CC2531_VENDOR_H
#define CC2531_VENDOR_H

#include "port.h"

#define VENDOR_REPLY_MAX 64u
#define VENDOR_UNKNOWN 0xFFu

void vendor_reset(void);
uint8_t vendor_channel(void);
bool vendor_receiving(void);

/* Writes the answer of a request that asks, and returns its length, or VENDOR_UNKNOWN. */
uint8_t vendor_in(uint8_t request, uint8_t index, uint8_t XDATA *reply);

/* Octets of data that a request that tells must have: 0, 1, or VENDOR_UNKNOWN. */
uint8_t vendor_out_length(uint8_t request);

/* Carries out a request that tells. False when it cannot be done. */
bool vendor_out(uint8_t request, uint8_t value, uint8_t index, uint8_t data);

#endif
