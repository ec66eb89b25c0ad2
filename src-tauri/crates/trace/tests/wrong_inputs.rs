//! What people open by mistake, or after something went wrong, and what they are told: the table that the documentation
//! shows is this test's snapshot.

#![allow(clippy::unwrap_used, reason = "tests")]

mod make;

use make::{Order, Pcap, Pcapng, gzip, log_of_talk, read, with_fcs};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::fmt::Write;
use trace::ImportOptions;

/// What a user is told of `octets`: why nothing was read, or how much was and what was not.
fn told(octets: &[u8]) -> String {
    match read(octets) {
        Err(error) => format!("    {error}\n"),
        Ok(capture) => {
            let notes = capture.notes.kinds().iter().map(|kind| format!("    {kind}\n")).collect::<String>();
            format!("    {} frames, {}\n{notes}", capture.frames.len(), capture.format.name())
        }
    }
}

fn table(rows: &[(&str, &[u8])]) -> String {
    rows.iter().fold(String::new(), |mut table, (name, octets)| {
        write!(table, "{name}\n{}", told(octets)).unwrap();
        table
    })
}

#[test]
fn files_that_are_no_capture() {
    let files: &[(&str, &[u8])] = &[
        ("JPEG", b"\xff\xd8\xff\xe0\0\x10JFIF"),
        ("PNG", b"\x89PNG\r\n\x1a\n"),
        ("ZIP", b"PK\x03\x04\x14"),
        ("ELF", b"\x7fELF\x02"),
        ("PDF", b"%PDF-1.7"),
        ("Zstandard", b"\x28\xb5\x2f\xfd\x04"),
        ("gzip in gzip", &gzip(&gzip(b"x"))),
        ("Cooja simulation", b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<simconf version=\"2023090101\">\n"),
        ("web page", b"<!DOCTYPE html><html>"),
        ("JSON", b"{\"a\": 1}"),
        ("base64", b"1MOyoQIABAAAAAAAAAAAAAAA"),
        ("UTF-16", b"\xff\xfe1\0\t\0"),
        ("test log", b"Random seed: 1\n65000:5:[INFO: Main      ] Link-layer address: 0005.0005\n"),
        ("test log without its start", b"65000:5:[INFO: Main      ] fe80::205:5:5:5\n"),
        ("mote output", b"00:00.065\tID:5\t[INFO: Main      ] Starting Contiki-NG\n"),
        ("analyzer's summary", b"4375\t1\t2\t 97: 15.4 D 00:01:00:01:00:01:00:01 0xFFFF|IPHC|IPv6\n"),
        ("prose", "Räuber und Gendarm\n".as_bytes()),
        ("Photoshop", b"8BPS\x00\x01\0\0\0\0\0\0\0\x03"),
        ("empty", b""),
        ("noise", b"\x01\x02\x03\x04\xfe\xfd"),
        ("one octet", b"\x07"),
    ];
    insta::assert_snapshot!(table(files));
}

/// [`Pcap::of_talk`] with `field` of a record's header (0 seconds, 1 fraction, 2 held, 3 length) replaced.
fn lying(record: usize, field: usize, value: u32) -> Vec<u8> {
    let Pcap { mut octets, records, .. } = Pcap::of_talk(Order::Little, 40);
    let at = records[record] + 4 * field;
    octets[at..at + 4].copy_from_slice(&value.to_le_bytes());
    octets
}

/// A file of `records` equal records, packed: what it unpacks to is far larger.
fn bomb(pack: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let mut file = Pcap::new(Order::Little, 195);
    file.record(1_700_000_000, 0, &with_fcs(&make::data(36)));
    let record = file.octets.split_off(24);
    file.octets.extend(record.repeat(24 * 1024 * 1024 / record.len()));
    pack(&file.octets)
}

