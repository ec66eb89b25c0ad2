//! Captures bundled with the program, so that its first minute needs no file. What is said of them
//! stands in `traces/index.json`, once.

use serde::Deserialize;
use std::sync::LazyLock;

/// A bundled capture: one of the folders of `traces/`.
#[derive(Clone, Debug)]
pub struct SampleFile {
    /// Name for programs: the folder.
    pub id: &'static str,
    /// Name for people.
    pub name: String,
    /// One line about what it shows.
    pub about: String,
    /// Nodes in the network.
    pub nodes: u32,
    /// File name.
    pub file: &'static str,
    /// Number of the retransmission-count option on the wire, where there is one.
    pub rc_option: Option<u16>,
    /// The file.
    pub octets: &'static [u8],
}

macro_rules! sample {
    ($folder:literal, $file:literal) => {
        (
            $folder,
            concat!($folder, ".", $file),
            include_bytes!(concat!("../../../../traces/", $folder, "/", $file)) as &'static [u8],
        )
    };
}

/// The first is opened when there is nothing else to open: its channel states do not depend on the timers, so
/// that the channels there are predict it well.
const FILES: &[(&str, &str, &[u8])] = &[
    sample!("live-sleepy-default", "capture.pcap.gz"),
    sample!("tsch-slow-chain5-default", "capture.pcap.gz"),
    sample!("chain6-periodic-default", "capture.pcap.gz"),
    sample!("grid3x3-burst-cocoa", "capture.pcap.gz"),
    sample!("live-bottleneck-cocoa", "capture.pcap.gz"),
    sample!("live-ge-linux", "capture.pcap.gz"),
    sample!("contiki30-chain4-stock", "radiolog.txt.gz"),
];

#[derive(Deserialize)]
struct Index {
    traces: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    id: String,
    name: String,
    about: String,
    nodes: u32,
    rc_option: Option<u16>,
}

static SAMPLES: LazyLock<Vec<SampleFile>> = LazyLock::new(|| {
    let index: Index = serde_json::from_str(include_str!("../../../../traces/index.json"))
        .unwrap_or_else(|error| unreachable!("traces/index.json is part of the build: {error}"));
    let entry = |id: &str| index.traces.iter().find(|e| e.id == id);
    let sample = |&(id, file, octets): &(&'static str, &'static str, &'static [u8])| {
        entry(id).map(|e| SampleFile {
            id,
            name: e.name.clone(),
            about: e.about.clone(),
            nodes: e.nodes,
            file,
            rc_option: e.rc_option,
            octets,
        })
    };
    FILES.iter().filter_map(sample).collect()
});

/// Bundled captures; the first is opened when there is nothing else to open.
#[must_use]
pub fn samples() -> &'static [SampleFile] {
    &SAMPLES
}

#[cfg(test)]
mod tests {
    use super::{FILES, samples};

    #[test]
    fn every_bundled_file_is_in_the_index() {
        let ids: Vec<_> = samples().iter().map(|s| s.id).collect();
        assert_eq!(ids, FILES.iter().map(|f| f.0).collect::<Vec<_>>());
    }
}
