"""`rtoscope capture`, from the air to the exchanges; and whatever happens on the way."""

import os
import re
import resource
import shutil
import signal
import socket
import struct
import subprocess
import threading
import time
import unittest

from . import CHANNEL, RTOSCOPE, Capture, Line, Live, fields, pcap, psdus, records, rtoscope, statistics, trace

# A part of the trace in which its clients send, and one that fills a disk.
FRAMES = trace(60, 75)
MANY = trace(60, 400)


class Dongle(Live):
    def test_exchanges_are_those_of_the_air(self):
        bridge = self.bridge(FRAMES)
        capture = Capture("--device", bridge.path, "--channel", CHANNEL, "--out", self.out, "--frames", len(FRAMES))
        code, said = capture.end()
        self.assertEqual(code, 0, said)
        self.assertIn("0 dropped by it, 0 lost on the way", said)
        self.assertEqual(psdus(self.out), [psdu for _, psdu in FRAMES])
        self.assertEqual(statistics(self.out)[-1][:2], (len(FRAMES), 0))
        about = fields(self.out, "wpan-tap.ch_num", "wpan-tap.rss", "wpan-tap.lqi", "wpan-tap.fcs_type", "wpan.fcs_ok")
        levels = ((str(-40 - i % 50), str(i * 4 % 252)) for i in range(len(FRAMES)))
        self.assertEqual(about, [[str(CHANNEL), rss, lqi, "1", "1"] for rss, lqi in levels])
        self.assert_same_story(self.out, FRAMES)

    def test_killed(self):
        bridge = self.bridge(FRAMES)
        capture = Capture("--device", bridge.path, "--channel", CHANNEL, "--out", self.out)
        self.until(lambda: self.recorded() >= 40, "frames on the disk")
        before = self.recorded()
        capture.end(signal.SIGKILL)
        statistics(self.out)
        got = psdus(self.out)
        self.assertGreaterEqual(len(got), before - 2)
        self.assertEqual(got, [psdu for _, psdu in FRAMES[: len(got)]])
        self.assertEqual(rtoscope("info", self.out, "--format", "json", "--quiet").count('"truncated'), 0)

    def test_unplugged_and_plugged_in_again(self):
        dongle = self.folder / "dongle"
        first = self.bridge(FRAMES)
        dongle.symlink_to(first.path)
        device = f"serial:{dongle}"
        capture = Capture("--device", device, "--channel", CHANNEL, "--out", self.out, "--wait")
        self.until(lambda: self.recorded() >= 20, "frames on the disk")
        first.unplug()
        dongle.unlink()
        self.until(lambda: len(statistics(self.out)) == 1, "the loss on the disk")
        before = psdus(self.out)
        self.assertEqual(before, [psdu for _, psdu in FRAMES[: len(before)]])
        self.assertEqual(statistics(self.out)[0][0], len(before))
        second = self.bridge(FRAMES[:60], "again")
        dongle.symlink_to(second.path)
        self.until(lambda: len(psdus(self.out)) >= len(before) + 60, "frames of the second session")
        code, said = capture.end(signal.SIGINT)
        self.assertEqual(code, 0, said)
        self.assertIn("gone 1 times", said)
        self.assertEqual(psdus(self.out), before + [psdu for _, psdu in FRAMES[:60]])
        comments = [comment for [comment] in fields(self.out, "frame.comment")]
        self.assertRegex(comments[len(before)], r"the device was gone for \d+\.\d s")
        self.assertEqual(sum(map(bool, comments)), 1)
        times = [float(time) for [time] in fields(self.out, "frame.time_epoch")]
        self.assertEqual(times, sorted(times))

    def test_unplugged_for_good(self):
        bridge = self.bridge(FRAMES)
        capture = Capture("--device", bridge.path, "--channel", CHANNEL, "--out", self.out)
        self.until(lambda: self.recorded() >= 20, "frames on the disk")
        bridge.unplug()
        code, said = capture.end()
        self.assertEqual(code, 0, said)
        self.assertIn("no device is left", said)
        got = psdus(self.out)
        self.assertEqual(got, [psdu for _, psdu in FRAMES[: len(got)]])
        self.assertIn(f"{len(got)} frames", said)


