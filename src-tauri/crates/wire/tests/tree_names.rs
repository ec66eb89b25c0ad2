//! The names that trees share with Wireshark: they are its names, and of its types.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use wire::tree::{ValueKind, names};

/// Fields of another type here than there, and why: the octets of a payload, which are text only where they are; bits
/// kept as a number; addresses that are 64-bit numbers there; a group of fields.
const OTHER: &[(&str, &str)] = &[
    ("6lowpan.mesh.dest64", "FT_UINT64"),
    ("6lowpan.mesh.orig64", "FT_UINT64"),
    ("coap.opt.object_security_reserved", "FT_BOOLEAN"),
    ("coap.payload", "FT_STRING"),
    ("icmpv6.rpl.dio.flag.0", "FT_BOOLEAN"),
    ("wpan.eb_filter", "FT_UINT8"),
];

fn fits(kind: ValueKind, theirs: &str) -> bool {
    match kind {
        ValueKind::Presence => matches!(theirs, "protocol" | "FT_NONE"),
        ValueKind::Bool => theirs == "FT_BOOLEAN",
        ValueKind::Number => theirs.starts_with("FT_UINT") || theirs.starts_with("FT_INT"),
        ValueKind::Octets => theirs == "FT_BYTES",
        ValueKind::Text => theirs == "FT_STRING",
        ValueKind::Eui64 => theirs == "FT_EUI64",
        ValueKind::Ethernet => theirs == "FT_ETHER",
        ValueKind::Ipv6 => theirs == "FT_IPv6",
        ValueKind::Ipv4 => theirs == "FT_IPv4",
    }
}

#[test]
fn a_name_has_one_kind() {
    let all: Vec<&str> = names().map(|(name, _)| name).collect();
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
}

/// Types in `tshark -G fields` of Wireshark 4.0; later versions have more types and fewer of these names.
#[test]
fn names_and_types_are_wiresharks() {
    let Ok(output) = Command::new("tshark").args(["-G", "fields"]).output() else {
        return needs::skip("tshark");
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let mut theirs: BTreeMap<&str, &str> = BTreeMap::new();
    for line in text.lines() {
        match *line.split('\t').collect::<Vec<_>>().as_slice() {
            ["P", _, name, ..] => _ = theirs.insert(name, "protocol"),
            ["F", _, name, kind, ..] => _ = theirs.entry(name).or_insert(kind),
            _ => {}
        }
    }
    let differing: Vec<_> = names()
        .filter(|(name, _)| {
            !OTHER.iter().any(|other| Some(other) == theirs.get(name).map(|kind| (*name, *kind)).as_ref())
        })
        .filter(|(name, kind)| !theirs.get(name).is_some_and(|theirs| fits(*kind, theirs)))
        .map(|(name, kind)| (name, kind, theirs.get(name)))
        .collect();
    assert!(differing.is_empty(), "{differing:#?}");
}
