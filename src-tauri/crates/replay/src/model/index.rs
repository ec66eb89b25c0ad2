//! Index of the recorded copies by path and time.

use crate::model::{FastPaths, Fate, Record, Times};
use base::{Cancelled, Instant, SharedProgress, Span};

/// A recorded copy of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RecordedCopy {
    /// Time of sending, at the client.
    pub at: Instant,
    /// Fate of the copy as recorded.
    pub fate: Fate,
    /// Position of its exchange in the association.
    pub exchange: u32,
    /// Moment before which no reply to it arrived ([`crate::model::ExchangeRecord::silent_until`]).
    pub silent_until: Instant,
}

/// A moment with its rank among the copies of a path, computed once for several queries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Moment {
    /// Moment of the query.
    pub at: Instant,
    /// Number of copies of the path sent before it.
    pub copies: usize,
}

/// All recorded copies of one path in order of time.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    /// Copies in order of time.
    pub copies: Vec<RecordedCopy>,
    times: Times,
    /// Shortest and longest plausible round trip, in this order.
    pub plausible: (Span, Span),
    /// Error of the path's times ([`crate::model::AssociationRecord::error`]).
    pub error: Span,
    /// Switches of the fast paths over these copies.
    pub fast: FastPaths,
}

/// Longest plausible round trip where nothing was measured: MAX_RTT (RFC 7252 §4.8.2).
const MAX_RTT: Span = Span::from_secs(202);

/// Least number of measured round trips with which a path has a plausible range of its own, not that of the whole
/// trace. Chosen here: the next of n independent round trips lies outside their range with probability 2 / (n + 1),
/// 22 % for 8 and 40 % for half as many; more would give short paths the wider range of the trace.
const ENOUGH: usize = 8;

/// Recorded copies by path and time; paths in the order of [`Record::associations`].
#[derive(Clone, Debug)]
pub(crate) struct Index {
    /// Paths in the order of the record.
    pub paths: Vec<Path>,
    /// Switches of the fast paths of replays.
    pub fast: FastPaths,
}

impl Index {
    /// Indexes `record` for replays by `fast`. Passes `progress` once an association; errs when cancelled.
    pub fn new(record: &Record, fast: FastPaths, progress: &SharedProgress<'_>) -> Result<Self, Cancelled> {
        let all = plausible(record.associations().iter().flat_map(|a| &a.exchanges)).0.unwrap_or((Span::ZERO, MAX_RTT));
        let paths = record
            .associations()
            .iter()
            .map(|association| {
                let mut copies: Vec<RecordedCopy> = association
                    .exchanges
                    .iter()
                    .zip(0_u32..)
                    .flat_map(|(e, exchange)| {
                        let silent_until = e.silent_until();
                        e.copies.iter().map(move |c| RecordedCopy { at: c.sent, fate: c.fate, exchange, silent_until })
                    })
                    .collect();
                copies.sort_by_key(|c| c.at);
                let (range, count) = plausible(association.exchanges.iter());
                progress.pass()?;
                Ok(Path::new(copies, range.filter(|_| count >= ENOUGH).unwrap_or(all), association.error, fast))
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { paths, fast })
    }
}

/// Shortest and longest round trip seen in `exchanges`, and how many were measured. Where it is
/// not known which copy the closing reply answers, its round trip is counted from the last copy and from the first.
fn plausible<'a>(exchanges: impl Iterator<Item = &'a crate::model::ExchangeRecord>) -> (Option<(Span, Span)>, usize) {
    let mut range: Option<(Span, Span)> = None;
    let mut count = 0;
    let mut widen = |low: Span, high: Span| {
        let (l, h) = range.unwrap_or((low, high));
        range = Some((l.min(low), h.max(high)));
    };
    for e in exchanges {
        for rtt in e.copies.iter().filter_map(|c| c.fate.rtt()) {
            widen(rtt, rtt);
            count += 1;
        }
        if let Some(end) =
            e.end.filter(|&end| !e.copies.iter().any(|c| c.fate.rtt().is_some_and(|rtt| c.sent + rtt == end)))
        {
            let last = e.copies.iter().rev().map(|c| c.sent).find(|&sent| sent <= end).unwrap_or_else(|| e.start());
            widen(end - last, end - e.start());
        }
    }
    (range, count)
}

impl Path {
    /// Takes `copies` in order of time; `error` as in [`crate::model::AssociationRecord::error`].
    pub fn new(copies: Vec<RecordedCopy>, plausible: (Span, Span), error: Span, fast: FastPaths) -> Self {
        let times = Times::new(copies.iter().map(|c| c.at), fast.searches);
        Self { copies, times, plausible, error, fast }
    }

    /// The tolerance `own` of a channel, or the error of this path's times where that is more.
    pub fn tolerance(&self, own: Span) -> Span {
        own.max(self.error)
    }

    /// Moment `at` with its rank among the copies.
    #[inline]
    pub fn moment(&self, at: Instant) -> Moment {
        Moment { at, copies: self.times.before(at) }
    }

    /// Finds the nearest copy not farther from `at` than [`Path::tolerance`], with its position; of two equally near
    /// ones the earlier, and of several sent at the same instant the one of `exchange`. `None` without one.
    pub fn near(&self, at: Instant, tolerance: Span, exchange: u32) -> Option<(usize, &RecordedCopy)> {
        self.near_moment(self.moment(at), tolerance, exchange)
    }

    /// Finds the copy as [`Path::near`] does, at a moment whose rank is known; `None` without one.
    #[inline]
    pub fn near_moment(&self, moment: Moment, tolerance: Span, exchange: u32) -> Option<(usize, &RecordedCopy)> {
        let Moment { at, copies: after } = moment;
        let tolerance = self.tolerance(tolerance);
        let copy = |i: usize| Some((i, self.copies.get(i)?));
        let left = after.checked_sub(1).and_then(copy).filter(|(_, c)| at - c.at <= tolerance);
        let right = copy(after).filter(|(_, c)| c.at - at <= tolerance);
        let nearest = match (left, right) {
            (Some(l), Some(r)) => Some(if at - l.1.at <= r.1.at - at { l } else { r }),
            (one, other) => one.or(other),
        }?;
        if nearest.1.exchange == exchange {
            return Some(nearest);
        }
        let from = self.times.before(nearest.1.at);
        let mut simultaneous = (from..).map_while(copy).take_while(|(_, c)| c.at == nearest.1.at);
        Some(simultaneous.find(|(_, c)| c.exchange == exchange).unwrap_or(nearest))
    }
}
