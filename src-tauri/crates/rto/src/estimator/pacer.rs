//! The interface of rate-based proposals: the earliest start of the next exchange.
//!
//! An [`crate::Estimator`] says how long to wait for an acknowledgement; a [`Pacer`] says how long to hold
//! back the *first* transmission of a request that is ready. Most algorithms have none. Retransmissions
//! are never held back: they are the timer's business.

use super::{Flight, Sample};
use base::{Instant, Span};
use std::fmt;

/// One rule for the rate of new exchanges, for one destination. Pure, as an [`crate::Estimator`] is: no clock,
/// no I/O, no randomness; the same calls give the same results.
///
/// The engine asks [`Pacer::earliest`] when a request is first in the queue, again at the moment it was
/// given, and again after every event; it reports every event after the estimator has got it.
pub trait Pacer: fmt::Debug + Send {
    /// The earliest moment at which the next first transmission may go, `open` exchanges being open to the
    /// destination: `now` or earlier means at once. [`Instant::MAX`]: not before one of the open exchanges
    /// has ended; never so with none open. Asking changes nothing.
    fn earliest(&self, now: Instant, open: u32) -> Instant;

    /// A copy is on the air; `flight.attempt() == 0` is the original.
    fn on_transmit(&mut self, now: Instant, flight: &Flight);

    /// The armed timeout expired and a retransmission follows.
    fn on_timeout(&mut self, now: Instant, flight: &Flight) {
        let _ = (now, flight);
    }

    /// The acknowledgement, reset or piggybacked response arrived. The exchange is over.
    fn on_ack(&mut self, now: Instant, flight: &Flight, sample: Sample);

    /// The sender gave up. The exchange is over.
    fn on_abandon(&mut self, now: Instant, flight: &Flight) {
        let _ = (now, flight);
    }

    /// Returns the state to plot at `now`. Changes nothing.
    fn state(&self, now: Instant) -> PacerState;

    /// Returns an independent copy.
    fn clone_box(&self) -> Box<dyn Pacer>;
}

impl Clone for Box<dyn Pacer> {
    fn clone(&self) -> Self {
        self.clone_box()
    }
}

/// A pacer's state, to plot and to compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PacerState {
    /// Phase of the rule, in one or two words.
    pub mode: &'static str,
    /// The gap it keeps between first transmissions; `None`: it holds nothing back yet.
    pub gap: Option<Span>,
}
