//! Whole files through [`trace::read`] and [`trace::open`]: what each format and each link type means.

use crate::make;
use crate::make::{Drip, Order, Pcap, Pcapng, ack, data, essence, gzip, meaning, read, read_with, row, with_fcs};
use trace::{Fcs, FcsChoice, Format, ImportOptions, Link};

fn texts(capture: &trace::Capture) -> Vec<&'static str> {
    capture.notes.kinds().iter().map(|kind| kind.code).collect()
}

fn frames(capture: &trace::Capture) -> Vec<Vec<u8>> {
    capture.frames.iter().map(|frame| capture.octets_of(frame).to_vec()).collect()
}

#[test]
fn all_containers_and_both_byte_orders_hold_the_same() {
    let first = read(&Pcap::of_talk(Order::Little, 40).octets).unwrap();
    assert_eq!(frames(&first), meaning(40));
    assert_eq!(first.epoch_unix_nanos, Some(1_700_000_000_000_007_000));
    assert_eq!(first.frames[11].at.nanos(), 1_100_000_000);
    assert!(first.frames.iter().all(|frame| frame.fcs == Fcs::Good && !frame.cut));
    assert!(first.notes.is_empty(), "{:?}", first.notes);
    for octets in [
        Pcap::of_talk(Order::Big, 40).octets,
        Pcapng::of_talk(Order::Little, 40).octets,
        Pcapng::of_talk(Order::Big, 40).octets,
    ] {
        let capture = read(&octets).unwrap();
        assert_eq!(essence(&capture), essence(&first));
        assert!(capture.notes.is_empty(), "{:?}", capture.notes);
    }
}

#[test]
fn gzip_of_any_number_of_members_is_what_it_unpacks_to() {
    let plain = Pcap::of_talk(Order::Little, 60).octets;
    let (a, b) = plain.split_at(777);
    for packed in [gzip(&plain), [gzip(a), gzip(b)].concat(), [gzip(a), gzip(&[]), gzip(b), vec![0; 512]].concat()] {
        let capture = read(&packed).unwrap();
        assert_eq!(essence(&capture), essence(&read(&plain).unwrap()));
        assert_eq!(capture.file_len, packed.len() as u64);
        assert!(capture.notes.is_empty(), "{:?}", capture.notes);
    }
}

#[test]
fn how_the_octets_arrive_does_not_matter() {
    let files = [
        Pcap::of_talk(Order::Big, 30).octets,
        Pcapng::of_talk(Order::Little, 30).octets,
        make::log_of_talk(30).into_bytes(),
        gzip(&Pcap::of_talk(Order::Little, 30).octets),
    ];
    for octets in &files {
        let whole = essence(&read(octets).unwrap());
        assert_eq!(whole.len(), 30);
        for step in [1, 2, 15, 4_095] {
            let source = Drip { octets, step };
            let capture = trace::read("test", source, None, &ImportOptions::default(), &mut base::Silent).unwrap();
            assert_eq!(essence(&capture), whole, "{step} at a time");
        }
    }
}

#[test]
fn nanoseconds_and_the_modified_format() {
    let mut file = Pcap::with_magic(Order::Big, 0xa1b2_3c4d, 230);
    file.record(5, 123_456_789, &data(1));
    let capture = read(&file.octets).unwrap();
    assert_eq!(capture.format, Format::Pcap { big_endian: true, nanoseconds: true });
    assert_eq!(capture.epoch_unix_nanos, Some(5_123_456_789));
    assert_eq!(frames(&capture), [data(1)]);

    let mut file = Pcap::with_magic(Order::Little, 0xa1b2_cd34, 230);
    for n in 0..3 {
        let frame = [vec![0; 8], data(n)].concat();
        file.record(5, u32::from(n), &frame);
        let at = file.records[usize::from(n)];
        // The header is 8 octets longer, which the lengths do not count.
        for field in [at + 8, at + 12] {
            file.octets[field] -= 8;
        }
    }
    assert_eq!(frames(&read(&file.octets).unwrap()), [data(0), data(1), data(2)]);
}

