/* Descriptors of the device (USB 2.0, 9.6). */
#ifndef CC2531_DESCRIPTORS_H
#define CC2531_DESCRIPTORS_H

#include "port.h"

/* Octets of a descriptor, at most. The product's string has 2 + 2 * 34 = 70. */
#define DESCRIPTOR_MAX 80u

/*
 * Writes the descriptor of a type and index to `out`, which has DESCRIPTOR_MAX octets; returns its length, 0: there is
 * none.
 */
uint8_t descriptor_find(uint8_t type, uint8_t index, uint8_t XDATA *out);

#endif
