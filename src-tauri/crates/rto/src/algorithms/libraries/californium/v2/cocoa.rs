//! `Cocoa` and `CocoaStrong` of Californium 2.x.

use super::super::{Samples, round};
use super::{Class, Kind, Layer, Peer};
use crate::Ratio;
use crate::params::{choice, cite, params};
use crate::spec::{FamilyName, StateSpec, time};
use base::Span;

choice! {
    /// The RTO that the ageing loop tests.
    pub(crate) enum Ageing {
        /// The current one, which ageing does not change: one long pause ages far too often.
        Stale = "stale",
        /// The one just aged, as the drafts mean.
        Fixed = "fixed",
    }
}

params! {
    /// Parameters of CoCoA in Californium 2.8: `Cocoa`, `CongestionControlLayer`, `RemoteEndpoint`.
    pub(crate) struct Params {
        /// The RTO before any sample.
        rto_initial: Span = Span::from_secs(2), in Span::from_millis(1) => Span::from_secs(60),
            "Initial RTO", cite("Californium 2.8, NetworkConfig ACK_TIMEOUT; RFC 7252 §4.8");
        /// The weight of a new sample in the RTT.
        alpha: Ratio = Ratio::new(1, 4), in Ratio::ZERO => Ratio::ONE,
            "RTT gain α", cite("Californium 2.8, Cocoa.ALPHA; RFC 6298 §2.3 has 1/8");
        /// The weight of a new deviation in the RTTVAR.
        beta: Ratio = Ratio::new(1, 8), in Ratio::ZERO => Ratio::ONE,
            "RTTVAR gain β", cite("Californium 2.8, Cocoa.BETA; RFC 6298 §2.3 has 1/4");
        /// Number of RTTVARs that the strong estimator adds.
        k_strong: i32 = 4, in 0 => 16, "Strong K", cite("Californium 2.8, Cocoa.KSTRONG");
        /// Number of RTTVARs that the weak estimator adds.
        k_weak: i32 = 1, in 0 => 16, "Weak K", cite("Californium 2.8, Cocoa.KWEAK");
        /// The weight of the strong estimator in the RTO.
        weight_strong: Ratio = Ratio::new(1, 2), in Ratio::ZERO => Ratio::ONE,
            "Strong weight", cite("Californium 2.8, Cocoa.STRONGWEIGHTING");
        /// The weight of the weak estimator in the RTO.
        weight_weak: Ratio = Ratio::new(1, 4), in Ratio::ZERO => Ratio::ONE,
            "Weak weight", cite("Californium 2.8, Cocoa.WEAKWEIGHTING");
        /// Selects whether retransmitted exchanges give samples.
        samples: Samples = Samples::Both, "Samples", cite("Californium 2.8, Cocoa.processRTTmeasurement");
        /// The back-off factor of an RTO below 1 s.
        vbf_low: Ratio = Ratio::new(3, 1), in Ratio::ONE => Ratio::new(8, 1),
            "VBF, small", cite("Californium 2.8, Cocoa.VBFLOW");
        /// The back-off factor between the borders.
        vbf_mid: Ratio = Ratio::new(2, 1), in Ratio::ONE => Ratio::new(8, 1),
            "VBF, middle", cite("Californium 2.8, NetworkConfig ACK_TIMEOUT_SCALE");
        /// The back-off factor of an RTO above 3 s.
        vbf_high: Ratio = Ratio::new(3, 2), in Ratio::ONE => Ratio::new(8, 1),
            "VBF, large", cite("Californium 2.8, Cocoa.VBFHIGH");
        /// The RTO that the ageing loop tests.
        ageing: Ageing = Ageing::Stale, "Ageing", cite("Californium 2.8, Cocoa.checkAging, RemoteEndpoint.getRTO");
        /// The first timeout is drawn from [1, this] times the RTO.
        random_factor: Ratio = Ratio::new(3, 2), in Ratio::ONE => Ratio::new(4, 1),
            "Random factor", cite("Californium 2.8, NetworkConfig ACK_RANDOM_FACTOR; RFC 7252 §4.8");
        /// The longest timeout of a retransmission.
        timer_max: Span = Span::from_secs(60), in Span::from_secs(60) => Span::from_secs(600),
            "Longest timeout", cite("Californium 2.8, CongestionControlLayer.MAX_RTO");
    }
}

/// The borders of the back-off factor and of ageing, in milliseconds (Californium 2.8,
/// Cocoa.LOWERVBFLIMIT and UPPERVBFLIMIT). Both belong to the middle.
const LOWER: i64 = 1_000;
/// Upper border; see [`LOWER`].
const UPPER: i64 = 3_000;

/// Steps of the ageing loop after which the original is taken to spin for ever. Chosen here: at a nanosecond a step
/// they take 18 minutes; repeat with `cargo test -p rto --lib californium`.
const ENDLESS: i64 = 1 << 40;

