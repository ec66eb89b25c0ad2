/* The main loop: USB, commands and formatting here, frames from the radio's interrupt. */
#include "board.h"
#include "radio.h"
#include "regs.h"
#include "sniffer.h"
#include "timebase.h"
#include "usb.h"

static struct sniffer sniffer;

/* Starts the 32 MHz crystal and waits for it. */
static void start_crystal(void)
{
    /* The radio, USB and the time stamps need it. If it never starts, the watchdog says so. */
    CLOCK_EVENTS_HFCLKSTARTED = 0u;
    CLOCK_TASKS_HFCLKSTART = 1u;
    while (CLOCK_EVENTS_HFCLKSTARTED == 0u) {
        /* about 0.4 ms */
    }
}

/* Work of each tick: time, radio, button, lights, watchdog. */
static void tick(void)
{
    struct ring_counters counters;

    sniffer_tick(&sniffer, timebase_now());
    if (radio_revive()) {
        sniffer.state.restarts++;
    }
    if (board_pressed()) {
        sniffer_mark(&sniffer);
    }
    ring_counters(&sniffer.ring, &counters);
    board_tick(sniffer.state.receiving != 0u, counters.heard, counters.dropped);
    board_feed();
}

/* Sleeps, unless there is something to do. With interrupts masked, WFI still wakes for them. */
static void rest(void)
{
    __asm volatile("cpsid i" ::: "memory");
    if (!timebase_tick_waits() && !usb_waits() && !sniffer_forwards(&sniffer)) {
        __asm volatile("dsb\n wfi" ::: "memory");
    }
    __asm volatile("cpsie i" ::: "memory");
}

int main(void)
{
    const uint8_t cause = board_reset_cause();

    board_start();
    board_guard();
    start_crystal();
    timebase_start();
    sniffer_start(&sniffer, cause);
    radio_start(&sniffer.ring);
    usb_start(&sniffer);
    for (;;) {
        bool busy;
        if (timebase_ticked()) {
            tick();
            usb_supply();
        }
        usb_poll();
        sniffer_tick(&sniffer, timebase_now());
        busy = sniffer_forward(&sniffer);
        usb_transmit();
        if (!busy) {
            rest();
        }
    }
}
