"""`rtoscope capture`, from the air to the exchanges; and whatever happens on the way."""

import json
import os
import pathlib
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

from sim.host import fcs

from . import (
    CHANNEL,
    PATIENCE,
    RTOSCOPE,
    Capture,
    Line,
    Live,
    dropcounts,
    fields,
    pcap,
    psdus,
    records,
    rtoscope,
    statistics,
    trace,
)

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
        gone = lambda: [counts for *counts, comment in statistics(self.out) if "gone" in comment or "ended" in comment]
        self.until(gone, "the loss on the disk")
        before = psdus(self.out)
        self.assertEqual(before, [psdu for _, psdu in FRAMES[: len(before)]])
        self.assertEqual(gone(), [[len(before), 0]])
        second = self.bridge(FRAMES[:60], "again")
        dongle.symlink_to(second.path)
        self.until(lambda: len(psdus(self.out)) >= len(before) + 60, "frames of the second session")
        code, said = capture.end(signal.SIGINT)
        self.assertEqual(code, 0, said)
        self.assertIn("gone 1 times", said)
        self.assertEqual(psdus(self.out), before + [psdu for _, psdu in FRAMES[:60]])
        comments = [comment for [comment] in fields(self.out, "frame.comment")]
        self.assertRegex(comments[len(before)], r"the device was gone for \d+\.\d s")
        self.assertEqual(sum("was gone" in comment for comment in comments), 1)
        times = [float(time) for [time] in fields(self.out, "frame.time_epoch")]
        self.assertEqual(times, sorted(times))

    def test_unplugged_for_good(self):
        bridge = self.bridge(FRAMES)
        capture = Capture("--device", bridge.path, "--channel", CHANNEL, "--out", self.out)
        self.until(lambda: self.recorded() >= 20, "frames on the disk")
        bridge.unplug()
        code, said = capture.end()
        # Exit code 3 says so to scripts (docs/commands.md).
        self.assertEqual(code, 3, said)
        self.assertIn("no device is left", said)
        got = psdus(self.out)
        self.assertEqual(got, [psdu for _, psdu in FRAMES[: len(got)]])
        self.assertIn(f"{len(got)} frames", said)


    def test_silent_for_a_while(self):
        bridge = self.bridge(FRAMES[:40])
        capture = Capture("--device", bridge.path, "--channel", CHANNEL, "--out", self.out)
        self.until(lambda: self.recorded() >= 40, "frames on the disk")
        bridge.process.send_signal(signal.SIGSTOP)
        # The dongle says every second that it is there; that it does not is on the disk while it does not.
        silent = lambda: [comment for *_, comment in statistics(self.out) if "silent" in comment]
        self.until(silent, "the silence on the disk")
        bridge.process.send_signal(signal.SIGCONT)
        self.assertEqual(bridge.heard(), 40)
        bridge.send([(10_000 * n, psdu) for n, (_, psdu) in enumerate(FRAMES[40:60])])
        self.until(lambda: len(psdus(self.out)) >= 60, "frames after the silence")
        code, said = capture.end(signal.SIGINT)
        self.assertEqual(code, 0, said)
        self.assertRegex(said, r"silent \d+ times")
        self.assertEqual(self.reported(said), [(60, 0, 0)])
        self.assertEqual(psdus(self.out), [psdu for _, psdu in FRAMES[:60]])
        comments = [comment for [comment] in fields(self.out, "frame.comment")]
        self.assertRegex(comments[40], r"the device was silent for \d+\.\d s")

    def test_a_host_that_does_not_read(self):
        """What the dongle cannot keep it counts: received and dropped is what was on the air."""
        numbered = lambda n: (lambda body: body + fcs(body))(b"\x01\x08" + struct.pack(">I", n))
        bridge = self.bridge([(5_000 * n, numbered(n)) for n in range(20)])
        capture = Capture("--device", bridge.path, "--channel", CHANNEL, "--out", self.out)
        self.until(lambda: self.recorded() >= 20, "frames on the disk")
        self.assertEqual(bridge.heard(), 20)
        capture.process.send_signal(signal.SIGSTOP)
        # At line rate, more than fit into the dongle's 1024 slots and all that lies between.
        bridge.send([(640 * n, numbered(20 + n)) for n in range(2000)])
        sent = 2020
        self.assertEqual(bridge.heard(), sent)
        capture.process.send_signal(signal.SIGCONT)
        # Until one comes through again, and with it the count of those that did not.
        end = time.monotonic() + PATIENCE
        while True:
            last = numbered(sent)
            bridge.send([(0, last)])
            sent += 1
            self.assertEqual(bridge.heard(), sent)
            if psdus(self.out)[-1] == last:
                break
            self.assertLess(time.monotonic(), end, "the dongle speaks again")
        code, said = capture.end(signal.SIGINT)
        self.assertEqual(code, 0, said)
        [(received, dropped, lost)] = self.reported(said)
        got = psdus(self.out)
        self.assertEqual((received, dropped + received, lost), (len(got), sent, 0))
        self.assertGreater(dropped, 100)
        # In order, each at most once, none that was not sent; and the file notes where the others are missing.
        numbers = [struct.unpack(">I", psdu[2:6])[0] for psdu in got]
        self.assertEqual(got, [numbered(n) for n in numbers])
        gaps = [b - a - 1 for a, b in zip([-1, *numbers], numbers)]
        self.assertEqual(gaps, [dropped for _, dropped in dropcounts(self.out)])
        self.assertEqual(statistics(self.out)[-1][:2], (received, dropped))
        notes = json.loads(rtoscope("info", self.out, "--format", "json", "--quiet"))["notes"]
        self.assertEqual([note["count"] for note in notes if note["code"] == "dropped-by-sniffer"], [dropped])

    def test_two_dongles_on_two_channels(self):
        """Both are in the same air; each hears its own channel."""
        air = [(time_us, psdu, 15 if at % 3 else 26) for at, (time_us, psdu) in enumerate(FRAMES)]
        first, second = (self.bridge(air, name) for name in ("first", "second"))
        capture = Capture(
            "--device", first.path, "--channel", 26, "--device", second.path, "--channel", 15, "--out", self.out
        )
        self.until(lambda: self.recorded() >= len(air) and len(psdus(self.out)) == len(air), "all frames")
        code, said = capture.end(signal.SIGINT)
        self.assertEqual(code, 0, said)
        heard = {channel: [psdu for _, psdu, on in air if on == channel] for channel in (15, 26)}
        self.assertEqual(self.reported(said), [(len(heard[26]), 0, 0), (len(heard[15]), 0, 0)])
        about = fields(self.out, "frame.interface_id", "frame.interface_name", "wpan-tap.ch_num")
        for at, (device, channel) in enumerate(((first, 26), (second, 15))):
            mine = [psdu for psdu, (number, *_) in zip(psdus(self.out), about) if number == str(at)]
            self.assertEqual(mine, heard[channel])
            told = {tuple(rest) for number, *rest in about if number == str(at)}
            self.assertEqual(told, {(device.path, str(channel))})


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
        # Wait for a reader: where the namespace is refused, there is none, and the process ends.
        end = time.monotonic() + PATIENCE
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
        _, said = process.communicate(timeout=PATIENCE)
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
        # The second heard all but every seventh, an hour later by its clock, which runs 30 ppm fast. It speaks first.
        heard = [frame for at, frame in enumerate(FRAMES) if at % 7]
        late = 1_795_249_142_000_000 + 3_600_000_000
        self.write(two, pcap(heard, late, gain_ppm=30))
        self.until(lambda: self.recorded() >= len(heard), "the second's frames on the disk")
        self.write(one, pcap(FRAMES))
        code, said = capture.end()
        self.assertEqual(code, 0, said)
        # Interfaces are in the order in which their devices were given.
        about = [tuple(row) for row in fields(self.out, "frame.interface_id", "frame.interface_name")]
        expected = {("0", f"pipe:{one}"): len(FRAMES), ("1", f"pipe:{two}"): len(heard)}
        self.assertEqual({row: about.count(row) for row in about}, expected)
        told = json.loads(rtoscope("info", self.out, "--format", "json", "--quiet"))
        self.assertEqual([source["name"] for source in told["read_as"]["sources"]], [f"pipe:{one}", f"pipe:{two}"])
        self.assertIn("clock-aligned", [note["code"] for note in told["notes"]])
        self.assert_same_story(self.out, FRAMES)

    def test_zep(self):
        port = free_port()
        capture = Capture("--device", f"zep:127.0.0.1:{port}", "--out", self.out, "--frames", len(FRAMES))
        is_open = lambda: f":{port:04X} " in pathlib.Path("/proc/net/udp").read_text()
        self.until(is_open, "the port")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            for n, (_, psdu) in enumerate(FRAMES):
                sender.sendto(zep(psdu, n, 2 - n % 2), ("127.0.0.1", port))
                # No more under way than the system keeps for a reader that is late.
                if n % 50 == 49:
                    self.until(lambda: self.recorded() > n, "datagrams on the disk")
        code, said = capture.end()
        self.assertEqual(code, 0, said)
        self.assertEqual(psdus(self.out), [psdu for _, psdu in FRAMES])
        # Each sniffer has an interface with its name.
        name = lambda device: f"zep:127.0.0.1:{port} device {device} at 127.0.0.1"
        about = [name for [name] in fields(self.out, "frame.interface_name")]
        self.assertEqual(about, [name(2 - n % 2) for n in range(len(FRAMES))])


class Stock(Live):
    """Other people's firmware, as far as its protocol is known: FIRMWARE.md of the project's facts."""

    def test_nordic(self):
        def answer(octets):
            if b"receive" in octets:
                # The last two octets are not an FCS.
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
        code, said = Capture("--device", "cc2531:no-such-port", "--out", self.folder / "none.pcapng").end()
        self.assertEqual(code, 1)
        self.assertIn("cc2531:no-such-port: 0 frames, 0 dropped by it, 0 lost on the way; cannot be opened", said)
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


def zep(psdu, number, device):
    """Version 2, mode CRC, a clock that was never set."""
    head = b"EX\2\1" + bytes([CHANNEL]) + struct.pack(">H", device) + b"\1\xff" + struct.pack(">2I", 7, 0) + struct.pack(">I", number) + bytes(10)
    return head + bytes([len(psdu)]) + psdu


if __name__ == "__main__":
    unittest.main()
