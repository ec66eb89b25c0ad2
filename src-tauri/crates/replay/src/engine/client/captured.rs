//! Ends of exchanges as a capture tells them.

use super::{Client, Ending};
use base::Instant;

impl Client<'_> {
    /// Records that a reply found its exchange closed.
    pub fn late(&mut self, exchange: u32, now: Instant) {
        self.tally.late += 1;
        if self.run(exchange).is_some_and(|run| run.ending == Ending::Failed) {
            self.too_late.push((exchange, now));
        }
    }

    /// Ends exchanges on the air that were given up with the reply that came later, where a capture would: it does not
    /// show when a client stops waiting, only, where one exchange is open at a time, that the next has begun
    /// (`trace/src/judge/outcome.rs`). What is compared with a capture is measured as it is there.
    pub(super) fn end_as_captured(&mut self) {
        let mut next = Instant::MAX;
        let mut by_exchange = std::mem::take(&mut self.too_late);
        // Stable: of several replies the earliest comes first.
        by_exchange.sort_by_key(|&(exchange, _)| exchange);
        for (exchange, run) in self.runs.iter_mut().enumerate().rev().filter(|(_, run)| run.is_on_air()) {
            let first = by_exchange.partition_point(|&(other, _)| (other as usize) < exchange);
            if let Some(&(_, at)) =
                by_exchange.get(first).filter(|&&(other, at)| other as usize == exchange && at <= next)
            {
                (run.end, run.ending) = (at, Ending::Answered);
            }
            if self.nstart == 1 {
                next = run.start;
            }
        }
    }
}
