//! `Cocoa` and `Rto` of Californium 3.x.

use super::super::{Samples, round};
use super::{Class, Kind, Layer, Order, Peer, int};
use crate::Ratio;
use crate::params::{cite, params};
use crate::spec::{FamilyName, Model, StateSpec};
use base::{Instant, Span};

params! {
    /// Parameters of CoCoA in Californium 3.14: `Cocoa`, `Rto`, `CongestionControlLayer`.
    pub(crate) struct Params {
        /// The RTO before any sample.
        rto_initial: Span = Span::from_secs(2), in Span::from_millis(1) => Span::from_secs(60),
            "Initial RTO", cite("Californium 3.14, CoapConfig.ACK_TIMEOUT; RFC 7252 §4.8");
        /// The weight of a new sample in the RTT.
        alpha: Ratio = Ratio::new(1, 4), in Ratio::ZERO => Ratio::ONE,
            "RTT gain α", cite("Californium 3.14, Rto.ALPHA; RFC 6298 §2.3 has 1/8");
        /// The weight of a new deviation in the RTTVAR.
        beta: Ratio = Ratio::new(1, 8), in Ratio::ZERO => Ratio::ONE,
            "RTTVAR gain β", cite("Californium 3.14, Rto.BETA; RFC 6298 §2.3 has 1/4");
        /// The least an estimator adds to its RTT.
        granularity: Span = Span::from_millis(100), in Span::ZERO => Span::from_secs(1),
            "Granularity G", cite("Californium 3.14, Rto.G");
        /// Number of RTTVARs that the strong estimator adds.
        k_strong: i32 = 4, in 0 => 16, "Strong K", cite("Californium 3.14, Cocoa.KSTRONG");
        /// Number of RTTVARs that the weak estimator adds.
        k_weak: i32 = 1, in 0 => 16, "Weak K", cite("Californium 3.14, Cocoa.KWEAK");
        /// The weight of the strong estimator in the RTO.
        weight_strong: Ratio = Ratio::new(1, 2), in Ratio::ZERO => Ratio::ONE,
            "Strong weight", cite("Californium 3.14, Cocoa.STRONGWEIGHTING");
        /// The weight of the weak estimator in the RTO.
        weight_weak: Ratio = Ratio::new(1, 4), in Ratio::ZERO => Ratio::ONE,
            "Weak weight", cite("Californium 3.14, Cocoa.WEAKWEIGHTING");
        /// Selects whether retransmitted exchanges give samples.
        samples: Samples = Samples::Both, "Samples", cite("Californium 3.14, CongestionControlMode.COCOA");
        /// The back-off factor after a first timeout below 1 s.
        vbf_low: Ratio = Ratio::new(3, 1), in Ratio::ONE => Ratio::new(8, 1),
            "VBF, small", cite("Californium 3.14, Cocoa.VBFLOW");
        /// The back-off factor between the borders.
        vbf_mid: Ratio = Ratio::new(2, 1), in Ratio::ONE => Ratio::new(8, 1),
            "VBF, middle", cite("Californium 3.14, CoapConfig.ACK_TIMEOUT_SCALE");
        /// The back-off factor after a first timeout above 3 s.
        vbf_high: Ratio = Ratio::new(3, 2), in Ratio::ONE => Ratio::new(8, 1),
            "VBF, large", cite("Californium 3.14, Cocoa.VBFHIGH");
        /// Selects whether a pause shows in the next timeout or in the one after it.
        order: Order = Order::TimerFirst, "Ageing",
            cite("Californium 3.14, CongestionControlLayer.sendRequest: prepareRequest before checkAging");
        /// The first timeout is drawn from [1, this] times the RTO.
        random_factor: Ratio = Ratio::new(3, 2), in Ratio::ONE => Ratio::new(4, 1),
            "Random factor", cite("Californium 3.14, CoapConfig.ACK_INIT_RANDOM; RFC 7252 §4.8");
        /// The shortest first timeout.
        timer_min: Span = Span::from_millis(500), in Span::from_millis(1) => Span::from_secs(60),
            "Shortest timeout", cite("Californium 3.14, CongestionControlLayer.MIN_RTO");
        /// The longest timeout that is armed.
        timer_max: Span = Span::from_secs(60), in Span::from_secs(60) => Span::from_secs(600),
            "Longest timeout", cite("Californium 3.14, CongestionControlLayer.MAX_RTO");
        /// A peer unused for this long is forgotten.
        inactivity: Span = Span::from_secs(600), in Span::from_secs(60) => Span::from_secs(86_400),
            "Peer forgotten after", cite("Californium 3.14, CoapConfig.MAX_PEER_INACTIVITY_PERIOD");
    }
}

