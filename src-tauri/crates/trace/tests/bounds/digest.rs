//! Everything that is made of the bundled captures, octet for octet: work on speed changes nothing.
//!
//! The digests say that something changed, not that what was there is right; that say the other tests. After a change
//! that is meant: `RTOSCOPE_DIGEST=1 cargo test -p trace --test bounds digest -- --nocapture` prints the table below,
//! and with `RTOSCOPE_DIGEST=FOLDER` one file for each part, to compare.

use crate::bundle::{NO_OPTION, analyse, bundled, shared};
use std::fmt::{Debug, Write as _};
use std::fs;
use std::path::{Path, PathBuf};
use trace::Trace;

/// FNV-1a, 64 bits.
fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, octet| (hash ^ u64::from(octet)).wrapping_mul(0x0100_0000_01b3))
}

fn lines(values: &[impl Debug]) -> String {
    let mut text = String::new();
    for value in values {
        writeln!(text, "{value:?}").unwrap();
    }
    text
}

/// Messages, sightings, exchanges, associations, notes.
fn parts(trace: &Trace) -> [String; 5] {
    [
        lines(&trace.messages),
        lines(&trace.sightings),
        lines(&trace.exchanges),
        lines(&trace.associations),
        lines(trace.notes.kinds()),
    ]
}

fn row(name: &str, trace: &Trace) -> String {
    let parts = parts(trace);
    if let Some(folder) = std::env::var_os("RTOSCOPE_DIGEST").map(PathBuf::from).filter(|path| path.is_dir()) {
        for (part, text) in parts.iter().enumerate() {
            fs::write(folder.join(format!("{}.{part}", name.replace('/', "_"))), text).unwrap();
        }
    }
    let digests: Vec<String> = parts.iter().map(|text| format!("{:016x}", digest(text))).collect();
    format!("{name} {}", digests.join(" "))
}

#[test]
fn bundled_captures_give_the_recorded_digests() {
    let mut rows = Vec::new();
    for bundled in bundled() {
        for role in ["capture", "radiolog"] {
            if bundled.file(role).is_some() {
                rows.push(row(&format!("{}/{role}", bundled.id), &bundled.analyse(role)));
            }
        }
    }
    insta::assert_snapshot!("bundled_captures", rows.join("\n"));
}

/// Files below `folder` that may be captures, sorted.
fn captures(folder: &Path, into: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.to_string_lossy().to_lowercase();
        if path.is_dir() {
            captures(&path, into);
        } else if [".pcap", ".pcapng", ".cap", ".pcap.gz", "radiolog.txt.gz"].iter().any(|end| name.ends_with(end)) {
            into.push(path);
        }
    }
}

/// For comparing two builds over captures that are not part of the repository: `RTOSCOPE_DIGEST=FOLDER` writes their
/// digests there.
#[test]
fn other_captures_can_be_compared() {
    let Some(folder) = std::env::var_os("RTOSCOPE_DIGEST").map(PathBuf::from).filter(|path| path.is_dir()) else {
        return needs::skip("optional: a folder in RTOSCOPE_DIGEST");
    };
    let mut rows = Vec::new();
    for name in ["captures", "cooja"] {
        let Some(shared) = shared(name) else { continue };
        let mut paths = Vec::new();
        captures(&shared, &mut paths);
        for path in paths {
            let opened = trace::open(&path, &trace::ImportOptions::default(), &mut base::Silent);
            let name = path.strip_prefix(&shared).unwrap().to_string_lossy().into_owned();
            rows.push(if opened.is_ok() { row(&name, &analyse(&path, NO_OPTION)) } else { format!("{name} -") });
        }
    }
    fs::write(folder.join("rows"), rows.join("\n")).unwrap();
}
