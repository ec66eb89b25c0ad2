/* The main loop. Frames come from the radio's interrupt; everything else is here. */
#include "radio.h"
#include "regs.h"
#include "stream.h"
#include "usb.h"
#include "vendor.h"

/*
 * Turns of the main loop between two updates of the lights; a turn may last a frame. Chosen here by judgement: late
 * by an eighth of a second at most, which no eye sees.
 */
#define LIGHTS_TURNS 32u

/* Frames dropped when receiving last stopped. */
static XDATA uint32_t dropped_before;

/* Starts the 32 MHz crystal, which radio, timer and USB need. */
static void clock_start(void)
{
    FCTL = FCTL_PREFETCH;
    CLKCONCMD = CLKCON_XOSC;
    while (CLKCONSTA != CLKCON_XOSC) {
        /* about 0.5 ms; if never, the watchdog says so */
    }
}

/* Green light: on while receiving. Red: from the first dropped frame until receiving stops. */
static void lights(void)
{
    if (vendor_receiving()) {
        P0 = (uint8_t)(P0 | P0_LED_GREEN);
        if (stream_dropped() != dropped_before) {
            P1 = (uint8_t)(P1 | P1_LED_RED);
        }
    } else {
        P0 = (uint8_t)(P0 & (uint8_t)~P0_LED_GREEN);
        P1 = (uint8_t)(P1 & (uint8_t)~P1_LED_RED);
        dropped_before = stream_dropped();
    }
}

void main(void)
{
    uint8_t turn = 0u;

    WDCTL = WDCTL_WATCHDOG_1S;
    P0DIR = (uint8_t)(P0DIR | P0_LED_GREEN);
    P1DIR = (uint8_t)(P1DIR | P1_LED_RED);
    clock_start();
    stream_reset();
    radio_start();
    EA = 1;
    usb_start();
    for (;;) {
        WDCTL = WDCTL_FEED_FIRST;
        WDCTL = WDCTL_FEED_SECOND;
        usb_poll();
        stream_poll(vendor_channel());
        radio_supervise();
        turn++;
        if ((turn % LIGHTS_TURNS) == 0u) {
            lights();
        }
    }
}
