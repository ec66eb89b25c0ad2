"""USBD, POWER and CLOCK of the nRF52840 (PS 6.35, 5.3, 5.4), and the host at the other end of the cable."""

import struct

BASE = 0x40027000
PACKET = 64
# A full-speed bulk transaction of 64 octets with its token and handshake: 19 in a millisecond (USB 2.0, table 5-9).
TRANSACTION_US = 53


class Stall(Exception):
    """The device refused a control request."""


class Usb:
    def __init__(self, machine):
        self.machine = machine
        self.vbus = False
        self.attached = False
        self.reading = True
        self.received = bytearray()  # what a program on the host has read
        self.urb = bytearray()  # what waits for a short packet before a program gets it
        self.in_packet = None
        self.empty_packets = 0
        self.control_packets = 0
        self.out_queue = bytearray()
        self.out_packet = None
        self.out_open = False
        self.setup = None
        self.out_stage = None
        self.answer = bytearray()
        self.outcome = None
        self.stalls = set()
        self.pokes = []
        reg = machine.register
        self.event = {
            name: reg(BASE + offset)
            for name, offset in dict(
                USBRESET=0x100, EP0DATADONE=0x128, USBEVENT=0x158, EP0SETUP=0x15C, EPDATA=0x160
            ).items()
        }
        self.ended = {n: reg(BASE + 0x108 + 4 * n) for n in (0, 1, 2)}
        self.fetched = {n: reg(BASE + 0x130 + 4 * n) for n in (0, 2)}
        self.inten = 0
        reg(BASE + 0x304, write=self._intenset)
        self.cause = [0]
        reg(BASE + 0x400, read=lambda: self.cause[0], write=self._clear(self.cause))
        self.status = [0]
        reg(BASE + 0x46C, read=lambda: self.status[0], write=self._clear(self.status))
        for i in range(8):
            reg(BASE + 0x480 + 4 * i, read=lambda i=i: self.setup[i])
        self.size = {n: reg(BASE + 0x4A0 + 4 * n) for n in (0, 2)}
        reg(BASE + 0x4A8, read=lambda: self.size[2][0], write=lambda v: self._open_out())
        reg(BASE + 0x500, write=self._enable)
        reg(BASE + 0x504, write=self._pullup)
        self.toggles = []
        reg(BASE + 0x50C, write=self.toggles.append)
        self.in_enabled, self.out_enabled = reg(BASE + 0x510), reg(BASE + 0x514)
        reg(BASE + 0x518, write=self._stall)
        self.pointer = {}
        for n in (0, 1, 2):
            self.pointer[n, "in"] = reg(BASE + 0x600 + 20 * n), reg(BASE + 0x604 + 20 * n)
            self.pointer[n, "out"] = reg(BASE + 0x700 + 20 * n), reg(BASE + 0x704 + 20 * n)
            reg(BASE + 0x004 + 4 * n, write=lambda v, n=n: self._start_in(n))
            reg(BASE + 0x028 + 4 * n, write=lambda v, n=n: self._start_out(n))
        reg(BASE + 0x04C, write=lambda v: self._receive_out())
        reg(BASE + 0x050, write=lambda v: self._finish("done"))
        reg(BASE + 0x054, write=lambda v: self._finish("stall"))
        for address in (0x4006EC00, 0x4006ED14, 0x4006EC14):
            reg(address, read=lambda: 0, write=lambda v, a=address: self.pokes.append((a & 0xFFFF, v)))
        reg(0x40000438, read=lambda: 3 if self.vbus else 0)
        started = reg(0x40000100)
        reg(0x40000000, write=lambda v: machine.after(360, lambda: started.__setitem__(0, 1)))
        bits = dict(USBRESET=0, EP0DATADONE=10, USBEVENT=22, EP0SETUP=23, EPDATA=24)
        machine.lines[39] = lambda: any(self.inten >> bit & 1 and self.event[name][0] for name, bit in bits.items())

    # --- the controller -----------------------------------------------------------------------------------------------
    def _intenset(self, value):
        self.inten |= value

    @staticmethod
    def _clear(cell):
        """Bits are cleared by writing ones."""
        return lambda value: cell.__setitem__(0, cell[0] & ~value)

    def _enable(self, value):
        if value:
            assert self.vbus, "enabled without a bus"
            assert (0xED14, 3) in self.pokes and (0xEC14, 0xC0) in self.pokes, "errata 187 and 171 come first"
            self.machine.after(10, lambda: self.cause.__setitem__(0, self.cause[0] | 1 << 11))
        else:
            self.inten = 0

    def _pullup(self, value):
        self.attached = bool(value)
        if value:
            assert self.pokes[-4:][1:3] == [(0xED14, 0), (0xEC14, 0)], "the errata's registers are back at 0"

    def _stall(self, value):
        endpoint = value & 0x87
        (self.stalls.add if value & 0x100 else self.stalls.discard)(endpoint)

    def _raise(self, name):
        self.event[name][0] = 1

    def _dma(self, n, direction):
        pointer, count = (cell[0] for cell in self.pointer[n, direction])
        assert count <= PACKET
        return self.machine.dma(pointer, count), count

    def _start_in(self, n):
        pointer, count = self._dma(n, "in")
        packet = bytes(self.machine.uc.mem_read(pointer, count))
        self.ended[n][0] = 1
        if n == 0:
            request = self.setup
            self.control_packets += 1
            self.machine.after(TRANSACTION_US, lambda: self._take_control(request, packet))
        else:
            assert self.in_enabled[0] >> n & 1, "the endpoint is not open"
            assert self.in_packet is None, "the host has not taken the packet before"
            self.in_packet = packet
            self.machine.after(TRANSACTION_US, self._take_in)

    def _take_control(self, request, packet):
        # A packet of a request that the host has given up is never taken.
        if request is self.setup:
            self.answer += packet
            self._raise("EP0DATADONE")

    def _take_in(self):
        if self.in_packet is None or not self.reading or not self.attached:
            return
        packet, self.in_packet = self.in_packet, None
        self.urb += packet
        self.empty_packets += not packet
        if len(packet) < PACKET or len(self.urb) >= 4096:
            # A read completes on a short packet or when its buffer is full.
            self.received += self.urb
            self.urb.clear()
        self.status[0] |= 1 << 2
        self._raise("EPDATA")

    def _open_out(self):
        self.out_open = True
        self._push_out()

    def _push_out(self):
        if self.out_open and self.out_packet is None and self.out_queue and self.attached:
            packet, self.out_queue = bytes(self.out_queue[:PACKET]), self.out_queue[PACKET:]
            self.out_packet = packet
            self.size[2][0] = len(packet)
            self.status[0] |= 1 << 18
            self._raise("EPDATA")

    def _start_out(self, n):
        pointer, count = self._dma(n, "out")
        packet = self.out_stage if n == 0 else self.out_packet
        assert packet is not None, "fetched before there was anything"
        self.machine.uc.mem_write(pointer, packet[:count])
        self.fetched[n][0] = 1
        if n == 2:
            self.out_packet = None
            self.machine.after(TRANSACTION_US, self._push_out)

    def _receive_out(self):
        assert self.out_stage is not None, "EP0RCVOUT in a request without data"
        self.size[0][0] = len(self.out_stage)
        self.machine.after(TRANSACTION_US, lambda: self._raise("EP0DATADONE"))

    def _finish(self, outcome):
        assert self.outcome is None, "a request ended twice"
        self.outcome = outcome

    # --- the host -----------------------------------------------------------------------------------------------------
    def request(self, kind, request, value=0, index=0, length=0, data=None):
        """A control request; returns what the device sent. Data of the host is at most one packet."""
        length = len(data) if data is not None else length
        self.ask(kind, request, value, index, length, data)
        self.machine.run_while(lambda: self.outcome is None, 500_000)
        if self.outcome == "stall":
            raise Stall(f"{kind:#x} {request:#x} {value:#x} {index:#x}")
        assert len(self.answer) <= length
        return bytes(self.answer)

    def ask(self, kind, request, value, index, length, data=None):
        """Sends a setup packet and does not wait for the answer."""
        self.setup = struct.pack("<BBHHH", kind, request, value, index, length)
        self.answer, self.outcome, self.out_stage = bytearray(), None, data
        self._raise("EP0SETUP")

    def plug(self):
        self.vbus = True
        self.machine.run_while(lambda: not self.attached, 400_000)
        self.bus_reset()

    def bus_reset(self):
        self._raise("USBRESET")
        self.machine.run(10_000)

    def unplug(self):
        """The cable is pulled; the board has another supply (a dongle has not: it is off then)."""
        self.vbus = False
        self.in_packet = self.out_packet = None
        self.out_open = False
        self.urb.clear()
        self.out_queue.clear()
        self.status[0] = 0
        self.machine.run_while(lambda: self.attached, 400_000)

    def configure(self):
        self.request(0x00, 9, 1)

    def set_dtr(self, up):
        self.request(0x21, 0x22, int(up))

    def write(self, octets):
        self.out_queue += octets
        self._push_out()

    def read(self):
        octets, self.received = bytes(self.received), bytearray()
        return octets

    def resume_reading(self):
        self.reading = True
        self.machine.after(TRANSACTION_US, self._take_in)
