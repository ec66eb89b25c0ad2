//! Columns of a lane where copies stand too close to be drawn one by one.
//!
//! A lane with more than a copy per 6 pixels, between its first and its last, becomes columns of 4 pixels: copies that were not
//! needless count up, needless ones down. The columns lie on multiples of their width from the
//! epoch, so panning does not move them.

use crate::timeline::index::LaneIndex;
use base::Instant;

/// Pixels between copies below which a lane is binned: nearer, the flags of needless copies (8 pixels
/// wide) hide each other.
const DENSE_PX: u64 = 6;
/// Smallest number of copies that is binned.
const LEAST_BINNED: u64 = 12;
/// Width of a bin, pixels.
const BIN_PX: u64 = 4;

/// Returns whether the copies in the window stand too close. Measured over their extent, not over the whole
/// window: a capture may begin long before its traffic.
pub fn dense(index: &LaneIndex, t0: Instant, t1: Instant, px: u64) -> bool {
    let sent = index.sent(t0, t1);
    let (Some(&first), Some(&last), copies) = (sent.first(), sent.last(), sent.len() as u64) else { return false };
    if copies <= LEAST_BINNED {
        return false;
    }
    let (part, window) = (i128::from((last - first).nanos()), i128::from((t1 - t0).nanos()).max(1));
    i128::from(copies * DENSE_PX) * window > i128::from(px) * part
}

/// Non-empty column.
pub struct Bin {
    /// Start, and end (excluded).
    pub whole: (i64, i64),
    /// The same, cut to the lane's first and last copy: a window that shows all copies holds all columns.
    pub cut: (i64, i64),
    /// Copies that were not needless.
    pub up: u32,
    /// Needless copies.
    pub down: u32,
}

/// Returns the columns of a lane, in order.
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
            let (up, down) = index.count(Instant::from_nanos(start), Instant::from_nanos(end));
            // Copies are sorted, so the next non-empty column is that of the next copy.
            let behind = index.next(Instant::from_nanos(end)).map_or(i64::MAX, |at| at.nanos().div_euclid(width));
            next = behind.max(next + 1);
            if up + down > 0 {
                return Some(Bin { whole: (start, end), cut: (start.max(begin), end.min(stop)), up, down });
            }
        }
        None
    })
}