class Stream(Live):
    def write(self, path, *pieces):
        def run():
            with open(path, "wb", buffering=0) as pipe:
                for piece in pieces:
                    pipe.write(piece)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        return thread

    def test_a_pipe_with_garbage_in_it(self):
        fifo = self.fifo()
        octets = pcap(FRAMES)
        capture = Capture("--device", fifo, "--out", self.out)
        self.write(fifo, octets[:2000], octets[2000:5000], b"\xff" * 11, octets[5000:])
        code, said = capture.end()
        self.assertEqual(code, 0, said)
        self.assertRegex(said, r"1 damaged messages, \d+ octets of garbage")
        got = records(self.out)
        # The garbage fell into a record, whose length then points into the next: no more than a few are gone.
        self.assertGreater(len(got), len(FRAMES) - 8)

    def test_the_disk_is_full(self):
        octets = pcap(MANY)
        limit = 16 * 1024

        def full():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        fifo = self.fifo()
        capture = Capture("--device", fifo, "--out", self.out, preexec_fn=full)
        self.write(fifo, octets)
        self.full(capture.end(), limit)

    def test_a_small_tmpfs_is_full(self):
        disk = self.folder / "disk"
        disk.mkdir()
        fifo = self.fifo()
        script = (
            'mount -t tmpfs -o size=16k none "$1" || exit 77; shift; "$@"; code=$?; cp "$DISK/out.pcapng" "$OUT"; exit $code'
        )
        if not shutil.which("unshare"):
            print("# no unshare here: the limit on file sizes is the only full disk that was tried", flush=True)
            return
        args = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", disk]
        args += [RTOSCOPE, "capture", "--device", fifo, "--out", disk / "out.pcapng"]
        env = {**os.environ, "DISK": str(disk), "OUT": str(self.out)}
        process = subprocess.Popen([*map(str, args)], stderr=subprocess.PIPE, text=True, env=env)
        # Only once somebody reads: where the namespace is refused, nobody will.
        end = time.monotonic() + 20
        while process.poll() is None and time.monotonic() < end:
            try:
                writer = os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
            except OSError:
                time.sleep(0.05)
                continue
            os.set_blocking(writer, True)
            try:
                os.write(writer, pcap(MANY)[:60_000])
            except BrokenPipeError:
                pass
            os.close(writer)
            break
        _, said = process.communicate(timeout=60)
        if process.returncode == 77 or said.startswith("unshare:"):
            print("# no mounts here: the limit on file sizes is the only full disk that was tried", flush=True)
            return
        self.full((process.returncode, said), 16 * 1024)

    def full(self, ended, limit):
        code, said = ended
        self.assertEqual(code, 1, said)
        self.assertRegex(said, r"the disk took no more \(.*\): \d+ frames that came after are lost")
        self.assertLessEqual(self.out.stat().st_size, limit)
        statistics(self.out)
        got = records(self.out)
        self.assertGreater(len(got), 100)
        self.assertEqual(got, [psdu for _, psdu in MANY[: len(got)]])
        written, lost = (int(re.search(pattern, said)[1]) for pattern in (r"(\d+) frames, ", r"(\d+) frames that came after"))
        self.assertEqual(written, len(got))
        self.assertGreater(lost, 0)

    def test_two_sniffers_on_clocks_of_their_own(self):
        one, two = self.fifo("one"), self.fifo("two")
        capture = Capture("--device", one, "--device", two, "--out", self.out)
        # The second heard all but every seventh, an hour later by its clock, which runs 30 ppm fast.
        heard = [frame for at, frame in enumerate(FRAMES) if at % 7]
        late = 1_795_249_142_000_000 + 3_600_000_000
        self.write(one, pcap(FRAMES))
        self.write(two, pcap(heard, late, gain_ppm=30))
        code, said = capture.end()
        self.assertEqual(code, 0, said)
        # Interfaces are numbered in the order in which sniffers first heard something; their names say which they are.
        names = [name for [name] in fields(self.out, "frame.interface_name")]
        self.assertEqual([sum(str(fifo) in name for name in names) for fifo in (one, two)], [len(FRAMES), len(heard)])
        about = rtoscope("info", self.out, "--format", "json", "--quiet")
        self.assertIn("clock-aligned", about)
        self.assert_same_story(self.out, FRAMES)

    def test_zep(self):
        port = free_port()
        capture = Capture("--device", f"zep:127.0.0.1:{port}", "--out", self.out, "--frames", len(FRAMES))
        frames = [zep(psdu, n) for n, (_, psdu) in enumerate(FRAMES)]
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            while not self.out.exists():
                time.sleep(0.05)
            time.sleep(1)
            for datagram in frames:
                sender.sendto(datagram, ("127.0.0.1", port))
                time.sleep(0.001)
            code, said = capture.end(signal.SIGINT if capture.process.poll() is None and not time.sleep(2) else None)
        self.assertEqual(code, 0, said)
        self.assertEqual(psdus(self.out), [psdu for _, psdu in FRAMES])


