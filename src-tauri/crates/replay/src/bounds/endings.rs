//! The possible endings of one exchange.

use super::{Range, Timeouts};
use crate::model::{ExchangeRecord, Fate, Outcome, Path};
use base::{Instant, Span};

/// The sender and its path: what decides the ending of an exchange besides its timeouts.
#[derive(Debug)]
pub(super) struct Sender<'a> {
    /// Path of the association, with its recorded copies and its plausible round trips.
    pub path: &'a Path,
    /// Largest distance in time to a recorded copy at which a copy shares its fate.
    pub tolerance: Span,
    /// MAX_RETRANSMIT: greatest number of retransmissions (RFC 7252 §4.8).
    pub last: u8,
    /// EXCHANGE_LIFETIME, after which an exchange ends whatever its timer says (RFC 7252 §4.8.2).
    pub lifetime: Span,
    /// Whether it waits one timeout after the last copy before it gives up (RFC 7252 §4.2).
    pub waits_after_last: bool,
}

/// Kind of an ending of one exchange.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Ending {
    /// A reply closes it.
    Answered,
    /// The sender gives up.
    Failed,
    /// The capture ends first; only recorded exchanges end so.
    Open,
}

/// One possible ending of one exchange.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PossibleEnding {
    /// Kind of ending: answered, failed, or open at the end of the capture.
    pub ending: Ending,
    /// Number of copies after the first; at most `u16::MAX`.
    pub retransmissions: u16,
    /// Index of the first copy that is answered, 0 for the original, also where the reply comes after the end; `None`
    /// if none is.
    pub answered: Option<u16>,
    /// Index of the copy whose reply closes the exchange; `None` where several may, and for failures.
    pub closed_by: Option<u8>,
    /// Time from the first copy to the end.
    pub duration: Range<Span>,
}

/// The possible fates of a copy.
#[derive(Clone, Copy, Debug)]
struct PossibleFates {
    /// Whether the copy may go unanswered.
    lost: bool,
    /// Range of the round trips after which it may be answered; `None` if it cannot be.
    rtt: Option<Range<Span>>,
}

impl PossibleFates {
    fn new(sender: &Sender<'_>, exchange: u32, sent: Range<Instant>) -> Self {
        let near = |at| sender.path.near(at, sender.tolerance, exchange).map(|(_, copy)| copy);
        let (low, high) = sender.path.plausible;
        let open =
            |floor: Span| Self { lost: true, rtt: (floor <= high).then_some(Range { lo: low.max(floor), hi: high }) };
        // If both ends of an interval have the same nearest copy, so have all times between.
        match (near(sent.lo), near(sent.hi)) {
            (Some(a), Some(b)) if a == b => match a.fate {
                Fate::Answered { rtt } => Self { lost: false, rtt: Some(Range { lo: rtt, hi: rtt }) },
                Fate::RequestLost | Fate::ReplyLost | Fate::Lost => Self { lost: true, rtt: None },
                Fate::Unknown => open(a.silent_until - a.at),
            },
            _ => open(Span::ZERO),
        }
    }
}

/// All possible endings of the exchange at position `exchange` of its association, started within `start`; in the
/// memory of `scratch`.
///
/// Offsets count from the start. An ending is listed if some fates and timeouts within their ranges may lead to it.
/// Joint conditions on several of them are relaxed, so the list may be too long, never too short.
pub(super) fn endings<'r>(
    sender: &Sender<'_>,
    exchange: u32,
    start: Range<Instant>,
    timeouts: &Timeouts,
    scratch: &'r mut Scratch,
) -> &'r [PossibleEnding] {
    let last = usize::from(sender.last).min(timeouts.len().saturating_sub(1));
    let Scratch { copies, found } = scratch;
    copies.begin(sender.lifetime);
    found.clear();
    for k in 0..=last {
        let Some(&timeout) = timeouts.get(k) else { break };
        let offset = copies.send(timeout);
        if k > 0 && offset.lo >= sender.lifetime {
            break;
        }
        let sent = Range { lo: start.lo + offset.lo, hi: start.hi + offset.hi.min(sender.lifetime) };
        copies.fates.push(PossibleFates::new(sender, exchange, sent));
        if !copies.may_be_silent_until(k, k) {
            copies.fates.pop();
            break;
        }
        let drops = k == last && !sender.waits_after_last;
        if !drops {
            found.extend((0..=k).filter_map(|m| copies.answered(k, m)));
        }
        if k == last || copies.deadline(k).hi >= sender.lifetime {
            let end = if drops { offset } else { copies.give_up(k, k == last) };
            copies.failed(k, k + usize::from(!drops), end, found);
        }
        if !copies.may_be_silent_until(k, k + 1) {
            break;
        }
    }
    found
}

