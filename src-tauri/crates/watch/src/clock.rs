//! Time of a capture that goes on, made to never run back.

use base::Instant;
use serde::{Deserialize, Serialize};

/// Nanoseconds by which a record may be stamped before the one before it without a clock having been set: several
/// interfaces write their frames in bursts, and Cooja stamps a frame with its start. Chosen here: a minute is far more
/// than either, and less than people set clocks by.
const BEHIND: i64 = 60_000_000_000;

/// Makes times that never run back of time stamps, both in nanoseconds from the Unix epoch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Clock {
    /// Latest time given; `None` before the first.
    latest: Option<i64>,
    /// Nanoseconds added to time stamps since the clock was last set back.
    pub shift: i64,
    /// Number of times that it was set back.
    pub set_back: u64,
}

impl Clock {
    /// Makes the clock of a capture that has not begun.
    pub const fn new() -> Self {
        Self { latest: None, shift: 0, set_back: 0 }
    }

    /// Returns the clock as it was at a record with this time and shift, both nanoseconds.
    pub const fn back_to(self, time: i64, shift: i64) -> Self {
        Self { latest: Some(time), shift, ..self }
    }

    /// Returns the time of the last record as it was stamped, nanoseconds from the Unix epoch; `None` before the first.
    pub fn latest(&self) -> Option<i64> {
        self.latest.map(|time| time.saturating_sub(self.shift))
    }

    /// Time of a record with the time stamp `at`, nanoseconds from the Unix epoch; that of the record before it where
    /// `at` is [`Instant::MIN`], which is none.
    pub fn next(&mut self, at: Instant) -> i64 {
        let before = self.latest.unwrap_or(i64::MIN);
        if at == Instant::MIN {
            return self.latest.unwrap_or(0);
        }
        let stamped = at.nanos().saturating_add(self.shift);
        if self.latest.is_some() && stamped < before.saturating_sub(BEHIND) {
            self.shift = self.shift.saturating_add(before.saturating_sub(stamped));
            self.set_back += 1;
        }
        let time = at.nanos().saturating_add(self.shift).max(before);
        self.latest = Some(time);
        time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_never_runs_back_and_a_clock_that_was_set_is_counted() {
        let mut clock = Clock::new();
        let mut next = |seconds: i64| clock.next(Instant::from_nanos(seconds * 1_000_000_000)) / 1_000_000_000;
        assert_eq!([next(100), next(99), next(103)], [100, 100, 103], "a burst of another interface");
        assert_eq!([next(10), next(12)], [103, 105], "set back by an hour and a half or so");
        assert_eq!(clock.set_back, 1);
        assert_eq!(clock.next(Instant::MIN), 105_000_000_000, "no time stamp");
    }
}
