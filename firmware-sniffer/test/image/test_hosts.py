"""Conversations of the hosts that exist: the octets they send, the patterns they apply, in their order (PROTOCOL.md, 2)."""

import random
import unittest

from sim.host import LINE, Session, frames

from . import Air, board, traffic


def received(machine, air, seed, count=30):
    sent = list(traffic(seed, count))
    for frame in sent:
        air.send(frame)
    air.quiet()
    machine.machine.run(20_000)
    return sent


class Extcap(unittest.TestCase):
    def test_the_2025_generation(self):
        machine = board()
        host = Session(machine, dtr=False)
        # One process sets up and closes the port, another opens it and reads.
        host.open()
        machine.usb.write(b"sleep\r\n")
        machine.usb.write(b"shell echo off\r\n")
        host.until_silence()
        machine.usb.write(b"channel 15\r\n")
        machine.usb.write(b"receive\r\n")
        machine.machine.run(5_000)
        host.close()
        air = Air(machine.machine, machine.radio)
        received(machine, air, 40)
        machine.usb.read()
        host.open()
        sent = received(machine, air, 41)
        text = machine.usb.read()
        self.assertEqual([psdu for psdu, *_ in frames(text)], [frame.psdu for frame in sent])
        # It takes the time as it is, so that must not wrap at 32 bits nor go back.
        times = [time for *_, time in frames(text)]
        self.assertEqual(times, sorted(times))
        host.close()
        # The end of a capture: opened again for these two.
        host.open()
        machine.usb.write(b"\r\n")
        machine.usb.write(b"sleep\r\n")
        machine.machine.run(5_000)
        machine.usb.read()
        received(machine, air, 42)
        self.assertEqual(machine.usb.read(), b"")

    def test_the_2023_generation(self):
        machine = board()
        host = Session(machine)
        # Each word is followed by an empty line, and what comes back must hold it.
        for words in ("", "sleep", "channel 15"):
            machine.usb.write(words.encode() + b"\r\n\r\n")
            answer = host.until_silence().decode()
            for word in words.split():
                self.assertIn(word, answer)
        machine.usb.write(b"receive\r\n\r\n")
        machine.machine.run(5_000)
        air = Air(machine.machine, machine.radio)
        sent = received(machine, air, 43)
        lines = machine.usb.read().decode().splitlines()
        matches = [found for found in map(LINE.search, lines) if found]
        self.assertEqual([bytes.fromhex(found[1]) for found in matches], [frame.psdu for frame in sent])
        # Its own unwrapping looks at 32 bits.
        low = [int(found[4]) & 0xFFFFFFFF for found in matches]
        self.assertEqual(low, sorted(low))

    def test_one_generation_after_the_other_in_either_order(self):
        machine = board()
        host = Session(machine, dtr=False)
        for _ in range(2):
            self.assertIn(b"sleep", self.first_words(machine, host))
            host.open()
            machine.usb.write(b"shell echo off\r\n")
            host.until_silence()
            host.close()

    def first_words(self, machine, host):
        host.open()
        machine.usb.write(b"sleep\r\n\r\n")
        answer = host.until_silence().replace(b"# sleep", b"")
        host.close()
        return answer

    def test_a_line_is_never_half_of_an_older_one(self):
        # Closed in the middle of a packet, opened by another program: its first line is whole.
        machine = board()
        host = Session(machine)
        host.say("channel 15")
        host.say("receive")
        air = Air(machine.machine, machine.radio)
        machine.usb.reading = False
        received(machine, air, 44)
        host.close()
        machine.usb.reading = True
        host.open()
        machine.usb.resume_reading()
        sent = received(machine, air, 45)
        got = [psdu for psdu, *_ in frames(machine.usb.read())]
        self.assertEqual(got[-len(sent) :], [frame.psdu for frame in sent])


class Garbage(unittest.TestCase):
    def test_octets_of_no_meaning_change_nothing(self):
        machine = board()
        host = Session(machine)
        draw = random.Random(46)
        for _ in range(20):
            machine.usb.write(draw.randbytes(draw.randrange(1, 700)))
            machine.machine.run(30_000)
            text = machine.usb.read()
            self.assertIsNone(LINE.search(text.decode("ascii", "replace")))
            self.assertNotIn(0, text)
        machine.usb.write(b"\r")
        host.until_silence()
        self.assertIn(b"# rtoscope-sniffer", host.say("info"))

    def test_commands_that_are_almost_right(self):
        machine = board()
        host = Session(machine)
        host.say("shell echo off")
        for line in ("channel 10", "channel 27", "channel 99999999999", "channel x", "CHANNEL 15", "receive now",
                     "energy 10", "framing binary", "framing binary 0", "x" * 500, "channel \t15"):  # fmt: skip
            self.assertEqual(host.say(line), b"# error unknown command\r\n", line)
        self.assertEqual(host.say("framing binary 2"), b"# error unknown framing version\r\n")
        self.assertEqual(host.say("channel"), b"# channel 11\r\n")

    def test_more_commands_than_answers_are_read(self):
        # The line holds the host back; nothing is lost, nothing is cut.
        machine = board()
        host = Session(machine)
        host.say("shell echo off")
        machine.usb.reading = False
        machine.usb.write(b"info\r" * 400)
        machine.machine.run(500_000)
        self.assertGreater(len(machine.usb.out_queue), 0)
        machine.usb.resume_reading()
        answer = host.until_silence()
        self.assertEqual(answer, answer[: answer.index(b"\n") + 1] * 400)

    def test_commands_and_frames_together(self):
        machine = board()
        host = Session(machine)
        records = host.binary()
        host.say("channel 15")
        host.say("receive")
        records.feed(machine.usb.read())
        air, got, sent = Air(machine.machine, machine.radio), [], []
        for i, frame in enumerate(traffic(47, 600)):
            air.send(frame)
            sent.append(frame)
            machine.usb.write((b"info\r", b"nonsense\r", b"status\r", b"channel\r")[i % 4])
            if i % 20 == 19:
                air.quiet()
                got += records.feed(machine.usb.read())
        machine.machine.run(200_000)
        got += records.feed(machine.usb.read())
        self.assertEqual([r["psdu"] for r in got if r["type"] == "frame"], [f.psdu[:-2] for f in sent])
        replies = [r for r in got if r["type"] == "reply"]
        self.assertEqual(len(replies), 450)
        self.assertEqual(sum(not r["ok"] for r in replies), 150)


if __name__ == "__main__":
    unittest.main()
