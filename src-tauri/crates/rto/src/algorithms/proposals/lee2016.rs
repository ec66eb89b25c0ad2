//! Lee, Kim & Youn 2016: every copy carries its number (the RC option), so every acknowledgement is a
//! clean sample, and the deviation term has a lower bound.

use crate::params::{choice, cite, params, reading};
use crate::parts::ewma::{Deviation, Gains, Order, Smoothed};
use crate::parts::vbf::{Key, Vbf};
use crate::spec::{Family, FamilyName, Model, Preset, Rank, Set, StateSpec, time};
use crate::{Dither, Estimator, EstimatorState, Flight, Memo, Ratio, Sample};
use base::{Instant, Span};

choice! {
    /// Quantity that the lower bound L bounds.
    pub(crate) enum Bounded {
        /// RTO_observe = RTT + max(K·RTTVAR, L).
        Term = "term",
        /// RTTVAR itself, as it is stored: RTTVAR ← max(RTTVAR, L) after every sample.
        Rttvar = "rttvar" => "RTTVAR",
    }
}

params! {
    /// Parameters of the timer of Lee, Kim & Youn 2016, eq. 7–11.
    pub(crate) struct Params {
        /// The RTO before any sample.
        rto_initial: Span = Span::from_secs(2), in Span::from_millis(1) => Span::from_secs(60),
            "Initial RTO", cite("Lee, Kim & Youn 2016, initialization stage; RFC 7252 §4.8"), "start";
        /// The weight of a new sample in the RTT.
        alpha: Ratio = Ratio::new(1, 4), in Ratio::ZERO => Ratio::ONE,
            "RTT gain α", cite("Lee, Kim & Youn 2016, eq. 7"), "estimate";
        /// The weight of a new deviation in the RTTVAR.
        beta: Ratio = Ratio::new(1, 8), in Ratio::ZERO => Ratio::ONE,
            "RTTVAR gain β", cite("Lee, Kim & Youn 2016, eq. 8"), "estimate";
        /// The order in which the two means are updated.
        order: Order = Order::VarianceFirst, "Order",
            reading("Lee, Kim & Youn 2016 print the RTT first and cite RFC 6298, which updates it last"), "estimate";
        /// Number of RTTVARs that the timeout adds.
        k: Ratio = Ratio::new(4, 1), in Ratio::ZERO => Ratio::new(16, 1), "K", cite("Lee, Kim & Youn 2016, eq. 9"), "estimate";
        /// The least contribution of the deviation (L).
        lower_bound: Span = Span::from_millis(500), in Span::ZERO => Span::from_secs(60), "Lower bound L",
            reading("Lee, Kim & Youn 2016 print 5000 ms for delays of 5 to 500 ms; 500 ms was probably meant"), "estimate";
        /// The quantity that the lower bound applies to.
        bounded: Bounded = Bounded::Term, "Bounded", cite("Lee, Kim & Youn 2016, eq. 9"), "estimate";
        /// The weight of a new estimate in the RTO.
        weight: Ratio = Ratio::new(1, 2), in Ratio::ZERO => Ratio::ONE, "Weight",
            reading("Lee, Kim & Youn 2016, eq. 10, \"the mechanism employed by CoCoA\": its strong weight"), "estimate";
        /// The back-off factor of small timeouts.
        vbf_low: Ratio = Ratio::new(3, 1), in Ratio::ONE => Ratio::new(8, 1),
            "VBF, small", cite("Lee, Kim & Youn 2016, eq. 11"), "back-off";
        /// The back-off factor between the borders.
        vbf_mid: Ratio = Ratio::new(2, 1), in Ratio::ONE => Ratio::new(8, 1),
            "VBF, middle", cite("Lee, Kim & Youn 2016, eq. 11"), "back-off";
        /// The back-off factor of large timeouts.
        vbf_high: Ratio = Ratio::new(3, 2), in Ratio::ONE => Ratio::new(8, 1),
            "VBF, large", cite("Lee, Kim & Youn 2016, eq. 11"), "back-off";
        /// Timeouts below this are small.
        vbf_low_below: Span = Span::from_secs(1), in Span::ZERO => Span::from_secs(60),
            "Small below", cite("Lee, Kim & Youn 2016, eq. 11"), "back-off";
        /// Timeouts above this are large.
        vbf_high_above: Span = Span::from_secs(3), in Span::ZERO => Span::from_secs(60),
            "Large above", cite("Lee, Kim & Youn 2016, eq. 11"), "back-off";
        /// The timeout that chooses the factor.
        vbf_key: Key = Key::Overall, "VBF chosen by", cite("Lee, Kim & Youn 2016, eq. 11 and its description of CoCoA"), "back-off";
        /// The first timeout is drawn from [1, this] times the RTO.
        random_factor: Ratio = Ratio::new(3, 2), in Ratio::ONE => Ratio::new(4, 1), "Random factor",
            reading("Lee, Kim & Youn 2016 dither the first exchange and do not mention the others"), "start";
        /// The longest timeout that is armed, and the largest RTO.
        rto_max: Span = Span::from_secs(60), in Span::from_secs(1) => Span::from_secs(3600),
            "Largest RTO", reading("Lee, Kim & Youn 2016 do not mention a limit"), "limits";
    }
}

/// The timer of Lee, Kim & Youn towards one destination.
#[derive(Clone, Debug)]
pub(crate) struct Lee2016 {
    p: Params,
    smoothed: Option<Smoothed>,
    rto: Span,
}

