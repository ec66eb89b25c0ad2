//! CoAP-R (Ancillotti, Bruno, Vallati & Mingozzi 2018): default CoAP's timer, and a rate for each node that
//! is its max–min fair share of the capacity on its way to the sink.
//!
//! The paper's body was not reachable; the rules are those of the project's own code (`ECOAP/examples`,
//! controller `coapr`, 2018). A node measures its local capacity ([`Capacity`]), the sink shares capacities
//! out over the RPL tree ([`max_min`]), the node moves its rate towards its share ([`allocate`]).
//!
//! MAC service times and the tree are not in a CoAP capture, so both are parameters of the preset.

mod max_min;

pub use max_min::{Tree, max_min};

use super::Rate;
use crate::algorithms::coap::{self, Coap};
use crate::params::{cite, params, reading};
use crate::spec::{Family, FamilyName, PaceModel, Preset, Rank};
use crate::{Flight, Pacer, PacerState, Ratio, Sample};
use base::{Instant, Span};

/// Size of a message, in octets (ECOAP 2018, controller `coapr`).
const MESSAGE: u64 = 35;
/// Service time while none is measured (ECOAP 2018, controller `coapr`).
const UNKNOWN_SERVICE: Span = Span::from_micros(500);
/// Weight of a new capacity in the slow mean, and in the estimate while the capacity rises (ECOAP 2018, controller
/// `coapr`).
const RISE: Ratio = Ratio::new(1, 100);
/// Weight of a new capacity in the estimate while the capacity falls (ECOAP 2018, controller `coapr`).
const FALL: Ratio = Ratio::new(12, 1_000);
/// Factor by which a rate must exceed its allocation before it comes down (ECOAP 2018, controller `coapr`).
const SLACK: Ratio = Ratio::new(11, 10);
/// Share of the difference by which a rate moves (ECOAP 2018, controller `coapr`).
const STEP: Ratio = Ratio::new(10, 11);
/// Periods that a longer pause is cut to. Chosen here: 0.99^4096 is below 10⁻¹⁷, so the means have converged; repeat
/// with `cargo test -p rto --test pacer`.
const CONVERGED: i64 = 4_096;

/// A node's estimate of the capacity of its MAC, octets a second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capacity {
    /// Slow mean; a capacity above it rises, one below it falls.
    long: Rate,
    /// The estimate, octets a second.
    cap: Rate,
}

impl Capacity {
    /// Takes the mean MAC service time of one period; zero or less means not measured and counts as 0.5 ms.
    pub fn sample(&mut self, service: Span) {
        let service = if service > Span::ZERO { service } else { UNKNOWN_SERVICE };
        let instant = Rate::of(MESSAGE, service);
        self.long = self.long.blend(instant, RISE);
        let gain = if instant >= self.long { RISE } else { FALL };
        self.cap = self.cap.blend(instant, gain);
    }

    /// Returns the estimate, octets a second.
    #[must_use]
    pub const fn rate(&self) -> Rate {
        self.cap
    }
}

/// Returns the rate after the sink has allocated `allocation`, both in octets a second: a rate that is too high comes
/// down only when it is too high by more than a tenth and the allocation is not zero (ECOAP 2018, controller `coapr`).
#[must_use]
pub fn allocate(rate: Rate, allocation: Rate) -> Rate {
    if rate <= allocation {
        rate.plus(allocation.minus(rate).times(STEP))
    } else if allocation > Rate::ZERO && rate > allocation.times(SLACK) {
        rate.minus(rate.minus(allocation).times(STEP))
    } else {
        rate
    }
}

