"""Tests of the images that `make nrf52840` builds, executed. FIRMWARE_BUILD says where they are."""

import os
import pathlib
import random

from sim.board import Board
from sim.host import fcs
from sim.radio import Frame

ROOT = pathlib.Path(__file__).parent.parent.parent
BUILD = pathlib.Path(os.environ.get("FIRMWARE_BUILD", ROOT / "build"))
NRF = BUILD / "nrf52840"
DONGLE = NRF / "nrf52840-dongle.elf"
DK = NRF / "nrf52840-dk.elf"
# The shortest time between two frames: 12 symbols of 16 us (IEEE 802.15.4-2020, aTurnaroundTime and macSifsPeriod).
GAP_US = 192


def board(**options):
    return Board(DONGLE, **options)


def traffic(seed, count, channel=15, bad_one_in=0):
    """Frames of every length 3..127 in turn, with octets, levels and, now and then, wrong FCSs drawn from a seed."""
    draw = random.Random(seed)
    for i in range(count):
        payload = draw.randbytes(1 + i % 125)
        good = not bad_one_in or draw.randrange(bad_one_in) != 0
        check = fcs(payload) if good else bytes(octet ^ 0x55 for octet in fcs(payload))
        yield Frame(payload + check, channel, -draw.randrange(1, 100), draw.randrange(0, 256), good)


class Air:
    """Puts frames on the air one after the other, as close as the standard allows or as far apart as asked."""

    def __init__(self, machine, radio):
        self.machine, self.radio = machine, radio
        self.free_us = machine.now / 64 + 1_000.3

    def send(self, frame, gap_us=GAP_US):
        # A part of a microsecond more, so that frames begin everywhere between two ticks of the timer.
        self.free_us = max(self.free_us, self.machine.now / 64 + 1) + gap_us + 0.37
        self.free_us = self.radio.transmit(frame, self.free_us)

    def quiet(self):
        """Runs until the last frame is over and the firmware has had time to pass it on."""
        self.machine.run_to(round((self.free_us + 1_000) * 64))
