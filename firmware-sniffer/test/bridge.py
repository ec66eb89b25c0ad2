"""A simulated dongle behind a pseudo-terminal: `bridge.py IMAGE FRAMES`, with FIRMWARE_BUILD's Python.

Prints the terminal's path, then runs the nRF52840's image as fast as time goes on the host and moves octets between the
two, until the host has closed the line after all frames, or for `--seconds`. FRAMES holds one frame a line, `TIME_US CHANNEL DBM LQI
PSDU`, the PSDU in hexadecimal with its FCS, times counted from the moment the firmware starts receiving, and not overlapping. More
of them may come on the standard input, up to an empty line; their times count from then. Whenever all are sent, prints how many were
heard. A host that opens the terminal raises DTR, and one that closes it lowers it, as with a real line.
"""

import argparse
import os
import pty
import select
import sys
import time
import tty

from sim.board import Board
from sim.host import fcs
from sim.radio import DISABLED, Frame
from sim.usb import PACKET

# Simulated time between two looks at the host, in microseconds.
STEP_US = 2_000


def load(lines):
    for line in lines:
        at, channel, dbm, lqi, psdu = line.split()
        psdu = bytes.fromhex(psdu)
        yield float(at), Frame(psdu, int(channel), int(dbm), int(lqi), fcs(psdu[:-2]) == psdu[-2:])


class Bridge:
    def __init__(self, image, frames):
        self.board = Board(image)
        self.machine, self.usb = self.board.machine, self.board.usb
        self.frames = list(frames)
        self.terminal, slave = pty.openpty()
        tty.setraw(slave)
        self.path = os.ttyname(slave)
        # Closed here, so that the terminal shows whether a host has it open.
        os.close(slave)
        os.set_blocking(self.terminal, False)
        self.dtr = False
        self.unsent = b""
        self.usb.plug()
        self.usb.configure()
        self.end_us = None
        self.said = False
        self.input = b""

    def host_is_there(self):
        poll = select.poll()
        poll.register(self.terminal, select.POLLHUP)
        return not any(events & select.POLLHUP for _, events in poll.poll(0))

    def exchange(self):
        there = self.host_is_there()
        if there != self.dtr:
            self.dtr = there
            self.unsent = b""
            self.usb.set_dtr(there)
        if not there:
            self.usb.read()
            return
        try:
            self.usb.write(os.read(self.terminal, 16 * PACKET))
        except (BlockingIOError, OSError):
            pass
        self.unsent += self.usb.read()
        # A host that does not read: no more is taken from the device either, which then counts what it drops.
        self.usb.reading = len(self.unsent) < 4096
        if self.usb.reading:
            self.usb.resume_reading()
        try:
            self.unsent = self.unsent[os.write(self.terminal, self.unsent) :] if self.unsent else b""
        except BlockingIOError:
            pass

    def schedule(self, frames):
        base = self.machine.now / 64 + 10_000
        self.end_us = max([self.board.radio.transmit(frame, base + at) for at, frame in frames], default=base)
        self.said = False

    def begin(self):
        """Puts the frames of the file on the air once the receiver is on."""
        if self.end_us is None and self.board.radio.state != DISABLED:
            self.schedule(self.frames)

    def more(self):
        """Puts those of the standard input on the air, once the air is free."""
        if self.input is not None and self.is_over() and select.select([0], [], [], 0)[0]:
            octets = os.read(0, 65536)
            self.input = self.input + octets if octets else None
        while self.input and self.is_over() and b"\n\n" in self.input:
            lines, self.input = self.input.split(b"\n\n", 1)
            frames = list(load(lines.decode("ascii").splitlines()))
            self.frames += frames
            self.schedule(frames)

    def is_over(self):
        return self.end_us is not None and self.machine.now / 64 > self.end_us + 100_000

    def run(self, seconds):
        began = time.monotonic()
        while True:
            self.machine.run(STEP_US)
            self.exchange()
            self.begin()
            self.more()
            passed = time.monotonic() - began
            if passed > seconds:
                return
            if self.is_over():
                if not self.said:
                    self.said = True
                    heard = sum(bool(frame.heard) for _, frame in self.frames)
                    print(f"{heard} of {len(self.frames)} frames heard", flush=True)
                if not self.dtr and not self.unsent:
                    return
            ahead = self.machine.now / 64e6 - passed
            if ahead > 0:
                time.sleep(ahead)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("image")
    parser.add_argument("frames")
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    with open(options.frames, encoding="ascii") as lines:
        bridge = Bridge(options.image, load(lines))
    print(bridge.path, flush=True)
    bridge.run(options.seconds)


if __name__ == "__main__":
    sys.exit(main())
