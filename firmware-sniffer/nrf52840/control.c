#include "control.h"

#include "descriptors.h"
#include "endpoint.h"
#include "regs.h"

/* bmRequestType, USB 2.0 table 9-2: direction, type, recipient */
#define IN_DEVICE 0x80u
#define IN_INTERFACE 0x81u
#define IN_ENDPOINT 0x82u
#define OUT_DEVICE 0x00u
#define OUT_INTERFACE 0x01u
#define OUT_ENDPOINT 0x02u
#define IN_CLASS_INTERFACE 0xA1u
#define OUT_CLASS_INTERFACE 0x21u

/* Requests of USB 2.0, table 9-4, and of PSTN 1.2, 6.3, with direction, type and recipient in the high octet */
#define REQUEST(type, request) (((type) << 8) | (request))
#define GET_STATUS_DEVICE REQUEST(IN_DEVICE, 0u)
#define GET_STATUS_INTERFACE REQUEST(IN_INTERFACE, 0u)
#define GET_STATUS_ENDPOINT REQUEST(IN_ENDPOINT, 0u)
#define CLEAR_FEATURE_ENDPOINT REQUEST(OUT_ENDPOINT, 1u)
#define SET_FEATURE_ENDPOINT REQUEST(OUT_ENDPOINT, 3u)
#define SET_ADDRESS REQUEST(OUT_DEVICE, 5u)
#define GET_DESCRIPTOR REQUEST(IN_DEVICE, 6u)
#define GET_CONFIGURATION REQUEST(IN_DEVICE, 8u)
#define SET_CONFIGURATION REQUEST(OUT_DEVICE, 9u)
#define GET_INTERFACE REQUEST(IN_INTERFACE, 10u)
#define SET_INTERFACE REQUEST(OUT_INTERFACE, 11u)
#define SET_LINE_CODING REQUEST(OUT_CLASS_INTERFACE, 0x20u)
#define GET_LINE_CODING REQUEST(IN_CLASS_INTERFACE, 0x21u)
#define SET_CONTROL_LINE_STATE REQUEST(OUT_CLASS_INTERFACE, 0x22u)

/* Interfaces of the configuration: control and data. */
#define INTERFACES 2u
/* Octets of a line coding (PSTN 1.2, 6.3): rate, stop bits, parity, data bits. */
#define LINE_CODING_LENGTH 7u

/* Data stage of the request under way: none, to the host, from the host. */
enum stage { STAGE_IDLE, STAGE_IN, STAGE_OUT };

static enum stage stage;
static const uint8_t *reply_at;
static uint32_t reply_left;
static bool reply_short; /* ends with a packet of no octets: the host asked for more, and the last packet was full */
static bool configured;
static bool line_open;
/* Line coding, kept only for the host to read back: 115200 8N1 at first. */
static uint8_t line_coding[LINE_CODING_LENGTH] = {0x00u, 0xC2u, 0x01u, 0x00u, 0x00u, 0x00u, 0x08u};
/* Packets are copied here: the controller reads and writes RAM only, and descriptors are in flash. */
static uint8_t packet[PACKET_MAX];
static uint8_t answer[2];

bool control_configured(void)
{
    return configured;
}

bool control_line_open(void)
{
    return line_open;
}

void control_reset(void)
{
    stage = STAGE_IDLE;
    configured = false;
    line_open = false;
    endpoint_close_all();
}

static void stall(void)
{
    stage = STAGE_IDLE;
    USBD_TASKS_EP0STALL = 1u;
}

static void done(void)
{
    stage = STAGE_IDLE;
    USBD_TASKS_EP0STATUS = 1u;
}

static void send_next(void)
{
    const uint32_t length = (reply_left < PACKET_MAX) ? reply_left : PACKET_MAX;
    uint32_t i;

    for (i = 0u; i < length; i++) {
        packet[i] = reply_at[i];
    }
    reply_at += length;
    reply_left -= length;
    reply_short = reply_short && (length == PACKET_MAX);
    endpoint_send(EP_CONTROL, packet, length);
}

/* Answers with `length` octets, at most the `asked` ones of wLength. `data` must stay valid until they are sent. */
static void send(const uint8_t *data, uint32_t length, uint32_t asked)
{
    reply_at = data;
    reply_left = (length < asked) ? length : asked;
    reply_short = length < asked;
    if (asked == 0u) {
        done();
    } else {
        stage = STAGE_IN;
        send_next();
    }
}

