//! Tasks of a study: each capture with each channel, seed and timer, in one order, and the key of each.

use crate::{Spec, Tags, Timer};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// Tasks of a study: the product of captures, channels, seeds and timers.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Study that the tasks are of, as its file says it.
    pub spec: Spec,
    /// Captures in order of path, each content once for equal tags and options.
    pub captures: Vec<Capture>,
}

/// A capture that a study found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Capture {
    /// Path from the folder of the study's file, names separated by slashes.
    pub path: String,
    /// Index of its set in [`Spec::captures`], from 0.
    pub set: usize,
    /// Tags of its path and of its set, by name.
    pub tags: Tags,
    /// Content, or the reason why it cannot be read.
    pub content: Content,
}

/// Content of a capture, which identifies it: a moved file keeps its results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// A file that can be read.
    Hash {
        /// SHA-256 of the file, lower-case hexadecimal digits.
        sha256: String,
        /// SHA-256 of the mote log beside it, from which a replay takes the limits of queues; `None` without a log.
        log: Option<String>,
    },
    /// A file that cannot be read, with the reason as a sentence.
    Unreadable(String),
}

/// One question of a study: its answer is a row.
#[derive(Clone, Debug)]
pub struct Task<'a> {
    /// Key, 32 hexadecimal digits: equal tasks have the same on every machine.
    pub key: String,
    /// Capture that is replayed.
    pub capture: &'a Capture,
    /// Timer that it is replayed under.
    pub timer: &'a Timer,
    /// Name of the channel.
    pub channel: &'a str,
    /// Seed of all random draws.
    pub seed: u32,
}

/// Version of keys. It is counted up when answers to the same question change or the key gets other members: all rows
/// are then run again.
const KEY_FORM: u32 = 1;
/// Tag that names the partition of a capture.
const SCENARIO: &str = "scenario";
/// Partition of captures without that tag.
const NO_SCENARIO: &str = "all";

impl Capture {
    /// Returns its scenario: the tag of this name, or `all` without one.
    #[must_use]
    pub fn scenario(&self) -> &str {
        self.tags.get(SCENARIO).map_or(NO_SCENARIO, String::as_str)
    }

    /// Returns the part of keys that stands for the content: the hashes, or the path where it cannot be read.
    fn identity(&self) -> Value {
        match &self.content {
            Content::Hash { sha256, log } => json!([sha256, log]),
            Content::Unreadable(_) => json!(["unreadable", self.path]),
        }
    }
}

impl Plan {
    /// Makes the plan, captures in order of path. Leaves out a capture whose content, tags and reading options are
    /// those of an earlier one, and returns the pairs (its path, path of the earlier one) beside the plan.
    #[must_use]
    pub fn new(spec: Spec, mut captures: Vec<Capture>) -> (Self, Vec<(String, String)>) {
        captures.sort_by(|a, b| a.path.cmp(&b.path).then(a.set.cmp(&b.set)));
        let (mut kept, mut left_out): (Vec<Capture>, Vec<(String, String)>) = (Vec::new(), Vec::new());
        let mut seen = std::collections::BTreeMap::<String, usize>::new();
        for capture in captures {
            let same = json!([capture.identity(), capture.tags, reading(&spec, &capture)]).to_string();
            match seen.get(&same) {
                Some(&earlier) => {
                    let earlier = kept.get(earlier).map(|kept| kept.path.clone()).unwrap_or_default();
                    left_out.push((capture.path, earlier));
                }
                None => {
                    seen.insert(same, kept.len());
                    kept.push(capture);
                }
            }
        }
        (Self { spec, captures: kept }, left_out)
    }

    /// Returns the number of tasks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.captures.len() * self.spec.channels.len() * self.spec.seeds.len() * self.spec.timers.len()
    }

    /// Whether there is nothing to run.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the tasks of one capture: by channel, then seed, then timer, each in the order of the study.
    #[must_use]
    pub fn tasks<'a>(&'a self, capture: &'a Capture) -> Vec<Task<'a>> {
        let spec = &self.spec;
        let mut tasks = Vec::with_capacity(spec.channels.len() * spec.seeds.len() * spec.timers.len());
        for channel in &spec.channels {
            for &seed in &spec.seeds {
                for timer in &spec.timers {
                    let key = self.key(capture, timer, channel, seed);
                    tasks.push(Task { key, capture, timer, channel, seed });
                }
            }
        }
        tasks
    }

    /// Returns the name, without extension, of the file with the rows of a capture within its partition: a hash of its
    /// content, tags and reading options, 32 hexadecimal digits.
    #[must_use]
    pub fn file_name(&self, capture: &Capture) -> String {
        digest(&json!([capture.identity(), capture.tags, reading(&self.spec, capture)]))
    }

    /// Returns the key of a task: a hash of everything that decides its answer, and of the tags that its row has.
    fn key(&self, capture: &Capture, timer: &Timer, channel: &str, seed: u32) -> String {
        let spec = &self.spec;
        let (part, rules) = (&spec.part, &spec.rules);
        // Maps are sorted: the text is one for one task.
        let task = json!({
            "form": KEY_FORM,
            "capture": capture.identity(),
            "tags": capture.tags,
            "reading": reading(spec, capture),
            "timer": [timer.label, timer.algorithm, timer.params],
            "channel": channel,
            "seed": seed,
            "replicates": spec.replicates,
            "another_run": spec.another_run,
            "workload": spec.workload,
            "part": [part.as_recorded, part.from, part.cold],
            "rules": rules.document(),
        });
        digest(&task)
    }
}

/// Returns the options with which a capture is read: number of the retransmission-count option, ports.
fn reading(spec: &Spec, capture: &Capture) -> Option<Value> {
    spec.captures.get(capture.set).map(|set| json!([set.rc_option, set.ports]))
}

/// Returns the folder name of a scenario, `scenario=NAME`, in the form that Hive, Polars, pyarrow and DuckDB read. An
/// octet that is not a letter, digit, dot, hyphen or underscore is written as `%` and two hexadecimal digits.
#[must_use]
pub fn partition(scenario: &str) -> String {
    let mut name = format!("{SCENARIO}=");
    for octet in scenario.bytes() {
        if octet.is_ascii_alphanumeric() || b".-_".contains(&octet) {
            name.push(char::from(octet));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(name, "%{octet:02X}");
        }
    }
    name
}

/// Returns the first 16 octets of the SHA-256 of the JSON text, as 32 hexadecimal digits.
fn digest(value: &Value) -> String {
    let hash = Sha256::digest(value.to_string());
    hash.iter().take(16).fold(String::new(), |mut text, octet| {
        let _ = write!(text, "{octet:02x}");
        text
    })
}
