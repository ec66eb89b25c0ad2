#include "execute.h"

#include "machine.h"
#include "reply.h"

/* The board in the answer to `info`; the Makefile defines it for the images. */
#ifndef SNIFFER_NAME
#define SNIFFER_NAME "host"
#endif
#define SNIFFER_VERSION "0.1.0"

/* Returns to the channel, or to sleep, after a measurement. */
static void resume(const struct sniffer XDATA *sniffer)
{
    if (sniffer->state.receiving != 0u) {
        machine_receive(sniffer->state.channel);
    } else {
        machine_sleep();
    }
}

/* Measures the channels first..last and reports each: a record, or in text all in one line. */
static void energy(struct sniffer XDATA *sniffer, uint8_t first, uint8_t last)
{
    struct time64 time;
    uint8_t ok = 1u;
    uint8_t channel;
    int8_t dbm = 0;

    reply_time(sniffer, &time);
    reply_begin(sniffer, "energy");
    for (channel = first; channel <= last; channel++) {
        if (!machine_energy(channel, &dbm)) {
            ok = 0u;
        } else if (sniffer->binary) {
            record_energy(&sniffer->record, channel, dbm, &time);
            reply_record(sniffer);
        } else {
            line_octet(&sniffer->line, (uint8_t)' ');
            line_unsigned(&sniffer->line, channel);
            line_octet(&sniffer->line, (uint8_t)' ');
            line_signed(&sniffer->line, dbm);
        }
    }
    resume(sniffer);
    if (ok == 0u) {
        reply_error(sniffer, "the radio does not answer");
    } else {
        reply_send(sniffer, 1u);
    }
}

static void reply_channel(struct sniffer XDATA *sniffer)
{
    reply_begin(sniffer, "channel");
    reply_number(sniffer, "", sniffer->state.channel);
    reply_send(sniffer, 1u);
}

static void set_framing(struct sniffer XDATA *sniffer, uint8_t version)
{
    if (version > FRAMING_VERSION) {
        reply_error(sniffer, "unknown framing version");
    } else if (version == 0u) {
        reply(sniffer, "framing text");
        sniffer->binary = false;
    } else if (!sniffer->listening) {
        /* the line has closed; it opens in text */
    } else {
        /* The answer is in the old framing. The zero ends whatever came before it. */
        reply(sniffer, "framing binary 1");
        sniffer->binary = true;
        reply_zero(sniffer);
        reply_status(sniffer);
        sniffer->status_at = sniffer->now.low + SECOND;
    }
}

void execute(struct sniffer XDATA *sniffer)
{
    const uint8_t argument = sniffer->command.argument;

    switch (sniffer->command.name) {
    case COMMAND_SLEEP:
        sniffer->state.receiving = 0u;
        machine_sleep();
        reply(sniffer, "sleep");
        break;
    case COMMAND_RECEIVE:
        /* Again while receiving changes nothing: a running capture must not lose the frame on the air. */
        if (sniffer->state.receiving == 0u) {
            sniffer->state.receiving = 1u;
            machine_receive(sniffer->state.channel);
        }
        reply(sniffer, "receive");
        break;
    case COMMAND_CHANNEL:
        if (argument != sniffer->state.channel) {
            sniffer->state.channel = argument;
            if (sniffer->state.receiving != 0u) {
                machine_receive(argument);
            }
        }
        reply_channel(sniffer);
        break;
    case COMMAND_CHANNEL_GET:
        reply_channel(sniffer);
        break;
    case COMMAND_ECHO:
        sniffer->echo = argument != 0u;
        reply(sniffer, (argument != 0u) ? "echo on" : "echo off");
        break;
    case COMMAND_BOOTLOADER:
        machine_bootloader();
        reply_error(sniffer, "no bootloader to enter");
        break;
    case COMMAND_INFO:
        reply(sniffer, "rtoscope-sniffer " SNIFFER_NAME " " SNIFFER_VERSION " framing=text,binary1 channels=11-26");
        break;
    case COMMAND_STATUS:
        if (sniffer->listening) {
            reply_status(sniffer);
        }
        break;
    case COMMAND_ENERGY:
        energy(sniffer, argument, argument);
        break;
    case COMMAND_ENERGY_ALL:
        energy(sniffer, CHANNEL_MIN, CHANNEL_MAX);
        break;
    case COMMAND_FRAMING:
        set_framing(sniffer, argument);
        break;
    case COMMAND_UNKNOWN:
        reply_error(sniffer, "unknown command");
        break;
    case COMMAND_NONE:
    case COMMAND_EMPTY:
    default:
        break;
    }
}
