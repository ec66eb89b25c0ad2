//! The ranges of mean and quantiles of the durations of successes.

use crate::stats::{between, position};
use base::Span;

/// End of a range that is sought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extreme {
    /// The least possible value.
    Least,
    /// The greatest possible value.
    Greatest,
}

/// Extreme durations of successes in nanoseconds: all shortest or all longest ones.
#[derive(Debug, Default)]
pub(super) struct Durations {
    /// Durations of exchanges that must succeed.
    sure: Vec<i64>,
    /// Durations of exchanges that may succeed.
    maybe: Vec<i64>,
}

impl Durations {
    /// Adds the duration of an exchange that `must` succeed, or only may.
    pub fn add(&mut self, duration: Span, must: bool) {
        if must { &mut self.sure } else { &mut self.maybe }.push(duration.nanos());
    }

    /// Adds the durations of `other`.
    pub fn append(&mut self, mut other: Self) {
        self.sure.append(&mut other.sure);
        self.maybe.append(&mut other.maybe);
    }

    /// Extreme mean, median and 95th percentile of the durations of successes, in this order, in seconds; `None`
    /// without a success. Sorts both lists.
    ///
    /// For the greatest value every success takes its longest duration. Of the exchanges that need not succeed some
    /// number c does. Among all sets of c, the one with the longest durations gives the greatest mean and quantiles,
    /// because replacing a value by a greater one lowers neither. So only c has to be searched; for the least value
    /// likewise.
    pub fn extreme(&mut self, extreme: Extreme) -> Option<[f64; 3]> {
        let Self { sure, maybe } = self;
        // Appended parts are runs in order, which the stable sort merges.
        sure.sort();
        // In the order in which they are taken.
        if extreme == Extreme::Greatest {
            maybe.sort_by_key(|&v| std::cmp::Reverse(v))
        } else {
            maybe.sort()
        }
        let total: i128 = sure.iter().map(|&v| i128::from(v)).sum();
        let mut added = 0_i128;
        let mut best: Option<[f64; 3]> = None;
        for c in 0..=maybe.len() {
            if c > 0 {
                added += i128::from(maybe.get(c - 1).copied().unwrap_or(0));
            }
            let n = sure.len() + c;
            let taken = maybe.get(..c).unwrap_or(&[]);
            let (Some(p50), Some(p95)) = (quantile(sure, taken, extreme, 0.5), quantile(sure, taken, extreme, 0.95))
            else {
                continue;
            };
            let values = [(total + added) as f64 / 1e9 / n as f64, p50 / 1e9, p95 / 1e9];
            best = Some(match best {
                None => values,
                Some(b) if extreme == Extreme::Greatest => {
                    [b[0].max(values[0]), b[1].max(values[1]), b[2].max(values[2])]
                }
                Some(b) => [b[0].min(values[0]), b[1].min(values[1]), b[2].min(values[2])],
            });
        }
        best
    }
}

/// The type-7 quantile of the union of `sure` (ascending) and `taken` (descending for the greatest extreme, else
/// ascending).
fn quantile(sure: &[i64], taken: &[i64], extreme: Extreme, p: f64) -> Option<f64> {
    let n = sure.len() + taken.len();
    let (below, share) = position(n, p)?;
    let nth = |rank: usize| -> Option<i64> {
        let at = |i: usize| {
            if extreme == Extreme::Greatest { taken.get(taken.len() - 1 - i) } else { taken.get(i) }.copied()
        };
        // Bisection for the number of values from `sure` among the `rank` smallest of the union.
        let (mut lo, mut hi) = (rank.saturating_sub(taken.len()), rank.min(sure.len()));
        while lo < hi {
            let i = lo + (hi - lo) / 2;
            let j = rank - i;
            // Too few while the next of `sure` is smaller than the last one from `taken`.
            if j > 0 && sure.get(i).copied()? < at(j - 1)? { lo = i + 1 } else { hi = i }
        }
        let (i, j) = (lo, rank - lo);
        match (sure.get(i), (j < taken.len()).then(|| at(j)).flatten()) {
            (Some(&a), Some(b)) => Some(a.min(b)),
            (Some(&a), None) => Some(a),
            (None, b) => b,
        }
    };
    let low = nth(below)?;
    let high = if share > 0.0 { nth(below + 1)? } else { low };
    Some(between(low as f64, high as f64, share))
}
