/* A frame as the radio delivers it. */
#ifndef CORE_FRAME_H
#define CORE_FRAME_H

#include "port.h"

/* The longest PSDU, octets: aMaxPhyPacketSize of IEEE 802.15.4-2020, 12.1.3. */
#define FRAME_PSDU_MAX 127u
/* The shortest PSDU that counts as a frame, octets: one more than an FCS alone. */
#define FRAME_PSDU_MIN 3u
/* Octets of the FCS at the end of the PSDU. */
#define FRAME_FCS 2u
/* IEEE 802.15.4-2020, 12.1.2, 2450 MHz O-QPSK: channels of page 0. */
#define CHANNEL_MIN 11u
#define CHANNEL_MAX 26u

/* Bit of `flags`: the radio checked the FCS and it was right. */
#define FRAME_FCS_OK 0x01u

/* One frame of the ring. */
struct frame {
    uint32_t ticks;   /* the machine's tick counter at the start of the PHR, which is the end of the SFD */
    uint32_t seq;     /* the frame's number since power-up, dropped ones counted */
    uint32_t dropped; /* frames dropped since power-up, when this one was kept */
    uint8_t channel;  /* CHANNEL_MIN..CHANNEL_MAX */
    int8_t rssi;      /* dBm */
    uint8_t lqi;      /* 0..255, larger is better */
    uint8_t flags;    /* FRAME_FCS_OK or 0 */
    /*
     * Written by the receiver: the PHR (length of the PSDU in octets, FCS included), then the PSDU. Its last two octets
     * are not the FCS: both radios check it and put other values there. On the nRF52840 this is the target of the
     * radio's DMA. Two octets more than the longest frame. Chosen here by judgement: no experiment decides it; the
     * radio is told that 127 octets are most (PCNF1), and no code writes behind them.
     */
    uint8_t air[1u + FRAME_PSDU_MAX + 2u];
};

#endif
