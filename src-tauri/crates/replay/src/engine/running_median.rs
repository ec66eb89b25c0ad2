//! Median of the values seen so far.

use base::Span;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Median of spans that come one after the other. A push costs a copy; the first question after it sorts it in, O(log n).
#[derive(Debug, Default)]
pub(crate) struct RunningMedian {
    /// Pushed since the last question.
    new: Vec<Span>,
    /// The lower half, and the middle one of an odd number.
    low: BinaryHeap<Span>,
    /// The values above the lower half.
    high: BinaryHeap<Reverse<Span>>,
}

impl RunningMedian {
    /// Adds a value to those whose median is asked for.
    #[inline]
    pub fn push(&mut self, value: Span) {
        self.new.push(value);
    }

    /// Forgets all values, and keeps their memory.
    pub fn clear(&mut self) {
        self.new.clear();
        self.low.clear();
        self.high.clear();
    }

    /// Returns the median, of an even number of values the mean of the middle two; `None` without values.
    pub fn median(&mut self) -> Option<Span> {
        for value in self.new.drain(..) {
            if self.low.peek().is_some_and(|&middle| value > middle) {
                self.high.push(Reverse(value));
            } else {
                self.low.push(value);
            }
        }
        // Once for all new values: those on one side make up for those on the other, and a move costs more than a push.
        while self.low.len() > self.high.len() + 1
            && let Some(middle) = self.low.pop()
        {
            self.high.push(Reverse(middle));
        }
        while self.high.len() > self.low.len()
            && let Some(Reverse(middle)) = self.high.pop()
        {
            self.low.push(middle);
        }
        let &below = self.low.peek()?;
        match self.high.peek() {
            Some(&Reverse(above)) if self.high.len() == self.low.len() => Some(below + (above - below).scale(1, 2)),
            _ => Some(below),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::{any, prop_assert_eq, proptest};

    proptest! {
        /// After any values, asked for or not in between, it is that of all values sorted.
        #[test]
        fn is_the_median_of_all_values(values in vec((0_i64..50, any::<bool>()), 0..60), before in vec(0_i64..50, 0..9)) {
            let mut running = RunningMedian::default();
            before.into_iter().for_each(|value| running.push(Span::from_nanos(value)));
            running.median();
            running.clear();
            let mut sorted: Vec<i64> = Vec::new();
            prop_assert_eq!(running.median(), None);
            for (value, asks) in values {
                running.push(Span::from_nanos(2 * value));
                sorted.push(2 * value);
                sorted.sort_unstable();
                if asks {
                    let (middle, odd) = (sorted.len() / 2, sorted.len() % 2 == 1);
                    let expected = if odd { sorted[middle] } else { (sorted[middle - 1] + sorted[middle]) / 2 };
                    prop_assert_eq!(running.median(), Some(Span::from_nanos(expected)));
                }
            }
        }
    }
}
