/* The USB controller: endpoint 0 and the bulk endpoint that carries the stream. All of it runs in the main loop. */
#ifndef CC2531_USB_H
#define CC2531_USB_H

#include "port.h"

/* Switches the controller on and lets the host see us. */
void usb_start(void);

/* Answers requests; hands over what waits in the stream's outbox. */
void usb_poll(void);

#endif
