//! Descriptions of parameters as data: what forms, reports and the command line show.

use serde::Serialize;
use std::borrow::Cow;
use std::fmt;

/// One parameter of one algorithm, described as data.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ParamSpec {
    /// The identifier in overrides, such as `k_strong`.
    pub name: &'static str,
    /// A short human name.
    pub label: &'static str,
    /// The part of the algorithm it belongs to, in one word, for forms; empty when there is no such part.
    pub group: &'static str,
    /// Description for people, one or two sentences.
    pub doc: String,
    /// Unit of the value and its limits.
    pub unit: Unit,
    /// The value of this preset, in `unit`; times in seconds.
    pub default: ParamValue,
    /// The smallest legal value, in `unit`; none for a choice.
    pub min: Option<f64>,
    /// The largest legal value, in `unit`; none for a choice.
    pub max: Option<f64>,
    /// Scale of a slider from `min` to `max`.
    pub scale: Scale,
    /// The legal values of a choice, empty otherwise.
    pub choices: Vec<Choice>,
    /// Source of the default: RFC section, paper or source file.
    pub citation: &'static str,
    /// Whether the source leaves this open, so that the default is an interpretation made here.
    pub reading: bool,
}

/// A legal value of a parameter that is a choice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Choice {
    /// The value, as in overrides and on the command line.
    pub name: &'static str,
    /// Label in the window.
    pub label: Cow<'static, str>,
}

impl Choice {
    /// Creates the value `name` with a label of its own.
    #[must_use]
    pub const fn new(name: &'static str, label: &'static str) -> Self {
        Self { name, label: Cow::Borrowed(label) }
    }
}

/// A value that is its own label.
impl From<&'static str> for Choice {
    fn from(name: &'static str) -> Self {
        Self::new(name, name)
    }
}

impl From<(&'static str, &'static str)> for Choice {
    fn from((name, label): (&'static str, &'static str)) -> Self {
        Self::new(name, label)
    }
}

/// Unit of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// A time in seconds.
    Seconds,
    /// A share from 0 to 1.
    Ratio,
    /// A factor without a dimension.
    Factor,
    /// A whole number of things.
    Count,
    /// One of a list of names.
    Choice,
}

/// Scale of a slider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Linear: equal steps are equal differences.
    Linear,
    /// Logarithmic: equal steps are equal ratios.
    Log,
}

/// A parameter's value in its natural unit: seconds, a number, a fraction such as `1/3`, or a name.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum ParamValue {
    /// A number, with or without decimals.
    Number(f64),
    /// A choice's name, or a fraction without a finite decimal form.
    Text(String),
}

impl fmt::Display for ParamValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}
