//! Bodies of the fuzz targets: plain functions, run by `cargo fuzz` (`src-tauri/fuzz/import`) and, over the committed
//! corpus and arbitrary octets, by `cargo test`.
//!
//! No octets may make an import panic, hang, or hold more than it was given; a body panics where a law is broken.

use crate::import::{FcsChoice, ImportOptions, merge, read};
use crate::model::{Alignment, Capture};
use crate::mote_log::read_mote_log;
use crate::node_list::{NodeKey, read_node_list};
use base::FrameId;
use std::collections::BTreeSet;

/// Body of a fuzz target: takes any octets and panics where an invariant is broken.
pub type Body = fn(&[u8]);

/// Every target by the name of its corpus directory.
pub const TARGETS: [(&str, Body); 4] = [("file", file), ("join", join), ("motes", motes), ("nodes", nodes)];

/// Imports a file of any format under every [`FcsChoice`].
pub fn file(octets: &[u8]) {
    for fcs in [FcsChoice::Auto, FcsChoice::None, FcsChoice::Crc16, FcsChoice::TiMetadata] {
        let options = ImportOptions::default().with_fcs(fcs);
        if let Ok(capture) = read("fuzz", octets, Some(octets.len() as u64), &options, &mut base::Silent) {
            keeps_the_laws(&capture);
        }
    }
}

/// Merges two recordings: the octets before and behind the middle, each as a file.
pub fn join(octets: &[u8]) {
    let (a, b) = octets.split_at(octets.len() / 2);
    let read = |octets: &[u8]| {
        read("fuzz", octets, Some(octets.len() as u64), &ImportOptions::default(), &mut base::Silent).ok()
    };
    if let (Some(a), Some(b)) = (read(a), read(b)) {
        let frames = a.frames.len() + b.frames.len();
        if let Ok(capture) = merge::merge(vec![a, b]) {
            assert_eq!(capture.frames.len(), frames);
            assert_eq!(capture.origins.len(), frames);
            assert!(capture.frames.is_sorted_by_key(|frame| frame.at));
            keeps_the_laws(&capture);
        }
    }
}

/// Reads a log of mote output.
pub fn motes(octets: &[u8]) {
    if let Ok(log) = read_mote_log("fuzz", octets, Some(octets.len() as u64), &mut base::Silent) {
        for line in &log.lines {
            // Octets that are no text are shown as three.
            assert!(log.text(line).len() <= 3 * octets.len());
        }
        assert!(log.events().count() <= log.lines.len());
    }
}

/// Reads a list of nodes.
pub fn nodes(octets: &[u8]) {
    if let Ok(list) = read_node_list("fuzz", octets, Some(octets.len() as u64), &mut base::Silent) {
        assert!(!list.nodes.is_empty());
        let keys: BTreeSet<&NodeKey> = list.nodes.iter().map(|node| &node.key).collect();
        assert_eq!(keys.len(), list.nodes.len(), "each key is there once");
        for node in &list.nodes {
            assert!(node.place.is_none_or(|place| place.iter().all(|value| value.is_finite())));
            assert!(node.place.is_some() || node.name.is_some() || matches!(node.key, NodeKey::Mote(_)));
        }
        for note in list.notes.kinds() {
            assert!(note.first_offset.is_some(), "{}: where", note.code);
        }
    }
}

/// Asserts the invariants of every capture.
fn keeps_the_laws(capture: &Capture) {
    for frame in &capture.frames {
        assert!(frame.octets.start <= frame.octets.end);
        assert!(capture.octets.get(frame.octets.start as usize..frame.octets.end as usize).is_some());
        assert!(capture.sources.get(frame.source.index()).is_some());
    }
    let held: usize = capture.frames.iter().map(|frame| capture.octets_of(frame).len()).sum();
    assert!(held <= capture.octets.len());
    assert!(capture.duplicates.is_sorted());
    for &(duplicate, first) in &capture.duplicates {
        assert!(first < duplicate && capture.first_sighting_of(first).is_none());
        let [duplicate, first] = [duplicate, first].map(|id: FrameId| &capture.frames[id.index()]);
        assert_eq!(capture.octets_of(duplicate), capture.octets_of(first));
        assert_ne!(duplicate.source, first.source);
    }
    for clock in &capture.clocks {
        assert!(capture.sources.get(clock.source.index()).is_some() && clock.frames <= capture.frames.len());
        if let Alignment::Fitted(fit) = clock.alignment {
            assert!(fit.common >= 3 && fit.residual_median <= fit.residual_p99);
        }
    }
    assert!(capture.annotations.frames.iter().all(|(id, _)| id.index() < capture.frames.len()));
    for kind in capture.notes.kinds() {
        assert!(kind.first_frame.is_none_or(|id| id.index() <= capture.frames.len()));
    }
}
