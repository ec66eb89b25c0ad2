//! Decode trees against Wireshark: for every frame of the bundled captures, fields of one name have the same
//! values, in the same order. Skipped without tshark.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod capture;
#[path = "../hex/mod.rs"]
mod hex;
mod pdml;

use capture::Capture;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use wire::lowpan::ContextTable;
use wire::tree::{Trailer, Tree, Value};

/// Fields that both name and mean alike, met in the bundled captures. Not here: fields of which Wireshark writes more
/// than one node for one field of the frame, or shows a text of its own.
const FIELDS: &[&str] = &include!("fields.in");

/// Fields met only in captures that are not bundled.
const MORE_FIELDS: &[&str] = &include!("more_fields.in");

/// Fields met only in frames made here.
const MADE_FIELDS: &[&str] = &include!("made_fields.in");

/// Captures that are not bundled: the trailer of their frames, their context 0.
const PUBLIC: &[(&str, Trailer, &str)] = &[
    ("cooja-jonaffrye/radiolog-1721392471699.pcap", Trailer::Crc16, "fd00::/64"),
    ("foren6/example1-rpl-collect.pcap", Trailer::None, "aaaa::/64"),
    ("iot6lowpan-mh/coap_dtls_example.pcap", Trailer::None, "fd00::/64"),
    ("iot6lowpan-mh/sniffa_file_20260424_111441.pcap", Trailer::None, "fd00::/64"),
    ("salties-6lowpan-ta/dtlstime_12_1.pcapng", Trailer::Ti, "aaaa::/64"),
    ("student-coap-c/coap.pcap", Trailer::None, "fd00::/64"),
    ("coap-sll2/coap_new.pcap", Trailer::None, "fd00::/64"),
    ("polimi-iot-challenge/data.pcapng", Trailer::None, "fd00::/64"),
    ("oscoap-interop/Interop4-client-christian-server-malisa-python.pcapng.gz", Trailer::None, "fd00::/64"),
    ("ttproto/TD_6LOWPAN_ND_01.pcap", Trailer::None, "fd00::/64"),
    ("ttproto/TD_6LOWPAN_HC_15_PASS.pcap", Trailer::None, "fd00::/64"),
    ("tcpdump-tests/802_15_4_beacon.pcap", Trailer::Crc16, "fd00::/64"),
    ("ttproto/TD_6LOWPAN_HC_01_PASS.pcap", Trailer::None, "fd00::/64"),
    ("ttproto/TD_6LOWPAN_RS_BRDCST_16-16_01.pcap", Trailer::None, "fd00::/64"),
    ("ttproto/6lowpan_dissector_enourmously_big_trace.pcap", Trailer::Crc16, "fd00::/64"),
    ("whad/rf4ce_pairing_audio.pcapng", Trailer::Crc16, "fd00::/64"),
    ("contiki-history/wireshark-coap-server-example.pcap", Trailer::None, "fd00::/64"),
    ("picotcp-6lowpan/6LoWPAN_ping_and_udp.pcap", Trailer::Crc16, "fd00::/64"),
];

/// Frames of each capture.
const FRAMES: usize = 500;

fn traces() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces")
}

/// Returns whether Wireshark's text stands for the value.
fn same(tree: &Tree, node: &wire::tree::Node, show: &str) -> bool {
    let number = || match show.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => show.parse().ok(),
    };
    match &node.value {
        Value::Uint(value) => number() == Some(*value),
        Value::Addr16(value) => number() == Some(u64::from(*value)),
        Value::Int(value) => show.parse() == Ok(*value),
        Value::Float(value) => show.parse::<f32>().is_ok_and(|shown| (shown - value).abs() < 1e-4),
        Value::Bool(value) => matches!((show, value), ("1" | "True", true) | ("0" | "False", false)),
        // "No-Op" is Wireshark's word for an option number that it does not know; it has "Max-age" and "Etag".
        // Wireshark has no text for a content-format of zero octets.
        Value::Text(_) if show == "(null)" => true,
        Value::Text(text) => text.eq_ignore_ascii_case(&show.replace("No-Op", "Unknown Option")),
        Value::Bytes => {
            let octets: String = tree.octets(node).iter().map(|octet| format!("{octet:02x}")).collect();
            octets == show.replace(':', "")
        }
        Value::Addr64(octets) => octets.map(|octet| format!("{octet:02x}")).join(":") == show,
        Value::Addr48(octets) => octets.map(|octet| format!("{octet:02x}")).join(":") == show,
        Value::Ipv6(address) => show.parse() == Ok(*address),
        Value::Ipv4(address) => show.parse() == Ok(*address),
        Value::None => true,
    }
}

/// Result of a comparison.
#[derive(Default)]
struct Report {
    frames: usize,
    /// Equal values, by field.
    equal: BTreeMap<&'static str, usize>,
    /// Number of differences by field, and the first case.
    different: BTreeMap<&'static str, (usize, String)>,
}

