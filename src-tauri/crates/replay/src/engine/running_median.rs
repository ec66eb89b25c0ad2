//! Median of the values seen so far.

use base::Span;

/// Median of spans that come one after the other. Only values around the median of the last question are kept in order:
/// the median of `n` values in random order moves by about `√n` ranks while they double, so most values are just put on
/// their side, and most questions are a look.
#[derive(Debug, Default)]
pub(crate) struct RunningMedian {
    /// Values no greater than those of `middle`, in any order; all values before the first question.
    below: Vec<Span>,
    /// Values around the median of the last question, sorted.
    middle: Vec<Span>,
    /// Values no less than those of `middle`, in any order.
    above: Vec<Span>,
}

impl RunningMedian {
    /// Adds a value to those whose median is asked for.
    #[inline]
    pub fn push(&mut self, value: Span) {
        let (Some(&first), Some(&last)) = (self.middle.first(), self.middle.last()) else {
            return self.below.push(value);
        };
        if value < first {
            self.below.push(value);
        } else if value > last {
            self.above.push(value);
        } else {
            self.sort_in(value);
        }
    }

    /// Forgets all values, and keeps their memory.
    pub fn clear(&mut self) {
        self.below.clear();
        self.middle.clear();
        self.above.clear();
    }

    /// Returns the median, of an even number of values the mean of the middle two; `None` without values.
    pub fn median(&mut self) -> Option<Span> {
        // Ranks of the middle two, from 0; of an odd number of values twice the same.
        let (lower, upper) = (self.count().checked_sub(1)? / 2, self.count() / 2);
        if lower < self.below.len() || upper >= self.below.len() + self.middle.len() {
            self.sort_around(lower);
        }
        let value = |rank: usize| self.middle.get(rank.checked_sub(self.below.len())?).copied();
        let (lower, upper) = (value(lower)?, value(upper)?);
        Some(lower + (upper - lower).scale(1, 2))
    }

    /// Number of values.
    fn count(&self) -> usize {
        self.below.len() + self.middle.len() + self.above.len()
    }

    /// Number of ranks on each side of the median whose values are sorted.
    fn reach(&self) -> usize {
        self.count().isqrt() + 1
    }

    /// Sorts in a value that lies among `middle`, and keeps that short: of values that are often equal most would end
    /// there.
    #[inline(never)]
    fn sort_in(&mut self, value: Span) {
        let place = self.middle.partition_point(|&other| other <= value);
        self.middle.insert(place, value);
        let reach = self.reach();
        if self.middle.len() > 8 * reach {
            let median = (self.count() / 2).saturating_sub(self.below.len());
            let from = median.saturating_sub(reach).min(self.middle.len() - 2 * reach);
            self.above.extend(self.middle.drain(from + 2 * reach..));
            self.below.extend(self.middle.drain(..from));
        }
    }

    /// Sorts the values around the one of rank `lower`, counted from 0, which must be one.
    #[inline(never)]
    fn sort_around(&mut self, lower: usize) {
        let reach = self.reach();
        let Self { below, middle, above } = self;
        below.append(middle);
        below.append(above);
        let (from, to) = (lower.saturating_sub(reach), (lower + 1 + reach).min(below.len()));
        if to < below.len() {
            below.select_nth_unstable(to);
            above.extend(below.drain(to..));
        }
        if from > 0 {
            below.select_nth_unstable(from);
        }
        middle.extend(below.drain(from..));
        middle.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::{prop_assert_eq, proptest};

    proptest! {
        /// After any values, asked for or not in between, it is that of all values sorted.
        #[test]
        fn is_the_median_of_all_values(values in vec((0_i64..500, 0_u8..20), 0..900), before in vec(0_i64..50, 0..9), most in 1_i64..500) {
            let mut running = RunningMedian::default();
            before.into_iter().for_each(|value| running.push(Span::from_nanos(value)));
            running.median();
            running.clear();
            let mut sorted: Vec<i64> = Vec::new();
            prop_assert_eq!(running.median(), None);
            for (value, asks) in values {
                let value = value % most;
                running.push(Span::from_nanos(2 * value));
                sorted.push(2 * value);
                sorted.sort_unstable();
                if asks == 0 {
                    let (middle, odd) = (sorted.len() / 2, sorted.len() % 2 == 1);
                    let expected = if odd { sorted[middle] } else { (sorted[middle - 1] + sorted[middle]) / 2 };
                    prop_assert_eq!(running.median(), Some(Span::from_nanos(expected)));
                }
            }
        }
    }
}
