//! `LinuxRto` of Californium 3.x: the kernel's estimator in whole milliseconds.

use super::super::round;
use super::{Class, Kind, Layer, Params, Peer};
use crate::Ratio;
use crate::spec::{FamilyName, StateSpec, time};
use base::{Instant, Span};

/// The least `mdev_max`, in milliseconds: a quarter of the kernel's TCP_RTO_MIN of 200 ms (Californium 3.14, LinuxRto).
const MDEV_MIN: i64 = 50;

/// `LinuxRto`: state of the kernel's estimator, in milliseconds.
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

    /// `updateEstimator`. The falling-RTT test sees the SRTT already updated, the kernel's does not;
    /// and every sample ends a window.
    fn update(&mut self, rtt: i64) {
        self.srtt += round(0.125 * (rtt - self.srtt) as f64);
        let deviation = (rtt - self.srtt).abs() as f64;
        self.mdev = if rtt < self.srtt - self.mdev {
            round(0.968_75 * self.mdev as f64 + 0.031_25 * deviation)
        } else {
            round(0.75 * self.mdev as f64) + round(0.25 * deviation)
        };
        if self.mdev > self.mdev_max {
            self.mdev_max = self.mdev;
            self.rttvar = self.rttvar.max(self.mdev_max);
        }
        if self.mdev_max < self.rttvar {
            self.rttvar = round(0.75 * self.rttvar as f64 + 0.25 * self.mdev_max as f64);
        }
        self.mdev_max = MDEV_MIN;
    }
}

impl Class for Linux {
    type Params = Params;
    const FAMILY: FamilyName = FamilyName::new("californium3_linux", "Linux, Californium 3").under("Californium 3");
    const STATE: &'static [StateSpec] = &[
        time("rto", "RTO"),
        time("srtt", "SRTT"),
        time("rttvar", "RTTVAR"),
        time("mdev", "Mean deviation"),
        time("mdev_max", "Largest deviation"),
    ];

    fn layer(p: &Params) -> Layer {
        Layer::plain(p)
    }

    fn new(_p: &Params, _now: Instant) -> Self {
        Self::default()
    }

    fn measured(&mut self, _p: &Params, _layer: &Layer, peer: &mut Peer, kind: Kind, rtt: i64, _now: Instant) {
        if kind != Kind::Strong {
            return;
        }
        if peer.initialized {
            self.update(rtt);
        } else {
            peer.initialized = true;
            self.initialize(rtt);
        }
        peer.rto = self.srtt + 4 * self.rttvar;
    }

    fn factor(p: &Params, _first: i64) -> Ratio {
        p.backoff
    }

    fn values(&self) -> Vec<Option<Span>> {
        let known = |millis: i64| self.measured.then(|| Span::from_millis(millis));
        vec![known(self.srtt), known(self.rttvar), known(self.mdev), known(self.mdev_max)]
    }
}
