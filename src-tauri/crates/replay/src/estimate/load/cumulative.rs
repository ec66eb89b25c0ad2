//! Cumulative in-flight load over time.

use base::{Instant, Span};

/// In-flight load that changes in steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct CumulativeLoad {
    /// Moments of change in order; level from then on; integral up to then, level times nanoseconds.
    steps: Vec<(Instant, f64, f64)>,
}

impl CumulativeLoad {
    /// Sums `flights`: begin, end and airtime of each, in any order; the load is in the unit of the airtimes.
    pub fn new(flights: impl Iterator<Item = (Instant, Instant, u64)>) -> Self {
        let mut changes: Vec<(Instant, i128)> = flights
            .filter(|(from, until, _)| from < until)
            .flat_map(|(from, until, weight)| [(from, i128::from(weight)), (until, -i128::from(weight))])
            .collect();
        changes.sort_unstable();
        let (mut level, mut area) = (0_i128, 0.0);
        let mut steps: Vec<(Instant, f64, f64)> = Vec::with_capacity(changes.len());
        for (at, change) in changes {
            level += change;
            match steps.last_mut() {
                Some(last) if last.0 == at => last.1 = level as f64,
                last => {
                    area += last.map_or(0.0, |&mut (from, level, _)| level * (at - from).nanos() as f64);
                    steps.push((at, level as f64, area));
                }
            }
        }
        Self { steps }
    }

    fn upto(&self, at: Instant) -> f64 {
        let next = self.steps.partition_point(|step| step.0 <= at);
        let before = next.checked_sub(1).and_then(|i| self.steps.get(i));
        before.map_or(0.0, |&(from, level, area)| area + level * (at - from).nanos() as f64)
    }

    /// Mean load from `at` on over `span`, which must be positive; in the unit of the airtimes that were summed.
    pub fn mean(&self, at: Instant, span: Span) -> f64 {
        (self.upto(at + span) - self.upto(at)) / span.nanos() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_is_an_area() {
        let at = |ms| Instant::ZERO + Span::from_millis(ms);
        let load = CumulativeLoad::new([(at(0), at(10), 4), (at(5), at(15), 2), (at(7), at(7), 9)].into_iter());
        let mean = |from, ms| load.mean(at(from), Span::from_millis(ms));
        // 4 up to 5 ms, 6 up to 10 ms, 2 up to 15 ms.
        let means = [mean(0, 5), mean(0, 10), mean(4, 2), mean(-10, 20), mean(0, 60), mean(20, 5)];
        assert_eq!(means, [4.0, 5.0, 5.0, 2.5, 1.0, 0.0]);
        assert_eq!(CumulativeLoad::default().mean(at(3), Span::from_millis(1)), 0.0);
    }
}
