#include "usb.h"

#include "control.h"
#include "endpoint.h"
#include "regs.h"

/* Stages of power-up (PS 6.35), one a tick. */
enum supply {
    SUPPLY_OFF,     /* no bus */
    SUPPLY_ENABLED, /* the controller has been switched on and is not ready yet */
    SUPPLY_READY,   /* it is; its regulator may not be */
    SUPPLY_ATTACHED /* the host sees the device */
};

/* The sniffer that the line belongs to; stage; whether the interrupt came since usb_poll. */
static struct sniffer *talker;
static enum supply supply;
static volatile bool woken;
/* True while the controller holds a packet that the host has not taken: no other may be handed over. */
static bool in_busy;
/* True when the last packet was full: the host waits for more until a shorter one comes (USB 2.0, 5.8.3). */
static bool in_full;
/* True while the controller holds a packet of the host. */
static bool out_waits;
/* Position and end of the part of `out_packet` that the sniffer has not taken. */
static uint32_t out_at;
static uint32_t out_length;
static uint8_t in_packet[PACKET_MAX];
static uint8_t out_packet[PACKET_MAX];

/* State of the data endpoints after a reset: no packet on either side. */
static void forget(void)
{
    in_busy = false;
    in_full = false;
    out_waits = false;
    out_at = 0u;
    out_length = 0u;
}

void usb_start(struct sniffer *sniffer)
{
    talker = sniffer;
    supply = SUPPLY_OFF;
    woken = false;
    forget();
    NVIC_IPR(IRQ_USBD) = PRIORITY_OTHER;
}

/* Writes the hidden registers of errata 187 and 171, which a key opens and shuts. */
static void errata(uint32_t value_187, uint32_t value_171)
{
    const uint32_t shut = ERRATA_LOCK;
    __asm volatile("cpsid i" ::: "memory");
    if (shut == 0u) {
        ERRATA_LOCK = ERRATA_LOCK_KEY;
    }
    ERRATA_187 = value_187;
    ERRATA_171 = value_171;
    if (shut == 0u) {
        ERRATA_LOCK = ERRATA_LOCK_KEY;
    }
    __asm volatile("cpsie i" ::: "memory");
}

static void detach(void)
{
    NVIC_ICER(IRQ_USBD) = NVIC_BIT(IRQ_USBD);
    if (supply == SUPPLY_ENABLED) {
        errata(0u, 0u);
    }
    USBD_USBPULLUP = 0u;
    USBD_ENABLE = 0u;
    supply = SUPPLY_OFF;
    woken = false;
    control_reset();
    forget();
    sniffer_listen(talker, false);
}

static void attach(void)
{
    USBD_INTENSET = USBD_INT_USBRESET | USBD_INT_EP0DATADONE | USBD_INT_USBEVENT | USBD_INT_EP0SETUP | USBD_INT_EPDATA;
    NVIC_ICPR(IRQ_USBD) = NVIC_BIT(IRQ_USBD);
    NVIC_ISER(IRQ_USBD) = NVIC_BIT(IRQ_USBD);
    USBD_USBPULLUP = 1u;
}

void usb_supply(void)
{
    const uint32_t status = POWER_USBREGSTATUS;

    if ((status & USBREGSTATUS_VBUSDETECT) == 0u) {
        if (supply != SUPPLY_OFF) {
            detach();
        }
        return;
    }
    switch (supply) {
    case SUPPLY_OFF:
        errata(0x03u, 0xC0u);
        USBD_ENABLE = 1u;
        supply = SUPPLY_ENABLED;
        break;
    case SUPPLY_ENABLED:
        if ((USBD_EVENTCAUSE & USBD_EVENTCAUSE_READY) != 0u) {
            USBD_EVENTCAUSE = USBD_EVENTCAUSE_READY;
            errata(0u, 0u);
            supply = SUPPLY_READY;
        }
        break;
    case SUPPLY_READY:
        if ((status & USBREGSTATUS_OUTPUTRDY) != 0u) {
            attach();
            supply = SUPPLY_ATTACHED;
        }
        break;
    case SUPPLY_ATTACHED:
    default:
        break;
    }
}

void usb_isr(void)
{
    /* The events stay until the main loop has dealt with them; until then the interrupt must not come again. */
    NVIC_ICER(IRQ_USBD) = NVIC_BIT(IRQ_USBD);
    __asm volatile("dsb" ::: "memory");
    woken = true;
}

bool usb_waits(void)
{
    return woken || ((out_waits || (out_at < out_length)) && sniffer_takes_input(talker));
}

static void events(void)
{
    if (USBD_EVENTS_USBRESET != 0u) {
        USBD_EVENTS_USBRESET = 0u;
        control_reset();
        forget();
    }
    if (USBD_EVENTS_USBEVENT != 0u) {
        /* Suspend and resume need nothing: the host stops reading, and reads again. */
        USBD_EVENTS_USBEVENT = 0u;
        USBD_EVENTCAUSE = USBD_EVENTCAUSE;
    }
    if (USBD_EVENTS_EP0SETUP != 0u) {
        USBD_EVENTS_EP0SETUP = 0u;
        /* A finished data stage belongs to the request before. */
        USBD_EVENTS_EP0DATADONE = 0u;
        if (control_setup()) {
            forget();
        }
    } else if (USBD_EVENTS_EP0DATADONE != 0u) {
        USBD_EVENTS_EP0DATADONE = 0u;
        control_data_done();
    } else {
        /* nothing of the control endpoint */
    }
    if (USBD_EVENTS_EPDATA != 0u) {
        uint32_t status;
        USBD_EVENTS_EPDATA = 0u;
        status = USBD_EPDATASTATUS;
        USBD_EPDATASTATUS = status;
        if ((status & USBD_EPDATASTATUS_IN(EP_DATA)) != 0u) {
            in_busy = false;
        }
        if ((status & USBD_EPDATASTATUS_OUT(EP_DATA)) != 0u) {
            out_waits = true;
        }
    }
    sniffer_listen(talker, control_line_open());
}

/* Gives octets of the host to the sniffer. Each may be answered, so each waits until there is room for an answer. */
static void receive(void)
{
    if (out_waits && (out_at == out_length)) {
        out_waits = false;
        out_at = 0u;
        out_length = endpoint_fetch(EP_DATA, out_packet);
    }
    while ((out_at < out_length) && sniffer_takes_input(talker)) {
        sniffer_input(talker, out_packet[out_at]);
        out_at++;
    }
}

void usb_poll(void)
{
    if (supply == SUPPLY_ATTACHED) {
        if (woken) {
            woken = false;
            events();
            NVIC_ISER(IRQ_USBD) = NVIC_BIT(IRQ_USBD);
        }
        receive();
    }
}

void usb_transmit(void)
{
    uint32_t length;

    if (control_configured() && !in_busy) {
        length = outbox_take(&talker->outbox, in_packet, PACKET_MAX);
        if ((length > 0u) || in_full) {
            in_full = length == PACKET_MAX;
            in_busy = true;
            endpoint_send(EP_DATA, in_packet, length);
        }
    }
}
