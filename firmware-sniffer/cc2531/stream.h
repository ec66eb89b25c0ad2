/* Frames to the host: as TI's sniffer sends them, or as our records (PROTOCOL.md, 4). */
#ifndef CC2531_STREAM_H
#define CC2531_STREAM_H

#include "outbox.h"
#include "record.h"

extern XDATA struct outbox stream_outbox;

void stream_reset(void);

/* Frames go to the outbox from now on, or no longer; `binary` as records. What waits from before is thrown away. */
void stream_open(bool binary);
void stream_close(void);
/* The next stream_open is of this kind, and the one that is open too. */
void stream_framing(bool binary);
bool stream_is_binary(void);

/* Keeps time; moves a frame, a tick or a status to the outbox when there is one and room for it. */
void stream_poll(uint8_t channel);

/* Writes a STATUS record. */
void stream_status(uint8_t channel, struct record XDATA *out);

/* Frames dropped since power-up. */
uint32_t stream_dropped(void);

#endif