impl Report {
    /// Compare the first frames of a capture; `false` without tshark.
    fn compare(&mut self, file: &Path, trailer: Trailer, context: &str, fields: &[&'static str]) -> bool {
        let capture = Capture::read(file, trailer);
        let fcs = if trailer == Trailer::Ti { "TI CC24xx metadata" } else { "ITU-T CRC-16" };
        let preferences = [format!("6lowpan.context0:{context}"), format!("wpan.fcs_format:{fcs}")];
        let Some(packets) = pdml::packets(&capture.file, &preferences, FRAMES) else {
            needs::skip("tshark");
            return false;
        };
        let contexts = ContextTable::EMPTY.with(0, context.parse().unwrap());
        let mut reader = capture.reader(&contexts, trailer);
        for (index, (packet, octets)) in packets.iter().zip(&capture.frames).enumerate() {
            let tree = reader.frame(octets);
            self.frames += 1;
            for &field in fields {
                let ours: Vec<_> = tree.find(field).collect();
                let theirs = packet.get(field).map_or(&[][..], Vec::as_slice);
                // A datagram that one of the two takes for complete: their reassembly is not under test here.
                let reassembled = reader.fragmented && (ours.is_empty() || theirs.is_empty());
                if reassembled && !field.starts_with("wpan") && !field.starts_with("6lowpan") {
                    continue;
                }
                if ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(node, show)| same(&tree, node, show)) {
                    *self.equal.entry(field).or_default() += ours.len();
                } else {
                    let ours: Vec<_> = ours.iter().map(|node| (&node.label, &node.value)).collect();
                    let name = file.display();
                    let example = || format!("{name} frame {}: {ours:?}, tshark {theirs:?}", index + 1);
                    self.different.entry(field).or_insert_with(|| (0, example())).0 += 1;
                }
            }
        }
        true
    }

