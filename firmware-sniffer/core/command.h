/*
 * Commands of the host: octets to lines, lines to commands (PROTOCOL.md, 2.1).
 *
 * CR, LF and CR LF end a line. A line that is too long or holds anything but printable ASCII is one malformed command.
 */
#ifndef CORE_COMMAND_H
#define CORE_COMMAND_H

#include "port.h"

/*
 * Characters of a line, at most. The longest command, `framing binary 255`, has 18; Nordic's hosts send no longer ones.
 */
#define COMMAND_LINE_MAX 40u

/* Commands, PROTOCOL.md 2.1. */
enum command_name {
    COMMAND_NONE,    /* no line has ended yet */
    COMMAND_EMPTY,   /* an empty line */
    COMMAND_UNKNOWN, /* a line that is no command */
    COMMAND_SLEEP,
    COMMAND_RECEIVE,
    COMMAND_CHANNEL,     /* argument: 11..26 */
    COMMAND_CHANNEL_GET, /* the same word alone */
    COMMAND_ECHO,        /* argument: 0 or 1 */
    COMMAND_BOOTLOADER,
    COMMAND_INFO,
    COMMAND_STATUS,
    COMMAND_ENERGY,     /* argument: 11..26 */
    COMMAND_ENERGY_ALL, /* the same word alone */
    COMMAND_FRAMING     /* argument: 0 is text, else the version of the binary framing */
};

/* The command of the last line, and the line that is being received. */
struct command {
    enum command_name name;
    /* See command_name; else 0. */
    uint8_t argument;
    /* The line so far: `malformed` when it is too long or has an octet that is not printable. */
    bool after_cr;
    bool malformed;
    uint8_t length;
    uint8_t text[COMMAND_LINE_MAX];
};

/* True for an octet that may be part of a command: printable ASCII. */
bool command_printable(uint8_t octet);

/* Forgets the line and the command. */
void command_reset(struct command XDATA *command);

/* Takes one octet. When it ends a line, `name` and `argument` hold the command; else `name` is COMMAND_NONE. */
void command_octet(struct command XDATA *command, uint8_t octet);

#endif
