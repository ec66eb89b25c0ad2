//! 802.15.4 frames that are not one plain datagram each.

use base::{FrameId, Silent};
use trace::packet::dissect;
use trace::{DecodeOptions, ImportOptions, LinkKey, Outcome, Packet, Places, Trace};
use wire::tap::linktype;

fn hex(digits: &str) -> Vec<u8> {
    let digits: Vec<u8> = digits.bytes().filter(|digit| !digit.is_ascii_whitespace()).collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

/// Analyse frames without check sequence, 10 ms apart.
fn analyse(frames: &[Vec<u8>], options: &DecodeOptions) -> Trace {
    let mut file = vec![0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0];
    file.extend(u32::from(linktype::IEEE802_15_4_NOFCS).to_le_bytes());
    for (n, frame) in (0_u32..).zip(frames) {
        let length = frame.len() as u32;
        for word in [1_700_000_000, n * 10_000, length, length] {
            file.extend(word.to_le_bytes());
        }
        file.extend(frame);
    }
    let capture = trace::read("made", &file[..], None, &ImportOptions::default(), &mut base::Silent).unwrap();
    trace::analyse(capture, options, &mut base::Silent).unwrap()
}

const KEY: [u8; 16] = [0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf];

/// Sealed by OpenSSL (Python's cryptography, AESCCM): level 5, key index 3; a GET of node 2, whose extended address is
/// 00124b0011223344, and the answer of node 1, which is 00124b0011223355.
const SEALED: [&str; 2] = [
    "699801cdab010002000d010000000385bda97a2fccfecf34a7fe589cb6d438f1061f",
    "699801cdab020001000d0900000003c75cbc3107f2e98982989717a670354ed2bb52",
];

/// In clear, from node 2 with its extended address as IPv6 source: an ICMPv6 echo request.
const HELLO: &str = "618800cdab01000200 7a13 3a 02124b0011223344 8000 0000";

#[test]
fn secured_frames_open_with_their_key() {
    let frames: Vec<Vec<u8>> = [HELLO, SEALED[0], SEALED[1]].into_iter().map(hex).collect();
    let counts = |options: &DecodeOptions| {
        let trace = analyse(&frames, options);
        let counts = ["encrypted", "wrong-key", "encrypted-by-unknown"].map(|code| trace.notes.count(code));
        (trace.messages.len(), counts, trace.exchanges.first().map(|exchange| exchange.outcome))
    };
    let with = |keys: &[LinkKey]| DecodeOptions { keys: keys.to_vec(), ..DecodeOptions::default() };

    assert_eq!(counts(&DecodeOptions::default()), (0, [2, 0, 0], None));
    // Node 2 said its extended address, node 1 did not.
    assert_eq!(counts(&with(&[LinkKey::new(KEY)])), (1, [0, 0, 1], Some(Outcome::Open)));
    assert_eq!(counts(&with(&[LinkKey::new([0; 16])])), (0, [0, 1, 1], None));
    let other = LinkKey { index: Some(2), ..LinkKey::new(KEY) };
    assert_eq!(counts(&with(&[other])), (0, [2, 0, 0], None));
    let mine = LinkKey { index: Some(3), ..LinkKey::new(KEY) };
    let mut options = with(&[LinkKey::new([1; 16]), mine]);
    options.addresses = vec![(1, [0, 0x12, 0x4b, 0, 0x11, 0x22, 0x33, 0x55])];
    assert_eq!(counts(&options), (2, [0, 0, 0], Some(Outcome::Acked)));
    options.addresses[0].1[7] = 0x56;
    assert_eq!(counts(&options), (1, [0, 1, 0], Some(Outcome::Open)), "the address is part of the nonce");
    assert!(!format!("{options:?}").contains("192, 193"), "a key is not printed");
}

#[test]
fn an_association_says_both_addresses() {
    // Association response (802.15.4-2006 7.3.2): to the extended address, short address 2, success.
    let response = hex("63cc 05 cdab 4433221100 4b1200 5533221100 4b1200 02 0200 00");
    let frames = [response, hex(SEALED[0])];
    let options = DecodeOptions { keys: vec![LinkKey::new(KEY)], ..DecodeOptions::default() };
    assert_eq!(analyse(&frames, &options).messages.len(), 1);
}

/// A data frame from one node to another (version 2003, intra-PAN, short addresses).
fn data(seq: u8, dst: u16, src: u16, payload: &str) -> Vec<u8> {
    let header = [&[0x41, 0x88, seq, 0xcd, 0xab][..], &dst.to_le_bytes(), &src.to_le_bytes()].concat();
    [header, hex(payload)].concat()
}

/// IPHC from fe80::ff:fe00:2 to fe80::ff:fe00:1, hop limit 64 inline, UDP, CoAP GET.
const GET: &str = "7c22 40 0002 0001 f0 1633 1633 0000 40 01 1234 b1 61";

#[test]
fn frames_of_zigbee_are_counted_as_such() {
    // ZigBee Specification §3.3.1: a data frame with security, a command with its source's extended address, and three
    // that are none: another version, a reserved bit, octets missing.
    let payloads = [
        "4802 0000 3412 1e 07 28000000",
        "0912 fcff 3412 01 08 8877665544332211 28",
        "4402 0000 3412 1e 07 28000000",
        "4882 0000 3412 1e 07 28000000",
        "4802 0000 34",
    ];
    let frames: Vec<Vec<u8>> = (0..).zip(payloads).map(|(seq, payload)| data(seq, 0, 0x1234, payload)).collect();
    let notes = analyse(&frames, &DecodeOptions::default()).notes;
    assert_eq!(notes.count("zigbee"), 2);
    assert_eq!(notes.count("unsupported-dispatch"), 3, "what it is not is not known");
}

#[test]
fn recoverable_fragments_are_put_together_on_each_hop() {
    // RFC 8931 §5.1: 1110100, E; tag; X, sequence, size; offset, or the datagram's length where the sequence is 0.
    let datagram: String = GET.split_whitespace().collect();
    assert_eq!(datagram.len(), 2 * 20);
    let first = |tag: &str| format!("e8 {tag} 0008 0014 {}", &datagram[..16]);
    let second = |tag: &str| format!("e8 {tag} 040a 0008 {}", &datagram[16..36]);
    let third = |tag: &str| format!("e8 {tag} 8802 0012 {}", &datagram[36..]);
    let frames = [
        data(1, 3, 2, &second("07")),
        data(2, 3, 2, &first("07")),
        data(3, 3, 2, &third("07")),
        // RFC 8931 §5.2: 1110101, E; tag; bitmap. And the second fragment again.
        data(4, 2, 3, "ea 07 a0000000"),
        data(5, 3, 2, &second("07")),
        data(6, 1, 3, &first("30")),
        data(7, 1, 3, &second("30")),
        // Given up: no octets, sequence 0.
        data(8, 1, 3, "e8 31 0000 0014"),
    ];
    let trace = analyse(&frames, &DecodeOptions::default());
    assert_eq!((trace.messages.len(), trace.notes.count("incomplete-datagram")), (1, 1));
    let message = &trace.messages[0];
    assert_eq!(
        (message.mid, message.code.to_string().as_str(), message.frame),
        (0x1234, "0.01", Some(base::FrameId(2)))
    );
    let hops: Vec<(Vec<u32>, bool)> =
        message.hops().map(|hop| (hop.frames.iter().map(|frame| frame.0).collect(), hop.arrived.is_some())).collect();
    assert_eq!(hops, [(vec![0, 1, 2, 4], true), (vec![5, 6], false)]);
    assert_eq!(trace.sightings.len(), 1);
    let places = Places::of(&trace, &mut Silent).unwrap();
    for frame in 0..8 {
        let packet = Packet::read(&trace, &places, FrameId(frame));
        let tree = dissect(&trace, &places, FrameId(frame));
        let mid = packet.coap.as_ref().map(|coap| coap.header.mid);
        assert_eq!((packet.rfrag.is_some(), mid), (frame != 3, (frame == 2).then_some(0x1234)), "{frame}");
        assert_eq!(tree.find("coap.mid").count(), usize::from(frame == 2), "{frame}");
    }
}

#[test]
fn a_datagram_behind_routing_headers_is_followed_by_its_outer_hop_limit() {
    // RFC 8138: page 1; SRH-6LoRH of two octets; RPI-6LoRH; IP-in-IP-6LoRH with a hop limit; the datagram, unchanged.
    let hop = |limit: &str| format!("f1 8001 0001 8305 01 a106 {limit} {GET}");
    let frames = [data(1, 3, 2, &hop("40")), data(9, 4, 3, &hop("3f")), data(7, 1, 4, &hop("3e"))];
    let trace = analyse(&frames, &DecodeOptions::default());
    assert_eq!((trace.messages.len(), trace.notes.kinds()), (1, &[][..]));
    let limits: Vec<u8> = trace.messages[0].hops().map(|hop| hop.hop_limit).collect();
    assert_eq!((limits, trace.messages[0].dst().to_string().as_str()), (vec![64, 63, 62], "[fe80::ff:fe00:1]:5683"));
}

#[test]
fn a_datagram_under_mesh_addressing_has_the_ends_of_the_mesh() {
    // RFC 4944 §5.2: 10, V and F (both short), hops left 5; originator 2, final 1. IPHC with elided addresses.
    let mesh = |left: u8| format!("b{left:x} 0002 0001 7e33 f0 1633 1633 0000 40 01 1234 b1 61");
    let frames = [data(1, 3, 2, &mesh(5)), data(9, 1, 3, &mesh(4))];
    let trace = analyse(&frames, &DecodeOptions::default());
    assert_eq!((trace.messages.len(), trace.messages[0].hops().len()), (1, 2));
    let ends = (trace.messages[0].src().to_string(), trace.messages[0].dst().to_string());
    assert_eq!(ends, ("[fe80::ff:fe00:2]:5683".to_owned(), "[fe80::ff:fe00:1]:5683".to_owned()));
}
