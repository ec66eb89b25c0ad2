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
    /// Copy (0 is the original) that the packet names as answered, where the algorithm marks its attempts
    /// ([`crate::AlgorithmSpec::marks_attempts`]) and the peer echoed the mark; `None`: with
    /// retransmissions the answered copy is not known (Karn & Partridge 1987).
    pub answered: Option<u8>,
}

impl Sample {
    /// Returns the number of retransmissions made before the acknowledgement (k in the papers).
    #[must_use]
    pub const fn retransmissions(&self) -> u8 {
        self.attempts.saturating_sub(1)
    }

    /// Returns the time from the first transmission to the acknowledgement; zero where two clocks make it
    /// negative.
    #[must_use]
    pub fn from_first(&self) -> Span {
        self.since_first.max(Span::ZERO)
    }
}
