"""The receiver: channels, energy, what is not a frame, and a radio that hangs."""

import unittest

from sim.host import Session, fcs, frames
from sim.radio import Frame

from . import Air, board, traffic


def session(**options):
    machine = board(**options)
    return machine, Session(machine)


class Radio(unittest.TestCase):
    def test_every_channel_has_its_frequency(self):
        machine, host = session()
        host.say("receive")
        for channel in range(11, 27):
            host.say(f"channel {channel}")
            self.assertEqual(machine.radio.config["FREQUENCY"][0], 2405 + 5 * (channel - 11) - 2400)
            air = Air(machine.machine, machine.radio)
            frame = next(traffic(channel, 1, channel))
            air.send(frame)
            air.quiet()
            self.assertEqual([psdu for psdu, *_ in frames(machine.usb.read())], [frame.psdu])

    def test_channels_change_under_load_and_no_frame_is_spoiled(self):
        machine, host = session()
        records = host.binary()
        host.say("channel 15")
        host.say("receive")
        records.feed(machine.usb.read())
        sent, got = [], []
        air = Air(machine.machine, machine.radio)
        for i, frame in enumerate(traffic(7, 1_500)):
            frame.channel = (15, 20)[i // 3 % 2]
            air.send(frame)
            sent.append(frame)
            if i % 10 == 5:
                # In the middle of whatever is on the air.
                machine.usb.write(f"channel {(15, 20)[i // 10 % 2]}\r".encode())
            if i % 50 == 49:
                air.quiet()
                got += records.feed(machine.usb.read())
        machine.machine.run(100_000)
        got += records.feed(machine.usb.read())
        status = records.feed(host.say("status"))[-1]
        received = [record for record in got if record["type"] == "frame"]
        heard = [frame for frame in sent if frame.heard]
        self.assertGreater(len(heard), 300)
        self.assertGreater(len(sent) - len(heard), 300)
        self.assertEqual((status["heard"], status["dropped"], status["restarts"]), (len(heard), 0, 0))
        self.assertEqual(
            [(record["psdu"], record["channel"]) for record in received],
            [(frame.psdu[:-2], frame.channel) for frame in heard],
        )

    def test_a_frame_that_ends_as_the_channel_changes_is_kept_with_its_channel(self):
        machine, host = session()
        host.say("shell echo off")
        records = host.binary()
        host.say("channel 15")
        host.say("receive")
        machine.radio.ends_before_disable = True
        frame = next(traffic(13, 1))
        frame.psdu = frame.psdu[:-2] * 40 + frame.psdu[-2:]
        air = Air(machine.machine, machine.radio)
        air.send(frame)
        machine.machine.run_while(lambda: not machine.radio.event["FRAMESTART"][0], 10_000)
        machine.usb.write(b"channel 20\r")
        air.quiet()
        machine.machine.run(10_000)
        got = [record for record in records.feed(machine.usb.read()) if record["type"] == "frame"]
        self.assertEqual([(record["channel"], record["psdu"]) for record in got], [(15, frame.psdu[:-2])])

    def test_what_is_too_short_to_be_a_frame_is_counted(self):
        machine, host = session()
        host.say("receive")
        air = Air(machine.machine, machine.radio)
        whole = next(traffic(8, 1, 11))
        for length in (0, 1, 2):
            air.send(Frame(bytes(length), 11, -50, 100, fcs_ok=False))
        air.send(whole)
        air.quiet()
        self.assertEqual([psdu for psdu, *_ in frames(machine.usb.read())], [whole.psdu])
        self.assertIn(b" heard=1 dropped=0 discarded=0 bad-fcs=0 malformed=3 ", host.say("status"))

    def test_asleep_nothing_is_heard(self):
        machine, host = session()
        air = Air(machine.machine, machine.radio)
        air.send(next(traffic(9, 1, 11)))
        air.quiet()
        host.say("receive")
        host.say("sleep")
        air.send(next(traffic(10, 1, 11)))
        air.quiet()
        self.assertEqual(len(machine.radio.missed), 2)
        self.assertIn(b" heard=0 ", host.say("status"))

    def test_energy_is_measured_on_the_channel_asked_for(self):
        machine, host = session()
        machine.radio.noise = {channel: channel for channel in range(11, 27)}
        host.say("channel 13")
        host.say("receive")
        expected = " ".join(f"{channel} {channel - 92}" for channel in range(11, 27))
        self.assertIn(f"# energy {expected}\r\n".encode(), host.say("energy", 60_000))
        self.assertIn(b"# energy 26 -66\r\n", host.say("energy 26"))
        # And the receiver is back where it was.
        air = Air(machine.machine, machine.radio)
        frame = next(traffic(11, 1, 13))
        air.send(frame)
        air.quiet()
        self.assertEqual([psdu for psdu, *_ in frames(machine.usb.read())], [frame.psdu])

    def test_a_receiver_that_stops_by_itself_is_started_again(self):
        machine, host = session()
        host.say("channel 15")
        host.say("receive")
        machine.radio.hang()
        machine.machine.run(200_000)
        air = Air(machine.machine, machine.radio)
        frame = next(traffic(12, 1))
        air.send(frame)
        air.quiet()
        self.assertEqual([psdu for psdu, *_ in frames(machine.usb.read())], [frame.psdu])
        self.assertIn(b" restarts=1 ", host.say("status"))

    def test_a_radio_that_never_answers_does_not_stop_the_rest(self):
        machine, host = session()
        machine.radio.answers = False
        host.say("receive")
        self.assertIn(b"# error the radio does not answer", host.say("energy 20", 60_000))
        machine.machine.run(3_000_000)
        self.assertIn(b"rtoscope-sniffer", host.say("info"))

    def test_the_fcs_in_text_is_the_one_on_the_air(self):
        machine, host = session()
        host.say("receive")
        # IEEE 802.15.4-2020, 7.2.11: the standard's own example, an acknowledgment.
        psdu = bytes.fromhex("02006ae479")
        self.assertEqual(fcs(psdu[:3]), psdu[3:])
        air = Air(machine.machine, machine.radio)
        air.send(Frame(psdu, 11, -42, 255))
        air.quiet()
        self.assertIn(b"received: 02006ae479 power: -42 lqi: 252 time: ", machine.usb.read())


if __name__ == "__main__":
    unittest.main()
