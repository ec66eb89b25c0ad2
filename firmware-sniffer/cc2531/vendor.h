/* Requests of type vendor: those of TI's sniffer, and our own (PROTOCOL.md, 4.1). */
#ifndef CC2531_VENDOR_H
#define CC2531_VENDOR_H

#include "port.h"

/* Octets of an answer, at most; and the value for a request that is refused. */
#define VENDOR_REPLY_MAX 64u
#define VENDOR_UNKNOWN 0xFFu

/* State after a bus reset: power off, channel 11, not receiving, TI's framing. */
void vendor_reset(void);
/* The chosen channel, 11..26, and whether frames are received on it. */
uint8_t vendor_channel(void);
bool vendor_receiving(void);

/* Writes the answer of an IN request to `reply`; returns its octets, or VENDOR_UNKNOWN. `index` is wIndex. */
uint8_t vendor_in(uint8_t request, uint8_t index, uint8_t XDATA *reply);

/* Octets of data that an OUT request must have: 0 or 1; VENDOR_UNKNOWN when there is no such request. */
uint8_t vendor_out_length(uint8_t request);

/*
 * Carries out an OUT request with the low octets of wValue and wIndex, and its octet of data. False when it is refused.
 */
bool vendor_out(uint8_t request, uint8_t value, uint8_t index, uint8_t data);

#endif
