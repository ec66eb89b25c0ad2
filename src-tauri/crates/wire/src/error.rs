//! Errors that name the layer, the octet and the reason.

use base::Layer;
use std::fmt;

/// Error of a parser: the layer, the octet and the reason for which a header could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Error {
    /// Layer whose rules were broken.
    pub layer: Layer,
    /// Offset of the offending octet in the slice given to `parse`.
    pub at: usize,
    /// Kind of error, with its details.
    pub kind: Kind,
}

/// Reason why octets cannot be parsed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The octets end before the field does.
    Truncated {
        /// Number of octets that the field needs.
        need: usize,
        /// Number of octets that are left.
        have: usize,
    },
    /// Use of a value that the standard reserves; the text names it.
    Reserved(&'static str),
    /// Legal encoding that is not implemented here; the text names it.
    Unsupported(&'static str),
    /// Breach of the standard; the text is the whole reason.
    Invalid(&'static str),
}

impl Error {
    /// Moves the error to an enclosing slice, in which the parsed one begins at octet `by`.
    #[must_use]
    pub const fn shifted(self, by: usize) -> Self {
        Self { at: self.at.saturating_add(by), ..self }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, octet {}: {}", self.layer, self.at, self.kind)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated { need, have } => {
                let plural = if *need == 1 { "" } else { "s" };
                write!(f, "needs {need} octet{plural}, {have} left")
            }
            Self::Reserved(what) => write!(f, "reserved: {what}"),
            Self::Unsupported(what) => write!(f, "unsupported: {what}"),
            Self::Invalid(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::{Error, Kind};
    use base::Layer;

    #[test]
    fn says_layer_octet_and_reason() {
        let error = |kind| Error { layer: Layer::Link, at: 12, kind }.to_string();
        assert_eq!(error(Kind::Truncated { need: 8, have: 3 }), "802.15.4, octet 12: needs 8 octets, 3 left");
        assert_eq!(error(Kind::Truncated { need: 1, have: 0 }), "802.15.4, octet 12: needs 1 octet, 0 left");
        assert_eq!(error(Kind::Reserved("frame version 3")), "802.15.4, octet 12: reserved: frame version 3");
        assert_eq!(Error { layer: Layer::Coap, at: 2, kind: Kind::Invalid("x") }.shifted(40).at, 42);
    }
}
