/* Frames to the host: as TI's sniffer sends them, or as our records (PROTOCOL.md, 4). */
#ifndef CC2531_STREAM_H
#define CC2531_STREAM_H

#include "record.h"

/* Octets of a packet of the bulk endpoint, at most. */
#define STREAM_PACKET 64u

/* Sets the stream to its state at power-up: closed, TI's framing. */
void stream_reset(void);

/* Opens the stream: frames go to the host, as records when `binary`. Octets that wait from before are thrown away. */
void stream_open(bool binary);
/* Closes it: frames are counted as discarded. */
void stream_close(void);
/* Sets the framing of the stream, also of one that is open; octets that wait in the other framing are thrown away. */
void stream_framing(bool binary);
bool stream_is_binary(void);

/*
 * To be called in each turn of the main loop: keeps time, and writes a frame, a tick or a STATUS where there is room.
 */
void stream_poll(uint8_t channel);

/* Octets that can be sent now, at most STREAM_PACKET; 0 also while frames wait that may still fill the packet. */
uint8_t stream_ready(void);
/* Writes that many waiting octets to the FIFO of the bulk endpoint, which USBINDEX must select. */
void stream_take(uint8_t length);

/* Writes a STATUS record to `out`. */
void stream_status(uint8_t channel, struct record XDATA *out);

/* Frames dropped since power-up. */
uint32_t stream_dropped(void);

#endif
