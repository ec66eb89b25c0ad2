/*
 * The tests' frame: TAP on standard output, one line a test, what failed and where as a comment.
 *
 * CHECK goes on after a failure; a test's result is all of its checks.
 */
#ifndef UNIT_CHECK_H
#define UNIT_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

extern unsigned failures;

#define CHECK(condition)                                                              \
    do {                                                                              \
        if (!(condition)) {                                                           \
            printf("# %s:%d: %s\n", __FILE__, __LINE__, #condition);                  \
            failures++;                                                               \
        }                                                                             \
    } while (0)

#define CHECK_EQUAL(found, expected)                                                                     \
    do {                                                                                                 \
        const long long found_ = (long long)(found);                                                     \
        const long long expected_ = (long long)(expected);                                               \
        if (found_ != expected_) {                                                                       \
            printf("# %s:%d: %s is %lld, not %lld\n", __FILE__, __LINE__, #found, found_, expected_);    \
            failures++;                                                                                  \
        }                                                                                                \
    } while (0)

/* Runs a test and says how it went. */
#define TEST(name) run(#name, name)
void run(const char *name, void (*test)(void));

/* A generator of our own (SplitMix64), so that a failing property is the same everywhere. */
uint32_t draw(uint64_t *state);
/* 0..below-1 */
uint32_t draw_below(uint64_t *state, uint32_t below);

#define PROPERTY_RUNS 20000u

void ring_tests(void);
void uptime_tests(void);
void encode_tests(void);
void vector_tests(void);
void command_tests(void);
void outbox_tests(void);
void sniffer_tests(void);
void framing_tests(void);

#endif
