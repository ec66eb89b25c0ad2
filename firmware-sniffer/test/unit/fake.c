#include "fake.h"

struct fake_machine fake;

void machine_receive(uint8_t channel)
{
    fake.receiving = true;
    fake.channel = channel;
    fake.starts++;
}

void machine_sleep(void)
{
    fake.receiving = false;
}

bool machine_energy(uint8_t channel, int8_t *dbm)
{
    fake.receiving = false;
    *dbm = (int8_t)(-channel);
    return fake.answers;
}

void machine_bootloader(void)
{
    fake.bootloads++;
}
