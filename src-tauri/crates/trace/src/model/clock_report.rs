//! Clocks of several recordings: how each was brought to the clock of the merged capture.

use base::{SourceId, Span};

/// Alignment of the clock of one recording with that of the merged capture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClockReport {
    /// The recording's first source, in the merged capture.
    pub source: SourceId,
    /// Frames it holds.
    pub frames: usize,
    /// Source of its time.
    pub alignment: Alignment,
}

/// Source of a recording's time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alignment {
    /// Its clock is that of the merged capture.
    Reference,
    /// From frames that other recordings hold too.
    Fitted(ClockFit),
    /// Too little is common: its time is that of its file.
    Unaligned {
        /// Frames that it and the others hold once each.
        common: usize,
    },
}

/// Offset and drift of a clock against the reference, and their residuals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockFit {
    /// Time that the clock is ahead of the reference at the first common frame.
    pub offset: Span,
    /// Drift against the reference, parts per 10^9; 0 where too few frames are common to tell.
    pub drift_ppb: i64,
    /// Largest slow deviation from that straight line; it is corrected too.
    pub walk: Span,
    /// Common frames that the fit rests on.
    pub common: usize,
    /// Common frames left out as too far off, by chance of equal octets.
    pub outliers: usize,
    /// Half of the common frames differ by at most this, after correction.
    pub residual_median: Span,
    /// 99 of 100 common frames differ by at most this, after correction.
    pub residual_p99: Span,
}
