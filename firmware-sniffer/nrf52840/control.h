/* The control endpoint: requests of USB 2.0 chapter 9 and of PSTN 1.2, 6.3. */
#ifndef NRF52840_CONTROL_H
#define NRF52840_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

/* State after a bus reset: no configuration, no open line, no request under way. */
void control_reset(void);

/* Handles a setup packet, which ends any request before it. True when it made the data endpoints start afresh. */
bool control_setup(void);

/* Goes on with the request under way: a data packet of it has come or gone. */
void control_data_done(void);

/* True while the host has chosen configuration 1. */
bool control_configured(void);

/* True while DTR is set: a program on the host has opened the line. */
bool control_line_open(void);

#endif
