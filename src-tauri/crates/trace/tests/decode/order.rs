//! Several sniffers write one file, each in bursts: what was sent first is then not what comes first.

use crate::bundle;
use crate::bundle::{Bundled, bundled_with, gunzip};
use crate::make;
use crate::make::{Order, Pcapng};
use base::{FrameId, Silent};
use serde_json::Value;
use std::collections::BTreeSet;
use trace::packet::{Packet, Places, Stop};
use trace::{Capture, DecodeOptions, Delivery, ImportOptions, Link, Trace};
use wire::tap::linktype;

/// Start of a file of pcapng, µs since 1970.
const BEGIN: u64 = 1_700_000_000_000_000;

/// A file of two interfaces.
fn file() -> Pcapng {
    let mut file = Pcapng::new(Order::Little);
    for name in [b"wpan0", b"wpan1"] {
        file.interface(linktype::IEEE802_15_4_NOFCS, 0, &[(2, name)]);
    }
    file
}

fn analyse(file: &Pcapng, rc_option: u16) -> Trace {
    let capture = make::read(&file.octets).unwrap();
    let options = DecodeOptions { rc_option, ..DecodeOptions::default() };
    trace::analyse(capture, &options, &mut base::Silent).unwrap()
}

/// Node 2 sends node 1 a GET of 54 octets in two fragments (RFC 4944 §5.3), the second from octet 48 on: FRAG1 with
/// IPHC from fe80::ff:fe00:2 to fe80::ff:fe00:1 and UDP, FRAGN with CoAP.
fn fragments(seq: u8, tag: u8, mid: u8) -> [Vec<u8>; 2] {
    let mac = |seq| vec![0x61, 0x88, seq, 0xcd, 0xab, 1, 0, 2, 0];
    let headers = [0x7c, 0x22, 0x40, 0, 2, 0, 1, 0xf0, 0x16, 0x33, 0x16, 0x33, 0, 0];
    let first = [mac(seq), vec![0xc0, 54, 0, tag], headers.to_vec()].concat();
    let second = [mac(seq + 1), vec![0xe0, 54, 0, tag, 6], vec![0x40, 1, 0, mid, 0xb1, b'a']].concat();
    [first, second]
}

/// The tag comes round: of two datagrams, one interface heard the first fragments, the other the second ones and the
/// acknowledgements, and that one's burst is in the file first.
#[test]
fn a_datagram_is_complete_with_the_fragment_that_was_sent_last() {
    let mut file = file();
    let datagrams = [(0, fragments(1, 7, 1)), (70_000_000, fragments(3, 7, 2))];
    for (at, [first, second]) in &datagrams {
        file.enhanced(1, BEGIN + at + 1_500, &make::ack(first[2]));
        file.enhanced(1, BEGIN + at + 5_000, second);
        file.enhanced(1, BEGIN + at + 6_500, &make::ack(second[2]));
    }
    for (at, [first, _]) in &datagrams {
        file.enhanced(0, BEGIN + at, first);
    }
    let trace = analyse(&file, bundle::NO_OPTION);
    assert_eq!(trace.notes.count("incomplete-datagram"), 0);
    let message = |mid| trace.messages.iter().find(|message| message.mid == mid).unwrap();
    for (mid, first, second) in [(1, FrameId(6), FrameId(1)), (2, FrameId(7), FrameId(4))] {
        let message = message(mid);
        assert_eq!((message.frame, message.at), (Some(second), trace.capture.frames[first.index()].at));
        assert_eq!(
            (message.hop(0).unwrap().frames, message.hop(0).unwrap().delivery),
            (&[second, first][..], Delivery::Yes)
        );
        let places = Places::of(&trace, &mut Silent).unwrap();
        let coap = Packet::read(&trace, &places, second).coap.unwrap();
        assert_eq!((coap.header.mid, coap.header.options.len()), (mid, 1));
        assert_eq!(Packet::read(&trace, &places, first).stop, Stop::Fragment);
    }
    assert_eq!(trace.sightings, [(FrameId(1), message(1).id), (FrameId(4), message(2).id)]);
}

