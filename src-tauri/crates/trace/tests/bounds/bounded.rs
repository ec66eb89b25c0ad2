//! Floods: input that asks for unbounded memory or time gets neither, and a counted note.
//!
//! Each capture would take hours, or gigabytes, where the work for one frame grows with the number of frames.

use base::Instant;
use std::net::Ipv6Addr;
use trace::{DecodeOptions, ImportOptions, Outcome, Trace};
use wire::tap::linktype;

/// A classic pcap file of frames with their times in microseconds.
fn pcap(link: u16, frames: impl Iterator<Item = (u64, Vec<u8>)>) -> Vec<u8> {
    let mut file = vec![0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0];
    file.extend(u32::from(link).to_le_bytes());
    for (micros, octets) in frames {
        let length = octets.len() as u32;
        for word in [1_700_000_000 + (micros / 1_000_000) as u32, (micros % 1_000_000) as u32, length, length] {
            file.extend(word.to_le_bytes());
        }
        file.extend(octets);
    }
    file
}

fn analyse(file: &[u8]) -> Trace {
    let capture = trace::read("flood", file, None, &ImportOptions::default(), &mut base::Silent).unwrap();
    trace::analyse(capture, &DecodeOptions::default(), &mut base::Silent).unwrap()
}

/// A MAC header from node `src` to node `dst` (version 2003, intra-PAN, short addresses).
fn mac(seq: u8, dst: u16, src: u16) -> Vec<u8> {
    let mut octets = vec![0x61, 0x88, seq, 0xcd, 0xab];
    octets.extend(dst.to_le_bytes());
    octets.extend(src.to_le_bytes());
    octets
}

/// IPHC with both link-local addresses elided or inline (16 bits), UDP 5683 to 5683, and a CoAP message.
fn coap(src: u16, dst: u16, hop_limit: u8, message: &[u8]) -> Vec<u8> {
    let mut octets = vec![0x7c, 0x22, hop_limit];
    octets.extend(src.to_be_bytes());
    octets.extend(dst.to_be_bytes());
    octets.extend([0xf0, 0x16, 0x33, 0x16, 0x33, 0, 0]);
    octets.extend(message);
    octets
}

fn con(mid: u16) -> Vec<u8> {
    let mut octets = vec![0x40, 1];
    octets.extend(mid.to_be_bytes());
    octets
}

#[test]
fn a_million_datagrams_of_which_only_the_first_fragment_comes() {
    let frames = (0..1_000_000_u32).map(|n| {
        let mut octets = mac(n as u8, 1, (n >> 16) as u16 + 2);
        octets.extend([0xc0, 200]);
        octets.extend((n as u16).to_be_bytes());
        octets.extend(coap(2, 1, 64, &[&con(n as u16)[..], &[0xff, 1]].concat()));
        (u64::from(n) * 10, octets)
    });
    let trace = analyse(&pcap(linktype::IEEE802_15_4_NOFCS, frames));
    assert_eq!(trace.notes.count("incomplete-datagram"), 1_000_000);
    assert_eq!(trace.messages.len(), 1_000_000, "each is a copy that somebody tried to send");
    assert!(trace.messages.iter().all(|message| message.frame.is_none()));
}

#[test]
fn fragments_that_overlap_and_never_end() {
    // All offsets and lengths there are, in an order that never completes: octet 0..8 stays missing.
    let frames = (0..300_000_u64).map(|n| {
        let mut octets = mac(n as u8, 1, 2);
        octets.extend([0xe7, 0xff, 0, 7, 1 + (n % 255) as u8]);
        octets.resize(octets.len() + 1 + (n / 255 % 90) as usize, 0xee);
        (n * 10, octets)
    });
    let trace = analyse(&pcap(linktype::IEEE802_15_4_NOFCS, frames));
    assert!(trace.notes.count("overlapping-fragments") > 200_000);
    assert!(trace.notes.count("fragment-beyond-datagram") > 0);
    assert_eq!((trace.notes.count("incomplete-datagram"), trace.messages.len()), (1, 0));
}

#[test]
fn a_million_frames_that_wait_for_an_acknowledgement() {
    let frames = (0..1_000_000_u64).map(|n| (n, mac((n / 7) as u8, (n % 65_000) as u16, 2)));
    let trace = analyse(&pcap(linktype::IEEE802_15_4_NOFCS, frames));
    assert_eq!((trace.capture.frames.len(), trace.messages.len()), (1_000_000, 0));
}

/// The same message over and over, by its source and by a node that forwards it: neither the messages of one content
/// nor the hops of one message are all compared.
#[test]
fn a_flood_of_one_message() {
    for sender in [2, 9] {
        let frames = (0..100_000_u64).map(|n| {
            let hop_limit = (n % 64) as u8 + 1;
            (n * 10, [mac(n as u8, 1, sender), coap(2, 1, hop_limit, &con(7))].concat())
        });
        let trace = analyse(&pcap(linktype::IEEE802_15_4_NOFCS, frames));
        let hops: usize = trace.messages.iter().map(|message| message.hops().len()).sum();
        assert_eq!((trace.sightings.len(), hops), (100_000, 100_000), "from node {sender}");
        assert!(trace.messages.iter().all(|message| message.hops().len() <= 255));
        let copies: usize = trace.exchanges.iter().map(|exchange| exchange.copies.len()).sum();
        assert_eq!(copies as u64 + trace.notes.count("copies-left-out"), trace.messages.len() as u64);
    }
}

/// Requests that are all open at once, with all Message IDs and tokens there are, none answered; and answers to none.
#[test]
fn a_flood_of_message_ids() {
    let ip = |src: Ipv6Addr, dst: Ipv6Addr, message: &[u8]| {
        let udp = 8 + message.len() as u16;
        let mut octets = vec![0x60, 0, 0, 0];
        octets.extend(udp.to_be_bytes());
        octets.extend([17, 64]);
        octets.extend(src.octets());
        octets.extend(dst.octets());
        octets.extend([0x16, 0x33, 0x16, 0x33]);
        octets.extend(udp.to_be_bytes());
        octets.extend([0, 0]);
        octets.extend(message);
        octets
    };
    let (client, server) = (Ipv6Addr::new(0xfd00, 0, 0, 0, 0, 0, 0, 1), Ipv6Addr::new(0xfd00, 0, 0, 0, 0, 0, 0, 2));
    let frames = (0..400_000_u64).map(|n| {
        let mid = n as u16;
        let octets = match n % 2 {
            0 => ip(client, server, &con(mid)),
            _ => ip(server, client, &[0x60, 0, (mid >> 8) as u8, mid as u8]),
        };
        (n * 100, octets)
    });
    let trace = analyse(&pcap(linktype::RAW, frames));
    assert_eq!((trace.messages.len(), trace.associations.len()), (400_000, 1));
    // 40 s: a Message ID that comes again is another copy, not another exchange (RFC 7252 §4.2).
    assert_eq!(trace.exchanges.len(), 32_768);
    let end = trace.capture.window().unwrap().1;
    assert!(
        trace.exchanges.iter().all(|e| e.outcome == Outcome::Open && e.start() >= Instant::ZERO && e.start() <= end)
    );
}