impl Lee2016 {
    /// RTO_observe (eq. 9), once there is a sample.
    fn observed(&self) -> Option<Span> {
        let floor = match self.p.bounded {
            Bounded::Term => self.p.lower_bound,
            Bounded::Rttvar => Span::ZERO,
        };
        self.smoothed.map(|s| s.rto(self.p.k, floor))
    }

    /// The back-off factors.
    fn vbf(&self) -> Vbf {
        let p = &self.p;
        Vbf {
            low: p.vbf_low,
            mid: p.vbf_mid,
            high: p.vbf_high,
            low_below: p.vbf_low_below,
            high_above: p.vbf_high_above,
            key: p.vbf_key,
        }
    }
}

impl Model for Lee2016 {
    type Params = Params;
    const FAMILY: FamilyName = FamilyName::new("lee2016", "Lee et al. 2016");
    const STATE: &'static [StateSpec] =
        &[time("rtt", "RTT"), time("rttvar", "RTTVAR"), time("rto_observe", "Observed RTO"), time("rto", "RTO")];
    fn new(p: Params) -> Self {
        Self { rto: p.rto_initial, p, smoothed: None }
    }
}

impl Estimator for Lee2016 {
    fn on_transmit(&mut self, _now: Instant, flight: &Flight, dither: Dither) -> Span {
        let timeout = if flight.attempt() == 0 {
            flight.memo.set(Memo { base: self.rto, ..Memo::default() });
            dither.stretch(self.rto, self.p.random_factor)
        } else {
            self.vbf().back_off(flight, self.rto)
        };
        timeout.min(self.p.rto_max)
    }

    fn on_ack(&mut self, now: Instant, flight: &Flight, sample: Sample) {
        // A peer that does not echo the option leaves retransmitted exchanges ambiguous: no sample (reading).
        let Some(r) = sample.unambiguous(now, flight) else { return };
        let p = &self.p;
        let gains = Gains { alpha: p.alpha, beta: p.beta, order: p.order, deviation: Deviation::Absolute };
        Smoothed::take(&mut self.smoothed, r, &gains);
        if let (Bounded::Rttvar, Some(s)) = (p.bounded, &mut self.smoothed) {
            s.var = s.var.max(p.lower_bound);
        }
        if let Some(observed) = self.observed() {
            self.rto = self.p.weight.blend(self.rto, observed).min(self.p.rto_max).max(Span::from_nanos(1));
        }
    }

    fn state(&self, _now: Instant) -> EstimatorState {
        EstimatorState {
            rto: self.rto,
            mode: if self.smoothed.is_some() { "estimating" } else { "initial" },
            values: vec![
                ("rtt", self.smoothed.map(|s| s.rtt)),
                ("rttvar", self.smoothed.map(|s| s.var)),
                ("rto_observe", self.observed()),
                ("rto", Some(self.rto)),
            ],
        }
    }

    fn clone_box(&self) -> Box<dyn Estimator> {
        Box::new(self.clone())
    }
}

pub(crate) const RC: Preset = Preset {
    id: "lee2016",
    name: "RC option",
    summary: "Every copy says its number, so every answer is a clean sample; the deviation counts at least 0.5 s.",
    rank: Rank::BPlus,
    reading: false,
    citation: "Lee, Kim & Youn 2016, eq. 7–11",
    marks_attempts: true,
    dithers: true,
    default: true,
    waits_after_last: true,
    monotone: true,
    warnings: &[
        "The equations are images missing from the text that was read; the prose names every term (Lee, Kim & Youn 2016).",
        "The printed lower bound of 5000 ms is ten times the longest delay of the experiment (Lee, Kim & Youn 2016).",
        "The option is absent from originals here and empty on them in FASOR (Lee, Kim & Youn 2016; draft-ietf-core-fasor-02).",
        "A server that resends its first cached response echoes an older count, and the sample is too long (RFC 7252 §4.5).",
    ],
    assumptions: &[],
    diagram: None,
    set: &[],
    family: Family::of::<Lee2016>(),
};

pub(crate) const L5S: Preset = Preset {
    id: "lee2016_L5s",
    name: "RC option, L = 5 s",
    summary: "The RC option with the lower bound of 5000 ms that the paper prints.",
    default: false,
    warnings: &[
        "A bound ten times the longest delay of the experiment: probably 500 ms was meant (Lee, Kim & Youn 2016).",
    ],
    set: &[Set("lower_bound", "5", cite("Lee, Kim & Youn 2016, experiment: 5000 ms"))],
    ..RC
};

pub(crate) const RTT_ESTIMATE: Preset = Preset {
    id: "lee2016_rttestimate",
    name: "RC option, no bound",
    summary: "The RC option without the lower bound: the first half of the paper's ablation.",
    citation: "Lee, Kim & Youn 2016, fig. 14 (RTTestimate)",
    warnings: &[
        "The equations are images missing from the text that was read; the prose names every term (Lee, Kim & Youn 2016).",
    ],
    set: &[Set("lower_bound", "0", cite("Lee, Kim & Youn 2016, fig. 14: eq. 7 only"))],
    ..L5S
};

pub(crate) const LOWER_BOUND: Preset = Preset {
    id: "lee2016_lowerbound",
    name: "Lower bound, no RC",
    summary: "The lower bound without the RC option: retransmitted exchanges give no sample.",
    citation: "Lee, Kim & Youn 2016, fig. 14 (Lowerbound)",
    warnings: &[
        "The equations are images missing from the text that was read; the prose names every term (Lee, Kim & Youn 2016).",
    ],
    marks_attempts: false,
    set: &[],
    ..L5S
};
