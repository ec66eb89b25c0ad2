//! Stacks of CoAP as data: `rto/stacks/*.toml`, one file a stack, each value with the place of the stack's sources that
//! says so.

use serde::Deserialize;
use std::sync::OnceLock;

/// A stack, and the lines that set its timer.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CoapStack {
    /// Identifier on the command line.
    pub id: String,
    /// Name of the stack, for people.
    pub name: String,
    /// Version whose sources were read.
    pub version: String,
    /// File or place that takes the lines.
    pub place: String,
    /// Section of the stack's own documentation.
    pub documentation: String,
    /// Characters that begin a comment there.
    pub(super) comment: String,
    /// Lines before those that set something.
    #[serde(default)]
    pub(super) before: Vec<String>,
    /// Lines after those that set something.
    #[serde(default)]
    pub(super) after: Vec<String>,
    /// Deviations that a person should know of, one sentence each.
    #[serde(default)]
    pub remarks: Vec<String>,
    /// Presets of families of its own that have the parameters of default CoAP.
    #[serde(default, rename = "families")]
    pub(super) own: Vec<String>,
    /// Limit that cuts every timeout; set to the longest that the timer arms; `None` where the stack has none.
    pub(super) longest: Option<Longest>,
    /// Limit of a product that the stack computes of its settings; `None` where none overflows.
    pub(super) product: Option<Product>,
    /// ACK_TIMEOUT (RFC 7252 §4.8), in seconds.
    pub(super) ack_timeout: Setting,
    /// ACK_RANDOM_FACTOR, a factor of at least 1.
    pub(super) random_factor: Setting,
    /// Factor of the timeout at every retransmission.
    pub(super) back_off: Setting,
    /// MAX_RETRANSMIT, a count without the original.
    pub(super) max_retransmit: Setting,
    /// NSTART, a count of open exchanges.
    pub(super) nstart: Setting,
    /// Place of a timer written as C.
    pub(super) c: Program,
    /// Algorithms that the stack brings, by preset.
    #[serde(default)]
    pub(super) algorithm: Vec<Own>,
}

impl CoapStack {
    /// Returns, for each parameter, its name in RFC 7252 and what the stack lets a person choose.
    #[must_use]
    pub fn choices(&self) -> [(&'static str, String); 5] {
        [
            ("ack_timeout", self.ack_timeout.choices(" s")),
            ("random_factor", self.random_factor.choices("")),
            ("back_off", self.back_off.choices("")),
            ("max_retransmit", self.max_retransmit.choices("")),
            ("nstart", self.nstart.choices("")),
        ]
    }

    /// Ticks per second of timers that are written as C for the stack; none where it has no place for one.
    #[must_use]
    pub fn program_ticks(&self) -> Option<u32> {
        match &self.c {
            Program::Hook(hook) => Some(hook.ticks_per_second),
            Program::None { .. } => None,
        }
    }

    /// Returns the presets of algorithms that the stack brings.
    pub fn own_algorithms(&self) -> impl Iterator<Item = &str> {
        self.algorithm.iter().map(|own| own.preset.as_str())
    }
}

/// A parameter of RFC 7252 §4.8 in a stack.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub(super) enum Setting {
    /// A line of the stack's configuration sets it.
    Line(Line),
    /// The stack always has this value: seconds, a factor or a count.
    Fixed { fixed: f64, source: String },
    /// The stack leaves it to the application, for this reason.
    Missing { missing: String, source: String },
}

impl Setting {
    /// The range with its step, the constant, or `-`; `unit` stands behind numbers.
    fn choices(&self, unit: &str) -> String {
        match self {
            Self::Line(Line { least, most, steps_per_unit: 1, .. }) => format!("{least} to {most}{unit}"),
            Self::Line(Line { least, most, steps_per_unit, .. }) => {
                format!("{least} to {most}{unit} by 1/{steps_per_unit}")
            }
            Self::Fixed { fixed, .. } => format!("always {fixed}{unit}"),
            Self::Missing { .. } => "-".to_owned(),
        }
    }
}

