//! The retransmission timer of Linux in the kernel's own integers: microseconds, the SRTT times
//! eight, deviations times four, shifts that round down (`tcp_rtt_estimator`, net/ipv4/tcp_input.c).

use super::{TcpEstimate, TcpTimer, linux};
use crate::Ratio;
use crate::params::{cite, params, reading};
use crate::parts::timer::{BackOff, Karn};
use crate::spec::{Family, FamilyName, Preset, StateSpec};
use base::Span;

params! {
    /// Parameters of Linux' timer (net/ipv4/tcp_input.c and include/net/tcp.h). The gains are shifts and cannot be set.
    pub(crate) struct Params {
        /// The timeout before any sample.
        rto_initial: Span = Span::from_secs(2), in Span::from_millis(1) => Span::from_secs(60),
            "Initial RTO", reading("RFC 7252 §4.8: ACK_TIMEOUT in place of TCP's 1 s"), "start";
        /// The least that the timeout adds to the SRTT (TCP_RTO_MIN), and the smallest timeout.
        rto_min: Span = Span::from_millis(200), in Span::ZERO => Span::from_secs(60),
            "Smallest RTO", cite("Linux, tcp.h: TCP_RTO_MIN"), "limits";
        /// The largest timeout (TCP_RTO_MAX).
        rto_max: Span = Span::from_secs(120), in Span::from_secs(1) => Span::from_secs(3600),
            "Largest RTO", cite("Linux, tcp.h: TCP_RTO_MAX"), "limits";
    }
}

/// Estimates from the samples so far, in microseconds. A [`Span`] holds at most 2^53 of them, so nothing here
/// overflows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinuxKernel {
    srtt_x8: i64,
    mdev_x4: i64,
    mdev_max_x4: i64,
    rttvar_x4: i64,
}

/// Microseconds, rounded down.
const fn micros(span: Span) -> i64 {
    span.nanos() / 1_000
}

impl LinuxKernel {
    /// Starts from the first sample: `r` and the smallest timeout `floor` in microseconds.
    fn started(r: i64, floor: i64) -> Self {
        let mdev = r << 1;
        Self { srtt_x8: (r << 3).max(1), mdev_x4: mdev, mdev_max_x4: mdev.max(floor), rttvar_x4: mdev.max(floor) }
    }

    /// Takes a later sample (`tcp_rtt_estimator`): `r` and the smallest timeout `floor` in microseconds.
    fn learn(&mut self, r: i64, floor: i64) {
        let error = r - (self.srtt_x8 >> 3);
        self.srtt_x8 = (self.srtt_x8 + error).max(1);
        let mut change = error.abs() - (self.mdev_x4 >> 2);
        if error < 0 && change > 0 {
            change >>= 3; // A fall widens the deviation eight times more slowly than a rise.
        }
        self.mdev_x4 += change;
        if self.mdev_x4 > self.mdev_max_x4 {
            self.mdev_max_x4 = self.mdev_x4;
            self.rttvar_x4 = self.rttvar_x4.max(self.mdev_max_x4);
        }
        // With one exchange open every sample ends a window.
        if self.mdev_max_x4 < self.rttvar_x4 {
            self.rttvar_x4 -= (self.rttvar_x4 - self.mdev_max_x4) >> 2;
        }
        self.mdev_max_x4 = floor;
    }

    /// Returns SRTT + 4·RTTVAR (`__tcp_set_rto`), at least the smallest timeout.
    fn timeout(&self, p: &Params) -> Span {
        Span::from_micros((self.srtt_x8 >> 3) + self.rttvar_x4).max(p.rto_min)
    }
}

impl TcpEstimate for LinuxKernel {
    type Params = Params;
    const FAMILY: FamilyName = FamilyName::new("linux_kernel", "Linux, kernel integers").under("Linux");
    const STATE: &'static [StateSpec] = linux::Linux::STATE;

    fn initial(p: &Params) -> Span {
        p.rto_initial
    }

    /// The kernel shifts the timeout left by one.
    fn back_off(p: &Params) -> BackOff {
        BackOff { factor: Ratio::new(2, 1), random_factor: Ratio::ONE, max: p.rto_max, karn: Karn::Kept }
    }

    fn first(r: Span, _rto: Span, p: &Params) -> (Self, Span) {
        let estimate = Self::started(micros(r), micros(p.rto_min));
        (estimate, estimate.timeout(p))
    }

    fn update(&mut self, r: Span, _rto: Span, p: &Params) -> Span {
        self.learn(micros(r), micros(p.rto_min));
        self.timeout(p)
    }

    fn values(self) -> impl Iterator<Item = Span> {
        let quarter = |x4: i64| Span::from_micros(x4).scale(1, 4);
        let srtt = Span::from_micros(self.srtt_x8 >> 3);
        [srtt, quarter(self.mdev_x4), quarter(self.mdev_max_x4), quarter(self.rttvar_x4)].into_iter()
    }
}

pub(crate) const KERNEL: Preset = Preset {
    id: "linux_rto_kernel",
    name: "Linux, kernel integers",
    summary: "Linux' TCP timer to the microsecond, with the kernel's scaled integers and shifts.",
    default: false,
    family: Family::of::<TcpTimer<LinuxKernel>>(),
    ..linux::EXACT
};
