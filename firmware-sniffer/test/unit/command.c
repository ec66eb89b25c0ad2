#include "command.h"

#include "check.h"

static struct command command;

/* Feeds text and returns the last command it ended, COMMAND_NONE when it ended none. */
static enum command_name last(const char *text)
{
    enum command_name found = COMMAND_NONE;
    uint8_t argument = 0u;
    unsigned i;
    for (i = 0u; text[i] != '\0'; i++) {
        command_octet(&command, (uint8_t)text[i]);
        if (command.name != COMMAND_NONE) {
            found = command.name;
            argument = command.argument;
        }
    }
    command.argument = argument;
    return found;
}

static unsigned ended(const char *text, unsigned length)
{
    unsigned count = 0u;
    unsigned i;
    for (i = 0u; i < length; i++) {
        command_octet(&command, (uint8_t)text[i]);
        count += (command.name != COMMAND_NONE) ? 1u : 0u;
    }
    return count;
}

static void every_command_is_known(void)
{
    static const struct {
        const char *text;
        enum command_name name;
        unsigned argument;
    } cases[] = {
        {"\r\n", COMMAND_EMPTY, 0u},
        {"   \r\n", COMMAND_EMPTY, 0u},
        {"sleep\r\n", COMMAND_SLEEP, 0u},
        {"receive\r\n", COMMAND_RECEIVE, 0u},
        {"channel 11\r\n", COMMAND_CHANNEL, 11u},
        {"channel 26\r\n", COMMAND_CHANNEL, 26u},
        {"channel\r\n", COMMAND_CHANNEL_GET, 0u},
        {"  channel   020  \r\n", COMMAND_CHANNEL, 20u},
        {"shell echo off\r\n", COMMAND_ECHO, 0u},
        {"shell echo on\r\n", COMMAND_ECHO, 1u},
        {"bootloader\r\n", COMMAND_BOOTLOADER, 0u},
        {"info\r\n", COMMAND_INFO, 0u},
        {"status\r\n", COMMAND_STATUS, 0u},
        {"energy\r\n", COMMAND_ENERGY_ALL, 0u},
        {"energy 15\r\n", COMMAND_ENERGY, 15u},
        {"framing text\r\n", COMMAND_FRAMING, 0u},
        {"framing binary 1\r\n", COMMAND_FRAMING, 1u},
        {"framing binary 255\r\n", COMMAND_FRAMING, 255u},
    };
    unsigned i;
    command_reset(&command);
    for (i = 0u; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_EQUAL(last(cases[i].text), cases[i].name);
        CHECK_EQUAL(command.argument, cases[i].argument);
    }
}

static void what_is_almost_a_command_is_none(void)
{
    static const char *const cases[] = {
        "Sleep\r\n",          "sleeping\r\n",         "sleep 1\r\n",           "receive!\r\n",
        "channel 10\r\n",     "channel 27\r\n",       "channel 111\r\n",       "channel 0x0b\r\n",
        "channel -11\r\n",    "channel 11 12\r\n",    "channel 4294967307\r\n", "channel11\r\n",
        "shell\r\n",          "shell echo\r\n",       "shell echo of\r\n",     "shell echo off on\r\n",
        "shell help\r\n",     "framing\r\n",          "framing binary\r\n",    "framing binary 0\r\n",
        "framing binary 256\r\n", "framing text 1\r\n", "energy 9\r\n",         "energy all\r\n",
        "s\r\n",              "\x7f\r\n",             "sle\tep\r\n",           "sleep\x01\r\n",
        "channel \x31\xb1\r\n",
    };
    unsigned i;
    command_reset(&command);
    for (i = 0u; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_EQUAL(last(cases[i]), COMMAND_UNKNOWN);
    }
}

static void three_ends_of_line(void)
{
    command_reset(&command);
    CHECK_EQUAL(ended("sleep\r", 6u), 1u);
    CHECK_EQUAL(ended("\n", 1u), 0u);
    CHECK_EQUAL(ended("sleep\n", 6u), 1u);
    CHECK_EQUAL(ended("\n\n", 2u), 2u);
    CHECK_EQUAL(ended("\r\r\n\r", 4u), 3u);
    CHECK_EQUAL(ended("sleep\0sleep\r\n", 13u), 1u);
}

static void a_line_too_long_is_one_unknown_command(void)
{
    char text[COMMAND_LINE_MAX + 3u];
    memset(text, ' ', sizeof text);
    memcpy(text, "sleep", 5u);
    command_reset(&command);
    text[COMMAND_LINE_MAX] = '\r';
    CHECK_EQUAL(ended(text, COMMAND_LINE_MAX + 1u), 1u);
    CHECK_EQUAL(command.name, COMMAND_SLEEP);
    text[COMMAND_LINE_MAX] = ' ';
    text[COMMAND_LINE_MAX + 1u] = '\r';
    CHECK_EQUAL(ended(text, COMMAND_LINE_MAX + 2u), 1u);
    CHECK_EQUAL(command.name, COMMAND_UNKNOWN);
    CHECK_EQUAL(last("sleep\r"), COMMAND_SLEEP);
}

/* After any octets at all, an end of line and a command are a command. */
static void no_input_spoils_the_next_line(void)
{
    uint64_t seed = 8u;
    uint32_t step;
    command_reset(&command);
    for (step = 0u; step < PROPERTY_RUNS; step++) {
        uint32_t left = draw_below(&seed, 100u);
        while (left > 0u) {
            command_octet(&command, (uint8_t)draw(&seed));
            CHECK(command.length <= COMMAND_LINE_MAX);
            left--;
        }
        CHECK_EQUAL(last("\rchannel 17\r"), COMMAND_CHANNEL);
        CHECK_EQUAL(command.argument, 17u);
    }
}

void command_tests(void)
{
    TEST(every_command_is_known);
    TEST(what_is_almost_a_command_is_none);
    TEST(three_ends_of_line);
    TEST(a_line_too_long_is_one_unknown_command);
    TEST(no_input_spoils_the_next_line);
}
