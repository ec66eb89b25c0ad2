//! Damaged files: what is whole is read, what is not is noted, and nothing panics or hangs.

use crate::make::{Order, Pcap, Pcapng, essence, gzip, log_of_talk, read, row, with_fcs};
use proptest::prelude::*;
use std::path::Path;
use trace::ImportError;

/// The same 24 frames in every format.
fn files() -> [(&'static str, Vec<u8>); 5] {
    [
        ("pcap, little-endian", Pcap::of_talk(Order::Little, 24).octets),
        ("pcap, big-endian", Pcap::of_talk(Order::Big, 24).octets),
        ("pcapng, little-endian", Pcapng::of_talk(Order::Little, 24).octets),
        ("pcapng, big-endian", Pcapng::of_talk(Order::Big, 24).octets),
        ("radio log", log_of_talk(24).into_bytes()),
    ]
}

#[test]
fn cut_at_every_octet_a_file_holds_a_growing_part_of_itself() {
    for (name, octets) in files() {
        let whole = essence(&read(&octets).unwrap());
        let mut most = 0;
        for end in 0..octets.len() {
            let Ok(capture) = read(&octets[..end]) else {
                assert_eq!(most, 0, "{name} cut at {end} is refused although less of it is not");
                continue;
            };
            let part = essence(&capture);
            // The trailer is told from all frames: the very first may be an acknowledgement only.
            assert!(part.len() >= most, "{name} cut at {end}");
            assert!(part.iter().zip(&whole).all(|((at, _), (whole, _))| at == whole), "{name} cut at {end}");
            most = part.len();
        }
        assert!(most >= 23, "{name}");
    }
}

#[test]
fn cut_gzip_keeps_what_was_unpacked() {
    let plain = Pcap::of_talk(Order::Little, 250).octets;
    let packed = gzip(&plain);
    let whole = essence(&read(&plain).unwrap());
    let mut most = 0;
    for end in (0..packed.len()).step_by(7) {
        if let Ok(capture) = read(&packed[..end]) {
            let part = essence(&capture);
            assert_eq!(part, whole[..part.len()]);
            assert_eq!(capture.notes.count("damaged-gzip"), 1);
            assert!(part.len() >= most);
            most = part.len();
        }
    }
    assert!(most > 200, "{most} of 250 frames");
}

#[test]
fn damaged_gzip_keeps_what_came_before() {
    let plain = Pcap::of_talk(Order::Little, 250).octets;
    let mut packed = gzip(&plain);
    let at = packed.len() * 3 / 4;
    packed[at..at + 64].fill(0xff);
    let capture = read(&packed).unwrap();
    assert!(capture.frames.len() > 100, "{}", capture.frames.len());
    let text = &capture.notes.kinds().iter().find(|kind| kind.code == "damaged-gzip").unwrap().first_text;
    assert!(text.starts_with("the gzip file is damaged near octet "), "{text}");

    let mut packed = gzip(&plain);
    packed.extend(b"and something else");
    let capture = read(&packed).unwrap();
    assert_eq!((capture.frames.len(), capture.notes.count("damaged-gzip")), (250, 1));
}

/// Garbage: zeros, ones, text, a shred of the file itself, and noise.
fn garbage(length: usize, octets: &[u8]) -> [Vec<u8>; 5] {
    let noise = (0..length as u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as u8);
    [
        vec![0; length],
        vec![0xff; length],
        b"disk full ".iter().copied().cycle().take(length).collect(),
        octets.iter().copied().skip(100).cycle().take(length).collect(),
        noise.collect(),
    ]
}

/// Returns the number of frames of `whole` that are not in `capture`.
fn lost(whole: &[(i64, Vec<u8>)], capture: &trace::Capture) -> usize {
    let found: std::collections::BTreeSet<_> = essence(capture).into_iter().collect();
    whole.iter().filter(|frame| !found.contains(*frame)).count()
}

#[test]
fn garbage_between_records_costs_at_most_its_neighbours() {
    for order in [Order::Little, Order::Big] {
        let pcap = Pcap::of_talk(order, 40);
        let pcapng = Pcapng::of_talk(order, 40);
        for (name, octets, at) in
            [("pcap", pcap.octets, pcap.records[20]), ("pcapng", pcapng.octets, pcapng.blocks[22])]
        {
            let whole = essence(&read(&octets).unwrap());
            for length in [1, 2, 3, 4, 7, 16, 33, 1_000, 70_000] {
                for (kind, garbage) in garbage(length, &octets).iter().enumerate() {
                    let damaged = [&octets[..at], garbage, &octets[at..]].concat();
                    let capture = read(&damaged).unwrap();
                    let lost = lost(&whole, &capture);
                    assert!(lost <= 1, "{name}, {order:?}, {length} octets of garbage {kind}: {lost} frames lost");
                    // A shred of the file has records of its own.
                    if kind != 3 {
                        let found = capture.frames.len();
                        assert!(found <= 41, "{name}, {order:?}, {length} octets of garbage {kind}: {found} frames");
                        let noted = capture.notes.kinds().iter().find(|kind| kind.code == "garbage-skipped");
                        let near = noted.unwrap().first_offset.unwrap().abs_diff(at as u64);
                        assert!(near <= 80, "{name}: noted {near} octets away");
                    }
                }
            }
        }
    }
}

#[test]
fn a_wrong_length_costs_its_record_and_the_next() {
    for order in [Order::Little, Order::Big] {
        for lie in [0, 1, 1_000, 200_000, 0x7fff_ffff, u32::MAX] {
            let mut pcap = Pcap::of_talk(order, 40);
            let at = pcap.records[20] + 8;
            pcap.octets[at..at + 4].copy_from_slice(&order.u32(lie));
            let found = read(&pcap.octets).unwrap().frames.len();
            assert!((38..=40).contains(&found), "pcap, {order:?}, {lie}: {found}");

            let mut pcapng = Pcapng::of_talk(order, 40);
            let at = pcapng.blocks[22] + 4;
            pcapng.octets[at..at + 4].copy_from_slice(&order.u32(lie));
            let found = read(&pcapng.octets).unwrap().frames.len();
            assert!((38..=40).contains(&found), "pcapng, {order:?}, {lie}: {found}");
        }
    }
}

#[test]
fn a_packet_longer_than_its_block_is_what_the_block_holds() {
    let mut file = Pcapng::of_talk(Order::Little, 40);
    let at = file.blocks[22] + 20;
    file.octets[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    let capture = read(&file.octets).unwrap();
    assert_eq!((capture.frames.len(), capture.notes.count("damaged-block")), (40, 1));
}

#[test]
fn noise_between_rows_costs_the_rows_it_touches() {
    let text = log_of_talk(20);
    let whole = essence(&read(text.as_bytes()).unwrap());
    let at = text.match_indices('\n').nth(9).unwrap().0 + 1;
    for length in [1, 30, 200_000] {
        for garbage in garbage(length, text.as_bytes()) {
            let damaged = [&text.as_bytes()[..at], &garbage, &text.as_bytes()[at..]].concat();
            let capture = read(&damaged).unwrap();
            let lost = lost(&whole, &capture);
            assert!(lost <= 1, "{lost} lost to {length} octets");
        }
    }
    let damaged = text.replacen("100\t2\t-\t5: 0x", "100\t2\t-\t5: 0xZ", 1);
    let capture = read(damaged.as_bytes()).unwrap();
    assert_eq!(capture.frames.len(), 19);
    assert_eq!(
        capture.notes.kinds()[0].first_text,
        "line 2 was skipped: its digits are not pairs of hexadecimal digits"
    );
}

#[test]
fn a_stray_time_stamp_does_not_stretch_the_trace() {
    let mut file = Pcap::of_talk(Order::Little, 20);
    let at = file.records[7];
    file.octets[at..at + 4].copy_from_slice(&12_u32.to_le_bytes());
    let capture = read(&file.octets).unwrap();
    assert_eq!(capture.frames.len(), 20);
    assert_eq!(capture.frames[7].at, capture.frames[6].at);
    assert_eq!(capture.notes.count("absurd-time-stamp"), 1);
}

#[test]
fn a_source_that_fails_half_way_keeps_what_it_gave() {
    struct Failing<'a>(&'a [u8]);
    impl std::io::Read for Failing<'_> {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            match self.0.read(into) {
                Ok(0) => Err(std::io::Error::other("the stick was pulled")),
                other => other,
            }
        }
    }
    let octets = Pcap::of_talk(Order::Little, 20).octets;
    let options = trace::ImportOptions::default();
    let capture = trace::read("x", Failing(&octets), None, &options, &mut base::Silent).unwrap();
    assert_eq!((capture.frames.len(), capture.notes.count("read-error")), (20, 1));
    let nothing = trace::read("x", Failing(&[]), None, &options, &mut base::Silent);
    assert_eq!(nothing.unwrap_err().to_string(), "x could not be read: the stick was pulled. Nothing was read.");
}

