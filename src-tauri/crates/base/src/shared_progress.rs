//! Progress and cancellation of work that several threads share.

use crate::{Cancelled, Progress};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Number of list items between two reports. Chosen here: at a microsecond an item, some milliseconds.
const STRIDE: usize = 4_096;

/// A [`Progress`] that several threads report to. No computed value depends on the order of their reports.
///
/// The work is a sequence of stages. A stage counts for a number of units and is reported in a number of passes.
pub struct SharedProgress<'a> {
    progress: Mutex<&'a mut dyn Progress>,
    total: u64,
    /// Number of units done before the current stage, and of units of the current stage.
    before: u64,
    units: u64,
    /// Number of passes expected in the current stage, and of passes so far.
    passes: u64,
    passed: AtomicU64,
    stop: AtomicBool,
}

impl<'a> SharedProgress<'a> {
    /// Starts work of `total` units.
    pub fn new(progress: &'a mut dyn Progress, total: u64) -> Self {
        let progress = Mutex::new(progress);
        let (passed, stop) = (AtomicU64::new(0), AtomicBool::new(false));
        Self { progress, total, before: 0, units: 0, passes: 1, passed, stop }
    }

    /// Begins a stage of `units` that threads report in `passes` passes. All earlier stages count as done.
    ///
    /// # Errors
    /// [`Cancelled`], once the [`Progress`] has asked to stop.
    pub fn stage(&mut self, units: u64, passes: u64) -> Result<(), Cancelled> {
        self.before += self.units;
        (self.units, self.passes, self.passed) = (units, passes.max(1), AtomicU64::new(0));
        let progress = self.progress.get_mut().unwrap_or_else(PoisonError::into_inner);
        if progress.tick(self.before, self.total).is_break() {
            self.stop.store(true, Ordering::Relaxed);
        }
        self.goes_on()
    }

    /// Begins a stage of `units` over a list of `items`, each reported by [`SharedProgress::item`].
    ///
    /// # Errors
    /// [`Cancelled`], once the [`Progress`] has asked to stop.
    pub fn list(&mut self, units: u64, items: usize) -> Result<(), Cancelled> {
        self.stage(units, Self::items(items))
    }

    /// Returns the number of passes that [`SharedProgress::item`] makes over a list of `many` items.
    #[must_use]
    pub const fn items(many: usize) -> u64 {
        many.div_ceil(STRIDE) as u64
    }

    /// Reports that item `index` of a long list comes next; counts one pass every [`STRIDE`] items.
    ///
    /// # Errors
    /// [`Cancelled`], once the [`Progress`] has asked to stop.
    pub fn item(&self, index: usize) -> Result<(), Cancelled> {
        if index.is_multiple_of(STRIDE) { self.pass() } else { Ok(()) }
    }

    /// Checks for cancellation when item `index` of a long list comes next, without counting a pass.
    ///
    /// # Errors
    /// [`Cancelled`], once the [`Progress`] has asked to stop.
    pub fn ask_at(&self, index: usize) -> Result<(), Cancelled> {
        if index.is_multiple_of(STRIDE) { self.ask() } else { Ok(()) }
    }

    /// Counts one pass and checks for cancellation.
    ///
    /// # Errors
    /// [`Cancelled`], once the [`Progress`] has asked to stop.
    pub fn pass(&self) -> Result<(), Cancelled> {
        self.passed.fetch_add(1, Ordering::Relaxed);
        self.ask()
    }

    /// Checks for cancellation without counting a pass, for work of unknown length.
    ///
    /// # Errors
    /// [`Cancelled`], once the [`Progress`] has asked to stop.
    pub fn ask(&self) -> Result<(), Cancelled> {
        // A thread that finds the lock taken need not wait: the holder or the next pass reports the sum.
        if let Ok(mut progress) = self.progress.try_lock() {
            let passed = self.passed.load(Ordering::Relaxed).min(self.passes);
            let share = u128::from(self.units) * u128::from(passed) / u128::from(self.passes);
            let done = self.before + u64::try_from(share).unwrap_or(self.units);
            if progress.tick(done, self.total).is_break() {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
        self.goes_on()
    }

    /// Returns a [`Progress`] for a part of this work, which asks whether to stop, and whose own count is not reported.
    #[must_use]
    pub const fn uncounted(&self) -> Uncounted<'_, 'a> {
        Uncounted(self)
    }

    fn goes_on(&self) -> Result<(), Cancelled> {
        if self.stop.load(Ordering::Relaxed) { Err(Cancelled) } else { Ok(()) }
    }
}

/// [`Progress`] of one thread within a [`SharedProgress`] ([`SharedProgress::uncounted`]).
pub struct Uncounted<'s, 'a>(&'s SharedProgress<'a>);

impl Progress for Uncounted<'_, '_> {
    fn tick(&mut self, _: u64, _: u64) -> ControlFlow<()> {
        if self.0.ask().is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn reports_never_decrease() {
        let mut told = Vec::new();
        let mut progress = |done: u64, total: u64| {
            told.push((done, total));
            ControlFlow::Continue(())
        };
        let mut shared = SharedProgress::new(&mut progress, 10);
        shared.stage(4, 100).unwrap();
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..25).for_each(|_| shared.pass().unwrap()));
            }
        });
        shared.stage(6, 1).unwrap();
        shared.pass().unwrap();
        // Passes beyond the announced number add nothing.
        shared.pass().unwrap();
        assert!(told.is_sorted() && told.iter().all(|&(_, total)| total == 10), "{told:?}");
        assert!(told.contains(&(4, 10)));
        assert_eq!((told.first(), told.last()), (Some(&(0, 10)), Some(&(10, 10))));
    }

    #[test]
    fn a_part_stops_with_the_whole_and_counts_nothing() {
        let mut told = Vec::new();
        let mut progress = |done: u64, _: u64| {
            told.push(done);
            if told.len() < 4 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let mut shared = SharedProgress::new(&mut progress, 2);
        shared.stage(2, 2).unwrap();
        let mut part = shared.uncounted();
        assert!(part.tick(90, 100).is_continue());
        shared.pass().unwrap();
        assert!(part.tick(95, 100).is_break());
        assert!(part.tick(96, 100).is_break(), "it stays stopped");
        assert_eq!(shared.ask(), Err(Cancelled));
        assert_eq!(told[..4], [0, 0, 1, 1]);
    }

    #[test]
    fn cancellation_reaches_every_thread() {
        let mut left = 3;
        let mut progress = |_: u64, _: u64| {
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut shared = SharedProgress::new(&mut progress, 10);
        shared.stage(10, 5).unwrap();
        assert_eq!([(); 3].map(|()| shared.pass()), [Ok(()), Err(Cancelled), Err(Cancelled)]);
    }
}
