//! Packed files: what they unpack to, damage in them, and files made to unpack to more than there is memory.

use crate::make;
use crate::make::{Order, Pcap, Pcapng, essence, gzip, log_of_talk, read, read_with};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use trace::{ImportError, ImportOptions};

fn zstd(octets: &[u8]) -> Vec<u8> {
    compress_to_vec(octets, CompressionLevel::Fastest)
}

#[test]
fn zstandard_of_any_format_and_any_number_of_frames_is_what_it_unpacks_to() {
    let skippable = [&[0x50, 0x2a, 0x4d, 0x18, 5, 0, 0, 0][..], b"hello"].concat();
    for plain in [
        Pcap::of_talk(Order::Big, 250).octets,
        Pcapng::of_talk(Order::Little, 250).octets,
        log_of_talk(250).into_bytes(),
    ] {
        let whole = essence(&read(&plain).unwrap());
        let (a, b) = plain.split_at(plain.len() / 3);
        let capture = read(&[zstd(a), skippable.clone(), zstd(b)].concat()).unwrap();
        assert_eq!(essence(&capture), whole);
        assert_eq!(capture.notes.count("damaged-zstd"), 0);
        assert_eq!(essence(&read(&zstd(&plain)).unwrap()), whole);
    }
}

#[test]
fn zstandard_as_its_own_tool_writes_it() {
    // zstd 1.5.4, `-19`, with its checksum: the header of a pcap file of Ethernet frames, and no record.
    let mut packed: Vec<u8> = vec![
        0x28, 0xb5, 0x2f, 0xfd, 0x24, 0x18, 0xc1, 0x00, 0x00, 0xd4, 0xc3, 0xb2, 0xa1, 0x02, 0x00, 0x04, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0xa1, 0xab, 0x27,
        0x42,
    ];
    let capture = read(&packed).unwrap();
    assert_eq!((capture.frames.len(), capture.notes.count("no-frames")), (0, 1));
    assert_eq!(capture.notes.count("damaged-zstd"), 0);
    // Its checksum is compared.
    *packed.last_mut().unwrap() ^= 1;
    let text = read(&packed).unwrap().notes.kinds().iter().map(|kind| kind.first_text.clone()).collect::<String>();
    assert!(text.contains("its checksum does not match"), "{text}");
}

#[test]
fn cut_or_damaged_zstandard_keeps_what_was_unpacked() {
    let plain = Pcap::of_talk(Order::Little, 250).octets.repeat(40);
    let packed = zstd(&plain);
    let whole = essence(&read(&plain).unwrap());
    let mut most = 0;
    for end in (4..packed.len()).step_by(packed.len() / 40) {
        if let Ok(capture) = read(&packed[..end]) {
            let part = essence(&capture);
            assert_eq!(part, whole[..part.len()]);
            assert_eq!(capture.notes.count("damaged-zstd"), 1, "cut at {end}");
            assert!(part.len() >= most);
            most = part.len();
        }
    }
    assert!(most > whole.len() / 2, "{most} of {} frames", whole.len());

    let capture = read(&[&packed[..], b"and something else"].concat()).unwrap();
    assert_eq!((capture.frames.len(), capture.notes.count("damaged-zstd")), (whole.len(), 1));
}

/// 24 mebibytes of records that are alike, and how many.
fn monotonous() -> (Vec<u8>, usize) {
    let mut file = Pcap::new(Order::Little, 195);
    file.record(1_700_000_000, 0, &make::with_fcs(&make::data(36)));
    let record = file.octets.split_off(24);
    let records = 24 * 1024 * 1024 / record.len();
    file.octets.extend(record.repeat(records));
    (file.octets, records)
}

#[test]
fn a_decompression_bomb_is_stopped_and_can_be_allowed() {
    let (plain, records) = monotonous();
    for (packed, kind) in [(gzip(&plain), "gzip"), (zstd(&plain), "zstd")] {
        let ratio = (plain.len() / packed.len()) as u32;
        assert!(ratio > 200, "{kind} makes it {ratio} times smaller: the test needs more");
        let capture = read_with(&packed, &ImportOptions::default().with_unpack_ratio(ratio / 2)).unwrap();
        let stop = capture.notes.kinds().iter().find(|kind| kind.code == "unpack-limit").unwrap();
        let says = format!("unpack to more than {} times as much", ratio / 2);
        assert!(stop.first_text.contains(&says), "{}", stop.first_text);
        // The 16 MiB that are free, and at most a window more.
        assert!(capture.octets.len() < 18 * 1024 * 1024);
        let capture = read_with(&packed, &ImportOptions::default().with_unpack_ratio(u32::MAX)).unwrap();
        assert_eq!(capture.notes.count("unpack-limit"), 0);
        assert_eq!(capture.frames.len(), records);
    }
}

#[test]
fn a_window_larger_than_any_file_is_refused() {
    // RFC 8878, 3.1.1.1: a frame with a window descriptor of 2^(10 + 31) octets and one raw block.
    let packed = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 31 << 3, 0x09, 0, 0, 7];
    let said = read(&packed).unwrap_err().to_string();
    assert!(said.contains("the Zstandard file is damaged near octet "), "{said}");
}

/// Gives its octets in small pieces, counts them, and fails behind the last.
struct Failing<'a> {
    octets: &'a [u8],
    given: &'a AtomicUsize,
}

impl Read for Failing<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let at = self.given.load(Ordering::Relaxed);
        let rest = &self.octets[at..];
        if rest.is_empty() {
            return Err(io::Error::other("the disk is gone"));
        }
        let n = rest.len().min(into.len()).min(1_000);
        into[..n].copy_from_slice(&rest[..n]);
        self.given.fetch_add(n, Ordering::Relaxed);
        Ok(n)
    }
}

/// Files are unpacked ahead of what reads them: no further than some blocks, and what goes wrong there is told behind
/// what came before it.
#[test]
fn a_packed_file_can_be_cancelled_and_its_source_may_fail() {
    // 8 MiB in which no three octets come again soon.
    let mut state = 1_u32;
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let mut file = Pcap::new(Order::Little, 195);
    let records = 8 * 1024 * 1024 / 136;
    for n in 0..records {
        let frame: Vec<u8> = (0..120).map(|_| noise()).collect();
        file.record(1_700_000_000 + n / 100, n % 100 * 10_000, &frame);
    }
    let whole = read(&file.octets).unwrap();
    for packed in [gzip(&file.octets), zstd(&file.octets)] {
        let given = AtomicUsize::new(0);
        let source = Failing { octets: &packed, given: &given };
        let mut stop = |_, _| ControlFlow::Break(());
        let stopped = trace::read("packed", source, None, &ImportOptions::default(), &mut stop).unwrap_err();
        assert!(matches!(stopped, ImportError::Cancelled), "{stopped}");
        assert!(given.load(Ordering::Relaxed) < 2 * 1024 * 1024, "{given:?} octets were read for nobody");

        let given = AtomicUsize::new(0);
        let source = Failing { octets: &packed[..packed.len() / 2], given: &given };
        let half = trace::read("packed", source, None, &ImportOptions::default(), &mut base::Silent).unwrap();
        let frames = half.frames.len();
        assert!(frames > records as usize / 3 && frames < records as usize, "{frames} frames");
        assert_eq!(half.octets[..], whole.octets[..half.octets.len()]);
        assert!(half.notes.kinds().iter().any(|kind| kind.first_text.starts_with("the disk is gone")));
    }
}
