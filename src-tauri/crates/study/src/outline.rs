//! A study that is not written yet, and its text.

use crate::Tags;
use serde_json::{Map, Value};
use std::fmt::Write as _;

/// The parts of a study that a form asks for; the rest of the file is as usual.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Outline {
    /// Name for people.
    pub name: String,
    /// Paths of preset files, from the folder of the study's file.
    pub presets: Vec<String>,
    /// Captures: patterns of paths, patterns that are left out, tags of all of them.
    pub captures: Vec<OutlineSet>,
    /// Presets with the parameters that differ.
    pub timers: Vec<(String, Map<String, Value>)>,
    /// Label of the timer that others are compared with.
    pub baseline: Option<String>,
    /// Replicates of a modelled channel.
    pub replicates: u32,
}

/// One `[[captures]]` of an outline.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OutlineSet {
    /// Patterns of paths.
    pub paths: Vec<String>,
    /// Patterns that are left out.
    pub exclude: Vec<String>,
    /// Tags of all captures of the set.
    pub tags: Tags,
    /// Number of the retransmission-count option; `None`: as usual.
    pub rc_option: Option<u16>,
}

impl Outline {
    /// The text of its file, which [`crate::Draft::read`] reads.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut line = |words: std::fmt::Arguments<'_>| {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{words}");
        };
        line(format_args!("name = {}", quoted(&self.name)));
        line(format_args!("replicates = {}", self.replicates));
        if let Some(baseline) = &self.baseline {
            line(format_args!("baseline = {}", quoted(baseline)));
        }
        if !self.presets.is_empty() {
            let presets: Vec<String> = self.presets.iter().map(|path| quoted(path)).collect();
            line(format_args!("presets = [{}]", presets.join(", ")));
        }
        for set in &self.captures {
            line(format_args!("\n[[captures]]\npaths = {}", list(&set.paths)));
            if !set.exclude.is_empty() {
                line(format_args!("exclude = {}", list(&set.exclude)));
            }
            if let Some(number) = set.rc_option {
                line(format_args!("rc_option = {number}"));
            }
            if !set.tags.is_empty() {
                let tags: Vec<String> =
                    set.tags.iter().map(|(name, value)| format!("{} = {}", quoted(name), quoted(value))).collect();
                line(format_args!("tags = {{ {} }}", tags.join(", ")));
            }
        }
        for (id, params) in &self.timers {
            line(format_args!("\n[[timers]]\nalgorithm = {}", quoted(id)));
            if !params.is_empty() {
                let params: Vec<String> =
                    params.iter().map(|(name, value)| format!("{} = {}", quoted(name), bare(value))).collect();
                line(format_args!("params = {{ {} }}", params.join(", ")));
            }
        }
        text
    }
}

/// A list of texts, one a line where there are several.
fn list(texts: &[String]) -> String {
    match texts {
        [one] => quoted(one),
        all => {
            let lines: Vec<String> = all.iter().map(|text| format!("    {},\n", quoted(text))).collect();
            format!("[\n{}]", lines.concat())
        }
    }
}

/// The value of a parameter.
fn bare(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        other => other.to_string(),
    }
}

/// A basic string of TOML (TOML 1.0, "String"): quotation mark, backslash and control characters are escaped.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(out, "\\U{:08X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
