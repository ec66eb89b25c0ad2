//! Exchanges and copies as lanes draw them: one type for recorded and counterfactual behaviour, so that both are drawn
//! alike.

use crate::columns::{FateKind, OutcomeKind, TimerKind};
use base::{AssociationId, ExchangeId, Instant, Span};
use trace::{KnownTimer, OneOrMany, TimerSource};

/// A timer, and the source of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimerMark {
    /// Duration of the timer, or its likeliest one.
    pub value: Span,
    /// Half the width of the 95 % interval about `value`, µs.
    micros: u32,
    /// Source of the value.
    pub kind: TimerKind,
}

// Millions of them are held at once.
const _: () = assert!(size_of::<Option<TimerMark>>() == 16);

impl TimerMark {
    /// Makes a timer that a run armed, which has no error.
    #[must_use]
    pub const fn armed(value: Span) -> Self {
        Self { value, micros: 0, kind: TimerKind::Armed }
    }

    /// Makes a recorded timer.
    #[must_use]
    pub fn known(timer: &KnownTimer) -> Self {
        let kind = match timer.source {
            TimerSource::Log => TimerKind::Log,
            TimerSource::Inferred => TimerKind::Inferred,
        };
        // Rounded up: an error is not made smaller.
        let micros = u32::try_from(timer.error.nanos().max(0).unsigned_abs().div_ceil(1_000)).unwrap_or(u32::MAX);
        Self { value: timer.value, micros, kind }
    }

    /// Half the width of the 95 % interval about the value.
    #[must_use]
    pub fn error(&self) -> Span {
        Span::from_micros(i64::from(self.micros))
    }
}

/// A copy of a request as a lane draws it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CopyMark {
    /// Time at which the client sent it.
    pub sent: Instant,
    /// Time of arrival at the server, if known.
    pub arrived: Option<Instant>,
    /// Timer armed with it, if known. A gap on the air is none: see [`ExchangeMark::gap`].
    pub timer: Option<TimerMark>,
    /// Fate of the copy or of its reply.
    pub fate: FateKind,
    /// Round-trip time from this copy to its reply; `None` where no reply came, or none that is known to answer it.
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
    /// Time at which the closing reply arrived; `None` where none did.
    pub end: Option<Instant>,
    /// Times of replies that arrived after the end, in the order of the capture.
    pub late: OneOrMany<Instant>,
    /// Outcome of the exchange.
    pub outcome: OutcomeKind,
}

impl ExchangeMark {
    /// Returns the time of the first copy.
    #[must_use]
    pub fn start(&self) -> Instant {
        self.copies.first().map_or(Instant::ZERO, |c| c.sent)
    }

    /// Returns the gap on the air from copy `index` (from 0) to the next; `None` for the last one. It differs from the
    /// timer by the difference of the waits of both copies in their client.
    #[must_use]
    pub fn gap(&self, index: usize) -> Option<Span> {
        Some(self.copies.get(index + 1)?.sent - self.copies.get(index)?.sent)
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
