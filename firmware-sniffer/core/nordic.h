/* Frames in the serial protocol of Nordic's sniffer (PROTOCOL.md, 2.2). */
#ifndef CORE_NORDIC_H
#define CORE_NORDIC_H

#include "frame.h"
#include "line.h"

/*
 * Appends the frame, whose time is in microseconds. The hexadecimal digits are the whole PSDU with its true FCS, computed
 * again: only frames whose FCS was right may be given.
 */
void nordic_frame(struct line XDATA *line, const struct frame XDATA *frame, const struct time64 XDATA *time);

#endif
