/* Parts of the board around the chip: lights, button, wire to the bootloader. And the watchdog. */
#ifndef NRF52840_BOARD_H
#define NRF52840_BOARD_H

#include <stdbool.h>
#include <stdint.h>

/* Number of a pin in this firmware: port * 32 + number, as in regs.h. */
#define PIN(port, number) (((port) * 32u) + (number))

#if defined(BOARD_DONGLE)
/* PCA10059 */
#define BOARD_NAME "nrf52840-dongle"
#define PIN_LED_TRAFFIC PIN(0u, 6u) /* LD1, green */
#define PIN_LED_TROUBLE PIN(0u, 8u) /* LD2, red */
#define PIN_BUTTON PIN(1u, 6u)      /* SW1 */
#define PIN_BOOTLOADER PIN(0u, 19u) /* wired to the reset pin; a pin reset starts the bootloader */
#elif defined(BOARD_DK)
/* PCA10056 */
#define BOARD_NAME "nrf52840-dk"
#define PIN_LED_TRAFFIC PIN(0u, 13u) /* LED1 */
#define PIN_LED_TROUBLE PIN(0u, 14u) /* LED2 */
#define PIN_BUTTON PIN(0u, 11u)      /* Button 1 */
#else
#error "Define BOARD_DONGLE or BOARD_DK."
#endif

/* Calls of board_tick a second: a tick is 50 ms. */
#define BOARD_TICKS_PER_SECOND 20u

/* Sets up the pins of lights and button; lights are off. */
void board_start(void);

/* Starts the watchdog: from then on board_feed must be called within every two seconds. Only a reset stops it. */
void board_guard(void);
void board_feed(void);

/*
 * Reads and clears the causes of the last reset: the low octet of RESETREAS (1 pin, 2 watchdog, 4 software, 8 lock-up;
 * 0 power).
 */
uint8_t board_reset_cause(void);

/*
 * Sets the lights; `heard` and `dropped` are frames since power-up. Traffic light: on while receiving, dark for a tick
 * when frames came; off while asleep, with a flash every two seconds. Trouble light: on for a second after a frame was
 * dropped.
 */
void board_tick(bool receiving, uint32_t heard, uint32_t dropped);

/* To be called every tick: true once for each press of the button. */
bool board_pressed(void);

/* Resets the chip; does not return. */
void board_reset(void);

#endif
