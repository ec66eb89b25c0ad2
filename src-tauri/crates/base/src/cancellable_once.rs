//! A cell that is written once, by a computation that can be cancelled.

use crate::{Cancelled, Progress};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// Interval at which a waiting thread polls its own [`Progress`] for cancellation. Chosen here: well below the 50 ms
/// within which a request has to stop, and long enough that waiting costs nothing.
const POLL: Duration = Duration::from_millis(20);

/// A [`OnceLock`] whose initialiser may be cancelled.
///
/// The first thread that asks computes the value. If it is cancelled or panics, the cell stays empty and the next
/// thread computes. Threads that ask meanwhile wait, and their own cancellation ends the wait.
#[derive(Debug, Default)]
pub struct CancellableOnce<T> {
    value: OnceLock<T>,
    is_busy: Mutex<bool>,
    over: Condvar,
}

impl<T> From<T> for CancellableOnce<T> {
    fn from(value: T) -> Self {
        Self { value: OnceLock::from(value), ..Self::new() }
    }
}

/// Marks the cell as being computed until it is dropped, also by a panic.
struct Computing<'a, T>(&'a CancellableOnce<T>);

impl<T> CancellableOnce<T> {
    /// Creates an empty cell.
    #[must_use]
    pub const fn new() -> Self {
        Self { value: OnceLock::new(), is_busy: Mutex::new(false), over: Condvar::new() }
    }

    /// Returns the value if it has been computed.
    pub fn get(&self) -> Option<&T> {
        self.value.get()
    }

    /// Returns the value, computing it by `init` if the cell is empty.
    ///
    /// # Errors
    /// [`Cancelled`] when `init` returns it, or when `progress` asks to stop while another thread computes.
    pub fn get_or_try_init(
        &self,
        progress: &mut dyn Progress,
        init: impl FnOnce(&mut dyn Progress) -> Result<T, Cancelled>,
    ) -> Result<&T, Cancelled> {
        if let Some(value) = self.value.get() {
            return Ok(value);
        }
        let mut is_busy = self.is_busy();
        while *is_busy {
            is_busy = self.over.wait_timeout(is_busy, POLL).unwrap_or_else(PoisonError::into_inner).0;
            if *is_busy && progress.tick(0, 0).is_break() {
                return Err(Cancelled);
            }
        }
        if let Some(value) = self.value.get() {
            return Ok(value);
        }
        *is_busy = true;
        drop(is_busy);
        let computing = Computing(self);
        let value = init(progress)?;
        let value = self.value.get_or_init(|| value);
        drop(computing);
        Ok(value)
    }

    /// Locks the flag. Every critical section leaves it consistent, so a poisoned lock is as good as a clean one.
    fn is_busy(&self) -> MutexGuard<'_, bool> {
        self.is_busy.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Drop for Computing<'_, T> {
    fn drop(&mut self) {
        *self.0.is_busy() = false;
        self.0.over.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::mpsc;
    use std::thread;

    #[test]
    fn the_first_thread_computes_for_all() {
        let (cell, times) = (CancellableOnce::new(), AtomicU32::new(0));
        let make = |_: &mut dyn Progress| Ok(times.fetch_add(1, Ordering::Relaxed));
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| assert_eq!(cell.get_or_try_init(&mut Silent, make), Ok(&0)));
            }
        });
        assert_eq!((cell.get(), times.into_inner()), (Some(&0), 1));
    }

    #[test]
    fn a_cancelled_computation_leaves_the_cell_empty() {
        let cell = CancellableOnce::new();
        assert_eq!(cell.get_or_try_init(&mut Silent, |_| Err::<u8, _>(Cancelled)), Err(Cancelled));
        assert_eq!(cell.get(), None);
        assert_eq!(cell.get_or_try_init(&mut Silent, |_| Ok(7)), Ok(&7));
    }

    #[test]
    fn a_panicking_computation_leaves_the_cell_empty() {
        let cell = CancellableOnce::<u8>::new();
        let panicked = thread::scope(|scope| {
            scope.spawn(|| cell.get_or_try_init(&mut Silent, |_| panic!("as asked")).copied()).join()
        });
        assert!(panicked.is_err());
        assert_eq!(cell.get_or_try_init(&mut Silent, |_| Ok(7)), Ok(&7));
    }

    #[test]
    fn waiting_for_another_thread_can_be_cancelled() {
        let cell = CancellableOnce::new();
        let (begun, is_begun) = mpsc::channel();
        let (end, ended) = mpsc::channel::<()>();
        thread::scope(|scope| {
            let cell = &cell;
            let maker = scope.spawn(move || {
                cell.get_or_try_init(&mut Silent, |_| {
                    begun.send(()).unwrap();
                    ended.recv().unwrap();
                    Ok(1)
                })
                .copied()
            });
            is_begun.recv().unwrap();
            let mut asked = 0;
            let mut third = |_: u64, _: u64| {
                asked += 1;
                if asked < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            };
            assert_eq!(cell.get_or_try_init(&mut third, |_| Ok(2)), Err(Cancelled));
            let waiter = scope.spawn(move || cell.get_or_try_init(&mut Silent, |_| Ok(3)).copied());
            end.send(()).unwrap();
            assert_eq!((maker.join().unwrap(), waiter.join().unwrap()), (Ok(1), Ok(1)));
        });
    }
}
