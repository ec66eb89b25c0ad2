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
/* 8051: large objects live in external RAM (XDATA), and only an octet is read or written at once. */
#define XDATA __xdata
/* A variable of an inner loop: in internal RAM, which an instruction addresses directly, at a fixed place. */
#define FAST static __data
/* A variable in external RAM at a fixed place, for functions that the interrupt does not call. */
#define SCRATCH static __xdata
#define CORE_BARRIER() ((void)0)
typedef uint8_t ring_index_t;
/* Ticks of a microsecond, as a power of two: the MAC timer counts 32. */
#define TICK_SHIFT 5u
/*
 * Slots of the ring, one of them the producer's. The Makefile sets 44 for the image, as many as its 8 KB of RAM hold.
 * No image has the default.
 */
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
/* Ticks of a microsecond, as a power of two: the timer counts microseconds. */
#define TICK_SHIFT 0u
/*
 * Slots of the ring, one of them the producer's. The Makefile sets 1024 for the images (148 of 256 KB of RAM), and 8
 * for fuzzing; the default is that of the unit tests. Chosen here by judgement: any number will do for those.
 */
#ifndef RING_SLOTS
#define RING_SLOTS 512u
#endif
#endif

#endif