/// The files of `tests/damaged`, and what is said of each.
#[test]
fn damaged_fixtures() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/damaged");
    let mut said = String::new();
    let mut paths: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_none_or(|ext| ext != "md")) {
        said += &format!("{}\n", path.file_name().unwrap().to_string_lossy());
        match trace::open(path, &trace::ImportOptions::default(), &mut base::Silent) {
            Err(error) => said += &format!("    error: {error}\n"),
            Ok(capture) => {
                said += &format!("    {} frames, {}\n", capture.frames.len(), capture.format.name());
                for kind in capture.notes.kinds() {
                    said += &format!("    {kind}\n");
                }
            }
        }
    }
    insta::assert_snapshot!(said);
}

#[test]
fn megabytes_of_nonsense_take_no_time() {
    // Every fourth octet starts something like a record, until the header after it is looked at.
    let mut octets = Pcap::of_talk(Order::Little, 1).octets;
    octets.extend(1_700_000_000_u32.to_le_bytes().iter().chain(&[1, 0, 4, 0, 0, 0, 4, 0]).cycle().take(4 << 20));
    assert!(read(&octets).unwrap().frames.len() < 100);
    // Each block type is known, each length lies.
    let mut octets = Pcapng::of_talk(Order::Little, 1).octets;
    octets.extend([6_u8, 0, 0, 0, 0, 0, 1, 0].iter().cycle().take(4 << 20));
    assert_eq!(read(&octets).unwrap().frames.len(), 1);
    assert!(read(&row(1, 1, "-", &with_fcs(&[2, 0, 1])).repeat(20_000).into_bytes()).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(needs::cases(200)))]

    #[test]
    fn any_octets(octets in proptest::collection::vec(any::<u8>(), 0..600)) {
        trace::fuzz::file(&octets);
    }

    #[test]
    fn any_octets_behind_a_header(which in 0..5_usize, octets in proptest::collection::vec(any::<u8>(), 0..600)) {
        let (_, file) = &files()[which];
        trace::fuzz::file(&[&file[..150], &octets].concat());
    }

    #[test]
    fn any_octets_changed(
        which in 0..5_usize,
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        packed in any::<bool>(),
    ) {
        let (_, mut file) = files()[which].clone();
        if packed {
            file = gzip(&file);
        }
        for (at, octet) in changes {
            let at = at.index(file.len());
            file[at] = octet;
        }
        trace::fuzz::file(&file);
    }
}

#[test]
fn a_trace_of_half_a_year_is_refused() {
    let mut file = Pcap::new(Order::Little, 230);
    for month in 0..6 {
        file.record(1_700_000_000 + month * 30 * 86_400, 0, &[2, 0, 1]);
    }
    assert!(matches!(read(&file.octets), Err(ImportError::TooLong { days: 150 })));
}
