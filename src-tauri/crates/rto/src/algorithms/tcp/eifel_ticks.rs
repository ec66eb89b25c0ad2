//! CoAP-Eifel (Rathod et al. 2020) in the integers of its Contiki ports: ticks of 1/128 s, divisions
//! that truncate.

use super::{TcpEstimate, eifel};
use crate::params::{cite, params, reading};
use crate::spec::{Family, FamilyName, Model, Preset, StateSpec};
use crate::{Dither, Estimator, EstimatorState, Flight, Sample};
use base::{Instant, Span};

/// Nanoseconds per tick: CLOCK_SECOND is 128 on the ports' platforms.
const TICK: i64 = 1_000_000_000 / 128;
/// 1/g with g = 1/3, one sample per round trip (Ludwig & Sklower 2000).
const DIVISOR: i64 = 3;

params! {
    /// Parameters of CoAP-Eifel in its Contiki ports.
    pub(crate) struct Params {
        /// The timeout before any sample.
        rto_initial: Span = Span::from_secs(2), in Span::from_millis(8) => Span::from_secs(60),
            "Initial RTO", cite("CoAP-Eifel, Contiki ports: 256 ticks"), "start";
        /// The timeout is at least this many ticks longer than the latest sample.
        margin: i32 = 2, in 0 => 128, "Margin", cite("CoAP-Eifel, Contiki ports: R + 2 ticks"), "limits";
        /// The largest timeout.
        rto_max: Span = Span::from_secs(60), in Span::from_secs(1) => Span::from_secs(3600),
            "Largest RTO", reading("RFC 6298 §2.5; the ports have no smaller limit"), "limits";
    }
}

/// CoAP-Eifel towards one destination, in ticks of 1/128 s.
#[derive(Clone, Debug)]
pub(crate) struct EifelTicks {
    p: Params,
    /// SRTT and RTTVAR, ticks; `None` before the first sample.
    entry: Option<(i64, i64)>,
    rto: i64,
}

fn ticks(span: Span) -> i64 {
    span.nanos() / TICK
}

fn span(ticks: i64) -> Span {
    Span::from_nanos(ticks.saturating_mul(TICK))
}

impl Model for EifelTicks {
    type Params = Params;
    const FAMILY: FamilyName = FamilyName::new("eifel_ticks", "Eifel, ticks").under("Eifel");
    const STATE: &'static [StateSpec] = eifel::Eifel::STATE;
    fn new(p: Params) -> Self {
        Self { rto: ticks(p.rto_initial.min(p.rto_max)).max(1), p, entry: None }
    }
}

impl Estimator for EifelTicks {
    fn on_transmit(&mut self, _now: Instant, flight: &Flight, dither: Dither) -> Span {
        let max = ticks(self.p.rto_max);
        if flight.attempt() == 0 {
            // RTO + rand % (RTO/2).
            let (n, d) = dither.ratio();
            return span((self.rto + (i128::from(self.rto / 2) * i128::from(n) / i128::from(d)) as i64).min(max));
        }
        let shifted = ticks(flight.last_armed()).saturating_mul(2).min(max);
        if self.entry.is_some() {
            self.rto = shifted; // Written back, dithering and all.
        }
        span(shifted)
    }

    fn on_ack(&mut self, now: Instant, flight: &Flight, sample: Sample) {
        let Some(r) = sample.unambiguous(now, flight).map(ticks) else { return };
        let (srtt, var) = self.entry.unwrap_or((0, 0));
        let error = r - srtt;
        let step = if error < 0 { 0 } else { error - var };
        let var = var + step / if step >= 0 { DIVISOR } else { DIVISOR * DIVISOR };
        let srtt = srtt + error / DIVISOR;
        self.entry = Some((srtt, var));
        self.rto = (srtt + DIVISOR * var).max(r + i64::from(self.p.margin)).min(ticks(self.p.rto_max)).max(1);
    }

    fn state(&self, _now: Instant) -> EstimatorState {
        EstimatorState {
            rto: span(self.rto),
            mode: if self.entry.is_some() { "estimating" } else { "initial" },
            values: vec![
                ("srtt", self.entry.map(|(srtt, _)| span(srtt))),
                ("rttvar", self.entry.map(|(_, var)| span(var))),
                ("rto", Some(span(self.rto))),
            ],
        }
    }

    fn clone_box(&self) -> Box<dyn Estimator> {
        Box::new(self.clone())
    }
}

pub(crate) const TICKS: Preset = Preset {
    id: "coap_eifel_ticks",
    name: "CoAP-Eifel, ticks",
    summary: "CoAP-Eifel in the integers of its Contiki ports: ticks of 1/128 s, no wait after the last copy.",
    default: false,
    waits_after_last: false,
    assumptions: &["The timer that a retransmission shifts is written back dithered, as it was armed."],
    set: &[],
    family: Family::of::<EifelTicks>(),
    ..eifel::COAP
};
