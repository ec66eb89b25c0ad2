/* The vector table, and the code that runs before main. */
#include "board.h"
#include "radio.h"
#include "regs.h"
#include "timebase.h"
#include "usb.h"

/* Addresses from sections.ld. */
extern uint32_t stack_top[];
extern uint32_t data_load[];
extern uint32_t data_start[];
extern uint32_t data_end[];
extern uint32_t bss_start[];
extern uint32_t bss_end[];

int main(void);
void reset_handler(void);

/* Handler of faults: resets the chip, and the reset cause tells the host. */
static void unexpected(void)
{
    board_reset();
}

/* Entry of the vector table: the first is the top of the stack, the others are handlers. */
union vector {
    uint32_t *stack;
    void (*handler)(void);
};

/*
 * Vector table (ARMv7-M, B1.5). Faults that are not enabled become a hard fault, and so do interrupts without a
 * handler.
 */
__attribute__((section(".vectors"), used)) static const union vector vectors[16u + IRQ_COUNT] = {
    [0] = {.stack = stack_top},
    [1] = {.handler = reset_handler},
    [2] = {.handler = unexpected}, /* NMI */
    [3] = {.handler = unexpected}, /* hard fault */
    [16u + IRQ_RADIO] = {.handler = radio_isr},
    [16u + IRQ_TIMER0] = {.handler = timebase_isr},
    [16u + IRQ_USBD] = {.handler = usb_isr},
};

/* Copies initial values to .data, clears .bss, and runs main. */
__attribute__((noreturn)) void reset_handler(void)
{
    const uint32_t *from = data_load;
    uint32_t *to;

    for (to = data_start; to < data_end; to++) {
        *to = *from;
        from++;
    }
    for (to = bss_start; to < bss_end; to++) {
        *to = 0u;
    }
    /* A bootloader leaves its own table in place. */
    SCB_VTOR = (uint32_t)vectors;
    __asm volatile("dsb\n isb" ::: "memory");
    (void)main();
    board_reset();
    for (;;) {
        /* not reached */
    }
}
