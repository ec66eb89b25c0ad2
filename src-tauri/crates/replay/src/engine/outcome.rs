//! Outcome of a simulated exchange, and counts of an association.

use crate::channel::{Aired, Met, Support};
use crate::model::Fate;
use base::{Instant, Span};

/// End of a simulated exchange.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ending {
    /// The request never became ready, because the exchange that it follows stayed open.
    #[default]
    Unstarted,
    /// The application dropped the request: no slot was free, and its queue was full.
    Dropped,
    /// A reply closed the exchange.
    Answered,
    /// The sender gave up.
    Failed,
    /// The exchange is still open when the record ends; only where the sender's own timers are not known.
    Open,
}

/// Result of one simulated exchange.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExchangeRun {
    /// Time of the first transmission, on the air where that is known; [`Instant::ZERO`] when there was none.
    pub start: Instant,
    /// Time of the close or give-up; meaningless unless answered or failed.
    pub end: Instant,
    /// Ending of the exchange.
    pub ending: Ending,
    /// Number of copies sent, with those that never went on the air.
    pub copies: u16,
    /// Number of copies whose fate was recorded.
    pub recorded: u16,
    /// Index of the first copy that is answered, sooner or later, 0 for the original; `None` if none is known to be.
    pub answered: Option<u16>,
    /// Number of copies whose fate is unknown.
    pub unknown: u16,
    /// Number of copies known to have reached the server: answered, or their reply was lost.
    pub arrived: u16,
    /// Copies that never went on the air, as bits (bit k for copy k, up to 63); no capture has them, and no metric
    /// counts them.
    pub(super) hidden: u64,
    /// Whether `start` is that of a frame on the air.
    pub(super) is_aired: bool,
}

impl ExchangeRun {
    /// Adds the next copy, which meets `met`.
    pub(super) fn transmit(&mut self, met: Met) {
        match met.fate {
            Fate::Answered { .. } => self.answered = self.answered.or(Some(self.copies)),
            Fate::Unknown => self.unknown += 1,
            Fate::RequestLost | Fate::ReplyLost | Fate::Lost => {}
        }
        self.arrived += u16::from(met.fate.is_arrival());
        self.recorded += u16::from(met.support == Support::Recorded);
        self.copies = self.copies.saturating_add(1);
    }

    /// Records when the first frame of `copy` went on the air: an exchange begins with its first frame there.
    pub(super) fn air(&mut self, copy: u16, aired: Aired) {
        match aired {
            Aired::AsSent => {}
            Aired::At(at) => {
                self.start = if self.is_aired { self.start.min(at) } else { at };
                self.is_aired = true;
            }
            Aired::Never => self.hidden |= Self::bit(copy),
        }
    }

    /// Whether it is known that a copy went on the air, and when; so under the network twin only.
    pub(super) const fn is_on_air(&self) -> bool {
        self.is_aired
    }

    /// Number of copies that went on the air.
    pub const fn on_air(&self) -> u16 {
        if self.hidden == 0 {
            return self.copies; // Under every channel but the network twin.
        }
        self.copies.saturating_sub(self.hidden.count_ones() as u16)
    }

    /// Number of copies that went on the air before `copy`.
    pub const fn on_air_before(&self, copy: u16) -> u16 {
        if self.hidden == 0 {
            return copy;
        }
        copy.saturating_sub((self.hidden & Self::bit(copy).wrapping_sub(1)).count_ones() as u16)
    }

    /// Bit of `copy`; none for copies after the 64th, of which no timer known sends so many.
    const fn bit(copy: u16) -> u64 {
        if copy < u64::BITS as u16 { 1 << copy } else { 0 }
    }
}

/// Counts and sums of one association that belong to no single exchange.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Tally {
    /// Number of replies that found their exchange closed.
    pub late: u64,
    /// Number of expired timers whose copy was really lost (good timeouts; Allman and Paxson, SIGCOMM 1999).
    pub good: u64,
    /// Number of expired timers whose copy was answered after all (bad timeouts).
    pub bad: u64,
    /// Sum over good timeouts of the ratio timeout / latest round trip before it; those without one are left out.
    pub waited: f64,
    /// Number of good timeouts in [`Tally::waited`].
    pub waits: u64,
    /// Sum of good timeouts, nanoseconds.
    pub lost: i128,
    /// Sum, in nanoseconds, over good timeouts of first copies of timeout − median round trip of the exchanges before
    /// it that were answered at once.
    pub idle: i128,
    /// Sum over exchanges answered without a retransmission of the ratio first timeout / round trip.
    pub strong: f64,
    /// Number of exchanges in [`Tally::strong`].
    pub strongs: u64,
    /// Number of requests held back by a pacer or a limit although a slot was free.
    pub held: u64,
    /// Sum over requests of the wait from readiness to first transmission, nanoseconds.
    pub queued: i128,
}

impl Tally {
    /// Adds the counts of `other`.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.late += other.late;
        self.good += other.good;
        self.bad += other.bad;
        self.waited += other.waited;
        self.waits += other.waits;
        self.lost += other.lost;
        self.idle += other.idle;
        self.strong += other.strong;
        self.strongs += other.strongs;
        self.held += other.held;
        self.queued += other.queued;
    }

    /// Counts an exchange whose first copy ended it, `rtt` after it was sent with a timer of `armed`. A round trip of
    /// zero is left out.
    pub(super) fn answered_at_once(&mut self, armed: Span, rtt: Span) {
        if rtt > Span::ZERO {
            self.strong += armed.nanos() as f64 / rtt.nanos() as f64;
            self.strongs += 1;
        }
    }

    /// Counts an expired timer of `armed` as good or bad by the `fate` of its `copy`. `last_rtt` is the latest round
    /// trip before, `usual` the median of those of exchanges answered at once, which only a first copy asks for.
    pub(super) fn expired(
        &mut self,
        fate: Fate,
        copy: u16,
        armed: Span,
        last_rtt: impl FnOnce() -> Option<Span>,
        usual: impl FnOnce() -> Option<Span>,
    ) {
        match fate {
            Fate::Answered { .. } => self.bad += 1,
            Fate::Unknown => {}
            Fate::RequestLost | Fate::ReplyLost | Fate::Lost => {
                self.good += 1;
                self.lost += i128::from(armed.nanos());
                if let Some(rtt) = last_rtt().filter(|&rtt| rtt > Span::ZERO) {
                    self.waited += armed.secs_f64() / rtt.secs_f64();
                    self.waits += 1;
                }
                if copy == 0
                    && let Some(rtt) = usual()
                {
                    self.idle += i128::from((armed - rtt).nanos());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_that_never_went_on_the_air_are_not_counted() {
        let at = |secs| Instant::ZERO + Span::from_secs(secs);
        let mut run = ExchangeRun { start: at(1), copies: 4, ..ExchangeRun::default() };
        run.air(1, Aired::At(at(4)));
        run.air(3, Aired::At(at(16)));
        run.air(0, Aired::Never);
        run.air(2, Aired::Never);
        assert_eq!((run.on_air(), run.start), (2, at(4)), "it begins with its first frame");
        assert_eq!([0, 1, 2, 3, 4].map(|copy| run.on_air_before(copy)), [0, 0, 1, 1, 2]);
        assert_eq!(run.on_air_before(u16::MAX), u16::MAX - 2);
        let mut run = ExchangeRun { start: at(1), copies: 2, ..ExchangeRun::default() };
        run.air(1, Aired::AsSent);
        assert_eq!((run.on_air(), run.start), (2, at(1)), "of its first copy the fate was known at once");
    }
}
