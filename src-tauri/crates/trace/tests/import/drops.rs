//! Packets that pcapng says were dropped, and the order of its interfaces.

use crate::make;
use crate::make::{Order, Pcapng, read};
use base::FrameId;
use trace::{Capture, Dropped};

fn option(order: Order, code: u16, value: &[u8]) -> Vec<u8> {
    let mut option = [&order.u16(code)[..], &order.u16(value.len() as u16), value].concat();
    option.resize(option.len().next_multiple_of(4), 0);
    option
}

/// An enhanced packet of `interface` at second `at`, before which `dropped` are missing.
fn packet(file: &mut Pcapng, interface: u32, at: u32, dropped: u64) {
    let order = file.order;
    let frame = make::with_fcs(&make::data(at as u8));
    let ticks = u64::from(at) * 1_000_000;
    let head = [interface, (ticks >> 32) as u32, ticks as u32, frame.len() as u32, frame.len() as u32];
    let mut body = [head.map(|field| order.u32(field)).concat(), frame].concat();
    body.resize(body.len().next_multiple_of(4), 0);
    // A comment before it: options come in any order.
    body.extend(option(order, 1, b"x"));
    if dropped > 0 {
        body.extend(option(order, 4, &order.u64(dropped)));
    }
    body.extend(option(order, 0, &[]));
    file.block(6, &body);
}

/// Statistics of `interface`: received, dropped by it, dropped by the system.
fn statistics(file: &mut Pcapng, interface: u32, [received, dropped, by_system]: [u64; 3]) {
    let order = file.order;
    let mut body = [interface, 0, 0].map(|field| order.u32(field)).concat();
    for (code, value) in [(4, received), (5, dropped), (7, by_system)] {
        body.extend(option(order, code, &order.u64(value)));
    }
    body.extend(option(order, 0, &[]));
    file.block(5, &body);
}

fn capture(octets: &[u8]) -> Capture {
    read(octets).expect("it is read")
}

#[test]
fn drops_are_counted_once_and_where_they_are() {
    for order in [Order::Little, Order::Big] {
        let mut file = Pcapng::new(order);
        file.interface(195, 0, &[(2, b"attic")]);
        file.interface(195, 0, &[(2, b"cellar")]);
        packet(&mut file, 0, 1, 0);
        packet(&mut file, 1, 2, 0);
        packet(&mut file, 0, 3, 4);
        // Statistics repeat while recording goes on, and count from the beginning.
        statistics(&mut file, 0, [2, 4, 0]);
        packet(&mut file, 0, 4, 3);
        statistics(&mut file, 0, [3, 9, 1]);
        statistics(&mut file, 1, [1, 0, 0]);
        let capture = capture(&file.octets);
        // 4 and 3 before packets, and 3 of the 10 nobody knows where.
        assert_eq!(capture.notes.count("dropped-by-sniffer"), 10);
        let [note] = capture.notes.kinds() else { panic!("{:?}", capture.notes) };
        assert_eq!((note.first_frame, note.first_offset), (Some(FrameId(2)), None));
        assert!(note.first_text.contains("attic dropped 4"), "{}", note.first_text);
        let dropped = |before, count| Dropped { before, count };
        let told = [dropped(Some(FrameId(2)), 4), dropped(Some(FrameId(3)), 3), dropped(None, 3)];
        assert_eq!(capture.drops, told);
    }
}

#[test]
fn statistics_alone_give_no_place() {
    let mut file = Pcapng::new(Order::Little);
    file.interface(195, 0, &[(2, b"wpan0")]);
    packet(&mut file, 0, 1, 0);
    statistics(&mut file, 0, [1, u64::MAX, 6]);
    // Statistics of an interface that is not described belong to none.
    statistics(&mut file, 7, [1, 5, 5]);
    // Another section begins; its first interface is another one.
    file.section(Order::Big);
    file.interface(195, 0, &[(2, b"wpan0")]);
    packet(&mut file, 0, 2, 0);
    statistics(&mut file, 0, [1, 2, 0]);
    let capture = capture(&file.octets);
    let [note] = capture.notes.kinds() else { panic!("{:?}", capture.notes) };
    assert_eq!((note.code, note.count, note.first_frame), ("dropped-by-sniffer", 8, None));
    assert!(note.first_text.contains("wpan0 dropped 6"), "{}", note.first_text);
}

#[test]
fn the_obsolete_block_has_a_count_too() {
    let order = Order::Little;
    let mut file = Pcapng::new(order);
    file.interface(195, 0, &[]);
    let frame = make::with_fcs(&make::ack(1));
    for dropped in [0, 3, u16::MAX] {
        let fields = [0, 0, frame.len() as u32, frame.len() as u32].map(|field| order.u32(field)).concat();
        file.block(2, &[&order.u16(0)[..], &order.u16(dropped), &fields, &frame].concat());
    }
    let capture = capture(&file.octets);
    assert_eq!((capture.frames.len(), capture.notes.count("dropped-by-sniffer")), (3, 3));
}

#[test]
fn counts_that_lie_cost_nothing_else() {
    let mut file = Pcapng::new(Order::Little);
    file.interface(195, 0, &[]);
    packet(&mut file, 0, 1, u64::MAX);
    packet(&mut file, 0, 2, u64::MAX);
    statistics(&mut file, 0, [0, u64::MAX - 1, u64::MAX - 1]);
    let capture = capture(&file.octets);
    assert_eq!((capture.frames.len(), capture.notes.count("dropped-by-sniffer")), (2, u64::MAX));
}

/// Sources stand in the order in which the file describes them, whichever sends first.
#[test]
fn sources_are_in_the_order_of_their_descriptions() {
    let mut file = Pcapng::new(Order::Little);
    for (link, name) in [(195, "attic"), (195, "silent"), (195, "cellar"), (230, "attic")] {
        file.interface(link, 0, &[(2, name.as_bytes())]);
    }
    packet(&mut file, 2, 1, 0);
    // The attic on another link than announced first.
    packet(&mut file, 3, 2, 0);
    packet(&mut file, 2, 3, 0);
    let capture = capture(&file.octets);
    let names: Vec<&str> = capture.sources.iter().map(|source| source.name.as_str()).collect();
    assert_eq!(names, ["attic", "cellar"]);
    let heard: Vec<usize> = capture.frames.iter().map(|frame| frame.source.index()).collect();
    assert_eq!(heard, [1, 0, 1]);
}
