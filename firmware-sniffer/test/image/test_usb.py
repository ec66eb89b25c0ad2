"""The USB device as a host's operating system meets it, and cables that are pulled."""

import struct
import unittest

from sim.board import Board
from sim.host import Session, frames
from sim.usb import PACKET, Stall

from . import DK, NRF, Air, board, traffic


def text(descriptor):
    assert descriptor[0] == len(descriptor) and descriptor[1] == 3
    return descriptor[2:].decode("utf-16-le")


class Enumeration(unittest.TestCase):
    def setUp(self):
        self.board = board()
        self.usb = self.board.usb
        self.usb.plug()

    def test_the_device_is_ours(self):
        first = self.usb.request(0x80, 6, 0x100, 0, 8)
        device = self.usb.request(0x80, 6, 0x100, 0, 18)
        self.assertEqual((len(first), device[:8]), (8, first))
        vendor, product = struct.unpack_from("<HH", device, 8)
        # https://pid.codes/1209/0001/: for tests
        self.assertEqual((vendor, product), (0x1209, 0x0001))
        strings = [text(self.usb.request(0x80, 6, 0x300 + i, 0x409, 255)) for i in device[14:17]]
        self.assertEqual(
            strings, ["RTOscope", "RTOscope 802.15.4 sniffer (nrf52840-dongle)", "0123456789ABCDEF"]
        )
        self.assertEqual(self.usb.request(0x80, 6, 0x300, 0, 255), bytes.fromhex("04030904"))
        for value in (0x304, 0x600, 0x101, 0x201, 0x700, 0xF00):
            with self.assertRaises(Stall):
                self.usb.request(0x80, 6, value, 0, 255)

    def test_the_other_identity_is_another_build(self):
        # Only the two octets of each number may differ, and the strings stay ours.
        other = Board(NRF / "id-nordic" / "nrf52840-dongle.elf")
        other.usb.plug()
        device = other.usb.request(0x80, 6, 0x100, 0, 18)
        self.assertEqual(struct.unpack_from("<HH", device, 8), (0x1915, 0x154B))
        self.assertEqual(text(other.usb.request(0x80, 6, 0x301, 0x409, 255)), "RTOscope")

    def test_the_configuration_adds_up(self):
        head = self.usb.request(0x80, 6, 0x200, 0, 9)
        whole = self.usb.request(0x80, 6, 0x200, 0, 1024)
        self.assertEqual(struct.unpack_from("<H", head, 2)[0], len(whole))
        parts, at = [], 0
        while at < len(whole):
            parts.append(whole[at : at + whole[at]])
            at += whole[at]
        self.assertEqual(at, len(whole))
        self.assertEqual(head[4], sum(part[1] == 4 for part in parts))
        endpoints = {part[2]: (part[3], struct.unpack_from("<H", part, 4)[0]) for part in parts if part[1] == 5}
        self.assertEqual(endpoints, {0x81: (3, 8), 0x82: (2, 64), 0x02: (2, 64)})
        # CDC 1.2, 5.2.3: header first, a union of interfaces 0 and 1.
        functional = [part[2] for part in parts if part[1] == 0x24]
        self.assertEqual((functional[0], sorted(functional)), (0, [0, 1, 2, 6]))

    def test_requests_of_chapter_nine(self):
        request = self.usb.request
        self.assertEqual(request(0x80, 8, length=1), b"\0")
        request(0x00, 9, 1)
        self.assertEqual(request(0x80, 8, length=1), b"\1")
        self.assertEqual(request(0x80, 0, length=2), b"\0\0")
        self.assertEqual(request(0x81, 10, index=1, length=1), b"\0")
        request(0x01, 11, 0, 1)
        request(0x02, 3, 0, 0x82)
        self.assertEqual((request(0x82, 0, 0, 0x82, 2), self.usb.stalls), (b"\1\0", {0x82}))
        self.usb.toggles.clear()
        request(0x02, 1, 0, 0x82)
        self.assertEqual((request(0x82, 0, 0, 0x82, 2), self.usb.stalls), (b"\0\0", set()))
        self.assertEqual(self.usb.toggles, [0x82, 0x182])
        for bad in ((0x00, 9, 2), (0x01, 11, 1, 0), (0x01, 11, 0, 2), (0x02, 3, 0, 0x83), (0x82, 0, 0, 5, 2),
                    (0xC0, 1, 0, 0, 8), (0x21, 0x23, 0, 0, 0)):  # fmt: skip
            with self.assertRaises(Stall):
                request(*bad)

    def test_line_coding_is_kept(self):
        self.usb.configure()
        self.assertEqual(self.usb.request(0xA1, 0x21, length=7), struct.pack("<IBBB", 115200, 0, 0, 8))
        coding = struct.pack("<IBBB", 460800, 2, 1, 7)
        self.usb.request(0x21, 0x20, data=coding)
        self.assertEqual(self.usb.request(0xA1, 0x21, length=7), coding)
        with self.assertRaises(Stall):
            self.usb.request(0x21, 0x20, data=bytes(8))

    def test_a_setup_packet_ends_the_request_before_it(self):
        # A host that gives up a long answer when the device offers its first or its second packet.
        for packets in (1, 2):
            self.usb.control_packets = 0
            self.usb.ask(0x80, 6, 0x302, 0x409, 255)
            self.board.machine.run_while(lambda: self.usb.control_packets < packets, 10_000)
            self.assertEqual(self.usb.request(0x80, 6, 0x100, 0, 18)[:2], b"\x12\x01")

    def test_line_open_needs_a_configuration(self):
        self.usb.set_dtr(True)
        self.board.machine.run(5_000)
        self.assertEqual(self.usb.read(), b"")


