//! Parameters for people: value, range and how each is known.

use super::evidence::Evidence;

/// Way in which a parameter is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Known {
    /// Read from the capture.
    Read,
    /// Computed from values that stand in the capture.
    Computed,
    /// Estimated from the capture, with a posterior.
    Inferred,
    /// Taken from a stack, one value or a range, for the capture does not show it.
    Preset,
}

/// One parameter of a machine.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// Identifier for programs: lower case, words joined by hyphens.
    pub name: &'static str,
    /// Value in `unit`; the middle one where there is a range.
    pub value: f64,
    /// Lower and upper end in `unit`: a 90 % interval of an inferred value, all values of a preset; both are `value`
    /// where there is no range.
    pub range: (f64, f64),
    /// Unit; empty for counts.
    pub unit: &'static str,
    /// Way in which it is known.
    pub known: Known,
    /// Number of observations that the value rests on.
    pub observations: u64,
}

impl Parameter {
    /// Creates a parameter without a range.
    #[must_use]
    pub const fn exact(name: &'static str, value: f64, unit: &'static str, known: Known, observations: u64) -> Self {
        Self { name, value, range: (value, value), unit, known, observations }
    }

    /// Creates the parameter of the probability that a clean frame is received, over all links: `pooled` from `trials`
    /// frames.
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
