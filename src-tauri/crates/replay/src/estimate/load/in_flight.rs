//! How much is under way, moment by moment, and how much lately.

use base::{Instant, Span};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What is under way within hearing of each group of associations. Asked and told in order of time.
#[derive(Debug, Default)]
pub(crate) struct InFlightLoad {
    groups: Vec<Group>,
    /// How long what was under way is remembered, seconds; `None`: not at all.
    memory: Option<f64>,
}

#[derive(Clone, Debug)]
struct Group {
    /// Until when, and how much.
    flights: BinaryHeap<Reverse<(Instant, u64)>>,
    sum: u64,
    /// The latest moment at which something was sent, and how much of what was sent then counts in `sum`.
    latest: (Instant, u64),
    /// What was under way lately, and up to when that is known.
    lately: (f64, Instant),
}

impl Group {
    const EMPTY: Self =
        Self { flights: BinaryHeap::new(), sum: 0, latest: (Instant::MIN, 0), lately: (0.0, Instant::MIN) };

    /// `sum` was under way until `at`: exponential smoothing in continuous time.
    fn last(&mut self, at: Instant, memory: Option<f64>) {
        let (mean, since) = self.lately;
        let Some(memory) = memory.filter(|_| at > since) else { return };
        let level = self.sum as f64;
        // Before the first copy there was nothing.
        let kept = if since == Instant::MIN { 0.0 } else { (-(at - since).secs_f64() / memory).exp() };
        self.lately = (level + (mean - level) * kept, at);
    }

    /// What is over at `at` is under way no more.
    fn land(&mut self, at: Instant, memory: Option<f64>) {
        while let Some(Reverse((end, weight))) = self.flights.peek().filter(|f| f.0.0 <= at).copied() {
            self.flights.pop();
            self.last(end, memory);
            self.sum -= weight;
        }
        self.last(at, memory);
    }
}

impl InFlightLoad {
    /// Of as many groups; `memory`: how far back [`InFlightLoad::lately`] goes, if anybody asks.
    pub fn new(groups: usize, memory: Option<Span>) -> Self {
        let memory = memory.map(|memory| memory.max(Span::from_nanos(1)).secs_f64());
        Self { groups: vec![Group::EMPTY; groups], memory }
    }

    /// What was sent before `at` and is still under way. What is sent at the same instant is not met, so that nothing depends on
    /// which of two such copies comes first.
    pub fn read(&mut self, group: u32, at: Instant) -> u64 {
        let memory = self.memory;
        let Some(group) = self.groups.get_mut(group as usize) else { return 0 };
        group.land(at, memory);
        if group.latest.0 == at { group.sum - group.latest.1 } else { group.sum }
    }

    /// The mean of what was under way up to the moment that was read last: a while ago counts 1/e when it was as long ago as the gauge
    /// remembers.
    pub fn lately(&self, group: u32) -> f64 {
        self.groups.get(group as usize).map_or(0.0, |group| group.lately.0)
    }

    /// Something goes under way.
    pub fn add(&mut self, group: u32, at: Instant, until: Instant, weight: u64) {
        let memory = self.memory;
        let Some(group) = self.groups.get_mut(group as usize) else { return };
        if until <= at {
            return;
        }
        if memory.is_some() {
            group.land(at, memory);
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
    fn what_is_under_way_is_met_by_what_comes_later() {
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
    fn what_was_under_way_fades() {
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
