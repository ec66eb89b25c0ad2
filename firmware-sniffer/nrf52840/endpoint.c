#include "endpoint.h"

#include "regs.h"

/* Bits of the endpoints in EPINEN and EPOUTEN */
#define IN_BITS (BIT(EP_CONTROL) | BIT(EP_NOTIFY) | BIT(EP_DATA))
#define OUT_BITS (BIT(EP_CONTROL) | BIT(EP_DATA))

static bool notify_halted;
static bool in_halted;
static bool out_halted;

/*
 * One transfer at a time, waited for: the controller takes no task while it moves data (erratum 199). It moves 64 octets
 * in a few microseconds; if it never ends, the watchdog does.
 */
void endpoint_send(uint32_t endpoint, const uint8_t *packet, uint32_t length)
{
    USBD_EVENTS_ENDEPIN(endpoint) = 0u;
    USBD_EPIN_PTR(endpoint) = (uint32_t)packet;
    USBD_EPIN_MAXCNT(endpoint) = length;
    __asm volatile("dsb" ::: "memory");
    USBD_TASKS_STARTEPIN(endpoint) = 1u;
    while (USBD_EVENTS_ENDEPIN(endpoint) == 0u) {
        /* a few microseconds */
    }
    USBD_EVENTS_ENDEPIN(endpoint) = 0u;
}

uint32_t endpoint_fetch(uint32_t endpoint, uint8_t *packet)
{
    uint32_t length = USBD_SIZE_EPOUT(endpoint);

    if (length > PACKET_MAX) {
        length = PACKET_MAX;
    }
    USBD_EVENTS_ENDEPOUT(endpoint) = 0u;
    USBD_EPOUT_PTR(endpoint) = (uint32_t)packet;
    USBD_EPOUT_MAXCNT(endpoint) = length;
    USBD_TASKS_STARTEPOUT(endpoint) = 1u;
    while (USBD_EVENTS_ENDEPOUT(endpoint) == 0u) {
        /* a few microseconds */
    }
    USBD_EVENTS_ENDEPOUT(endpoint) = 0u;
    __asm volatile("dmb" ::: "memory");
    return length;
}

void endpoint_close_all(void)
{
    USBD_EPINEN = BIT(EP_CONTROL);
    USBD_EPOUTEN = BIT(EP_CONTROL);
}

/* Sets the toggle of an endpoint. The register takes the endpoint first and the toggle second, PS 6.35.13. */
static void first_packet_is_data0(uint32_t address)
{
    USBD_DTOGGLE = address;
    USBD_DTOGGLE = address | USBD_DTOGGLE_DATA0;
}

void endpoint_open_all(void)
{
    USBD_EPINEN = IN_BITS;
    USBD_EPOUTEN = OUT_BITS;
    endpoint_halt(EP_NOTIFY | USBD_EP_IN, false);
    endpoint_halt(EP_DATA | USBD_EP_IN, false);
    endpoint_halt(EP_DATA, false);
    /* Any value lets the first packet in. */
    USBD_SIZE_EPOUT(EP_DATA) = 0u;
}

/* Halt of an endpoint by address; null where it cannot be halted. */
static bool *halt_of(uint32_t address)
{
    bool *found = 0;
    if (address == (EP_NOTIFY | USBD_EP_IN)) {
        found = &notify_halted;
    } else if (address == (EP_DATA | USBD_EP_IN)) {
        found = &in_halted;
    } else if (address == EP_DATA) {
        found = &out_halted;
    } else {
        /* no such endpoint */
    }
    return found;
}

bool endpoint_exists(uint32_t address)
{
    return ((address & ~USBD_EP_IN) == EP_CONTROL) || (halt_of(address) != 0);
}

bool endpoint_halted(uint32_t address)
{
    const bool *halted = halt_of(address);
    return (halted != 0) && *halted;
}

void endpoint_halt(uint32_t address, bool halt)
{
    bool *halted = halt_of(address);
    if (halted != 0) {
        *halted = halt;
        if (!halt) {
            first_packet_is_data0(address);
        }
        USBD_EPSTALL = address | (halt ? USBD_EPSTALL_STALL : 0u);
    }
}
