"""The committed vectors are what test/vectors.py computes, and what the hosts of these tests understand."""

import unittest

import vectors
from sim.host import Records, frames


def fields(name):
    for line in (vectors.FOLDER / name).read_text().splitlines():
        yield dict(field.split("=", 1) for field in line.split(" "))


class Vectors(unittest.TestCase):
    def test_the_files_are_up_to_date(self):
        for name, make in vectors.FILES.items():
            self.assertEqual((vectors.FOLDER / name).read_text().splitlines(), list(make()))

    def test_records_decode_to_their_fields(self):
        for vector in fields("records.txt"):
            (record,) = Records().feed(bytes.fromhex(vector["wire"]))
            self.assertEqual(record["type"], vector["type"])
            for name, value in vector.items():
                if name not in ("type", "payload", "text", "record", "wire"):
                    self.assertEqual(int(record[name]), int(value), name)
            if "payload" in vector:
                self.assertEqual(record["psdu"], bytes.fromhex(vector["payload"]))

    def test_lines_match_the_pattern(self):
        for vector in fields("lines.txt"):
            ((psdu, *rest),) = frames(bytes.fromhex(vector["text"]))
            self.assertEqual(psdu[:-2], bytes.fromhex(vector["payload"]))
            self.assertEqual(rest, [int(vector[name]) for name in ("rssi", "lqi", "time")])


if __name__ == "__main__":
    unittest.main()
