"""`rtoscope capture` and `rtoscope extcap` with sniffers that are simulated: RTOSCOPE says where the program is.

Frames come from a bundled trace, a part of it: what was on the air there is put on the air here, and what the program records must
tell the same story.
"""

import csv
import gzip
import io
import json
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import tempfile
import threading
import time
import tty
import unittest

ROOT = pathlib.Path(__file__).parents[3]
BUILD = pathlib.Path(os.environ.get("FIRMWARE_BUILD", ROOT / "firmware-sniffer" / "build"))
DONGLE = BUILD / "nrf52840" / "nrf52840-dongle.elf"
BRIDGE = pathlib.Path(__file__).parents[1] / "bridge.py"
RTOSCOPE = os.environ.get("RTOSCOPE", "rtoscope")
TRACE = ROOT / "traces" / "chain6-periodic-default" / "capture.pcap.gz"
CHANNEL = 26
# Preamble, SFD and PHR: 6 octets of 32 us each before the PSDU.
OCTET_US, BEFORE = 32, 6
# From a machine that is busy with other things, too.
PATIENCE = 240


def trace(begin, end):
    """(us, PSDU) of the frames of the trace that begin between `begin` and `end` seconds, without those that overlap others."""
    octets = gzip.decompress(TRACE.read_bytes())
    at, frames = 24, []
    while at < len(octets):
        seconds, micros, length, _ = struct.unpack_from(">4I", octets, at)
        frames.append((seconds * 1_000_000 + micros, octets[at + 16 : at + 16 + length]))
        at += 16 + length
    frames.sort()
    first = frames[0][0]
    free, kept = 0, []
    for time_us, psdu in frames:
        time_us -= first
        if begin <= time_us / 1e6 < end and time_us >= free:
            kept.append((time_us - int(begin * 1e6), psdu))
            free = time_us + (len(psdu) + BEFORE) * OCTET_US + 192
    return kept


