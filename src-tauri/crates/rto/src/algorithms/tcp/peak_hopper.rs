//! The Peak-Hopper timer (Ekström & Ludwig 2004): the timeout hops up to every peak of the round trip
//! time and decays slowly. The paper was not readable; this is a reading of what is said of it.
//! Californium's integers, the only CoAP source, are a family of their own.

use super::{TcpEstimate, TcpTimer};
use crate::arithmetic::Quotient;
use crate::params::{cite, params, reading};
use crate::parts::timer::{BackOff, Karn};
use crate::spec::{Family, FamilyName, Preset, Rank, StateSpec, number, time};
use crate::{Ratio, Unit};
use base::Span;

params! {
    /// Parameters of Peak-Hopper (Ekström & Ludwig 2004), through Californium 2.0, PeakhopperRto.
    pub(crate) struct Params {
        /// The timeout before any sample.
        rto_initial: Span = Span::from_secs(2), in Span::from_millis(1) => Span::from_secs(60),
            "Initial RTO", reading("RFC 7252 §4.8: ACK_TIMEOUT"), "start";
        /// The share of the timeout and of the boost that remains after each sample (D).
        decay: Ratio = Ratio::new(23, 24), in Ratio::ZERO => Ratio::ONE,
            "Decay D", cite("Californium 2.0, PeakhopperRto: 1 − 1/24"), "estimate";
        /// The boost after the first sample: a first RTO of 1.75 R.
        boost_first: Ratio = Ratio::new(3, 4), in Ratio::ZERO => Ratio::new(8, 1),
            "First boost", cite("Californium 2.0, PeakhopperRto: 1.75 R"), "estimate";
        /// The boost is this many times the relative rise of the round trip time.
        rise: Ratio = Ratio::new(2, 1), in Ratio::ZERO => Ratio::new(16, 1),
            "Rise weight", cite("Californium 2.0, PeakhopperRto"), "estimate";
        /// The largest boost (B_max).
        boost_max: Ratio = Ratio::ONE, in Ratio::ZERO => Ratio::new(8, 1),
            "Largest boost", cite("Californium 2.0, PeakhopperRto"), "estimate";
        /// The timeout is at least this longer than the larger of the latest two samples.
        margin: Span = Span::from_millis(100), in Span::ZERO => Span::from_secs(1),
            "Margin", reading("Two ticks of 50 ms; Californium has 100 ms"), "limits";
        /// The largest timeout.
        rto_max: Span = Span::from_secs(60), in Span::from_secs(1) => Span::from_secs(3600),
            "Largest RTO", cite("Californium 2.0: back-off cap"), "limits";
        /// Each retransmission multiplies the timeout by this.
        backoff: Ratio = Ratio::new(2, 1), in Ratio::ONE => Ratio::new(8, 1),
            "Back-off factor", cite("RFC 6298 §5.5"), "back-off";
        /// Selects whether a backed-off timeout outlives its exchange.
        karn: Karn = Karn::Kept, "Backed-off RTO", cite("RFC 6298 §5.5–5.7"), "back-off";
    }
}

/// The latest sample and the boost it left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PeakHopper {
    latest: Span,
    boost: Quotient,
}

impl PeakHopper {
    /// Returns the timeout max(`decayed`, (1 + boost)·`peak`, `peak` + margin), where `peak` is the larger of the last
    /// two samples.
    fn timeout(self, peak: Span, decayed: Span, p: &Params) -> Span {
        decayed.max(peak + self.boost.times(peak)).max(peak + p.margin)
    }
}

impl TcpEstimate for PeakHopper {
    type Params = Params;
    const FAMILY: FamilyName = FamilyName::new("peak_hopper", "Peak-Hopper");
    const STATE: &'static [StateSpec] =
        &[number("B", "Boost", Unit::Factor), time("rtt_prev", "Latest RTT"), time("rto", "RTO")];

    fn initial(p: &Params) -> Span {
        p.rto_initial
    }

    fn back_off(p: &Params) -> BackOff {
        BackOff { factor: p.backoff, random_factor: Ratio::ONE, max: p.rto_max, karn: p.karn }
    }

    fn first(r: Span, _rto: Span, p: &Params) -> (Self, Span) {
        let estimate = Self { latest: r, boost: Quotient::from_ratio(p.boost_first) };
        (estimate, estimate.timeout(r, Span::ZERO, p))
    }

    fn update(&mut self, r: Span, rto: Span, p: &Params) -> Span {
        let Self { latest, boost } = *self;
        // The rise relative to the older sample, with its sign: a fall gives no boost.
        let rise = Quotient::of(r - latest, latest).by(p.rise);
        *self = Self { latest: r, boost: rise.max(boost.by(p.decay)).min(Quotient::from_ratio(p.boost_max)) };
        self.timeout(r.max(latest), p.decay.of(rto), p)
    }

    fn values(self) -> impl Iterator<Item = Span> {
        [self.boost.seconds(), self.latest].into_iter()
    }
}

pub(crate) const READING: Preset = Preset {
    id: "peak_hopper_reading",
    name: "Peak-Hopper, reading",
    summary: "A timer that hops up to every peak of the round trip time and decays by 1/24 a sample.",
    rank: Rank::B,
    reading: true,
    citation: "Ekström & Ludwig 2004, through Californium 2.0",
    marks_attempts: false,
    dithers: false,
    default: false,
    waits_after_last: true,
    monotone: true,
    warnings: &[
        "Californium divides the rise by the new sample and takes its absolute value, and by an older sample of zero the first time (Californium 2.0, PeakhopperRto).",
        "A backed-off timeout stays in force and decays by 1/24 a sample only: after losses it is long for a long time (Californium 2.0, PeakhopperRto).",
    ],
    assumptions: &[
        "The rise is relative to the older sample and has a sign.",
        "The margin is two ticks of 50 ms.",
        "The constants D and B_max are Californium's.",
    ],
    diagram: None,
    set: &[],
    family: Family::of::<TcpTimer<PeakHopper>>(),
};
