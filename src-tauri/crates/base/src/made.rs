//! Values that take long to make and are made when somebody first asks.

use crate::{Cancelled, Progress, Silent};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// How often who waits for another thread asks whether to go on.
const ASK: Duration = Duration::from_millis(20);

/// A value made by who asks for it first. Who is told to stop while making it leaves that to the next; who finds another at it
/// waits, and may be told to stop waiting.
#[derive(Debug, Default)]
pub struct Made<T> {
    value: OnceLock<T>,
    is_busy: Mutex<bool>,
    over: Condvar,
}

impl<T> From<T> for Made<T> {
    fn from(value: T) -> Self {
        Self { value: OnceLock::from(value), ..Self::new() }
    }
}

/// At work; others may go on once this is dropped.
struct AtWork<'a, T>(&'a Made<T>);

impl<T> Made<T> {
    /// Not made yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { value: OnceLock::new(), is_busy: Mutex::new(false), over: Condvar::new() }
    }

    /// Where it is made already.
    pub fn get(&self) -> Option<&T> {
        self.value.get()
    }

    /// The value, by `make` where there is none yet.
    ///
    /// # Errors
    /// [`Cancelled`] when `make` says so, or `progress` while another thread is at it.
    pub fn get_or_make(
        &self,
        progress: &mut dyn Progress,
        make: impl FnOnce(&mut dyn Progress) -> Result<T, Cancelled>,
    ) -> Result<&T, Cancelled> {
        if let Some(value) = self.value.get() {
            return Ok(value);
        }
        let mut is_busy = self.is_busy();
        while *is_busy {
            is_busy = self.over.wait_timeout(is_busy, ASK).unwrap_or_else(PoisonError::into_inner).0;
            if *is_busy && progress.tick(0, 0).is_break() {
                return Err(Cancelled);
            }
        }
        if let Some(value) = self.value.get() {
            return Ok(value);
        }
        *is_busy = true;
        drop(is_busy);
        let at_work = AtWork(self);
        let value = make(progress)?;
        let value = self.value.get_or_init(|| value);
        drop(at_work);
        Ok(value)
    }

    /// The value, by `make` where there is none yet; nobody stops it.
    pub fn get_or(&self, make: impl FnOnce(&mut dyn Progress) -> Result<T, Cancelled>) -> &T {
        let made = self.get_or_make(&mut Silent, make);
        made.unwrap_or_else(|Cancelled| unreachable!("silence asks nobody to stop"))
    }

    /// Every critical section leaves the flag as it should be, so a poisoned lock is as good as a clean one.
    fn is_busy(&self) -> MutexGuard<'_, bool> {
        self.is_busy.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Drop for AtWork<'_, T> {
    fn drop(&mut self) {
        *self.0.is_busy() = false;
        self.0.over.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::mpsc;
    use std::thread;

    #[test]
    fn is_made_once_by_whoever_asks() {
        let (made, times) = (Made::new(), AtomicU32::new(0));
        let make = |_: &mut dyn Progress| Ok(times.fetch_add(1, Ordering::Relaxed));
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| assert_eq!(made.get_or(make), &0));
            }
        });
        assert_eq!((made.get(), times.into_inner()), (Some(&0), 1));
    }

    #[test]
    fn who_is_stopped_leaves_it_to_the_next() {
        let made = Made::new();
        assert_eq!(made.get_or_make(&mut Silent, |_| Err::<u8, _>(Cancelled)), Err(Cancelled));
        assert_eq!(made.get(), None);
        assert_eq!(made.get_or_make(&mut Silent, |_| Ok(7)), Ok(&7));
    }

    #[test]
    fn who_panics_leaves_it_to_the_next() {
        let made = Made::<u8>::new();
        let panicked = thread::scope(|scope| scope.spawn(|| made.get_or(|_| panic!("as asked")).to_owned()).join());
        assert!(panicked.is_err());
        assert_eq!(made.get_or(|_| Ok(7)), &7);
    }

    #[test]
    fn who_waits_for_another_can_be_stopped() {
        let made = Made::new();
        let (begun, is_begun) = mpsc::channel();
        let (end, ended) = mpsc::channel::<()>();
        thread::scope(|scope| {
            let made = &made;
            let maker = scope.spawn(move || {
                *made.get_or(|_| {
                    begun.send(()).unwrap();
                    ended.recv().unwrap();
                    Ok(1)
                })
            });
            is_begun.recv().unwrap();
            let mut asked = 0;
            let mut third = |_: u64, _: u64| {
                asked += 1;
                if asked < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            };
            assert_eq!(made.get_or_make(&mut third, |_| Ok(2)), Err(Cancelled));
            let waiter = scope.spawn(move || *made.get_or(|_| Ok(3)));
            end.send(()).unwrap();
            assert_eq!((maker.join().unwrap(), waiter.join().unwrap()), (1, 1));
        });
    }
}
