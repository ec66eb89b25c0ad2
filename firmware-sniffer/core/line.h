/* A line of text that is being written. Text beyond LINE_SIZE is cut off; no caller writes so much. */
#ifndef CORE_LINE_H
#define CORE_LINE_H

#include "uptime.h"

/*
 * Octets of a line, at most. The longest is a frame of 127 octets as text: 10 + 254 + 8 + 4 + 6 + 3 + 7 + 20 + 2 = 314.
 */
#define LINE_SIZE 320u

struct line {
    uint16_t length;
    uint8_t text[LINE_SIZE];
};

/* Each function below appends to the line: an octet, a text that ends with 0, two hex digits, decimal numbers. */
void line_clear(struct line XDATA *line);
void line_octet(struct line XDATA *line, uint8_t octet);
void line_text(struct line XDATA *line, const char *text);
void line_hex(struct line XDATA *line, uint8_t octet);
void line_unsigned(struct line XDATA *line, uint32_t value);
void line_signed(struct line XDATA *line, int16_t value);
void line_time(struct line XDATA *line, const struct time64 XDATA *value);
/* Appends CR LF. */
void line_end(struct line XDATA *line);

#endif
