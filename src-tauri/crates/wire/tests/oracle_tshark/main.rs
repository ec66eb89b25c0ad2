//! Decode trees against Wireshark: for every frame of the bundled captures, fields of one name have the same
//! values, in the same order. Skipped without tshark.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod capture;
mod pdml;

use capture::Capture;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use wire::lowpan::ContextTable;
use wire::tree::{Trailer, Tree, Value};

/// Fields that both name and mean alike. Not here: fields of which Wireshark writes more than one node for
/// one field of the frame, or shows a text of its own.
const FIELDS: &[&str] = &include!("fields.in");

/// Frames of each capture.
const FRAMES: usize = 500;

fn traces() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../traces")
}

/// Whether Wireshark's text stands for the value.
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

#[test]
fn fields_are_wiresharks() {
    let cases: [(&str, Trailer, &str); 7] = [
        ("chain6-periodic-rc", Trailer::Crc16, "fd00::/64"),
        ("grid3x3-burst-cocoa", Trailer::Crc16, "fd00::/64"),
        ("grid3x3-burst-rc", Trailer::Crc16, "fd00::/64"),
        ("tsch-slow-chain5-default", Trailer::Crc16, "fd00::/64"),
        ("tsch-slow-chain5-rc", Trailer::Crc16, "fd00::/64"),
        ("contiki30-chain4-stock", Trailer::None, "aaaa::/64"),
        ("live-ge-default", Trailer::None, "fd00::/64"),
    ];
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut frames, mut compared) = (0usize, 0usize);
    // How often, and the first, by field.
    let mut differences: BTreeMap<&str, (usize, String)> = BTreeMap::new();
    for (name, trailer, context) in cases {
        let capture = Capture::read(&traces().join(name).join("capture.pcap.gz"), trailer);
        let preferences = [format!("6lowpan.context0:{context}"), "udp.check_checksum:TRUE".to_owned()];
        let Some(packets) = pdml::packets(&capture.file, &preferences, FRAMES) else {
            eprintln!("skipped: no tshark");
            return;
        };
        let contexts = ContextTable::EMPTY.with(0, context.parse().unwrap());
        let mut reader = capture.reader(&contexts, trailer);
        for (index, (packet, octets)) in packets.iter().zip(&capture.frames).enumerate() {
            let tree = reader.frame(octets);
            frames += 1;
            for &field in FIELDS {
                let ours: Vec<_> = tree.find(field).collect();
                let theirs = packet.get(field).map_or(&[][..], Vec::as_slice);
                // A datagram that one of the two takes for complete: their reassembly is not under test here.
                let reassembled = reader.fragmented && (ours.is_empty() || theirs.is_empty());
                if reassembled && !field.starts_with("wpan") && !field.starts_with("6lowpan") {
                    continue;
                }
                let equal =
                    ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(node, show)| same(&tree, node, show));
                if equal {
                    *counts.entry(field).or_default() += ours.len();
                    compared += ours.len();
                } else {
                    let ours: Vec<_> = ours.iter().map(|node| (&node.label, &node.value)).collect();
                    let example = || format!("{name} frame {}: {ours:?}, tshark {theirs:?}", index + 1);
                    differences.entry(field).or_insert_with(|| (0, example())).0 += 1;
                }
            }
        }
    }
    eprintln!(
        "{compared} values of {} fields in {frames} frames are tshark's",
        counts.values().filter(|n| **n > 0).count()
    );
    let never: Vec<_> = FIELDS.iter().filter(|field| counts.get(**field).is_none_or(|count| *count == 0)).collect();
    assert!(differences.is_empty(), "{differences:#?}");
    assert!(never.is_empty(), "never met: {never:?}");
}
