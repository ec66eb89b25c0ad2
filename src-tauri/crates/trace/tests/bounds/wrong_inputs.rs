//! Messages for files that people open by mistake, or after something went wrong: the table that the documentation
//! shows is this test's snapshot.

use crate::make;
use crate::make::{Order, Pcap, Pcapng, gzip, log_of_talk, read, told, with_fcs};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::fmt::Write;
use trace::{DecodeOptions, ImportOptions};

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

/// Returns the report on `frames` of 802.15.4 without check sequences (link type 230) or of IP (101), 10 µs apart.
fn decoded(link: u32, frames: impl Iterator<Item = Vec<u8>>) -> String {
    let mut file = Pcap::new(Order::Little, link);
    for (n, frame) in (0_u32..).zip(frames) {
        file.record(1_700_000_000 + n / 100_000, n % 100_000 * 10, &frame);
    }
    let trace = trace::analyse(read(&file.octets).unwrap(), &DecodeOptions::default(), &mut base::Silent).unwrap();
    let notes = trace.notes.kinds().iter().map(|kind| format!("    {kind}\n")).collect::<String>();
    format!("    {} frames, {} CoAP messages\n{notes}", trace.capture.frames.len(), trace.messages.len())
}

/// From node `src` to node 1 (version 2003, within a PAN, short addresses), `payload` behind it.
fn mac(seq: u32, src: u16, payload: &[&[u8]]) -> Vec<u8> {
    let [low, high] = src.to_le_bytes();
    [&[0x61, 0x88, seq as u8, 0xcd, 0xab, 1, 0, low, high][..], &payload.concat()].concat()
}

/// IPHC between link-local addresses, UDP 5683 to 5683, and a confirmable GET.
const GET: [u8; 20] = [0x7c, 0x22, 64, 0, 2, 0, 1, 0xf0, 0x16, 0x33, 0x16, 0x33, 0, 0, 0x40, 1, 0, 7, 0xff, b'x'];

/// `inner` in an IPv6 header whose next header is `next`.
fn ipv6(next: u8, inner: &[u8]) -> Vec<u8> {
    [&[0x60, 0, 0, 0][..], &(inner.len() as u16).to_be_bytes(), &[next, 64], &[0xfd; 32], inner].concat()
}

#[test]
fn frames_that_make_no_sense() {
    let tag = |n: u32| (n as u16).to_be_bytes();
    let rows: Vec<(&str, String)> = vec![
        (
            "a million datagrams of which the rest never comes",
            decoded(
                230,
                (0..1_000_000_u32)
                    .map(|n| mac(n, (n >> 16) as u16 + 2, &[&[0xc0, 200], &tag(n), &GET[..16], &tag(n), &GET[18..]])),
            ),
        ),
        (
            "fragments that go round in circles and never fill the datagram",
            decoded(230, (0..10_000_u32).map(|n| mac(n, 2, &[&[0xe7, 0xff, 0, 7, 1 + (n % 200) as u8], &[0; 64]]))),
        ),
        (
            "fragments beyond the datagram's end",
            decoded(230, (0..3_u32).map(|n| mac(n, 2, &[&[0xe0, 16, 0, 7, 200], &[0; 64]]))),
        ),
        (
            "a fragment of another size in each frame",
            decoded(230, (0..100_u32).map(|n| mac(n, 2, &[&[0xc0, 100 + n as u8, 0, 7], &GET]))),
        ),
        (
            "a datagram cut at each octet",
            decoded(230, (9..29_usize).map(|end| mac(end as u32, 2, &[&GET])[..end].to_vec())),
        ),
        ("a MAC header cut at each octet", decoded(230, (0..9_usize).map(|end| mac(1, 2, &[])[..end].to_vec()))),
        (
            "a byte code of 4000 octets (RFC 7400) that stands for 68 000",
            decoded(230, std::iter::once(mac(1, 2, &[&[0x7c, 0x22, 64, 0, 2, 0, 1, 0xdf], &[0x8f; 4_000]]))),
        ),
        ("IP in IP in IP, 1600 times", {
            let nested = (0..1_600).fold(Vec::new(), |inner, _| ipv6(41, &inner));
            decoded(101, std::iter::once(nested))
        }),
        ("a UDP length that lies", {
            let udp =
                |length: u16| [&[0x16, 0x33, 0x16, 0x33][..], &length.to_be_bytes(), &[0, 0, 0x40, 1, 0, 7]].concat();
            decoded(101, [0, 7, 13, 65_535].into_iter().map(|length| ipv6(17, &udp(length))))
        }),
        ("CoAP: version 2, token of 15, option past the end, marker without payload", {
            let messages: [&[u8]; 4] =
                [&[0x80, 1, 0, 1], &[0x4f, 1, 0, 2], &[0x40, 1, 0, 3, 0xbd, 0xff], &[0x40, 1, 0, 4, 0xff]];
            let udp = |coap: &[u8]| {
                let length = 8 + coap.len() as u16;
                [&[0x16, 0x33, 0x16, 0x33][..], &length.to_be_bytes(), &[0, 0], coap].concat()
            };
            decoded(101, messages.into_iter().map(|coap| ipv6(17, &udp(coap))))
        }),
        (
            "an extension header that leads to itself: 1000 hop-by-hop headers of 8 octets",
            decoded(101, std::iter::once(ipv6(0, &[[0_u8, 0, 1, 4, 0, 0, 0, 0]; 1_000].concat()))),
        ),
    ];
    insta::assert_snapshot!(rows.iter().map(|(name, told)| format!("{name}\n{told}")).collect::<String>());
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
