//! Californium 2.x: `CongestionControlLayer` and `RemoteEndpoint`, around one estimator class.
//!
//! A request meets the layer in this order: its back-off factor is read off the current RTO, it is
//! registered with its peer, the peer ages, the timeout is computed. A retransmission leaves its
//! timeout behind as the current RTO; CoCoA drops that at its next exchange, the others keep it until
//! the next sample.

mod cocoa;
mod plain;
pub(crate) mod presets;

use super::{Kind, RTO_CAP, armed, clock, dithered};
use crate::params::{ParamSet, cite, params};
use crate::spec::{FamilyName, Model, StateSpec};
use crate::{Dither, Estimator, EstimatorState, Flight, Memo, Ratio, Sample};
use base::{Instant, Span};

params! {
    /// Parameters that the layer of 2.x adds to any of its estimators.
    pub(crate) struct Params {
        /// The RTO before any sample.
        rto_initial: Span = Span::from_secs(2), in Span::from_millis(1) => Span::from_secs(60),
            "Initial RTO", cite("Californium 2.8, NetworkConfig ACK_TIMEOUT; RFC 7252 §4.8");
        /// Each retransmission multiplies the timeout by this.
        backoff: Ratio = Ratio::new(2, 1), in Ratio::ONE => Ratio::new(8, 1),
            "Back-off factor", cite("Californium 2.8, NetworkConfig ACK_TIMEOUT_SCALE");
        /// The longest timeout of a retransmission.
        timer_max: Span = Span::from_secs(60), in Span::from_secs(60) => Span::from_secs(600),
            "Longest timeout", cite("Californium 2.8, CongestionControlLayer.MAX_RTO");
    }
}

/// Constants of the layer, in milliseconds where they are numbers.
#[derive(Clone, Copy, Debug)]
struct Layer {
    rto_initial: i64,
    timer_max: Span,
    /// The dithering of the first timeout. A class that dithers also drops what the last exchange's
    /// back-off left, before it computes the timeout.
    dithering: Option<Ratio>,
}

impl Layer {
    fn plain(p: &Params) -> Self {
        Self { rto_initial: p.rto_initial.millis(), timer_max: p.timer_max, dithering: None }
    }
}

/// `RemoteEndpoint`: state of a peer beside its estimator, in milliseconds.
#[derive(Clone, Debug)]
struct Peer {
    /// `meanOverallRTO`, milliseconds, of a history of one: the last RTO a sample or ageing gave.
    mean: i64,
    /// `currentRTO`, milliseconds: `mean`, or the timeout of the last retransmission.
    current: i64,
    /// `isBlindStrong && isBlindWeak`: no sample yet.
    blind: bool,
    /// The sender's thread spins in `checkAging` and sends nothing any more.
    hung: bool,
}

impl Peer {
    /// `getRTO` while `open` exchanges are registered.
    fn rto(&self, open: u32) -> i64 {
        // 2000, whatever ACK_TIMEOUT is (Californium 2.8, RemoteEndpoint.getRTO).
        let rto = if self.blind && open > 1 { i64::from(open) * 2_000 } else { self.current };
        rto.min(RTO_CAP)
    }

    /// Sets the RTO of the peer, milliseconds (`updateRTO`).
    fn update(&mut self, rto: i64) {
        self.mean = rto;
        self.current = rto;
    }
}

/// One of the estimator classes.
trait Class: Clone + std::fmt::Debug + Send + 'static {
    type Params: ParamSet + Clone + std::fmt::Debug + Send + 'static;
    const FAMILY: FamilyName;
    const STATE: &'static [StateSpec];
    /// Returns the layer's constants for this class.
    fn layer(p: &Self::Params) -> Layer;
    fn new(p: &Self::Params) -> Self;
    /// `processRTTmeasurement`, in milliseconds, at `now` on the clock.
    fn measured(&mut self, p: &Self::Params, peer: &mut Peer, kind: Kind, rtt: i64, now: i64);
    /// `calculateVBF` for the RTO before the exchange was registered.
    fn factor(p: &Self::Params, rto: i64) -> Ratio;
    /// `checkAging` at `now` on the clock with `open` exchanges registered.
    fn age(&mut self, _p: &Self::Params, _peer: &mut Peer, _open: u32, _now: i64) {}
    /// The values of [`Class::STATE`]; `aged` is the last RTO with the idle time that has passed since.
    fn values(&self, peer: &Peer, aged: i64) -> Vec<Option<Span>>;
}

