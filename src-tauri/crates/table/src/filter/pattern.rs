//! Regular expressions of `matches`.

use super::field::{Kind, Value};
use regex::bytes::{Regex, RegexBuilder};
use std::fmt;

/// A regular expression of the `regex` crate: searched anywhere in a text or in octets, in letters of either case, as
/// in Wireshark. It takes time linear in the length of the value.
#[derive(Clone, Debug)]
pub struct Pattern(Regex);

impl Pattern {
    /// Compiles a pattern for values of `kind`. In octets, a dot and `\xef` match one octet.
    ///
    /// # Errors
    /// Sentence that describes the error, in one line.
    pub fn new(text: &str, kind: Kind) -> Result<Self, String> {
        let regex = RegexBuilder::new(text).case_insensitive(true).unicode(kind != Kind::Octets).build();
        regex.map(Self).map_err(|error| {
            let text = error.to_string();
            let last = text.lines().last().unwrap_or_default();
            format!("no regular expression: {}", last.trim_start_matches("error: "))
        })
    }

    /// Returns whether the pattern matches a part of `value`; false for kinds other than text and octets.
    pub(super) fn matches(&self, value: Value<'_>) -> bool {
        match value {
            Value::Text(text) => self.0.is_match(text.as_bytes()),
            Value::Octets(octets) => self.0.is_match(octets),
            _ => false,
        }
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

/// Writes the pattern so that it parses back to itself.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        super::Literal::Text(self.0.as_str().to_owned()).fmt(f)
    }
}
