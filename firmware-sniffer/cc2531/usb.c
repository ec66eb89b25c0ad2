#include "usb.h"

#include "descriptors.h"
#include "regs.h"
#include "stream.h"
#include "vendor.h"

/* Octets of a packet of the control endpoint, and the number of the bulk endpoint (address 0x83). */
#define CONTROL_PACKET 32u
#define BULK_ENDPOINT 3u

/* bmRequestType, USB 2.0 table 9-2 */
#define TYPE_IN 0x80u
#define TYPE_MASK 0x7Fu
#define TYPE_DEVICE 0x00u
#define TYPE_INTERFACE 0x01u
#define TYPE_ENDPOINT 0x02u
#define TYPE_VENDOR 0x40u

/* bRequest, USB 2.0 table 9-4 */
#define GET_STATUS 0u
#define CLEAR_FEATURE 1u
#define SET_ADDRESS 5u
#define GET_DESCRIPTOR 6u
#define GET_CONFIGURATION 8u
#define SET_CONFIGURATION 9u
#define GET_INTERFACE 10u
#define SET_INTERFACE 11u

/* Data stage of the request under way: none, to the host, from the host */
#define STAGE_IDLE 0u
#define STAGE_IN 1u
#define STAGE_OUT 2u

static XDATA uint8_t stage;
/*
 * The setup packet; reply: its octets, the position of the next, the number left, and whether a short packet ends it.
 */
static XDATA uint8_t setup[8];
static XDATA uint8_t reply[DESCRIPTOR_MAX];
static XDATA uint8_t reply_at;
static XDATA uint8_t reply_left;
static XDATA bool reply_short;
static XDATA bool configured;
static XDATA bool bulk_full;

/* Opens the bulk endpoint, empty, from DATA0. */
static void bulk_open(void)
{
    USBINDEX = BULK_ENDPOINT;
    USBMAXI = STREAM_PACKET / 8u;
    USBCSIL = USBCSIL_CLR_DATA_TOG | USBCSIL_FLUSH;
    USBCSIH = USBCSIH_IN_DOUBLE;
    bulk_full = false;
}

/* State after a bus reset: no configuration, no request, no reception. */
static void forget(void)
{
    stage = STAGE_IDLE;
    configured = false;
    vendor_reset();
}

void usb_start(void)
{
    forget();
    USBCTRL = USBCTRL_USB_EN;
    USBCTRL = USBCTRL_USB_EN | USBCTRL_PLL_EN;
    while ((USBCTRL & USBCTRL_PLL_LOCKED) == 0u) {
        /* if it never locks, the watchdog says so */
    }
    P1DIR = (uint8_t)(P1DIR | P1_USB_PULLUP);
    P1 = (uint8_t)(P1 | P1_USB_PULLUP);
}

/* USBINDEX is 0. */
static void stall(void)
{
    USBCS0 = USBCS0_CLR_OUTPKT_RDY | USBCS0_SEND_STALL;
    stage = STAGE_IDLE;
}

static void done(void)
{
    USBCS0 = USBCS0_CLR_OUTPKT_RDY | USBCS0_DATA_END;
    stage = STAGE_IDLE;
}

static void send_next(void)
{
    uint8_t length = reply_left;
    uint8_t i;

    if (length > CONTROL_PACKET) {
        length = CONTROL_PACKET;
    }
    for (i = 0u; i < length; i++) {
        USBF0 = reply[reply_at];
        reply_at++;
    }
    reply_left = (uint8_t)(reply_left - length);
    if ((reply_left == 0u) && ((length < CONTROL_PACKET) || !reply_short)) {
        USBCS0 = USBCS0_INPKT_RDY | USBCS0_DATA_END;
        stage = STAGE_IDLE;
    } else {
        USBCS0 = USBCS0_INPKT_RDY;
    }
}

/* Answers with `length` octets of `reply`, at most as many as the host asked for in setup[6..7]. */
static void send(uint8_t length)
{
    const uint16_t asked = (uint16_t)(((uint16_t)setup[7] << 8) | setup[6]);

    reply_short = length < asked;
    if (length > asked) {
        length = (uint8_t)asked;
    }
    reply_at = 0u;
    reply_left = length;
    if (asked == 0u) {
        done();
    } else {
        USBCS0 = USBCS0_CLR_OUTPKT_RDY;
        stage = STAGE_IN;
        send_next();
    }
}

