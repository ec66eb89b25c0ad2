//! Work for all threads, of which one is told as it is done.

use rayon::Yield;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, TryRecvError};

/// Does `work` for each of `items`, in any order, and tells `done`, on this thread, what came of the one at a position. Once that breaks
/// nothing is begun any more. No thread waits for another before all is done, as they would where one chunk comes after another.
pub(super) fn in_turn<I: Sync, T: Send>(
    items: &[I],
    work: impl Fn(&I) -> T + Sync,
    mut done: impl FnMut(usize, T) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let stopped = AtomicBool::new(false);
    let (send, receive) = mpsc::channel();
    rayon::in_place_scope_fifo(|scope| {
        let (work, stopped) = (&work, &stopped);
        for (at, item) in items.iter().enumerate() {
            let send = send.clone();
            scope.spawn_fifo(move |_| {
                if !stopped.load(Ordering::Relaxed) {
                    // Nobody listens any more where it has stopped meanwhile.
                    let _ = send.send((at, work(item)));
                }
            });
        }
        drop(send);
        while let Some((at, one)) = next(&receive) {
            if done(at, one).is_break() {
                stopped.store(true, Ordering::Relaxed);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    })
}

/// The next that is done; `None` when all are. A thread of the pool does its part meanwhile.
fn next<T>(receive: &Receiver<T>) -> Option<T> {
    loop {
        match receive.try_recv() {
            Ok(one) => return Some(one),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) if rayon::yield_now() == Some(Yield::Executed) => {}
            // What is left is at work on other threads.
            Err(TryRecvError::Empty) => return receive.recv().ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    /// From outside a pool and from within, with fewer threads than items and with more.
    #[test]
    fn all_is_done_and_told_once() {
        let items: Vec<usize> = (0..50).collect();
        let run = || {
            let mut told = vec![0; items.len()];
            let whole = in_turn(
                &items,
                |&i| i * i,
                |at, square| {
                    told[at] += 1;
                    assert_eq!(square, at * at);
                    ControlFlow::Continue(())
                },
            );
            assert!(whole.is_continue() && told.iter().all(|&times| times == 1));
        };
        run();
        for threads in [1, 2, 8, 64] {
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run);
        }
    }

    #[test]
    fn nothing_is_begun_once_it_is_stopped() {
        let (items, begun) = ([(); 1_000], AtomicUsize::new(0));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let mut told = 0;
        let work = |(): &()| begun.fetch_add(1, Ordering::Relaxed);
        let stopped = pool.install(|| {
            in_turn(&items, work, |_, _| {
                told += 1;
                if told < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })
        });
        assert!(stopped.is_break());
        assert_eq!((told, begun.load(Ordering::Relaxed)), (3, 3));
    }

    /// What goes wrong in one thread is heard of in the one that asked.
    #[test]
    #[should_panic = "seven"]
    fn a_panic_is_passed_on() {
        let items: Vec<usize> = (0..20).collect();
        let _ = in_turn(&items, |&i| assert!(i != 7, "seven"), |_, ()| ControlFlow::Continue(()));
    }
}
