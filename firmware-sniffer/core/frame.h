/* A frame as the radio hands it over. */
#ifndef CORE_FRAME_H
#define CORE_FRAME_H

#include "port.h"

/* IEEE 802.15.4-2020, 12.1.3: aMaxPhyPacketSize. */
#define FRAME_PSDU_MAX 127u
/* A frame check sequence and nothing before it is not a frame; below this there is not even that. */
#define FRAME_PSDU_MIN 3u
#define FRAME_FCS 2u
/* IEEE 802.15.4-2020, 12.1.2, 2450 MHz O-QPSK: channels of page 0. */
#define CHANNEL_MIN 11u
#define CHANNEL_MAX 26u

/* The radio checked the FCS and it was right. */
#define FRAME_FCS_OK 0x01u

struct frame {
    uint32_t ticks;   /* the machine's tick counter at the start of the PHR, which is the end of the SFD */
    uint32_t seq;     /* the frame's number since power-up, dropped ones counted */
    uint32_t dropped; /* frames dropped since power-up, when this one was kept */
    uint8_t channel;
    int8_t rssi; /* dBm */
    uint8_t lqi;
    uint8_t flags;
    /*
     * Written by the receiver: the PHR (the length of the PSDU), then the PSDU. Its last two octets are not the FCS: both
     * radios check it and put other values there. On the nRF52840 this is the target of the radio's DMA.
     */
    uint8_t air[1u + FRAME_PSDU_MAX + 2u];
};

#endif
