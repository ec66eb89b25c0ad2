//! The context of long operations: progress reports and cancellation.
//!
//! A function that can be cancelled takes `&mut dyn Progress` (one thread) or [`crate::SharedProgress`] (several) and
//! returns `Result<_, Cancelled>`. A function that cannot takes neither.

use std::fmt;
use std::ops::ControlFlow;

/// Receives the progress of a long operation and may ask it to stop.
///
/// `done` and `total` are in the operation's own unit (octets read, replicates run); `total` is 0
/// when unknown. It is called often and from any thread: implementations must be cheap and must not block.
pub trait Progress: Send {
    /// Reports `done` of `total`; `Break` asks the operation to stop at the next safe point.
    fn tick(&mut self, done: u64, total: u64) -> ControlFlow<()>;
}

/// A [`Progress`] that ignores reports and never cancels.
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

/// A [`Progress`] for one part of a longer operation: scales reports to the range `from..until` of `total`.
pub struct Part<'a> {
    whole: &'a mut dyn Progress,
    from: u64,
    until: u64,
    total: u64,
}

impl<'a> Part<'a> {
    /// Creates the part from `from` to `until` of `total`, in the units of `whole`. An `until` below `from` counts as
    /// `from`.
    pub fn new(whole: &'a mut dyn Progress, from: u64, until: u64, total: u64) -> Self {
        Self { whole, from, until: until.max(from), total }
    }
}

impl Progress for Part<'_> {
    fn tick(&mut self, done: u64, total: u64) -> ControlFlow<()> {
        let share = u128::from(self.until - self.from) * u128::from(done.min(total)) / u128::from(total.max(1));
        self.whole.tick(self.from + u64::try_from(share).unwrap_or(0), self.total)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_reports_its_share_of_the_whole() {
        let mut reported = Vec::new();
        let mut whole = |done: u64, total: u64| {
            reported.push((done, total));
            if done < 90 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let mut part = Part::new(&mut whole, 70, 90, 100);
        // A total of 0 is the beginning; more than the total is the end.
        let asked = [(0, 0), (0, 4), (1, 4), (4, 4)].map(|(done, total)| part.tick(done, total).is_break());
        assert_eq!(asked, [false, false, false, true]);
        let mut inner = Part::new(&mut part, 2, 4, 4);
        let _ = inner.tick(1, 2);
        let _ = inner.tick(9, 2);
        assert_eq!(reported, [(70, 100), (70, 100), (75, 100), (90, 100), (85, 100), (90, 100)]);
    }
}
