//! In-flight load moment by moment, and its exponential moving average.

use base::{Instant, Span};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// In-flight load within hearing of each group of associations, in nanoseconds of airtime. Calls must be in order of
/// time.
#[derive(Debug, Default)]
pub(crate) struct InFlightLoad {
    groups: Vec<Group>,
    /// Time constant of the moving average, seconds; `None`: no average is computed.
    time_constant: Option<f64>,
}

#[derive(Clone, Debug)]
struct Group {
    /// End and airtime of each flight.
    flights: BinaryHeap<Reverse<(Instant, u64)>>,
    sum: u64,
    /// Latest moment of a transmission, and the part of `sum` that was sent then.
    latest: (Instant, u64),
    /// Moving average, and the moment up to which it is computed.
    lately: (f64, Instant),
}

impl Group {
    /// Group without any flight so far.
    const EMPTY: Self =
        Self { flights: BinaryHeap::new(), sum: 0, latest: (Instant::MIN, 0), lately: (0.0, Instant::MIN) };

    /// Advances the moving average to `at` under a constant load of `sum`: exponential smoothing in continuous time.
    fn last(&mut self, at: Instant, time_constant: Option<f64>) {
        let (mean, since) = self.lately;
        let Some(time_constant) = time_constant.filter(|_| at > since) else { return };
        let level = self.sum as f64;
        // Before the first copy there was nothing.
        let decay = if since == Instant::MIN { 0.0 } else { (-(at - since).secs_f64() / time_constant).exp() };
        self.lately = (level + (mean - level) * decay, at);
    }

    /// Removes flights that have ended by `at`.
    fn land(&mut self, at: Instant, time_constant: Option<f64>) {
        while let Some(Reverse((end, weight))) = self.flights.peek().filter(|f| f.0.0 <= at).copied() {
            self.flights.pop();
            self.last(end, time_constant);
            self.sum -= weight;
        }
        self.last(at, time_constant);
    }
}

impl InFlightLoad {
    /// Idle medium of `groups` groups; `time_constant` is the time constant of [`InFlightLoad::lately`], if that is
    /// needed.
    pub fn new(groups: usize, time_constant: Option<Span>) -> Self {
        let time_constant = time_constant.map(|time_constant| time_constant.max(Span::from_nanos(1)).secs_f64());
        Self { groups: vec![Group::EMPTY; groups], time_constant }
    }

    /// Load of `group` that was sent before `at` and is still in flight, nanoseconds of airtime. Copies of the same
    /// instant do not meet, so that the result does not depend on their order.
    pub fn read(&mut self, group: u32, at: Instant) -> u64 {
        let time_constant = self.time_constant;
        let Some(group) = self.groups.get_mut(group as usize) else { return 0 };
        group.land(at, time_constant);
        if group.latest.0 == at { group.sum - group.latest.1 } else { group.sum }
    }

    /// Moving average of the load of `group` up to the moment read last, nanoseconds of airtime; the weight of a moment
    /// falls to 1/e within the time constant. 0 without a time constant.
    pub fn lately(&self, group: u32) -> f64 {
        self.groups.get(group as usize).map_or(0.0, |group| group.lately.0)
    }

    /// Adds a flight of `weight` nanoseconds of airtime from `at` to `until` to `group`; nothing where `until` is not
    /// after `at`.
    pub fn add(&mut self, group: u32, at: Instant, until: Instant, weight: u64) {
        let time_constant = self.time_constant;
        let Some(group) = self.groups.get_mut(group as usize) else { return };
        if until <= at {
            return;
        }
        if time_constant.is_some() {
            group.land(at, time_constant);
        }
        group.flights.push(Reverse((until, weight)));
        group.sum += weight;
        let now = if group.latest.0 == at { group.latest.1 } else { 0 };
        group.latest = (at, now + weight);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flights_are_met_by_later_copies() {
        let at = |ms| Instant::ZERO + Span::from_millis(ms);
        let mut in_flight = InFlightLoad::new(2, None);
        in_flight.add(0, at(0), at(100), 3);
        assert_eq!(in_flight.read(0, at(0)), 0, "the same instant");
        in_flight.add(0, at(0), at(50), 4);
        assert_eq!(in_flight.read(0, at(0)), 0);
        assert_eq!((in_flight.read(0, at(1)), in_flight.read(1, at(1))), (7, 0));
        assert_eq!(in_flight.read(0, at(50)), 3, "no longer under way at its end");
        in_flight.add(0, at(60), at(60), 9);
        assert_eq!(in_flight.read(0, at(99)), 3, "never under way");
        assert_eq!(in_flight.read(0, at(100)), 0);
    }

    #[test]
    fn past_load_decays_exponentially() {
        let at = |ms| Instant::ZERO + Span::from_millis(ms);
        let mut in_flight = InFlightLoad::new(2, Some(Span::from_millis(100)));
        // 1000 up to 50 ms, 1500 up to 100 ms, 500 up to 200 ms; each step is neared by 1 − e^(−time / 100 ms).
        let fade = |ms: f64| (-ms / 100.0).exp();
        let first = 1_000.0 * (1.0 - fade(50.0));
        let second = 1_500.0 + (first - 1_500.0) * fade(50.0);
        let third = 500.0 + (second - 500.0) * fade(100.0);
        let check = |in_flight: &mut InFlightLoad, ms: i64, mean: f64| {
            in_flight.read(0, at(ms));
            assert!((in_flight.lately(0) - mean).abs() < 1e-9, "{ms}: {} is not {mean}", in_flight.lately(0));
        };
        check(&mut in_flight, 0, 0.0);
        in_flight.add(0, at(0), at(100), 1_000);
        check(&mut in_flight, 50, first);
        in_flight.add(0, at(50), at(200), 500);
        check(&mut in_flight, 150, 500.0 + (second - 500.0) * fade(50.0));
        check(&mut in_flight, 300, third * fade(100.0));
        assert_eq!(in_flight.lately(1), 0.0);
    }
}
