//! What threads that work together tell of how far they are, and whether they are still to go on.

use crate::{Cancelled, Progress};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Items of a long list between two passes: at a microsecond for each, some milliseconds.
const STRIDE: usize = 4_096;

/// A [`Progress`] that several threads tell of what they pass. Nothing computed depends on who tells it what when.
pub struct Watch<'a> {
    progress: Mutex<&'a mut dyn Progress>,
    total: u64,
    /// Units done before the stage under way, and of how many units that is.
    before: u64,
    units: u64,
    /// How often threads pass in the stage, and how often they have.
    passes: u64,
    passed: AtomicU64,
    stop: AtomicBool,
}

impl<'a> Watch<'a> {
    /// Of work of `total` units, none of them done.
    pub fn new(progress: &'a mut dyn Progress, total: u64) -> Self {
        let progress = Mutex::new(progress);
        let (passed, stop) = (AtomicU64::new(0), AtomicBool::new(false));
        Self { progress, total, before: 0, units: 0, passes: 1, passed, stop }
    }

    /// A stage of `units` begins, in which threads pass `passes` times; what came before it is done.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn stage(&mut self, units: u64, passes: u64) -> Result<(), Cancelled> {
        self.before += self.units;
        (self.units, self.passes, self.passed) = (units, passes.max(1), AtomicU64::new(0));
        let progress = self.progress.get_mut().unwrap_or_else(PoisonError::into_inner);
        if progress.tick(self.before, self.total).is_break() {
            self.stop.store(true, Ordering::Relaxed);
        }
        self.goes_on()
    }

    /// A stage of `units` begins, in which [`Watch::item`] is told of every one of a list of `items`.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn list(&mut self, units: u64, items: usize) -> Result<(), Cancelled> {
        self.stage(units, Self::items(items))
    }

    /// How often [`Watch::item`] passes in a list of so many.
    #[must_use]
    pub const fn items(many: usize) -> u64 {
        many.div_ceil(STRIDE) as u64
    }

    /// Item `index` of a long list is next: passes now and then.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn item(&self, index: usize) -> Result<(), Cancelled> {
        if index.is_multiple_of(STRIDE) { self.pass() } else { Ok(()) }
    }

    /// A thread has passed; it is to end where nobody waits for what it does.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn pass(&self) -> Result<(), Cancelled> {
        self.passed.fetch_add(1, Ordering::Relaxed);
        self.ask()
    }

    /// Nothing new, and whether to go on: where work takes long and nobody knows how much of it there is.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn ask(&self) -> Result<(), Cancelled> {
        // Who finds another thread telling need not wait for it: that one or the next says it all.
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

    fn goes_on(&self) -> Result<(), Cancelled> {
        if self.stop.load(Ordering::Relaxed) { Err(Cancelled) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::ControlFlow;
    use std::thread;

    #[test]
    fn threads_tell_one_after_the_other_and_never_less() {
        let mut told = Vec::new();
        let mut progress = |done: u64, total: u64| {
            told.push((done, total));
            ControlFlow::Continue(())
        };
        let mut watch = Watch::new(&mut progress, 10);
        watch.stage(4, 100).unwrap();
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..25).for_each(|_| watch.pass().unwrap()));
            }
        });
        watch.stage(6, 1).unwrap();
        watch.pass().unwrap();
        // More passes than were said are no more work.
        watch.pass().unwrap();
        assert!(told.is_sorted() && told.iter().all(|&(_, total)| total == 10), "{told:?}");
        assert!(told.contains(&(4, 10)));
        assert_eq!((told.first(), told.last()), (Some(&(0, 10)), Some(&(10, 10))));
    }

    #[test]
    fn once_stopped_every_thread_ends() {
        let mut left = 3;
        let mut progress = |_: u64, _: u64| {
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut watch = Watch::new(&mut progress, 10);
        watch.stage(10, 5).unwrap();
        assert_eq!([(); 3].map(|()| watch.pass()), [Ok(()), Err(Cancelled), Err(Cancelled)]);
    }
}
