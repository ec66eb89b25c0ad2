//! `BasicRto`, `LinuxRto` and `PeakhopperRto` of Californium 2.x.

use super::super::round;
use super::{Class, Kind, Layer, Params, Peer};
use crate::spec::{FamilyName, StateSpec, time};
use crate::{Ratio, Unit};
use base::Span;

/// `BasicRto`: the last round trip, from whatever copy after whatever retransmissions.
#[derive(Clone, Debug)]
pub(super) struct Basic;

impl Class for Basic {
    type Params = Params;
    const FAMILY: FamilyName = FamilyName::new("californium2_basic", "Basic RTO, Californium 2").under("Californium 2");
    const STATE: &'static [StateSpec] = &[time("rto", "RTO"), time("estimate", "Estimated RTO")];

    fn layer(p: &Params) -> Layer {
        Layer::plain(p)
    }

    fn new(_p: &Params) -> Self {
        Self
    }

    fn measured(&mut self, _p: &Params, peer: &mut Peer, _kind: Kind, rtt: i64, _now: i64) {
        peer.blind = false;
        peer.update(rtt);
    }

    fn factor(p: &Params, _rto: i64) -> Ratio {
        p.backoff
    }

    fn values(&self, peer: &Peer, _aged: i64) -> Vec<Option<Span>> {
        vec![Some(Span::from_millis(peer.current)), Some(Span::from_millis(peer.mean))]
    }
}

/// The least `mdev_max`, in milliseconds: a quarter of the kernel's TCP_RTO_MIN of 200 ms (Californium
/// 2.8, LinuxRto).
const MDEV_MIN: i64 = 50;

/// `LinuxRto`: the kernel's estimator, all in milliseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Linux {
    srtt: i64,
    rttvar: i64,
    mdev: i64,
    mdev_max: i64,
    measured: bool,
}

impl Linux {
    /// `initializeRTOEstimators`.
    fn initialize(&mut self, rtt: i64) {
        self.srtt = rtt;
        self.mdev = rtt / 2;
        self.mdev_max = self.mdev.max(MDEV_MIN);
        self.rttvar = self.mdev_max;
        self.measured = true;
    }

    /// `updateEstimator`: every product is rounded by itself. The falling-RTT test sees the SRTT already
    /// updated, the kernel's does not; and every sample ends a window.
    fn update(&mut self, rtt: i64) {
        let times = |factor: f64, millis: i64| round(factor * millis as f64);
        self.srtt += times(0.125, rtt - self.srtt);
        let deviation = (rtt - self.srtt).abs();
        self.mdev = if rtt < self.srtt - self.mdev {
            times(0.968_75, self.mdev) + times(0.031_25, deviation)
        } else {
            times(0.75, self.mdev) + times(0.25, deviation)
        };
        if self.mdev > self.mdev_max {
            self.mdev_max = self.mdev;
            self.rttvar = self.rttvar.max(self.mdev_max);
        }
        if self.mdev_max < self.rttvar {
            self.rttvar = times(0.75, self.rttvar) + times(0.25, self.mdev_max);
        }
        self.mdev_max = MDEV_MIN;
    }
}

impl Class for Linux {
    type Params = Params;
    const FAMILY: FamilyName = FamilyName::new("californium2_linux", "Linux, Californium 2").under("Californium 2");
    const STATE: &'static [StateSpec] = &[
        time("rto", "RTO"),
        time("estimate", "Estimated RTO"),
        time("srtt", "SRTT"),
        time("rttvar", "RTTVAR"),
        time("mdev", "Mean deviation"),
        time("mdev_max", "Largest deviation"),
    ];

    fn layer(p: &Params) -> Layer {
        Layer::plain(p)
    }

    fn new(_p: &Params) -> Self {
        Self::default()
    }

    fn measured(&mut self, _p: &Params, peer: &mut Peer, kind: Kind, rtt: i64, _now: i64) {
        if kind != Kind::Strong {
            return;
        }
        if self.measured {
            self.update(rtt)
        } else {
            self.initialize(rtt)
        }
        peer.blind = false;
        peer.update(self.srtt + 4 * self.rttvar);
    }

    fn factor(p: &Params, _rto: i64) -> Ratio {
        p.backoff
    }

    fn values(&self, peer: &Peer, _aged: i64) -> Vec<Option<Span>> {
        let known = |millis: i64| self.measured.then(|| Span::from_millis(millis));
        let [current, mean] = [peer.current, peer.mean].map(|millis| Some(Span::from_millis(millis)));
        vec![current, mean, known(self.srtt), known(self.rttvar), known(self.mdev), known(self.mdev_max)]
    }
}

