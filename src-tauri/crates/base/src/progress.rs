//! One trait for progress and cancellation.

use std::fmt;
use std::ops::ControlFlow;

/// Told how far a long operation has come; may ask it to stop.
///
/// `done` and `total` are in the operation's own unit (octets read, replicates run); `total` is 0
/// when unknown. Called often, from whichever thread has come that far: implementations must be cheap and must not block.
pub trait Progress: Send {
    /// Report; `Break` asks the operation to stop at the next safe point.
    fn tick(&mut self, done: u64, total: u64) -> ControlFlow<()>;
}

/// No report, no cancellation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn tick(&mut self, _done: u64, _total: u64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl<F: FnMut(u64, u64) -> ControlFlow<()> + Send> Progress for F {
    fn tick(&mut self, done: u64, total: u64) -> ControlFlow<()> {
        self(done, total)
    }
}

/// The operation stopped because its [`Progress`] asked it to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cancelled;

impl fmt::Display for Cancelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cancelled")
    }
}

impl std::error::Error for Cancelled {}
