//! Refresh times of a two-state channel: moments of a Poisson process at which the state is drawn again.
//!
//! In continuous time the chain of [`GilbertElliott`] is this: at each refresh time the state becomes bad with its
//! stationary probability, whatever it was. With one refresh per coherence time τ on average, `exp(-t / τ)` of a state
//! is left after `t`.
//!
//! Time is divided into cells. Each cell draws its own refreshes, backwards from its end, from its own random numbers;
//! so the answer for a moment depends neither on the caller nor on the order of the calls.

use crate::estimate::GilbertElliott;
use crate::model::{RandomStream, unit};

/// Length of a cell in coherence times. Chosen here: long enough that a query visits few cells, short enough that it
/// skips few refreshes within one; repeat with `npm run bench -- replicates`.
const CELL: f64 = 2.0;

/// One refresh of the state.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Refresh {
    /// Time of the refresh, in quanta.
    pub at: f64,
    /// Whether the state is bad from then on.
    pub bad: bool,
}

/// Refreshes of one path in one replicate. Time is counted in quanta.
#[derive(Debug)]
pub(super) struct RefreshProcess {
    /// Parameters of the two-state channel.
    pub model: GilbertElliott,
    /// Random numbers, addressed by the number of the cell.
    pub stream: RandomStream,
    /// Coherence time in quanta.
    pub coherence: f64,
    /// Length of a cell, quanta.
    cell: i64,
}

impl RefreshProcess {
    /// Process of `model` in quanta of `quantum` nanoseconds, with the random numbers of `stream`.
    pub fn new(model: GilbertElliott, stream: RandomStream, quantum: i64) -> Self {
        let coherence = model.coherence * 1e9 / quantum as f64;
        let cell = ((coherence * CELL) as i64).max(1);
        Self { model, stream, coherence, cell }
    }

    /// Number of the cell that holds the quantum `place`. A cell excludes its begin and includes its end, a multiple of
    /// its length.
    pub fn cell_of(&self, place: i64) -> i64 {
        -place.saturating_neg().div_euclid(self.cell)
    }

    /// Begin and end of a cell, in quanta.
    pub fn ends(&self, cell: i64) -> (f64, f64) {
        let end = cell as f64 * self.cell as f64;
        (end - self.cell as f64, end)
    }

    /// Visits the refreshes of a cell backwards from its end, and returns the first result of `visit` that is some;
    /// `None` if none is.
    pub fn find<T>(&self, cell: i64, mut visit: impl FnMut(Refresh) -> Option<T>) -> Option<T> {
        let (begin, mut at) = self.ends(cell);
        // Quarter 0 of each block belongs to the sampled states at recorded copies.
        for quarter in 1.. {
            let [first, first_state, second, second_state] = self.stream.quarter(cell as u64, quarter);
            for (gap, state) in [(first, first_state), (second, second_state)] {
                at += self.coherence * (1.0 - unit(gap)).ln();
                if at <= begin {
                    return None;
                }
                let found = visit(Refresh { at, bad: unit(state) < self.model.bad });
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// State of the last refresh up to the quantum `place`, `true` for bad; `None` where there is none after `from` (in
    /// quanta).
    pub fn last(&self, place: i64, from: f64) -> Option<bool> {
        let mut cell = self.cell_of(place);
        loop {
            if let Some(last) = self.find(cell, |refresh| (refresh.at <= place as f64).then_some(refresh)) {
                return (last.at > from).then_some(last.bad);
            }
            if self.ends(cell).0 <= from {
                return None;
            }
            cell = cell.checked_sub(1)?;
        }
    }
}
