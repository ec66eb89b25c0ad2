//! Clocks of several recordings: how each was brought to the clock of the merged capture.

use base::{SourceId, Span};

/// Alignment of the clock of one recording with that of the merged capture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClockReport {
    /// The recording's first source, in the merged capture.
    pub source: SourceId,
    /// Number of frames it holds.
    pub frames: usize,
    /// Derivation of its times.
    pub alignment: Alignment,
}

/// Derivation of a recording's times.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alignment {
    /// The clock is that of the merged capture: times are as recorded.
    Reference,
    /// Times are corrected by a clock fitted to frames that other recordings hold too.
    Fitted(ClockFit),
    /// Too few frames are common: its times are those of its file.
    Unaligned {
        /// Number of frames that it and the others hold once each, or equally often within a burst.
        common: usize,
    },
}

/// Offset and drift of a clock against the reference, and the deviations that remain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockFit {
    /// Lead over the reference at the first common frame; negative where the clock is behind.
    pub offset: Span,
    /// Drift against the reference, parts per 10^9, positive where the clock gains; 0 where too few frames are common
    /// to tell.
    pub drift_ppb: i64,
    /// Largest slow deviation from that straight line, as a magnitude; it is corrected too.
    pub walk: Span,
    /// Number of common frames that the fit rests on, at least 3.
    pub common: usize,
    /// Number of common frames left out as too far off, such as those with equal octets by chance.
    pub outliers: usize,
    /// Median deviation of the common frames after correction.
    pub residual_median: Span,
    /// 99th percentile of the deviation of the common frames after correction.
    pub residual_p99: Span,
}
