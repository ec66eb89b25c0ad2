/* Data between memory and the controller's endpoints, and which of them are open. */
#ifndef NRF52840_ENDPOINT_H
#define NRF52840_ENDPOINT_H

#include <stdbool.h>
#include <stdint.h>

/* Full speed: the largest packet of a control or bulk endpoint. */
#define PACKET_MAX 64u
#define EP_CONTROL 0u
#define EP_NOTIFY 1u
#define EP_DATA 2u

/* Hands a packet of 0..64 octets in RAM to an IN endpoint. */
void endpoint_send(uint32_t endpoint, const uint8_t *packet, uint32_t length);

/* Fetches the packet an OUT endpoint holds, which may then hold the next. Returns its length. */
uint32_t endpoint_fetch(uint32_t endpoint, uint8_t *packet);

/* After a bus reset, and when the host chooses configuration 0: only the control endpoint is open. */
void endpoint_close_all(void);

/* Configuration 1: all endpoints open, from DATA0, not halted. */
void endpoint_open_all(void);

/* An endpoint as a setup packet names it: number, bit 7 for IN. False when there is none of that name. */
bool endpoint_exists(uint32_t address);
bool endpoint_halted(uint32_t address);
void endpoint_halt(uint32_t address, bool halt);

#endif
