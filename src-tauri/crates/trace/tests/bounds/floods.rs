//! Floods of what a capture has few of: interfaces, records of one transmission, requests at one moment, beginnings of
//! downloads, fragments. Each of these captures would take minutes to hours, or all memory, where all are compared with
//! all.

use crate::make;
use crate::make::{Order, Pcap, Pcapng, read};
use trace::{Alignment, Capture, DecodeOptions, Trace};

const START: u64 = 1_700_000_000_000_000;

fn analyse(capture: Capture) -> Trace {
    trace::analyse(capture, &DecodeOptions::default(), &mut base::Silent).unwrap()
}

/// A pcap of IP packets with their times in microseconds.
fn ip_packets(packets: impl Iterator<Item = (u64, Vec<u8>)>) -> Capture {
    let mut file = Pcap::new(Order::Little, 101);
    for (micros, octets) in packets {
        file.record(1_700_000_000 + (micros / 1_000_000) as u32, (micros % 1_000_000) as u32, &octets);
    }
    read(&file.octets).unwrap()
}

/// An IPv4 packet: `flags` are those of the fragment field.
fn ipv4(src: u8, dst: u8, id: u16, flags: u16, payload: &[u8]) -> Vec<u8> {
    let mut octets = vec![0x45, 0];
    octets.extend((20 + payload.len() as u16).to_be_bytes());
    octets.extend(id.to_be_bytes());
    octets.extend(flags.to_be_bytes());
    octets.extend([64, 17, 0, 0, 10, 0, 0, src, 10, 0, 0, dst]);
    octets.extend(payload);
    octets
}

/// A CoAP message in UDP, port 5683 to 5683.
fn udp(message: &[u8]) -> Vec<u8> {
    let length = 8 + message.len() as u16;
    [&[0x16, 0x33, 0x16, 0x33][..], &length.to_be_bytes(), &[0, 0], message].concat()
}

/// Each of them heard the same five frames: all are brought to the clock of the first.
#[test]
fn a_hundred_thousand_interfaces() {
    const INTERFACES: u32 = 100_000;
    let mut file = Pcapng::new(Order::Little);
    (0..INTERFACES).for_each(|_| file.interface(230, 0, &[]));
    for n in 0..5_u8 {
        for interface in 0..INTERFACES {
            file.enhanced(interface, START + u64::from(n) * 700_000 + u64::from(interface) * 10, &make::data(n));
        }
    }
    let capture = read(&file.octets).unwrap();
    assert_eq!((capture.sources.len(), capture.clocks.len()), (INTERFACES as usize, INTERFACES as usize));
    let fitted = capture.clocks.iter().filter(|clock| matches!(clock.alignment, Alignment::Fitted(_))).count();
    assert_eq!((fitted, capture.duplicates.len()), (INTERFACES as usize - 1, 5 * (INTERFACES as usize - 1)));
}

/// The same frame again and again, at one time, by two interfaces: each record is a transmission, or a duplicate of
/// one.
#[test]
fn half_a_million_records_of_one_frame_at_one_time() {
    let mut file = Pcapng::new(Order::Little);
    (0..2).for_each(|_| file.interface(230, 0, &[]));
    // Frames that tell that both have one clock.
    for n in 0..20_u8 {
        (0..2).for_each(|interface| file.enhanced(interface, START + u64::from(n) * 100_000, &make::data(n)));
    }
    for n in 0..500_000_u32 {
        file.enhanced(n % 2, START + 3_000_000, &make::data(99));
    }
    let capture = read(&file.octets).unwrap();
    assert_eq!(capture.frames.len(), 500_040);
    assert!(capture.duplicates.len() >= 20 && capture.duplicates.len() <= 250_020, "{}", capture.duplicates.len());
}

/// Three clients begin 100 000 requests each within 0.3 s: one event, and all requests that were the first of their
/// client within some 0.3 s of it.
#[test]
fn an_event_of_300_000_requests() {
    let request = |n: u32| {
        let [high, low, ..] = ((n / 3) as u16).to_be_bytes();
        ipv4(1 + (n % 3) as u8, 9, 0, 0, &udp(&[0x44, 1, high, low, 1, (n >> 16) as u8, (n >> 8) as u8, n as u8]))
    };
    let last = std::iter::once((200_000_000_000, request(300_000)));
    let trace = analyse(ip_packets((0..300_000).map(|n| (u64::from(n), request(n))).chain(last)));
    assert_eq!((trace.exchanges.len(), trace.relations.events.len()), (300_001, 1));
    assert_eq!(trace.relations.events[0].exchanges.len(), 3);
}

/// Downloads that begin in their middle: each is looked for among those that end where it begins, and there is none.
#[test]
fn the_middles_of_400_000_downloads() {
    let mid = |n: u32| ((n >> 8) as u8, n as u8);
    let get = |n: u32| {
        let (high, low) = mid(n);
        let path = n.to_be_bytes();
        ipv4(1, 9, 0, 0, &udp(&[0x40, 1, high, low, 0xb4, path[0], path[1], path[2], path[3], 0xc1, 0x10]))
    };
    let block = |n: u32| {
        let (high, low) = mid(n);
        // Block2: number 1, more, of 16 octets; five of payload.
        ipv4(9, 1, 0, 0, &udp(&[0x60, 69, high, low, 0xd1, 10, 0x18, 0xff, 1, 2, 3, 4, 5]))
    };
    // A Message ID comes again after 65 536 x 4 ms, longer than EXCHANGE_LIFETIME.
    let both = (0..400_000_u32).flat_map(|n| [(u64::from(n) * 4_000, get(n)), (u64::from(n) * 4_000 + 900, block(n))]);
    let trace = analyse(ip_packets(both));
    assert_eq!((trace.exchanges.len(), trace.relations.transfers.len()), (400_000, 400_000));
}

/// Datagrams of 8189 fragments each, the last one first.
#[test]
fn fragments_of_ip_backwards() {
    const PIECES: u16 = 8_189;
    let message: Vec<u8> = [&[0x40, 2, 0, 7, 0xff][..], &vec![b'x'; usize::from(PIECES) * 8 - 13]].concat();
    let whole = udp(&message);
    let pieces = (0..40_u16).flat_map(|id| {
        let whole = &whole;
        (0..PIECES).rev().map(move |at| {
            let octets = &whole[usize::from(at) * 8..usize::from(at) * 8 + 8];
            let more = if at + 1 < PIECES { 0x2000 } else { 0 };
            (u64::from(id) * 100_000 + u64::from(PIECES - at), ipv4(1, 9, id, more | at, octets))
        })
    });
    let trace = analyse(ip_packets(pieces));
    assert_eq!((trace.capture.frames.len(), trace.messages.len()), (40 * usize::from(PIECES), 40));
    assert!(trace.messages.iter().all(|m| m.hops().next().unwrap().frames.len() == usize::from(PIECES)));
}
