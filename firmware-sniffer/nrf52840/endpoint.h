/* Packets between memory and the controller's endpoints, and the state of these. */
#ifndef NRF52840_ENDPOINT_H
#define NRF52840_ENDPOINT_H

#include <stdbool.h>
#include <stdint.h>

/* Octets of a packet of a control or bulk endpoint, at most (full speed; USB 2.0, 5.5.3 and 5.8.3). */
#define PACKET_MAX 64u
/* Numbers of the endpoints: control, interrupt IN (nothing is ever sent on it), and bulk IN and OUT. */
#define EP_CONTROL 0u
#define EP_NOTIFY 1u
#define EP_DATA 2u

/* Hands a packet of 0..PACKET_MAX octets in RAM to an IN endpoint, and waits for the transfer. */
void endpoint_send(uint32_t endpoint, const uint8_t *packet, uint32_t length);

/*
 * Fetches the packet of an OUT endpoint to RAM, PACKET_MAX octets at most; the endpoint then takes the next. Returns
 * its octets.
 */
uint32_t endpoint_fetch(uint32_t endpoint, uint8_t *packet);

/* Closes all endpoints but the control endpoint: after a bus reset, and in configuration 0. */
void endpoint_close_all(void);

/* Opens all endpoints, from DATA0, not halted: in configuration 1. */
void endpoint_open_all(void);

/*
 * `address`, below: an endpoint as setup packets name it, number and bit 7 for IN. True when there is such an endpoint.
 */
bool endpoint_exists(uint32_t address);
/* Reads and sets the halt of an endpoint; without one it is false, and nothing is set. Its end starts from DATA0. */
bool endpoint_halted(uint32_t address);
void endpoint_halt(uint32_t address, bool halt);

#endif
