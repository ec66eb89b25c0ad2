//! Parameters for people: value, range and how each is known.

use super::evidence::Evidence;

/// Source of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Known {
    /// It stands in the capture.
    Read,
    /// It follows from what stands in the capture.
    Computed,
    /// It is estimated, with a posterior.
    Inferred,
    /// The capture does not show it: the value of a stack, or a range of such values.
    Preset,
}

/// One parameter of a machine.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// Identifier for programs: lower case, words joined by hyphens.
    pub name: &'static str,
    /// Value in `unit`; the middle one where there is a range.
    pub value: f64,
    /// Range in `unit`: a 90 % interval of what is inferred, all values of a preset.
    pub range: (f64, f64),
    /// Unit; empty for counts.
    pub unit: &'static str,
    /// Source.
    pub known: Known,
    /// Number of observations behind it.
    pub observations: u64,
}

impl Parameter {
    /// Parameter without a range.
    #[must_use]
    pub const fn exact(name: &'static str, value: f64, unit: &'static str, known: Known, observations: u64) -> Self {
        Self { name, value, range: (value, value), unit, known, observations }
    }

    /// Probability that a clean frame is received, over all links: `pooled` from `trials` frames.
    #[must_use]
    pub fn reception(pooled: &Evidence, trials: u64) -> Self {
        Self {
            name: "reception",
            value: pooled.mean(),
            range: (pooled.quantile(0.05), pooled.quantile(0.95)),
            unit: "",
            known: Known::Inferred,
            observations: trials,
        }
    }
}
