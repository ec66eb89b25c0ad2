#include "nordic.h"

#include "crc16.h"

void nordic_frame(struct line XDATA *line, const struct frame XDATA *frame, const struct time64 XDATA *time)
{
    const uint8_t length = (uint8_t)(frame->air[0] - FRAME_FCS);
    const uint16_t fcs = crc16(CRC16_FCS_START, &frame->air[1], length);
    uint8_t at;

    line_text(line, "received: ");
    for (at = 0u; at < length; at++) {
        line_hex(line, frame->air[1u + at]);
    }
    line_hex(line, (uint8_t)(fcs & 0xFFu));
    line_hex(line, (uint8_t)(fcs >> 8));
    line_text(line, " power: ");
    line_signed(line, frame->rssi);
    line_text(line, " lqi: ");
    line_unsigned(line, frame->lqi);
    line_text(line, " time: ");
    line_time(line, time);
    line_end(line);
}
