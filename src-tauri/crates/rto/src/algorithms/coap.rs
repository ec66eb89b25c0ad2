//! Default CoAP: binary exponential back-off from a dithered constant (RFC 7252 §4.2, §4.8).
//! One exchange teaches the next nothing.

use crate::params::{cite, params};
use crate::spec::{Family, FamilyName, Model, Preset, Rank, Set, StateSpec};
use crate::{Dither, Estimator, EstimatorState, Flight, Ratio, Sample};
use base::{Instant, Span};

params! {
    /// Parameters of default CoAP (RFC 7252 §4.8).
    pub(crate) struct Params {
        /// The shortest first timeout (ACK_TIMEOUT).
        ack_timeout: Span = Span::from_secs(2), in Span::from_millis(1) => Span::from_secs(600),
            "ACK timeout", cite("RFC 7252 §4.8"), "start";
        /// The first timeout is drawn from [1, this] times the ACK timeout (ACK_RANDOM_FACTOR).
        random_factor: Ratio = Ratio::new(3, 2), in Ratio::ONE => Ratio::new(4, 1),
            "ACK random factor", cite("RFC 7252 §4.8"), "start";
        /// Each retransmission multiplies the timeout by this.
        backoff: Ratio = Ratio::new(2, 1), in Ratio::ONE => Ratio::new(8, 1),
            "Back-off factor", cite("RFC 7252 §4.2"), "back-off";
        /// The random part is a whole multiple of this, both ends included; 0 draws from a continuum.
        tick: Span = Span::ZERO, in Span::ZERO => Span::from_secs(1),
            "Clock tick", cite("RFC 7252 §4.2 draws \"a random number\" without granularity"), "start";
    }
}

impl Params {
    /// A draw from ACK_TIMEOUT to ACK_TIMEOUT·ACK_RANDOM_FACTOR.
    fn first(&self, dither: Dither) -> Span {
        let longest = self.random_factor.of(self.ack_timeout);
        let ticks = (longest - self.ack_timeout).nanos().checked_div(self.tick.nanos());
        ticks.map_or_else(
            || dither.stretch(self.ack_timeout, self.random_factor),
            |ticks| self.ack_timeout + self.tick.scale(dither.below(ticks + 1), 1),
        )
    }
}

/// Default CoAP, without state across exchanges.
#[derive(Clone, Debug)]
pub(crate) struct Coap {
    p: Params,
}

impl Model for Coap {
    type Params = Params;
    const FAMILY: FamilyName = FamilyName::new("coap", "CoAP");
    const STATE: &'static [StateSpec] = &[];
    fn new(p: Params) -> Self {
        Self { p }
    }
}

impl Estimator for Coap {
    fn on_transmit(&mut self, _now: Instant, flight: &Flight, dither: Dither) -> Span {
        if flight.attempt() == 0 { self.p.first(dither) } else { self.p.backoff.of(flight.last_armed()) }
    }

    fn on_ack(&mut self, _now: Instant, _flight: &Flight, _sample: Sample) {}

    fn state(&self, _now: Instant) -> EstimatorState {
        EstimatorState { rto: self.p.ack_timeout, mode: "constant", values: Vec::new() }
    }

    fn clone_box(&self) -> Box<dyn Estimator> {
        Box::new(self.clone())
    }
}

pub(crate) const DEFAULT: Preset = Preset {
    id: "coap_default",
    name: "CoAP default",
    summary: "Starts each exchange at a random 2 to 3 s and doubles; learns nothing.",
    rank: Rank::A,
    reading: false,
    citation: "RFC 7252 §4.2, §4.8",
    marks_attempts: false,
    dithers: true,
    default: true,
    waits_after_last: true,
    monotone: true,
    warnings: &[],
    assumptions: &[],
    diagram: None,
    set: &[],
    family: Family::of::<Coap>(),
};

pub(crate) const B: Preset = Preset {
    id: "coap_b",
    name: "CoAP, 1 s",
    summary: "Default CoAP with half the first timeout.",
    citation: "Betzler et al. 2014, Table I",
    warnings: &["An ACK_TIMEOUT below 1 s would break the UDP guidelines; this is their limit (RFC 7252 §4.8.1)."],
    set: &[Set("ack_timeout", "1", cite("Betzler et al. 2014, Table I"))],
    ..DEFAULT
};

pub(crate) const CALIFORNIUM: Preset = Preset {
    id: "coap_cf3",
    name: "CoAP, Californium",
    summary: "Default CoAP in whole milliseconds, as Californium runs it without congestion control.",
    citation: "Californium 3.14, ReliabilityLayer.getRandomTimeout, CongestionControlMode.NULL",
    default: false,
    set: &[Set("tick", "0.001", cite("Californium 3.14, ReliabilityLayer.getRandomTimeout"))],
    ..DEFAULT
};

pub(crate) const CONTIKI_NG: Preset = Preset {
    id: "coap_contiki_ng",
    name: "CoAP, Contiki-NG",
    summary: "Default CoAP with a first timeout of 3 to 4.5 s, as Contiki-NG ships it.",
    citation: "Contiki-NG, coap-constants.h (COAP_RESPONSE_TIMEOUT)",
    default: false,
    set: &[Set("ack_timeout", "3", cite("Contiki-NG, coap-constants.h: COAP_RESPONSE_TIMEOUT 3"))],
    ..DEFAULT
};

pub(crate) const CONTIKI: Preset = Preset {
    id: "coap_contiki",
    name: "CoAP, Contiki 3",
    summary: "A first timeout of 3 to 4.5 s, and no wait after the last copy, as Contiki 3.0 ships it.",
    citation: "Contiki 3.0, er-coap-constants.h, er-coap-transactions.c",
    warnings: &[
        "The last copy is sent and given up in the same call, where RFC 7252 §4.2 waits one more timeout (Contiki 3.0, er-coap-transactions.c).",
    ],
    waits_after_last: false,
    set: &[Set("ack_timeout", "3", cite("Contiki 3.0, er-coap-constants.h: COAP_RESPONSE_TIMEOUT 3"))],
    ..CONTIKI_NG
};

pub(crate) const CONTIKI_S0: Preset = Preset {
    id: "coap_contiki_seed0",
    name: "CoAP, Contiki 3 to 6 s",
    summary: "Contiki's timer with a first timeout of 3 to 6 s, as Ancillotti & Bruno 2017 describe it.",
    citation: "Ancillotti & Bruno 2017, footnote 1",
    warnings: &[
        "Both Contiki trees draw from 3 to 4.5 s, and no release with a factor of 2 was found (Ancillotti & Bruno 2017, footnote 1, against er-coap-constants.h).",
    ],
    set: &[
        Set("ack_timeout", "3", cite("Ancillotti & Bruno 2017, footnote 1")),
        Set("random_factor", "2", cite("Ancillotti & Bruno 2017, footnote 1; no Contiki release has it")),
    ],
    ..CONTIKI
};