/// Buffers reused from one exchange to the next.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    copies: Copies,
    found: Vec<PossibleEnding>,
}

/// The copies of an exchange so far.
#[derive(Debug, Default)]
struct Copies {
    fates: Vec<PossibleFates>,
    /// The offset at which each copy is sent, and behind the last one that of the next.
    offsets: Vec<Range<Span>>,
    /// Possible timeouts of the copies so far, in their order.
    timeouts: Vec<Range<Span>>,
    lifetime: Span,
}

impl Copies {
    /// Begins another exchange.
    fn begin(&mut self, lifetime: Span) {
        self.fates.clear();
        self.offsets.clear();
        self.offsets.push(Range { lo: Span::ZERO, hi: Span::ZERO });
        self.timeouts.clear();
        self.lifetime = lifetime;
    }

    /// Sends another copy; returns its offset.
    fn send(&mut self, timeout: Range<Span>) -> Range<Span> {
        let offset = self.offset(self.timeouts.len());
        self.timeouts.push(timeout);
        self.offsets.push(Range { lo: offset.lo + timeout.lo, hi: offset.hi + timeout.hi });
        offset
    }

    fn offset(&self, k: usize) -> Range<Span> {
        self.offsets.get(k).copied().unwrap_or(Range { lo: Span::MAX, hi: Span::MAX })
    }

    /// The offset at which the timer of copy `k` expires.
    fn deadline(&self, k: usize) -> Range<Span> {
        self.offset(k + 1)
    }

    /// The time from copy `j` to copy `k`. The difference of their offsets would be too wide: both contain the timeouts
    /// before `j`.
    fn between(&self, j: usize, k: usize) -> Range<Span> {
        let span = self.timeouts.get(j..k).unwrap_or(&[]);
        Range { lo: span.iter().map(|t| t.lo).sum(), hi: span.iter().map(|t| t.hi).sum() }
    }

    /// Whether copy `j` may have no reply by the time copy `until` is sent, or the exchange's lifetime ends. A reply at
    /// that instant is too late ([`rto::exchange::Tie::TimerFirst`]).
    fn may_be_late(&self, j: usize, until: usize) -> bool {
        self.fates.get(j).is_some_and(|f| f.lost || self.may_answer_after(j, until))
    }

    fn may_answer_after(&self, j: usize, until: usize) -> bool {
        let Some(rtt) = self.fates.get(j).and_then(|f| f.rtt) else { return false };
        rtt.hi >= self.between(j, until).lo || self.offset(j).hi + rtt.hi >= self.lifetime
    }

    /// Whether all copies before `k` (with it, if `until` is later) may be unanswered by the time copy `until` is sent.
    fn may_be_silent_until(&self, k: usize, until: usize) -> bool {
        let before = if until > k { k + 1 } else { k };
        (0..before).all(|j| self.may_be_late(j, until))
    }

    fn may_be_lost(&self, copies: std::ops::Range<usize>) -> bool {
        self.fates.get(copies).is_some_and(|f| f.iter().all(|f| f.lost))
    }