#[test]
fn damaged_and_malicious_captures() {
    let whole = Pcap::of_talk(Order::Little, 40).octets;
    let mut snaplen = whole.clone();
    snaplen[16..20].copy_from_slice(&u32::MAX.to_le_bytes());
    let mut ng = Pcapng::of_talk(Order::Little, 40);
    let at = ng.blocks[22] + 4;
    ng.octets[at..at + 4].copy_from_slice(&0x7fff_fffc_u32.to_le_bytes());
    let mut years = Pcap::new(Order::Little, 195);
    for (n, frame) in make::talk(8).iter().enumerate() {
        years.record(n as u32 / 2 * 50_000_000, 0, frame);
    }
    let mut wifi = Pcap::new(Order::Little, 105);
    wifi.record(0, 0, &[0; 30]);
    let mut latin = log_of_talk(4).into_bytes();
    latin.extend(b"Knoten \xfcberlastet\n\xff\xfe\xfd\t1\t2\t3: 0x020101\n");
    let broken: Vec<Vec<u8>> = (0..10)
        .map(|n| {
            let mut frame = make::data(n + 10);
            let (raw, correlation) = (-20_i8, 0x80 | 100);
            let end = frame.len() - 2;
            frame[end..].copy_from_slice(&[raw as u8, correlation]);
            frame.extend([(raw - 45) as u8, correlation]);
            frame
        })
        .collect();
    let mut sensniff = Pcap::new(Order::Little, 195);
    broken.iter().for_each(|frame| sensniff.record(1, 0, frame));
    let packed = gzip(&whole);
    let zstd = compress_to_vec(&whole[..], CompressionLevel::Fastest);
    let log = log_of_talk(4);
    let files: &[(&str, &[u8])] = &[
        ("pcap, cut in the file header", &whole[..20]),
        ("pcap, cut in a record header", &whole[..30]),
        ("pcap, cut in a record", &whole[..whole.len() - 2]),
        ("pcapng, cut in the section header", &Pcapng::of_talk(Order::Big, 4).octets[..20]),
        ("pcapng, cut in a block", &Pcapng::of_talk(Order::Big, 4).octets[..200]),
        ("radio log, cut in a row", &log.as_bytes()[..log.len() - 9]),
        ("gzip, cut", &packed[..packed.len() - 20]),
        ("Zstandard, cut", &zstd[..zstd.len() - 20]),
        ("gzip header alone", &packed[..10]),
        ("pcap, a record that claims 4 GiB", &lying(20, 2, u32::MAX)),
        ("pcap, a record that claims 200 000 octets", &lying(20, 2, 200_000)),
        ("pcap, a record longer than its frame", &lying(20, 3, 1)),
        ("pcap, snaplen of 4 GiB", &snaplen),
        ("pcapng, a block that claims 2 GiB", &ng.octets),
        ("pcap, one stamp of 1970", &lying(20, 0, 5)),
        ("pcap, one stamp of 2106", &lying(20, 0, u32::MAX)),
        ("pcap, four years", &years.octets),
        ("pcap, more than a second of fraction", &lying(20, 1, u32::MAX)),
        ("pcap, nanoseconds in one record", &lying(20, 1, 999_999_999)),
        ("pcap of Wi-Fi", &wifi.octets),
        ("radio log with lines that are not UTF-8", &latin),
        ("sensniff on a Z1", &sensniff.octets),
        ("gzip bomb", &bomb(gzip)),
        ("Zstandard bomb", &bomb(|octets| compress_to_vec(octets, CompressionLevel::Fastest))),
        ("Zstandard with a window of 2 TiB", &[0x28, 0xb5, 0x2f, 0xfd, 0x00, 31 << 3, 0x09, 0, 0, 7]),
        ("zeros", &[0; 5_000]),
    ];
    insta::assert_snapshot!(table(files));
}

#[test]
fn paths_that_hold_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut said = String::new();
    for name in ["", "gone.pcap"] {
        let path = folder.path().join(name);
        let error = trace::open(&path, &ImportOptions::default(), &mut base::Silent).unwrap_err();
        writeln!(said, "{}", error.to_string().replace(&folder.path().display().to_string(), "FOLDER")).unwrap();
    }
    insta::assert_snapshot!(said);
}
