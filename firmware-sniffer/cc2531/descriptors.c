#include "descriptors.h"

/* See README.md, USB identity: TI's pair belongs to TI, and is for one's own desk. */
#if defined(USB_ID_TI)
#define VENDOR 0x0451u
#define PRODUCT 0x16AEu
#else
#define VENDOR 0x1209u
#define PRODUCT 0x0002u
#endif

#define LOW(value) ((value)&0xFFu)
#define HIGH(value) ((value) >> 8)

/* Types of descriptors (USB 2.0, table 9-5), and the class of vendors' devices. */
#define TYPE_DEVICE 1u
#define TYPE_CONFIGURATION 2u
#define TYPE_STRING 3u
#define CLASS_VENDOR 0xFFu

static const __code uint8_t device[18] = {
    18u, TYPE_DEVICE, 0x00u, 0x02u, CLASS_VENDOR, 0u, 0u, 32u, LOW(VENDOR), HIGH(VENDOR), LOW(PRODUCT), HIGH(PRODUCT),
    0x10u, 0x00u, /* release 0.1.0 */
    1u, 2u, 0u, 1u,
};

static const __code uint8_t configuration[25] = {
    9u, TYPE_CONFIGURATION, 25u, 0u, 1u, 1u, 0u, 0x80u, 50u, /* from the bus, 100 mA */
    9u, 4u, 0u, 0u, 1u, CLASS_VENDOR, 0u, 0u, 0u,
    7u, 5u, 0x83u, 2u, 64u, 0u, 0u, /* bulk IN */
};

static const __code char manufacturer[] = "RTOscope";
static const __code char product[] = "RTOscope 802.15.4 sniffer (cc2531)";

static uint8_t copy(const __code uint8_t *from, uint8_t length, uint8_t XDATA *out)
{
    uint8_t at;
    for (at = 0u; at < length; at++) {
        out[at] = from[at];
    }
    return length;
}

/* Writes a string descriptor: length and type, then UTF-16. */
static uint8_t string(const __code char *text, uint8_t XDATA *out)
{
    uint8_t at = 2u;
    uint8_t i;
    for (i = 0u; text[i] != '\0'; i++) {
        out[at] = (uint8_t)text[i];
        out[at + 1u] = 0u;
        at = (uint8_t)(at + 2u);
    }
    out[0] = at;
    out[1] = TYPE_STRING;
    return at;
}

uint8_t descriptor_find(uint8_t type, uint8_t index, uint8_t XDATA *out)
{
    uint8_t length = 0u;
    if ((type == TYPE_DEVICE) && (index == 0u)) {
        length = copy(device, sizeof device, out);
    } else if ((type == TYPE_CONFIGURATION) && (index == 0u)) {
        length = copy(configuration, sizeof configuration, out);
    } else if ((type == TYPE_STRING) && (index == 0u)) {
        out[0] = 4u;
        out[1] = TYPE_STRING;
        out[2] = 0x09u;
        out[3] = 0x04u;
        length = 4u;
    } else if ((type == TYPE_STRING) && (index == 1u)) {
        length = string(manufacturer, out);
    } else if ((type == TYPE_STRING) && (index == 2u)) {
        length = string(product, out);
    } else {
        /* none */
    }
    return length;
}
