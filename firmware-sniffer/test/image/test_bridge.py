"""A program of the host's, through a terminal as the system gives it: what `rtoscope capture` will meet."""

import os
import pathlib
import select
import subprocess
import sys
import tempfile
import time
import tty
import unittest

from sim.host import Records, frames

from . import DONGLE, traffic

BRIDGE = pathlib.Path(__file__).parent.parent / "bridge.py"


class Terminal(unittest.TestCase):
    def setUp(self):
        self.sent = list(traffic(60, 80))
        lines = (
            f"{5_000 * i} {frame.channel} {frame.rssi} {frame.lqi} {frame.psdu.hex()}\n"
            for i, frame in enumerate(self.sent)
        )
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name, "frames")
        path.write_text("".join(lines))
        self.bridge = subprocess.Popen(
            [sys.executable, BRIDGE, DONGLE, path, "--seconds", "240"], stdout=subprocess.PIPE, text=True
        )
        self.addCleanup(self.stop)
        self.path = self.bridge.stdout.readline().strip()

    def stop(self):
        self.bridge.kill()
        self.bridge.wait()
        self.bridge.stdout.close()

    def open(self):
        line = os.open(self.path, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(line)
        return line

    def read_until(self, line, enough):
        got, end = b"", time.monotonic() + 240
        while not enough(got):
            self.assertLess(time.monotonic(), end, got[-200:])
            if select.select([line], [], [], 0.1)[0]:
                got += os.read(line, 4096)
        return got

    def test_text_set_up_by_one_program_and_read_by_another(self):
        line = self.open()
        os.write(line, b"sleep\r\nshell echo off\r\nchannel 15\r\n")
        self.read_until(line, lambda got: b"# channel 15\r\n" in got)
        os.write(line, b"receive\r\n")
        os.close(line)
        line = self.open()
        # The frames begin with reception; the first may pass while nobody has the line open.
        got = self.read_until(line, lambda got: self.sent[-1].psdu.hex().encode() in got and got.endswith(b"\n"))
        os.close(line)
        psdus = [psdu for psdu, *_ in frames(got)]
        self.assertEqual(psdus, [frame.psdu for frame in self.sent][-len(psdus) :])
        self.assertIn("80 of 80 frames heard", self.bridge.stdout.read())

    def test_records(self):
        line = self.open()
        os.write(line, b"channel 15\rframing binary 1\rreceive\r")
        mark = b"# framing binary 1\r\n\0"
        got = self.read_until(line, lambda got: mark in got)
        records, found = Records(), []
        rest = got.partition(mark)[2]
        end = time.monotonic() + 240
        while sum(record["type"] == "frame" for record in found) < len(self.sent):
            found += records.feed(rest)
            self.assertLess(time.monotonic(), end)
            rest = os.read(line, 4096) if select.select([line], [], [], 0.1)[0] else b""
        os.close(line)
        got = [record for record in found if record["type"] == "frame"]
        self.assertEqual([record["psdu"] for record in got], [frame.psdu[:-2] for frame in self.sent])


if __name__ == "__main__":
    unittest.main()
