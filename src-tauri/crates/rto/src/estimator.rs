//! The interface of an algorithm: four events in, one read-only state out.

mod flight;
mod pacer;
mod sample;

pub use flight::{Flight, Memo};
pub use pacer::{Pacer, PacerState};
pub use sample::Sample;

use crate::Dither;
use base::{Instant, Span};
use serde::Serialize;
use std::fmt;

/// One retransmission-timeout algorithm, for one destination. Pure: no clock, no I/O, no randomness
/// of its own; the same calls give the same results on any machine.
///
/// The crate documentation says in which order the engine calls. `now` never decreases between events.
pub trait Estimator: fmt::Debug + Send {
    /// A (re)transmission is on the air: returns the timeout to arm for it, at least 1 ns.
    ///
    /// `flight.sent` already holds this copy and `flight.armed` the timeouts of the copies before it,
    /// so `flight.attempt() == 0` is the original. `dither` is a fresh draw for every copy; most
    /// algorithms use it for the original only, because their back-off multiplies a dithered value.
    fn on_transmit(&mut self, now: Instant, flight: &Flight, dither: Dither) -> Span;

    /// The armed timeout expired and a retransmission follows. When the sender gives up instead,
    /// [`Estimator::on_abandon`] is called and this is not.
    fn on_timeout(&mut self, now: Instant, flight: &Flight) {
        let _ = (now, flight);
    }

    /// The acknowledgement, reset or piggybacked response arrived. The exchange is over.
    fn on_ack(&mut self, now: Instant, flight: &Flight, sample: Sample);

    /// The sender gave up (MAX_RETRANSMIT) or the exchange was cancelled. The exchange is over.
    fn on_abandon(&mut self, now: Instant, flight: &Flight) {
        let _ = (now, flight);
    }

    /// Returns the state to plot at `now`. Changes nothing: ageing is computed from `now`, not stored. With
    /// [`Instant::MIN`] no time has passed since the last event, so the state is the one that the event left.
    fn state(&self, now: Instant) -> EstimatorState;

    /// Returns an independent copy, for checkpoints while scrubbing.
    fn clone_box(&self) -> Box<dyn Estimator>;
}

impl Flight {
    /// Puts a copy on the air at `now`: records it, asks `estimator` for its timeout and records that.
    /// Call [`Estimator::on_timeout`] first when the copy is a retransmission.
    #[inline]
    pub fn transmit(&mut self, now: Instant, estimator: &mut dyn Estimator, dither: Dither) -> Span {
        self.sent.push(now);
        let timeout = estimator.on_transmit(now, self, dither);
        self.armed.push(timeout);
        timeout
    }
}

impl Clone for Box<dyn Estimator> {
    fn clone(&self) -> Self {
        self.clone_box()
    }
}

/// An estimator's state, to plot and to compare.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct EstimatorState {
    /// The timeout a new exchange would start from, before dithering, with no other exchange open.
    pub rto: Span,
    /// Phase of the algorithm, in one or two words.
    pub mode: &'static str,
    /// The variables in the order and under the names of [`crate::AlgorithmSpec::state`]; `None` is
    /// "not measured yet". A dimensionless variable travels as that many seconds, and the unit in
    /// its [`crate::StateSpec`] says so.
    pub values: Vec<(&'static str, Option<Span>)>,
}