params! {
    /// Parameters of CoAP-R (ECOAP/examples, controller `coapr`).
    pub(crate) struct Params {
        /// The period at which capacity and rate are computed.
        period: Span = Span::from_secs(30), in Span::from_secs(1) => Span::from_secs(3600),
            "Rate period", cite("ECOAP/examples, coapr");
        /// The mean MAC service time of the client; 0: not measured, taken as 0.5 ms.
        service_time: Span = Span::ZERO, in Span::ZERO => Span::from_secs(10),
            "MAC service time", cite("ECOAP/examples, coapr: 0.5 ms when unknown");
        /// The rate that the sink allocates to the client, octets a second; 0: its own capacity.
        allocation: i32 = 0, in 0 => 1_000_000,
            "Allocation", reading("the max–min share needs the RPL tree, which no CoAP capture has");
        /// The lowest rate, octets a second.
        rate_min: i32 = 1, in 1 => 1_000_000,
            "Lowest rate", reading("ECOAP/examples cuts the first rate to an integer, which may be 0; PROBING_RATE (RFC 7252 §4.8) keeps it alive");
    }
}

/// CoAP-R's pacer towards one destination.
#[derive(Clone, Debug)]
pub(crate) struct CoapR {
    p: Params,
    capacity: Capacity,
    rate: Rate,
    /// Start of the current period; none before the first transmission.
    since: Option<Instant>,
    /// The latest first transmission.
    last: Option<Instant>,
}

impl CoapR {
    /// The state at `now`: every period that ended since is taken in.
    fn at(&self, now: Instant) -> Self {
        let mut then = self.clone();
        let Some(since) = self.since else { return then };
        let periods = (now - since).nanos().max(0) / self.p.period.nanos().max(1);
        for _ in 0..periods.min(CONVERGED) {
            then.capacity.sample(self.p.service_time);
            let allocation = match u32::try_from(self.p.allocation) {
                Ok(0) | Err(_) => then.capacity.rate(),
                Ok(octets) => Rate::per_second(octets),
            };
            then.rate = allocate(then.rate, allocation).max(self.floor());
        }
        then.since = Some(since + self.p.period.scale(periods, 1));
        then
    }

    fn floor(&self) -> Rate {
        Rate::per_second(u32::try_from(self.p.rate_min).unwrap_or(1))
    }
}

impl PaceModel for CoapR {
    type Params = Params;
    const ASSUMPTIONS: &'static [&'static str] = &[
        "The MAC service time is constant (parameter), because a CoAP capture does not show it.",
        "Without the RPL tree the sink allocates each client its own capacity (parameter `allocation`).",
        "A message counts 35 octets whatever its payload, as the code's capacity does.",
        "Retransmissions neither wait for the rate nor use it up.",
        "The rate never falls below PROBING_RATE.",
    ];
    fn new(p: Params) -> Self {
        Self { p, capacity: Capacity::default(), rate: Rate::ZERO, since: None, last: None }
    }
}

impl Pacer for CoapR {
    fn earliest(&self, now: Instant, _open: u32) -> Instant {
        self.last.map_or(now, |last| last + self.at(now).rate.gap(MESSAGE))
    }

    fn on_transmit(&mut self, now: Instant, flight: &Flight) {
        if flight.attempt() > 0 {
            return;
        }
        if self.since.is_none() {
            self.capacity.sample(self.p.service_time);
            self.rate = self.capacity.rate().whole().max(self.floor());
            self.since = Some(now);
        } else {
            *self = self.at(now);
        }
        self.last = Some(now);
    }

    fn on_ack(&mut self, _now: Instant, _flight: &Flight, _sample: Sample) {}

    fn state(&self, now: Instant) -> PacerState {
        let gap = self.since.map(|_| self.at(now).rate.gap(MESSAGE));
        PacerState { mode: if gap.is_some() { "paced" } else { "initial" }, gap }
    }

    fn clone_box(&self) -> Box<dyn Pacer> {
        Box::new(self.clone())
    }
}

pub(crate) const COAP_R: Preset = Preset {
    id: "coap_r",
    name: "CoAP-R",
    summary: "Default CoAP's timer; new requests leave at a rate that follows the capacity of the link layer.",
    rank: Rank::B,
    reading: false,
    citation: "Ancillotti, Bruno, Vallati & Mingozzi 2018; ECOAP/examples, coapr",
    default: false,
    set: &[],
    family: Family::paced::<Coap, CoapR>(FamilyName::new("coap_r", "CoAP-R").under("Rate-based")),
    ..coap::DEFAULT
};
