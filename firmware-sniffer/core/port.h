/*
 * Properties of the machine that the core is compiled for.
 *
 * The core takes C11 as far as SDCC 4.2 takes it: no 64-bit arithmetic, no structures passed or returned by value, no
 * recursion, no heap, no function pointers. Everything it keeps lives in structures its caller owns.
 */
#ifndef CORE_PORT_H
#define CORE_PORT_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__SDCC_mcs51)
/* 8051: large objects live in external RAM, and only an octet is read or written at once. */
#define XDATA __xdata
/* A variable of an inner loop: in the 256 octets that an instruction reaches at once, always the same ones. */
#define FAST static __data
/* A variable of a function that the interrupt does not call, in external RAM. */
#define SCRATCH static __xdata
#define CORE_BARRIER() ((void)0)
typedef uint8_t ring_index_t;
/* The MAC timer counts 32 ticks a microsecond. */
#define TICK_SHIFT 5u
#ifndef RING_SLOTS
#define RING_SLOTS 32u
#endif
#else
#define XDATA
#define FAST
#define SCRATCH
/* One core, one bus: the compiler must not move accesses, and the stores must be out before the other side looks. */
#if defined(__arm__)
#define CORE_BARRIER() __asm volatile("dmb" ::: "memory")
#else
#define CORE_BARRIER() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#endif
typedef uint16_t ring_index_t;
/* The timer counts microseconds. */
#define TICK_SHIFT 0u
#ifndef RING_SLOTS
#define RING_SLOTS 512u
#endif
#endif

#endif
