"""Wireshark's way to a sniffer: tshark starts `rtoscope extcap`, which records into its pipe."""

import os
import pathlib
import subprocess
import threading
import time
import unittest

from . import CHANNEL, PATIENCE, RTOSCOPE, Line, Live, fields, psdus, trace

FRAMES = trace(60, 75)


class Tshark(Live):
    def setUp(self):
        super().setUp()
        self.env = {**os.environ, "HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder / ".config")}
        folders = self.tshark("-G", "folders").stdout.splitlines()
        folder = lambda name: next((line.split(":", 1)[1].strip() for line in folders if line.startswith(name)), None)
        extcap = pathlib.Path(folder("Personal Extcap path") or pathlib.Path(folder("Personal configuration"), "extcap"))
        extcap.mkdir(parents=True)
        launcher = extcap / "rtoscope"
        launcher.write_text(f"#!/bin/sh\nexec '{RTOSCOPE}' extcap \"$@\"\n")
        launcher.chmod(0o755)

    def tshark(self, *args):
        args = ["tshark", *map(str, args)]
        return subprocess.run(args, env=self.env, capture_output=True, text=True, timeout=PATIENCE)

    def test_exchanges_are_those_of_the_air(self):
        self.assertIn("rtoscope-sniffer (RTOscope sniffer)", self.tshark("-D").stdout)
        bridge = self.bridge(FRAMES)
        settings = [f"extcap.rtoscope_sniffer.device:{bridge.path}", f"extcap.rtoscope_sniffer.channel:{CHANNEL}"]
        done = self.tshark(
            "-n", "-i", "rtoscope-sniffer", *(word for s in settings for word in ("-o", s)), "-c", len(FRAMES), "-w", self.out
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(psdus(self.out), [psdu for _, psdu in FRAMES])
        self.assert_same_story(self.out, FRAMES)

    def test_the_toolbar_moves_the_sniffer(self):
        def answer(octets):
            for line in octets.split(b"\r\n"):
                if line.startswith(b"channel"):
                    # A frame from there, a little later.
                    yield b"received: 02000137ff power: -50 lqi: 220 time: %d\r\n" % (time.monotonic_ns() // 1000)

        line = Line(answer)
        fifo, to, shown = (self.fifo(name) for name in ("fifo", "in", "out"))
        args = ["extcap", "--capture", "--extcap-interface", "rtoscope-sniffer", "--fifo", fifo, "--channel", "15"]
        args += ["--device", f"serial:{line.path}", "--extcap-control-in", to, "--extcap-control-out", shown]
        process = subprocess.Popen([RTOSCOPE, *map(str, args)], stderr=subprocess.PIPE, text=True)
        with open(shown, "rb", buffering=0) as said, open(to, "wb", buffering=0) as control, open(fifo, "rb") as pipe:
            # Control 2 is set to 15.
            self.assertEqual(said.read(8), b"T\0\0\4\2\1" + b"15")
            self.until(lambda: b"channel 15" in line.said, "the first channel")
            # Not a channel; then one.
            control.write(b"T\0\0\4\2\1" + b"99" + b"T\0\0\4\2\1" + b"20")
            octets = bytearray()
            pieces = iter(lambda: os.read(pipe.fileno(), 4096), b"")
            reader = threading.Thread(target=lambda: [octets.extend(piece) for piece in pieces])
            reader.start()
            self.until(lambda: b"channel 20" in line.said, "the second channel")
            self.until(lambda: octets.count(b"\x06\0\0\0") >= 2, "a frame from each")
            process.terminate()
            reader.join(PATIENCE)
            self.out.write_bytes(octets)
        self.assertEqual(process.wait(PATIENCE), 0, process.stderr.read())
        process.stderr.close()
        self.assertNotIn(b"99", line.said)
        self.assertEqual([channel for [channel] in fields(self.out, "wpan-tap.ch_num")], ["15", "20"])


if __name__ == "__main__":
    unittest.main()
