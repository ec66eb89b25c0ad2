#include "vendor.h"

#include "frame.h"
#include "machine.h"
#include "record.h"
#include "stream.h"

/* bRequest of TI's sniffer, and wIndex of power on */
#define REQUEST_IDENTITY 0xC0u
#define REQUEST_SET_POWER 0xC5u
#define REQUEST_GET_POWER 0xC6u
#define REQUEST_UNKNOWN_C9 0xC9u
#define REQUEST_START 0xD0u
#define REQUEST_STOP 0xD1u
#define REQUEST_CHANNEL 0xD2u
#define POWER_ON 4u
/* bRequest of our own, and the version of our framing */
#define REQUEST_FRAMING 0xE0u
#define REQUEST_STATUS 0xE1u
#define REQUEST_ENERGY 0xE2u
#define FRAMING_VERSION 1u

static XDATA uint8_t power;
static XDATA uint8_t channel;
static XDATA bool receiving;
static XDATA bool binary;
static XDATA struct record status;

void vendor_reset(void)
{
    power = 0u;
    channel = CHANNEL_MIN;
    receiving = false;
    binary = false;
    machine_sleep();
    stream_close();
}

uint8_t vendor_channel(void)
{
    return channel;
}

bool vendor_receiving(void)
{
    return receiving;
}

/*
 * Writes the identity: the chip's number, for hosts that look for it; "RTO" and a version, which TI's firmware lacks.
 */
static uint8_t identity(uint8_t XDATA *reply)
{
    reply[0] = 0x31u;
    reply[1] = 0x25u;
    reply[2] = 'R';
    reply[3] = 'T';
    reply[4] = 'O';
    reply[5] = FRAMING_VERSION;
    reply[6] = 0u;
    reply[7] = 0u;
    return 8u;
}

/* Measures the energy on a channel, dBm, and goes on receiving; VENDOR_UNKNOWN for another channel, or no answer. */
static uint8_t energy(uint8_t on, uint8_t XDATA *reply)
{
    static XDATA int8_t dbm;
    uint8_t length = VENDOR_UNKNOWN;
    if ((on >= CHANNEL_MIN) && (on <= CHANNEL_MAX)) {
        if (machine_energy(on, &dbm)) {
            reply[0] = (uint8_t)dbm;
            length = 1u;
        }
        if (receiving) {
            machine_receive(channel);
        }
    }
    return length;
}

uint8_t vendor_in(uint8_t request, uint8_t index, uint8_t XDATA *reply)
{
    uint8_t at;
    switch (request) {
    case REQUEST_IDENTITY:
        return identity(reply);
    case REQUEST_GET_POWER:
        reply[0] = power;
        return 1u;
    case REQUEST_STATUS:
        stream_status(channel, &status);
        for (at = 0u; at < status.length; at++) {
            reply[at] = status.octets[at];
        }
        return (uint8_t)status.length;
    case REQUEST_ENERGY:
        return energy(index, reply);
    default:
        return VENDOR_UNKNOWN;
    }
}

uint8_t vendor_out_length(uint8_t request)
{
    switch (request) {
    case REQUEST_CHANNEL:
        return 1u;
    case REQUEST_SET_POWER:
    case REQUEST_UNKNOWN_C9:
    case REQUEST_START:
    case REQUEST_STOP:
    case REQUEST_FRAMING:
        return 0u;
    default:
        return VENDOR_UNKNOWN;
    }
}

static void stop(void)
{
    receiving = false;
    machine_sleep();
    stream_close();
}

static bool set_channel(uint8_t index, uint8_t data)
{
    if (index == 0u) {
        if ((data < CHANNEL_MIN) || (data > CHANNEL_MAX)) {
            return false;
        }
        if (data != channel) {
            channel = data;
            if (receiving) {
                machine_receive(channel);
            }
        }
    }
    /* Hosts send the high octet of the channel with index 1. */
    return (index == 0u) || ((index == 1u) && (data == 0u));
}

bool vendor_out(uint8_t request, uint8_t value, uint8_t index, uint8_t data)
{
    switch (request) {
    case REQUEST_SET_POWER:
        power = index;
        if (index != POWER_ON) {
            stop();
        }
        return (index == POWER_ON) || (index == 0u);
    case REQUEST_UNKNOWN_C9:
        return true;
    case REQUEST_CHANNEL:
        return set_channel(index, data);
    case REQUEST_START:
        if (!receiving) {
            receiving = true;
            stream_open(binary);
            machine_receive(channel);
        }
        return true;
    case REQUEST_STOP:
        stop();
        return true;
    case REQUEST_FRAMING:
        if (value > FRAMING_VERSION) {
            return false;
        }
        binary = value != 0u;
        stream_framing(binary);
        return true;
    default:
        return false;
    }
}
