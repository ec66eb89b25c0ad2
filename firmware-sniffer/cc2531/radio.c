#include "radio.h"

#include "machine.h"
#include "regs.h"

/* See core/ring.c. */
#pragma nooverlay

/*
 * User's Guide 23.8.10: the radio appends the RSSI (dBm + 73), then bit 7 for a right CRC with the correlation in 6..0.
 */
#define RSSI_OFFSET 73
#define CRC_OK 0x80u
#define CORRELATION 0x7Fu
/* Correlations of LQI 0 and 255: 255 (c - 50) / 60 is TI's convention (PROTOCOL.md, 4.3). */
#define CORRELATION_WORST 50u
#define CORRELATION_BEST 110u
/* Room for stamps of frames that have not ended, a power of two: one on the air, and one begun before the interrupt. */
#define STAMPS 4u
/*
 * Readings of the RSSI in a measurement, about a millisecond, as long as the nRF52840 measures (ENERGY_LOOPS); and of
 * RSSISTAT before the radio is given up. Both chosen here by judgement: no experiment decides them. Fewer readings miss
 * bursts; a radio that never says that its RSSI is valid must not hold the loop until the watchdog (1 s) bites.
 */
#define ENERGY_READINGS 200u
#define ENERGY_TRIES 2000u

/* Ticks by octet, the least significant first: the order of SDCC, for an 8051 has none of its own. */
union ticks {
    uint32_t all;
    uint8_t octet[4];
};

XDATA struct ring radio_ring;
XDATA volatile uint32_t radio_overflows;

/* Stamps of frames on their way, a queue of `stamps_count` from `stamps_first` on. */
static XDATA union ticks stamps[STAMPS];
static XDATA uint8_t stamps_first;
static XDATA uint8_t stamps_count;
static XDATA uint8_t channel_now;

/*
 * Reads the MAC timer. It counts to 2^15 and its overflows to 2^17: 32 bits that wrap as one. Reading T2M0 latches the
 * rest. A macro for the interrupt and the main loop, which must not share a function.
 */
#define READ_TIMER(select, ticks)                                                  \
    do {                                                                           \
        uint8_t over_;                                                             \
        uint8_t next_;                                                             \
        T2MSEL = (select);                                                         \
        (ticks).octet[0] = T2M0;                                                   \
        next_ = T2M1;                                                              \
        over_ = T2MOVF0;                                                           \
        (ticks).octet[1] = (uint8_t)((next_ & 0x7Fu) | (uint8_t)(over_ << 7));     \
        next_ = T2MOVF1;                                                           \
        (ticks).octet[2] = (uint8_t)((over_ >> 1) | (uint8_t)(next_ << 7));        \
        over_ = T2MOVF2;                                                           \
        (ticks).octet[3] = (uint8_t)((next_ >> 1) | (uint8_t)(over_ << 7));        \
    } while (0)

uint32_t radio_now(void)
{
    static XDATA union ticks ticks;
    /* The interrupt selects another register of the timer. */
    EA = 0;
    READ_TIMER(T2MSEL_NOW, ticks);
    EA = 1;
    return ticks.all;
}

/* Reads one frame from the FIFO into the ring. For the interrupt. */
static void take_frame(void)
{
    struct frame XDATA *frame = ring_writable(&radio_ring);
    uint8_t XDATA *at = &frame->air[1];
    const uint8_t length = (uint8_t)(RFD & 0x7Fu);
    uint8_t left;
    uint8_t quality;

    frame->air[0] = length;
    for (left = length; left != 0u; left--) {
        *at = RFD;
        at++;
    }
    if (stamps_count != 0u) {
        frame->ticks = stamps[stamps_first].all;
        stamps_first = (uint8_t)((stamps_first + 1u) & (STAMPS - 1u));
        stamps_count--;
    } else {
        /* The interrupt for its SFD is still to come and will find nothing. */
        READ_TIMER(T2MSEL_CAPTURE, stamps[stamps_first]);
        frame->ticks = stamps[stamps_first].all;
    }
    if (length < FRAME_PSDU_MIN) {
        ring_reject(&radio_ring);
        return;
    }
    frame->channel = channel_now;
    at--;
    quality = *at;
    at--;
    frame->rssi = (int8_t)((int8_t)*at - RSSI_OFFSET);
    frame->flags = ((quality & CRC_OK) != 0u) ? FRAME_FCS_OK : 0u;
    quality = (uint8_t)(quality & CORRELATION);
    if (quality <= CORRELATION_WORST) {
        frame->lqi = 0u;
    } else if (quality >= CORRELATION_BEST) {
        frame->lqi = 255u;
    } else {
        /* 255 / 60 = 4 + 1/4, without a multiplication. */
        quality = (uint8_t)(quality - CORRELATION_WORST);
        frame->lqi = (uint8_t)((uint8_t)(quality << 2) + (quality >> 2));
    }
    (void)ring_commit(&radio_ring);
}

