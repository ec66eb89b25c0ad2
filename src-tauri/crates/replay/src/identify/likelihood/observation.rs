//! One observation of a timer: what the capture shows of it, and the timeouts that an algorithm could have armed.

use crate::identify::likelihood::timeout_distribution::TimeoutDistribution;
use crate::identify::likelihood::timing_error::Seconds;

/// One observation of a timer and what the algorithm expects of it.
#[derive(Clone, Debug)]
pub(crate) struct Observation {
    /// The duration that the capture shows, perhaps censored.
    pub reading: Reading,
    /// The timeouts that the algorithm could have armed.
    pub distribution: TimeoutDistribution,
    /// Standard deviation of (reading − expected) in those of one timer's error; above 1 where the expected timeout was
    /// itself computed from an observed one.
    pub spread: f64,
    /// The timeout follows from the learned state or a new draw, not from the timeout before it.
    pub fresh: bool,
    /// The gap is the sum of two timeouts: the copy between them never went on the air.
    pub missed: bool,
    /// The time after which a reply ends the first gap; infinite if there is none, `None` if that is not known.
    pub limit: Option<Seconds>,
    /// The gap before this one, if there is one.
    pub before: Option<Seconds>,
}

/// The duration of a timer as a capture shows it, in seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reading {
    /// The timer ran out after this long: a gap between two copies.
    Exact(Seconds),
    /// The timer had not run out after this long: a reply came.
    RightCensored(Seconds),
    /// The timer had run out before this: its copy left after the reply was in.
    LeftCensored(Seconds),
}

impl Observation {
    /// The gap, if the timer was seen to run out.
    pub fn gap(&self) -> Option<Seconds> {
        match self.reading {
            Reading::Exact(gap) => Some(gap),
            Reading::RightCensored(_) | Reading::LeftCensored(_) => None,
        }
    }
}
