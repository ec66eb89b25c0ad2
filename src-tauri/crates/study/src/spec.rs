//! The TOML file of a study: read, then checked. Every mistake has its line and column, and says what would be right.

mod check;
mod read;

use crate::{Pattern, Tags};
use replay::MetricName;
use serde_json::{Map, Value};
use std::fmt;

pub use check::label;
pub use read::Draft;

/// A study, checked.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Name for people; empty without.
    pub name: String,
    /// Patterns of the captures' paths, and the options by which they are read.
    pub captures: Vec<CaptureSet>,
    /// Timers, grids expanded, in the order written.
    pub timers: Vec<Timer>,
    /// Names of channels as the bridge has them, such as `gilbert_elliott`.
    pub channels: Vec<String>,
    /// Seeds of every draw.
    pub seeds: Vec<u32>,
    /// Replicates of a modelled channel.
    pub replicates: u32,
    /// Whether the intervals of another run are computed too.
    pub another_run: bool,
    /// When applications send, as the bridge has it.
    pub workload: String,
    /// Part of each capture that is replayed.
    pub part: Part,
    /// Rules of the sender besides timeouts.
    pub rules: Rules,
    /// Measures that tables show.
    pub measures: Vec<MetricName>,
    /// Label of the timer that the others are compared with.
    pub baseline: Option<String>,
}

/// Captures that are found by patterns and read alike.
#[derive(Clone, Debug)]
pub struct CaptureSet {
    /// Patterns of paths, from the folder of the study's file.
    pub paths: Vec<Pattern>,
    /// Patterns of paths that are left out.
    pub exclude: Vec<Pattern>,
    /// Tags of all of them; those of the path come first.
    pub tags: Tags,
    /// Number of the retransmission-count option; `None`: as usual.
    pub rc_option: Option<u16>,
    /// UDP ports on which CoAP is spoken; empty: as usual.
    pub ports: Vec<u16>,
}

/// A timer with the values of its parameters that are not the preset's.
#[derive(Clone, PartialEq, Debug)]
pub struct Timer {
    /// Preset, and `name=value` of what the study says, such as `cocoa_plus:k_weak=1`.
    pub label: String,
    /// Algorithm of the registry: of a user's preset its base.
    pub algorithm: String,
    /// Overrides in natural units, those of a user's preset included.
    pub params: Map<String, Value>,
}

/// Part of each capture that is replayed.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Part {
    /// Names or addresses of clients that stay as they were recorded.
    pub as_recorded: Vec<String>,
    /// Seconds after the beginning of the capture at which the replay begins; `None`: with it.
    pub from: Option<f64>,
    /// With `from`: timers have learned nothing yet.
    pub cold: bool,
}

/// Rules of the sender besides timeouts; times in seconds. `None`: as in RFC 7252 §4.8, or as the capture shows.
#[derive(Clone, PartialEq, Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rules {
    /// NSTART.
    pub nstart: Option<u8>,
    /// `MAX_RETRANSMIT`.
    pub max_retransmit: Option<u8>,
    /// `EXCHANGE_LIFETIME`.
    pub exchange_lifetime: Option<f64>,
    /// Most requests that wait.
    pub queue: Option<u32>,
    /// `PROBING_RATE`, octets a second.
    pub probing_rate: Option<u32>,
    /// Lifetime of what was learned about a server.
    pub state_lifetime: Option<f64>,
    /// Additional processing time of the server.
    pub processing: Option<f64>,
}

/// One mistake in a study's file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    /// Line and column, from 1; `None`: of the file as a whole.
    pub at: Option<(u32, u32)>,
    /// The problem, and what would be right.
    pub problem: String,
}

/// Every mistake in a study's file, in order of place.
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
    /// Names of all tags that captures may have, sorted.
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
    /// The rules that are given, by name.
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
    /// Settings that are not as usual, by name.
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
