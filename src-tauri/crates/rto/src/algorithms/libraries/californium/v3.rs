//! Californium 3.x: `CongestionControlLayer` and `RemoteEndpoint`, around one estimator class.
//!
//! A request meets the layer in this order: its timeout is computed and clamped, it is registered with
//! its peer, the peer ages. So ageing shows one exchange late, and with other exchanges open the blind
//! rule sees one fewer at the timeout than at the ageing. A peer not heard of for ten minutes is
//! forgotten.

mod basic;
mod cocoa;
mod linux;
mod peak_hopper;
pub(crate) mod presets;

use super::{Kind, RTO_CAP, armed, dithered};
use crate::params::{ParamSet, choice, cite, params};
use crate::spec::{FamilyName, Model, StateSpec};
use crate::{Dither, Estimator, EstimatorState, Flight, Ratio, Sample};
use base::{Instant, Span};

choice! {
    /// Order of a peer's ageing and the timeout of a new exchange.
    pub(crate) enum Order {
        /// The timeout first, as `sendRequest` of 3.x does: ageing shows one exchange late.
        TimerFirst = "timer_first" => "timer first",
        /// Ageing first, as 2.x does and the text of CoCoA means.
        AgeingFirst = "ageing_first" => "ageing first",
    }
}

params! {
    /// Parameters that the layer of 3.x adds to any of its estimators.
    pub(crate) struct Params {
        /// The RTO before any sample.
        rto_initial: Span = Span::from_secs(2), in Span::from_millis(1) => Span::from_secs(60),
            "Initial RTO", cite("Californium 3.14, CoapConfig.ACK_TIMEOUT; RFC 7252 §4.8");
        /// The shortest first timeout.
        timer_min: Span = Span::from_millis(500), in Span::from_millis(1) => Span::from_secs(60),
            "Shortest timeout", cite("Californium 3.14, CongestionControlLayer.MIN_RTO");
        /// The longest timeout that is armed.
        timer_max: Span = Span::from_secs(60), in Span::from_secs(60) => Span::from_secs(600),
            "Longest timeout", cite("Californium 3.14, CongestionControlLayer.MAX_RTO");
        /// Each retransmission multiplies the timeout by this.
        backoff: Ratio = Ratio::new(2, 1), in Ratio::ONE => Ratio::new(8, 1),
            "Back-off factor", cite("Californium 3.14, CoapConfig.ACK_TIMEOUT_SCALE");
        /// A peer unused for this long is forgotten.
        inactivity: Span = Span::from_secs(600), in Span::from_secs(60) => Span::from_secs(86_400),
            "Peer forgotten after", cite("Californium 3.14, CoapConfig.MAX_PEER_INACTIVITY_PERIOD");
    }
}

/// The layer's constants, in its units.
#[derive(Clone, Copy, Debug)]
struct Layer {
    rto_initial: i64,
    timer_min: i32,
    timer_max: i32,
    inactivity: Span,
    order: Order,
    /// The dithering of the first timeout; 1 does not dither.
    random_factor: Ratio,
    /// A peer without samples multiplies its RTO by the number of open exchanges.
    blind: bool,
}

/// A timeout's milliseconds, which the parameters' bounds keep far inside an `int`.
const fn int(span: Span) -> i32 {
    span.millis() as i32
}

impl Layer {
    fn plain(p: &Params) -> Self {
        Self {
            rto_initial: p.rto_initial.millis(),
            timer_min: int(p.timer_min),
            timer_max: int(p.timer_max),
            inactivity: p.inactivity,
            order: Order::TimerFirst,
            random_factor: Ratio::ONE,
            blind: true,
        }
    }
}

/// `RemoteEndpoint`: state of a peer beside its estimator.
#[derive(Clone, Debug)]
struct Peer {
    /// `currentRTO`, in milliseconds.
    rto: i64,
    /// `initializedRto`: set by the first sample, if the class asks whether it is the first.
    initialized: bool,
    /// Number of open exchanges (`inFlight`).
    open: u32,
}

impl Peer {
    /// `getRTO` while `open` exchanges are registered.
    fn rto(&self, layer: &Layer, open: u32) -> i64 {
        let factor = if layer.blind && open > 1 && !self.initialized { i64::from(open) } else { 1 };
        self.rto.saturating_mul(factor).min(RTO_CAP)
    }
}

