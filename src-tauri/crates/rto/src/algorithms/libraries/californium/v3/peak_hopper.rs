//! `PeakhopperRto` of Californium 3.x, in single precision.

use super::{Class, Kind, Layer, Params, Peer};
use crate::spec::{FamilyName, StateSpec, time};
use crate::{Ratio, Unit};
use base::{Instant, Span};

/// Decay of the RTO per sample: 1 − 1/F with F = 24 (Californium 3.14, PeakhopperRto).
const D: f32 = 1.0 - 1.0 / 24.0;
/// The largest variability (Californium 3.14, PeakhopperRto).
const B_MAX: f32 = 1.0;
/// Two ticks of 50 ms: the margin over the peak, in milliseconds (Californium 3.14, PeakhopperRto).
const MARGIN: i64 = 100;

/// `PeakhopperRto`: state of one peer; times in milliseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PeakHopper {
    delta: f32,
    b: f32,
    rtt_max: i64,
    /// Still 0 at the second sample: the first does not set it.
    rtt_previous: i64,
    rto_min: i64,
    samples: [i64; 2],
    /// Index in `samples` that is replaced next.
    second: bool,
}

impl PeakHopper {
    fn store(&mut self, rtt: i64) {
        let [first, second] = &mut self.samples;
        *(if self.second { second } else { first }) = rtt;
        self.second = !self.second;
    }

    /// `updateEstimator`: the new RTO.
    fn update(&mut self, rto: i64, rtt: i64) -> i64 {
        self.store(rtt);
        // An integer division: 0 unless the round trip at least halves. A sample is at least 1 ms.
        self.delta = ((rtt - self.rtt_previous) / rtt).abs() as f32;
        self.b = (self.delta * 2.0).max(D * self.b).min(B_MAX);
        self.rtt_max = rtt.max(self.rtt_previous);
        self.rto_min = self.samples.into_iter().fold(-1, i64::max) + MARGIN;
        let hopped = (D * rto as f32).max((1.0 + self.b) * self.rtt_max as f32) as i64;
        self.rtt_previous = rtt;
        hopped.max(self.rtt_max + MARGIN).max(self.rto_min)
    }
}

impl Class for PeakHopper {
    type Params = Params;
    const FAMILY: FamilyName =
        FamilyName::new("californium3_peak_hopper", "Peak-Hopper, Californium 3").under("Californium 3");
    const STATE: &'static [StateSpec] = &[
        time("rto", "RTO"),
        StateSpec { name: "delta", label: "Relative change δ", unit: Unit::Factor },
        StateSpec { name: "B", label: "Variability B", unit: Unit::Factor },
        time("rtt_max", "Peak RTT"),
        time("rtt_prev", "Previous RTT"),
        time("rto_min", "Smallest RTO"),
    ];

    fn layer(p: &Params) -> Layer {
        Layer::plain(p)
    }

    fn new(_p: &Params, _now: Instant) -> Self {
        Self::default()
    }

    fn measured(&mut self, _p: &Params, layer: &Layer, peer: &mut Peer, kind: Kind, rtt: i64, _now: Instant) {
        if kind != Kind::Strong {
            return;
        }
        peer.rto = if peer.initialized {
            self.update(peer.rto(layer, peer.open), rtt)
        } else {
            peer.initialized = true;
            self.store(rtt);
            // 1.75 times the first round trip (Californium 3.14, PeakhopperRto.initializeRTOEstimators).
            ((1.0 + 0.75) * rtt as f64) as i64
        };
    }

    fn factor(p: &Params, _first: i64) -> Ratio {
        p.backoff
    }

    fn values(&self) -> Vec<Option<Span>> {
        let millis = |millis| Some(Span::from_millis(millis));
        let number = |x: f32| Span::from_secs_f64(f64::from(x));
        let (delta, b) = (number(self.delta), number(self.b));
        vec![delta, b, millis(self.rtt_max), millis(self.rtt_previous), millis(self.rto_min)]
    }
}
