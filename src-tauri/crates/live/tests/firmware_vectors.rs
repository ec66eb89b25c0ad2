//! The firmware's vectors (`firmware-sniffer/vectors`), octet for octet: what the firmware's own tests encode, this
//! reads.

use live::decode::{Decoder, Dialogue, Event, FirmwareRecord, Nordic, Records, Stamp, parse_record, unstuff};
use std::collections::BTreeMap;
use std::path::Path;
use wire::ieee802154::fcs16;
use wire::tap::Tap;

type Vector = BTreeMap<String, String>;

fn vectors(name: &str) -> Vec<Vector> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../firmware-sniffer/vectors").join(name);
    let text = std::fs::read_to_string(path).expect("the vectors");
    let vector =
        |line: &str| line.split(' ').filter_map(|f| f.split_once('=')).map(|(k, v)| (k.into(), v.into())).collect();
    let vectors: Vec<Vector> = text.lines().map(vector).collect();
    assert!(vectors.len() > 5, "{name}");
    vectors
}

fn hex(digits: &str) -> Vec<u8> {
    (0..digits.len() / 2).map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).expect("hexadecimal")).collect()
}

fn number<T: std::str::FromStr<Err: std::fmt::Debug>>(vector: &Vector, name: &str) -> T {
    vector[name].parse().expect("a number")
}

/// Reads a vector without the code under test.
fn expected(vector: &Vector) -> FirmwareRecord {
    let time = number(vector, "time");
    match vector["type"].as_str() {
        "frame" => FirmwareRecord::Frame {
            is_good: vector["flags"] == "1",
            number: number(vector, "seq"),
            dropped: number(vector, "dropped"),
            time,
            channel: number(vector, "channel"),
            rssi: number(vector, "rssi"),
            lqi: number(vector, "lqi"),
            psdu: hex(&vector["payload"]),
        },
        "status" => FirmwareRecord::Status(live::decode::Status {
            time,
            receiving: vector["receiving"] == "1",
            channel: number(vector, "channel"),
            reset: number(vector, "reset"),
            heard: number(vector, "heard"),
            dropped: number(vector, "dropped"),
            discarded: number(vector, "discarded"),
            bad_fcs: number(vector, "bad_fcs"),
            malformed: number(vector, "malformed"),
            restarts: number(vector, "restarts"),
        }),
        "reply" => FirmwareRecord::Reply(live::decode::Answer {
            time,
            is_done: vector["ok"] == "1",
            text: String::from_utf8(hex(&vector["text"])).expect("text"),
        }),
        "energy" => FirmwareRecord::Energy { time, channel: number(vector, "channel"), dbm: number(vector, "dbm") },
        "mark" => FirmwareRecord::Mark { time, number: number(vector, "number") },
        other => panic!("{other}"),
    }
}

#[test]
fn every_record() {
    for vector in vectors("records.txt") {
        let (record, wire) = (hex(&vector["record"]), hex(&vector["wire"]));
        let (&end, stuffed) = wire.split_last().expect("octets");
        assert_eq!((end, unstuff(stuffed)), (0, Some(record.clone())), "{vector:?}");
        assert_eq!(parse_record(&record), Some(expected(&vector)), "{vector:?}");
        // CRC-16 finds every single-bit error.
        for bit in 0..record.len() * 8 {
            let mut damaged = record.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(parse_record(&damaged), None, "{vector:?} bit {bit}");
        }
        for cut in 0..record.len() {
            assert_eq!(parse_record(&record[..cut]), None);
        }
    }
}

