#include "board.h"

#include "machine.h"
#include "regs.h"

/* WDT_CRV, PS 6.36: two seconds of the 32768 Hz clock. */
#define WATCHDOG_TICKS 0xFFFFu
/* Ticks between two flashes while asleep: two seconds. */
#define FLASH_TICKS (2u * BOARD_TICKS_PER_SECOND)

static uint32_t ticks;
static uint32_t heard_before;
static uint32_t dropped_before;
static uint32_t trouble_left;
static bool down_before;

/* Switches a light. The lights are wired to the supply: low is on. */
static void light(uint32_t pin, bool on)
{
    if (on) {
        GPIO_OUTCLR(pin) = GPIO_BIT(pin);
    } else {
        GPIO_OUTSET(pin) = GPIO_BIT(pin);
    }
}

static void output(uint32_t pin)
{
    light(pin, false);
    GPIO_PIN_CNF(pin) = GPIO_PIN_CNF_OUTPUT;
}

void board_start(void)
{
    output(PIN_LED_TRAFFIC);
    output(PIN_LED_TROUBLE);
    GPIO_PIN_CNF(PIN_BUTTON) = GPIO_PIN_CNF_INPUT_PULLUP;
}

void board_guard(void)
{
    /* Runs while the CPU sleeps, rests while a debugger has stopped it. */
    WDT_CONFIG = WDT_CONFIG_SLEEP_RUN;
    WDT_CRV = WATCHDOG_TICKS;
    WDT_RREN = 1u;
    WDT_TASKS_START = 1u;
}

void board_feed(void)
{
    WDT_RR0 = WDT_RR_RELOAD;
}

uint8_t board_reset_cause(void)
{
    const uint8_t cause = (uint8_t)(POWER_RESETREAS & 0xFFu);
    /* The bits gather until they are cleared by writing ones. */
    POWER_RESETREAS = 0xFFFFFFFFu;
    return cause;
}

void board_tick(bool receiving, uint32_t heard, uint32_t dropped)
{
    ticks++;
    if (dropped != dropped_before) {
        trouble_left = BOARD_TICKS_PER_SECOND;
    } else if (trouble_left > 0u) {
        trouble_left--;
    } else {
        /* no trouble */
    }
    light(PIN_LED_TROUBLE, trouble_left > 0u);
    light(PIN_LED_TRAFFIC, receiving ? (heard == heard_before) : ((ticks % FLASH_TICKS) == 0u));
    heard_before = heard;
    dropped_before = dropped;
}

bool board_pressed(void)
{
    /* Looked at every tick, which is longer than a contact bounces. */
    const bool down = (GPIO_IN(PIN_BUTTON) & GPIO_BIT(PIN_BUTTON)) == 0u;
    const bool pressed = down && !down_before;
    down_before = down;
    return pressed;
}

void board_reset(void)
{
    SCB_AIRCR = SCB_AIRCR_RESET;
    for (;;) {
        /* the reset is on its way */
    }
}

void machine_bootloader(void)
{
#if defined(PIN_BOOTLOADER)
    GPIO_OUTCLR(PIN_BOOTLOADER) = GPIO_BIT(PIN_BOOTLOADER);
    GPIO_PIN_CNF(PIN_BOOTLOADER) = GPIO_PIN_CNF_OUTPUT;
    for (;;) {
        /* the reset is on its way; if it is not, the watchdog brings one */
    }
#endif
}
