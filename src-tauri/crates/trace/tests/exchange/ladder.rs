//! Ladders of captures made by hand: what each frame is, where the message waited, where it died, and how that is
//! known.
//!
//! Motes 1 to 4; mote 3 is the client, mote 1 the server. Expected values follow from the rows above them by hand.

use crate::bundle;
use crate::make;
use crate::make::{Order, Pcap, row, with_fcs};
use base::{ExchangeId, Instant, Span};
use trace::ladder::{Attempt, Ending, Leg, Loss, Role, Transit, WaitKind};
use trace::{DecodeOptions, Delivery, Evidence, Ladder, Trace};

/// The CoAP message: a confirmable GET, or a piggybacked 2.05, both with Message ID 7 and token `ab`.
const CON: [u8; 5] = [0x41, 0x01, 0, 7, 0xab];
const ACK: [u8; 5] = [0x61, 0x45, 0, 7, 0xab];

fn address(mote: u8) -> [u8; 16] {
    [0xfd, 0, 0, 0, 0, 0, 0, 0, 2, mote, 0, mote, 0, mote, 0, mote]
}

/// An IPv6 datagram between two motes with a CoAP message, `fill` octets of payload behind it.
fn datagram((from, to): (u8, u8), hop_limit: u8, coap: &[u8], fill: usize) -> Vec<u8> {
    let payload = if fill > 0 { [&[0xff][..], &vec![0x2e; fill - 1]].concat() } else { Vec::new() };
    let len = (8 + coap.len() + payload.len()) as u16;
    let ip = [&[0x60, 0, 0, 0][..], &len.to_be_bytes(), &[17, hop_limit], &address(from), &address(to)].concat();
    let udp = [&5683_u16.to_be_bytes()[..], &5683_u16.to_be_bytes(), &len.to_be_bytes(), &[0x12, 0x34]].concat();
    [&ip[..], &udp, coap, &payload].concat()
}

/// A data frame that asks for an acknowledgement.
fn frame((from, to): (u8, u8), seq: u8, payload: &[u8]) -> Vec<u8> {
    let mac = |mote: u8| [mote, 0, mote, 0, mote, 0, mote, 0];
    [&[0x61, 0xdc, seq, 0xcd, 0xab][..], &mac(to), &mac(from), payload].concat()
}

/// A whole datagram in one frame, uncompressed (dispatch 0x41, RFC 4944 §5.1).
fn whole(hop: (u8, u8), seq: u8, ends: (u8, u8), hop_limit: u8, coap: &[u8]) -> Vec<u8> {
    frame(hop, seq, &[&[0x41][..], &datagram(ends, hop_limit, coap, 0)].concat())
}