void radio_isr(void) __interrupt(16)
{
    S1CON = 0u;
    if ((RFIRQF0 & RFIRQF0_SFD) != 0u) {
        /* Zeros clear, ones keep. */
        RFIRQF0 = (uint8_t)~RFIRQF0_SFD;
        if (stamps_count < STAMPS) {
            union ticks XDATA *stamp = &stamps[(uint8_t)((stamps_first + stamps_count) & (STAMPS - 1u))];
            READ_TIMER(T2MSEL_CAPTURE, *stamp);
            stamps_count++;
        }
    }
    if ((RFIRQF0 & RFIRQF0_RXPKTDONE) != 0u) {
        RFIRQF0 = (uint8_t)~RFIRQF0_RXPKTDONE;
        while ((FSMSTAT1 & FSMSTAT1_FIFOP) != 0u) {
            take_frame();
        }
    }
}

/* Empties the FIFO and the queue of stamps. Interrupts must be off. */
static void empty(void)
{
    /* Twice, User's Guide 23.9.4. */
    RFST = RFST_ISFLUSHRX;
    RFST = RFST_ISFLUSHRX;
    RFIRQF0 = 0u;
    S1CON = 0u;
    stamps_first = 0u;
    stamps_count = 0u;
}

void machine_sleep(void)
{
    EA = 0;
    RFST = RFST_ISRFOFF;
    empty();
    EA = 1;
}

static void tune(uint8_t channel)
{
    channel_now = channel;
    /* MHz above 2394: channel 11 is 2405. */
    FREQCTRL = (uint8_t)(11u + (uint8_t)(5u * (uint8_t)(channel - CHANNEL_MIN)));
}

void machine_receive(uint8_t channel)
{
    machine_sleep();
    tune(channel);
    RFST = RFST_ISRXON;
}

bool machine_energy(uint8_t channel, int8_t XDATA *dbm)
{
    uint16_t tries = 0u;
    uint8_t reading;
    int8_t most = -128;

    machine_receive(channel);
    while ((RSSISTAT & 1u) == 0u) {
        tries++;
        if (tries > ENERGY_TRIES) {
            machine_sleep();
            return false;
        }
    }
    for (reading = 0u; reading < ENERGY_READINGS; reading++) {
        const int8_t now = (int8_t)RSSI;
        if (now > most) {
            most = now;
        }
    }
    machine_sleep();
    *dbm = (most < (-128 + RSSI_OFFSET)) ? (int8_t)-128 : (int8_t)(most - RSSI_OFFSET);
    return true;
}

void radio_supervise(void)
{
    if ((RFERRF & RFERRF_RXOVERF) != 0u) {
        EA = 0;
        RFERRF = (uint8_t)~RFERRF_RXOVERF;
        empty();
        EA = 1;
        RFST = RFST_ISRXON;
        radio_overflows++;
    }
}

void radio_start(void)
{
    ring_reset(&radio_ring);
    radio_overflows = 0u;
    stamps_first = 0u;
    stamps_count = 0u;
    /* No filter, no acknowledgement; FIFOP is set at the end of a frame only. */
    FRMFILT0 = 0x0Cu;
    SRCMATCH = 0x00u;
    FRMCTRL0 = FRMCTRL0_AUTOCRC;
    FIFOPCTRL = 127u;
    /* No pause after a frame (RX2RX_TIME_OFF): an acknowledgment begins 192 us later. */
    FSMCTRL = 0x00u;
    CCACTRL0 = 0xF8u;
    /* Values other than after reset that User's Guide table 23-6 asks for. */
    TXFILTCFG = 0x09u;
    AGCCTRL1 = 0x15u;
    FSCAL1 = 0x00u;
    /* Periods of 2^15 ticks and 2^17 overflows. */
    T2CTRL = T2CTRL_LATCH_MODE;
    T2MSEL = T2MSEL_PERIOD;
    T2M0 = 0x00u;
    T2M1 = 0x80u;
    T2MOVF0 = 0x00u;
    T2MOVF1 = 0x00u;
    T2MOVF2 = 0x02u;
    T2CTRL = T2CTRL_LATCH_MODE | T2CTRL_RUN;
    RFIRQF0 = 0u;
    RFIRQM0 = RFIRQF0_SFD | RFIRQF0_RXPKTDONE;
    IEN2 = (uint8_t)(IEN2 | IEN2_RFIE);
}