static void send_answer(uint32_t first, uint32_t length, uint32_t asked)
{
    answer[0] = (uint8_t)first;
    answer[1] = 0u;
    send(answer, length, asked);
}

static void send_descriptor(uint32_t type, uint32_t index, uint32_t asked)
{
    const uint8_t *data = 0;
    const uint32_t length = descriptor_find(type, index, &data);
    if (length == 0u) {
        stall();
    } else {
        send(data, length, asked);
    }
}

static void set_configuration(uint32_t value)
{
    if (value > 1u) {
        stall();
    } else {
        configured = value == 1u;
        line_open = false;
        if (configured) {
            endpoint_open_all();
        } else {
            endpoint_close_all();
        }
        done();
    }
}

static void feature(uint32_t selector, uint32_t address, bool set)
{
    /* ENDPOINT_HALT is the only one. */
    if ((selector == 0u) && endpoint_exists(address)) {
        endpoint_halt(address, set);
        done();
    } else {
        stall();
    }
}

bool control_setup(void)
{
    const uint32_t request = REQUEST(USBD_BMREQUESTTYPE & 0xFFu, USBD_BREQUEST & 0xFFu);
    const uint32_t value_low = USBD_WVALUEL & 0xFFu;
    const uint32_t value_high = USBD_WVALUEH & 0xFFu;
    const uint32_t index = (USBD_WINDEXL & 0xFFu) | ((USBD_WINDEXH & 0xFFu) << 8);
    const uint32_t asked = (USBD_WLENGTHL & 0xFFu) | ((USBD_WLENGTHH & 0xFFu) << 8);

    bool afresh = false;

    stage = STAGE_IDLE;
    switch (request) {
    case SET_ADDRESS:
        /* The controller answers this one itself. */
        break;
    case GET_DESCRIPTOR:
        send_descriptor(value_high, value_low, asked);
        break;
    case SET_CONFIGURATION:
        afresh = true;
        set_configuration(value_low);
        break;
    case GET_CONFIGURATION:
        send_answer(configured ? 1u : 0u, 1u, asked);
        break;
    case GET_STATUS_DEVICE:
    case GET_STATUS_INTERFACE:
        send_answer(0u, 2u, asked);
        break;
    case GET_STATUS_ENDPOINT:
        if (endpoint_exists(index)) {
            send_answer(endpoint_halted(index) ? 1u : 0u, 2u, asked);
        } else {
            stall();
        }
        break;
    case CLEAR_FEATURE_ENDPOINT:
        feature(value_low, index, false);
        break;
    case SET_FEATURE_ENDPOINT:
        feature(value_low, index, true);
        break;
    case GET_INTERFACE:
        send_answer(0u, 1u, asked);
        break;
    case SET_INTERFACE:
        if ((index < INTERFACES) && (value_low == 0u)) {
            done();
        } else {
            stall();
        }
        break;
    case GET_LINE_CODING:
        send(line_coding, LINE_CODING_LENGTH, asked);
        break;
    case SET_LINE_CODING:
        if (asked == LINE_CODING_LENGTH) {
            stage = STAGE_OUT;
            USBD_TASKS_EP0RCVOUT = 1u;
        } else {
            stall();
        }
        break;
    case SET_CONTROL_LINE_STATE:
        line_open = configured && ((value_low & 1u) != 0u);
        done();
        break;
    default:
        stall();
        break;
    }
    return afresh;
}

static void receive(void)
{
    uint32_t i;
    if (endpoint_fetch(EP_CONTROL, packet) == LINE_CODING_LENGTH) {
        for (i = 0u; i < LINE_CODING_LENGTH; i++) {
            line_coding[i] = packet[i];
        }
        done();
    } else {
        stall();
    }
}

void control_data_done(void)
{
    switch (stage) {
    case STAGE_IN:
        if ((reply_left > 0u) || reply_short) {
            send_next();
        } else {
            done();
        }
        break;
    case STAGE_OUT:
        receive();
        break;
    case STAGE_IDLE:
    default:
        /* of a request that is over */
        break;
    }
}
