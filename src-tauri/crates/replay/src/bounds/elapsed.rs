//! The range of the time from the first start to the last end.

use super::endings::Ending;
use super::entry::{Edges, Entry};
use base::Instant;

/// Earliest (`least`) and latest (`most`) time of the first start and of the last end; `None` before the first
/// exchange.
#[derive(Debug, Default)]
pub(super) struct Elapsed {
    first: Edges<Option<Instant>>,
    last: Edges<Option<Instant>>,
}

fn earliest(edge: &mut Option<Instant>, other: Option<Instant>) {
    *edge = edge.iter().copied().chain(other).min();
}

fn latest(edge: &mut Option<Instant>, other: Option<Instant>) {
    *edge = (*edge).max(other);
}

impl Elapsed {
    /// Widens the range by one exchange.
    pub fn add(&mut self, entry: &Entry<'_>) {
        let ends = || entry.endings.iter().filter(|e| e.ending != Ending::Open).map(|e| e.duration);
        if !entry.endings.is_empty() {
            earliest(&mut self.first.least, Some(entry.start.lo));
            latest(&mut self.last.most, ends().map(|d| entry.start.hi + d.hi).max());
        }
        if !entry.optional {
            earliest(&mut self.first.most, Some(entry.start.hi));
            if !entry.may(Ending::Open) {
                latest(&mut self.last.least, ends().map(|d| entry.start.lo + d.lo).min());
            }
        }
    }

    /// Adds the exchanges of `other`.
    pub fn append(&mut self, other: &Self) {
        earliest(&mut self.first.least, other.first.least);
        earliest(&mut self.first.most, other.first.most);
        latest(&mut self.last.least, other.last.least);
        latest(&mut self.last.most, other.last.most);
    }

    /// The shortest and the longest time from the first start to the last end, in seconds; `None` without a start or
    /// end.
    pub fn range(&self) -> Option<(f64, f64)> {
        let shortest = self.last.least? - self.first.most?;
        let longest = self.last.most? - self.first.least?;
        Some((shortest.secs_f64(), longest.secs_f64()))
    }
}