/// Decay of the RTO per sample: 1 − 1/F with F = 24 (Californium 2.8, RemoteEndpoint.D_value).
const D: f64 = 1.0 - 1.0 / 24.0;
/// The largest variability (Californium 2.8, RemoteEndpoint.B_max_value).
const B_MAX: f64 = 1.0;
/// Two ticks of 50 ms: the margin over the peak, in milliseconds (Californium 2.8, PeakhopperRto).
const MARGIN: i64 = 100;

/// `Math.max`: undefined as soon as one of the two is.
fn max(a: f64, b: f64) -> f64 {
    if a.is_nan() {
        a
    } else if b.is_nan() {
        b
    } else {
        a.max(b)
    }
}

/// Smaller of two values; NaN where either is (`Math.min`).
fn min(a: f64, b: f64) -> f64 {
    -max(-a, -b)
}

/// `PeakhopperRto`, in double precision.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PeakHopper {
    delta: f64,
    b: f64,
    rtt_max: i64,
    /// Still 0 at the second sample: the first does not set it.
    rtt_previous: i64,
    rto_min: i64,
    samples: [i64; 2],
    /// Index in `samples` that is replaced next. The original shares it between all peers of a layer.
    second: bool,
}

impl PeakHopper {
    fn store(&mut self, rtt: i64) {
        let [first, second] = &mut self.samples;
        *(if self.second { second } else { first }) = rtt;
        self.second = !self.second;
    }

    /// `updateEstimator`: the new RTO. A round trip of 0 ms makes δ infinite or undefined.
    fn update(&mut self, rto: i64, rtt: i64) -> i64 {
        self.store(rtt);
        self.delta = ((rtt - self.rtt_previous) as f64 / rtt as f64).abs();
        self.b = min(max(self.delta * 2.0, D * self.b), B_MAX);
        self.rtt_max = rtt.max(self.rtt_previous);
        self.rto_min = self.samples.into_iter().fold(0, i64::max) + MARGIN;
        let hopped = max(D * rto as f64, (1.0 + self.b) * self.rtt_max as f64) as i64;
        self.rtt_previous = rtt;
        hopped.max(self.rtt_max + MARGIN).max(self.rto_min)
    }
}

impl Class for PeakHopper {
    type Params = Params;
    const FAMILY: FamilyName =
        FamilyName::new("californium2_peak_hopper", "Peak-Hopper, Californium 2").under("Californium 2");
    const STATE: &'static [StateSpec] = &[
        time("rto", "RTO"),
        time("estimate", "Estimated RTO"),
        StateSpec { name: "delta", label: "Relative change δ", unit: Unit::Factor },
        StateSpec { name: "B", label: "Variability B", unit: Unit::Factor },
        time("rtt_max", "Peak RTT"),
        time("rtt_prev", "Previous RTT"),
        time("rto_min", "Smallest RTO"),
    ];

    fn layer(p: &Params) -> Layer {
        Layer::plain(p)
    }

    fn new(_p: &Params) -> Self {
        Self::default()
    }

    fn measured(&mut self, _p: &Params, peer: &mut Peer, kind: Kind, rtt: i64, _now: i64) {
        if kind != Kind::Strong {
            return;
        }
        peer.current = peer.mean;
        let rto = if peer.blind {
            self.store(rtt);
            // 1.75 times the first round trip (Californium 2.8, PeakhopperRto.initializeRTOEstimators).
            ((1.0 + 0.75) * rtt as f64) as i64
        } else {
            self.update(peer.rto(1), rtt)
        };
        peer.blind = false;
        peer.update(rto);
    }

    fn factor(p: &Params, _rto: i64) -> Ratio {
        p.backoff
    }

    fn values(&self, peer: &Peer, _aged: i64) -> Vec<Option<Span>> {
        let millis = |millis| Some(Span::from_millis(millis));
        let (delta, b) = (Span::from_secs_f64(self.delta), Span::from_secs_f64(self.b));
        let (max, previous, min) = (millis(self.rtt_max), millis(self.rtt_previous), millis(self.rto_min));
        vec![millis(peer.current), millis(peer.mean), delta, b, max, previous, min]
    }
}