/// One of the four estimator classes.
trait Class: Clone + std::fmt::Debug + Send + 'static {
    type Params: ParamSet + Clone + std::fmt::Debug + Send + 'static;
    const FAMILY: FamilyName;
    const STATE: &'static [StateSpec];
    /// Returns the layer's constants for this class.
    fn layer(p: &Self::Params) -> Layer;
    /// Creates the state of a peer seen for the first time at `now`.
    fn new(p: &Self::Params, now: Instant) -> Self;
    /// `processRttMeasurement`, in milliseconds; `kind` is strong or weak.
    fn measured(&mut self, p: &Self::Params, layer: &Layer, peer: &mut Peer, kind: Kind, rtt: i64, now: Instant);
    /// `calculateVBF` for the timeout that was armed first.
    fn factor(p: &Self::Params, first: i64) -> Ratio;
    /// Ages the RTO of a peer that got no samples (`checkAging`).
    fn age(&mut self, _p: &Self::Params, _layer: &Layer, _peer: &mut Peer, _now: Instant) {}
    /// The values of [`Class::STATE`] after the RTO, which is the first.
    fn values(&self) -> Vec<Option<Span>>;
}

/// The state towards one destination.
#[derive(Clone, Debug)]
struct Californium3<C: Class> {
    p: C::Params,
    layer: Layer,
    peer: Peer,
    class: C,
    /// Time of the peer's last look-up; `None` before the first.
    touched: Option<Instant>,
}

impl<C: Class> Californium3<C> {
    /// `getRemoteEndpoint`: looks the peer up, and creates it when it is unknown or forgotten.
    fn touch(&mut self, now: Instant) {
        if self.touched.is_none_or(|touched| now - touched >= self.layer.inactivity) {
            self.class = C::new(&self.p, now);
            self.peer = Peer { rto: self.layer.rto_initial, initialized: false, open: 0 };
        }
        self.touched = Some(now);
    }

    /// `sendRequest` while `others` are open: the first timeout.
    fn send(&mut self, now: Instant, others: u32, dither: Dither) -> i32 {
        self.touch(now);
        let Self { layer, p, .. } = self;
        let registered = others.saturating_add(1);
        self.peer.open = registered;
        let rto = match layer.order {
            Order::TimerFirst => {
                let rto = self.peer.rto(layer, others);
                self.class.age(p, layer, &mut self.peer, now);
                rto
            }
            Order::AgeingFirst => {
                self.class.age(p, layer, &mut self.peer, now);
                self.peer.rto(layer, registered)
            }
        };
        // getRTO is capped at 32 s, so the cast is exact.
        dithered(rto as i32, layer.random_factor, dither).max(layer.timer_min).min(layer.timer_max)
    }
}

impl<C: Class> Model for Californium3<C> {
    type Params = C::Params;
    const FAMILY: FamilyName = C::FAMILY;
    const STATE: &'static [StateSpec] = C::STATE;
    fn new(p: C::Params) -> Self {
        let layer = C::layer(&p);
        let class = C::new(&p, Instant::MIN);
        let peer = Peer { rto: layer.rto_initial, initialized: false, open: 0 };
        Self { p, layer, peer, class, touched: None }
    }
}

impl<C: Class> Estimator for Californium3<C> {
    fn on_transmit(&mut self, now: Instant, flight: &Flight, dither: Dither) -> Span {
        if flight.attempt() == 0 {
            return armed(self.send(now, flight.inflight, dither));
        }
        self.touch(now);
        // `(int) (scale * timeout)`, in single precision.
        let factor = C::factor(&self.p, flight.first_armed().millis()).as_f64() as f32;
        let timeout = (factor * flight.last_armed().millis() as f32) as i32;
        armed(timeout.min(self.layer.timer_max))
    }

    fn on_ack(&mut self, now: Instant, _flight: &Flight, sample: Sample) {
        self.touch(now);
        let kind = Kind::of(sample.retransmissions());
        if kind != Kind::Ambiguous {
            let rtt = sample.from_first().millis().max(1);
            self.class.measured(&self.p, &self.layer, &mut self.peer, kind, rtt, now);
        }
        self.peer.open = self.peer.open.saturating_sub(1);
    }

    fn on_abandon(&mut self, _now: Instant, _flight: &Flight) {
        self.peer.open = self.peer.open.saturating_sub(1);
    }

    fn state(&self, now: Instant) -> EstimatorState {
        let mut next = self.clone();
        let timeout = next.send(now, 0, Dither::NONE);
        let values = std::iter::once(Some(Span::from_millis(next.peer.rto))).chain(next.class.values());
        EstimatorState {
            rto: armed(timeout),
            mode: if self.touched.is_some_and(|touched| now - touched >= self.layer.inactivity) {
                "forgotten"
            } else if next.peer.rto != self.peer.rto {
                "aged"
            } else if self.peer.rto == self.layer.rto_initial && !self.peer.initialized {
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
