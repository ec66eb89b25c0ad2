"""RADIO, TIMER0 and PPI, as far as a receiver needs them (nRF52840 PS 6.20, 6.30, 6.16)."""

from .machine import MHZ

BASE, TIMER, PPI = 0x40001000, 0x40008000, 0x4001F000
DISABLED, RX_RAMP_UP, RX_IDLE, RX, RX_DISABLE = 0, 1, 2, 3, 4
READY_EDSTART, EDEND_DISABLE, RXREADY_START, ADDRESS_RSSISTART = 1 << 15, 1 << 16, 1 << 19, 1 << 4
OCTET_US = 32
# Four octets of preamble and the SFD.
SHR_US = 5 * OCTET_US
RAMP_UP_US = 40
DISABLE_US = 6


class Frame:
    """What is on the air: `psdu` with its FCS as sent, whether that is right, when the SFD ended (us, exact)."""

    def __init__(self, psdu, channel, rssi, lqi, fcs_ok=True):
        self.psdu, self.channel, self.rssi, self.lqi, self.fcs_ok = psdu, channel, rssi, lqi, fcs_ok
        self.sfd_us = None
        self.heard = None


class Radio:
    def __init__(self, machine, timer_from=0):
        self.machine = machine
        self.state = DISABLED
        self.buffer = None
        self.locked = None
        self.missed = []
        self.noise = {}
        self.answers = True  # False: a radio that has hung
        self.ends_before_disable = False  # True: a frame on the air ends in the moment before the radio is disabled
        self.event = {
            name: machine.register(BASE + offset)
            for name, offset in dict(
                READY=0x100, ADDRESS=0x104, END=0x10C, DISABLED=0x110, CRCOK=0x130, CRCERROR=0x134,
                FRAMESTART=0x138, EDEND=0x13C, RXREADY=0x158, PHYEND=0x16C,
            ).items()
        }
        self.address = {name: BASE + offset for name, offset in (("FRAMESTART", 0x138),)}
        self.config = {}
        for name, offset, value in (
            ("SHORTS", 0x200, 0), ("PACKETPTR", 0x504, 0), ("FREQUENCY", 0x508, 2), ("MODE", 0x510, 0),
            ("PCNF0", 0x514, 0), ("PCNF1", 0x518, 0), ("CRCCNF", 0x534, 0), ("CRCPOLY", 0x538, 0),
            ("CRCINIT", 0x53C, 0), ("CRCSTATUS", 0x400, 0), ("RSSISAMPLE", 0x548, 127), ("MODECNF0", 0x650, 0x200),
            ("SFD", 0x660, 0xA7), ("EDCNT", 0x664, 0), ("EDSAMPLE", 0x668, 0),
        ):  # fmt: skip
            self.config[name] = machine.register(BASE + offset, value)
        self.inten = 0
        machine.register(BASE + 0x304, write=self._intenset)
        machine.register(BASE + 0x550, read=lambda: self.state)
        machine.register(BASE + 0xFFC, 1, write=self._power)
        machine.register(BASE + 0x004, write=lambda v: self._rxen())
        machine.register(BASE + 0x008, write=lambda v: self._start())
        machine.register(BASE + 0x010, write=lambda v: self._disable())
        machine.lines[1] = lambda: self.inten & 1 << 3 and self.event["END"][0]
        self.timer = Timer(machine, timer_from)

    def _intenset(self, value):
        assert value == 1 << 3, "only END has a line in this model"
        self.inten |= value

    def _power(self, value):
        if value & 1 == 0:
            self.state, self.locked, self.inten = DISABLED, None, 0
            self.config["SHORTS"][0] = 0
            for event in self.event.values():
                event[0] = 0

    def _raise(self, name):
        self.event[name][0] = 1
        if name in self.address:
            self.timer.ppi(self.address[name])

    def check(self):
        """The registers of 802.15.4 reception, from the product specification, not from the firmware."""
        expected = dict(
            MODE=15, PCNF0=0x06000008, PCNF1=127, CRCCNF=0x202, CRCPOLY=0x11021, CRCINIT=0, SFD=0xA7, MODECNF0=1
        )
        found = {name: self.config[name][0] for name in expected}
        assert found == expected, found

    def _rxen(self):
        if not self.answers:
            return
        assert self.state == DISABLED, f"RXEN in state {self.state}"
        self.state = RX_RAMP_UP
        self.machine.after(RAMP_UP_US, self._ready)

    def _ready(self):
        if self.state != RX_RAMP_UP:
            return
        self.check()
        self.state = RX_IDLE
        shorts = self.config["SHORTS"][0]
        self._raise("READY")
        self._raise("RXREADY")
        if shorts & READY_EDSTART:
            self.machine.after(128 * (self.config["EDCNT"][0] + 1), self._energy)
        if shorts & RXREADY_START:
            self._start()

    def _energy(self):
        if self.state != RX_IDLE:
            return
        self.config["EDSAMPLE"][0] = self.noise.get(self.channel(), 0)
        self._raise("EDEND")
        if self.config["SHORTS"][0] & EDEND_DISABLE:
            self._disable()

    def _start(self):
        if self.state == RX_IDLE:
            self.buffer = self.machine.dma(self.config["PACKETPTR"][0], 129)
            self.state = RX
        else:
            assert not self.answers, f"START in state {self.state}"

    def _disable(self):
        if not self.answers:
            return
        if self.ends_before_disable and self.locked:
            self._end(self.locked)
        self.locked = None
        if self.state != DISABLED:
            self.state = RX_DISABLE
            self.machine.after(DISABLE_US, self._disabled)

    def _disabled(self):
        if self.state == RX_DISABLE:
            self.state = DISABLED
            self._raise("DISABLED")

    def hang(self):
        """The receiver stops by itself, as none should."""
        self.state, self.locked = DISABLED, None

    def channel(self):
        return self.config["FREQUENCY"][0] // 5 + 10

    # --- the air ------------------------------------------------------------------------------------------------------
    def transmit(self, frame, start_us):
        """Puts a frame on the air, its preamble beginning at `start_us`. Returns when it ends."""
        at = round(start_us * MHZ)
        assert at >= self.machine.now
        sfd = at + SHR_US * MHZ
        end = sfd + OCTET_US * (1 + len(frame.psdu)) * MHZ
        frame.sfd_us = sfd / MHZ
        self.machine.at(at, lambda: self._preamble(frame))
        self.machine.at(sfd, lambda: self._sfd(frame))
        self.machine.at(sfd + OCTET_US * MHZ, lambda: self._phr(frame))
        self.machine.at(end, lambda: self._end(frame))
        return end / MHZ

    def _preamble(self, frame):
        if self.state == RX and self.locked is None and self.channel() == frame.channel:
            self.locked = frame
        else:
            self.missed.append(frame)

    def _sfd(self, frame):
        if self.locked is frame:
            self._raise("ADDRESS")
            if self.config["SHORTS"][0] & ADDRESS_RSSISTART:
                self.config["RSSISAMPLE"][0] = -frame.rssi

    def _phr(self, frame):
        if self.locked is frame:
            self._raise("FRAMESTART")
            # From here the buffer is the radio's: what is in it is not what will be.
            self.machine.uc.mem_write(self.buffer, bytes([len(frame.psdu)]) + b"\x5a" * 128)

    def _end(self, frame):
        if self.locked is not frame:
            if not frame.heard and frame not in self.missed[-8:]:
                self.missed.append(frame)
            return
        length = len(frame.psdu)
        # The FCS is checked and not stored: the LQI takes its first octet, and the second is not defined.
        octets = bytes([length]) + frame.psdu[: max(0, length - 2)] + bytes([frame.lqi // 4, 0xEE])
        self.machine.uc.mem_write(self.buffer, octets)
        self.config["CRCSTATUS"][0] = int(frame.fcs_ok)
        self.state, self.locked = RX_IDLE, None
        frame.heard = True
        self._raise("CRCOK" if frame.fcs_ok else "CRCERROR")
        self._raise("END")
        self._raise("PHYEND")


class Timer:
    """TIMER0 at 1 MHz in 32 bits, and the PPI channel that stamps frames."""

    def __init__(self, machine, start_from):
        self.machine = machine
        self.from_ = start_from
        self.began = None
        self.capture = [0, 0]
        self.compare = 0
        self.event = machine.register(TIMER + 0x148)
        self.inten = machine.register(TIMER + 0x304)
        for offset in (0x504, 0x508, 0x510):
            machine.register(TIMER + offset)
        machine.register(TIMER + 0x000, write=self._start)
        machine.register(TIMER + 0x00C)
        for n in range(2):
            machine.register(TIMER + 0x040 + 4 * n, write=lambda v, n=n: self._capture(n))
            machine.register(TIMER + 0x540 + 4 * n, read=lambda n=n: self.capture[n])
        machine.register(TIMER + 0x548, read=lambda: self.compare, write=self._compare)
        machine.lines[8] = lambda: self.inten[0] & 1 << 18 and self.event[0]
        self.eep = machine.register(PPI + 0x510)
        self.tep = machine.register(PPI + 0x514)
        self.chen = machine.register(PPI + 0x504)

    def count(self):
        return 0 if self.began is None else (self.from_ + (self.machine.now - self.began) // MHZ) % 2**32

    def _start(self, _value):
        bits, prescaler = (self.machine.readers[TIMER + offset]() for offset in (0x508, 0x510))
        assert (bits, prescaler) == (3, 4), "32 bits at 1 MHz"
        self.began = self.machine.now
        # A timer that has run for a while already: the firmware's first compare is relative to 0.
        self._compare((self.compare + self.from_) % 2**32)

    def _compare(self, value):
        self.compare = value
        if self.began is not None:
            left = (value - self.count()) % 2**32
            # The count this many microseconds on, not before a part of one has passed.
            passed = (self.machine.now - self.began) % MHZ
            self.machine.at(self.machine.now - passed + left * MHZ, lambda: self._match(value))

    def _match(self, value):
        if value == self.compare:
            self.event[0] = 1

    def _capture(self, n):
        self.capture[n] = self.count()

    def ppi(self, event):
        if self.chen[0] & 1 and self.eep[0] == event:
            self.machine.writers[self.tep[0]](1)