    /// The ending in which the exchange is answered after copy `k` and before the next, and `m` is the first copy
    /// answered; `None` if it is impossible.
    fn answered(&self, k: usize, m: usize) -> Option<PossibleEnding> {
        let possible =
            self.may_be_lost(0..m) && self.may_answer_after(m, k) && (m + 1..=k).all(|j| self.may_be_late(j, k));
        if !possible {
            return None;
        }
        // A reply may close it if it can come after copy k and before the timer of copy k.
        let closes = |j: usize| -> Option<Range<Span>> {
            let rtt = self.fates.get(j)?.rtt?;
            let offset = self.offset(j);
            let lo = (offset.lo + rtt.lo).max(self.offset(k).lo);
            let in_time = rtt.lo < self.between(j, k + 1).hi && lo < self.lifetime && rtt.hi >= self.between(j, k).lo;
            in_time.then_some(Range { lo, hi: offset.hi + rtt.hi })
        };
        let mut candidates = (m..=k).filter_map(|j| Some((j, closes(j)?)));
        let (first, mut duration) = candidates.next()?;
        let mut closed_by = u8::try_from(first).ok();
        for (_, other) in candidates {
            duration.lo = duration.lo.min(other.lo);
            closed_by = None;
        }
        // The closing reply is no later than any reply that must come, and before the timer of copy k.
        let latest = |j: usize| self.fates.get(j).and_then(|f| f.rtt).map(|rtt| self.offset(j).hi + rtt.hi);
        duration.hi = self.deadline(k).hi.min(self.lifetime).min(latest(m)?);
        for j in m + 1..=k {
            if let (Some(PossibleFates { lost: false, .. }), Some(at)) = (self.fates.get(j), latest(j)) {
                duration.hi = duration.hi.min(at);
            }
        }
        (duration.lo <= duration.hi).then_some(PossibleEnding {
            ending: Ending::Answered,
            retransmissions: number(k),
            answered: Some(number(m)),
            closed_by,
            duration,
        })
    }

    /// The offset at which the sender gives up after copy `k`: the expiry of its timer or the end of the lifetime.
    fn give_up(&self, k: usize, is_last: bool) -> Range<Span> {
        let deadline = self.deadline(k);
        if is_last {
            Range { lo: deadline.lo.min(self.lifetime), hi: deadline.hi.min(self.lifetime) }
        } else {
            Range { lo: self.lifetime, hi: self.lifetime }
        }
    }

    /// Adds the endings in which the exchange fails after copy `k` at `end`, without a reply by the time copy `until`
    /// would be sent.
    fn failed(&self, k: usize, until: usize, end: Range<Span>, found: &mut Vec<PossibleEnding>) {
        let ended = |answered: Option<usize>| PossibleEnding {
            ending: Ending::Failed,
            retransmissions: number(k),
            answered: answered.map(number),
            closed_by: None,
            duration: end,
        };
        let late = |m: usize| {
            self.may_be_lost(0..m) && self.may_answer_after(m, until) && (m + 1..=k).all(|j| self.may_be_late(j, until))
        };
        found.extend(self.may_be_lost(0..k + 1).then(|| ended(None)));
        found.extend((0..=k).filter(|&m| late(m)).map(|m| ended(Some(m))));
    }
}

/// A number of copies; beyond `u16::MAX` that.
fn number(k: usize) -> u16 {
    u16::try_from(k).unwrap_or(u16::MAX)
}

/// The endings of a recorded exchange that agree with the record: only the first answered copy may be unknown.
/// `duration` is from the first copy to the close, or to the inferred give-up.
pub(super) fn recorded_endings(e: &ExchangeRecord, duration: Option<Span>) -> Vec<PossibleEnding> {
    let ending = match e.outcome {
        Outcome::Closed => Ending::Answered,
        Outcome::Abandoned => Ending::Failed,
        Outcome::Open => Ending::Open,
    };
    let duration = duration.unwrap_or(Span::ZERO);
    let ended = |answered: Option<usize>| PossibleEnding {
        ending,
        retransmissions: number(e.copies.len().saturating_sub(1)),
        answered: answered.map(number),
        closed_by: None,
        duration: Range { lo: duration, hi: duration },
    };
    let known = e.copies.iter().position(|c| c.fate.rtt().is_some());
    let upto = known.map_or(e.copies.len(), |i| i + 1);
    let may = |c: &crate::model::CopyRecord| c.fate.rtt().is_some() || !c.fate.is_known();
    let mut found: Vec<PossibleEnding> =
        e.copies.iter().enumerate().take(upto).filter(|(_, c)| may(c)).map(|(m, _)| ended(Some(m))).collect();
    // A closed exchange has an answered copy, unless the record contradicts itself.
    if known.is_none() && (ending != Ending::Answered || found.is_empty()) {
        found.push(ended(None));
    }
    found
}
