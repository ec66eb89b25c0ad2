//! RCoAP (2021), a reading: a rate controller with the states initial, normal, loss detection and back-off.
//! All that is known are the names of the states (Deshmukh & Raisinghani 2022, §II); what they do here is
//! our construction: the usual slow start, additive increase and multiplicative decrease (RFC 5681 §3.1),
//! counted in messages.

use super::Rate;
use crate::algorithms::coap::{self, Coap};
use crate::params::{params, reading};
use crate::spec::{Family, FamilyName, PaceModel, Preset, Rank};
use crate::{Flight, Pacer, PacerState, Ratio, Sample};
use base::{Instant, Span};

params! {
    /// Chosen here, since no source gives a value: RFC 5681's growth and halving, counted in messages.
    pub(crate) struct Params {
        /// The first gap between exchanges.
        first_gap: Span = Span::from_secs(2), in Span::from_millis(1) => Span::from_secs(600),
            "First gap", reading("one message per ACK_TIMEOUT (RFC 7252 §4.8)");
        /// The rate grows by this factor with every acknowledgement in the initial state.
        initial_growth: Ratio = Ratio::new(2, 1), in Ratio::ONE => Ratio::new(8, 1),
            "Initial growth", reading("slow start, RFC 5681 §3.1");
        /// The rate grows by this many first rates with every acknowledgement in the normal state.
        normal_growth: Ratio = Ratio::new(1, 1), in Ratio::ZERO => Ratio::new(16, 1),
            "Normal growth", reading("additive increase, RFC 5681 §3.1");
        /// Back-off multiplies the rate by this.
        decrease: Ratio = Ratio::new(1, 2), in Ratio::new(1, 16) => Ratio::ONE,
            "Decrease", reading("multiplicative decrease, RFC 5681 §3.1");
        /// The longest gap between exchanges.
        longest_gap: Span = Span::from_secs(60), in Span::from_secs(1) => Span::from_secs(3600),
            "Longest gap", reading("the largest RTO of RFC 6298 §2.5");
        /// The shortest gap between exchanges.
        shortest_gap: Span = Span::from_millis(10), in Span::from_millis(1) => Span::from_secs(60),
            "Shortest gap", reading("two full 802.15.4 frames");
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// No loss has been seen yet.
    Initial,
    Normal,
    /// One timer has expired: a loss of the link or congestion.
    LossDetection,
    /// A second timer has expired: congestion.
    BackOff,
}

/// RCoAP's pacer towards one destination.
#[derive(Clone, Debug)]
pub(crate) struct Rcoap {
    p: Params,
    state: State,
    rate: Rate,
    last: Option<Instant>,
}

impl Rcoap {
    fn set(&mut self, rate: Rate) {
        let (low, high) = (Rate::of(1, self.p.longest_gap), Rate::of(1, self.p.shortest_gap));
        self.rate = rate.min(high).max(low);
    }

    fn back_off(&mut self) {
        self.state = State::BackOff;
        self.set(self.rate.times(self.p.decrease));
    }
}

impl PaceModel for Rcoap {
    type Params = Params;
    const ASSUMPTIONS: &'static [&'static str] = &[
        "Only the names of the four states are published; every transition and rate is ours.",
        "Initial: the rate doubles with every acknowledgement until a timer expires.",
        "Normal: the rate grows by one first rate with every acknowledgement.",
        "Loss detection: the first expiry holds the rate; a second one before an acknowledgement backs off.",
        "Back-off: every further expiry, and giving up, halves the rate; an acknowledgement ends it.",
        "The timer is default CoAP's.",
        "Retransmissions neither wait for the rate nor use it up.",
    ];
    fn new(p: Params) -> Self {
        let mut fresh = Self { state: State::Initial, rate: Rate::ZERO, last: None, p };
        fresh.set(Rate::of(1, fresh.p.first_gap));
        fresh
    }
}

impl Pacer for Rcoap {
    fn earliest(&self, now: Instant, _open: u32) -> Instant {
        self.last.map_or(now, |last| last + self.rate.gap(1))
    }

    fn on_transmit(&mut self, now: Instant, flight: &Flight) {
        if flight.attempt() == 0 {
            self.last = Some(now);
        }
    }

    fn on_timeout(&mut self, _now: Instant, _flight: &Flight) {
        match self.state {
            State::Initial | State::Normal => self.state = State::LossDetection,
            State::LossDetection | State::BackOff => self.back_off(),
        }
    }

    fn on_ack(&mut self, _now: Instant, _flight: &Flight, _sample: Sample) {
        match self.state {
            State::Initial => self.set(self.rate.times(self.p.initial_growth)),
            State::Normal => self.set(self.rate.plus(Rate::of(1, self.p.first_gap).times(self.p.normal_growth))),
            State::LossDetection | State::BackOff => self.state = State::Normal,
        }
    }

    fn on_abandon(&mut self, _now: Instant, _flight: &Flight) {
        self.back_off();
    }

    fn state(&self, _now: Instant) -> PacerState {
        let mode = match self.state {
            State::Initial => "initial",
            State::Normal => "normal",
            State::LossDetection => "loss detection",
            State::BackOff => "back-off",
        };
        PacerState { mode, gap: Some(self.rate.gap(1)) }
    }

    fn clone_box(&self) -> Box<dyn Pacer> {
        Box::new(self.clone())
    }
}

pub(crate) const RCOAP: Preset = Preset {
    id: "rcoap_reading",
    name: "RCoAP (reading)",
    summary: "Our construction around four published state names: a message rate that grows with answers and halves with losses.",
    rank: Rank::C,
    reading: true,
    citation: "Deshmukh & Raisinghani 2022, §II (names of the states)",
    default: false,
    set: &[],
    family: Family::paced::<Coap, Rcoap>(FamilyName::new("rcoap", "RCoAP").under("Rate-based")),
    ..coap::DEFAULT
};

#[cfg(test)]
mod tests {
    use super::*;

    /// 2 s, doubled rate twice: 0.5 s; held by the first expiry; halved by the second: 1 s; an answer ends
    /// back-off; the next adds a first rate: 1/s + 0.5/s is one message per 2/3 s.
    #[test]
    fn the_four_states() {
        let mut r = Rcoap::new(Params::default());
        let (flight, t) = (Flight { sent: vec![Instant::ZERO], ..Flight::default() }, Instant::ZERO);
        let sample = flight.sample(t, None);
        let gap = |r: &Rcoap| (r.state(t).mode, r.state(t).gap.map_or(0, Span::millis));
        assert_eq!(gap(&r), ("initial", 2_000));
        r.on_ack(t, &flight, sample);
        r.on_ack(t, &flight, sample);
        assert_eq!(gap(&r), ("initial", 500));
        r.on_timeout(t, &flight);
        assert_eq!(gap(&r), ("loss detection", 500));
        r.on_timeout(t, &flight);
        assert_eq!(gap(&r), ("back-off", 1_000));
        r.on_ack(t, &flight, sample);
        assert_eq!(gap(&r), ("normal", 1_000));
        r.on_ack(t, &flight, sample);
        assert_eq!(gap(&r), ("normal", 666));
        for _ in 0..20 {
            r.on_abandon(t, &flight);
        }
        assert_eq!(gap(&r), ("back-off", 59_999), "the longest gap, 60 s, by a rate rounded up");
    }
}
