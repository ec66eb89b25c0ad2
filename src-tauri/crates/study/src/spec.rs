//! The TOML file of a study: read, then checked. Every mistake has its line and column, and says what would be right.

mod check;
mod read;

use crate::{Pattern, Tags};
use replay::MetricName;
use serde_json::{Map, Value};
use std::fmt;

pub use check::label;
pub use read::Draft;

/// Checked study: everything named in it exists.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Name for people; empty where the file gives none.
    pub name: String,
    /// Sets of captures, in the order written.
    pub captures: Vec<CaptureSet>,
    /// Timers, grids expanded, in the order written.
    pub timers: Vec<Timer>,
    /// Names of channels as the bridge has them, such as `gilbert_elliott`.
    pub channels: Vec<String>,
    /// Seeds of all random draws, all different, in the order written; a task for each.
    pub seeds: Vec<u32>,
    /// Number of replicates of a modelled channel, 1 to 10,000.
    pub replicates: u32,
    /// Whether the intervals of another run are computed too.
    pub another_run: bool,
    /// Workload as the bridge names it: `auto`, `arrivals` or `think_time`.
    pub workload: String,
    /// Part of each capture that is replayed.
    pub part: Part,
    /// Rules of the sender besides timeouts.
    pub rules: Rules,
    /// Measures that tables show, in order.
    pub measures: Vec<MetricName>,
    /// Label of the timer that the others are compared with; `None`: no comparison.
    pub baseline: Option<String>,
}

/// Captures that are found by patterns and read alike.
#[derive(Clone, Debug)]
pub struct CaptureSet {
    /// Patterns of paths, from the folder of the study's file.
    pub paths: Vec<Pattern>,
    /// Patterns of paths that are left out, from the same folder.
    pub exclude: Vec<Pattern>,
    /// Tags of all of them, by name; a tag of the path takes precedence.
    pub tags: Tags,
    /// CoAP option number of the retransmission count; `None`: 65020, the default of decoding.
    pub rc_option: Option<u16>,
    /// UDP ports on which CoAP is spoken; empty: 5683, the default of decoding.
    pub ports: Vec<u16>,
}

/// A timer with the values of its parameters that are not the preset's.
#[derive(Clone, PartialEq, Debug)]
pub struct Timer {
    /// Preset with the parameters that the study sets, such as `cocoa_plus:k_weak=1`; unique in a study.
    pub label: String,
    /// ID of the algorithm in the registry; for a user's preset that of its base.
    pub algorithm: String,
    /// Overrides by name, in the units of the parameters' declarations; those of a user's preset included.
    pub params: Map<String, Value>,
}

/// Part of each capture that is replayed.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Part {
    /// Names or addresses of clients that stay as they were recorded.
    pub as_recorded: Vec<String>,
    /// Start of the replay, seconds after the beginning of the capture; `None`: with it.
    pub from: Option<f64>,
    /// Whether timers have learned nothing at `from`; without it they learn from the recorded exchanges before.
    pub cold: bool,
}

/// Rules of the sender besides timeouts; times in seconds. `None`: as in RFC 7252 §4.8, or as the capture shows.
#[derive(Clone, PartialEq, Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rules {
    /// Greatest number of exchanges open at once towards one server (NSTART, RFC 7252 §4.7).
    pub nstart: Option<u8>,
    /// Greatest number of retransmissions of a message (`MAX_RETRANSMIT`, RFC 7252 §4.8).
    pub max_retransmit: Option<u8>,
    /// Time after which an exchange is given up, seconds (`EXCHANGE_LIFETIME`, RFC 7252 §4.8.2).
    pub exchange_lifetime: Option<f64>,
    /// Greatest number of requests that wait for NSTART; more are dropped.
    pub queue: Option<u32>,
    /// Rate to a server that does not answer, octets a second (`PROBING_RATE`, RFC 7252 §4.8).
    pub probing_rate: Option<u32>,
    /// Time without sending after which what was learned about a server is forgotten, seconds.
    pub state_lifetime: Option<f64>,
    /// Time that the server takes longer for a request than it did, seconds.
    pub processing: Option<f64>,
}

/// One mistake in a study's file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    /// Line and column, from 1; `None`: of the file as a whole.
    pub at: Option<(u32, u32)>,
    /// Sentence on the problem, with what would be right.
    pub problem: String,
}

/// All mistakes in a study's file, in order of place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistakes(pub Vec<Mistake>);

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some((line, column)) => write!(f, "line {line}, column {column}: {}", self.problem),
            None => f.write_str(&self.problem),
        }
    }
}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(Mistake::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for Mistakes {}

impl Spec {
    /// Returns the names of all tags that captures may have, sorted, each once.
    #[must_use]
    pub fn tags(&self) -> Vec<String> {
        let of = |set: &CaptureSet| {
            let paths = set.paths.iter().flat_map(Pattern::tags).map(str::to_owned);
            paths.chain(set.tags.keys().cloned()).collect::<Vec<_>>()
        };
        let mut tags: Vec<String> = self.captures.iter().flat_map(of).collect();
        tags.sort_unstable();
        tags.dedup();
        tags
    }
}

impl Rules {
    /// Returns the rules that are given as a JSON object by name, the part of keys that stands for them.
    #[must_use]
    pub fn document(&self) -> Value {
        let all = serde_json::json!({
            "nstart": self.nstart,
            "max_retransmit": self.max_retransmit,
            "exchange_lifetime": self.exchange_lifetime,
            "queue": self.queue,
            "probing_rate": self.probing_rate,
            "state_lifetime": self.state_lifetime,
            "processing": self.processing,
        });
        let Value::Object(all) = all else { return all };
        Value::Object(all.into_iter().filter(|(_, value)| !value.is_null()).collect())
    }
}

impl Part {
    /// Returns the settings that differ from the whole capture, as a JSON object by name.
    #[must_use]
    pub fn document(&self) -> Value {
        let mut document = Map::new();
        if !self.as_recorded.is_empty() {
            document.insert("as_recorded".to_owned(), self.as_recorded.clone().into());
        }
        if let Some(from) = self.from {
            document.insert("from".to_owned(), from.into());
            document.insert("cold".to_owned(), self.cold.into());
        }
        Value::Object(document)
    }
}
