//! IP datagrams that are not plain CoAP on its port.

use crate::bundle;
use crate::bundle::{NO_OPTION, shared};
use base::{FrameId, Silent};
use proptest::prelude::*;
use trace::packet::{Stop, Tree, dissect};
use trace::{DecodeOptions, ImportOptions, Outcome, Packet, Places, Trace};
use wire::tap::linktype;

/// An IPv4 packet of a second; `protocol` 17 is UDP, 6 TCP.
fn ipv4(protocol: u8, client_sends: bool, upper: &[u8]) -> Vec<u8> {
    let (client, server) = ([10, 0, 0, 1], [10, 0, 0, 2]);
    let mut octets = vec![0x45, 0];
    octets.extend((20 + upper.len() as u16).to_be_bytes());
    octets.extend([0, 0, 0, 0, 64, protocol, 0, 0]);
    octets.extend(if client_sends { [client, server] } else { [server, client] }.concat());
    octets.extend(upper);
    octets
}

fn udp(client_sends: bool, port: u16, message: &[u8]) -> Vec<u8> {
    let mut ports = [40_000_u16.to_be_bytes(), port.to_be_bytes()];
    if !client_sends {
        ports.reverse();
    }
    let mut octets = ports.concat();
    octets.extend((8 + message.len() as u16).to_be_bytes());
    octets.extend([0, 0]);
    octets.extend(message);
    ipv4(17, client_sends, &octets)
}

