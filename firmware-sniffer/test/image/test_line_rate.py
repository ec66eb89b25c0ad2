"""The receive path at the highest rate 802.15.4 has, and beyond what the host reads."""

import unittest

from sim.host import Session, frames

from . import Air, board, traffic

# From the SFD's end to the time in the record: the timer's tick, rounded down, and nothing else.
TIMER_TICK_US = 1


def binary_session(channel=15, **options):
    machine = board(**options)
    session = Session(machine)
    records = session.binary()
    session.say(f"channel {channel}")
    session.say("receive")
    records.feed(machine.usb.read())
    return machine, session, records


class LineRate(unittest.TestCase):
    def compare(self, sent, got, clock_offset=0):
        """Each record is the frame that was sent with its number; returns the worst error of its time."""
        worst = 0
        for record in got:
            frame = sent[record["seq"]]
            self.assertEqual(record["psdu"], frame.psdu[:-2])
            self.assertEqual(record["length"], len(frame.psdu))
            self.assertEqual(record["flags"], int(frame.fcs_ok))
            self.assertEqual(
                (record["channel"], record["rssi"], record["lqi"]), (frame.channel, frame.rssi, frame.lqi // 4 * 4)
            )
            error = frame.sfd_us - clock_offset - record["time"]
            self.assertTrue(0 <= error < TIMER_TICK_US + 1e-9, f"{error} us at frame {record['seq']}")
            worst = max(worst, error)
        return worst

    def test_ten_thousand_frames_of_every_length_good_and_bad(self):
        machine, session, records = binary_session()
        sent, got = list(traffic(1, 10_000, bad_one_in=7)), []
        air = Air(machine.machine, machine.radio)
        for i, frame in enumerate(sent):
            air.send(frame)
            if i % 100 == 99:
                air.quiet()
                got += records.feed(machine.usb.read())
        machine.machine.run(50_000)
        got += records.feed(machine.usb.read())
        status = records.feed(session.say("status"))[-1]
        received = [record for record in got if record["type"] == "frame"]
        self.assertEqual(machine.radio.missed, [])
        self.assertEqual([record["seq"] for record in received], list(range(10_000)))
        self.assertEqual(
            (status["heard"], status["dropped"], status["bad_fcs"]),
            (10_000, 0, sum(not frame.fcs_ok for frame in sent)),
        )
        began = machine.radio.timer.began / 64
        worst = self.compare(sent, received, began)
        busy = 1 - machine.machine.slept / machine.machine.now
        print(f"# 10000 frames: all received, time error below {worst:.2f} us, CPU busy {busy:.0%}")
        self.assertLess(busy, 0.5)

    def test_a_host_that_stops_reading_costs_frames_and_each_is_counted(self):
        machine, session, records = binary_session()
        sent, got = list(traffic(2, 3_000)), []
        air = Air(machine.machine, machine.radio)
        for i, frame in enumerate(sent):
            if i == 500:
                machine.usb.reading = False
            if i == 2_500:
                machine.usb.resume_reading()
            air.send(frame)
            if i % 100 == 99:
                air.quiet()
                got += records.feed(machine.usb.read())
        machine.machine.run(2_000_000)
        got += records.feed(machine.usb.read())
        status = records.feed(session.say("status"))[-1]
        received = [record for record in got if record["type"] == "frame"]
        self.assertEqual(machine.radio.missed, [])
        self.assertGreater(status["dropped"], 500)
        self.assertEqual(len(received), len(sent) - status["dropped"])
        self.assertEqual(status["heard"], len(sent))
        # Each gap in the numbers is as wide as the drop counter says.
        for before, after in zip(received, received[1:]):
            gap = after["seq"] - before["seq"] - 1
            self.assertEqual(gap, after["dropped"] - before["dropped"])
        self.compare(sent, received, machine.radio.timer.began / 64)

    def test_text_at_line_rate(self):
        machine = board()
        session = Session(machine)
        session.say("channel 15")
        session.say("receive")
        sent, text = list(traffic(3, 1_000, bad_one_in=5)), b""
        air = Air(machine.machine, machine.radio)
        for i, frame in enumerate(sent):
            air.send(frame)
            if i % 100 == 99:
                air.quiet()
                text += machine.usb.read()
        machine.machine.run(100_000)
        text += machine.usb.read()
        good = [frame for frame in sent if frame.fcs_ok]
        got = list(frames(text))
        self.assertEqual([psdu for psdu, *_ in got], [frame.psdu for frame in good])
        self.assertEqual([(p, q) for _, p, q, _ in got], [(frame.rssi, frame.lqi // 4 * 4) for frame in good])
        began = machine.radio.timer.began / 64
        for (*_, time), frame in zip(got, good):
            self.assertTrue(0 <= frame.sfd_us - began - time < TIMER_TICK_US + 1e-9)
        self.assertNotIn(b"# dropped", text)

    def test_text_tells_what_was_dropped(self):
        machine = board()
        session = Session(machine)
        session.say("channel 15")
        session.say("receive")
        machine.usb.reading = False
        sent = list(traffic(4, 1_500))
        air = Air(machine.machine, machine.radio)
        for i, frame in enumerate(sent):
            air.send(frame)
            if i % 100 == 99:
                air.quiet()
        machine.usb.resume_reading()
        machine.machine.run(2_000_000)
        air.send(sent[0])
        air.quiet()
        machine.machine.run(10_000)
        text = machine.usb.read()
        got = [psdu for psdu, *_ in frames(text)]
        dropped = int(text.rsplit(b"# dropped ", 1)[1].split()[0])
        self.assertEqual(len(got), len(sent) + 1 - dropped)
        self.assertEqual(got[:-1], [frame.psdu for frame in sent[: len(got) - 1]])

    def test_the_timer_wraps_and_time_goes_on(self):
        # Ten seconds before the 32-bit microseconds are over.
        machine, session, records = binary_session(timer_from=2**32 - 10_000_000)
        sent, got = list(traffic(5, 400)), []
        air = Air(machine.machine, machine.radio)
        for frame in sent:
            air.send(frame, gap_us=50_000)
            air.quiet()
            got += records.feed(machine.usb.read())
        machine.machine.run(100_000)
        got += records.feed(machine.usb.read())
        received = [record for record in got if record["type"] == "frame"]
        self.assertEqual(len(received), len(sent))
        self.assertLess(received[0]["time"], 2**32)
        self.assertGreater(received[-1]["time"], 2**32)
        self.compare(sent, received, machine.radio.timer.began / 64 - (2**32 - 10_000_000))

    def test_a_frame_in_the_ring_over_the_wrap_keeps_its_time(self):
        machine, session, records = binary_session(timer_from=2**32 - 3_000_000)
        sent = list(traffic(6, 200))
        machine.usb.reading = False
        air = Air(machine.machine, machine.radio)
        for frame in sent:
            air.send(frame, gap_us=30_000)
        air.quiet()
        machine.usb.resume_reading()
        machine.machine.run(500_000)
        received = [record for record in records.feed(machine.usb.read()) if record["type"] == "frame"]
        self.assertEqual(len(received), len(sent))
        self.compare(sent, received, machine.radio.timer.began / 64 - (2**32 - 3_000_000))


if __name__ == "__main__":
    unittest.main()
