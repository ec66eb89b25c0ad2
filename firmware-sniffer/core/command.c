#include "command.h"

#include "frame.h"

#define SPACE 0x20u
#define TILDE 0x7Eu

/* First words of the commands; none is the beginning of another. */
#define WORDS 9u
static const struct {
    const char *text;
    enum command_name name;
} WORD[WORDS] = {
    {"sleep", COMMAND_SLEEP},     {"receive", COMMAND_RECEIVE},       {"channel", COMMAND_CHANNEL},
    {"shell", COMMAND_ECHO},      {"bootloader", COMMAND_BOOTLOADER}, {"info", COMMAND_INFO},
    {"status", COMMAND_STATUS},   {"energy", COMMAND_ENERGY},         {"framing", COMMAND_FRAMING},
};

bool command_printable(uint8_t octet)
{
    return (octet >= SPACE) && (octet <= TILDE);
}

void command_reset(struct command XDATA *command)
{
    command->name = COMMAND_NONE;
    command->argument = 0u;
    command->after_cr = false;
    command->malformed = false;
    command->length = 0u;
}

static uint8_t skip_spaces(const struct command XDATA *command, uint8_t at)
{
    while ((at < command->length) && (command->text[at] == SPACE)) {
        at++;
    }
    return at;
}

/* The position behind the word at `at` and the blanks after it; `at` itself when another word is there. */
static uint8_t skip_word(const struct command XDATA *command, uint8_t at, const char *word)
{
    uint8_t end = at;
    uint8_t i;

    for (i = 0u; word[i] != '\0'; i++) {
        if ((end >= command->length) || (command->text[end] != (uint8_t)word[i])) {
            return at;
        }
        end++;
    }
    if ((end < command->length) && (command->text[end] != SPACE)) {
        return at;
    }
    return skip_spaces(command, end);
}

/* The number of one to three digits from `at` to the end of the line, blanks aside; 0xFFFF when there is none. */
static uint16_t number(const struct command XDATA *command, uint8_t at)
{
    uint16_t value = 0u;
    uint8_t digits = 0u;

    while ((at < command->length) && (command->text[at] >= (uint8_t)'0') && (command->text[at] <= (uint8_t)'9') &&
           (digits < 3u)) {
        value = (uint16_t)((value * 10u) + (uint16_t)(command->text[at] - (uint8_t)'0'));
        digits++;
        at++;
    }
    at = skip_spaces(command, at);
    return ((digits == 0u) || (at != command->length)) ? 0xFFFFu : value;
}

static bool is_channel(uint16_t value)
{
    return (value >= CHANNEL_MIN) && (value <= CHANNEL_MAX);
}

/* Sets the name for a word that stands alone or before a channel; it stays COMMAND_UNKNOWN for anything else. */
static void with_channel(struct command XDATA *command, uint8_t at, enum command_name alone, enum command_name with)
{
    if (at == command->length) {
        command->name = alone;
    } else {
        const uint16_t value = number(command, at);
        if (is_channel(value)) {
            command->name = with;
            command->argument = (uint8_t)value;
        }
    }
}

static void shell(struct command XDATA *command, uint8_t at)
{
    const uint8_t echo = skip_word(command, at, "echo");
    if (echo != at) {
        const uint8_t on = skip_word(command, echo, "on");
        const uint8_t off = skip_word(command, echo, "off");
        if ((on != echo) && (on == command->length)) {
            command->name = COMMAND_ECHO;
            command->argument = 1u;
        } else if ((off != echo) && (off == command->length)) {
            command->name = COMMAND_ECHO;
            command->argument = 0u;
        } else {
            /* stays unknown */
        }
    }
}

static void framing(struct command XDATA *command, uint8_t at)
{
    const uint8_t text = skip_word(command, at, "text");
    const uint8_t binary = skip_word(command, at, "binary");
    if ((text != at) && (text == command->length)) {
        command->name = COMMAND_FRAMING;
        command->argument = 0u;
    } else if (binary != at) {
        const uint16_t version = number(command, binary);
        if ((version >= 1u) && (version <= 255u)) {
            command->name = COMMAND_FRAMING;
            command->argument = (uint8_t)version;
        }
    } else {
        /* stays unknown */
    }
}

/* Reads what follows the first word, from `at` on. */
static void rest(struct command XDATA *command, uint8_t at, enum command_name name)
{
    switch (name) {
    case COMMAND_CHANNEL:
        with_channel(command, at, COMMAND_CHANNEL_GET, COMMAND_CHANNEL);
        break;
    case COMMAND_ENERGY:
        with_channel(command, at, COMMAND_ENERGY_ALL, COMMAND_ENERGY);
        break;
    case COMMAND_ECHO:
        shell(command, at);
        break;
    case COMMAND_FRAMING:
        framing(command, at);
        break;
    default:
        if (at == command->length) {
            command->name = name;
        }
        break;
    }
}

static void parse(struct command XDATA *command)
{
    const uint8_t begin = skip_spaces(command, 0u);
    uint8_t i;

    command->argument = 0u;
    command->name = COMMAND_UNKNOWN;
    if (command->malformed) {
        return;
    }
    if (begin == command->length) {
        command->name = COMMAND_EMPTY;
        return;
    }
    for (i = 0u; i < WORDS; i++) {
        const uint8_t at = skip_word(command, begin, WORD[i].text);
        if (at != begin) {
            rest(command, at, WORD[i].name);
        }
    }
}

static void line_ended(struct command XDATA *command)
{
    parse(command);
    command->length = 0u;
    command->malformed = false;
}

void command_octet(struct command XDATA *command, uint8_t octet)
{
    const bool after_cr = command->after_cr;

    command->name = COMMAND_NONE;
    command->after_cr = octet == (uint8_t)'\r';
    if (octet == (uint8_t)'\r') {
        line_ended(command);
    } else if (octet == (uint8_t)'\n') {
        if (!after_cr) {
            line_ended(command);
        }
    } else if (!command_printable(octet) || (command->length >= COMMAND_LINE_MAX)) {
        command->malformed = true;
    } else {
        command->text[command->length] = octet;
        command->length++;
    }
}
