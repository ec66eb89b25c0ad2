//! Form of a study's file, each value that can be wrong with its place in the text.

use super::{Mistake, Mistakes, Rules};
use crate::Tags;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;

/// A study's file, read but not checked: which preset files it names is known, which timers there are is not.
#[derive(Clone, Debug)]
pub struct Draft {
    /// Text of the file, from which octets become lines and columns.
    pub(super) text: String,
    /// Content of the file, with the place of every value.
    pub(super) file: File,
}

/// One text or a list of texts.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum OneOrMore {
    One(String),
    More(Vec<String>),
}

/// Top-level keys of the file; [`super::Spec`] says what each means. Absent ones are defaults.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    /// Name for people; empty without.
    #[serde(default)]
    pub name: String,
    /// Paths of preset files, relative to the folder of the study.
    #[serde(default)]
    pub presets: Vec<String>,
    /// Sets of captures; at least one is needed.
    pub captures: Spanned<Vec<Captures>>,
    /// Timers and grids of timers; at least one is needed.
    pub timers: Spanned<Vec<Timers>>,
    /// Names of channels, with hyphens or underscores; `auto` where absent.
    pub channels: Option<Spanned<Vec<Spanned<String>>>>,
    /// Seeds of all random draws, all different; 1 where absent.
    pub seeds: Option<Spanned<Vec<u32>>>,
    /// Number of replicates, 1 to 10,000; that of a replay where absent.
    pub replicates: Option<Spanned<u32>>,
    /// Whether intervals of another run are computed, too; true where absent.
    pub another_run: Option<bool>,
    /// Workload: `auto` (where absent), `arrivals` or `think-time`.
    pub workload: Option<Spanned<String>>,
    /// Part of each capture that is replayed; all of it where absent.
    pub part: Option<Part>,
    /// Rules of the sender besides timeouts.
    #[serde(default)]
    pub rules: Option<Spanned<Rules>>,
    /// Names of the measures that tables show; five usual ones where absent.
    pub measures: Option<Vec<Spanned<String>>>,
    /// Label of the timer that the others are compared with.
    pub baseline: Option<Spanned<String>>,
}

/// Entry of `[[captures]]`; [`super::CaptureSet`] says what each key means.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Captures {
    /// Glob patterns of the paths of captures.
    pub paths: Spanned<OneOrMore>,
    /// Patterns of paths that are left out; `None`: no path.
    pub exclude: Option<Spanned<OneOrMore>>,
    /// Tags of all captures of the set.
    #[serde(default)]
    pub tags: Tags,
    /// CoAP option number of the retransmission count; `None`: the usual one of the program.
    pub rc_option: Option<u16>,
    /// UDP ports on which CoAP is spoken.
    #[serde(default)]
    pub ports: Vec<u16>,
}

/// Entry of `[[timers]]`: one timer, or a grid of them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Timers {
    /// ID of an algorithm or of a preset.
    pub algorithm: Spanned<String>,
    /// Parameters with one value each; `None`: those of the preset.
    pub params: Option<Spanned<BTreeMap<String, Value>>>,
    /// Parameters with several values each; a timer for each combination; `None`: a single timer.
    pub grid: Option<Spanned<BTreeMap<String, Vec<Value>>>>,
}

/// Table `[part]`; [`super::Part`] says what each key means.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Part {
    /// Names or addresses of clients that stay as they were recorded.
    #[serde(default)]
    pub as_recorded: Vec<String>,
    /// Start of the replay, seconds after the beginning of the capture.
    pub from: Option<Spanned<f64>>,
    /// Whether timers have learned nothing at `from`.
    #[serde(default)]
    pub cold: bool,
}

impl Draft {
    /// Reads the text of a study's file.
    ///
    /// # Errors
    /// Text that is not TOML, a key that is unknown, missing or of the wrong kind.
    pub fn read(text: &str) -> Result<Self, Mistakes> {
        let file = toml::from_str(text).map_err(|error: toml::de::Error| {
            let at = error.span().map(|span| place(text, &span));
            Mistakes(vec![Mistake { at, problem: error.message().to_owned() }])
        })?;
        Ok(Self { text: text.to_owned(), file })
    }

    /// Returns the paths of the preset files that it names, relative to its own folder.
    #[must_use]
    pub fn presets(&self) -> &[String] {
        &self.file.presets
    }

    /// Returns line and column, from 1, of the beginning of `span`, octets of the text.
    pub(super) fn place(&self, span: &Range<usize>) -> (u32, u32) {
        place(&self.text, span)
    }
}

/// Returns line and column, from 1, of the beginning of `span` in `text`; columns count characters.
fn place(text: &str, span: &Range<usize>) -> (u32, u32) {
    let before = text.get(..span.start).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
}