/// A line with a place for the value.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Line {
    /// The text; `{steps}`, `{decimal}`, `{whole}` and `{thousandths}`, `{numerator}` and `{denominator}` stand for the
    /// value.
    pub line: String,
    /// Line for the value 1, where another is needed.
    pub line_of_one: Option<String>,
    /// The stack's resolution: steps in one second, or in the factor 1.
    pub steps_per_unit: u32,
    /// Least value that the stack takes, in seconds or as a factor or count. Where its sources name no limit, chosen
    /// here: an hour, and the ranges of the algorithm's parameters.
    pub least: f64,
    /// Greatest value that the stack takes, in the unit of `least`.
    pub most: f64,
    /// Fate of a value beyond the range, where the stack does not refuse it aloud.
    pub beyond: Option<String>,
    /// Place in the stack's sources.
    pub source: String,
}

/// A line for the longest timeout.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Longest {
    /// The text; `{steps}` stands for the value.
    pub line: String,
    /// The stack's resolution: steps in one second.
    pub steps_per_unit: u32,
    /// Place in the stack's sources.
    pub source: String,
}

/// Limit of the steps of ACK_TIMEOUT times those of ACK_RANDOM_FACTOR (of a fraction: its numerator), which overflow
/// together.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Product {
    /// Greatest product that does not overflow, a number of steps.
    pub most: f64,
    /// Whether the product has the factor 2^(MAX_RETRANSMIT + 1) - 1, too.
    pub retransmissions: bool,
    /// Place in the stack's sources.
    pub source: String,
}

/// Place of a timer written as C.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub(super) enum Program {
    /// Calls from the stack.
    Hook(Hook),
    /// No place, for this reason (without full stop).
    None { none: String },
}

/// Calls of a timer from a stack.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Hook {
    /// Ticks per second of the stack's timers.
    pub ticks_per_second: u32,
    /// Expression of the stack for its time in these ticks.
    pub clock: String,
    /// Expression of the stack for a random draw of 32 bits.
    pub random: String,
    /// Sentences with the places of the calls; `{send}`, `{retransmit}`, `{answered}`, `{timer}`, `{TIMER}` and
    /// `{exchange}` stand for names.
    pub hook: Vec<String>,
    /// Place in the stack's sources of these calls.
    pub source: String,
}

/// An algorithm of a stack's own.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Own {
    /// Identifier of the preset that it is.
    pub preset: String,
    /// Line that switches it on.
    pub line: String,
    /// Place in the stack's sources.
    pub source: String,
}

const FILES: [&str; 9] = [
    include_str!("../../stacks/contiki-ng.toml"),
    include_str!("../../stacks/contiki.toml"),
    include_str!("../../stacks/riot.toml"),
    include_str!("../../stacks/zephyr.toml"),
    include_str!("../../stacks/openthread.toml"),
    include_str!("../../stacks/libcoap.toml"),
    include_str!("../../stacks/californium.toml"),
    include_str!("../../stacks/aiocoap.toml"),
    include_str!("../../stacks/wakaama.toml"),
];

/// Returns all stacks, in the order in which they are offered. A file that cannot be read is left out; a test reads
/// them all.
#[must_use]
pub fn coap_stacks() -> &'static [CoapStack] {
    static STACKS: OnceLock<Vec<CoapStack>> = OnceLock::new();
    STACKS.get_or_init(|| FILES.iter().filter_map(|text| toml::from_str(text).ok()).collect())
}

#[cfg(test)]
mod tests {
    use super::{CoapStack, FILES, coap_stacks};

    #[test]
    fn every_file_is_read() {
        for text in FILES {
            toml::from_str::<CoapStack>(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        }
        assert_eq!(coap_stacks().len(), FILES.len());
    }
}
