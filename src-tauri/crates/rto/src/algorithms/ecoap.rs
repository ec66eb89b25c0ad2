//! The congestion controllers of the ECOAP project (University of Pisa and CNR, 2018, Python), which
//! hand a node the timeouts of its next exchange: `simple` follows the round trip, `rpl` the topology.
//! Its CoCoA is in [`cocoa`].

pub(crate) mod cocoa;

use crate::params::{cite, params, reading};
use crate::spec::{Family, FamilyName, Model, Preset, Rank, StateSpec, time};
use crate::{Dither, Estimator, EstimatorState, Flight, Sample};
use base::{Instant, Span};

/// `n` milliseconds; none at all fires at once.
fn millis(n: i64) -> Span {
    Span::from_millis(n).max(Span::from_nanos(1))
}

params! {
    /// Parameters of the controller `simple` (ECOAP 2018, `ecoap_local_control_simple_cc.py`).
    pub(crate) struct SimpleParams {
        /// The history before any sample.
        history_initial: Span = Span::from_millis(2_500), in Span::from_millis(1) => Span::from_secs(60),
            "Initial history", reading("ecoap_local_control_simple_cc.py draws it from 2 to 3 s when it starts; the middle");
        /// The longest timeout.
        timer_max: Span = Span::from_secs(4_294_967), in Span::from_secs(600) => Span::from_secs(4_294_967),
            "Longest timeout", cite("the node's parameter has 32 bits of milliseconds");
    }
}

/// Timeouts of one to four times a slow mean of the round trips.
#[derive(Clone, Debug)]
pub(crate) struct Simple {
    p: SimpleParams,
    /// `historic_rtt`, in milliseconds.
    history: i64,
}

impl Model for Simple {
    type Params = SimpleParams;
    const FAMILY: FamilyName = FamilyName::new("ecoap_simple", "ECOAP simple").under("ECOAP");
    const STATE: &'static [StateSpec] = &[time("h", "History")];
    fn new(p: SimpleParams) -> Self {
        Self { history: p.history_initial.millis(), p }
    }
}

impl Estimator for Simple {
    fn on_transmit(&mut self, _now: Instant, flight: &Flight, dither: Dither) -> Span {
        let base = self.history.saturating_mul(i64::from(flight.attempt()) + 1);
        millis(base.saturating_add(dither.below(base.saturating_add(1)))).min(self.p.timer_max)
    }

    /// Every answer counts, from the first copy.
    fn on_ack(&mut self, _now: Instant, _flight: &Flight, sample: Sample) {
        // ECOAP 2018, `ecoap_local_control_simple_cc.py`.
        const KEEP: f64 = 0.9;
        let rtt = sample.from_first().millis();
        self.history = (rtt as f64 * (1.0 - KEEP) + self.history as f64 * KEEP) as i64;
    }

    fn state(&self, _now: Instant) -> EstimatorState {
        EstimatorState {
            rto: millis(self.history).min(self.p.timer_max),
            mode: "estimating",
            values: vec![("h", Some(Span::from_millis(self.history)))],
        }
    }

    fn clone_box(&self) -> Box<dyn Estimator> {
        Box::new(self.clone())
    }
}

params! {
    /// Parameters of the controller `rpl` (ECOAP 2018, `rpl_global_cc.py`).
    pub(crate) struct RplParams {
        /// Hops from the node to the root; 0 when the topology is not known.
        hops: i32 = 0, in 0 => 64, "Hops to the root", reading("the topology is not in a CoAP capture");
        /// Flows that pass through the node.
        flows_through: i32 = 0, in 0 => 10_000, "Flows through the node", reading("the topology is not in a CoAP capture");
        /// Flows of the whole network, each counted at every hop.
        flows_total: i32 = 1, in 1 => 100_000, "Flows in all", reading("the topology is not in a CoAP capture");
        /// The longest timeout.
        timer_max: Span = Span::from_secs(4_294_967), in Span::from_secs(600) => Span::from_secs(4_294_967),
            "Longest timeout", cite("the node's parameter has 32 bits of milliseconds");
    }
}

