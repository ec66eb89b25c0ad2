//! The round-trip information of one acknowledgement.

use base::Span;

/// Times of one acknowledgement, as ambiguous as it is on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Time from the original transmission to the acknowledgement; negative only where two clocks disagree.
    pub since_first: Span,
    /// Time from the latest copy to the acknowledgement.
    pub since_last: Span,
    /// Number of copies sent, the original included; 255 at most.
    pub attempts: u8,
    /// Copy (0 is the original) that the packet names as answered. `Some` only for algorithms that
    /// mark their attempts ([`crate::AlgorithmSpec::marks_attempts`]), and then only if the peer
    /// echoed the mark; for all others the ambiguity Karn found is in the type.
    pub answered: Option<u8>,
}

impl Sample {
    /// Returns the number of retransmissions made before the acknowledgement (k in the papers).
    #[must_use]
    pub const fn retransmissions(&self) -> u8 {
        self.attempts.saturating_sub(1)
    }

    /// Returns the round trip time counted from the first transmission. Never negative: two clocks that
    /// disagree measure nothing, not less than nothing.
    #[must_use]
    pub fn from_first(&self) -> Span {
        self.since_first.max(Span::ZERO)
    }
}
