//! Timers that fired, counted by what becomes of their copies.

use super::{Client, Timers};
use crate::model::Fate;
use base::{Instant, Span};

/// A timer that expired.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expiry {
    /// Position of the exchange.
    pub exchange: u32,
    /// Number of the copy whose timer it was, 0 for the original.
    pub copy: u16,
    armed: Span,
    /// The latest round trip before.
    last_rtt: Option<Span>,
    /// The median of those of exchanges answered at once, for a first copy.
    usual: Option<Span>,
}

impl Client<'_> {
    /// Counts the timer of the latest copy of `place`, which fired at `now`, as good or bad; later where the fate of
    /// that copy is not known yet.
    pub fn expired(&mut self, place: usize, now: Instant) {
        let Some(p) = self.places.get(place) else { return };
        let (has_timed_out, armed) = match &self.timers {
            Timers::Recorded => (now - p.latest.0 >= p.latest.1, p.latest.1),
            Timers::Algorithm(_) => (p.machine.has_timed_out(now), p.machine.flight().last_armed()),
        };
        if !has_timed_out {
            return; // EXCHANGE_LIFETIME was first.
        }
        let (exchange, fate) = (p.exchange, p.fate);
        let copy = self.copies(exchange).saturating_sub(1);
        let usual = if copy == 0 { self.strong.median() } else { None };
        let expiry = Expiry { exchange, copy, armed, last_rtt: self.last_rtt, usual };
        if fate.is_known() {
            self.judge(&expiry, fate);
        } else {
            self.undecided.push(expiry);
        }
    }

    /// Counts an expired timer as good or bad by the fate of its copy.
    pub(super) fn judge(&mut self, expiry: &Expiry, fate: Fate) {
        self.tally.expired(fate, expiry.copy, expiry.armed, || expiry.last_rtt, || expiry.usual);
    }
}
