#include "line.h"

/* Decimal digits of 2^64 - 1, and its pieces of 16 bits. */
#define DIGITS_MAX 20u
#define LIMBS 4u

void line_clear(struct line XDATA *line)
{
    line->length = 0u;
}

void line_octet(struct line XDATA *line, uint8_t octet)
{
    if (line->length < LINE_SIZE) {
        line->text[line->length] = octet;
        line->length++;
    }
}

void line_text(struct line XDATA *line, const char *text)
{
    uint16_t at;
    for (at = 0u; text[at] != '\0'; at++) {
        line_octet(line, (uint8_t)text[at]);
    }
}

static uint8_t hex_digit(uint8_t nibble)
{
    return (uint8_t)(nibble + ((nibble < 10u) ? (uint8_t)'0' : (uint8_t)('a' - 10)));
}

void line_hex(struct line XDATA *line, uint8_t octet)
{
    line_octet(line, hex_digit((uint8_t)(octet >> 4)));
    line_octet(line, hex_digit((uint8_t)(octet & 0x0Fu)));
}

void line_time(struct line XDATA *line, const struct time64 XDATA *value)
{
    uint16_t limb[LIMBS];
    uint8_t digits[DIGITS_MAX];
    uint8_t count = 0u;
    uint8_t at;
    uint16_t left;

    limb[0] = (uint16_t)(value->high >> 16);
    limb[1] = (uint16_t)(value->high & 0xFFFFu);
    limb[2] = (uint16_t)(value->low >> 16);
    limb[3] = (uint16_t)(value->low & 0xFFFFu);
    /* Long division by ten, a limb of 16 bits at a time, the last digit first. */
    do {
        uint32_t carry = 0u;
        left = 0u;
        for (at = 0u; at < LIMBS; at++) {
            const uint32_t part = (carry << 16) | limb[at];
            limb[at] = (uint16_t)(part / 10u);
            carry = part % 10u;
            left = (uint16_t)(left | limb[at]);
        }
        digits[count] = (uint8_t)(carry + (uint32_t)'0');
        count++;
    } while ((left != 0u) && (count < DIGITS_MAX));
    while (count > 0u) {
        count--;
        line_octet(line, digits[count]);
    }
}

void line_unsigned(struct line XDATA *line, uint32_t value)
{
    struct time64 wide;
    wide.high = 0u;
    wide.low = value;
    line_time(line, &wide);
}

void line_signed(struct line XDATA *line, int16_t value)
{
    if (value < 0) {
        line_octet(line, (uint8_t)'-');
        line_unsigned(line, (uint32_t)(-(int32_t)value));
    } else {
        line_unsigned(line, (uint32_t)value);
    }
}

void line_end(struct line XDATA *line)
{
    line_octet(line, (uint8_t)'\r');
    line_octet(line, (uint8_t)'\n');
}
