/* A sniffer on a fake machine, and the host at its line. */
#ifndef UNIT_SESSION_H
#define UNIT_SESSION_H

#include "sniffer.h"

extern struct sniffer sniffer;
/* Octets that the host read last, and a zero behind them. */
extern uint8_t got[1u << 20];
extern uint32_t got_length;

/* Power-up. */
void session_start(void);

/* Power-up, a host that opens the line, echo off. */
void session_open(void);

/* Reads all that waits, as text that ends. */
const char *session_read(void);

/* The host sends text. */
void session_say(const char *text);

/* A frame of `length` octets is heard at `ticks`, with octets that tell which it is. */
void session_receive(uint8_t length, uint32_t ticks, bool fcs_ok);

/* Reads all that waits: records, checked, the first `most` of them kept. Returns how many. */
unsigned session_records(uint8_t out[][RECORD_MAX], unsigned most);

#endif
