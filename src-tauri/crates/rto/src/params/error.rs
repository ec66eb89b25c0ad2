//! Refusals of parameters, with the legal alternatives.

use super::ParamValue;
use std::fmt;

/// Reason why an algorithm could not be built.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamError {
    /// No algorithm has this identifier.
    Algorithm {
        /// The identifier asked for.
        id: String,
    },
    /// The algorithm has no parameter of this name.
    Unknown {
        /// Name that no parameter has.
        name: String,
        /// The names of the algorithm's parameters.
        known: Vec<&'static str>,
    },
    /// The value cannot be read as what the parameter is.
    Type {
        /// Name of the parameter.
        name: String,
        /// Value given, as text.
        given: String,
        /// The expected type, in words.
        expected: String,
    },
    /// The value is outside the legal range.
    Range {
        /// Name of the parameter.
        name: String,
        /// Value given, as text.
        given: String,
        /// The smallest legal value.
        min: ParamValue,
        /// The largest legal value.
        max: ParamValue,
    },
    /// The overrides are neither `key=value,…` nor an object.
    Syntax {
        /// The part that could not be read.
        text: String,
    },
}

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Algorithm { id } => write!(f, "no algorithm is called `{id}`"),
            Self::Unknown { name, known } => write!(f, "no parameter `{name}`; there are: {}", known.join(", ")),
            Self::Type { name, given, expected } => write!(f, "`{name}` is {expected}, not {given}"),
            Self::Range { name, given, min, max } => write!(f, "`{name}` is {given}, outside {min} to {max}"),
            Self::Syntax { text } => write!(f, "expected key=value, found `{text}`"),
        }
    }
}

impl std::error::Error for ParamError {}
