//! The retransmission timer of Linux (`tcp_rtt_estimator`, net/ipv4/tcp_input.c) in exact
//! arithmetic: the mean deviation shrinks slowly when the round trip time falls, and the variance is
//! the largest deviation of a window. [`super::linux_kernel`] is the same in the kernel's integers.

use super::{TcpEstimate, TcpTimer};
use crate::Ratio;
use crate::params::{cite, params, reading};
use crate::parts::ewma::Smoothed;
use crate::parts::timer::{BackOff, Karn};
use crate::spec::{Family, FamilyName, Preset, Rank, StateSpec, time};
use base::Span;

params! {
    /// Parameters of Linux' timer (net/ipv4/tcp_input.c and include/net/tcp.h).
    pub(crate) struct Params {
        /// The timeout before any sample.
        rto_initial: Span = Span::from_secs(2), in Span::from_millis(1) => Span::from_secs(60),
            "Initial RTO", reading("RFC 7252 §4.8: ACK_TIMEOUT in place of TCP's 1 s"), "start";
        /// The weight of a new sample in the SRTT.
        alpha: Ratio = Ratio::new(1, 8), in Ratio::ZERO => Ratio::ONE,
            "SRTT gain", cite("Linux, tcp_rtt_estimator"), "estimate";
        /// The weight of a new deviation in the mean deviation.
        beta: Ratio = Ratio::new(1, 4), in Ratio::ZERO => Ratio::ONE,
            "Deviation gain", cite("Linux, tcp_rtt_estimator"), "estimate";
        /// The weight of a deviation above the mean deviation when the round trip time falls: a fall is no congestion.
        beta_fall: Ratio = Ratio::new(1, 32), in Ratio::ZERO => Ratio::ONE,
            "Deviation gain, falling", cite("Linux, tcp_rtt_estimator"), "estimate";
        /// The weight of a window's largest deviation when it is below the RTTVAR.
        decay: Ratio = Ratio::new(1, 4), in Ratio::ZERO => Ratio::ONE,
            "RTTVAR decay", cite("Linux, tcp_rtt_estimator"), "estimate";
        /// Number of RTTVARs that the timeout adds to the SRTT.
        k: Ratio = Ratio::new(4, 1), in Ratio::ZERO => Ratio::new(16, 1), "K", cite("Linux, __tcp_set_rto"), "estimate";
        /// The least that the timeout adds to the SRTT (TCP_RTO_MIN).
        rto_min: Span = Span::from_millis(200), in Span::ZERO => Span::from_secs(60),
            "Smallest margin", cite("Linux, tcp.h: TCP_RTO_MIN"), "limits";
        /// The largest timeout (TCP_RTO_MAX).
        rto_max: Span = Span::from_secs(120), in Span::from_secs(1) => Span::from_secs(3600),
            "Largest RTO", cite("Linux, tcp.h: TCP_RTO_MAX"), "limits";
        /// Each retransmission multiplies the timeout by this.
        backoff: Ratio = Ratio::new(2, 1), in Ratio::ONE => Ratio::new(8, 1),
            "Back-off factor", cite("RFC 6298 §5.5"), "back-off";
        /// Selects whether a backed-off timeout outlives its exchange.
        karn: Karn = Karn::Kept, "Backed-off RTO", cite("RFC 6298 §5.5–5.7"), "back-off";
    }
}

/// Linux' estimates from the samples so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Linux {
    srtt: Span,
    mdev: Span,
    /// The largest mean deviation of the running window.
    mdev_max: Span,
    rttvar: Span,
}

impl Params {
    /// TCP_RTO_MIN enters as the floor of a window's deviation: K of it are the smallest margin.
    fn floor(&self) -> Span {
        if self.k.num() > 0 { self.rto_min.scale(self.k.den(), self.k.num()) } else { Span::ZERO }
    }
}

impl Linux {
    /// Starts from the first sample `r`: SRTT = R, deviation = R/2 (RFC 6298 §2.2), with the floor.
    fn started(r: Span, p: &Params) -> Self {
        let Smoothed { rtt, var } = Smoothed::first(r);
        let rttvar = var.max(p.floor());
        Self { srtt: rtt, mdev: var, mdev_max: rttvar, rttvar }
    }

    /// Takes a later sample `r` (`tcp_rtt_estimator`).
    fn learn(&mut self, r: Span, p: &Params) {
        let error = r - self.srtt;
        self.srtt = p.alpha.blend(self.srtt, r);
        let gain = if error < Span::ZERO && error.abs() > self.mdev { p.beta_fall } else { p.beta };
        self.mdev = gain.blend(self.mdev, error.abs());
        if self.mdev > self.mdev_max {
            self.mdev_max = self.mdev;
            self.rttvar = self.rttvar.max(self.mdev_max);
        }
        // A window is one round trip of sequence space in TCP; with one exchange open it is every sample.
        if self.mdev_max < self.rttvar {
            self.rttvar = p.decay.blend(self.rttvar, self.mdev_max);
        }
        self.mdev_max = p.floor();
    }

    /// Returns SRTT + K·RTTVAR, not yet capped.
    fn timeout(&self, p: &Params) -> Span {
        self.srtt + p.k.of(self.rttvar)
    }
}

impl TcpEstimate for Linux {
    type Params = Params;
    const FAMILY: FamilyName = FamilyName::new("linux", "Linux");
    const STATE: &'static [StateSpec] = &[
        time("srtt", "SRTT"),
        time("mdev", "Mean deviation"),
        time("mdev_max", "Largest deviation"),
        time("rttvar", "RTTVAR"),
        time("rto", "RTO"),
    ];

    fn initial(p: &Params) -> Span {
        p.rto_initial
    }

    fn back_off(p: &Params) -> BackOff {
        BackOff { factor: p.backoff, random_factor: Ratio::ONE, max: p.rto_max, karn: p.karn }
    }

    fn first(r: Span, _rto: Span, p: &Params) -> (Self, Span) {
        let estimate = Self::started(r, p);
        (estimate, estimate.timeout(p))
    }

    fn update(&mut self, r: Span, _rto: Span, p: &Params) -> Span {
        self.learn(r, p);
        self.timeout(p)
    }

    fn values(self) -> impl Iterator<Item = Span> {
        [self.srtt, self.mdev, self.mdev_max, self.rttvar].into_iter()
    }
}

pub(crate) const EXACT: Preset = Preset {
    id: "linux_rto",
    name: "Linux",
    summary: "Linux' TCP timer with CoAP's start of 2 s: falling round trip times hardly widen it, and it is 0.2 s above the SRTT.",
    rank: Rank::A,
    reading: false,
    citation: "Linux, net/ipv4/tcp_input.c, tcp_rtt_estimator",
    marks_attempts: false,
    dithers: false,
    default: true,
    waits_after_last: true,
    monotone: true,
    warnings: &[
        "TCP ends a window of deviations once per round trip; with one exchange open every sample does (Linux, tcp_rtt_estimator).",
    ],
    assumptions: &[],
    diagram: None,
    set: &[],
    family: Family::of::<TcpTimer<Linux>>(),
};
