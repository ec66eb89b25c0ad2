//! How much is under way, moment by moment.

use base::Instant;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What is under way within hearing of each group of associations. Asked and told in order of time.
#[derive(Debug, Default)]
pub(crate) struct Gauge {
    groups: Vec<Group>,
}

#[derive(Clone, Debug)]
struct Group {
    /// Until when, and how much.
    flights: BinaryHeap<Reverse<(Instant, u64)>>,
    sum: u64,
    /// The latest moment at which something was sent, and how much of what was sent then counts in `sum`.
    latest: (Instant, u64),
}

impl Gauge {
    pub fn new(groups: usize) -> Self {
        Self { groups: vec![Group { flights: BinaryHeap::new(), sum: 0, latest: (Instant::MIN, 0) }; groups] }
    }

    /// What was sent before `at` and is still under way. What is sent at the same instant is not met, so that nothing depends on
    /// which of two such copies comes first.
    pub fn read(&mut self, group: u32, at: Instant) -> u64 {
        let Some(group) = self.groups.get_mut(group as usize) else { return 0 };
        while let Some(Reverse((_, weight))) = group.flights.peek().filter(|f| f.0.0 <= at).copied() {
            group.flights.pop();
            group.sum -= weight;
        }
        if group.latest.0 == at { group.sum - group.latest.1 } else { group.sum }
    }

    /// Something goes under way.
    pub fn add(&mut self, group: u32, at: Instant, until: Instant, weight: u64) {
        let Some(group) = self.groups.get_mut(group as usize) else { return };
        if until <= at {
            return;
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
    use base::Span;

    #[test]
    fn what_is_under_way_is_met_by_what_comes_later() {
        let at = |ms| Instant::ZERO + Span::from_millis(ms);
        let mut gauge = Gauge::new(2);
        gauge.add(0, at(0), at(100), 3);
        assert_eq!(gauge.read(0, at(0)), 0, "the same instant");
        gauge.add(0, at(0), at(50), 4);
        assert_eq!(gauge.read(0, at(0)), 0);
        assert_eq!((gauge.read(0, at(1)), gauge.read(1, at(1))), (7, 0));
        assert_eq!(gauge.read(0, at(50)), 3, "no longer under way at its end");
        gauge.add(0, at(60), at(60), 9);
        assert_eq!(gauge.read(0, at(99)), 3, "never under way");
        assert_eq!(gauge.read(0, at(100)), 0);
    }
}
