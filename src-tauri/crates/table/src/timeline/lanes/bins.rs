//! Columns of a lane where copies stand too close to be drawn one by one.
//!
//! Columns are 4 pixels wide: copies that were not needless count up, needless ones down, each by fate. The columns lie
//! on multiples of their width from the epoch, so panning does not move them.

use crate::timeline::index::LaneIndex;
use crate::timeline::tally::Tally;
use base::Instant;

/// Width of a bin, pixels. Chosen here: about that of a copy's bar, 3.2 to 5.2 px (`ui/src/plot/marks/lanes.ts`).
const BIN_PX: u64 = 4;

/// Column with at least one copy.
pub struct Bin {
    /// Start, and end (excluded); nanoseconds of the trace.
    pub whole: (i64, i64),
    /// Start, and end (excluded), cut to the lane's first and last copy; nanoseconds of the trace. A window that shows
    /// all copies so holds all columns.
    pub cut: (i64, i64),
    /// Number of copies in the column, by fate.
    pub copies: Tally,
}

/// Returns the columns with copies that overlap `t0..=t1`, in order; the window is `px` pixels wide, at least 1.
pub fn bins(index: &LaneIndex, t0: Instant, t1: Instant, px: u64) -> impl Iterator<Item = Bin> {
    let span = u64::try_from((t1 - t0).nanos()).unwrap_or(0).max(1);
    let width = i64::try_from((span * BIN_PX).div_ceil(px)).unwrap_or(i64::MAX).max(1);
    let (first, last) = (t0.nanos().div_euclid(width), t1.nanos().div_euclid(width));
    let (begin, stop) = index.extent();
    let mut next = first;
    std::iter::from_fn(move || {
        while next <= last {
            let start = next.saturating_mul(width);
            let end = start.saturating_add(width);
            let copies = index.count(Instant::from_nanos(start), Instant::from_nanos(end));
            // Copies are sorted, so the next non-empty column is that of the next copy.
            let behind = index.next(Instant::from_nanos(end)).map_or(i64::MAX, |at| at.nanos().div_euclid(width));
            next = behind.max(next + 1);
            if copies != Tally::default() {
                return Some(Bin { whole: (start, end), cut: (start.max(begin), end.min(stop)), copies });
            }
        }
        None
    })
}
