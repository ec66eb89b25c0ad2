/*
 * The USB device: one CDC-ACM serial line (USB CDC 1.2, PSTN 1.2) between the host and the sniffer.
 *
 * All of it runs in the main loop; the interrupt only wakes it. The controller holds what the host sent until it is
 * fetched, and tells the host to wait (NAK), so nothing is lost while the main loop is elsewhere.
 */
#ifndef NRF52840_USB_H
#define NRF52840_USB_H

#include <stdbool.h>

#include "sniffer.h"

/* Binds the line to a sniffer, which must be started. */
void usb_start(struct sniffer *sniffer);

/* To be called every tick: attaches when there is a bus, detaches when it is gone. */
void usb_supply(void);

/* To be called in each turn of the main loop: answers the host, and gives its octets to the sniffer. */
void usb_poll(void);

/* Hands the next packet of the sniffer's outbox to the controller, if that is free. */
void usb_transmit(void);

/* Whether usb_poll would have something to do. */
bool usb_waits(void);

/* Interrupt of USBD: wakes the main loop, and masks itself until the events are handled. */
void usb_isr(void);

#endif
