/* The control endpoint: requests of USB 2.0 chapter 9 and of PSTN 1.2, 6.3. */
#ifndef NRF52840_CONTROL_H
#define NRF52840_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

/* A bus reset: no configuration, no open line, no request under way. */
void control_reset(void);

/* A setup packet has come. It ends any request before it. True when it made the data endpoints start afresh. */
bool control_setup(void);

/* A data packet of the request under way has come or gone. */
void control_data_done(void);

/* The host has chosen configuration 1. */
bool control_configured(void);

/* DTR: a program on the host has opened the line. */
bool control_line_open(void);

#endif
