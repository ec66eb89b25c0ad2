/*
 * The registers this firmware uses. Names, addresses and values: CC253x User's Guide (SWRU191F); USB, its chapter 21; radio,
 * chapter 23; MAC timer, chapter 22.
 */
#ifndef CC2531_REGS_H
#define CC2531_REGS_H

#include <stdint.h>

#define XREG(address) (*(volatile __xdata uint8_t *)(address))

/* Special function registers: clocks, MAC timer (T2), interrupts, radio, watchdog */
__sfr __at(0x80) P0;
__sfr __at(0x90) P1;
__sfr __at(0x94) T2CTRL;
#define T2CTRL_RUN 0x01u
#define T2CTRL_LATCH_MODE 0x08u
__sfr __at(0x9A) IEN2;
#define IEN2_RFIE 0x01u
__sfr __at(0x9B) S1CON;
__sfr __at(0x9D) SLEEPSTA;
__sfr __at(0x9E) CLKCONSTA;
__sfr __at(0xA2) T2M0;
__sfr __at(0xA3) T2M1;
__sfr __at(0xA4) T2MOVF0;
__sfr __at(0xA5) T2MOVF1;
__sfr __at(0xA6) T2MOVF2;
__sfr __at(0xA8) IEN0;
__sbit __at(0xAF) EA;
__sfr __at(0xBF) RFERRF;
#define RFERRF_RXOVERF 0x04u
__sfr __at(0xC3) T2MSEL;
#define T2MSEL_NOW 0x00u
#define T2MSEL_CAPTURE 0x11u
#define T2MSEL_PERIOD 0x22u
__sfr __at(0xC6) CLKCONCMD;
/* 32 MHz from the crystal, the MAC timer at 32 MHz, 32 kHz from its RC oscillator. */
#define CLKCON_XOSC 0x80u
__sfr __at(0xC9) WDCTL;
#define WDCTL_WATCHDOG_1S 0x08u
#define WDCTL_FEED_FIRST 0xA8u
#define WDCTL_FEED_SECOND 0x58u
__sfr __at(0xD9) RFD;
__sfr __at(0xE1) RFST;
#define RFST_ISRXON 0xE3u
#define RFST_ISFLUSHRX 0xEDu
#define RFST_ISRFOFF 0xEFu
__sfr __at(0xE9) RFIRQF0;
#define RFIRQF0_SFD 0x02u
#define RFIRQF0_RXPKTDONE 0x40u
__sfr __at(0xFD) P0DIR;
__sfr __at(0xFE) P1DIR;

/* Radio, chapter 23 */
#define FRMFILT0 XREG(0x6180)
#define SRCMATCH XREG(0x6182)
#define FRMCTRL0 XREG(0x6189)
#define FRMCTRL0_AUTOCRC 0x40u
#define FREQCTRL XREG(0x618F)
#define FSMSTAT1 XREG(0x6193)
#define FSMSTAT1_FIFOP 0x40u
#define FIFOPCTRL XREG(0x6194)
#define FSMCTRL XREG(0x6195)
#define CCACTRL0 XREG(0x6196)
#define RSSI XREG(0x6198)
#define RSSISTAT XREG(0x6199)
#define RFIRQM0 XREG(0x61A3)
#define FSCAL1 XREG(0x61AE)
#define AGCCTRL1 XREG(0x61B2)
#define TXFILTCFG XREG(0x61FA)

/* Flash controller: with prefetch the CPU does not wait for code. */
#define FCTL XREG(0x6270)
#define FCTL_PREFETCH 0x08u

/* USB, chapter 21 */
#define USBADDR XREG(0x6200)
#define USBCIF XREG(0x6206)
#define USBCIF_RST 0x04u
#define USBINDEX XREG(0x620E)
#define USBCTRL XREG(0x620F)
#define USBCTRL_USB_EN 0x01u
#define USBCTRL_PLL_EN 0x02u
#define USBCTRL_PLL_LOCKED 0x80u
#define USBMAXI XREG(0x6210)
/* While USBINDEX is 0: the control endpoint */
#define USBCS0 XREG(0x6211)
#define USBCS0_OUTPKT_RDY 0x01u
#define USBCS0_INPKT_RDY 0x02u
#define USBCS0_SENT_STALL 0x04u
#define USBCS0_DATA_END 0x08u
#define USBCS0_SETUP_END 0x10u
#define USBCS0_SEND_STALL 0x20u
#define USBCS0_CLR_OUTPKT_RDY 0x40u
#define USBCS0_CLR_SETUP_END 0x80u
#define USBCNT0 XREG(0x6216)
/* While USBINDEX is 1..5: that endpoint */
#define USBCSIL XREG(0x6211)
#define USBCSIL_INPKT_RDY 0x01u
#define USBCSIL_FLUSH 0x08u
#define USBCSIL_CLR_DATA_TOG 0x40u
#define USBCSIH XREG(0x6212)
#define USBCSIH_IN_DOUBLE 0x21u
#define USBF0 XREG(0x6220)
#define USBF3 XREG(0x6226)

/* Pins of the CC2531USB-RD */
#define P0_LED_GREEN 0x01u
#define P1_USB_PULLUP 0x01u
#define P1_LED_RED 0x02u

#endif
