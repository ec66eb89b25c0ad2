//! The Eifel retransmission timer (Ludwig & Sklower 2000) and CoAP-Eifel (Rathod et al. 2020), which
//! puts it into CoAP. Neither paper was readable: this follows the open ports, which agree on the
//! equations and disagree on the first sample.

use super::{TcpEstimate, TcpTimer};
use crate::Ratio;
use crate::params::{choice, cite, params, reading};
use crate::parts::ewma::Smoothed;
use crate::parts::timer::{BackOff, Karn};
use crate::spec::{Family, FamilyName, Preset, Rank, Set, StateSpec};
use base::Span;

choice! {
    /// The effect of the first sample.
    pub(crate) enum Start {
        /// SRTT = R, RTTVAR = R/2: a first RTO of 2.5 R.
        Measured = "measured",
        /// Both start at zero and the ordinary update runs: a first RTO of 4/3 R.
        Zero = "zero",
    }
}

params! {
    /// Parameters of the Eifel timer (Ludwig & Sklower 2000), as ported.
    pub(crate) struct Params {
        /// The timeout before any sample.
        rto_initial: Span = Span::from_secs(2), in Span::from_millis(1) => Span::from_secs(60),
            "Initial RTO", reading("RFC 7252 §4.8: ACK_TIMEOUT"), "start";
        /// The effect of the first sample.
        start: Start = Start::Measured, "First sample", cite("Ludwig & Sklower 2000, ns-3 port"), "start";
        /// The first timeout is drawn from [1, this] times the RTO; 1 does not dither.
        random_factor: Ratio = Ratio::ONE, in Ratio::ONE => Ratio::new(4, 1),
            "Random factor", cite("Ludwig & Sklower 2000 have none"), "start";
        /// The gain g of both means; the timeout adds 1/g RTTVARs.
        gain: Ratio = Ratio::new(1, 3), in Ratio::new(1, 100) => Ratio::ONE,
            "Gain g", cite("Ludwig & Sklower 2000: 1/3 with one sample per round trip, which is NSTART 1"), "estimate";
        /// The timeout is at least this longer than the latest sample.
        margin: Span = Span::from_millis(20), in Span::ZERO => Span::from_secs(1),
            "Margin", reading("Ludwig & Sklower 2000: two clock ticks, taken for 10 ms each"), "limits";
        /// The largest timeout.
        rto_max: Span = Span::from_secs(60), in Span::from_secs(1) => Span::from_secs(3600),
            "Largest RTO", reading("RFC 6298 §2.5; no port has a smaller limit"), "limits";
        /// Each retransmission multiplies the timeout by this.
        backoff: Ratio = Ratio::new(2, 1), in Ratio::ONE => Ratio::new(8, 1),
            "Back-off factor", cite("RFC 6298 §5.5"), "back-off";
        /// Selects whether a backed-off timeout outlives its exchange.
        karn: Karn = Karn::Kept, "Backed-off RTO", cite("RFC 6298 §5.5–5.7"), "back-off";
    }
}

/// Takes a sample: δ = R − SRTT, g' = g if δ ≥ RTTVAR else g²; RTTVAR += g'·(δ − RTTVAR) unless δ < 0; SRTT += g·δ.
pub(crate) fn predict(s: &mut Smoothed, r: Span, g: Ratio) {
    let error = r - s.rtt;
    if error >= Span::ZERO {
        let step = g.of(error - s.var);
        s.var += if step >= Span::ZERO { step } else { g.of(step) };
    }
    s.rtt += g.of(error);
}

/// Returns the timeout max(SRTT + RTTVAR/g, R + margin), where R is the latest sample.
pub(crate) fn timeout(s: Smoothed, r: Span, g: Ratio, margin: Span) -> Span {
    (s.rtt + s.var.scale(g.den(), g.num())).max(r + margin)
}

/// SRTT and RTTVAR of the Eifel timer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eifel(Smoothed);

impl TcpEstimate for Eifel {
    type Params = Params;
    const FAMILY: FamilyName = FamilyName::new("eifel", "Eifel");
    const STATE: &'static [StateSpec] = super::SMOOTHED;

    fn initial(p: &Params) -> Span {
        p.rto_initial
    }

    fn back_off(p: &Params) -> BackOff {
        BackOff { factor: p.backoff, random_factor: p.random_factor, max: p.rto_max, karn: p.karn }
    }

    fn first(r: Span, rto: Span, p: &Params) -> (Self, Span) {
        if p.start == Start::Measured {
            let smoothed = Smoothed::first(r);
            return (Self(smoothed), timeout(smoothed, r, p.gain, p.margin));
        }
        let mut zero = Self(Smoothed { rtt: Span::ZERO, var: Span::ZERO });
        let timeout = zero.update(r, rto, p);
        (zero, timeout)
    }

    fn update(&mut self, r: Span, _rto: Span, p: &Params) -> Span {
        predict(&mut self.0, r, p.gain);
        timeout(self.0, r, p.gain, p.margin)
    }

    fn values(self) -> impl Iterator<Item = Span> {
        super::smoothed(self.0)
    }
}

/// Warning that both presets and [`super::eifel_ticks`] share.
pub(crate) const FIRST_SAMPLE: &str =
    "The ports of the Eifel timer disagree on the first sample: R and R/2 (ns-3), or zero and zero (the CoAP ports).";

pub(crate) const TIMER: Preset = Preset {
    id: "eifel_timer",
    name: "Eifel timer",
    summary: "A timer that follows a rising round trip time closely and does not mistake a falling one for variance.",
    rank: Rank::BPlus,
    reading: false,
    citation: "Ludwig & Sklower 2000, as ported to ns-3",
    marks_attempts: false,
    dithers: false,
    default: false,
    waits_after_last: true,
    monotone: true,
    warnings: &[FIRST_SAMPLE],
    assumptions: &[
        "A clock tick is 10 ms; the ports use the tick of their platform (Ludwig & Sklower 2000 was not readable).",
    ],
    diagram: None,
    set: &[],
    family: Family::of::<TcpTimer<Eifel>>(),
};

pub(crate) const COAP: Preset = Preset {
    id: "coap_eifel",
    name: "CoAP-Eifel",
    summary: "The Eifel timer in place of CoAP's constant: one estimator, clean samples only, started from zero.",
    rank: Rank::AMinus,
    citation: "Rathod et al. 2020, as ported to Contiki",
    dithers: true,
    default: true,
    warnings: &[
        FIRST_SAMPLE,
        "Started from zero, the first RTO is 4/3 of the first round trip: a spurious retransmission is likely (CoAP-Eifel ports).",
        "One of six ports has the gains 0.33 and 0.09 and the floor SRTT + 2 ticks instead.",
    ],
    assumptions: &[
        "The timeout that an expiry doubles and keeps is the one before dithering; the Contiki ports write back the timer as it was \
         armed (coap_eifel_ticks).",
    ],
    set: &[
        Set("start", "zero", cite("CoAP-Eifel, Contiki ports")),
        Set("random_factor", "3/2", cite("CoAP-Eifel, Contiki ports; RFC 7252 §4.8")),
        Set("margin", "0.015625", cite("CoAP-Eifel, Contiki ports: R + 2 ticks of 1/128 s")),
    ],
    ..TIMER
};