/// Feeds all records on one line, in pieces of any size, with damage between them: no intact record is lost.
#[test]
fn a_line_of_records() {
    let wires: Vec<Vec<u8>> = vectors("records.txt").iter().map(|vector| hex(&vector["wire"])).collect();
    let frames: Vec<Vector> = vectors("records.txt").into_iter().filter(|vector| vector["type"] == "frame").collect();
    for piece in [1, 2, 3, 64, 4_096] {
        let mut decoder = Records::default();
        let mut events = Vec::new();
        // The handshake's zero, empty records, and noise that a zero ends.
        let noise = [0, 0, 7, 7, 7, 0];
        let line: Vec<u8> = wires.iter().flat_map(|wire| [wire, &noise[..]].concat()).collect();
        line.chunks(piece).for_each(|octets| decoder.feed(octets, &mut events));
        let heard: Vec<_> = events
            .iter()
            .filter_map(|event| if let Event::Heard(heard) = event { Some(heard) } else { None })
            .collect();
        assert_eq!(heard.len(), frames.len());
        for (heard, vector) in heard.iter().zip(&frames) {
            let tap = Tap::parse(&heard.octets).expect("TAP");
            let payload = hex(&vector["payload"]);
            let fcs = if vector["flags"] == "1" { fcs16(&payload) } else { !fcs16(&payload) };
            assert_eq!(heard.octets[tap.frame.clone()], [&payload[..], &fcs.to_le_bytes()].concat());
            assert_eq!(tap.channel, Some(number(vector, "channel")));
            assert_eq!(tap.rss_dbm, Some(number(vector, "rssi")));
            assert_eq!(tap.lqi, Some(number(vector, "lqi")));
            let nanos = number::<u64>(vector, "time").saturating_mul(1_000);
            assert_eq!((heard.stamp, tap.sof_ns), (Stamp::Device(nanos), Some(nanos)));
        }
        let tally = decoder.tally();
        assert_eq!((tally.damaged, tally.garbage), (wires.len() as u64, 4 * wires.len() as u64));
    }
}

/// `number(B) - number(A) - 1 == dropped(B) - dropped(A)` (PROTOCOL.md, 3): what is missing beyond that was lost on the
/// way.
#[test]
fn what_is_missing_is_accounted_for() {
    let frame = |seq: u32, dropped: u32| {
        let mut record = vec![1, 1];
        record.extend(seq.to_le_bytes());
        record.extend(dropped.to_le_bytes());
        record.extend([0; 8]);
        record.extend([11, 0xd8, 255, 3, 2]);
        record.extend(crc(&record).to_le_bytes());
        stuff(&record)
    };
    let mut decoder = Records::default();
    let mut events = Vec::new();
    let counts = |decoder: &Records| (decoder.tally().dropped, decoder.tally().lost);
    // The first frame says nothing about earlier ones: the line was closed.
    decoder.feed(&frame(u32::MAX - 3, 5), &mut events);
    decoder.feed(&frame(u32::MAX - 2, 5), &mut events);
    assert_eq!(counts(&decoder), (0, 0));
    // Two dropped, over the counter's wrap; then four missing of which three were dropped.
    decoder.feed(&frame(0, 7), &mut events);
    assert_eq!(counts(&decoder), (2, 0));
    decoder.feed(&frame(5, 10), &mut events);
    assert_eq!(counts(&decoder), (5, 1));
    // A device that started again.
    decoder.feed(&frame(0, 0), &mut events);
    assert_eq!(counts(&decoder), (5, 1));
    let reported: Vec<u32> = events
        .iter()
        .filter_map(|event| if let Event::Heard(heard) = event { Some(heard.dropped) } else { None })
        .collect();
    assert_eq!(reported, [0, 0, 2, 3, 0]);
}