    fn conclude(self, fields: &[&'static str]) {
        let met = |field: &&&str| self.equal.get(**field).is_some_and(|count| *count > 0);
        let (values, met_fields) = (self.equal.values().sum::<usize>(), fields.iter().filter(met).count());
        eprintln!("{values} values of {met_fields} fields in {} frames are tshark's", self.frames);
        assert!(self.different.is_empty(), "{:#?}", self.different);
        let never: Vec<_> = fields.iter().filter(|field| !met(field)).collect();
        assert!(never.is_empty(), "never met: {never:?}");
    }
}

#[test]
fn fields_are_wiresharks() {
    let mut report = Report::default();
    for (name, trailer, context) in [
        ("chain6-periodic-rc", Trailer::Crc16, "fd00::/64"),
        ("grid3x3-burst-default", Trailer::Crc16, "fd00::/64"),
        ("grid3x3-burst-cocoa", Trailer::Crc16, "fd00::/64"),
        ("grid3x3-burst-rc", Trailer::Crc16, "fd00::/64"),
        ("tsch-slow-chain5-default", Trailer::Crc16, "fd00::/64"),
        ("tsch-slow-chain5-rc", Trailer::Crc16, "fd00::/64"),
        ("contiki30-chain4-stock", Trailer::None, "aaaa::/64"),
        ("live-ge-default", Trailer::None, "fd00::/64"),
    ] {
        if !report.compare(&traces().join(name).join("capture.pcap.gz"), trailer, context, FIELDS) {
            return;
        }
    }
    report.conclude(FIELDS);
}

/// The same over captures of others, which are not part of the repository, and with the fields met there.
#[test]
fn fields_of_public_captures_are_wiresharks() {
    let Some(captures) = needs::shared("captures") else { return };
    let mut report = Report::default();
    for (name, trailer, context) in PUBLIC {
        if !report.compare(&captures.join(name), *trailer, context, MORE_FIELDS) {
            return;
        }
    }
    report.conclude(MORE_FIELDS);
}

/// Frames made by hand from the figures of the standards, for features that no capture has.
#[test]
fn fields_of_made_frames_are_wiresharks() {
    /// Data, 2006, short addresses.
    const MAC: &str = "4198 01 cdab 0200 0100";
    let frames = [
        // RFC 8138: RPI with everything inline, and with instance and low octet of the rank elided.
        format!("{MAC} f1 9005 07 0180 7a33 3a 9b00 0000 0000"),
        format!("{MAC} f1 8305 03 7a33 3a 9b00 0000 0000"),
        // RFC 4944: mesh and broadcast headers; HC1 and HC_UDP.
        format!("{MAC} b5 0001 0002 50 2a 7a33 3a 9b00 0000 0000"),
        format!("{MAC} 42 fb e0 40 12 abcd 40010001"),
        // RFC 8931.
        format!("{MAC} ea 2a c0000000"),
        // RFC 6282: traffic class and flow label inline, an extension header, IPv6 in IPv6.
        format!("{MAC} 6233 ae 0abcde 3a 9b00 0000 0000"),
        // A beacon of 2003 with a superframe specification; a command.
        "0080 05 cdab 0100 ffcf 00 00 aabb".to_owned(),
        "23c8 07 cdab 0100 ffff 0102030405060708 01 8e".to_owned(),
        // Secured, level 5, key source of 8 octets.
        "69d8 01 cdab 0200 0102030405060708 1d 05000000 1112131415161718 01 aabbccdd 01020304".to_owned(),
        // Multipurpose, long frame control, with a PAN ID.
        "adc1 01 cdab 0200 0102030405060708 3f".to_owned(),
    ];
    let mut pcap = hex::hex("d4c3b2a1 0200 0400 00000000 00000000 00010000 e6000000");
    for frame in &frames {
        let octets = hex::hex(frame);
        let len = u32::try_from(octets.len()).unwrap().to_le_bytes();
        pcap.extend([&[0; 8][..], &len, &len, &octets].concat());
    }
    let folder = std::env::temp_dir().join(format!("rtoscope-made-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("made");
    std::fs::write(&file, pcap).unwrap();
    let mut report = Report::default();
    let compared = report.compare(&file, Trailer::None, "fd00::/64", MADE_FIELDS);
    std::fs::remove_dir_all(&folder).unwrap();
    if compared {
        report.conclude(MADE_FIELDS);
    }
}

/// Fields of headers that a datagram in a datagram has twice.
const TUNNEL_FIELDS: &[&str] = &[
    "coap.code",
    "coap.mid",
    "ip.dst",
    "ip.proto",
    "ip.src",
    "ip.ttl",
    "ipv6.dst",
    "ipv6.hlim",
    "ipv6.nxt",
    "ipv6.plen",
    "ipv6.src",
    "udp.dstport",
    "udp.length",
    "udp.srcport",
];

/// Datagrams in datagrams (RFC 2473, RFC 4213): each header has the values that Wireshark says, in its order, and the
/// spans of all are those of the octets.
#[test]
fn tunnels_are_wiresharks() {
    let coap = hex::hex("9c40 1633 000e 0000 4001 1234 b161");
    let ipv6 = |next: u8, hop_limit: u8, ends: (u8, u8), inner: &[u8]| {
        let address = |node: u8| [&[0xfd][..], &[0; 14], &[node]].concat();
        let length = u16::try_from(inner.len()).unwrap().to_be_bytes();
        [&[0x60, 0, 0, 0][..], &length, &[next, hop_limit], &address(ends.0), &address(ends.1), inner].concat()
    };
    let ipv4 = |inner: &[u8]| {
        let length = u16::try_from(20 + inner.len()).unwrap().to_be_bytes();
        [&[0x45, 0][..], &length, &[0, 0, 0, 0, 63, 41, 0, 0, 192, 0, 2, 8, 192, 0, 2, 9], inner].concat()
    };
    let inner = ipv6(17, 64, (1, 2), &coap);
    let once = ipv6(41, 9, (8, 9), &inner);
    let frames = [once.clone(), ipv6(41, 5, (6, 7), &once), ipv4(&inner), ipv4(&once)];
    // The innermost header begins behind those around it.
    let tree = |octets: &[u8]| {
        let mut tree = Tree::default();
        let part = tree.buffer("Frame", octets);
        wire::tree::raw_ip(&mut tree, part, &wire::tree::Options::default());
        tree
    };
    for (frame, behind) in frames.iter().zip([40, 80, 20, 60]) {
        let tree = tree(frame);
        let limit = tree.find("ipv6.hlim").last().unwrap();
        assert_eq!((limit.span.clone(), tree.octets(limit)), (behind + 7..behind + 8, &[64][..]));
        let mid = tree.find("coap.mid").next().unwrap();
        assert_eq!((mid.span.clone(), tree.octets(mid)), (behind + 50..behind + 52, &[0x12, 0x34][..]));
    }
    let mut pcap = hex::hex("d4c3b2a1 0200 0400 00000000 00000000 00010000 65000000");
    for octets in &frames {
        let len = u32::try_from(octets.len()).unwrap().to_le_bytes();
        pcap.extend([&[0; 8][..], &len, &len, octets].concat());
    }
    let folder = std::env::temp_dir().join(format!("rtoscope-tunnels-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("tunnels");
    std::fs::write(&file, pcap).unwrap();
    let mut report = Report::default();
    let compared = report.compare(&file, Trailer::None, "fd00::/64", TUNNEL_FIELDS);
    std::fs::remove_dir_all(&folder).unwrap();
    if compared {
        report.conclude(TUNNEL_FIELDS);
    }
}
