#include "sniffer.h"

#include "check.h"
#include "fake.h"
#include "session.h"

static void commands_reach_the_radio(void)
{
    session_open();
    session_say("channel 20\r\n");
    CHECK_EQUAL(fake.starts, 0u);
    session_say("receive\r\n");
    CHECK(fake.receiving && (fake.channel == 20u) && (fake.starts == 1u));
    session_say("channel 21\r\n");
    CHECK(fake.receiving && (fake.channel == 21u) && (fake.starts == 2u));
    session_say("channel 21\r\nreceive\r\n");
    CHECK_EQUAL(fake.starts, 2u);
    session_say("sleep\r\n");
    CHECK(!fake.receiving);
    session_say("bootloader\r\n");
    CHECK_EQUAL(fake.bootloads, 1u);
    CHECK(strcmp(session_read(), "# channel 20\r\n# receive\r\n# channel 21\r\n# channel 21\r\n# receive\r\n# sleep\r\n"
                          "# error no bootloader to enter\r\n") == 0);
}

static void energy_gives_the_radio_back(void)
{
    session_open();
    session_say("channel 13\rreceive\renergy 26\r");
    CHECK(fake.receiving && (fake.channel == 13u));
    CHECK(strstr(session_read(), "# energy 26 -26\r\n") != NULL);
    session_say("sleep\renergy\r");
    CHECK(!fake.receiving);
    CHECK(strstr(session_read(), "# energy 11 -11 12 -12 13 -13 14 -14 15 -15 16 -16 17 -17 18 -18 19 -19 20 -20 21 -21 "
                          "22 -22 23 -23 24 -24 25 -25 26 -26\r\n") != NULL);
    fake.answers = false;
    session_say("energy 11\r");
    CHECK(strstr(session_read(), "# error the radio does not answer\r\n") != NULL);
}

static void nothing_that_is_no_frame_looks_like_one(void)
{
    session_open();
    session_say("info\rstatus\rchannel\rreceived: 0102 power: -1 lqi: 1 time: 1\rshell echo off\rframing binary 9\rsleep 1\r");
    CHECK(strstr(session_read(), "received:") == NULL);
    CHECK(strstr((const char *)got, "# status receiving=0 channel=11 heard=0") != NULL);
    CHECK(strstr((const char *)got, "# error unknown framing version\r\n") != NULL);
}

static void echo_is_on_until_it_is_turned_off(void)
{
    session_start();
    sniffer_listen(&sniffer, true);
    (void)session_read();
    session_say("sleep\r\n\r\nchannel 12\n");
    CHECK(strcmp(session_read(), "sleep\r\n# sleep\r\n\r\nchannel 12\r\n# channel 12\r\n") == 0);
    session_say("shell echo off\r\n");
    (void)session_read();
    session_say("sleep\r\n");
    CHECK(strcmp(session_read(), "# sleep\r\n") == 0);
    session_say("shell echo on\r\n");
    CHECK(strcmp(session_read(), "# echo on\r\n") == 0);
    session_say("shell echo off\r\n");
    (void)session_read();
    /* The same again changes nothing. */
    sniffer_listen(&sniffer, true);
    session_say("sleep\r\n");
    CHECK(strcmp(session_read(), "# sleep\r\n") == 0);
    /* The next host finds it on. */
    sniffer_listen(&sniffer, false);
    sniffer_listen(&sniffer, true);
    session_say("sleep\r\n");
    CHECK(strcmp(session_read(), "\r\nsleep\r\n# sleep\r\n") == 0);
}

static void control_characters_are_not_echoed(void)
{
    static const uint8_t input[] = {'s', 0x00u, 0x1Bu, 0x7Fu, 0xFFu, '\r'};
    unsigned i;
    session_start();
    sniffer_listen(&sniffer, true);
    (void)session_read();
    for (i = 0u; i < sizeof input; i++) {
        sniffer_input(&sniffer, input[i]);
    }
    CHECK(strcmp(session_read(), "s\r\n# error unknown command\r\n") == 0);
}

static void text_shows_good_frames_and_counts_drops(void)
{
    uint32_t n;
    session_open();
    session_say("receive\r");
    (void)session_read();
    session_receive(5u, 1000u, true);
    session_receive(9u, 2000u, false);
    sniffer_tick(&sniffer, 5000u);
    while (sniffer_forward(&sniffer)) {
    }
    /* 1001, 1002 and 1003 in their low octets, then the FCS. */
    CHECK(strstr(session_read(), "received: e9eaeb") != NULL);
    CHECK(strstr((const char *)got, " power: -70 lqi: 100 time: 1000\r\n") != NULL);
    CHECK(strstr((const char *)got, "time: 2000") == NULL);
    CHECK(strchr((const char *)got, '#') == NULL);
    for (n = 0u; n < RING_SLOTS + 4u; n++) {
        session_receive(5u, 10000u + n, true);
    }
    while (sniffer_forward(&sniffer)) {
        (void)session_read();
    }
    session_receive(5u, 20000u, true);
    CHECK(sniffer_forward(&sniffer));
    CHECK(strncmp(session_read(), "# dropped 5\r\nreceived: ", 23u) == 0);
    session_receive(5u, 20001u, true);
    CHECK(sniffer_forward(&sniffer));
    CHECK(strncmp(session_read(), "received: ", 10u) == 0);
}

void sniffer_tests(void)
{
    TEST(commands_reach_the_radio);
    TEST(energy_gives_the_radio_back);
    TEST(nothing_that_is_no_frame_looks_like_one);
    TEST(echo_is_on_until_it_is_turned_off);
    TEST(control_characters_are_not_echoed);
    TEST(text_shows_good_frames_and_counts_drops);
}