/// Drops at the end are reported by a status only, and a repeated report is not counted again.
#[test]
fn drops_that_only_a_status_tells_of() {
    let record = |kind: u8, fields: &[&[u8]]| {
        let mut record = [&[kind][..], &fields.concat()].concat();
        record.extend(crc(&record).to_le_bytes());
        stuff(&record)
    };
    let frame = |number: u32, dropped: u32| {
        record(1, &[&[1], &number.to_le_bytes(), &dropped.to_le_bytes(), &[0; 8], &[11, 0xd8, 255, 3, 2]])
    };
    let status = |heard: u32, dropped: u32| {
        record(2, &[&[0; 8], &[1, 11, 0], &heard.to_le_bytes(), &dropped.to_le_bytes(), &[0; 16]])
    };
    let mut decoder = Records::default();
    let mut counted = |octets: &[u8]| {
        decoder.feed(octets, &mut Vec::new());
        (decoder.tally().dropped, decoder.tally().lost)
    };
    // Before the first frame it is unknown who listened.
    assert_eq!(counted(&status(90, 7)), (0, 0));
    assert_eq!(counted(&frame(100, 10)), (0, 0));
    // Ten heard since, four of them dropped, six still on their way.
    assert_eq!(counted(&status(111, 14)), (4, 0));
    assert_eq!(counted(&status(112, 14)), (4, 0));
    // Two of the four were before this one, the others before the next; three more were dropped since.
    assert_eq!(counted(&frame(103, 12)), (4, 0));
    assert_eq!(counted(&frame(104, 12)), (4, 0));
    assert_eq!(counted(&frame(110, 17)), (7, 0));
    // The device started again: what it counts now is none of that.
    assert_eq!(counted(&status(3, 2)), (7, 0));
    assert_eq!(counted(&frame(5, 2)), (7, 0));
    assert_eq!(counted(&status(9, 5)), (10, 0));
}

/// CRC-16/X-25, by the definition; "123456789" gives 0x906e.
fn crc(octets: &[u8]) -> u16 {
    let mut crc = 0xffff_u16;
    for octet in octets {
        for bit in 0..8 {
            let feedback = (crc ^ u16::from(octet >> bit)) & 1;
            crc = (crc >> 1) ^ (feedback * 0x8408);
        }
    }
    !crc
}

#[test]
fn the_check_of_these_tests() {
    assert_eq!(crc(b"123456789"), 0x906e);
}

/// COBS of fewer than 255 octets, with its zero.
fn stuff(record: &[u8]) -> Vec<u8> {
    let mut stuffed: Vec<u8> =
        record.split(|&octet| octet == 0).flat_map(|run| [&[run.len() as u8 + 1], run].concat()).collect();
    stuffed.push(0);
    stuffed
}

#[test]
fn every_line() {
    for vector in vectors("lines.txt") {
        let text = hex(&vector["text"]);
        // A prompt and a command's echo may stand before it; the next line may be one of ours.
        for line in [text.clone(), [b"\x1b[mrtt:~$ receive ", &text[..], b"# asleep\r\n"].concat()] {
            let mut decoder = Nordic::default();
            decoder.set_channel(26);
            let mut events = Vec::new();
            line.chunks(5).for_each(|octets| decoder.feed(octets, &mut events));
            let [Event::Heard(heard)] = &events[..] else { panic!("{events:?}") };
            let tap = Tap::parse(&heard.octets).expect("TAP");
            let payload = hex(&vector["payload"]);
            assert_eq!(heard.octets[tap.frame.clone()], [&payload[..], &fcs16(&payload).to_le_bytes()].concat());
            assert_eq!((tap.channel, tap.rss_dbm), (Some(26), Some(number(&vector, "rssi"))));
            assert_eq!(tap.lqi, Some(number(&vector, "lqi")));
            assert_eq!(heard.stamp, Stamp::Device(number::<u64>(&vector, "time").saturating_mul(1_000)));
            assert_eq!(decoder.tally().garbage, 0);
        }
    }
}

