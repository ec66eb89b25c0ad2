//! Median of the values seen so far.

use base::Span;

/// Median of spans that come one after the other. Only values around the median of the last question are kept in order:
/// the median of `n` values in random order moves by about `√n` ranks while they double, so most values are just
/// counted, and most questions are a look.
#[derive(Debug, Default)]
pub(crate) struct RunningMedian {
    /// All values, in any order.
    values: Vec<Span>,
    /// Those of them around the median of the last question, sorted; none before the first question.
    middle: Vec<Span>,
    /// Number of values before those of `middle` in order.
    below: usize,
    /// Greatest length of `middle`: beyond it is shortened.
    most: usize,
}

impl RunningMedian {
    /// Adds a value to those whose median is asked for.
    #[inline]
    pub fn push(&mut self, value: Span) {
        self.values.push(value);
        let (Some(&first), Some(&last)) = (self.middle.first(), self.middle.last()) else { return };
        // Added, not branched on: to which side a value falls cannot be foreseen.
        self.below += usize::from(value < first);
        if first <= value && value <= last {
            self.sort_in(value);
        }
    }

    /// Forgets all values, and keeps their memory.
    pub fn clear(&mut self) {
        self.values.clear();
        self.middle.clear();
        self.below = 0;
    }

    /// Returns the median, of an even number of values the mean of the middle two; `None` without values.
    pub fn median(&mut self) -> Option<Span> {
        // Ranks of the middle two, from 0; of an odd number of values twice the same.
        let (lower, upper) = (self.values.len().checked_sub(1)? / 2, self.values.len() / 2);
        if lower < self.below || upper >= self.below + self.middle.len() {
            self.sort_around(lower);
        }
        let value = |rank: usize| self.middle.get(rank.checked_sub(self.below)?).copied();
        let (lower, upper) = (value(lower)?, value(upper)?);
        Some(lower + (upper - lower).scale(1, 2))
    }

    /// Number of ranks on each side of the median whose values are sorted.
    fn reach(&self) -> usize {
        self.values.len().isqrt() + 1
    }

    /// Sorts in a value that lies among `middle`, and keeps that short: of values that are often equal most would end
    /// there.
    #[inline(never)]
    fn sort_in(&mut self, value: Span) {
        let place = self.middle.partition_point(|&other| other <= value);
        self.middle.insert(place, value);
        if self.middle.len() > self.most {
            let reach = self.reach();
            let median = (self.values.len() / 2).saturating_sub(self.below);
            let from = median.saturating_sub(reach).min(self.middle.len().saturating_sub(2 * reach));
            self.middle.truncate(from + 2 * reach);
            self.middle.drain(..from);
            self.below += from;
            self.most = 3 * reach;
        }
    }

    /// Sorts the values around the one of rank `lower`, counted from 0, which must be one.
    #[inline(never)]
    fn sort_around(&mut self, lower: usize) {
        let reach = self.reach();
        let (from, to) = (lower.saturating_sub(reach), (lower + 1 + reach).min(self.values.len()));
        if to < self.values.len() {
            self.values.select_nth_unstable(to);
        }
        let (lesser, _) = self.values.split_at_mut(to);
        if from > 0 {
            lesser.select_nth_unstable(from);
        }
        self.middle.clear();
        self.middle.extend_from_slice(lesser.split_at(from).1);
        self.middle.sort_unstable();
        self.below = from;
        self.most = 3 * reach;
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
