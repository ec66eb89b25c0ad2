//! Known timers of recorded copies: from a log, or inferred, rather than taken from the gap between two copies on the
//! air.

use base::{ExchangeId, Span};

/// Origin of a known timer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimerSource {
    /// Printed by the client.
    Log,
    /// Inferred from the gaps between copies of its client, whose error is small.
    Inferred,
}

/// The retransmission timer that was armed with one copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownTimer {
    /// Exchange of the copy.
    pub exchange: ExchangeId,
    /// Position of the copy in [`crate::Exchange::copies`].
    pub copy: u16,
    /// Duration of the timer.
    pub value: Span,
    /// Half the width of the 95 % interval about `value`.
    pub error: Span,
    /// Origin of the value.
    pub source: TimerSource,
    /// Wait before the air, from when the timer was armed to the first frame of the copy, and half the width of the
    /// range in which it lies; `None` where that is not known.
    pub wait: Option<(Span, Span)>,
}

/// The known timers of a trace. For other copies at most the gap on the air is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownTimers {
    /// Sorted by exchange and copy, each once.
    list: Vec<KnownTimer>,
}

impl KnownTimers {
    /// Sorts `list`; of two timers of one copy the first in `list` counts.
    #[must_use]
    pub fn new(mut list: Vec<KnownTimer>) -> Self {
        list.sort_by_key(|timer| (timer.exchange, timer.copy));
        list.dedup_by_key(|timer| (timer.exchange, timer.copy));
        list.shrink_to_fit();
        Self { list }
    }

    /// Returns all of them, sorted by exchange and copy.
    #[must_use]
    pub fn all(&self) -> &[KnownTimer] {
        &self.list
    }

    /// Returns the timer of the copy at position `copy` of `exchange`, where it is known.
    #[must_use]
    pub fn get(&self, exchange: ExchangeId, copy: usize) -> Option<&KnownTimer> {
        let copy = u16::try_from(copy).ok()?;
        let place = self.list.binary_search_by_key(&(exchange, copy), |timer| (timer.exchange, timer.copy)).ok()?;
        self.list.get(place)
    }
}