/// Analyse packets a second apart, of which at most `snaplen` octets were kept.
fn analyse(packets: &[Vec<u8>], snaplen: usize) -> Trace {
    let mut file = vec![0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    file.extend((snaplen as u32).to_le_bytes());
    file.extend(u32::from(linktype::RAW).to_le_bytes());
    for (second, packet) in packets.iter().enumerate() {
        let held = packet.len().min(snaplen);
        for word in [1_700_000_000 + second, 0, held, packet.len()] {
            file.extend((word as u32).to_le_bytes());
        }
        file.extend(&packet[..held]);
    }
    let capture = trace::read("made", &file[..], None, &ImportOptions::default(), &mut base::Silent).unwrap();
    trace::analyse(capture, &DecodeOptions::default(), &mut base::Silent).unwrap()
}

/// A frame read on demand, and its tree.
fn shown(trace: &Trace, frame: u32) -> (Packet, Tree) {
    let places = Places::of(trace, &mut Silent).unwrap();
    (Packet::read(trace, &places, FrameId(frame)), dissect(trace, &places, FrameId(frame)))
}

const GET: [u8; 6] = [0x40, 1, 0x12, 0x34, 0xb1, b'a'];

#[test]
fn a_datagram_cut_by_the_sniffer_is_read_as_far_as_it_goes() {
    let answer = [&[0x64, 69, 0x12, 0x34, 1, 2, 3, 4, 0xff][..], &[b'x'; 1_000]].concat();
    let trace = analyse(&[udp(true, 5_683, &GET), udp(false, 5_683, &answer)], 60);
    assert_eq!(
        (trace.messages.len(), trace.notes.count("cut-datagram"), trace.notes.count("malformed-udp")),
        (2, 1, 0)
    );
    assert_eq!((trace.messages[1].token.to_string().as_str(), trace.messages[1].payload), ("01020304", 1_000));
    assert_eq!(trace.exchanges[0].outcome, Outcome::Acked);
    let (packet, tree) = shown(&trace, 1);
    let coap = packet.coap.unwrap();
    assert_eq!(
        (packet.stop, coap.header.token, coap.header.payload),
        (Stop::Complete, trace.messages[1].token, Some(9..1_009))
    );
    // 20 octets of IPv4, 8 of UDP, 9 of CoAP: 23 of the 1000 are there.
    let length = tree.find("udp.length").next().unwrap();
    assert_eq!(length.finding.as_ref().unwrap().text, "977 octets of the payload are not here");
    assert_eq!(tree.octets(tree.find("coap.payload").next().unwrap()), [b'x'; 23]);
    assert_eq!((tree.find("rtoscope.cut").count(), tree.find("_ws.malformed").count()), (1, 0));
    // 20 octets of IPv4, 8 of UDP, 4 of CoAP: the token is not there.
    let trace = analyse(&[udp(true, 5_683, &GET), udp(false, 5_683, &answer)], 35);
    assert_eq!((trace.messages.len(), trace.notes.count("cut-message")), (1, 1));
    assert_eq!(shown(&trace, 1).0.coap, None);
    // Whole, but shorter than it says.
    let mut short = udp(false, 5_683, &answer);
    short.truncate(60);
    let trace = analyse(&[short], 65_535);
    assert_eq!((trace.notes.count("malformed-udp"), shown(&trace, 0).0.coap), (1, None));
}

#[test]
fn an_option_that_the_record_does_not_hold_whole_is_none() {
    // ETag of 4 octets (RFC 7252 §5.10.6), then Content-Format 50 and a payload.
    let answer = [&[0x60, 69, 0x12, 0x34, 0x44, 1, 2, 3, 4, 0x81, 50, 0xff][..], &[b'x'; 100]].concat();
    let packets = [udp(true, 5_683, &GET), udp(false, 5_683, &answer)];
    let options = |snaplen| {
        let trace = analyse(&packets, snaplen);
        let (packet, tree) = shown(&trace, 1);
        let numbers: Vec<u16> = packet.coap.unwrap().header.options.iter().map(|option| option.number).collect();
        (numbers, tree.find("coap.opt.etag").count(), tree.find("coap.opt.ctype").count(), trace.messages[1].payload)
    };
    assert_eq!(options(65_535), (vec![4, 12], 1, 1, 100));
    assert_eq!(options(28 + 12), (vec![4, 12], 1, 1, 100), "the marker is the last that is there");
    assert_eq!(options(28 + 10), (vec![4], 1, 0, 0));
    assert_eq!(options(28 + 7), (vec![], 0, 0, 0));
}

/// `octets` from `offset` on of datagram `id` of the server, as a fragment.
fn ipv4_fragment(id: u8, datagram: &[u8], range: std::ops::Range<usize>) -> Vec<u8> {
    let mut packet = ipv4(17, false, &datagram[range.clone()]);
    let more = u16::from(range.end < datagram.len()) << 13;
    packet[5] = id;
    packet[6..8].copy_from_slice(&(more | (range.start / 8) as u16).to_be_bytes());
    packet
}

/// The same over IPv6 (RFC 8200 §4.5), from fd00::2 to fd00::1.
fn ipv6_fragment(id: u8, datagram: &[u8], range: std::ops::Range<usize>) -> Vec<u8> {
    let address = |last: u8| [&[0xfd_u8][..], &[0; 14], &[last]].concat();
    let mut packet = vec![0x60, 0, 0, 0];
    packet.extend((8 + range.len() as u16).to_be_bytes());
    packet.extend([44, 64]);
    packet.extend([address(2), address(1)].concat());
    let more = u16::from(range.end < datagram.len());
    packet.extend([17, 0]);
    packet.extend((range.start as u16 | more).to_be_bytes());
    packet.extend([0, 0, 0, id]);
    packet.extend(&datagram[range]);
    packet
}

/// An answer of 40 octets of payload to [`GET`], as the UDP datagram of 53 octets that it is in.
fn answer() -> Vec<u8> {
    let message = [&[0x60, 69, 0x12, 0x34, 0xff][..], &[b'x'; 40]].concat();
    udp(false, 5_683, &message).split_off(20)
}

/// Not of decoding: that the request of an answer is not there, for one.
fn of_exchanges(note: &base::NoteCount) -> bool {
    note.layer == base::Layer::Exchange
}

#[test]
fn fragments_of_ip_are_put_together() {
    let answer = answer();
    assert_eq!(answer.len(), 53);
    for fragment in [ipv4_fragment, ipv6_fragment] {
        // Out of order, one of them twice, and among those of another datagram. tshark 4.0.17 has CoAP in the same
        // frames.
        let packets = [
            fragment(1, &answer, 48..53),
            fragment(2, &answer, 0..16),
            fragment(1, &answer, 16..48),
            fragment(1, &answer, 48..53),
            fragment(1, &answer, 0..16),
            fragment(2, &answer, 16..53),
        ];
        let trace = analyse(&packets, 65_535);
        assert!(trace.notes.kinds().iter().all(of_exchanges), "{:?}", trace.notes.kinds());
        let message = |at: usize| (trace.messages[at].frame.unwrap().0, trace.messages[at].payload);
        assert_eq!((trace.messages.len(), message(0), message(1)), (2, (4, 40), (5, 40)));
        let frames = |at: usize| trace.messages[at].hop(0).unwrap().frames.iter().map(|id| id.0).collect::<Vec<_>>();
        assert_eq!((frames(0), frames(1)), (vec![0, 2, 3, 4], vec![1, 5]));
        let places = Places::of(&trace, &mut Silent).unwrap();
        for frame in 0..6 {
            let (packet, tree) = shown(&trace, frame);
            assert!(packet.ip.unwrap().is_fragment);
            let completes = frame >= 4;
            assert_eq!((packet.coap.is_some(), packet.stop == Stop::Fragment), (completes, !completes), "{frame}");
            assert_eq!(tree.find("coap.mid").count(), usize::from(completes), "{frame}");
            assert!(tree.find("data").any(|node| node.label == "Fragment of IP, UDP (17)"), "{frame}");
            let of = places.of_frame(&trace, FrameId(frame)).unwrap().message.0;
            assert_eq!(of, u32::from([1, 5].contains(&frame)));
        }
        // The sniffer kept at most 80 octets of a packet: the second fragment is cut.
        let padded = [&answer[..], &[b'x'; 200]].concat();
        let mut long = padded.clone();
        long[4..6].copy_from_slice(&(253_u16).to_be_bytes());
        let trace = analyse(&[fragment(3, &long, 0..16), fragment(3, &long, 16..253)], 80);
        assert_eq!((trace.messages[0].payload, trace.notes.count("cut-datagram")), (240, 1));
        assert_eq!(shown(&trace, 1).0.coap.unwrap().header.payload, Some(5..245));
    }
}

#[test]
fn fragments_of_ip_that_do_not_fit_are_counted() {
    let answer = answer();
    let fragment = |id, range| ipv4_fragment(id, &answer, range);
    // RFC 5722: what overlaps is discarded.
    let trace = analyse(&[fragment(1, 0..24), fragment(1, 16..53)], 65_535);
    assert_eq!((trace.messages.len(), trace.notes.count("overlapping-ip-fragments")), (0, 1));
    // Only the first: as much of a message as was sent.
    let trace = analyse(&[fragment(1, 0..24)], 65_535);
    assert_eq!((trace.messages.len(), trace.sightings.len()), (1, 0));
    assert_eq!((trace.messages[0].frame, trace.notes.count("incomplete-ip-datagram")), (None, 1));
    // Packets are a second apart: 61 s after the first fragment, the last is of another datagram.
    let mut packets = vec![fragment(1, 0..24)];
    packets.extend((0..60).map(|_| udp(true, 5_683, &GET)));
    packets.push(fragment(1, 24..53));
    let trace = analyse(&packets, 65_535);
    assert_eq!((trace.sightings.len(), trace.notes.count("incomplete-ip-datagram")), (60, 2));
    packets.remove(1);
    let trace = analyse(&packets, 65_535);
    assert_eq!((trace.sightings.len(), trace.notes.count("incomplete-ip-datagram")), (60, 0));
    // No more than 64 at once.
    let packets: Vec<_> =
        (0..100).map(|id| fragment(id, 0..24)).chain((0..100).map(|id| fragment(id, 24..53))).collect();
    let packets: Vec<_> = packets.into_iter().collect();
    let trace = analyse(&packets[40..], 65_535);
    assert!(trace.sightings.len() <= 64, "{}", trace.sightings.len());
    assert!(trace.notes.count("incomplete-ip-datagram") > 0);
}

proptest! {
    /// However a datagram is cut and whatever comes first, it is read in the frame that came last.
    #[test]
    fn fragments_of_ip_come_in_any_order(cuts in prop::collection::btree_set(1_usize..7, 0..6), seed in any::<[u8; 7]>()) {
        let answer = answer();
        let ends: Vec<usize> = cuts.into_iter().map(|cut| cut * 8).chain([answer.len()]).collect();
        let starts = [0].into_iter().chain(ends.iter().copied());
        let mut ranges: Vec<_> = starts.zip(ends.iter().copied()).map(|(start, end)| start..end).zip(seed).collect();
        ranges.sort_by_key(|(_, key)| *key);
        let packets: Vec<_> = ranges.iter().map(|(range, _)| ipv6_fragment(1, &answer, range.clone())).collect();
        let trace = analyse(&packets, 65_535);
        let last = FrameId::at(packets.len() - 1);
        prop_assert_eq!((trace.messages.len(), trace.messages[0].frame, trace.messages[0].payload), (1, Some(last), 40));
        prop_assert_eq!(shown(&trace, last.0).0.coap.unwrap().octets, &answer[8..]);
    }

    /// Fragments of no datagram that anyone sent.
    #[test]
    fn no_fragments_of_ip_make_it_panic(
        pieces in prop::collection::vec((0_usize..8, 0_usize..48, any::<bool>(), 20_usize..90), 0..12),
    ) {
        let octets = [0x16, 0x33, 0x16, 0x33, 0, 60, 0, 0, 0x40, 1, 0, 1].repeat(9);
        let mut packets = Vec::new();
        for (start, len, is_last, _) in &pieces {
            let end = start * 8 + len;
            packets.push(ipv4_fragment(1, &octets[..if *is_last { end } else { octets.len() }], start * 8..end));
        }
        let snaplen = pieces.first().map_or(65_535, |piece| piece.3);
        let trace = analyse(&packets, snaplen);
        for frame in 0..packets.len() as u32 {
            let completes = trace.sightings.iter().any(|(id, _)| id.0 == frame);
            prop_assert_eq!(shown(&trace, frame).0.coap.is_some(), completes);
        }
    }
}

#[test]
fn an_atomic_fragment_is_a_datagram() {
    // RFC 6946: a fragment header, and all of the datagram behind it.
    let answer = answer();
    let trace = analyse(&[ipv6_fragment(1, &answer, 0..53)], 65_535);
    assert_eq!(trace.messages.len(), 1);
    assert!(trace.notes.kinds().iter().all(of_exchanges), "{:?}", trace.notes.kinds());
    assert!(shown(&trace, 0).0.coap.is_some());
}

#[test]
fn an_acknowledgement_with_a_token_acknowledges() {
    // Some servers send it so: ttproto's TD_COAP_OBS_05.
    let ack = [0x65, 0, 0x12, 0x34, 0x34, 0x32, 0x32, 0x38, 0x33];
    let trace = analyse(&[udp(true, 5_683, &GET), udp(false, 5_683, &ack)], 65_535);
    assert_eq!(trace.notes.count("empty-with-content"), 1);
    assert_eq!(
        (trace.messages[1].token.to_string().as_str(), trace.exchanges[0].outcome),
        ("3432323833", Outcome::Acked)
    );
    let (packet, tree) = shown(&trace, 1);
    assert_eq!((packet.coap.unwrap().header.token, packet.stop), (trace.messages[1].token, Stop::Complete));
    assert_eq!(tree.octets(tree.find("coap.token").next().unwrap()), b"42283");
    let finding = tree.find("coap.code").next().unwrap().finding.as_ref().unwrap();
    assert!(finding.text.ends_with("Empty message with a token, options or payload"));
    // An Empty confirmable message with content stays an error, and so does a token of 9 octets.
    for wrong in [&[0x41, 0, 0x12, 0x34, 1][..], &[0x69, 0, 0x12, 0x34, 1, 2, 3, 4, 5, 6, 7, 8, 9]] {
        let trace = analyse(&[udp(true, 5_683, wrong)], 65_535);
        assert_eq!((trace.messages.len(), trace.notes.count("malformed-coap")), (0, 1));
    }
}

#[test]
fn a_port_is_guessed_from_its_traffic() {
    let talk = |port| -> Vec<Vec<u8>> {
        let turn = |mid: u8| {
            let (request, answer) = ([0x40, 1, 0, mid, 0xb1, b'a'], [0x60, 69, 0, mid, 0xff, b'x']);
            [udp(true, port, &request), udp(false, port, &answer)]
        };
        (0..5).flat_map(turn).collect()
    };
    let trace = analyse(&talk(17_500), 65_535);
    assert_eq!((trace.messages.len(), trace.exchanges.len(), trace.notes.count("port-guessed")), (10, 5, 1));
    assert!(trace.exchanges.iter().all(|exchange| exchange.outcome == Outcome::Acked));
    let known = analyse(&talk(5_683), 65_535);
    let guessed = format!("{:?}", trace.messages).replace("port: 17500", "port: 5683");
    assert_eq!((format!("{:?}", known.messages), known.notes.count("port-guessed")), (guessed, 0));
}

#[test]
fn reasons_why_coap_is_hidden_are_noted() {
    // A DTLS 1.2 ClientHello, RFC 6347 §4.1; CoAP over TCP, RFC 8323 §3.2: a CSM.
    let hello = [&[22, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3][..], &[1, 2, 3]].concat();
    let mut tcp = [40_000_u16.to_be_bytes(), 5_683_u16.to_be_bytes()].concat();
    tcp.extend([0, 0, 0, 0, 0, 0, 0, 0, 0x50, 0x18, 0, 0, 0, 0, 0, 0]);
    let no_content = ipv4(6, true, &tcp);
    tcp.extend([0, 0xe1]);
    let oscore = [0x41, 2, 0, 1, 7, 0x92, 0x09, 1, 0xff, 0xaa];
    let mut fragment = udp(true, 5_683, &GET);
    fragment[6] = 0x20;
    let packets = [
        udp(true, 5_684, &hello),
        udp(true, 5_683, &hello),
        ipv4(6, true, &tcp),
        no_content,
        udp(true, 5_683, &oscore),
        fragment,
    ];
    let notes = analyse(&packets, 65_535).notes;
    let counts = ["dtls", "coap-over-tcp", "oscore", "incomplete-ip-datagram"].map(|code| notes.count(code));
    assert_eq!((counts, notes.count("malformed-coap")), ([2, 1, 1, 1], 0));
}

/// Counts by tshark 4.0.17 in captures of others: CoAP messages, and acknowledged exchanges by hand.
#[test]
fn recorded_oddities() {
    let Some(captures) = shared("captures") else { return };
    let table = [
        ("coap-perf-tester/caputure_to_1200_arf_12_r_4_res1024.pcap", "cut-datagram", 268),
        ("coap-perf-tester/caputure_to_1200_arf_12_r_4_res256.pcap", "cut-datagram", 263),
        ("ttproto/TD_COAP_OBS_05_PASS.pcap", "empty-with-content", 5),
        ("ndpi/coap_mqtt.pcap", "port-guessed", 1),
        // Negative controls: text that begins as CoAP does, and Teredo.
        ("pcap-parser-assets/wireshark_samples-test.pcapng", "port-guessed", 0),
    ];
    for (name, code, count) in table {
        let path = captures.join(name);
        if !path.exists() {
            needs::skip(format_args!("../shared/captures/{name}"));
            continue;
        }
        let trace = bundle::analyse(&path, NO_OPTION);
        assert_eq!(trace.notes.count(code), count, "{name}");
    }
}

/// `inner` in an IPv6 header of its own: `next_header` 41 is a tunnel (RFC 2473), 17 UDP.
fn ipv6(next_header: u8, (src, dst): (u8, u8), inner: &[u8]) -> Vec<u8> {
    let address = |node: u8| [&[0xfd][..], &[0; 14], &[node]].concat();
    let length = (inner.len() as u16).to_be_bytes();
    let hop_limit = if next_header == 41 { 64 } else { 63 };
    [&[0x60, 0, 0, 0][..], &length, &[next_header, hop_limit], &address(src), &address(dst), inner].concat()
}

#[test]
fn coap_in_tunnels_has_the_ends_of_the_inner_datagram() {
    let udp = |ports: [u16; 2], message: &[u8]| {
        let words = [ports[0], ports[1], 8 + message.len() as u16, 0].map(u16::to_be_bytes);
        [&words.concat(), message].concat()
    };
    let get = ipv6(17, (1, 2), &udp([40_000, 5_683], &GET));
    let answer = ipv6(17, (2, 1), &udp([5_683, 40_000], &[0x60, 69, 0x12, 0x34]));
    // Between routers 8 and 9: once, twice, and over IPv4 (6in4, RFC 4213).
    type Way = fn(&[u8], (u8, u8)) -> Vec<u8>;
    let ways: [Way; 3] = [
        |inner, ends| ipv6(41, ends, inner),
        |inner, ends| ipv6(41, (ends.1, ends.0), &ipv6(41, ends, inner)),
        |inner, _| ipv4(41, true, inner),
    ];
    for (number, way) in ways.into_iter().enumerate() {
        let trace = analyse(&[way(&get, (8, 9)), way(&answer, (9, 8))], 1_500);
        assert_eq!((trace.messages.len(), trace.exchanges.len()), (2, 1), "way {number}");
        let ends = |index: usize| {
            (trace.messages[index].src().addr.octets()[15], trace.messages[index].dst().addr.octets()[15])
        };
        assert_eq!((ends(0), ends(1)), ((1, 2), (2, 1)));
        assert_eq!(trace.exchanges[0].outcome, Outcome::Acked);
        let hop = trace.messages[0].hop(0).unwrap();
        assert_eq!((hop.header_dst().octets()[15], hop.hop_limit), (2, 64));
        let (packet, tree) = shown(&trace, 0);
        assert_eq!(packet.stop, Stop::Complete);
        assert_eq!(packet.ip.unwrap().dst.octets()[15], 2, "the list has the ends that the message has");
        assert_eq!(packet.tunnels.len(), [1, 2, 1][number]);
        assert!(tree.find("coap.mid").next().is_some(), "the tree of way {number} goes as far");
    }
}

#[test]
fn a_datagram_of_nothing_but_tunnels_ends() {
    let mut nested = Vec::new();
    while nested.len() < 60_000 {
        nested = ipv6(41, (8, 9), &nested);
    }
    let trace = analyse(&[nested], 65_535);
    assert_eq!((trace.messages.len(), trace.notes.count("tunnels-too-deep")), (0, 1));
    shown(&trace, 0);
}
