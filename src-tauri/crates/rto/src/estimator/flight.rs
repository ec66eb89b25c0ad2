//! One exchange as its sender saw it so far: owned by the engine, passed to the estimator by reference.

use super::Sample;
use base::{Instant, Span};
use std::cell::Cell;

/// The transmissions of one confirmable message and the timeouts armed for them.
///
/// The engine owns one `Flight` per open exchange, so with `NSTART` > 1 (RFC 7252 §4.7) several may
/// be open on one estimator at once; estimators keep per-destination state only. Nothing in a flight
/// has to be cleaned up by an estimator: when the exchange ends, the engine drops it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flight {
    /// Time at which each copy was sent; the original is first.
    pub sent: Vec<Instant>,
    /// The timeout armed for each copy, in the order of `sent`. While [`crate::Estimator::on_transmit`] runs it is one
    /// shorter.
    pub armed: Vec<Span>,
    /// Number of other exchanges open to the same destination when this one started (the blind RTO rules use it).
    pub inflight: u32,
    /// The estimator's note on this exchange, written at its first transmission. See [`Memo`].
    pub memo: Cell<Memo>,
}

/// An estimator's note on one exchange: the only part of a [`Flight`] that it may write.
///
/// Some back-offs depend on the state *when the exchange started* (the VBF of CoCoA is chosen from
/// `RTO_init`, FASOR keeps the series it began), which other exchanges may have changed since. The
/// note travels with the flight, so the engine has nothing to store and the estimator nothing to
/// forget. Estimators that do not need it never touch it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memo {
    /// The timeout of the first transmission before dithering (`RTO_init`).
    pub base: Span,
    /// Number of the back-off series that the exchange started with; the meaning is the estimator's own.
    pub series: u8,
}

impl Flight {
    /// An exchange about to start while `inflight` others are open to the same destination.
    #[must_use]
    pub fn new(inflight: u32) -> Self {
        Self { inflight, ..Self::default() }
    }

    /// Makes this the flight of another exchange, as [`Flight::new`] would, in the memory it has.
    #[inline]
    pub fn restart(&mut self, inflight: u32) {
        self.sent.clear();
        self.armed.clear();
        self.inflight = inflight;
        self.memo.take();
    }

    /// Returns the sample of an acknowledgement at `now`; `answered` is the copy the packet names (0 is the original),
    /// if it names one.
    #[inline]
    #[must_use]
    pub fn sample(&self, now: Instant, answered: Option<u8>) -> Sample {
        let since = |sent: Option<&Instant>| sent.map_or(Span::ZERO, |&sent| now - sent);
        Sample {
            since_first: since(self.sent.first()),
            since_last: since(self.sent.last()),
            attempts: u8::try_from(self.sent.len()).unwrap_or(u8::MAX),
            answered,
        }
    }

    /// Returns the number of the latest copy: 0 for the original, k for the k-th retransmission; 0 before any, 255 at
    /// most.
    #[inline]
    #[must_use]
    pub fn attempt(&self) -> u8 {
        u8::try_from(self.sent.len().saturating_sub(1)).unwrap_or(u8::MAX)
    }

    /// The timeout armed for the original; zero before there is one.
    #[inline]
    #[must_use]
    pub fn first_armed(&self) -> Span {
        self.armed.first().copied().unwrap_or(Span::ZERO)
    }

    /// The timeout armed last; zero before there is one.
    #[inline]
    #[must_use]
    pub fn last_armed(&self) -> Span {
        self.armed.last().copied().unwrap_or(Span::ZERO)
    }
}

impl Sample {
    /// Returns the round trip time that is certain: that of the marked copy, or of an exchange without
    /// retransmission (Karn's rule, RFC 6298 §3); `None` when it is ambiguous or the mark names no copy. Never
    /// negative.
    #[must_use]
    pub fn unambiguous(&self, now: Instant, flight: &Flight) -> Option<Span> {
        match self.answered {
            Some(copy) => flight.sent.get(usize::from(copy)).map(|&sent| (now - sent).max(Span::ZERO)),
            None if self.retransmissions() == 0 => Some(self.from_first()),
            None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Instant;

    #[test]
    fn a_marked_copy_resolves_the_ambiguity() {
        let at = |s| Instant::ZERO + Span::from_secs(s);
        let flight = Flight { sent: vec![at(0), at(2)], ..Flight::default() };
        assert_eq!(flight.sample(at(3), None).unambiguous(at(3), &flight), None);
        assert_eq!(flight.sample(at(3), Some(1)).unambiguous(at(3), &flight), Some(Span::from_secs(1)));
        assert_eq!(flight.sample(at(3), Some(0)).unambiguous(at(3), &flight), Some(Span::from_secs(3)));
        assert_eq!(flight.sample(at(3), Some(9)).unambiguous(at(3), &flight), None);
    }
}
