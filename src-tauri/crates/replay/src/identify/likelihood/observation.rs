//! One observation of a timer: what the capture shows of it, and the timeouts that an algorithm could have armed.

use crate::identify::likelihood::timeout_distribution::TimeoutDistribution;
use crate::identify::likelihood::timing_error::Seconds;

/// One observation of a timer, and the timeouts that the algorithm expects.
#[derive(Clone, Debug)]
pub(crate) struct Observation {
    /// Duration that the capture shows, perhaps censored.
    pub reading: TimerDuration,
    /// Timeouts that the algorithm could have armed.
    pub distribution: TimeoutDistribution,
    /// Standard deviation of (reading − expected) in those of one timer's error; above 1 where the expected timeout was
    /// itself computed from an observed one.
    pub spread: f64,
    /// Whether the timeout follows from the learned state or a new draw, not from the timeout before it.
    pub fresh: bool,
    /// Whether the gap is the sum of two timeouts: the copy between them never went on the air.
    pub missed: bool,
    /// Time after which a reply ends the first gap; infinite if there is none, `None` if that is not known or the gap
    /// is not the first.
    pub limit: Option<Seconds>,
    /// Gap before this one; `None` for the first, and where that gap's copy was late.
    pub before: Option<Seconds>,
}

/// Duration of a timer as a capture shows it, in seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TimerDuration {
    /// The timer ran out after this long: a gap between two copies.
    Exact(Seconds),
    /// The timer had not run out after this long: a reply came.
    RightCensored(Seconds),
    /// The timer had run out before this: its copy left after the reply was in.
    LeftCensored(Seconds),
}

impl Observation {
    /// Gap in seconds, if the timer was seen to run out.
    pub fn gap(&self) -> Option<Seconds> {
        match self.reading {
            TimerDuration::Exact(gap) => Some(gap),
            TimerDuration::RightCensored(_) | TimerDuration::LeftCensored(_) => None,
        }
    }
}
