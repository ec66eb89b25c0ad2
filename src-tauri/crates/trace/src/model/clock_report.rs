//! Clocks of several recordings: how each was brought to the clock of the merged capture.

use base::{SourceId, Span};

/// How the clock of a recording was brought to that of the merged capture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClockReport {
    /// The recording's first source, in the merged capture.
    pub source: SourceId,
    /// Frames it holds.
    pub frames: usize,
    /// How its time was found.
    pub alignment: Alignment,
}

/// How a recording's time was found.
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

/// How a clock runs beside the reference, and how well that is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockFit {
    /// What the clock shows more than the reference, at the first common frame.
    pub offset: Span,
    /// What it gains on the reference, in parts per 10^9; 0 where too few frames are common to tell.
    pub drift_ppb: i64,
    /// How far at most it strays from that straight line, slowly; taken out too.
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
