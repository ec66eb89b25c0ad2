//! Runs in a folder, and the timer of each.
//!
//! ```text
//! DIR/[cooja/]SCENARIO/RUN-seedN/radio.pcap.gz          RUN names the timer, see `ran`
//! DIR/[live/]WORLD-seedN/RUN[.r2]/capture.pcap.gz       .r2: the same once more
//! DIR/index.json                                        as in traces/: each entry's `run` and `ran`
//! ```
//!
//! Any run may have a `ran.json` beside its capture: `{"preset": "...", "overrides": {...}, "rc_option": 65020}`.

use super::{Overrides, place};
use crate::Error;
use crate::opened::RAN;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use trace::DecodeOptions;

/// One run on disk.
#[derive(Clone, PartialEq, Debug)]
pub struct RunFile {
    /// Name of the run, from its folder or the index.
    pub name: String,
    /// Path of its capture.
    pub capture: PathBuf,
    /// Preset id of the timer that ran.
    pub preset: String,
    /// Parameters of the timer that differ from the preset's, in natural units.
    pub overrides: Overrides,
    /// Number of the retransmission-count option in its packets.
    pub rc_option: u16,
}

/// Runs of one scenario with one seed.
#[derive(Clone, PartialEq, Debug)]
pub struct World {
    /// Name of the scenario.
    pub scenario: String,
    /// Seed of the scenario.
    pub seed: u32,
    /// Runs, sorted by name.
    pub runs: Vec<RunFile>,
    /// Folder of the files about the world; `None` where runs have only their own folders.
    pub folder: Option<PathBuf>,
}

impl World {
    /// Whether `name` names this world: `SCENARIO` or `SCENARIO:SEED`.
    pub fn is_called(&self, name: &str) -> bool {
        name == self.scenario || *name == format!("{}:{}", self.scenario, self.seed)
    }
}

/// Worlds of a folder.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Found {
    /// Worlds of at least two runs, in order of name and seed.
    pub worlds: Vec<World>,
    /// Sentences about runs that were left out, with the reason.
    pub notes: Vec<String>,
}

/// Number of the retransmission-count option in the runs of this project's authors, from the range for experiments
/// (65000 to 65535, RFC 7252 §12.2).
const RC_OPTION: u16 = 65_002;

/// File names of captures, the preferred first.
const CAPTURES: [&str; 6] =
    ["capture.pcap.gz", "radio.pcap.gz", "capture.pcapng", "capture.pcap", "radio.pcap", "radiolog.txt.gz"];

type Worlds = BTreeMap<(String, u32), World>;

/// Finds the runs in `folder`; errs where a folder, an index or a `ran.json` cannot be read ([`crate::Code::Request`]).
pub fn discover(folder: &Path) -> Result<Found, Error> {
    let mut worlds = Worlds::new();
    let mut notes = Vec::new();
    let index = folder.join("index.json");
    if index.is_file() {
        bundled(folder, &index, &mut worlds)?;
    } else {
        for base in [folder.to_owned(), folder.join("cooja"), folder.join("live")] {
            for scenario in folders(&base)? {
                scan(&scenario, &mut worlds, &mut notes)?;
            }
        }
        if worlds.is_empty() {
            // Perhaps it is a scenario itself.
            scan(folder, &mut worlds, &mut notes)?;
        }
    }
    let (several, single): (Vec<World>, Vec<World>) = worlds.into_values().partition(|w| w.runs.len() > 1);
    notes.extend(single.iter().map(|w| format!("{}, seed {}: a single run, nothing to predict", w.scenario, w.seed)));
    Ok(Found { worlds: several, notes })
}

