/* A machine that remembers what it was asked. */
#ifndef UNIT_FAKE_H
#define UNIT_FAKE_H

#include "machine.h"

struct fake_machine {
    bool receiving;
    bool answers; /* to energy */
    uint8_t channel;
    unsigned starts; /* calls of machine_receive */
    unsigned bootloads;
};

extern struct fake_machine fake;

#endif
