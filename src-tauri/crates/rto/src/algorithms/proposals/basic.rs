//! Californium's basic timer: a multiple of the latest round trip time, whatever it was.

use crate::params::{cite, params, reading};
use crate::parts::timer::{BackOff, Karn, Timer};
use crate::spec::{Family, FamilyName, Model, Preset, Rank, StateSpec, time};
use crate::{Dither, Estimator, EstimatorState, Flight, Ratio, Sample};
use base::{Instant, Span};

params! {
    /// Parameters of the basic timer (Californium, BasicRto).
    pub(crate) struct Params {
        /// The timeout before any sample.
        rto_initial: Span = Span::from_secs(2), in Span::from_millis(1) => Span::from_secs(60),
            "Initial RTO", cite("RFC 7252 §4.8"), "start";
        /// The timeout as a multiple of the latest round trip time.
        factor: Ratio = Ratio::new(3, 2), in Ratio::new(1, 10) => Ratio::new(16, 1),
            "Factor", cite("Californium 3, BasicRto"), "estimate";
        /// The largest timeout.
        rto_max: Span = Span::from_secs(60), in Span::from_secs(1) => Span::from_secs(3600),
            "Largest RTO", cite("Californium: back-off cap"), "limits";
        /// Each retransmission multiplies the timeout by this.
        backoff: Ratio = Ratio::new(2, 1), in Ratio::ONE => Ratio::new(8, 1),
            "Back-off factor", cite("RFC 7252 §4.2"), "back-off";
        /// The first timeout is drawn from [1, this] times the RTO; 1 does not dither.
        random_factor: Ratio = Ratio::ONE, in Ratio::ONE => Ratio::new(4, 1),
            "Random factor", reading("Californium's reliability layer dithers; the algorithm does not"), "start";
    }
}

/// The basic timer towards one destination.
#[derive(Clone, Debug)]
pub(crate) struct Basic {
    p: Params,
    timer: Timer,
    sampled: bool,
}

impl Params {
    fn back_off(&self) -> BackOff {
        BackOff { factor: self.backoff, random_factor: self.random_factor, max: self.rto_max, karn: Karn::Dropped }
    }
}

impl Model for Basic {
    type Params = Params;
    const FAMILY: FamilyName = FamilyName::new("basic", "Basic RTO");
    const STATE: &'static [StateSpec] = &[time("rto", "RTO")];
    fn new(p: Params) -> Self {
        Self { timer: Timer::new(p.rto_initial, p.rto_max), p, sampled: false }
    }
}

impl Estimator for Basic {
    fn on_transmit(&mut self, _now: Instant, flight: &Flight, dither: Dither) -> Span {
        self.timer.arm(flight, dither, self.p.back_off())
    }

    fn on_ack(&mut self, _now: Instant, _flight: &Flight, sample: Sample) {
        // From the first transmission, however many there were.
        self.timer.set(self.p.factor.of(sample.from_first()), self.p.rto_max);
        self.sampled = true;
    }

    fn state(&self, _now: Instant) -> EstimatorState {
        let rto = self.timer.rto;
        EstimatorState { rto, mode: self.timer.mode(self.sampled), values: vec![("rto", Some(rto))] }
    }

    fn clone_box(&self) -> Box<dyn Estimator> {
        Box::new(self.clone())
    }
}

pub(crate) const BASIC: Preset = Preset {
    id: "basic_rto",
    name: "Basic RTO",
    summary: "One and a half times the latest round trip, retransmitted or not, and no smoothing.",
    rank: Rank::A,
    reading: false,
    citation: "Californium 3, BasicRto",
    marks_attempts: false,
    dithers: false,
    default: true,
    waits_after_last: true,
    monotone: true,
    warnings: &[
        "The factor is 1.5 in Californium 3 and in the comments of all versions, 1 in the code of Californium 1 and 2.",
    ],
    assumptions: &[],
    diagram: None,
    set: &[],
    family: Family::of::<Basic>(),
};