/// Rounds, each of as many steps as are alike, after which the original is taken to spin for ever: 64 doublings leave
/// nothing, and then a round uses up the idle time, or never does. An RTO that has overflowed to an odd multiple of
/// -2^59 ms takes 2^63 ms from it and gives them back.
const MOST_ROUNDS: u32 = 128;

/// Number of times a loop takes `consumed` from `idle` while `idle > consumed`, in wrapping arithmetic.
fn steps(idle: i64, consumed: i64) -> i64 {
    match consumed {
        0 => i64::MAX,
        1.. => (idle - 1) / consumed,
        // The difference grows until it wraps.
        _ => (i64::MAX - idle.max(0)) / consumed.saturating_neg() + 1,
    }
}

/// `xRTO`, `xRTT` and `xRTTVAR` of one estimator, in milliseconds.
#[derive(Clone, Copy, Debug)]
struct Half {
    rto: i64,
    rtt: i64,
    rttvar: i64,
}

impl Half {
    /// `initializeRTOEstimators` and `updateEstimator`; the two products of a mean are rounded one by one.
    fn take(slot: &mut Option<Self>, p: &Params, k: i32, rtt: i64) -> i64 {
        let blend = |gain: f64, old: i64, new: i64| round((1.0 - gain) * old as f64) + round(gain * new as f64);
        let (rtt, rttvar) = match *slot {
            None => (rtt, rtt / 2),
            Some(half) => {
                let deviation = (half.rtt - rtt).abs();
                (blend(p.alpha.as_f64(), half.rtt, rtt), blend(p.beta.as_f64(), half.rttvar, deviation))
            }
        };
        slot.insert(Self { rto: rtt + i64::from(k) * rttvar, rtt, rttvar }).rto
    }
}

/// `Cocoa` and `CocoaStrong`: the two estimators of one peer.
#[derive(Clone, Debug)]
pub(super) struct Cocoa {
    strong: Option<Half>,
    weak: Option<Half>,
    rto_initial: Span,
    /// Time of the latest change of the overall RTO, milliseconds (`RTOupdateTimestamp`); `None` before the first
    /// exchange.
    since: Option<i64>,
}

impl Class for Cocoa {
    type Params = Params;
    const FAMILY: FamilyName = FamilyName::new("californium2_cocoa", "CoCoA, Californium 2").under("Californium 2");
    const STATE: &'static [StateSpec] = &[
        time("rto", "Overall RTO"),
        time("current", "Current RTO"),
        time("E_strong", "Strong RTO"),
        time("E_weak", "Weak RTO"),
        time("rtt_strong", "Strong RTT"),
        time("rttvar_strong", "Strong RTTVAR"),
        time("rtt_weak", "Weak RTT"),
        time("rttvar_weak", "Weak RTTVAR"),
    ];

    fn layer(p: &Params) -> Layer {
        Layer { rto_initial: p.rto_initial.millis(), timer_max: p.timer_max, dithering: Some(p.random_factor) }
    }

    fn new(p: &Params) -> Self {
        Self { strong: None, weak: None, rto_initial: p.rto_initial, since: None }
    }

    fn measured(&mut self, p: &Params, peer: &mut Peer, kind: Kind, rtt: i64, now: i64) {
        let (slot, k, weight) = match (kind, p.samples) {
            (Kind::Strong, _) => (&mut self.strong, p.k_strong, p.weight_strong),
            (Kind::Weak, Samples::Both) => (&mut self.weak, p.k_weak, p.weight_weak),
            _ => return,
        };
        peer.current = peer.mean;
        peer.blind = false;
        let (estimate, weight) = (Half::take(slot, p, k, rtt), weight.as_f64());
        // Rounded inside and outside of the sum.
        let rest = round(peer.rto(1) as f64 * (1.0 - weight));
        peer.update(round(estimate as f64 * weight + rest as f64));
        self.since = Some(now);
    }

    fn factor(p: &Params, rto: i64) -> Ratio {
        if rto > UPPER {
            p.vbf_high
        } else if rto < LOWER {
            p.vbf_low
        } else {
            p.vbf_mid
        }
    }

    /// Two loops, first up, then down. Both test `getRTO`, which answers the current RTO as it was
    /// before ageing, so they end only when the idle time is used up: 300 ms and 100 s of silence give
    /// 32 s. After enough silence the doubling overflows to 0, and then the next call never ends.
    fn age(&mut self, p: &Params, peer: &mut Peer, open: u32, now: i64) {
        let mut idle = now.saturating_sub(*self.since.get_or_insert(now));
        for round in 0.. {
            let rto = peer.rto(open);
            let consumed = rto.wrapping_mul(16);
            if rto >= LOWER || idle <= consumed {
                break;
            }
            let steps = match p.ageing {
                Ageing::Fixed if consumed > 0 => 1,
                _ => steps(idle, consumed),
            };
            if steps > ENDLESS || round > MOST_ROUNDS {
                peer.hung = true;
                return;
            }
            idle = idle.wrapping_sub(consumed.wrapping_mul(steps));
            // 64 doublings leave nothing.
            peer.mean = if steps < 64 { peer.mean.wrapping_shl(steps as u32) } else { 0 };
            self.aged(p, peer, now);
        }
        while peer.rto(open) > UPPER && idle > peer.rto(open) * 4 {
            let before = peer.mean;
            idle -= peer.rto(open) * 4;
            peer.mean = (1_000.0 + 0.5 * peer.mean as f64) as i64;
            self.aged(p, peer, now);
            // A fixed point: only the idle time goes on shrinking.
            if peer.mean == before {
                return;
            }
        }
    }

    fn values(&self, peer: &Peer, aged: i64) -> Vec<Option<Span>> {
        let of = |half: Option<Half>, part: fn(Half) -> i64| half.map(|half| Span::from_millis(part(half)));
        let estimate = |half| of(half, |half| half.rto).or(Some(self.rto_initial));
        vec![
            Some(Span::from_millis(aged)),
            Some(Span::from_millis(peer.current)),
            estimate(self.strong),
            estimate(self.weak),
            of(self.strong, |half| half.rtt),
            of(self.strong, |half| half.rttvar),
            of(self.weak, |half| half.rtt),
            of(self.weak, |half| half.rttvar),
        ]
    }
}