/// The borders of the back-off factor and of ageing, in milliseconds (Californium 3.14,
/// Cocoa.LOWERVBFLIMIT and UPPERVBFLIMIT). Both belong to the middle.
const LOWER: i64 = 1_000;
/// Upper border; see [`LOWER`].
const UPPER: i64 = 3_000;

/// `Rto`: one of the two estimators, in milliseconds.
#[derive(Clone, Copy, Debug, Default)]
struct Rto {
    rtt: i64,
    rttvar: i64,
    /// Estimate, milliseconds; `None` before there is a sample.
    rto: Option<i64>,
}

impl Rto {
    fn apply(&mut self, p: &Params, k: i32, rtt: i64) -> i64 {
        let blend = |gain: f64, old: i64, new: i64| round((1.0 - gain) * old as f64 + gain * new as f64);
        (self.rttvar, self.rtt) = if self.rto.is_some() {
            let deviation = (self.rtt - rtt).abs();
            (blend(p.beta.as_f64(), self.rttvar, deviation), blend(p.alpha.as_f64(), self.rtt, rtt))
        } else {
            (rtt / 2, rtt)
        };
        *self.rto.insert(self.rtt + (i64::from(k) * self.rttvar).max(p.granularity.millis()))
    }
}

/// `CocoaRemoteEndpoint`: the two estimators of one peer.
#[derive(Clone, Debug)]
pub(super) struct Cocoa {
    strong: Rto,
    weak: Rto,
    rto_initial: Span,
    /// The last sample or ageing.
    since: Instant,
}

impl Class for Cocoa {
    type Params = Params;
    const FAMILY: FamilyName = FamilyName::new("californium3_cocoa", "CoCoA, Californium 3").under("Californium 3");
    const STATE: &'static [StateSpec] = <crate::algorithms::cocoa::Cocoa as Model>::STATE;

    fn layer(p: &Params) -> Layer {
        Layer {
            rto_initial: p.rto_initial.millis(),
            timer_min: int(p.timer_min),
            timer_max: int(p.timer_max),
            inactivity: p.inactivity,
            order: p.order,
            random_factor: p.random_factor,
            blind: true,
        }
    }

    fn new(p: &Params, now: Instant) -> Self {
        Self { strong: Rto::default(), weak: Rto::default(), rto_initial: p.rto_initial, since: now }
    }

    /// Never marks the peer initialized: the blind rule stays in force for good.
    fn measured(&mut self, p: &Params, layer: &Layer, peer: &mut Peer, kind: Kind, rtt: i64, now: Instant) {
        let (estimate, weight) = match (kind, p.samples) {
            (Kind::Strong, _) => (self.strong.apply(p, p.k_strong, rtt), p.weight_strong.as_f64()),
            (Kind::Weak, Samples::Both) => (self.weak.apply(p, p.k_weak, rtt), p.weight_weak.as_f64()),
            _ => return,
        };
        peer.rto = round(weight * estimate as f64 + (1.0 - weight) * peer.rto(layer, peer.open) as f64);
        self.since = now;
    }

    /// Reads the factor off the timeout as armed: dithered and clamped.
    fn factor(p: &Params, first: i64) -> Ratio {
        if first > UPPER {
            p.vbf_high
        } else if first < LOWER {
            p.vbf_low
        } else {
            p.vbf_mid
        }
    }

    fn age(&mut self, _p: &Params, layer: &Layer, peer: &mut Peer, now: Instant) {
        let mut idle = (now - self.since).millis();
        let mut rto = peer.rto(layer, peer.open);
        loop {
            // Samples are at least 1 ms, so the RTO is never 0 and the loop ends.
            let (consumed, next) = if rto < LOWER && rto > 0 {
                (16 * rto, 2 * rto)
            } else if rto > UPPER {
                (4 * rto, 1_000 + rto / 2)
            } else {
                break;
            };
            if idle <= consumed {
                break;
            }
            idle -= consumed;
            rto = next;
            peer.rto = rto;
            self.since = now;
        }
    }

    fn values(&self) -> Vec<Option<Span>> {
        let Self { strong, weak, .. } = self;
        let estimate = |half: &Rto| Some(half.rto.map_or(self.rto_initial, Span::from_millis));
        let known = |half: &Rto, value: i64| half.rto.map(|_| Span::from_millis(value));
        vec![
            estimate(strong),
            estimate(weak),
            known(strong, strong.rtt),
            known(strong, strong.rttvar),
            known(weak, weak.rtt),
            known(weak, weak.rttvar),
        ]
    }
}