/// Timeouts from the node's place in the RPL tree; nothing is learned from an exchange.
#[derive(Clone, Debug)]
pub(crate) struct Rpl {
    p: RplParams,
    /// The bounds of the first timeout, in milliseconds.
    first: (i64, i64),
    /// The back-off factor, in hundredths.
    factor: i64,
}

impl Rpl {
    /// The bounds of copy `attempt`, in milliseconds.
    fn bounds(&self, attempt: u8) -> (i64, i64) {
        let factor = (self.factor as f64 / 100.0).powi(i32::from(attempt));
        ((self.first.0 as f64 * factor) as i64, (self.first.1 as f64 * factor) as i64)
    }
}

impl Model for Rpl {
    type Params = RplParams;
    const FAMILY: FamilyName = FamilyName::new("ecoap_rpl", "ECOAP RPL").under("ECOAP");
    const STATE: &'static [StateSpec] = &[];
    fn new(p: RplParams) -> Self {
        let hops = i64::from(p.hops);
        // (250·hops, 500·hops, 2 + 2·through/total), or (2000, 3000, 1.5) without topology.
        let (first, factor) = if hops == 0 {
            ((2_000, 3_000), 150)
        } else {
            // Rounded to two digits.
            let share = f64::from(p.flows_through) / f64::from(p.flows_total);
            ((250 * hops, 500 * hops), ((2.0 + 2.0 * share) * 100.0).round() as i64)
        };
        Self { p, first, factor }
    }
}

impl Estimator for Rpl {
    fn on_transmit(&mut self, _now: Instant, flight: &Flight, dither: Dither) -> Span {
        let (low, high) = self.bounds(flight.attempt());
        let drawn = dither.below(high.saturating_sub(low).saturating_add(1));
        millis(low.saturating_add(drawn)).min(self.p.timer_max)
    }

    fn on_ack(&mut self, _now: Instant, _flight: &Flight, _sample: Sample) {}

    fn state(&self, _now: Instant) -> EstimatorState {
        EstimatorState { rto: millis(self.first.0).min(self.p.timer_max), mode: "constant", values: Vec::new() }
    }

    fn clone_box(&self) -> Box<dyn Estimator> {
        Box::new(self.clone())
    }
}

/// Warning that holds for all three controllers.
const THREE: &str =
    "The original sends three retransmissions, each with a timeout of its own, not four (ECOAP 2018, `coap_rto`).";

pub(crate) const SIMPLE: Preset = Preset {
    id: "ecoap_simple",
    name: "ECOAP simple",
    summary: "One to four times a slow mean of the round trips, each dithered up to its double.",
    rank: Rank::A,
    reading: false,
    citation: "ECOAP 2018, ecoap_local_control_simple_cc.py",
    marks_attempts: false,
    dithers: true,
    default: false,
    waits_after_last: true,
    monotone: false,
    warnings: &[
        THREE,
        "Every copy is dithered on its own and the ranges overlap, so a later timeout may be shorter (ECOAP 2018, \
         ecoap_local_control_simple_cc.py).",
        "Round trips of retransmitted exchanges count from the first copy without limit, so under heavy loss the timeouts grow \
         without bound (ECOAP 2018, ecoap_local_control_simple_cc.py).",
    ],
    assumptions: &[],
    diagram: None,
    set: &[],
    family: Family::of::<Simple>(),
};

pub(crate) const RPL: Preset = Preset {
    id: "ecoap_rpl",
    name: "ECOAP RPL",
    summary: "Timeouts from the node's hops to the root and its share of the flows; learns nothing from exchanges.",
    citation: "ECOAP 2018, rpl_global_cc.py, ecoap_local_control_rpl_cc.py",
    monotone: true,
    warnings: &[
        THREE,
        "Revisions differ in the numbers (100 and 150 ms a hop, 1.5 + 1.5·share; 250 and 500 ms, 2 + 2·share as here), and one \
         cuts the factor to a whole number on the node (ECOAP 2018, rpl_global_cc.py, ecoap_local_control_rpl_cc.py).",
    ],
    family: Family::of::<Rpl>(),
    ..SIMPLE
};