/// Returns the folders in `folder`, sorted; empty where it is no folder.
fn folders(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let refuse = |error: std::io::Error| Error::request(format!("{}: {error}.", place(folder)));
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(refuse)? {
        let path = entry.map_err(refuse)?.path();
        if path.is_dir() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Splits a name of the form `NAME-seedN`.
fn seeded(name: &str) -> Option<(&str, u32)> {
    let (name, seed) = name.rsplit_once("-seed")?;
    Some((name, seed.parse().ok()?))
}

/// One scenario folder: a world with runs, or runs that have their own seeds.
fn scan(scenario: &Path, worlds: &mut Worlds, notes: &mut Vec<String>) -> Result<(), Error> {
    let own = name_of(scenario);
    for run in folders(scenario)? {
        let Some(capture) = CAPTURES.iter().map(|file| run.join(file)).find(|path| path.is_file()) else { continue };
        let folder = name_of(&run);
        let (key, name, home) = match (seeded(&own), seeded(&folder)) {
            (Some((world, seed)), _) => ((world.to_owned(), seed), folder.clone(), Some(scenario.to_owned())),
            (None, Some((name, seed))) => ((own.clone(), seed), name.to_owned(), None),
            (None, None) => continue,
        };
        let Some((preset, overrides, rc_option)) = named_in(&run)?.or_else(|| ran(&name)) else {
            notes.push(format!("{}: which timer ran? Say so in ran.json", place(&run)));
            continue;
        };
        let (scenario, seed) = key.clone();
        let world = worlds.entry(key).or_insert(World { scenario, seed, runs: Vec::new(), folder: home });
        world.runs.push(RunFile { name, capture, preset, overrides, rc_option });
    }
    Ok(())
}

#[derive(Deserialize)]
struct Ran {
    preset: String,
    #[serde(default)]
    overrides: Overrides,
    rc_option: Option<u16>,
}

/// Reads `ran.json` in the folder `run`: preset, parameters, number of the RC option. `None` without that file.
fn named_in(run: &Path) -> Result<Option<(String, Overrides, u16)>, Error> {
    let path = run.join(RAN);
    if !path.is_file() {
        return Ok(None);
    }
    let refuse = |error: &dyn std::fmt::Display| Error::request(format!("{}: {error}.", place(&path)));
    let text = std::fs::read_to_string(&path).map_err(|error| refuse(&error))?;
    let ran: Ran = serde_json::from_str(&text).map_err(|error| refuse(&error))?;
    Ok(Some((ran.preset, ran.overrides, ran.rc_option.unwrap_or(DecodeOptions::default().rc_option))))
}

/// Returns preset and parameters of the run with this capture, from the names of its folders or a `ran.json` beside it;
/// `None` where neither tells.
///
/// # Errors
/// [`crate::Code::Request`] where the `ran.json` cannot be read.
pub fn named(capture: &Path) -> Result<Option<(String, Overrides)>, Error> {
    let Some(run) = capture.parent() else { return Ok(None) };
    let folder = name_of(run);
    let by_name = || match seeded(&folder) {
        Some((name, _)) => ran(name),
        None => seeded(&name_of(run.parent()?)).and_then(|_| ran(&folder)),
    };
    Ok(named_in(run)?.or_else(by_name).map(|(preset, overrides, _)| (preset, overrides)))
}

/// Whether a folder of this name has runs of a timer that is known by it.
pub fn is_named(name: &str) -> bool {
    ran(name).is_some()
}

/// Returns preset, parameters and RC option of the authors' runs, by the names of their folders: the timer of a real
/// client is near a publication, seldom equal to it.
fn ran(name: &str) -> Option<(String, Overrides, u16)> {
    let (preset, overrides) = match name.split('.').next().unwrap_or_default() {
        "default" | "NULL" => ("coap_default", json!({})),
        "contiki3s" => ("coap_contiki_ng", json!({})),
        "stock" => ("coap_contiki", json!({})),
        "cocoa" => ("cocoa_demir2018", json!({ "vbf_key": "dithered", "rto_max": 32 })),
        "rfc6298" => ("rfc6298_coap", json!({ "rto_min": 1, "rto_max": 60, "karn": "dropped" })),
        "rc" => (
            "lee2016",
            json!({
                "alpha": "1/8", "beta": "1/4", "lower_bound": 0.05, "bounded": "rttvar", "weight": 1,
                "vbf_key": "dithered", "rto_max": 32,
            }),
        ),
        "cocoa03" => ("cocoa_ietf_03", json!({})),
        "linux" => ("linux_rto", json!({})),
        "fasor" => ("fasor", json!({})),
        "accb" => ("accb_abs_reading", json!({})),
        "lee" => ("lee2016", json!({})),
        "BASIC_RTO" => ("basic_rto_cf3", json!({})),
        "COCOA" => ("cocoa_cf3", json!({})),
        "LINUX_RTO" => ("linux_rto_cf3", json!({})),
        "PEAKHOPPER_RTO" => ("peak_hopper_cf3", json!({})),
        _ => return None,
    };
    Some((preset.to_owned(), overrides.as_object().cloned().unwrap_or_default(), RC_OPTION))
}

#[derive(Deserialize)]
struct Index {
    traces: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    id: String,
    open: String,
    ran: Ran,
    rc_option: Option<u16>,
    run: Option<RunName>,
}

#[derive(Deserialize)]
struct RunName {
    scenario: String,
    seed: u32,
    name: String,
}

/// Adds the captures of an index that state their world; errs where the index cannot be read.
fn bundled(folder: &Path, index: &Path, worlds: &mut Worlds) -> Result<(), Error> {
    let refuse = |error: &dyn std::fmt::Display| Error::request(format!("{}: {error}.", place(index)));
    let text = std::fs::read_to_string(index).map_err(|error| refuse(&error))?;
    let index: Index = serde_json::from_str(&text).map_err(|error| refuse(&error))?;
    for entry in index.traces {
        let Some(run) = entry.run else { continue };
        let key = (run.scenario.clone(), run.seed);
        let world = World { scenario: run.scenario, seed: run.seed, runs: Vec::new(), folder: None };
        let world = worlds.entry(key).or_insert(world);
        let rc_option = entry.rc_option.unwrap_or(DecodeOptions::default().rc_option);
        let Ran { preset, overrides, .. } = entry.ran;
        let capture = folder.join(entry.id).join(entry.open);
        world.runs.push(RunFile { name: run.name, capture, preset, overrides, rc_option });
    }
    for world in worlds.values_mut() {
        world.runs.sort_by(|a, b| a.name.cmp(&b.name));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_layouts_and_what_is_beside_them() {
        let root = tempfile::tempdir().unwrap();
        let capture = |path: &str| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, b"").unwrap();
        };
        for path in [
            "cooja/chain/default-seed1/radio.pcap.gz",
            "cooja/chain/cocoa-seed1/radio.pcap.gz",
            "cooja/chain/cocoa-seed2/radio.pcap.gz",
            "cooja/chain/odd-seed1/radio.pcap.gz",
            "cooja/chain/mine-seed1/radio.pcap.gz",
            "live/ge-seed7/NULL/capture.pcap.gz",
            "live/ge-seed7/NULL.r2/capture.pcap.gz",
        ] {
            capture(path);
        }
        let ran = root.path().join("cooja/chain/mine-seed1/ran.json");
        std::fs::write(&ran, r#"{"preset": "eifel", "overrides": {"k": 3}}"#).unwrap();
        let found = discover(root.path()).unwrap();
        let names: Vec<(&str, u32, Vec<&str>)> =
            found.worlds.iter().map(|w| (&*w.scenario, w.seed, w.runs.iter().map(|r| &*r.name).collect())).collect();
        assert_eq!(names, [("chain", 1, vec!["cocoa", "default", "mine"]), ("ge", 7, vec!["NULL", "NULL.r2"])]);
        assert_eq!(found.worlds[0].runs[2].preset, "eifel");
        assert_eq!(found.worlds[0].runs[2].overrides["k"], 3);
        assert!(found.notes.iter().any(|n| n.contains("odd-seed1")), "{:?}", found.notes);
        assert!(found.notes.iter().any(|n| n.contains("chain, seed 2")), "{:?}", found.notes);
        assert!(
            found.worlds[1].is_called("ge") && found.worlds[1].is_called("ge:7") && !found.worlds[1].is_called("ge:8")
        );
        let id = |path: &str| named(&root.path().join(path)).unwrap().map(|ran| ran.0);
        assert_eq!(id("cooja/chain/mine-seed1/radio.pcap.gz").as_deref(), Some("eifel"));
        assert_eq!(id("cooja/chain/cocoa-seed2/radio.pcap.gz").as_deref(), Some("cocoa_demir2018"));
        assert_eq!(id("live/ge-seed7/NULL.r2/capture.pcap.gz").as_deref(), Some("coap_default"));
        assert_eq!(id("cooja/chain/odd-seed1/radio.pcap.gz"), None);
        assert_eq!(id("somewhere/default/radio.pcap.gz"), None, "a word that many folders have");
        std::fs::write(&ran, "{").unwrap();
        assert!(discover(root.path()).is_err());
    }
}
