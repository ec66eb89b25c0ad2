//! Cache of the cells of a [`RefreshProcess`]: all algorithms of a replicate pass through the same cells.

use crate::channel::refresh::{Refresh, RefreshProcess};

/// Most cells per recorded copy that are cached. Chosen here: where a path has more, few cells are visited twice; repeat with
/// `npm run bench -- replicates`.
const MOST: usize = 4;

/// Refreshes of visited cells.
#[derive(Debug, Default)]
pub(in crate::channel) struct RefreshCache {
    /// The first cell that may be cached, and how many from there on.
    first: i64,
    many: usize,
    /// Begin and end of each cell in `refreshes`; `None` where a cell was not visited yet.
    cells: Vec<Option<(u32, u32)>>,
    refreshes: Vec<Refresh>,
}

impl RefreshCache {
    /// A cache for the cells between `ends`, the places of a path's first and last of `copies` states, and as many again behind them,
    /// where other timers may send. Empty for ever where these are too many.
    pub fn new(ends: Option<[i64; 2]>, copies: usize, process: &RefreshProcess) -> Self {
        let Some([first, last]) = ends.map(|ends| ends.map(|place| process.cell_of(place))) else {
            return Self::default();
        };
        let cells = usize::try_from(last.saturating_sub(first)).unwrap_or(usize::MAX);
        if cells > MOST.saturating_mul(copies) {
            return Self::default();
        }
        Self { first, many: 2 * (cells + 1), ..Self::default() }
    }

    /// State of the last refresh up to `place`; `None` where there is none after `from`.
    pub fn last(&mut self, process: &RefreshProcess, place: i64, from: f64) -> Option<bool> {
        let up_to_place = |refresh: Refresh| (refresh.at <= place as f64).then_some(refresh);
        let mut number = process.cell_of(place);
        loop {
            let last = match self.cell(number, process) {
                Some(cell) => cell.iter().copied().find_map(up_to_place),
                None => process.find(number, up_to_place),
            };
            if let Some(last) = last {
                return (last.at > from).then_some(last.bad);
            }
            if process.ends(number).0 <= from {
                return None;
            }
            number = number.checked_sub(1)?;
        }
    }

    /// Refreshes of a cell, backwards from its end; `None` for a cell outside the cache.
    fn cell(&mut self, number: i64, process: &RefreshProcess) -> Option<&[Refresh]> {
        let Self { first, many, cells, refreshes } = self;
        let at = usize::try_from(number.checked_sub(*first)?).ok().filter(|at| at < many)?;
        if at >= cells.len() {
            cells.resize(at + 1, None);
        }
        let (from, to) = *cells.get_mut(at)?.get_or_insert_with(|| {
            let from = refreshes.len() as u32;
            process.find(number, |refresh| {
                refreshes.push(refresh);
                None::<Refresh>
            });
            (from, refreshes.len() as u32)
        });
        refreshes.get(from as usize..to as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::{Delay, GilbertElliott};
    use crate::model::{Purpose, RandomStream};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        /// The cache returns what the process itself draws: within the path, before it and far behind it.
        #[test]
        fn the_cache_equals_the_process(
            last in 0_i64..5_000,
            coherence in 0.01..20.0,
            asked in proptest::collection::vec((-2_000_i64..15_000, 0_i64..3_000), 1..100),
            replicate: u32,
        ) {
            let model = GilbertElliott { bad: 0.3, coherence, loss_good: 0.0, loss_bad: 1.0, delay: Delay::NOTHING };
            let draws = RefreshProcess::new(model, RandomStream::new(1, replicate, 0, Purpose::StatePath), 10_000_000);
            let mut cache = RefreshCache::new(Some([0, last]), 50, &draws);
            let mut none = RefreshCache::default();
            for (place, since) in asked {
                let from = (place - since) as f64;
                let plain = draws.last(place, from);
                prop_assert_eq!(cache.last(&draws, place, from), plain, "{} since {}", place, from);
                prop_assert_eq!(none.last(&draws, place, from), plain, "without cells: {} since {}", place, from);
            }
            prop_assert!(none.cells.is_empty() && cache.cells.len() <= 2 * (MOST * 50 + 1));
        }
    }
}