static void standard_in(void)
{
    uint8_t length = 0u;
    reply[0] = 0u;
    reply[1] = 0u;
    switch (setup[1]) {
    case GET_STATUS:
        length = 2u;
        break;
    case GET_DESCRIPTOR:
        length = descriptor_find(setup[3], setup[2], reply);
        break;
    case GET_CONFIGURATION:
        reply[0] = configured ? 1u : 0u;
        length = 1u;
        break;
    case GET_INTERFACE:
        length = 1u;
        break;
    default:
        break;
    }
    if (length == 0u) {
        stall();
    } else {
        send(length);
    }
}

static void standard_out(void)
{
    const uint8_t recipient = setup[0];
    bool good = (setup[6] == 0u) && (setup[7] == 0u);

    if (good && (recipient == TYPE_DEVICE) && (setup[1] == SET_ADDRESS)) {
        USBADDR = setup[2];
    } else if (good && (recipient == TYPE_DEVICE) && (setup[1] == SET_CONFIGURATION) && (setup[2] <= 1u)) {
        configured = setup[2] == 1u;
        vendor_reset();
        bulk_open();
        USBINDEX = 0u;
    } else if (good && (recipient == TYPE_ENDPOINT) && (setup[1] == CLEAR_FEATURE) && (setup[4] == 0x83u)) {
        bulk_open();
        USBINDEX = 0u;
    } else if (good && (recipient == TYPE_INTERFACE) && (setup[1] == SET_INTERFACE) && (setup[2] == 0u)) {
        /* the only one */
    } else {
        good = false;
    }
    if (good) {
        done();
    } else {
        stall();
    }
}

/* Carries out a request of type vendor. Its data is one octet or none; anything longer is refused before it is read. */
static void vendor(void)
{
    uint8_t length;
    if ((setup[0] & TYPE_IN) != 0u) {
        length = vendor_in(setup[1], setup[4], reply);
        USBINDEX = 0u;
        if (length == VENDOR_UNKNOWN) {
            stall();
        } else {
            send(length);
        }
    } else {
        length = vendor_out_length(setup[1]);
        if ((length != setup[6]) || (setup[7] != 0u) || !configured) {
            stall();
        } else if (length == 0u) {
            if (vendor_out(setup[1], setup[2], setup[4], 0u)) {
                done();
            } else {
                stall();
            }
        } else {
            USBCS0 = USBCS0_CLR_OUTPKT_RDY;
            stage = STAGE_OUT;
        }
    }
}

static void request(void)
{
    uint8_t i;
    for (i = 0u; i < sizeof setup; i++) {
        setup[i] = USBF0;
    }
    if ((setup[0] & TYPE_MASK) == TYPE_VENDOR) {
        vendor();
    } else if ((setup[0] & TYPE_IN) != 0u) {
        standard_in();
    } else {
        standard_out();
    }
}

static void data(void)
{
    if ((USBCNT0 == 1u) && vendor_out(setup[1], setup[2], setup[4], USBF0)) {
        done();
    } else {
        stall();
    }
}

static void control(void)
{
    uint8_t flags;
    USBINDEX = 0u;
    flags = USBCS0;
    if ((flags & USBCS0_SENT_STALL) != 0u) {
        USBCS0 = 0u;
        stage = STAGE_IDLE;
    }
    if ((flags & USBCS0_SETUP_END) != 0u) {
        USBCS0 = USBCS0_CLR_SETUP_END;
        stage = STAGE_IDLE;
    }
    if ((flags & USBCS0_OUTPKT_RDY) != 0u) {
        if (stage == STAGE_OUT) {
            data();
        } else {
            request();
        }
    } else if ((stage == STAGE_IN) && ((flags & USBCS0_INPKT_RDY) == 0u)) {
        send_next();
    } else {
        /* nothing to do */
    }
}

static void bulk(void)
{
    uint8_t length;

    USBINDEX = BULK_ENDPOINT;
    if ((USBCSIL & USBCSIL_INPKT_RDY) == 0u) {
        length = stream_ready();
        /* After a full packet the host waits for more, until one that is not (USB 2.0, 5.8.3). */
        if ((length != 0u) || bulk_full) {
            stream_take(length);
            bulk_full = length == STREAM_PACKET;
            USBCSIL = USBCSIL_INPKT_RDY;
        }
    }
}

void usb_poll(void)
{
    if ((USBCIF & USBCIF_RST) != 0u) {
        forget();
    }
    control();
    if (configured) {
        bulk();
    }
}
