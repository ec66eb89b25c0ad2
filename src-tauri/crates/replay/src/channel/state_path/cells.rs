//! When the weather was drawn afresh: in cells of time that have each its own numbers, whoever looks at one.
//!
//! The algorithms of a replicate all come through the same cells, several times through one where it is long. So what is in a cell is
//! kept when somebody has looked at it.

use crate::estimate::GilbertElliott;
use crate::model::{RandomStream, unit};

/// Coherence times in a cell: long enough that few cells have to be looked at, short enough that little in one is passed over.
const CELL: f64 = 2.0;

/// Cells are kept where a path has no more of them than so many a copy. Where there are more, few are looked at twice.
const MOST: usize = 4;

/// A moment at which the weather was drawn afresh, and what it is from then on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Refresh {
    pub at: f64,
    pub bad: bool,
}

/// The weather and its numbers, by places in time, which are counted in quanta.
#[derive(Debug)]
pub(super) struct RefreshProcess {
    pub model: GilbertElliott,
    pub stream: RandomStream,
    /// The coherence time and a cell, in quanta.
    pub coherence: f64,
    cell: i64,
}

impl RefreshProcess {
    /// In quanta of so many nanoseconds.
    pub fn new(model: GilbertElliott, stream: RandomStream, quantum: i64) -> Self {
        let coherence = model.coherence * 1e9 / quantum as f64;
        let cell = ((coherence * CELL) as i64).max(1);
        Self { model, stream, coherence, cell }
    }

    /// The cell of a place. It is the time up to a multiple of its length.
    fn cell_of(&self, place: i64) -> i64 {
        -place.saturating_neg().div_euclid(self.cell)
    }

    /// Where a cell begins and ends.
    fn ends(&self, cell: i64) -> (f64, f64) {
        let end = cell as f64 * self.cell as f64;
        (end - self.cell as f64, end)
    }

    /// What `is_it` finds first among what is drawn afresh in a cell, backwards from its end.
    fn find<T>(&self, cell: i64, mut is_it: impl FnMut(Refresh) -> Option<T>) -> Option<T> {
        let (begin, mut at) = self.ends(cell);
        // The first quarter is for knots.
        for quarter in 1.. {
            let [first, its, second, of_it] = self.stream.quarter(cell as u64, quarter);
            for (gap, state) in [(first, its), (second, of_it)] {
                at += self.coherence * (1.0 - unit(gap)).ln();
                if at <= begin {
                    return None;
                }
                let found = is_it(Refresh { at, bad: unit(state) < self.model.bad });
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }
}

/// What was drawn afresh in cells that were looked at.
#[derive(Debug, Default)]
pub(super) struct RefreshCache {
    /// The first cell that may be kept, and how many from there on.
    first: i64,
    many: usize,
    /// Where each begins and ends in `fresh`; empty where nobody has looked yet.
    kept: Vec<Option<(u32, u32)>>,
    fresh: Vec<Refresh>,
}

impl RefreshCache {
    /// Those between the `ends` of a path of so many `copies`, and as much again behind it, where other timers may come; none where these
    /// are too many.
    pub fn new(ends: Option<[i64; 2]>, copies: usize, draws: &RefreshProcess) -> Self {
        let Some([first, last]) = ends.map(|ends| ends.map(|place| draws.cell_of(place))) else {
            return Self::default();
        };
        let cells = usize::try_from(last.saturating_sub(first)).unwrap_or(usize::MAX);
        if cells > MOST.saturating_mul(copies) {
            return Self::default();
        }
        Self { first, many: 2 * (cells + 1), ..Self::default() }
    }

    /// What was drawn afresh last, up to `place`; `None` where nothing was since `from`.
    pub fn last(&mut self, draws: &RefreshProcess, place: i64, from: f64) -> Option<bool> {
        let up_to_place = |fresh: Refresh| (fresh.at <= place as f64).then_some(fresh);
        let mut number = draws.cell_of(place);
        loop {
            let last = match self.cell(number, draws) {
                Some(cell) => cell.iter().copied().find_map(up_to_place),
                None => draws.find(number, up_to_place),
            };
            if let Some(fresh) = last {
                return (fresh.at > from).then_some(fresh.bad);
            }
            if draws.ends(number).0 <= from {
                return None;
            }
            number = number.checked_sub(1)?;
        }
    }

    /// What was drawn afresh in a cell, backwards from its end; `None` where that is not kept.
    fn cell(&mut self, number: i64, draws: &RefreshProcess) -> Option<&[Refresh]> {
        let Self { first, many, kept, fresh } = self;
        let at = usize::try_from(number.checked_sub(*first)?).ok().filter(|at| at < many)?;
        if at >= kept.len() {
            kept.resize(at + 1, None);
        }
        let (from, to) = *kept.get_mut(at)?.get_or_insert_with(|| {
            let from = fresh.len() as u32;
            draws.find(number, |one| {
                fresh.push(one);
                None::<Refresh>
            });
            (from, fresh.len() as u32)
        });
        fresh.get(from as usize..to as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::Delay;
    use crate::model::Purpose;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        /// Cells that are kept say what is drawn anew where none are: within the path, before it and far behind it.
        #[test]
        fn what_is_kept_is_what_is_drawn(
            last in 0_i64..5_000,
            coherence in 0.01..20.0,
            asked in proptest::collection::vec((-2_000_i64..15_000, 0_i64..3_000), 1..100),
            replicate: u32,
        ) {
            let model = GilbertElliott { bad: 0.3, coherence, loss_good: 0.0, loss_bad: 1.0, delay: Delay::NOTHING };
            let draws = RefreshProcess::new(model, RandomStream::new(1, replicate, 0, Purpose::StatePath), 10_000_000);
            let (mut cells, mut none) = (RefreshCache::new(Some([0, last]), 50, &draws), RefreshCache::default());
            for (place, since) in asked {
                let from = (place - since) as f64;
                prop_assert_eq!(cells.last(&draws, place, from), none.last(&draws, place, from), "{} since {}", place, from);
            }
            prop_assert!(none.kept.is_empty() && cells.kept.len() <= 2 * (MOST * 50 + 1));
        }
    }
}