/// One source's clock is set back within a datagram: its records are in the order of the air, as tshark takes them.
#[test]
fn a_clock_that_is_set_back_does_not_turn_a_source_around() {
    let mut file = file();
    file.enhanced(0, BEGIN + 2_000_000, &make::data(1));
    let [first, second] = fragments(1, 7, 1);
    file.enhanced(1, BEGIN + 1_000_000, &first);
    file.enhanced(1, BEGIN, &second);
    let trace = analyse(&file, bundle::NO_OPTION);
    assert_eq!(trace.messages[0].frame, Some(FrameId(2)));
}

/// Frames that one interface keeps before it writes them.
const BURST: usize = 64;

/// The frames of `capture` as `interfaces` would have written them, and for each frame which one it was. Cooja's
/// clock counts milliseconds: frames that came at the same time are 1 µs apart here. The octets say who heard a
/// frame, so that nothing was heard by both.
fn in_bursts(capture: &Capture, interfaces: usize) -> (Pcapng, Vec<FrameId>) {
    let (mut file, mut numbers) = (file(), Vec::new());
    let mut kept = vec![Vec::new(); interfaces];
    let mut write = |interface: usize, kept: &mut Vec<(usize, u64)>| {
        for (index, at) in kept.drain(..) {
            file.enhanced(interface as u32, BEGIN + at, capture.octets_of(&capture.frames[index]));
            numbers.push(FrameId::at(index));
        }
    };
    let mut last = 0;
    for (index, frame) in capture.frames.iter().enumerate() {
        last = u64::try_from(frame.at.nanos() / 1_000).unwrap().max(last + 1);
        let ones: u32 = capture.octets_of(frame).iter().map(|octet| octet.count_ones()).sum();
        let interface = ones as usize % interfaces;
        kept[interface].push((index, last));
        // The first record of a file is where its times begin.
        if kept[interface].len() == BURST || index == 0 {
            write(interface, &mut kept[interface]);
        }
    }
    for (interface, kept) in kept.iter_mut().enumerate() {
        write(interface, kept);
    }
    (file, numbers)
}

/// Frame, type, code, Message ID and token of each row that tshark has of the capture as it was recorded.
fn of_tshark(bundled: &Bundled) -> BTreeSet<String> {
    let expect: Value = serde_json::from_str(&gunzip(&bundled.file("expect").unwrap())).unwrap();
    let row = |row: &Value| {
        let text = |at: usize| row[at].as_str().unwrap().to_owned();
        format!("{} {} {} {} {}", row[0], text(1), text(2), row[3], text(4))
    };
    expect["messages"].as_array().unwrap().iter().map(row).collect()
}

/// Each message is complete in the frame where tshark has it complete when it gets all frames in the order of the air,
/// and exchanges are those of one interface that heard everything.
#[test]
fn bursts_of_two_interfaces_read_as_the_recording_that_they_are_of() {
    let mut compared = 0;
    for bundled in bundled_with("expect") {
        let path = bundled.file("capture").unwrap();
        let capture = trace::open(&path, &ImportOptions::default(), &mut base::Silent).unwrap();
        if capture.frames[0].link != Link::Ieee802154 {
            continue;
        }
        let one = analyse(&in_bursts(&capture, 1).0, bundled.rc_option);
        let (file, numbers) = in_bursts(&capture, 2);
        let trace = analyse(&file, bundled.rc_option);
        assert!(trace.capture.clocks.is_empty() && !trace.capture.frames.is_sorted_by_key(|frame| frame.at));
        let row = |&(frame, message): &(FrameId, base::MessageId)| {
            let m = &trace.messages[message.index()];
            format!("{} {} {} {} {}", numbers[frame.index()].0 + 1, m.kind, m.code, m.mid, m.token)
        };
        assert_eq!(trace.sightings.iter().map(row).collect::<BTreeSet<_>>(), of_tshark(&bundled), "{}", bundled.id);
        assert_eq!(trace.exchanges, one.exchanges, "{}", bundled.id);
        compared += 1;
    }
    assert!(compared >= 8, "{compared}");
}
