//! Default CoAP as libcoap 4.3.1 draws it: fixed point with six bits of fraction, one random octet.

use crate::params::{cite, params};
use crate::spec::{Family, FamilyName, Model, Preset, Rank, StateSpec};
use crate::{Dither, Estimator, EstimatorState, Flight, Ratio, Sample};
use base::{Instant, Span};

params! {
    /// Parameters of libcoap 4.3.1 (`coap_session.h`).
    pub(crate) struct Params {
        /// The shortest first timeout.
        ack_timeout: Span = Span::from_secs(2), in Span::from_millis(100) => Span::from_secs(600),
            "ACK timeout", cite("libcoap 4.3.1, COAP_DEFAULT_ACK_TIMEOUT; RFC 7252 §4.8");
        /// The first timeout is drawn from [1, this] times the ACK timeout.
        random_factor: Ratio = Ratio::new(3, 2), in Ratio::ONE => Ratio::new(4, 1),
            "ACK random factor", cite("libcoap 4.3.1, COAP_DEFAULT_ACK_RANDOM_FACTOR; RFC 7252 §4.8");
    }
}

/// Bits of fraction (libcoap 4.3.1, FRAC_BITS).
const FRAC_BITS: u32 = 6;
/// Bits of the random number (libcoap 4.3.1, MAX_BITS).
const MAX_BITS: u32 = 8;
/// 1 in fixed point.
const ONE: i64 = 1 << FRAC_BITS;
/// Ticks per second on POSIX systems (libcoap 4.3.1, COAP_TICKS_PER_SECOND).
const TICKS: i64 = 1_000;

/// `SHR_FP`: shifts to the right and rounds.
const fn shift(value: i64, bits: u32) -> i64 {
    (value + (1 << (bits - 1))) >> bits
}

/// Default CoAP as libcoap draws it, without state across exchanges.
#[derive(Clone, Debug)]
pub(crate) struct Libcoap {
    p: Params,
}

impl Libcoap {
    /// `coap_calc_timeout` with the random octet `r`.
    fn timeout(&self, r: u8) -> Span {
        // `Q`: thousandths to fixed point, to the nearest.
        let factor = self.p.random_factor.of(Span::from_secs(ONE)).scale(1, 1_000_000_000).nanos();
        let timeout = self.p.ack_timeout.scale(ONE, 1_000_000_000).nanos();
        let stretch = shift((factor - ONE) * i64::from(r), MAX_BITS) + ONE;
        Span::from_millis(shift(TICKS * shift(stretch * timeout, FRAC_BITS), FRAC_BITS))
    }
}

impl Model for Libcoap {
    type Params = Params;
    const FAMILY: FamilyName = FamilyName::new("libcoap", "CoAP, libcoap").under("CoAP");
    const STATE: &'static [StateSpec] = &[];
    fn new(p: Params) -> Self {
        Self { p }
    }
}

impl Estimator for Libcoap {
    fn on_transmit(&mut self, _now: Instant, flight: &Flight, dither: Dither) -> Span {
        if flight.attempt() == 0 {
            self.timeout((dither.0 >> (u32::BITS - MAX_BITS)) as u8)
        } else {
            flight.last_armed().scale(2, 1)
        }
    }

    fn on_ack(&mut self, _now: Instant, _flight: &Flight, _sample: Sample) {}

    fn state(&self, _now: Instant) -> EstimatorState {
        EstimatorState { rto: self.timeout(0), mode: "constant", values: Vec::new() }
    }

    fn clone_box(&self) -> Box<dyn Estimator> {
        Box::new(self.clone())
    }
}

pub(crate) const DEFAULT: Preset = Preset {
    id: "coap_libcoap431",
    name: "CoAP, libcoap 4.3.1",
    summary: "Default CoAP as libcoap draws it: only 33 different first timeouts, 31.25 ms apart.",
    rank: Rank::A,
    reading: false,
    citation: "libcoap 4.3.1, coap_calc_timeout",
    marks_attempts: false,
    dithers: true,
    default: false,
    waits_after_last: true,
    monotone: true,
    warnings: &[
        "The random part has 33 values, the two at the ends half as likely as the others (libcoap 4.3.1, coap_calc_timeout).",
    ],
    assumptions: &[],
    diagram: None,
    set: &[],
    family: Family::of::<Libcoap>(),
};
