//! The TCP timer of RFC 6298 with Karn's algorithm, as it stands and as used for CoAP.

use super::{TcpEstimate, TcpTimer};
use crate::Ratio;
use crate::params::{cite, params, reading};
use crate::parts::ewma::{Deviation, Gains, Order, Smoothed};
use crate::parts::timer::{BackOff, Karn};
use crate::spec::{Family, FamilyName, Preset, Rank, Set, StateSpec};
use base::Span;

params! {
    /// Parameters of RFC 6298 §2.
    pub(crate) struct Params {
        /// The timeout before any sample.
        rto_initial: Span = Span::from_secs(1), in Span::from_millis(1) => Span::from_secs(60),
            "Initial RTO", cite("RFC 6298 §2.1"), "start";
        /// The weight of a new sample in the SRTT.
        alpha: Ratio = Ratio::new(1, 8), in Ratio::ZERO => Ratio::ONE, "SRTT gain α", cite("RFC 6298 §2.3"), "estimate";
        /// The weight of a new deviation in the RTTVAR.
        beta: Ratio = Ratio::new(1, 4), in Ratio::ZERO => Ratio::ONE, "RTTVAR gain β", cite("RFC 6298 §2.3"), "estimate";
        /// Number of RTTVARs that the timeout adds to the SRTT.
        k: Ratio = Ratio::new(4, 1), in Ratio::ZERO => Ratio::new(16, 1), "K", cite("RFC 6298 §2.3"), "estimate";
        /// The least the timeout adds to the SRTT (clock granularity G).
        granularity: Span = Span::ZERO, in Span::ZERO => Span::from_secs(1),
            "Granularity G", reading("RFC 6298 §2.2 has G; a replay's clock is exact"), "estimate";
        /// The smallest timeout an estimate gives.
        rto_min: Span = Span::from_secs(1), in Span::ZERO => Span::from_secs(60),
            "Smallest RTO", cite("RFC 6298 §2.4"), "limits";
        /// The largest timeout.
        rto_max: Span = Span::from_secs(60), in Span::from_secs(1) => Span::from_secs(3600),
            "Largest RTO", cite("RFC 6298 §2.5"), "limits";
        /// Each retransmission multiplies the timeout by this.
        backoff: Ratio = Ratio::new(2, 1), in Ratio::ONE => Ratio::new(8, 1),
            "Back-off factor", cite("RFC 6298 §5.5"), "back-off";
        /// Selects whether a backed-off timeout outlives its exchange.
        karn: Karn = Karn::Kept, "Backed-off RTO", cite("RFC 6298 §5.5–5.7"), "back-off";
        /// The first timeout is drawn from [1, this] times the RTO; 1 does not dither.
        random_factor: Ratio = Ratio::ONE, in Ratio::ONE => Ratio::new(4, 1),
            "Random factor", cite("RFC 6298 has none"), "start";
    }
}

/// SRTT and RTTVAR, updated by [`Smoothed::update`]; RTO = SRTT + max(G, K·RTTVAR).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rfc6298(Smoothed);

impl Rfc6298 {
    /// Returns the timeout of §2.2–2.4, not yet capped.
    fn timeout(self, p: &Params) -> Span {
        self.0.rto(p.k, p.granularity).max(p.rto_min)
    }
}

impl TcpEstimate for Rfc6298 {
    type Params = Params;
    const FAMILY: FamilyName = FamilyName::new("rfc6298", "RFC 6298");
    const STATE: &'static [StateSpec] = super::SMOOTHED;

    fn initial(p: &Params) -> Span {
        p.rto_initial
    }

    fn back_off(p: &Params) -> BackOff {
        BackOff { factor: p.backoff, random_factor: p.random_factor, max: p.rto_max, karn: p.karn }
    }

    fn first(r: Span, _rto: Span, p: &Params) -> (Self, Span) {
        let estimate = Self(Smoothed::first(r));
        (estimate, estimate.timeout(p))
    }

    fn update(&mut self, r: Span, _rto: Span, p: &Params) -> Span {
        let gains = Gains { alpha: p.alpha, beta: p.beta, order: Order::VarianceFirst, deviation: Deviation::Absolute };
        self.0.update(r, &gains);
        self.timeout(p)
    }

    fn values(self) -> impl Iterator<Item = Span> {
        super::smoothed(self.0)
    }
}

pub(crate) const PLAIN: Preset = Preset {
    id: "rfc6298",
    name: "RFC 6298, TCP",
    summary: "TCP's timer as it stands: starts at 1 s, never below 1 s, keeps a backed-off timeout until a clean sample.",
    rank: Rank::A,
    reading: false,
    citation: "RFC 6298 §2, §3, §5",
    marks_attempts: false,
    dithers: false,
    default: false,
    waits_after_last: true,
    monotone: true,
    warnings: &["When the round trip time falls, RTTVAR and with it the RTO rise at first (RFC 6298 §2.3)."],
    assumptions: &[],
    diagram: None,
    set: &[],
    family: Family::of::<TcpTimer<Rfc6298>>(),
};

pub(crate) const COAP: Preset = Preset {
    id: "rfc6298_coap",
    name: "RFC 6298",
    summary: "TCP's timer with CoAP's start of 2 s, CoAP's dithering and no minimum.",
    dithers: true,
    default: true,
    assumptions: &[
        "The timeout that an expiry doubles and keeps is the one before dithering, which RFC 6298 does not have.",
    ],
    set: &[
        Set("rto_initial", "2", reading("RFC 7252 §4.8: ACK_TIMEOUT in place of TCP's 1 s")),
        Set("rto_min", "0", reading("RFC 6298 §2.4 says SHOULD; a minimum of 1 s hides every shorter RTT")),
        Set("random_factor", "3/2", reading("RFC 7252 §4.8: ACK_RANDOM_FACTOR")),
    ],
    ..PLAIN
};
