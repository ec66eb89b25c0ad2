//! Captures bundled with the program, so that its first minute needs no file. Their descriptions
//! stand in `traces/index.json`, once.

use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A bundled capture: one of the folders of `traces/`.
#[derive(Clone, Debug)]
pub struct SampleFile {
    /// Identifier: name of the folder.
    pub id: &'static str,
    /// Name of the sample, for people.
    pub name: String,
    /// One line on the content of the capture.
    pub about: String,
    /// Number of nodes in the network.
    pub nodes: u32,
    /// Name of the file in notes and requests: `FOLDER.FILE`.
    pub file: &'static str,
    /// Number of the retransmission-count option in its packets; `None`: they have none.
    pub rc_option: Option<u16>,
    /// Octets of the file.
    pub octets: &'static [u8],
    /// Excerpt of the motes' log; `None`: none is bundled.
    pub log: Option<&'static [u8]>,
    /// List of the places of its nodes; `None`: none is bundled.
    pub plan: Option<&'static [u8]>,
}

/// A real run of the world of a bundled capture, under the timer that is known to have run.
#[derive(Clone, Debug)]
pub(crate) struct BundledRun {
    /// Capture of the run.
    pub capture: SampleFile,
    /// Preset id of the timer that ran.
    pub preset: &'static str,
    /// Parameters of the timer that differ from the preset's, in natural units.
    pub overrides: &'static Map<String, Value>,
    /// SHA-256 of its files, lower-case hex.
    sha256: Vec<String>,
    /// Scenario and seed, which all runs of one world share.
    world: (String, u32),
}

/// A capture in the program, with what is known of its run.
pub(crate) struct Bundled {
    /// File, and excerpt of the log beside it.
    pub capture: SampleFile,
    /// Scenario and seed of its world; `None`: it is of none.
    pub world: Option<(&'static str, u32)>,
    /// Preset id of the timer that ran, and the parameters that differ; `None`: not known.
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

/// Folder, name and octets of each bundled capture. The first is opened when there is nothing else to open: its channel
/// states do not depend on the timers, so that the channels there are predict it well.
const FILES: &[(&str, &str, &[u8])] = &[
    sample!("live-sleepy-default", "capture.pcap.gz"),
    sample!("tsch-slow-chain5-default", "capture.pcap.gz"),
    sample!("chain6-periodic-default", "capture.pcap.gz"),
    sample!("grid3x3-burst-cocoa", "capture.pcap.gz"),
    sample!("live-bottleneck-cocoa", "capture.pcap.gz"),
    sample!("live-ge-linux", "capture.pcap.gz"),
    sample!("contiki30-chain4-stock", "radiolog.txt.gz"),
];

/// Runs of the worlds of [`FILES`] under other timers, against which predictions are held. They are no samples.
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

/// Excerpts of the logs of the motes of these captures, by folder.
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

/// Positions of the motes of these captures, by folder.
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

/// Returns the bundled run with a file of this SHA-256 (lower-case hex); `None` where none has it.
pub(crate) fn bundled_run(sha256: &str) -> Option<&'static BundledRun> {
    BUNDLED.iter().find(|run| run.sha256.iter().any(|own| own == sha256))
}

/// Returns preset id and parameters of the timer that ran in the capture with a file of this SHA-256, of those in
/// `traces/`; `None` where none has it.
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

/// Returns the bundled real runs of the world of `run` under other timers, or with other luck.
pub(crate) fn siblings(run: &BundledRun) -> impl Iterator<Item = &'static BundledRun> {
    BUNDLED.iter().filter(move |other| other.is_of_world(run) && other.capture.id != run.capture.id)
}

/// Returns the bundled captures; the first is opened when there is nothing else to open.
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
