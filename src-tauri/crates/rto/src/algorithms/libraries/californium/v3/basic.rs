//! `BasicRto` of Californium 3.x: one and a half times the last round trip, from whatever copy.

use super::{Class, Kind, Layer, Params, Peer};
use crate::Ratio;
use crate::spec::{FamilyName, StateSpec, time};
use base::{Instant, Span};

/// `BasicRto`, which keeps nothing beside the peer's RTO.
#[derive(Clone, Debug)]
pub(super) struct Basic;

impl Class for Basic {
    type Params = Params;
    const FAMILY: FamilyName = FamilyName::new("californium3_basic", "Basic RTO, Californium 3").under("Californium 3");
    const STATE: &'static [StateSpec] = &[time("rto", "RTO")];

    fn layer(p: &Params) -> Layer {
        Layer { blind: false, ..Layer::plain(p) }
    }

    fn new(_p: &Params, _now: Instant) -> Self {
        Self
    }

    fn measured(&mut self, _p: &Params, _layer: &Layer, peer: &mut Peer, _kind: Kind, rtt: i64, _now: Instant) {
        // Californium 3.14, BasicRto: the half is an integer division.
        peer.rto = rtt + rtt / 2;
    }

    fn factor(p: &Params, _first: i64) -> Ratio {
        p.backoff
    }

    fn values(&self) -> Vec<Option<Span>> {
        Vec::new()
    }
}
