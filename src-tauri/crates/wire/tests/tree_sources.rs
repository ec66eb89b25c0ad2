//! Every field that a decode tree can have says where it is defined.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use wire::tree::{self, Options, Trailer, Tree, source, sources};

/// First elements of the names of nodes.
const ROOTS: [&str; 19] = [
    "6lowpan",
    "_ws",
    "coap",
    "coap_rc",
    "data",
    "dtls",
    "eth",
    "icmpv6",
    "ip",
    "ipv6",
    "null",
    "rtoscope",
    "sll",
    "tcp",
    "udp",
    "vlan",
    "wpan",
    "wpan-nonask-phy",
    "wpan-tap",
];

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Every name that a builder of trees has in its source.
fn written() -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tree");
    let tables = ["names.rs", "sources.rs"].map(|table| folder.join(table));
    let mut names = BTreeSet::new();
    for file in files(&folder).into_iter().filter(|file| !tables.contains(file)) {
        let text = fs::read_to_string(file).expect("a source file");
        let is_name = |word: &&str| {
            let root = word.split('.').next().unwrap_or_default();
            ROOTS.contains(&root) && word.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
        };
        names.extend(text.split('"').skip(1).step_by(2).filter(is_name).map(str::to_owned));
    }
    names
}

/// Below these, nothing is any standard's.
fn is_own(name: &str) -> bool {
    ["_ws", "data", "rtoscope"].contains(&name.split('.').next().unwrap_or_default())
}

#[test]
fn every_field_that_a_tree_can_have_has_a_source_closer_than_its_protocol() {
    let names = written();
    assert!(names.len() > 500, "{} names were found", names.len());
    let known: BTreeSet<&str> = sources().map(|(name, _)| name).collect();
    let is_close = |name: &str| {
        let mut stretches = name.match_indices('.').map(|(at, _)| &name[..at]).chain([name]);
        if name.contains('.') && !is_own(name) {
            stretches.skip(1).any(|s| known.contains(s))
        } else {
            stretches.any(|s| known.contains(s))
        }
    };
    let without: Vec<_> = names.iter().filter(|name| !is_close(name) || source(name).is_none()).collect();
    assert!(without.is_empty(), "{without:#?}");
}

#[test]
fn every_source_is_of_a_field_and_names_a_section() {
    let names = written();
    let mut seen = BTreeSet::new();
    for (name, text) in sources() {
        assert!(seen.insert(name), "{name} has two sources");
        let below = format!("{name}.");
        assert!(names.iter().any(|other| other == name || other.starts_with(&below)), "no field is called {name}");
        // RFC 768 has no numbered sections; of a protocol as a whole the document is named.
        let is_whole = !name.contains('.') || text == "RFC 768";
        assert!(!text.starts_with("RFC ") || text.contains('§') || is_whole, "{name}: {text} has no section");
    }
}

#[test]
fn names_of_real_trees_are_those_written() {
    let names = written();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let mut shown = BTreeSet::new();
    for file in files(&corpus) {
        let octets = fs::read(file).expect("a file of the corpus");
        let mut tree = Tree::default();
        let options = Options { trailer: Trailer::Crc16, ..Options::default() };
        let part = tree.buffer("Frame", &octets);
        tree::frame(&mut tree, part, &options);
        let part = tree.buffer("Frame", &octets);
        tree::raw_ip(&mut tree, part, &options);
        let part = tree.buffer("Frame", &octets);
        tree::coap(&mut tree, part, options.rc_option);
        shown.extend(tree.nodes.iter().map(|node| node.name));
    }
    assert!(shown.len() > 150, "{} names in trees of the corpus", shown.len());
    let unwritten: Vec<_> = shown.iter().filter(|name| !names.contains(**name)).collect();
    assert!(unwritten.is_empty(), "{unwritten:?} are in trees and were not found in their source");
}

/// Sources looked up by hand in the documents.
#[test]
fn sources_are_those_of_the_closest_group() {
    let expected = [
        ("wpan.header_ie.csl.phase", "IEEE 802.15.4-2015 §7.4.2.3"),
        ("6lowpan.iphc.tf", "RFC 6282 §3.1.1"),
        ("6lowpan.frag.tag", "RFC 4944 §5.3"),
        ("icmpv6.rpl.dio.rank", "RFC 6550 §6.3.1"),
        ("icmpv6.rpl.opt.transit.parent", "RFC 6550 §6.7.8"),
        ("ipv6.routing.rpl.cmprI", "RFC 6554 §3"),
        ("coap.mid", "RFC 7252 §3"),
        ("coap.opt.delta", "RFC 7252 §3.1"),
        ("coap.opt.block_size", "RFC 7959 §2.2"),
        ("coap.opt.observe", "RFC 7641 §2"),
        ("udp.length", "RFC 768"),
    ];
    for (name, text) in expected {
        assert_eq!(source(name), Some(text), "{name}");
    }
    assert_eq!(source("coap.opt.no_response"), Some("RFC 7967 §2"));
    assert_eq!(source("http.host"), None);
}
