/* Reads events, one a line (kind, slot, now, open, random), and prints what the timer returned and holds. */
#include "TIMER.h"
#include <inttypes.h>
#include <stdio.h>

static struct TIMER timer;
static struct TIMER_exchange exchanges[8];

int main(void)
{
    char kind;
    unsigned slot;
    int64_t now;
    uint32_t open, random;

    TIMER_init(&timer);
    while (scanf(" %c %u %" SCNd64 " %" SCNu32 " %" SCNu32, &kind, &slot, &now, &open, &random) == 5) {
        struct TIMER_exchange *exchange = &exchanges[slot % 8];
        int64_t ticks = 0;

        switch (kind) {
        case 'n':
            TIMER_init(&timer);
            break;
        case 's':
            ticks = TIMER_send(&timer, exchange, now, open, random);
            break;
        case 'r':
            ticks = TIMER_retransmit(&timer, exchange, now);
            break;
        default:
            TIMER_answered(&timer, exchange, now);
            break;
        }
        printf("%" PRId64, ticks);
        SHOW;
        putchar('\n');
    }
    return 0;
}
