//! A reading of Balandina et al. 2013: an EWMA whose gain is the ratio of the sample and the RTO.

use crate::arithmetic::Quotient;
use crate::params::{cite, params, reading};
use crate::parts::ewma::Smoothed;
use crate::parts::timer::{BackOff, Karn, Timer};
use crate::spec::{Family, FamilyName, Model, Preset, Rank, StateSpec, number, time};
use crate::{Dither, Estimator, EstimatorState, Flight, Ratio, Sample, Unit};
use base::{Instant, Span};

params! {
    /// Balandina et al. 2013, abstract.
    pub(crate) struct Params {
        /// The timeout before any sample.
        rto_initial: Span = Span::from_secs(2), in Span::from_millis(1) => Span::from_secs(60),
            "Initial RTO", reading("RFC 7252 §4.8"), "start";
        /// The first timeout is drawn from [1, this] times the RTO; 1 does not dither.
        random_factor: Ratio = Ratio::ONE, in Ratio::ONE => Ratio::new(4, 1),
            "Random factor", reading("the abstract mentions no dithering"), "start";
        /// Number of RTTVARs that the timeout adds to the SRTT.
        k: Ratio = Ratio::new(4, 1), in Ratio::ZERO => Ratio::new(16, 1), "K", reading("RFC 6298 §2.3"), "estimate";
        /// The largest timeout.
        rto_max: Span = Span::from_secs(60), in Span::from_secs(1) => Span::from_secs(3600),
            "Largest RTO", reading("RFC 6298 §2.5"), "limits";
        /// Each retransmission multiplies the timeout by this.
        backoff: Ratio = Ratio::new(2, 1), in Ratio::ONE => Ratio::new(8, 1),
            "Back-off factor", cite("RFC 7252 §4.2"), "back-off";
    }
}

/// The state towards one destination.
#[derive(Clone, Debug)]
pub(crate) struct Gamma {
    p: Params,
    /// The means and the gain of the latest sample.
    smoothed: Option<(Smoothed, Quotient)>,
    timer: Timer,
}

impl Params {
    fn back_off(&self) -> BackOff {
        BackOff { factor: self.backoff, random_factor: self.random_factor, max: self.rto_max, karn: Karn::Dropped }
    }
}

impl Model for Gamma {
    type Params = Params;
    const FAMILY: FamilyName = FamilyName::new("gamma", "Balandina γ").under("CoCoA");
    const STATE: &'static [StateSpec] =
        &[number("gamma", "Gain γ", Unit::Ratio), time("srtt", "SRTT"), time("rttvar", "RTTVAR"), time("rto", "RTO")];
    fn new(p: Params) -> Self {
        Self { timer: Timer::new(p.rto_initial, p.rto_max), p, smoothed: None }
    }
}

impl Estimator for Gamma {
    fn on_transmit(&mut self, _now: Instant, flight: &Flight, dither: Dither) -> Span {
        self.timer.arm(flight, dither, self.p.back_off())
    }

    fn on_ack(&mut self, now: Instant, flight: &Flight, sample: Sample) {
        let Some(r) = sample.unambiguous(now, flight) else { return };
        let gain = Quotient::of(r, self.timer.rto).min(Quotient::ONE);
        let smoothed = match self.smoothed {
            None => Smoothed::first(r),
            Some((s, _)) => Smoothed { var: gain.blend(s.var, (s.rtt - r).abs()), rtt: gain.blend(s.rtt, r) },
        };
        self.smoothed = Some((smoothed, gain));
        self.timer.set(smoothed.rto(self.p.k, Span::ZERO), self.p.rto_max);
    }

    fn state(&self, _now: Instant) -> EstimatorState {
        EstimatorState {
            rto: self.timer.rto,
            mode: self.timer.mode(self.smoothed.is_some()),
            values: vec![
                ("gamma", self.smoothed.map(|(_, gain)| gain.seconds())),
                ("srtt", self.smoothed.map(|(s, _)| s.rtt)),
                ("rttvar", self.smoothed.map(|(s, _)| s.var)),
                ("rto", Some(self.timer.rto)),
            ],
        }
    }

    fn clone_box(&self) -> Box<dyn Estimator> {
        Box::new(self.clone())
    }
}

pub(crate) const BALANDINA: Preset = Preset {
    id: "balandina_gamma_reading",
    name: "Balandina γ, reading",
    summary: "One estimator whose gain is the ratio of the sample and the RTO, as an abstract has it. Not to be called CoCoA-E.",
    rank: Rank::C,
    reading: true,
    citation: "Balandina et al. 2013, abstract",
    marks_attempts: false,
    dithers: false,
    default: false,
    waits_after_last: true,
    monotone: true,
    warnings: &[
        "Three descriptions of CoCoA-E contradict each other: a gain of R/RTO (its abstract), other weights in the weak estimator (Lee, Kim & Youn 2016), the Eifel timer (Deshmukh & Raisinghani 2022 §II).",
    ],
    assumptions: &[
        "γ = min(1, R/RTO) is the gain of both means.",
        "The timeout is SRTT + 4·RTTVAR, doubled on expiry, from exchanges without a retransmission only.",
        "The first sample leaves R and R/2 (RFC 6298 §2.2).",
    ],
    diagram: None,
    set: &[],
    family: Family::of::<Gamma>(),
};