#[test]
fn a_link_type_word_with_check_sequence_bits() {
    let mut file = Pcap::new(Order::Little, 0x2400_0000 | 1);
    file.record(1, 0, &[0; 60]);
    assert_eq!(read(&file.octets).unwrap().frames[0].link, Link::Ethernet);
}

#[test]
fn fields_that_are_not_microseconds() {
    let mut float = Pcap::new(Order::Little, 230);
    for (n, micros) in [809_286.0_f32, 0.0, 999_999.0].into_iter().enumerate() {
        float.record(100, micros.to_bits(), &data(n as u8));
    }
    let capture = read(&float.octets).unwrap();
    let nanos: Vec<_> = essence(&capture).iter().map(|(at, _)| *at).collect();
    assert_eq!(nanos, [100_809_286_000, 100_000_000_000, 100_999_999_000]);
    assert_eq!(capture.notes.count("float-microseconds"), 2);

    let mut nanos = Pcap::new(Order::Little, 230);
    for (n, field) in [999_999_u32, 1_000_000, 500_000_000, 999_999_999].into_iter().enumerate() {
        nanos.record(100, field, &data(n as u8));
    }
    let capture = read(&nanos.octets).unwrap();
    let stamps: Vec<_> = essence(&capture).iter().map(|(at, _)| *at - 100_000_000_000).collect();
    assert_eq!(stamps, [999_999, 1_000_000, 500_000_000, 999_999_999]);
    assert_eq!(capture.notes.count("nanoseconds-in-microseconds"), 3);
}

#[test]
fn trailers_are_decided_from_the_whole_file() {
    let pcap = |trailer: &dyn Fn(&[u8]) -> Vec<u8>| {
        let mut file = Pcap::new(Order::Big, 195);
        for n in 0..50 {
            file.record(u32::from(n), 0, &trailer(&data(n)));
            file.record(u32::from(n), 9, &trailer(&ack(n)));
        }
        file.octets
    };
    let whole: Vec<_> = (0..50).flat_map(|n| [data(n), ack(n)]).collect();

    let none = read(&pcap(&<[u8]>::to_vec)).unwrap();
    assert_eq!((frames(&none), texts(&none)), (whole.clone(), vec!["no-fcs"]));
    assert!(none.frames.iter().all(|frame| frame.fcs == Fcs::Absent));

    let dbm = read(&pcap(&|psdu| [psdu, &[0xc4, 0x80 | 105]].concat())).unwrap();
    assert_eq!((frames(&dbm), texts(&dbm)), (whole.clone(), vec!["ti-status"]));
    assert!(dbm.frames.iter().all(|f| (f.rssi, f.lqi, f.fcs) == (Some(-60), Some(105), Fcs::Good)));

    let raw = read(&pcap(&|psdu| [psdu, &[13, 0x80 | 105]].concat())).unwrap();
    assert_eq!(raw.frames[0].rssi, Some(-60));

    let options = ImportOptions::default().with_fcs(FcsChoice::Crc16);
    let forced = read_with(&pcap(&|psdu| [psdu, &[13, 0x80 | 105]].concat()), &options).unwrap();
    assert_eq!(frames(&forced), whole);
    assert_eq!(forced.notes.count("bad-fcs"), 100);
    let options = ImportOptions::default().with_fcs(FcsChoice::None);
    assert_eq!(frames(&read_with(&pcap(&with_fcs), &options).unwrap())[0], with_fcs(&data(0)));
}

#[test]
fn a_frame_damaged_on_the_air_is_kept_and_flagged() {
    let mut file = Pcap::of_talk(Order::Little, 20);
    let at = file.records[4] + 16 + 20;
    file.octets[at] ^= 1;
    let capture = read(&file.octets).unwrap();
    assert_eq!(capture.frames.len(), 20);
    assert_eq!(capture.frames[4].fcs, Fcs::Bad);
    assert_eq!(capture.octets_of(&capture.frames[4]).len(), data(4).len());
    assert_eq!(capture.notes.kinds()[0].first_frame, Some(base::FrameId(4)));
}

