"""The vectors of PROTOCOL.md, computed here from its text and by nothing of the firmware: `vectors.py` writes them,
`vectors.py --check` says whether the files are what it would write.

A vector is one line of `key=value` fields. `psdu` and `text` are inputs as hexadecimal octets, `record` and `wire` what
they become; a file may be read with a split at blanks.
"""

import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from sim.host import check, fcs  # noqa: E402

FOLDER = pathlib.Path(__file__).parent.parent / "vectors"
# A CoAP ping in 802.15.4 data frame clothes would prove no more than these: lengths, zeros, and runs longer than a block.
PAYLOADS = [
    bytes([0x02]),
    bytes([0x02, 0x00, 0x4D]),
    bytes.fromhex("41d801cdabffff3412"),
    bytes(125),
    bytes([0xFF]) * 125,
    bytes(range(1, 126)),
    bytes(range(125)),
    bytes([0, 1] * 30),
]


def stuff(octets):
    """COBS: each block is a count and the octets up to the next zero; after 254 octets no zero is meant."""
    out, pieces = b"", octets.split(b"\0")
    for i, piece in enumerate(pieces):
        last = i == len(pieces) - 1
        while len(piece) > 254 or (len(piece) == 254 and not last):
            out += b"\xff" + piece[:254]
            piece = piece[254:]
        out += bytes([len(piece) + 1]) + piece
    return out


def sealed(body):
    return body + struct.pack("<H", check(body))


def line(**fields):
    record = fields.pop("record")
    fields.update(record=record.hex(), wire=(stuff(record) + b"\0").hex())
    return " ".join(f"{key}={value}" for key, value in fields.items())


def frame(flags, seq, dropped, time, channel, rssi, lqi, payload):
    body = struct.pack("<BBIIQBbBB", 1, flags, seq, dropped, time, channel, rssi, lqi, len(payload) + 2) + payload
    return line(
        type="frame", flags=flags, seq=seq, dropped=dropped, time=time, channel=channel, rssi=rssi, lqi=lqi,
        payload=payload.hex(), record=sealed(body),
    )  # fmt: skip


def status(time, receiving, channel, reset, *counters):
    names = ("heard", "dropped", "discarded", "bad_fcs", "malformed", "restarts")
    body = struct.pack("<BQBBB6I", 2, time, receiving, channel, reset, *counters)
    named = dict(zip(names, counters))
    return line(
        type="status", time=time, receiving=receiving, channel=channel, reset=reset, **named, record=sealed(body)
    )


def records():
    yield frame(1, 0, 0, 0, 11, -40, 255, PAYLOADS[0])
    for i, payload in enumerate(PAYLOADS):
        yield frame(1, 1000 + i, i, 2**32 - 4 + i, 11 + 2 * i, -20 - 11 * i, 4 * i, payload)
        yield frame(0, 2000 + i, 0, 1_700_000_000_000_000 + i, 26, -128, 0, payload)
    yield frame(1, 2**32 - 1, 2**32 - 1, 2**64 - 1, 26, 0, 255, PAYLOADS[1])
    yield status(0, 0, 11, 0, 0, 0, 0, 0, 0, 0)
    yield status(2**40 + 255, 1, 26, 2, 1, 256, 65536, 2**24, 2**32 - 1, 7)
    for ok, text in ((1, "framing text"), (0, "error unknown command"), (1, "")):
        body = struct.pack("<BQB", 3, 123456789, ok) + text.encode()
        yield line(type="reply", time=123456789, ok=ok, text=text.encode().hex(), record=sealed(body))
    for channel, dbm in ((11, -92), (26, -20), (15, 35)):
        yield line(type="energy", time=1, channel=channel, dbm=dbm, record=sealed(struct.pack("<BQBb", 4, 1, channel, dbm)))
    yield line(type="mark", time=2**33, number=3, record=sealed(struct.pack("<BQI", 5, 2**33, 3)))


def lines():
    for i, payload in enumerate(PAYLOADS):
        time, rssi, lqi = (0, 9, 10, 2**32 - 1, 2**32, 10**18, 2**63, 2**64 - 1)[i], -i * 18, (i * 37) % 256
        psdu = payload + fcs(payload)
        text = f"received: {psdu.hex()} power: {rssi} lqi: {lqi} time: {time}\r\n"
        yield f"payload={payload.hex()} rssi={rssi} lqi={lqi} time={time} text={text.encode().hex()}"


FILES = {"records.txt": records, "lines.txt": lines}


def main():
    stale = []
    for name, make in FILES.items():
        text = "".join(vector + "\n" for vector in make())
        path = FOLDER / name
        if sys.argv[1:] == ["--check"]:
            if path.read_text() != text:
                stale.append(name)
        else:
            path.write_text(text)
    for name in stale:
        print(f"vectors/{name} is not what test/vectors.py writes")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
