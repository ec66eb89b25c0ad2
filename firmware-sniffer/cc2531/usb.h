/* The USB controller: endpoint 0 and the bulk endpoint that carries the stream. All of it runs in the main loop. */
#ifndef CC2531_USB_H
#define CC2531_USB_H

#include "port.h"

/* Switches the controller on and attaches to the bus. */
void usb_start(void);

/*
 * To be called in each turn of the main loop: answers requests, and hands waiting octets of the stream to the
 * controller.
 */
void usb_poll(void);

#endif
