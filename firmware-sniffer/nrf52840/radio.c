#include "radio.h"

#include "machine.h"
#include "regs.h"
#include "timebase.h"

/*
 * Time of the PHR on the air, us: the stamp is taken at its end (802.15.4-2020, 12.2: 62.5 ksymbol/s, two symbols an
 * octet).
 */
#define PHR_US 32u
/* Factor of the hardware's LQI, PS 6.20.12.4. */
#define LQI_SCALE 4u
/* EDSAMPLE 0 in dBm. The product specification says -93; Nordic's own driver says -92 for the nRF52840. */
#define ENERGY_OFFSET (-92)
/* Measurements of 128 us after the first, PS 6.20.12.3: about a millisecond in all. */
#define ENERGY_LOOPS 7u
/*
 * Times after which the radio is given up, us: several times those of a measurement (eight of 128), and of switching
 * off. Chosen here by judgement: no experiment decides them; they only end a wait for a radio that does not answer.
 */
#define ENERGY_TIMEOUT_US 5000u
#define DISABLE_TIMEOUT_US 1000u

/* Ring for frames, present channel, whether the radio should be receiving, and ticks for which it was not. */
static struct ring *frames;
static uint8_t channel_now;
static bool receiving;
static uint8_t quiet_ticks;

/* Points the DMA at the free slot of the ring. */
static void point_at_ring(void)
{
    RADIO_PACKETPTR = (uint32_t)ring_writable(frames)->air;
}

/* Completes the frame in the free slot and keeps it, or rejects it. */
static void take_frame(void)
{
    struct frame *frame = ring_writable(frames);
    const uint8_t length = (uint8_t)(frame->air[0] & 0x7Fu);

    if (length < FRAME_PSDU_MIN) {
        ring_reject(frames);
        return;
    }
    frame->air[0] = length;
    frame->ticks = timebase_stamp() - PHR_US;
    frame->channel = channel_now;
    frame->rssi = (int8_t)(-(int32_t)(RADIO_RSSISAMPLE & 0x7Fu));
    /* The first of the two octets where the FCS was. */
    {
        const uint32_t lqi = (uint32_t)frame->air[length - 1u] * LQI_SCALE;
        frame->lqi = (uint8_t)((lqi > 255u) ? 255u : lqi);
    }
    frame->flags = (RADIO_CRCSTATUS == 1u) ? (uint8_t)FRAME_FCS_OK : 0u;
    (void)ring_commit(frames);
}

/*
 * The radio waits where the frame ended until it is started again, so it cannot write where it should not, however late
 * this runs. Between two frames on the air are at least 192 us (macSIFS and aTurnaroundTime, 12 symbols) and the 160 us
 * of the next one's preamble and SFD.
 */
void radio_isr(void)
{
    if (RADIO_EVENTS_END != 0u) {
        RADIO_EVENTS_END = 0u;
        (void)RADIO_EVENTS_END;
        take_frame();
        point_at_ring();
        RADIO_TASKS_START = 1u;
    }
}

/* Waits until the radio is off; false after DISABLE_TIMEOUT_US. */
static bool wait_disabled(void)
{
    const uint32_t from = timebase_now();
    /* The state, not the event: a radio that is disabled already need not say so again. */
    while (RADIO_STATE != RADIO_STATE_DISABLED) {
        if ((timebase_now() - from) > DISABLE_TIMEOUT_US) {
            return false;
        }
    }
    return true;
}

static void stop(void)
{
    NVIC_ICER(IRQ_RADIO) = NVIC_BIT(IRQ_RADIO);
    __asm volatile("dsb\n isb" ::: "memory");
    RADIO_TASKS_DISABLE = 1u;
    (void)wait_disabled();
    /* A frame that ended just before the radio was stopped. */
    if (RADIO_EVENTS_END != 0u) {
        RADIO_EVENTS_END = 0u;
        if (receiving) {
            take_frame();
        }
    }
    NVIC_ICPR(IRQ_RADIO) = NVIC_BIT(IRQ_RADIO);
    receiving = false;
}

static void tune(uint8_t channel)
{
    channel_now = channel;
    /* MHz above 2400: channel 11 is 2405. */
    RADIO_FREQUENCY = 5u * ((uint32_t)channel - 10u);
}

/* Resets the radio and sets all registers that reception needs (PS 6.20). */
static void configure(void)
{
    /* Off and on again sets every register of the radio back. */
    RADIO_POWER = 0u;
    (void)RADIO_POWER;
    RADIO_POWER = 1u;
    RADIO_MODE = RADIO_MODE_IEEE802154_250KBIT;
    RADIO_PCNF0 = RADIO_PCNF0_LFLEN8_PREAMBLE32_CRCINC;
    RADIO_PCNF1 = FRAME_PSDU_MAX;
    RADIO_CRCCNF = RADIO_CRCCNF_LEN2_IEEE802154;
    RADIO_CRCPOLY = 0x11021u;
    RADIO_CRCINIT = 0u;
    RADIO_SFD = 0xA7u;
    RADIO_MODECNF0 = RADIO_MODECNF0_RU_FAST;
    RADIO_EDCNT = ENERGY_LOOPS;
    RADIO_INTENSET = RADIO_INT_END;
}

void radio_start(struct ring *ring)
{
    frames = ring;
    receiving = false;
    configure();
    NVIC_IPR(IRQ_RADIO) = PRIORITY_RADIO;
}

void machine_sleep(void)
{
    stop();
}

void machine_receive(uint8_t channel)
{
    stop();
    tune(channel);
    point_at_ring();
    RADIO_SHORTS = RADIO_SHORTS_RXREADY_START | RADIO_SHORTS_ADDRESS_RSSISTART;
    receiving = true;
    quiet_ticks = 0u;
    NVIC_ISER(IRQ_RADIO) = NVIC_BIT(IRQ_RADIO);
    RADIO_TASKS_RXEN = 1u;
}

bool machine_energy(uint8_t channel, int8_t *dbm)
{
    uint32_t from;
    bool ended = true;

    stop();
    tune(channel);
    RADIO_SHORTS = RADIO_SHORTS_READY_EDSTART | RADIO_SHORTS_EDEND_DISABLE;
    RADIO_EVENTS_EDEND = 0u;
    from = timebase_now();
    RADIO_TASKS_RXEN = 1u;
    while ((RADIO_EVENTS_EDEND == 0u) && ended) {
        ended = (timebase_now() - from) <= ENERGY_TIMEOUT_US;
    }
    ended = ended && wait_disabled();
    RADIO_SHORTS = 0u;
    *dbm = (int8_t)((int32_t)(RADIO_EDSAMPLE & 0x7Fu) + ENERGY_OFFSET);
    return ended;
}

bool radio_revive(void)
{
    const uint32_t state = RADIO_STATE;

    if (!receiving || (state == RADIO_STATE_RX) || (state == RADIO_STATE_RXRU)) {
        quiet_ticks = 0u;
        return false;
    }
    quiet_ticks++;
    if (quiet_ticks < 2u) {
        return false;
    }
    configure();
    machine_receive(channel_now);
    return true;
}