def pcap(frames, start_us=1_795_249_142_000_000, gain_ppm=0):
    """The frames as a capture of link type 195, on a clock that begins at `start_us` and runs `gain_ppm` fast."""
    out = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 195)
    for time_us, psdu in frames:
        at = start_us + time_us + time_us * gain_ppm // 1_000_000
        out += struct.pack("<4I", at // 1_000_000, at % 1_000_000, len(psdu), len(psdu)) + psdu
    return out


def rtoscope(*args):
    done = subprocess.run([RTOSCOPE, *map(str, args)], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout


# Fields with moments and durations; SEEN are observed, the others inferred for the client.
MOMENTS = ("start", "end", "ready", "handed_over")
SPANS = ("rtt", "ready_error", "handed_error")
SEEN = ("start", "end", "rtt")


def exchanges(path):
    """Rows of `rtoscope exchanges`, times in us from the first."""
    rows = list(csv.DictReader(io.StringIO(rtoscope("exchanges", path, "--quiet", "--format", "csv"))))
    micros = lambda text: round(float(text) * 1e6)
    first = min(micros(row["start"]) for row in rows)
    for row in rows:
        for name in MOMENTS:
            row[name] = micros(row[name]) - first if row[name] else None
        for name in SPANS:
            row[name] = micros(row[name]) if row[name] else None
    return rows


def records(path):
    """All frames of a recording as tshark reads them; it must find nothing to complain about."""
    done = subprocess.run(["tshark", "-n", "-r", path, "-x", "-T", "jsonraw", "-J", "none"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [bytes.fromhex(packet["_source"]["layers"]["frame_raw"][0]) for packet in json.loads(done.stdout)]


def psdus(path):
    """The same without TAP metadata, FCS included."""
    return [octets[struct.unpack_from("<H", octets, 2)[0] :] for octets in records(path)]


def fields(path, *names):
    args = ["tshark", "-n", "-r", path, "-T", "fields", "-E", "separator=|"]
    done = subprocess.run([*args, *(a for n in names for a in ("-e", n))], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [line.split("|") for line in done.stdout.splitlines()]


def statistics(path):
    """(received, dropped, comment) of every interface statistics block, read here octet by octet."""
    octets, at, found = pathlib.Path(path).read_bytes(), 0, []
    while at < len(octets):
        kind, length = struct.unpack_from("<2I", octets, at)
        assert length >= 12 and struct.unpack_from("<I", octets, at + length - 4)[0] == length, "a block that is not whole"
        if kind == 5:
            options, end, here = {}, at + length - 4, at + 20
            while here < end:
                code, size = struct.unpack_from("<2H", octets, here)
                options[code] = octets[here + 4 : here + 4 + size]
                here += 4 + (size + 3) // 4 * 4
            number = lambda code: struct.unpack("<Q", options[code])[0]
            found.append((number(4), number(5), options.get(1, b"").decode()))
        at += length
    return found


def dropcounts(path):
    """(interface, frames dropped before it) of every enhanced packet block."""
    octets, at, found = pathlib.Path(path).read_bytes(), 0, []
    while at < len(octets):
        kind, length = struct.unpack_from("<2I", octets, at)
        if kind == 6:
            interface, _, _, held = struct.unpack_from("<4I", octets, at + 8)
            here, end, dropped = at + 28 + (held + 3) // 4 * 4, at + length - 4, 0
            while here < end:
                code, size = struct.unpack_from("<2H", octets, here)
                if code == 4:
                    (dropped,) = struct.unpack_from("<Q", octets, here + 4)
                here += 4 + (size + 3) // 4 * 4
            found.append((interface, dropped))
        at += length
    return found


class Capture:
    """`rtoscope capture` at work."""

    def __init__(self, *args, **options):
        self.process = subprocess.Popen(
            [RTOSCOPE, "capture", *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
        )

    def end(self, with_signal=None):
        """Its exit code and what it said."""
        if with_signal:
            self.process.send_signal(with_signal)
        _, said = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, said


class Bridge:
    """The nRF52840's image behind a pseudo-terminal, with frames on its air; on CHANNEL, where none is given with them."""

    def __init__(self, folder, frames, name="frames"):
        path = pathlib.Path(folder, name)
        path.write_text(self.lines(frames))
        args = [sys.executable, BRIDGE, DONGLE, path, "--seconds", str(PATIENCE)]
        self.process = subprocess.Popen(args, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.path = self.process.stdout.readline().strip()

    @staticmethod
    def lines(frames):
        line = lambda i, at, psdu, channel=CHANNEL: f"{at} {channel} {-40 - i % 50} {i * 4 % 252} {psdu.hex()}\n"
        return "".join(line(i, *frame) for i, frame in enumerate(frames))

    def send(self, frames):
        """Puts more on the air, after what is there."""
        self.process.stdin.write(self.lines(frames) + "\n")
        self.process.stdin.flush()

    def heard(self):
        """Waits until all is sent; how many were heard so far."""
        line = self.process.stdout.readline()
        assert line, "the bridge has ended"
        return int(line.split()[0])

    def unplug(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.process.stdin.close()


class Line:
    """A pseudo-terminal with a program behind it: `answer` gets what the host says and says what it likes."""

    def __init__(self, answer):
        self.terminal, self.slave = pty.openpty()
        tty.setraw(self.slave)
        self.path = os.ttyname(self.slave)
        self.said = b""
        threading.Thread(target=self.run, args=(answer,), daemon=True).start()

    def run(self, answer):
        while True:
            try:
                octets = os.read(self.terminal, 4096)
            except OSError:
                return
            self.said += octets
            for piece in answer(octets):
                os.write(self.terminal, piece)


class Live(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = self.folder / "out.pcapng"

    def bridge(self, frames, name="frames"):
        bridge = Bridge(self.folder, frames, name)
        self.addCleanup(bridge.unplug)
        return bridge

    def reported(self, said):
        """Frames, dropped, lost of each device, as the program prints them at its end."""
        found = re.findall(r": (\d+) frames, (\d+) dropped by it, (\d+) lost on the way", said)
        self.assertTrue(found, said)
        return [tuple(map(int, counts)) for counts in found]

    def fifo(self, name="fifo"):
        path = self.folder / name
        os.mkfifo(path)
        return path

    def until(self, what, why):
        end = time.monotonic() + PATIENCE
        while not what():
            self.assertLess(time.monotonic(), end, why)
            time.sleep(0.05)

    def recorded(self):
        """Frames on the disk, as far as whole blocks go."""
        return self.out.read_bytes().count(b"\x06\0\0\0") if self.out.exists() else 0

    def reference(self, frames):
        path = self.folder / "reference.pcap"
        path.write_bytes(pcap(frames))
        return path

    def assert_same_story(self, recording, frames):
        expected, got = exchanges(self.reference(frames)), exchanges(recording)
        self.assertGreaterEqual(len(expected), 8)
        self.assertEqual(len(got), len(expected))
        for a, b in zip(expected, got):
            for name, value in a.items():
                if name in (*MOMENTS, *SPANS) and value is not None:
                    # The dongle's clock ticks once a microsecond; an inference rests on several frames.
                    self.assertLessEqual(abs(value - b[name]), 2 if name in SEEN else 10, (name, a, b))
                else:
                    self.assertEqual(value, b[name], (name, a, b))