#[test]
fn records_that_hold_less_than_the_frame() {
    let frame = with_fcs(&data(30));
    let length = frame.len() as u32;
    let mut file = Pcap::of_talk(Order::Little, 20);
    for held in [frame.len() - 1, frame.len() - 2, frame.len() - 3] {
        file.cut_record(1_700_000_003, 0, &frame[..held], length);
    }
    let capture = read(&file.octets).unwrap();
    let cut: Vec<_> = capture.frames[20..].iter().map(|f| (capture.octets_of(f).to_vec(), f.cut, f.fcs)).collect();
    let whole = data(30);
    let expected = [(&whole[..], false), (&whole[..], false), (&whole[..whole.len() - 1], true)];
    assert_eq!(cut, expected.map(|(octets, cut)| (octets.to_vec(), cut, Fcs::Absent)));

    // Cooja 2.7 counts the check sequence and does not write it.
    let mut file = Pcap::new(Order::Big, 195);
    for n in 0..20 {
        file.cut_record(5, u32::from(n), &data(n), data(n).len() as u32 + 2);
    }
    let capture = read(&file.octets).unwrap();
    assert_eq!(frames(&capture), (0..20).map(data).collect::<Vec<_>>());
    assert!(capture.frames.iter().all(|frame| !frame.cut && frame.fcs == Fcs::Absent));
}

#[test]
fn pcapng_times_of_every_resolution_and_byte_order() {
    for order in [Order::Big, Order::Little] {
        let offset = order.u64(1_700_000_000);
        let mut file = Pcapng::new(order);
        file.interface(230, 0, &[(2, b"dongle"), (9, &[0x80 | 20]), (14, &offset)]);
        file.interface(230, 0, &[(9, &[9])]);
        file.interface(230, 0, &[(14, &order.u64((-10_i64) as u64))]);
        file.enhanced(0, (3 << 20) + (1 << 19), &data(0));
        file.enhanced(1, 1_700_000_000_000_000_001, &data(1));
        file.obsolete(2, 1_700_000_010_000_002, &data(2));
        let capture = read(&file.octets).unwrap();
        let at: Vec<_> = essence(&capture).iter().map(|(at, _)| *at).collect();
        assert_eq!(at, [1_700_000_003_500_000_000, 1_700_000_000_000_000_001, 1_700_000_000_000_002_000]);
        let names: Vec<_> = capture.sources.iter().map(|source| source.name.as_str()).collect();
        assert_eq!(names, ["dongle", "interface 1", "interface 2"]);
        assert_eq!(texts(&capture), ["backward-time-stamp"]);
    }
}

#[test]
fn pcapng_sections_interfaces_and_blocks_of_all_kinds() {
    let mut file = Pcapng::new(Order::Little);
    file.interface(195, 0, &[(2, b"a")]);
    file.interface(1, 0, &[(13, &[4])]);
    file.block(0x0bad, &[1, 2, 3, 4, 5]);
    file.block(4, &[0; 4]);
    file.block(0x1234_5678, &[]);
    file.enhanced(0, 10, &with_fcs(&data(0)));
    file.enhanced(1, 11, &[7; 64]);
    file.section(Order::Big);
    file.interface(195, 20, &[(2, b"a")]);
    file.simple(50, &data(1)[..20]);
    file.enhanced(0, 12, &with_fcs(&data(2)));
    file.enhanced(7, 13, &data(3));
    let capture = read(&file.octets).unwrap();
    assert_eq!(frames(&capture), [data(0), vec![7; 60], data(1)[..20].to_vec(), data(2)]);
    assert_eq!(capture.frames[2].at, capture.frames[1].at, "a simple packet has no time of its own");
    assert!(capture.frames[2].cut);
    assert_eq!(capture.sources.len(), 2, "the same interface in the next section is the same source");
    assert_eq!(texts(&capture), ["block-not-used", "no-time-stamp", "damaged-block"]);
}