/// Rows of a radio log: milliseconds, sender, receivers, frame.
#[derive(Default)]
struct Air(Vec<(u64, u8, &'static str, Vec<u8>)>);

impl Air {
    fn on(&mut self, ms: u64, hop: (u8, u8), to: &'static str, seq: u8, request: bool, limit: u8) -> &mut Self {
        let (ends, coap) = if request { ((3, 1), &CON) } else { ((1, 3), &ACK) };
        self.frame(ms, hop.0, to, whole(hop, seq, ends, limit, coap))
    }

    fn frame(&mut self, ms: u64, from: u8, to: &'static str, frame: Vec<u8>) -> &mut Self {
        self.0.push((ms, from, to, frame));
        self
    }

    /// The acknowledgement of `seq` by `from`.
    fn ack(&mut self, ms: u64, from: u8, to: &'static str, seq: u8) -> &mut Self {
        self.frame(ms, from, to, vec![2, 0, seq])
    }

    /// Analyses it as a Cooja log.
    fn log(&self) -> Trace {
        let rows: String =
            self.0.iter().map(|(ms, from, to, f)| row(*ms, u32::from(*from), to, &with_fcs(f))).collect();
        analyse(rows.as_bytes())
    }

    /// Analyses it as the capture of a sniffer that hears what `heard` accepts.
    fn pcap(&self, heard: impl Fn(&[u8]) -> bool) -> Trace {
        let mut file = Pcap::new(Order::Little, 230);
        for (ms, _, _, f) in self.0.iter().filter(|(_, _, _, f)| heard(f)) {
            file.record((*ms / 1000) as u32, (*ms % 1000 * 1000) as u32, f);
        }
        analyse(&file.octets)
    }
}

fn analyse(file: &[u8]) -> Trace {
    trace::analyse(make::read(file).unwrap(), &DecodeOptions::default(), &mut base::Silent).unwrap()
}

fn only(trace: &Trace) -> Ladder {
    assert_eq!(trace.exchanges.len(), 1, "{:?}", trace.notes.kinds());
    Ladder::of(trace, ExchangeId(0)).unwrap()
}

/// Milliseconds after the first frame.
fn ms(trace: &Trace, at: Instant) -> i64 {
    (at - trace.capture.frames[0].at).millis()
}

fn names(ladder: &Ladder) -> Vec<(&str, Role, bool)> {
    ladder.nodes.iter().map(|n| (n.name.as_str(), n.role, n.seen)).collect()
}

fn ends(leg: &Leg) -> (usize, usize) {
    (leg.from, leg.to)
}

/// Fragment, attempt and the number of the acknowledging frame of each attempt.
fn attempts(leg: &Leg) -> Vec<(usize, usize, Option<u32>)> {
    let one = |a: &Attempt| (a.fragment, a.attempt, a.ack.map(|(frame, _)| frame.0));
    leg.attempts.iter().map(one).collect()
}

/// Mote 3 needs two attempts to reach mote 2, which keeps the request for 40 ms; the reply needs one attempt a hop.
fn chain() -> Air {
    let mut air = Air::default();
    air.on(1000, (3, 2), "-", 10, true, 64); // frame 0
    air.on(1010, (3, 2), "2", 10, true, 64).ack(1014, 2, "3", 10); // 1, 2
    air.on(1054, (2, 1), "1", 20, true, 63).ack(1058, 1, "2", 20); // 3, 4
    air.on(1070, (1, 2), "2", 30, false, 64).ack(1074, 2, "1", 30); // 5, 6
    air.on(1080, (2, 3), "3", 21, false, 63).ack(1084, 3, "2", 21); // 7, 8
    air
}

#[test]
fn retries_waits_and_acknowledgements_of_a_chain() {
    for trace in [chain().log(), chain().pcap(|_| true)] {
        let ladder = only(&trace);
        assert_eq!(
            names(&ladder),
            [("mote 3", Role::Client, true), ("mote 2", Role::Router, true), ("mote 1", Role::Server, true)]
        );
        let [copy] = &ladder.copies[..] else { panic!("{ladder:?}") };
        assert_eq!(copy.legs.iter().map(ends).collect::<Vec<_>>(), [(0, 1), (1, 2)]);
        assert_eq!(attempts(&copy.legs[0]), [(0, 1, None), (0, 2, Some(2))]);
        assert_eq!(attempts(&copy.legs[1]), [(0, 1, Some(4))]);
        let failed = if trace.capture.heard.is_empty() { Delivery::Unlikely } else { Delivery::No };
        assert_eq!(copy.legs[0].attempts.iter().map(|a| a.delivery).collect::<Vec<_>>(), [failed, Delivery::Yes]);
        assert_eq!(copy.legs[0].attempts[1].seq, Some(10));
        // 23 octets of MAC header and dispatch, 40 of IPv6, 8 of UDP, 5 of CoAP, less one: 75 at 32 µs each are 2.4 ms.
        // The acknowledgement of 3 octets ends 96 µs after 1014 ms: 14.096 ms after the first attempt.
        let air = Span::from_micros(75 * 32);
        assert_eq!(copy.legs[0].attempts[1].end - copy.legs[0].attempts[1].start, air);
        assert_eq!(copy.legs[0].mac_delay, Some(Span::from_micros(14_096)));
        // Mote 2 had it at 1010 ms + 2.4 ms and sent it on at 1054 ms.
        let [wait] = &copy.waits[..] else { panic!("{copy:?}") };
        assert_eq!((wait.node, wait.kind, wait.until - wait.from), (1, WaitKind::Queue, Span::from_millis(44) - air));
        assert_eq!(ms(&trace, wait.until), 54);
        let arrived = copy.legs[1].arrived;
        assert_eq!(copy.ending, Ending::Arrived { at: arrived, evidence: Evidence::Proven });
        let [reply] = &ladder.replies[..] else { panic!("{ladder:?}") };
        assert_eq!(reply.legs.iter().map(ends).collect::<Vec<_>>(), [(2, 1), (1, 0)]);
        assert_eq!((reply.waits[0].node, reply.waits[0].kind), (2, WaitKind::Turnaround));
        assert_eq!(reply.waits[0].until - reply.waits[0].from, Span::from_millis(16) - air);
        assert_eq!(reply.waits[1].node, 1);
        assert_eq!(ladder.frames(), 5);
        let [timer] = ladder.timers[..] else { panic!() };
        assert_eq!((timer.expired, timer.until), (false, trace.exchanges[0].end));
    }
}

/// The first copy dies behind mote 2, the second gets through.
fn lost() -> Air {
    let mut air = Air::default();
    air.on(1000, (3, 2), "2", 10, true, 64).ack(1004, 2, "3", 10);
    air.on(1020, (2, 1), "-", 20, true, 63);
    air.on(1030, (2, 1), "-", 20, true, 63);
    air.on(4000, (3, 2), "2", 11, true, 64).ack(4004, 2, "3", 11);
    air.on(4020, (2, 1), "1", 21, true, 63).ack(4024, 1, "2", 21);
    air.on(4030, (1, 2), "2", 30, false, 64).ack(4034, 2, "1", 30);
    air.on(4040, (2, 3), "3", 22, false, 63).ack(4044, 3, "2", 22);
    air
}

#[test]
fn a_lost_copy_has_a_leg_and_evidence() {
    for (trace, loss, evidence) in [
        (lost().log(), Loss::NotReceived, Evidence::Proven),
        (lost().pcap(|_| true), Loss::NotAcknowledged, Evidence::Inferred),
    ] {
        let ladder = only(&trace);
        assert_eq!(ladder.copies[0].ending, Ending::Died { leg: 1, loss, evidence });
        assert_eq!(loss.evidence(), evidence);
        assert!(matches!(ladder.copies[1].ending, Ending::Arrived { evidence: Evidence::Proven, .. }));
        assert_eq!(attempts(&ladder.copies[0].legs[1]), [(0, 1, None), (0, 2, None)]);
        assert_eq!(ladder.copies[0].legs[1].mac_delay, None);
        assert_eq!((ladder.timers[0].expired, ladder.timers[0].length()), (true, Some(Span::from_secs(3))));
        assert_eq!(trace.exchanges[0].replies[0].answers, Some(1));
    }
}

#[test]
fn a_sniffer_that_sees_a_part_does_not_say_that_a_copy_died() {
    // Beside the client: what mote 2 does with a copy it cannot say.
    let ladder = only(&lost().pcap(|f| f.len() == 3 || f[5] == 3 || f[13] == 3));
    assert_eq!(ladder.copies[0].ending, Ending::Unknown { leg: Some(0) });
}

#[test]
fn fragments_are_distinguished_from_retries() {
    // 100 octets of payload, in pieces of 64, 64 and the rest of the datagram's 40 + 8 + 5 + 100 = 153 octets.
    let all = datagram((3, 1), 64, &CON, 100);
    let size = all.len() as u16;
    let head = |first: u8| [first | (size >> 8) as u8, size as u8, 0, 9];
    let pieces = [
        [&head(0xc0)[..], &[0x41], &all[..64]].concat(),
        [&head(0xe0)[..], &[8], &all[64..128]].concat(),
        [&head(0xe0)[..], &[16], &all[128..]].concat(),
    ];
    let air = |last: bool| {
        let mut air = Air::default();
        air.frame(1000, 3, "1", frame((3, 1), 40, &pieces[0])).ack(1005, 1, "3", 40);
        air.frame(1010, 3, "-", frame((3, 1), 41, &pieces[1]));
        air.frame(1020, 3, "1", frame((3, 1), 41, &pieces[1])).ack(1025, 1, "3", 41);
        if last {
            air.frame(1030, 3, "1", frame((3, 1), 42, &pieces[2])).ack(1032, 1, "3", 42);
        }
        // Far behind, so that the client is known to have given up.
        air.frame(200_000, 1, "-", whole((1, 2), 90, (1, 2), 64, &[0x50, 0x45, 9, 9]));
        air
    };
    let trace = air(true).log();
    let ladder = only(&trace);
    let leg = &ladder.copies[0].legs[0];
    assert_eq!(attempts(leg), [(0, 1, Some(1)), (1, 1, None), (1, 2, Some(4)), (2, 1, Some(6))]);
    assert_eq!(leg.fragments, 3);
    // From 1000 ms to the end of the last acknowledgement, 1032 ms and three octets.
    assert_eq!(leg.mac_delay, Some(Span::from_micros(32_096)));
    let trace = air(false).log();
    let ladder = only(&trace);
    assert_eq!(ladder.copies[0].legs[0].mac_delay, None, "its last fragment was not acknowledged");
    assert_eq!(ladder.copies[0].legs[0].arrived, None);
    let incomplete = Ending::Died { leg: 0, loss: Loss::Incomplete, evidence: Evidence::Proven };
    let unknown = Ending::Unknown { leg: Some(0) };
    assert!([incomplete, unknown].contains(&ladder.copies[0].ending));
}

#[test]
fn one_sniffer_gives_a_part_of_the_ladder() {
    // The sniffer hears mote 2 and mote 1 talk, nothing of the client's link.
    let trace = chain().pcap(|f| f.len() == 3 && f[2] != 10 && f[2] != 21 || f.len() > 3 && f[13] != 3 && f[5] != 3);
    let ladder = only(&trace);
    assert_eq!(
        names(&ladder),
        [("mote 3", Role::Client, false), ("mote 2", Role::Router, true), ("mote 1", Role::Server, true)]
    );
    assert_eq!(ladder.copies[0].legs.iter().map(ends).collect::<Vec<_>>(), [(1, 2)]);
    assert_eq!(ladder.copies[0].waits, [], "when mote 2 had it was not seen");
    assert_eq!(ladder.replies[0].legs.iter().map(ends).collect::<Vec<_>>(), [(2, 1)]);
}

#[test]
fn a_tap_sees_two_ends_and_nothing_between() {
    let mut file = Pcap::new(Order::Little, 101);
    file.record(1, 0, &datagram((3, 1), 64, &CON, 0));
    file.record(1, 250_000, &datagram((1, 3), 64, &ACK, 0));
    let trace = analyse(&file.octets);
    let ladder = only(&trace);
    assert_eq!(names(&ladder), [("mote 3", Role::Client, true), ("mote 1", Role::Server, true)]);
    let [copy, reply] = [&ladder.copies[0], &ladder.replies[0]];
    assert_eq!((ends(&copy.legs[0]), ends(&reply.legs[0])), ((0, 1), (1, 0)));
    assert_eq!(copy.legs[0].delivery, Delivery::Unknown);
    // The reply says that it arrived; nobody says when.
    assert!(matches!(copy.ending, Ending::Arrived { at: None, .. }), "{:?}", copy.ending);
    assert_eq!((copy.legs[0].mac_delay, &copy.waits[..], &reply.waits[..]), (None, &[][..], &[][..]));
}

#[test]
fn a_node_beside_the_path_and_a_duplicate_on_a_link() {
    let mut air = Air::default();
    // The first copy goes to mote 4 and dies there; the second goes over mote 2, which sends it twice.
    air.on(1000, (3, 4), "4", 10, true, 64).ack(1004, 4, "3", 10);
    air.on(4000, (3, 2), "2", 11, true, 64).ack(4004, 2, "3", 11);
    air.on(4020, (2, 1), "1", 20, true, 63).ack(4024, 1, "-", 20);
    air.on(4030, (2, 1), "1", 21, true, 63).ack(4034, 1, "2", 21);
    air.on(4040, (1, 2), "2", 30, false, 64).ack(4044, 2, "1", 30);
    air.on(4050, (2, 3), "3", 22, false, 63).ack(4054, 3, "2", 22);
    let trace = air.log();
    let ladder = only(&trace);
    assert_eq!(
        names(&ladder),
        [
            ("mote 3", Role::Client, true),
            ("mote 4", Role::Beside, true),
            ("mote 2", Role::Router, true),
            ("mote 1", Role::Server, true)
        ]
    );
    assert_eq!(ladder.copies[0].ending, Ending::Died { leg: 0, loss: Loss::NotSentOn, evidence: Evidence::Inferred });
    let duplicates = |transit: &Transit| transit.legs.iter().map(|leg| leg.duplicate).collect::<Vec<_>>();
    assert_eq!(duplicates(&ladder.copies[1]), [false, false, true]);
    assert_eq!(ladder.copies[1].waits.len(), 1, "until it was first sent on");
}

/// Asserts the laws of every ladder of every bundled capture.
#[test]
fn every_frame_of_every_message_is_in_its_ladder_once() {
    for bundled in bundle::bundled_with("capture") {
        let trace = bundled.analyse("capture");
        let mut legs = 0;
        for exchange in &trace.exchanges {
            let ladder = Ladder::of(&trace, exchange.id).unwrap();
            assert_eq!((ladder.copies.len(), ladder.replies.len()), (exchange.copies.len(), exchange.replies.len()));
            assert_eq!(ladder.nodes.first().map(|n| n.role), Some(Role::Client));
            assert_eq!(ladder.nodes.last().map(|n| n.role), Some(Role::Server));
            for transit in ladder.copies.iter().chain(&ladder.replies) {
                let message = &trace.messages[transit.message.index()];
                assert_eq!(transit.legs.len(), message.hops().len());
                for (leg, hop) in transit.legs.iter().zip(message.hops()) {
                    legs += 1;
                    assert!(leg.from != leg.to && leg.from.max(leg.to) < ladder.nodes.len(), "{leg:?}");
                    assert!(leg.attempts.iter().map(|a| a.frame).eq(hop.frames.iter().copied()));
                    let got = leg.attempts.iter().any(|a| a.delivery == Delivery::Yes);
                    assert!(got || leg.delivery != Delivery::Yes || leg.attempts.iter().all(|a| a.ack.is_none()));
                    assert!(leg.attempts.iter().all(|a| a.start <= a.end && a.ack.is_none_or(|(f, _)| f != a.frame)));
                }
                assert!(transit.waits.iter().all(|wait| wait.from <= wait.until));
            }
        }
        println!("{}: {} exchanges, {legs} legs", bundled.id, trace.exchanges.len());
    }
}
