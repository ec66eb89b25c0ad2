"""A board with the image on it: everything the models provide, and lights, button and watchdog."""

from .machine import MHZ, Machine, Reset
from .radio import Radio
from .usb import Usb

GPIO = 0x50000000
WDT = 0x40010000


class Board:
    def __init__(self, path, timer_from=0, button=(1, 6), reset_cause=0):
        self.machine = Machine(path)
        self.radio = Radio(self.machine, timer_from)
        self.usb = Usb(self.machine)
        self.low = set()  # pins driven low
        self.outputs = set()
        self.button, self.pressed = button, False
        self.fed = None
        self.timeout_us = None
        reg = self.machine.register
        for port in range(2):
            base = GPIO + 0x300 * port
            reg(base + 0x508, write=lambda v, p=port: self.low.difference_update(self._pins(p, v)))
            reg(base + 0x50C, write=lambda v, p=port: self.low.update(self._pins(p, v)))
            reg(base + 0x510, read=lambda p=port: self._levels(p))
            for pin in range(32):
                reg(base + 0x700 + 4 * pin, write=lambda v, p=port, n=pin: self._configure(p, n, v))
        self.reset_cause = [reset_cause]
        reg(
            0x40000400,
            read=lambda: self.reset_cause[0],
            write=lambda v: self.reset_cause.__setitem__(0, self.reset_cause[0] & ~v),
        )
        self.wdt = {name: reg(WDT + offset) for name, offset in (("CRV", 0x504), ("RREN", 0x508), ("CONFIG", 0x50C))}
        reg(WDT + 0x000, write=self._guard)
        reg(WDT + 0x600, write=self._feed)

    @staticmethod
    def _pins(port, value):
        return {(port, bit) for bit in range(32) if value >> bit & 1}

    def _levels(self, port):
        low = {self.button} if self.pressed else set()
        return sum(1 << bit for bit in range(32) if (port, bit) not in low)

    def _configure(self, port, pin, value):
        if value & 1:
            self.outputs.add((port, pin))

    def lit(self, pin):
        return pin in self.outputs and pin in self.low

    def _guard(self, _value):
        assert self.wdt["CONFIG"][0] == 1 and self.wdt["RREN"][0] == 1, "runs in sleep, one reload register"
        self.timeout_us = (self.wdt["CRV"][0] + 1) / 32768 * 1e6
        self._feed(0x6E524635)

    def _feed(self, value):
        assert value == 0x6E524635, "only this value reloads the watchdog"
        self.fed = self.machine.now
        self.machine.after(self.timeout_us, self._bite)

    def _bite(self):
        if self.machine.now - self.fed >= self.timeout_us * MHZ:
            raise Reset("watchdog")
