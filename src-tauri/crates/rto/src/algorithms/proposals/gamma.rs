//! A reading of Balandina et al. 2013: an EWMA whose gain is the ratio of the sample and the RTO.

use crate::algorithms::tcp::{TcpEstimate, TcpTimer};
use crate::arithmetic::Quotient;
use crate::params::{cite, params, reading};
use crate::parts::ewma::Smoothed;
use crate::parts::timer::{BackOff, Karn};
use crate::spec::{Family, FamilyName, Preset, Rank, StateSpec, number, time};
use crate::{Ratio, Unit};
use base::Span;

params! {
    /// Parameters of the timer of Balandina et al. 2013, abstract.
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

/// RTT and RTTVAR, and the gain γ of the latest sample.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gamma {
    smoothed: Smoothed,
    gain: Quotient,
}

/// Returns the gain min(R / RTO, 1) of the sample `r`.
fn gain(r: Span, rto: Span) -> Quotient {
    Quotient::of(r, rto).min(Quotient::ONE)
}

impl TcpEstimate for Gamma {
    type Params = Params;
    const FAMILY: FamilyName = FamilyName::new("gamma", "Balandina γ").under("CoCoA");
    const STATE: &'static [StateSpec] =
        &[number("gamma", "Gain γ", Unit::Ratio), time("srtt", "SRTT"), time("rttvar", "RTTVAR"), time("rto", "RTO")];

    fn initial(p: &Params) -> Span {
        p.rto_initial
    }

    fn back_off(p: &Params) -> BackOff {
        BackOff { factor: p.backoff, random_factor: p.random_factor, max: p.rto_max, karn: Karn::Dropped }
    }

    fn first(r: Span, rto: Span, p: &Params) -> (Self, Span) {
        let smoothed = Smoothed::first(r);
        (Self { smoothed, gain: gain(r, rto) }, smoothed.rto(p.k, Span::ZERO))
    }

    fn update(&mut self, r: Span, rto: Span, p: &Params) -> Span {
        let (gain, s) = (gain(r, rto), self.smoothed);
        let smoothed = Smoothed { var: gain.blend(s.var, (s.rtt - r).abs()), rtt: gain.blend(s.rtt, r) };
        *self = Self { smoothed, gain };
        smoothed.rto(p.k, Span::ZERO)
    }

    fn values(self) -> impl Iterator<Item = Span> {
        [self.gain.seconds(), self.smoothed.rtt, self.smoothed.var].into_iter()
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
    family: Family::of::<TcpTimer<Gamma>>(),
};
