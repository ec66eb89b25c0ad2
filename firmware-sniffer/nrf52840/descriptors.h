/* Descriptors of the device (USB 2.0, 9.6; CDC 1.2, 5; PSTN 1.2, 5.3). */
#ifndef NRF52840_DESCRIPTORS_H
#define NRF52840_DESCRIPTORS_H

#include <stdint.h>

/* Points `data` at the descriptor and returns its octets, 0: there is none. It stays valid until the next call. */
uint32_t descriptor_find(uint32_t type, uint32_t index, const uint8_t **data);

#endif
