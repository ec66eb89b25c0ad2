/* Frames to the host: as TI's sniffer sends them, or as our records (PROTOCOL.md, 4). */
#ifndef CC2531_STREAM_H
#define CC2531_STREAM_H

#include "record.h"

/* A packet of the bulk endpoint. */
#define STREAM_PACKET 64u

void stream_reset(void);

/* Frames go to the host from now on, or no longer; `binary` as records. What waits from before is thrown away. */
void stream_open(bool binary);
void stream_close(void);
/* The next stream_open is of this kind, and the one that is open too. */
void stream_framing(bool binary);
bool stream_is_binary(void);

/* Keeps time; writes a frame, a tick or a status for the host when there is one and room for it. */
void stream_poll(uint8_t channel);

/* Number of octets that can be sent now, at most STREAM_PACKET; and writes so many to the endpoint's FIFO, USBINDEX being the
 * endpoint's. */
uint8_t stream_ready(void);
void stream_take(uint8_t length);

/* Writes a STATUS record. */
void stream_status(uint8_t channel, struct record XDATA *out);

/* Frames dropped since power-up. */
uint32_t stream_dropped(void);

#endif