class Stock(Live):
    """Other people's firmware, as far as its protocol is known: FIRMWARE.md of the project's facts."""

    def test_nordic(self):
        def answer(octets):
            if b"receive" in octets:
                # What stands in place of the FCS is not one.
                for n, (at, psdu) in enumerate(FRAMES[:50]):
                    text = f"received: {(psdu[:-2] + bytes([0x37, 0])).hex()} power: -{40 + n} lqi: {220} time: {at}\r\n"
                    yield text.encode()
            elif octets.strip():
                yield octets + b"uart:~$ "

        line = Line(answer)
        capture = Capture("--device", f"serial:{line.path}", "--channel", 15, "--out", self.out, "--frames", 50)
        code, said = capture.end()
        self.assertEqual(code, 0, said)
        self.assertEqual(psdus(self.out), [psdu for _, psdu in FRAMES[:50]])
        self.assertLess(line.said.index(b"sleep\r\n"), line.said.index(b"channel 15\r\n"))
        self.assertLess(line.said.index(b"channel 15\r\n"), line.said.index(b"receive\r\n"))
        self.assertTrue(line.said.rstrip().endswith(b"sleep"), line.said)

    def test_sensniff(self):
        magic = bytes.fromhex("c11ffe7202")

        def answer(octets):
            if magic + b"\x84" in octets:
                yield magic + b"\x01\0\1" + bytes([15])
                for _, psdu in FRAMES[:50]:
                    data = psdu[:-2] + struct.pack("b", -55) + bytes([0x80 | 100])
                    yield magic + b"\0" + struct.pack(">H", len(data)) + data

        line = Line(answer)
        capture = Capture("--device", f"sensniff:{line.path}", "--channel", 15, "--out", self.out, "--frames", 50)
        code, said = capture.end()
        self.assertEqual(code, 0, said)
        self.assertEqual(psdus(self.out), [psdu for _, psdu in FRAMES[:50]])
        self.assertEqual(line.said[:9], magic + b"\x84\0\1\x0f")
        self.assertEqual(set(map(tuple, fields(self.out, "wpan-tap.ch_num", "wpan-tap.lqi"))), {("15", "100")})


class Wrong(Live):
    def test_what_cannot_be(self):
        for args, code in (
            (("--device", "/dev/does-not-exist", "--out", self.out), 1),
            (("--device", "nonsense", "--out", self.out), 2),
            (("--device", "zep", "--channel", "27", "--out", self.out), 2),
            (("--device", "zep"), 2),
        ):
            self.assertEqual(Capture(*args).end()[0], code, args)
        kept = self.folder / "kept"
        kept.write_text("dear")
        code, said = Capture("--device", "zep", "--out", kept).end()
        self.assertEqual((code, kept.read_text()), (1, "dear"))
        self.assertIn("--force", said)

    def test_list(self):
        listed = rtoscope("capture", "--list")
        self.assertIn("zep\t", listed)


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def zep(psdu, number):
    """Version 2, mode CRC, device 1, a clock that was never set."""
    head = b"EX\2\1" + bytes([CHANNEL]) + b"\0\1\1\xff" + struct.pack(">2I", 7, 0) + struct.pack(">I", number) + bytes(10)
    return head + bytes([len(psdu)]) + psdu


if __name__ == "__main__":
    unittest.main()