#[test]
fn pcapng_keeps_what_it_cannot_decode_so_that_numbers_stay() {
    let mut file = Pcapng::new(Order::Little);
    file.interface(105, 0, &[]);
    file.interface(230, 0, &[]);
    file.enhanced(0, 10, &[1, 2, 3]);
    file.enhanced(1, 11, &data(1));
    let capture = read(&file.octets).unwrap();
    let links: Vec<_> = capture.frames.iter().map(|frame| frame.link).collect();
    assert_eq!(links, [Link::Other(105), Link::Ieee802154]);
    assert_eq!(capture.notes.kinds()[0].first_text, "it has link type 105 (IEEE802_11 WLAN), which is not supported");
}

#[test]
fn radio_logs_of_every_version() {
    let heard = |capture: &trace::Capture| -> Vec<Vec<u32>> {
        (0..capture.frames.len()).map(|i| capture.heard(base::FrameId::at(i)).unwrap().to_vec()).collect()
    };
    let crc = [row(1_500, 3, "1,2", &with_fcs(&data(1))), row(1_503, 2, "-", &with_fcs(&ack(1)))].concat();
    for text in [crc.clone(), crc.replace('\n', "\r\n"), crc.trim_end().to_owned(), format!("\u{feff}\n{crc}\n\n")] {
        let capture = read(text.as_bytes()).unwrap();
        assert_eq!(frames(&capture), [data(1), ack(1)]);
        assert_eq!(heard(&capture), [vec![1, 2], vec![]]);
        assert_eq!(capture.frames[0].at.nanos(), 1_500_000_000);
        assert_eq!(capture.epoch_unix_nanos, None);
        assert_eq!(capture.sources[0].name, "mote 3");
        assert_eq!(capture.sources[0].mote, Some(3));
        assert!(capture.notes.is_empty(), "{:?}", capture.notes);
    }
    // Padded lengths, a clock's time, lower-case digits, a radio without packets.
    let odd = "00:01.500\t3\t1\t  3: 0x02000a\n1:00:01.500\t4\t-\t[unknown data]\n1501\t4\t3\t 3: 0x020 00b\n";
    let capture = read(odd.as_bytes()).unwrap();
    assert_eq!(frames(&capture), [ack(10)]);
    assert_eq!(capture.notes.count("row-skipped"), 2);
}

#[test]
fn motes_with_and_without_check_sequence_in_one_log() {
    let mut text = String::new();
    for n in 0..20 {
        text += &row(u64::from(n), 1, "2", &with_fcs(&data(n)));
        text += &row(u64::from(n), 2, "1", &data(n));
        text += &row(u64::from(n), 2, "1", &ack(n));
    }
    let capture = read(text.as_bytes()).unwrap();
    let expected: Vec<_> = (0..20).flat_map(|n| [data(n), data(n), ack(n)]).collect();
    assert_eq!(frames(&capture), expected);
    let fcs: Vec<_> = capture.frames[..3].iter().map(|frame| frame.fcs).collect();
    assert_eq!(fcs, [Fcs::Good, Fcs::Absent, Fcs::Absent]);
}

#[test]
fn receivers_that_are_not_ids_are_not_taken_for_none() {
    let text = format!("{}{}", row(1, 1, "2", &data(1)), row(2, 1, "[3 d]", &data(2)));
    let capture = read(text.as_bytes()).unwrap();
    assert_eq!(capture.frames.len(), 2);
    assert_eq!(capture.heard(base::FrameId(0)), None);
    assert_eq!(texts(&capture), ["receivers-unreadable"]);
}

#[test]
fn a_row_whose_length_is_wrong_keeps_its_octets() {
    let capture = read(b"1\t1\t-\t9: 0x020007\n2\t1\t-\t2: 0x020008\n3\t1\t-\t3: 0x020009\n").unwrap();
    assert_eq!(frames(&capture), [ack(7), ack(8), ack(9)]);
    assert_eq!(capture.notes.count("length-mismatch"), 2);
    assert!(capture.frames[0].cut && !capture.frames[1].cut);
}
