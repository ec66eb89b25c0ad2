/* Descriptors of the device (USB 2.0, 9.6). */
#ifndef CC2531_DESCRIPTORS_H
#define CC2531_DESCRIPTORS_H

#include "port.h"

/* The longest: 2 + 2 * 32. */
#define DESCRIPTOR_MAX 80u

/* Writes a descriptor and returns its length, 0 when there is none. */
uint8_t descriptor_find(uint8_t type, uint8_t index, uint8_t XDATA *out);

#endif