/// The state towards one destination.
#[derive(Clone, Debug)]
struct Californium2<C: Class> {
    p: C::Params,
    layer: Layer,
    peer: Peer,
    class: C,
}

impl<C: Class> Californium2<C> {
    /// `sendRequest` while `others` are open: the first timeout.
    fn send(&mut self, now: Instant, others: u32, dither: Dither) -> Span {
        let registered = others.saturating_add(1);
        if !self.peer.hung {
            self.class.age(&self.p, &mut self.peer, registered, clock(now));
        }
        if self.peer.hung {
            return self.layer.timer_max;
        }
        // The casts to `int` cut off the upper bits, as Java's do.
        armed(match self.layer.dithering {
            Some(factor) => {
                self.peer.current = self.peer.mean;
                dithered(self.peer.rto(registered) as i32, factor, dither)
            }
            None => self.peer.rto(registered) as i32,
        })
    }
}

impl<C: Class> Model for Californium2<C> {
    type Params = C::Params;
    const FAMILY: FamilyName = C::FAMILY;
    const STATE: &'static [StateSpec] = C::STATE;
    fn new(p: C::Params) -> Self {
        let layer = C::layer(&p);
        let class = C::new(&p);
        let peer = Peer { mean: layer.rto_initial, current: layer.rto_initial, blind: true, hung: false };
        Self { p, layer, peer, class }
    }
}

impl<C: Class> Estimator for Californium2<C> {
    fn on_transmit(&mut self, now: Instant, flight: &Flight, dither: Dither) -> Span {
        if flight.attempt() == 0 {
            flight.memo.set(Memo { base: Span::from_millis(self.peer.rto(flight.inflight)), ..Memo::default() });
            return self.send(now, flight.inflight, dither);
        }
        if self.peer.hung {
            return self.layer.timer_max;
        }
        let factor = C::factor(&self.p, flight.memo.get().base.millis()).as_f64();
        let timeout = (factor * flight.last_armed().millis() as f64) as i32;
        let timeout = armed(timeout).min(self.layer.timer_max);
        self.peer.current = timeout.millis();
        timeout
    }

    fn on_ack(&mut self, now: Instant, _flight: &Flight, sample: Sample) {
        if !self.peer.hung {
            let kind = Kind::of(sample.retransmissions());
            self.class.measured(&self.p, &mut self.peer, kind, sample.from_first().millis(), clock(now));
        }
    }

    fn state(&self, now: Instant) -> EstimatorState {
        let mut next = self.clone();
        let rto = next.send(now, 0, Dither::NONE);
        let values = self.class.values(&self.peer, next.peer.mean);
        EstimatorState {
            rto,
            mode: if next.peer.hung {
                "hung"
            } else if next.peer.mean != self.peer.mean {
                "aged"
            } else if self.peer.blind {
                "initial"
            } else {
                "estimating"
            },
            values: C::STATE.iter().map(|s| s.name).zip(values).collect(),
        }
    }

    fn clone_box(&self) -> Box<dyn Estimator> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `getRTO` caps from above only, and the layer casts its answer to `int`.
    #[test]
    fn an_rto_that_has_overflowed_is_cut_to_an_int() {
        let first = |mean: i64| {
            let mut sender = Californium2::<cocoa::Cocoa>::new(cocoa::Params::default());
            (sender.peer.mean, sender.peer.blind) = (mean, false);
            sender.send(Instant::ZERO, 0, Dither::NONE)
        };
        assert_eq!(first(50_000), Span::from_secs(32));
        assert_eq!(first(-(1 << 40) + 50_000), Span::from_secs(50), "the lower 32 bits");
        assert_eq!(first(-(1 << 40) + i64::from(i32::MAX)), Span::from_millis(i64::from(i32::MAX)), "25 days");
        assert_eq!(first(-5), Span::from_nanos(1), "at once");
    }
}