impl Cocoa {
    /// After one step of ageing: the clock restarts.
    fn aged(&mut self, p: &Params, peer: &mut Peer, now: i64) {
        self.since = Some(now);
        if p.ageing == Ageing::Fixed {
            peer.current = peer.mean;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The RTO after 300 ms and so much silence; none when the loop never ends.
    fn aged(ageing: Ageing, idle: i64) -> Option<i64> {
        let p = Params { ageing, ..Params::default() };
        let mut peer = Peer { mean: 300, current: 300, blind: false, hung: false };
        let mut cocoa = Cocoa { since: Some(0), ..Cocoa::new(&p) };
        cocoa.age(&p, &mut peer, 1, idle);
        peer.current = peer.mean;
        (!peer.hung).then(|| peer.rto(1))
    }

    /// Californium 2.0.0 printed the first column, draft-ietf-core-cocoa-03 §4.3 means the second.
    #[test]
    fn one_pause_ages_too_often() {
        for (idle, stale, fixed) in
            [(5_000, 600, 600), (10_000, 1_200, 600), (20_000, 4_800, 1_200), (100_000, 32_000, 1_200)]
        {
            assert_eq!((aged(Ageing::Stale, idle), aged(Ageing::Fixed, idle)), (Some(stale), Some(fixed)), "{idle}");
        }
    }

    #[test]
    fn the_doubling_overflows_and_then_the_loop_never_ends() {
        // 300 = 75·4, so 62 doublings leave nothing; each takes 4.8 s of the pause.
        assert_eq!(aged(Ageing::Stale, 61 * 4_800 + 1), Some(75_i64.wrapping_shl(63)));
        assert_eq!(aged(Ageing::Stale, 62 * 4_800 + 1), Some(0));
        assert_eq!(aged(Ageing::Stale, i64::MAX / 1_000_000), Some(0));
        let p = Params::default();
        let mut peer = Peer { mean: 0, current: 0, blind: false, hung: false };
        Cocoa { since: Some(0), ..Cocoa::new(&p) }.age(&p, &mut peer, 1, 500);
        assert!(peer.hung);
    }

    #[test]
    fn idle_time_that_comes_back_is_never_used_up() {
        let p = Params::default();
        for overflowed in [-(1_i64 << 59), -3 * (1_i64 << 59)] {
            let mut peer = Peer { mean: overflowed, current: overflowed, blind: false, hung: false };
            Cocoa { since: Some(0), ..Cocoa::new(&p) }.age(&p, &mut peer, 1, 500);
            assert!(peer.hung, "{overflowed}");
        }
    }

    #[test]
    fn steps_are_those_of_the_loop() {
        for (idle, consumed) in [(1, 16), (16, 16), (17, 16), (1_000, 48), (7, 1), (i64::MAX, i64::MAX / 3)] {
            let (mut left, mut counted) = (idle, 0);
            while left > consumed {
                (left, counted) = (left - consumed, counted + 1);
            }
            assert_eq!(steps(idle, consumed), counted, "{idle} {consumed}");
        }
        let (mut left, mut counted) = (500_i64, 0);
        while left > -(1 << 60) {
            (left, counted) = (left.wrapping_add(1 << 60), counted + 1);
        }
        assert_eq!(steps(500, -(1 << 60)), counted);
        assert_eq!(steps(1, 0), i64::MAX);
    }
}
