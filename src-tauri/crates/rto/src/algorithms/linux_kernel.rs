//! The retransmission timer of Linux in the kernel's own integers: microseconds, the SRTT times
//! eight, deviations times four, shifts that round down (`tcp_rtt_estimator`, net/ipv4/tcp_input.c).

use super::linux;
use crate::params::{cite, params, reading};
use crate::parts::timer::{BackOff, Karn, Timer};
use crate::spec::{Family, FamilyName, Model, Preset, StateSpec};
use crate::{Dither, Estimator, EstimatorState, Flight, Ratio, Sample};
use base::{Instant, Span};

params! {
    /// Linux, net/ipv4/tcp_input.c and include/net/tcp.h. The gains are shifts and cannot be set.
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

/// Estimates from the samples so far, in microseconds. A [`Span`] holds at most 2^53 of them, so nothing here overflows.
#[derive(Clone, Copy, Debug)]
struct Estimate {
    srtt_x8: i64,
    mdev_x4: i64,
    mdev_max_x4: i64,
    rttvar_x4: i64,
}

/// The state towards one destination.
#[derive(Clone, Debug)]
pub(crate) struct LinuxKernel {
    p: Params,
    estimate: Option<Estimate>,
    timer: Timer,
}

/// Microseconds, rounded down.
const fn micros(span: Span) -> i64 {
    span.nanos() / 1_000
}

impl Params {
    /// The kernel shifts the timeout left by one.
    fn back_off(&self) -> BackOff {
        BackOff { factor: Ratio::new(2, 1), random_factor: Ratio::ONE, max: self.rto_max, karn: Karn::Kept }
    }
}

impl Estimate {
    fn first(r: i64, floor: i64) -> Self {
        let mdev = r << 1;
        Self { srtt_x8: (r << 3).max(1), mdev_x4: mdev, mdev_max_x4: mdev.max(floor), rttvar_x4: mdev.max(floor) }
    }

    fn update(&mut self, r: i64, floor: i64) {
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

    /// SRTT + 4·RTTVAR in microseconds (`__tcp_set_rto`).
    fn rto(&self) -> i64 {
        (self.srtt_x8 >> 3) + self.rttvar_x4
    }
}

impl Model for LinuxKernel {
    type Params = Params;
    const FAMILY: FamilyName = FamilyName::new("linux_kernel", "Linux, kernel integers").under("Linux");
    const STATE: &'static [StateSpec] = linux::Linux::STATE;
    fn new(p: Params) -> Self {
        Self { timer: Timer::new(p.rto_initial, p.rto_max), p, estimate: None }
    }
}

impl Estimator for LinuxKernel {
    fn on_transmit(&mut self, _now: Instant, flight: &Flight, dither: Dither) -> Span {
        self.timer.arm(flight, dither, self.p.back_off())
    }

    fn on_timeout(&mut self, _now: Instant, _flight: &Flight) {
        self.timer.expire(self.p.back_off());
    }

    fn on_ack(&mut self, now: Instant, flight: &Flight, sample: Sample) {
        let Some(r) = sample.unambiguous(now, flight).map(micros) else { return };
        let floor = micros(self.p.rto_min);
        let estimate = match &mut self.estimate {
            Some(estimate) => {
                estimate.update(r, floor);
                *estimate
            }
            none => *none.insert(Estimate::first(r, floor)),
        };
        self.timer.set(Span::from_micros(estimate.rto()).max(self.p.rto_min), self.p.rto_max);
    }

    fn state(&self, _now: Instant) -> EstimatorState {
        let quarter = |x4: i64| Span::from_micros(x4).scale(1, 4);
        let values = [
            self.estimate.map(|e| Span::from_micros(e.srtt_x8 >> 3)),
            self.estimate.map(|e| quarter(e.mdev_x4)),
            self.estimate.map(|e| quarter(e.mdev_max_x4)),
            self.estimate.map(|e| quarter(e.rttvar_x4)),
            Some(self.timer.rto),
        ];
        EstimatorState {
            rto: self.timer.rto,
            mode: self.timer.mode(self.estimate.is_some()),
            values: Self::STATE.iter().map(|s| s.name).zip(values).collect(),
        }
    }

    fn clone_box(&self) -> Box<dyn Estimator> {
        Box::new(self.clone())
    }
}

pub(crate) const KERNEL: Preset = Preset {
    id: "linux_rto_kernel",
    name: "Linux, kernel integers",
    summary: "Linux' TCP timer to the microsecond, with the kernel's scaled integers and shifts.",
    default: false,
    family: Family::of::<LinuxKernel>(),
    ..linux::EXACT
};
