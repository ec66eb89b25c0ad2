#include "descriptors.h"

#include "board.h"
#include "endpoint.h"
#include "regs.h"

/*
 * pid.codes keeps 1209:0001 for tests: good on one's own desk, not for devices that change hands. Nordic's pair, which
 * their host looks for, belongs to Nordic; the build takes it only when asked to (README.md, USB identity).
 */
#if defined(USB_ID_NORDIC)
#define VENDOR 0x1915u
#define PRODUCT 0x154Bu
#else
#define VENDOR 0x1209u
#define PRODUCT 0x0001u
#endif

#define LOW(value) ((uint8_t)((value)&0xFFu))
#define HIGH(value) ((uint8_t)((value) >> 8))

/* Types of descriptors (USB 2.0, table 9-5; 11 of an interface association; 0x24 of CDC), classes, and endpoints */
#define TYPE_DEVICE 1u
#define TYPE_CONFIGURATION 2u
#define TYPE_STRING 3u
#define TYPE_INTERFACE 4u
#define TYPE_ENDPOINT 5u
#define TYPE_ASSOCIATION 11u
#define TYPE_CS_INTERFACE 0x24u
#define CLASS_CDC 2u
#define CLASS_CDC_DATA 10u
#define SUBCLASS_ACM 2u
#define PROTOCOL_NONE 0u
#define BULK 2u
#define INTERRUPT 3u
#define IN 0x80u
/* Indices of strings */
#define STRING_MANUFACTURER 1u
#define STRING_PRODUCT 2u
#define STRING_SERIAL 3u
/* Characters of a string, at most; more are cut off. */
#define STRING_MAX 48u
/* wTotalLength: octets of `configuration`. */
#define CONFIGURATION_LENGTH 75u

static const uint8_t device[18] = {
    18u, TYPE_DEVICE, 0x00u, 0x02u,
    /* class, subclass and protocol of a device with interface associations */
    0xEFu, 0x02u, 0x01u,
    PACKET_MAX, LOW(VENDOR), HIGH(VENDOR), LOW(PRODUCT), HIGH(PRODUCT),
    0x10u, 0x00u, /* release 0.1.0 */
    STRING_MANUFACTURER, STRING_PRODUCT, STRING_SERIAL, 1u,
};

static const uint8_t configuration[CONFIGURATION_LENGTH] = {
    9u, TYPE_CONFIGURATION, CONFIGURATION_LENGTH, 0u, 2u, 1u, 0u, 0x80u, 50u, /* from the bus, 100 mA */
    8u, TYPE_ASSOCIATION, 0u, 2u, CLASS_CDC, SUBCLASS_ACM, PROTOCOL_NONE, 0u,
    9u, TYPE_INTERFACE, 0u, 0u, 1u, CLASS_CDC, SUBCLASS_ACM, PROTOCOL_NONE, 0u,
    5u, TYPE_CS_INTERFACE, 0x00u, 0x10u, 0x01u, /* header: CDC 1.10 */
    5u, TYPE_CS_INTERFACE, 0x01u, 0x00u, 1u,    /* call management: none */
    4u, TYPE_CS_INTERFACE, 0x02u, 0x02u,        /* ACM: line coding and line state */
    5u, TYPE_CS_INTERFACE, 0x06u, 0u, 1u,       /* union of 0 and 1 */
    7u, TYPE_ENDPOINT, EP_NOTIFY | IN, INTERRUPT, 8u, 0u, 255u,
    9u, TYPE_INTERFACE, 1u, 0u, 2u, CLASS_CDC_DATA, 0u, PROTOCOL_NONE, 0u,
    7u, TYPE_ENDPOINT, EP_DATA | IN, BULK, PACKET_MAX, 0u, 0u,
    7u, TYPE_ENDPOINT, EP_DATA, BULK, PACKET_MAX, 0u, 0u,
};

static const uint8_t languages[4] = {4u, TYPE_STRING, 0x09u, 0x04u};

/* The string descriptor that was asked for last: length and type, then UTF-16. */
static uint8_t string[2u + (2u * STRING_MAX)];

static void string_character(char character)
{
    const uint32_t at = string[0];
    if ((at + 2u) <= sizeof string) {
        string[at] = (uint8_t)character;
        string[at + 1u] = 0u;
        string[0] = (uint8_t)(at + 2u);
    }
}

static void string_text(const char *text)
{
    uint32_t i;
    for (i = 0u; text[i] != '\0'; i++) {
        string_character(text[i]);
    }
}

/* Appends eight hex digits. */
static void string_hex(uint32_t value)
{
    static const char digits[] = "0123456789ABCDEF";
    uint32_t shift;
    for (shift = 32u; shift > 0u; shift -= 4u) {
        string_character(digits[(value >> (shift - 4u)) & 0xFu]);
    }
}

/* Builds the string of an index; the serial number is the chip's DEVICEID. */
static uint32_t find_string(uint32_t index, const uint8_t **data)
{
    string[0] = 2u;
    string[1] = TYPE_STRING;
    *data = string;
    switch (index) {
    case 0u:
        *data = languages;
        break;
    case STRING_MANUFACTURER:
        string_text("RTOscope");
        break;
    case STRING_PRODUCT:
        string_text("RTOscope 802.15.4 sniffer (" BOARD_NAME ")");
        break;
    case STRING_SERIAL:
        string_hex(FICR_DEVICEID1);
        string_hex(FICR_DEVICEID0);
        break;
    default:
        return 0u;
    }
    return (*data)[0];
}

uint32_t descriptor_find(uint32_t type, uint32_t index, const uint8_t **data)
{
    uint32_t length = 0u;
    if ((type == TYPE_DEVICE) && (index == 0u)) {
        *data = device;
        length = sizeof device;
    } else if ((type == TYPE_CONFIGURATION) && (index == 0u)) {
        *data = configuration;
        length = sizeof configuration;
    } else if (type == TYPE_STRING) {
        length = find_string(index, data);
    } else {
        /* a full-speed device has no other */
    }
    return length;
}
