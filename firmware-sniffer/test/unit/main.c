#include "check.h"

unsigned failures;
static unsigned tests;
static unsigned failed;

void run(const char *name, void (*test)(void))
{
    failures = 0u;
    test();
    tests++;
    if (failures != 0u) {
        failed++;
    }
    printf("%s %u - %s\n", (failures == 0u) ? "ok" : "not ok", tests, name);
}

uint32_t draw(uint64_t *state)
{
    uint64_t z;
    *state += 0x9E3779B97F4A7C15u;
    z = *state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}

uint32_t draw_below(uint64_t *state, uint32_t below)
{
    return (uint32_t)(((uint64_t)draw(state) * below) >> 32);
}

int main(void)
{
    ring_tests();
    uptime_tests();
    encode_tests();
    vector_tests();
    command_tests();
    outbox_tests();
    sniffer_tests();
    framing_tests();
    printf("1..%u\n", tests);
    return (failed == 0u) ? 0 : 1;
}
