//! Exchanges and copies as lanes draw them: the same type for recorded and counterfactual behaviour, so that both are drawn alike.

use crate::columns::{FateKind, OutcomeKind};
use base::{AssociationId, ExchangeId, Instant, Span};
use trace::OneOrMany;

/// A copy of a request as a lane draws it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CopyMark {
    /// Time of sending.
    pub sent: Instant,
    /// Time of arrival at the server, if known.
    pub arrived: Option<Instant>,
    /// Timer armed with it, if known.
    pub timer: Option<Span>,
    /// Fate.
    pub fate: FateKind,
    /// Round-trip time from this copy to its reply.
    pub rtt: Option<Span>,
    /// True if a copy sent earlier was answered.
    pub needless: bool,
    /// True if the fate was recorded, not modelled.
    pub supported: bool,
}

/// A confirmable exchange as a lane draws it.
#[derive(Clone, Debug, PartialEq)]
pub struct ExchangeMark {
    /// Number of the exchange.
    pub exchange: ExchangeId,
    /// Association, which is its lane.
    pub association: AssociationId,
    /// Copies in time order. Never empty.
    pub copies: OneOrMany<CopyMark>,
    /// Time at which the closing reply arrived.
    pub end: Option<Instant>,
    /// Replies that arrived after the end.
    pub late: OneOrMany<Instant>,
    /// Outcome.
    pub outcome: OutcomeKind,
}

impl ExchangeMark {
    /// Returns the time of the first copy.
    #[must_use]
    pub fn start(&self) -> Instant {
        self.copies.first().map_or(Instant::ZERO, |c| c.sent)
    }

    /// Returns the end of its bar: the closing reply, else the last copy.
    #[must_use]
    pub fn close(&self) -> Instant {
        self.end.or_else(|| self.copies.last().map(|c| c.sent)).unwrap_or_else(|| self.start())
    }

    /// Returns the time of its last mark. Late replies come after the end, and so do copies that waited in the client.
    #[must_use]
    pub(crate) fn last(&self) -> Instant {
        self.late.iter().copied().chain(self.copies.iter().map(|copy| copy.sent)).fold(self.close(), Instant::max)
    }
}