/// The conversation with our firmware, in text with echo, then in records.
#[test]
fn the_handshake() {
    let mut dialogue = Dialogue::new(15);
    let mut events = Vec::new();
    assert_eq!(dialogue.take(), b"\r\n\r\nsleep\r\n\r\nshell echo off\r\n\r\n");
    dialogue.feed(b"\r\n\r\n\r\nsleep\r\n# sleep\r\n\r\nshell echo off\r\n# echo off\r\n", &mut events);
    dialogue.silence();
    assert_eq!(dialogue.take(), b"info\r\n\r\n");
    dialogue.feed(b"# rtoscope-sniffer nrf52840-dongle 1.0 framing=text,binary1 channels=11-26\r", &mut events);
    assert_eq!(dialogue.take(), b"");
    dialogue.feed(b"\n", &mut events);
    assert_eq!(dialogue.take(), b"framing binary 1\r\n\r\n");
    let record = vectors("records.txt").into_iter().find(|vector| vector["type"] == "frame").expect("a frame");
    let wire = hex(&record["wire"]);
    // The end of the answer, the zero, and a record in one piece.
    dialogue.feed(&[b"# framing binary 1\r\n\0", &wire[..]].concat(), &mut events);
    assert!(dialogue.is_talkative());
    assert_eq!(dialogue.take(), b"channel 15\r\nreceive\r\n");
    let kinds: Vec<_> = events.iter().map(std::mem::discriminant).collect();
    assert_eq!(kinds.len(), 2, "{events:?}");
    assert_eq!((dialogue.tally().frames, dialogue.tally().damaged, dialogue.tally().garbage), (1, 0, 0));
    dialogue.set_channel(20);
    dialogue.stop();
    assert_eq!(dialogue.take(), b"channel 20\r\nstatus\r\nsleep\r\n");
}

/// A busy host, or an emulator: the answer to `info` comes when the conversation has gone on as with stock firmware.
#[test]
fn an_answer_that_comes_late() {
    let mut dialogue = Dialogue::new(15);
    let mut events = Vec::new();
    dialogue.take();
    (0..6).for_each(|_| dialogue.silence());
    assert_eq!(dialogue.take(), b"info\r\n\r\nchannel 15\r\n\r\nreceive\r\n\r\n");
    let frame = |time| format!("received: 02000100DC power: -61 lqi: 220 time: {time}\r\n").into_bytes();
    dialogue.feed(&frame(10), &mut events);
    dialogue.feed(b"# rtoscope-sniffer nrf52840-dongle 1.0 framing=text,binary1 channels=11-26\r\n", &mut events);
    assert_eq!(dialogue.take(), b"framing binary 1\r\n\r\n");
    // Octets that come meanwhile are still lines.
    dialogue.feed(&frame(20), &mut events);
    assert!(!dialogue.is_talkative());
    dialogue.feed(b"# framing binary 1\r\n\0", &mut events);
    assert!(dialogue.is_talkative());
    assert_eq!(dialogue.take(), b"channel 15\r\nreceive\r\n");
    let record = vectors("records.txt").into_iter().find(|vector| vector["type"] == "frame").expect("a frame");
    dialogue.feed(&hex(&record["wire"]), &mut events);
    assert_eq!((dialogue.tally().frames, dialogue.tally().damaged), (3, 0));
}

/// Nordic's firmware does not know `info`; it is left to speak in lines.
#[test]
fn stock_firmware() {
    let mut dialogue = Dialogue::new(11);
    let mut events = Vec::new();
    dialogue.take();
    dialogue.silence();
    dialogue.feed(b"info: command not found\r\nuart:~$ ", &mut events);
    (0..5).for_each(|_| dialogue.silence());
    assert_eq!(dialogue.take(), b"info\r\n\r\nchannel 11\r\n\r\nreceive\r\n\r\n");
    dialogue.feed(b"uart:~$ received: 020001DC00 power: -61 lqi: 220 time: 4294967290\r\n", &mut events);
    // 32 bits with a sign, 16 us later: -2^32 + 2^32 + 10.
    dialogue.feed(b"received: 020002DC00 power: -61 lqi: 220 time: 10\r\n", &mut events);
    dialogue.feed(b"received: 020003DC00 power: -61 lqi: 220 time: -4294967276\r\n", &mut events);
    dialogue.feed(
        b"received: 02000 power: -61 lqi: 220 time: 4\r\nreceived: DC00 power: 1 lqi: 1 time: 1\r\n",
        &mut events,
    );
    let stamps: Vec<_> = events
        .iter()
        .map(|event| if let Event::Heard(heard) = event { heard.stamp } else { panic!("{event:?}") })
        .collect();
    let micros = [4_294_967_290_u64, 4_294_967_306, 4_294_967_316];
    assert_eq!(stamps, micros.map(|micros| Stamp::Device(micros * 1_000)));
    assert_eq!(dialogue.tally().damaged, 2);
}
