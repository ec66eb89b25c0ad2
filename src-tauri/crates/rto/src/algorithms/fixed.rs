//! 3 s, then half as much again for every retransmission. Learns nothing.

use crate::params::{cite, params};
use crate::spec::{Family, FamilyName, Model, Preset, Rank, StateSpec};
use crate::{Dither, Estimator, EstimatorState, Flight, Ratio, Sample};
use base::{Instant, Span};

params! {
    /// Plant handbook, 3rd edition.
    pub(crate) struct Params {
        /// The timeout of the original transmission.
        first: Span = Span::from_secs(3), in Span::from_millis(1) => Span::from_secs(600),
            "First timeout", cite("Plant handbook, p. 12");
        /// Each retransmission multiplies the timeout by this.
        factor: Ratio = Ratio::new(3, 2), in Ratio::ONE => Ratio::new(8, 1),
            "Back-off factor", cite("Plant handbook, p. 13");
    }
}

/// The state towards one destination.
#[derive(Clone, Debug)]
pub(crate) struct Fixed {
    p: Params,
}

impl Model for Fixed {
    type Params = Params;
    const FAMILY: FamilyName = FamilyName::new("fixed", "Fixed");
    const STATE: &'static [StateSpec] = &[];
    fn new(p: Params) -> Self {
        Self { p }
    }
}

impl Estimator for Fixed {
    fn on_transmit(&mut self, _now: Instant, flight: &Flight, _dither: Dither) -> Span {
        if flight.attempt() == 0 { self.p.first } else { self.p.factor.of(flight.last_armed()) }
    }

    fn on_ack(&mut self, _now: Instant, _flight: &Flight, _sample: Sample) {}

    fn state(&self, _now: Instant) -> EstimatorState {
        EstimatorState { rto: self.p.first, mode: "constant", values: Vec::new() }
    }

    fn clone_box(&self) -> Box<dyn Estimator> {
        Box::new(self.clone())
    }
}

pub(crate) const FIXED: Preset = Preset {
    id: "fixed",
    name: "Fixed, 3 s",
    summary: "3 s, then half as much again for every retransmission; learns nothing.",
    rank: Rank::A,
    reading: false,
    citation: "Plant handbook, 3rd edition, pp. 12–13",
    marks_attempts: false,
    dithers: false,
    default: false,
    waits_after_last: true,
    monotone: true,
    warnings: &[],
    assumptions: &[],
    diagram: None,
    set: &[],
    family: Family::of::<Fixed>(),
};
