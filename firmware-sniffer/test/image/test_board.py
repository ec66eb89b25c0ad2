"""Lights, button, watchdog, bootloader, the second board, and how much memory it all takes."""

import unittest

import stack
from sim.board import Board
from sim.host import Session
from sim.machine import Reset

from . import DK, DONGLE, NRF, Air, board, traffic

GREEN, RED, BUTTON, RESET_WIRE = (0, 6), (0, 8), (1, 6), (0, 19)


class Lights(unittest.TestCase):
    def lit(self, machine, pin, ticks):
        """In how many of so many ticks of 50 ms a light was on."""
        count = 0
        for _ in range(ticks):
            machine.machine.run(50_000)
            count += machine.lit(pin)
        return count

    def test_green_shows_receiving_and_blinks_with_traffic(self):
        machine = board()
        host = Session(machine)
        self.assertEqual(self.lit(machine, GREEN, 80), 2)
        host.say("channel 15")
        host.say("receive")
        self.assertEqual(self.lit(machine, GREEN, 20), 20)
        air = Air(machine.machine, machine.radio)
        for frame in traffic(50, 20):
            air.send(frame, gap_us=60_000)
        self.assertLess(self.lit(machine, GREEN, 20), 12)
        self.assertEqual(self.lit(machine, RED, 5), 0)

    def test_red_shows_drops(self):
        machine = board()
        host = Session(machine)
        host.say("channel 15")
        host.say("receive")
        machine.usb.reading = False
        air = Air(machine.machine, machine.radio)
        for frame in traffic(51, 1_300):
            air.send(frame)
        air.quiet()
        machine.machine.run(60_000)
        self.assertTrue(machine.lit(RED))
        machine.usb.resume_reading()
        self.assertLess(self.lit(machine, RED, 40), 25)

    def test_the_button_puts_a_mark_among_the_frames(self):
        machine = board()
        host = Session(machine)
        for number in (1, 2):
            machine.pressed = True
            machine.machine.run(300_000)
            machine.pressed = False
            machine.machine.run(100_000)
            self.assertIn(f"# mark {number} time=".encode(), machine.usb.read())
        records = host.binary()
        machine.pressed = True
        machine.machine.run(100_000)
        marks = [r for r in records.feed(machine.usb.read()) if r["type"] == "mark"]
        self.assertEqual([mark["number"] for mark in marks], [3])


class Resets(unittest.TestCase):
    def test_the_watchdog_is_fed_with_and_without_a_host(self):
        machine = board()
        machine.machine.run(6_000_000)
        Session(machine)
        machine.machine.run(6_000_000)

    def test_the_watchdog_bites_when_the_main_loop_stops(self):
        machine = board()
        machine.machine.run(300_000)
        machine.machine.lines[8] = lambda: False
        with self.assertRaisesRegex(Reset, "watchdog"):
            machine.machine.run(3_000_000)

    def test_the_cause_of_the_last_reset_is_reported(self):
        machine = board(reset_cause=2)
        host = Session(machine)
        self.assertEqual(machine.reset_cause[0], 0)
        self.assertIn(b" reset=2 ", host.say("status"))
        machine.usb.request(0x21, 0x22, 1)
        self.assertEqual(host.binary().rest, b"")

    def test_the_dongle_pulls_its_own_reset_to_enter_the_bootloader(self):
        machine = board()
        host = Session(machine)
        self.assertNotIn(RESET_WIRE, machine.outputs)
        host.say("bootloader")
        self.assertIn(RESET_WIRE, machine.outputs & machine.low)

    def test_a_kit_has_no_bootloader_to_enter(self):
        machine = Board(DK, button=(0, 11))
        host = Session(machine)
        self.assertIn(b"# error no bootloader to enter", host.say("bootloader"))
        self.assertIn(b"nrf52840-dk", host.say("info"))

    def test_a_fault_is_a_reset(self):
        machine = board()
        machine.machine.run(100_000)
        # On a fault the core jumps to the third vector.
        vector = machine.machine.uc.mem_read(machine.machine.vectors + 12, 4)
        machine.machine.sleeping = False
        machine.machine.pc = int.from_bytes(vector, "little") & ~1
        with self.assertRaisesRegex(Reset, "software"):
            machine.machine.run(1_000)


class Memory(unittest.TestCase):
    def test_flash_ram_and_stack_stay_within_their_bounds(self):
        for path, origin in ((DONGLE, 0x1000), (DK, 0)):
            elf = Board(path).machine.elf
            sections = elf.allocated()
            # Nothing else takes memory on the chip.
            self.assertLessEqual(set(sections), {".text", ".stack", ".data", ".bss"})
            self.assertEqual(sections[".text"][0], origin)
            flash = sum(size for _, size, takes in sections.values() if takes)
            ram = sum(size for name, (_, size, _) in sections.items() if name != ".text")
            size = sections[".stack"][1]
            bound, _ = stack.bound(NRF / path.stem)
            print(f"# {path.stem}: flash {flash}, RAM {ram}, stack at most {bound} of {size}")
            self.assertLess(flash, 12 * 1024)
            self.assertLess(ram, 160 * 1024)
            self.assertLessEqual(bound, size * 3 // 4)
            # Below the stack is no RAM: growing too far is a fault, not silent damage.
            self.assertLessEqual(sections[".stack"][0], 0x20000008)

    def test_the_stack_never_gets_as_deep_as_its_bound(self):
        machine = board()
        host = Session(machine)
        host.binary()
        host.say("channel 15")
        host.say("receive")
        air = Air(machine.machine, machine.radio)
        for i, frame in enumerate(traffic(52, 200)):
            air.send(frame)
            machine.usb.write((b"status\r", b"energy 15\r", b"framing text\r", b"framing binary 1\r")[i % 4])
        air.quiet()
        bound, _ = stack.bound(NRF / DONGLE.stem)
        used = machine.machine.stack_used()
        print(f"# stack used {used} of {bound}")
        self.assertTrue(100 < used <= bound)


if __name__ == "__main__":
    unittest.main()