class Cable(unittest.TestCase):
    def test_unplugged_and_plugged_again(self):
        # A board with a supply of its own: the chip runs on.
        machine = Board(DK, button=(0, 11))
        host = Session(machine)
        host.say("channel 15")
        host.say("receive")
        air = Air(machine.machine, machine.radio)
        for round_ in range(3):
            kept, lost = list(traffic(20 + round_, 20)), list(traffic(30 + round_, 20))
            for frame in kept:
                air.send(frame)
            air.quiet()
            self.assertEqual([psdu for psdu, *_ in frames(machine.usb.read())], [frame.psdu for frame in kept])
            machine.usb.unplug()
            for frame in lost:
                air.send(frame)
            air.quiet()
            machine.usb.plug()
            machine.usb.configure()
            host.open()
            answer = host.say("status")
            self.assertIn(f" heard={40 * (round_ + 1)} dropped=0 discarded={20 * (round_ + 1)} ".encode(), answer)
            host.say("shell echo off")

    def test_pulled_in_the_middle_of_a_packet(self):
        machine = Board(DK, button=(0, 11))
        host = Session(machine)
        for _ in range(5):
            machine.usb.reading = False
            machine.usb.write(b"info\r\n" * 20)
            machine.machine.run(3_000)
            machine.usb.unplug()
            machine.usb.reading = True
            machine.usb.plug()
            machine.usb.configure()
            host.open()
            machine.usb.read()
            self.assertIn(b"# rtoscope-sniffer", host.say("info"))

    def test_a_bus_reset_forgets_the_line(self):
        machine = board()
        host = Session(machine)
        host.binary()
        machine.usb.bus_reset()
        machine.usb.configure()
        host.open()
        self.assertEqual(machine.usb.read(), b"\r\n")
        self.assertIn(b"# rtoscope-sniffer", host.say("info"))

    def test_what_fills_packets_exactly_arrives(self):
        # A reader gets what it waits for when a packet is not full; after full ones there must come an empty one.
        machine = board()
        host = Session(machine)
        for blanks in range(2 * PACKET):
            # While the host does not read, what waits becomes packets as full as can be; one of the lengths fits.
            machine.usb.reading = False
            machine.usb.write(b"\r".join([b" " * 20] * (blanks // 20) + [b" " * (blanks % 20) + b"channel 11\r"]))
            machine.machine.run(10_000)
            machine.usb.resume_reading()
            machine.machine.run(10_000)
            self.assertTrue(machine.usb.read().endswith(b"# channel 11\r\n"))
            self.assertEqual(machine.usb.urb, b"")
        self.assertGreater(machine.usb.empty_packets, 0)


if __name__ == "__main__":
    unittest.main()
