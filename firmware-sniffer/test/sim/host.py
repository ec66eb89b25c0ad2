"""Programs on the host, written from PROTOCOL.md alone: they share no code with the firmware."""

import re
import struct

# The pattern Nordic's extcap applies to each line, with search (PROTOCOL.md, 2.2).
LINE = re.compile(r"received:\s+([0-9a-fA-F]+)\s+power:\s+(-?\d+)\s+lqi:\s+(\d+)\s+time:\s+(-?\d+)")


def fcs(octets):
    """IEEE 802.15.4-2020, 7.2.11, bit by bit."""
    crc = 0
    for octet in octets:
        crc ^= octet
        for _ in range(8):
            crc = crc >> 1 ^ (0x8408 if crc & 1 else 0)
    return struct.pack("<H", crc)


def check(octets):
    """CRC-16/X-25 of a record."""
    crc = 0xFFFF
    for octet in octets:
        crc ^= octet
        for _ in range(8):
            crc = crc >> 1 ^ (0x8408 if crc & 1 else 0)
    return crc ^ 0xFFFF


def unstuff(stuffed):
    """COBS."""
    out, at = bytearray(), 0
    while at < len(stuffed):
        code = stuffed[at]
        if code == 0 or at + code > len(stuffed):
            raise ValueError("not COBS")
        out += stuffed[at + 1 : at + code]
        at += code
        if code < 0xFF and at < len(stuffed):
            out.append(0)
    return bytes(out)


def parse(record):
    """A record without its framing, as a dictionary."""
    if len(record) < 3 or struct.unpack("<H", record[-2:])[0] != check(record[:-2]):
        raise ValueError(f"a record with a wrong check: {record.hex()}")
    kind, body = record[0], record[1:-2]
    if kind == 1:
        names = ("flags", "seq", "dropped", "time", "channel", "rssi", "lqi", "length")
        fields = dict(zip(names, struct.unpack_from("<BIIQBbBB", body)), type="frame", psdu=body[21:])
        if len(fields["psdu"]) != fields["length"] - 2:
            raise ValueError("a frame of another length than it says")
        return fields
    if kind == 2:
        names = (
            "time", "receiving", "channel", "reset", "heard", "dropped", "discarded", "bad_fcs", "malformed", "restarts"
        )  # fmt: skip
        return dict(zip(names, struct.unpack("<QBBB6I", body)), type="status")
    if kind == 3:
        return dict(type="reply", time=struct.unpack_from("<Q", body)[0], ok=body[8], text=body[9:].decode("ascii"))
    if kind == 4:
        return dict(zip(("time", "channel", "dbm"), struct.unpack("<QBb", body)), type="energy")
    if kind == 5:
        return dict(zip(("time", "number"), struct.unpack("<QI", body)), type="mark")
    raise ValueError(f"a record of type {kind}")


class Records:
    """The binary framing as a stream: give octets, take records. Whatever is not a record is an error."""

    def __init__(self):
        self.rest = b""

    def feed(self, octets):
        *whole, self.rest = (self.rest + octets).split(b"\0")
        return [parse(unstuff(piece)) for piece in whole if piece]


def frames(text):
    """(psdu with FCS, dBm, LQI, us) of each line of text that holds a frame, as Nordic's host finds them."""
    for line in text.decode("ascii", "replace").splitlines():
        found = LINE.search(line)
        if found:
            psdu, power, lqi, time = found.groups()
            yield bytes.fromhex(psdu), int(power), int(lqi), int(time)


class Session:
    """A board that has been plugged in and configured, and a program that has its line open."""

    def __init__(self, board, dtr=True):
        self.board, self.usb, self.machine = board, board.usb, board.machine
        self.usb.plug()
        self.usb.configure()
        if dtr:
            self.open()

    def open(self):
        self.usb.set_dtr(True)
        self.machine.run(2_000)

    def close(self):
        self.usb.set_dtr(False)

    def until_silence(self, quiet_us=100_000, limit_us=3_000_000):
        """Reads until nothing has come for a while."""
        out = bytearray()
        waited = 0
        while True:
            self.machine.run(quiet_us)
            got = self.usb.read()
            if not got:
                return bytes(out)
            out += got
            waited += quiet_us
            assert waited < limit_us, "no silence"

    def say(self, line, wait_us=20_000):
        self.usb.write(line.encode() + b"\r\n")
        self.machine.run(wait_us)
        return self.usb.read()

    def binary(self):
        """Turns to the binary framing; returns the records' reader with the first STATUS taken."""
        answer = self.say("framing binary 1")
        head, _, rest = answer.partition(b"# framing binary 1\r\n")
        assert rest[:1] == b"\0", answer
        records = Records()
        first = records.feed(rest)
        assert first and first[0]["type"] == "status"
        return records
