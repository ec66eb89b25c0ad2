//! Captures bundled with the program, so that its first minute needs no file. What is said of them
//! stands in `traces/index.json`, once.

use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
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
    /// Excerpt of the motes' log, where there is one.
    pub log: Option<&'static [u8]>,
    /// Places of its nodes, where they are known.
    pub plan: Option<&'static [u8]>,
}

/// A real run of the world of a bundled capture, under the timer that is known to have run.
#[derive(Clone, Debug)]
pub(crate) struct BundledRun {
    /// Its capture.
    pub capture: SampleFile,
    /// Preset of the timer that ran.
    pub preset: &'static str,
    /// Its parameters that differ from the preset's.
    pub overrides: &'static Map<String, Value>,
    /// SHA-256 of its files, in lower case.
    sha256: Vec<String>,
    /// Scenario and seed: runs of one world have the same.
    world: (String, u32),
}

/// A capture in the program, with what is known of its run.
pub(crate) struct Bundled {
    /// The capture.
    pub capture: SampleFile,
    /// Scenario and seed.
    pub world: Option<(&'static str, u32)>,
    /// Preset and parameters of the timer that ran.
    pub ran: Option<(&'static str, &'static Map<String, Value>)>,
}

macro_rules! sample {
    ($folder:literal, $file:literal) => {
        (
            $folder,
            concat!($folder, ".", $file),
            include_bytes!(concat!("../../../../../traces/", $folder, "/", $file)) as &'static [u8],
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

/// Runs of the worlds of [`FILES`] under other timers: what a prediction is held against. They are no samples.
const RUNS: &[(&str, &str, &[u8])] = &[
    sample!("tsch-slow-chain5-cocoa", "capture.pcap.gz"),
    sample!("tsch-slow-chain5-rc", "capture.pcap.gz"),
    sample!("chain6-periodic-rc", "capture.pcap.gz"),
    sample!("grid3x3-burst-default", "capture.pcap.gz"),
    sample!("grid3x3-burst-rc", "capture.pcap.gz"),
    sample!("live-sleepy-cocoa", "capture.pcap.gz"),
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
    sha256: BTreeMap<String, String>,
    ran: Option<Ran>,
    run: Option<Run>,
}

macro_rules! log {
    ($folder:literal) => {
        ($folder, include_bytes!(concat!("../../../../../traces/", $folder, "/mote.log.gz")) as &'static [u8])
    };
}

/// Excerpts of the logs of their motes.
const LOGS: &[(&str, &[u8])] = &[
    log!("tsch-slow-chain5-default"),
    log!("tsch-slow-chain5-cocoa"),
    log!("tsch-slow-chain5-rc"),
    log!("chain6-periodic-default"),
    log!("chain6-periodic-rc"),
    log!("grid3x3-burst-default"),
    log!("grid3x3-burst-cocoa"),
    log!("grid3x3-burst-rc"),
];

macro_rules! plan {
    ($folder:literal) => {
        ($folder, include_bytes!(concat!("../../../../../traces/", $folder, "/nodes.csv")) as &'static [u8])
    };
}

/// Positions of their motes.
const PLANS: &[(&str, &[u8])] =
    &[plan!("tsch-slow-chain5-default"), plan!("chain6-periodic-default"), plan!("grid3x3-burst-cocoa")];

#[derive(Deserialize)]
struct Ran {
    preset: String,
    overrides: Map<String, Value>,
}

#[derive(Deserialize)]
struct Run {
    scenario: String,
    seed: u32,
}

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../../../traces/index.json"))
        .unwrap_or_else(|error| unreachable!("traces/index.json is part of the build: {error}"))
});

static SAMPLES: LazyLock<Vec<SampleFile>> =
    LazyLock::new(|| FILES.iter().filter_map(|file| Some(sample_of(file, INDEX.entry(file.0)?))).collect());

static BUNDLED: LazyLock<Vec<BundledRun>> = LazyLock::new(|| {
    let captured = |id: &str| FILES.iter().chain(RUNS).find(|file| file.0 == id);
    let real = |entry: &'static Entry| {
        let (ran, run) = (entry.ran.as_ref()?, entry.run.as_ref()?);
        let capture = sample_of(captured(&entry.id)?, entry);
        let sha256 = entry.sha256.values().cloned().collect();
        Some(BundledRun {
            preset: &ran.preset,
            overrides: &ran.overrides,
            sha256,
            capture,
            world: (run.scenario.clone(), run.seed),
        })
    };
    INDEX.traces.iter().filter_map(real).collect()
});

impl Index {
    fn entry(&self, id: &str) -> Option<&Entry> {
        self.traces.iter().find(|entry| entry.id == id)
    }
}

fn sample_of(&(id, file, octets): &(&'static str, &'static str, &'static [u8]), entry: &Entry) -> SampleFile {
    SampleFile {
        id,
        name: entry.name.clone(),
        about: entry.about.clone(),
        nodes: entry.nodes,
        file,
        rc_option: entry.rc_option,
        octets,
        log: LOGS.iter().find(|log| log.0 == id).map(|log| log.1),
        plan: PLANS.iter().find(|plan| plan.0 == id).map(|plan| plan.1),
    }
}

/// The bundled run with a file of this SHA-256.
pub(crate) fn bundled_run(sha256: &str) -> Option<&'static BundledRun> {
    BUNDLED.iter().find(|run| run.sha256.iter().any(|own| own == sha256))
}

/// Preset and parameters of the timer that ran in the capture with a file of this hash, of those in `traces/`.
pub(crate) fn ran_with_hash(sha256: &str) -> Option<(&'static str, &'static Map<String, Value>)> {
    let entry = INDEX.traces.iter().find(|entry| entry.sha256.values().any(|own| own == sha256))?;
    entry.ran.as_ref().map(|ran| (&*ran.preset, &ran.overrides))
}

/// Every capture in the program, with what is known of its run.
pub(crate) fn all_bundled() -> impl Iterator<Item = Bundled> {
    FILES.iter().chain(RUNS).filter_map(|file| {
        let entry = INDEX.entry(file.0)?;
        Some(Bundled {
            capture: sample_of(file, entry),
            world: entry.run.as_ref().map(|run| (run.scenario.as_str(), run.seed)),
            ran: entry.ran.as_ref().map(|ran| (ran.preset.as_str(), &ran.overrides)),
        })
    })
}

impl BundledRun {
    /// Whether `other` is a run of the same world.
    pub fn is_of_world(&self, other: &Self) -> bool {
        self.world == other.world
    }
}

/// Bundled real runs of the world of `run` under other timers, or with other luck.
pub(crate) fn siblings(run: &BundledRun) -> impl Iterator<Item = &'static BundledRun> {
    BUNDLED.iter().filter(move |other| other.is_of_world(run) && other.capture.id != run.capture.id)
}

/// Bundled captures; the first is opened when there is nothing else to open.
#[must_use]
pub fn samples() -> &'static [SampleFile] {
    &SAMPLES
}

#[cfg(test)]
mod tests {
    use super::{FILES, RUNS, bundled_run, samples, siblings};

    #[test]
    fn every_bundled_file_is_in_the_index() {
        let ids: Vec<_> = samples().iter().map(|s| s.id).collect();
        assert_eq!(ids, FILES.iter().map(|f| f.0).collect::<Vec<_>>());
    }

    #[test]
    fn a_bundled_capture_knows_the_real_runs_of_its_world() {
        let sums = |octets: &[u8]| crate::sha256(octets).unwrap();
        for file in FILES.iter().chain(RUNS) {
            assert_eq!(bundled_run(&sums(file.2)).map(|run| run.capture.id), Some(file.0));
        }
        let storm = bundled_run(&sums(FILES[1].2)).unwrap();
        let ids: Vec<_> = siblings(storm).map(|run| (run.capture.id, run.preset)).collect();
        assert_eq!(ids, [("tsch-slow-chain5-cocoa", "cocoa_demir2018"), ("tsch-slow-chain5-rc", "lee2016")]);
        let known: Vec<_> = RUNS.iter().map(|file| file.0).collect();
        let all = || FILES.iter().filter_map(|file| bundled_run(&sums(file.2))).flat_map(siblings);
        assert!(known.iter().all(|id| all().any(|run| run.capture.id == *id)), "each is a sibling of a sample");
    }
}
