//! Parameters for people: value, range and how each is known.

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
