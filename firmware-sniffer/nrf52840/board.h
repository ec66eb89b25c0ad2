/* Parts soldered around the chip: lights, button, the way to the bootloader. And the watchdog. */
#ifndef NRF52840_BOARD_H
#define NRF52840_BOARD_H

#include <stdbool.h>
#include <stdint.h>

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

/* Rate at which board_tick is called. */
#define BOARD_TICKS_PER_SECOND 20u

void board_start(void);

/* Starts the watchdog: from then on board_feed must be called every two seconds. Nothing but a reset stops it. */
void board_guard(void);
void board_feed(void);

/* Why the chip was last reset: the low octet of RESETREAS (1 pin, 2 watchdog, 4 request, 8 lock-up; 0 power). */
uint8_t board_reset_cause(void);

/*
 * Shows what goes on. Traffic light: on while receiving, dark for a tick when frames came; off while asleep, with a flash
 * every two seconds. Trouble light: on for a second after a frame was dropped.
 */
void board_tick(bool receiving, uint32_t heard, uint32_t dropped);

/* True once for each press. */
bool board_pressed(void);

void board_reset(void);

#endif
