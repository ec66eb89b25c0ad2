//! Timers of TCP, and those that follow them: RFC 6298, Linux, Eifel, Peak-Hopper.
//!
//! All but the Eifel ports in ticks are [`TcpTimer`]s: a TCP sender's timer over an estimate of their own.

pub(crate) mod eifel;
pub(crate) mod eifel_ticks;
pub(crate) mod linux;
pub(crate) mod linux_kernel;
pub(crate) mod peak_hopper;
pub(crate) mod rfc6298;

use crate::params::ParamSet;
use crate::parts::ewma::Smoothed;
use crate::parts::timer::{BackOff, Timer};
use crate::spec::{FamilyName, Model, StateSpec, time};
use crate::{Dither, Estimator, EstimatorState, Flight, Sample};
use base::{Instant, Span};
use std::fmt::Debug;

/// An estimate of round trips, and the timeout that follows from it.
pub(crate) trait TcpEstimate: Copy + Debug + Send + 'static {
    type Params: ParamSet + Clone + Debug + Send + 'static;
    /// Names of the family.
    const FAMILY: FamilyName;
    /// The variables of [`Self::values`], then the timeout.
    const STATE: &'static [StateSpec];

    /// Returns the timeout before any sample.
    fn initial(p: &Self::Params) -> Span;

    /// Returns the back-off and the largest timeout.
    fn back_off(p: &Self::Params) -> BackOff;

    /// Starts from the first unambiguous sample `r`, taken while `rto` was in force: returns the estimate and its
    /// timeout, not yet capped.
    fn first(r: Span, rto: Span, p: &Self::Params) -> (Self, Span);

    /// Takes a later unambiguous sample `r` while `rto` was in force: returns the timeout, not yet capped.
    ///
    /// Changes the estimate where it stands: a copy of it costs `linux_rto` an eighth of a step
    /// (`npm run bench -- steps`).
    fn update(&mut self, r: Span, rto: Span, p: &Self::Params) -> Span;

    /// Returns the variables to show, in the order of [`Self::STATE`].
    fn values(self) -> impl Iterator<Item = Span>;
}

/// Variables of a timer whose estimate is a [`Smoothed`] round trip.
const SMOOTHED: &[StateSpec] = &[time("srtt", "SRTT"), time("rttvar", "RTTVAR"), time("rto", "RTO")];

/// Values of [`SMOOTHED`] before the timeout.
fn smoothed(Smoothed { rtt, var }: Smoothed) -> impl Iterator<Item = Span> {
    [rtt, var].into_iter()
}

/// The timer of a TCP sender over the estimate `E`, towards one destination. Learns from exchanges without a
/// retransmission only.
#[derive(Clone, Debug)]
pub(crate) struct TcpTimer<E: TcpEstimate> {
    p: E::Params,
    estimate: Option<E>,
    timer: Timer,
}

impl<E: TcpEstimate> Model for TcpTimer<E> {
    type Params = E::Params;
    const FAMILY: FamilyName = E::FAMILY;
    const STATE: &'static [StateSpec] = E::STATE;
    fn new(p: E::Params) -> Self {
        Self { timer: Timer::new(E::initial(&p), E::back_off(&p).max), p, estimate: None }
    }
}

impl<E: TcpEstimate> Estimator for TcpTimer<E> {
    fn on_transmit(&mut self, _now: Instant, flight: &Flight, dither: Dither) -> Span {
        self.timer.arm(flight, dither, E::back_off(&self.p))
    }

    fn on_timeout(&mut self, _now: Instant, _flight: &Flight) {
        self.timer.expire(E::back_off(&self.p));
    }

    fn on_ack(&mut self, now: Instant, flight: &Flight, sample: Sample) {
        let Some(r) = sample.unambiguous(now, flight) else { return };
        let timeout = match &mut self.estimate {
            Some(estimate) => estimate.update(r, self.timer.rto, &self.p),
            none => {
                let (estimate, timeout) = E::first(r, self.timer.rto, &self.p);
                *none = Some(estimate);
                timeout
            }
        };
        self.timer.set(timeout, E::back_off(&self.p).max);
    }

    fn state(&self, _now: Instant) -> EstimatorState {
        let names = E::STATE.iter().map(|variable| variable.name);
        let mut known = self.estimate.map(E::values);
        let last = E::STATE.len() - 1;
        let value = |(at, name)| {
            let value = if at == last { Some(self.timer.rto) } else { known.as_mut().and_then(Iterator::next) };
            (name, value)
        };
        EstimatorState {
            rto: self.timer.rto,
            mode: self.timer.mode(self.estimate.is_some()),
            values: names.enumerate().map(value).collect(),
        }
    }

    fn clone_box(&self) -> Box<dyn Estimator> {
        Box::new(self.clone())
    }
}
