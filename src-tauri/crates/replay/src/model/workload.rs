//! The workload: when the application would have sent, and what the recorded sender's timers were.

use crate::model::{AssociationRecord, ExchangeRecord, Fate, Outcome, Workload, WorkloadChoice};
use base::{Instant, Span};

/// Event that makes a request ready.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trigger {
    /// The clock, at this moment.
    At(Instant),
    /// The end of the exchange before it in its loop, then this gap.
    After(Span),
}

/// Positions of the `triggers` that the clock makes ready, in order of time.
pub(super) fn timed(triggers: &[Trigger]) -> Vec<u32> {
    let at = |(trigger, i): (&Trigger, u32)| if let Trigger::At(at) = trigger { Some((*at, i)) } else { None };
    let mut timed: Vec<(Instant, u32)> = triggers.iter().zip(0..).filter_map(at).collect();
    timed.sort_unstable();
    timed.into_iter().map(|(_, i)| i).collect()
}

/// Stands for no exchange.
pub(crate) const NONE: u32 = u32::MAX;

/// Workload of one association: the events that make its requests ready. All lists are in the order of its exchanges,
/// but for `timed`.
#[derive(Clone, Debug)]
pub(crate) struct WorkloadPlan {
    /// Event that makes each exchange ready.
    pub triggers: Vec<Trigger>,
    /// Number of the exchange whose [`Trigger::After`] waits for the end of each exchange, or [`NONE`].
    pub next: Vec<u32>,
    /// Exchanges that the clock makes ready, in order of time.
    pub timed: Vec<u32>,
    /// Time at which the recorded sender was done with each exchange; `None` when the trace ended first.
    pub over: Vec<Option<Instant>>,
    /// CoAP payload of each request in octets.
    pub payloads: Vec<u16>,
    /// Greatest number of exchanges open at once in the trace, at least 1.
    pub nstart: u32,
    /// Whether requests follow the ends of others (closed loop).
    pub looped: bool,
    /// Time from the end of an exchange to the start of a request that waited for it; zero unless asked for
    /// ([`WorkloadPlan::with_turnaround`]).
    pub turnaround: Span,
}

impl WorkloadPlan {
    /// Plan of `association` under `choice`; `pinned`: every exchange starts when it did.
    pub fn new(association: &AssociationRecord, choice: WorkloadChoice, pinned: bool) -> Self {
        let exchanges = &association.exchanges;
        let over = overs(exchanges, association.nstart);
        let looped = !pinned
            && match choice {
                WorkloadChoice::Auto => association.workload == Workload::ThinkTime,
                WorkloadChoice::Arrivals => false,
                WorkloadChoice::ThinkTime => true,
            };
        let mut next = vec![NONE; exchanges.len()];
        let triggers: Vec<Trigger> = if looped {
            loops(exchanges, &over, &mut next)
        } else {
            let ready = |e: &ExchangeRecord| if pinned { e.start() } else { e.ready.unwrap_or_else(|| e.start()) };
            exchanges.iter().map(|e| Trigger::At(ready(e))).collect()
        };
        let nstart = overlap(exchanges, &over).max(u32::from(association.nstart)).max(1);
        let payloads = exchanges.iter().map(|e| e.payload).collect();
        let timed = timed(&triggers);
        Self { triggers, next, timed, over, payloads, nstart, looped, turnaround: Span::ZERO }
    }
}

impl WorkloadPlan {
    /// Adds the turnaround of the recorded client, the median over requests that had been ready before the exchange
    /// ended that they waited for. Of a client with several exchanges open at once it does not show which one a request
    /// waited for, and it is zero.
    ///
    /// Where all clients send back to back behind one bottleneck, turnaround and round trip together are the work of
    /// all others, so that without it every round trip would be as much too long.
    pub fn with_turnaround(mut self, exchanges: &[ExchangeRecord]) -> Self {
        let waited = exchanges.windows(2).zip(&self.over).filter_map(|(pair, over)| {
            let [before, next] = pair else { return None };
            let (ready, over) = (next.ready?, (*over)?);
            let closed = before.outcome == Outcome::Closed;
            (closed && ready < over && over <= next.start()).then(|| next.start() - over)
        });
        let mut waited: Vec<Span> = waited.collect();
        waited.sort_unstable();
        if self.nstart == 1 && !self.looped {
            self.turnaround = waited.get(waited.len() / 2).copied().unwrap_or(Span::ZERO);
        }
        self
    }

    /// Gap after the end of `exchange`, and the exchange that follows it; `None` where none does.
    pub fn follower(&self, exchange: u32) -> Option<(Span, u32)> {
        let next = *self.next.get(exchange as usize)?;
        match self.triggers.get(next as usize)? {
            Trigger::After(gap) if next != NONE => Some((*gap, next)),
            _ => None,
        }
    }

    /// Leaves out exchanges that began before `from`. A follower of such an exchange begins when it did in the record.
    pub fn since(mut self, exchanges: &[ExchangeRecord], from: Instant) -> Self {
        let past = |i: u32| exchanges.get(i as usize).is_none_or(|e| e.start() < from);
        let mut timed: Vec<(Instant, u32)> = Vec::with_capacity(self.timed.len());
        for (next, i) in self.next.iter_mut().zip(0_u32..) {
            if *next != NONE
                && past(i)
                && !past(*next)
                && let (Some(e), Some(trigger)) = (exchanges.get(*next as usize), self.triggers.get_mut(*next as usize))
            {
                *trigger = Trigger::At(e.start());
            }
            if past(i) {
                *next = NONE;
            }
        }
        for (trigger, i) in self.triggers.iter().zip(0_u32..).filter(|&(_, i)| !past(i)) {
            if let Trigger::At(at) = trigger {
                timed.push((*at, i));
            }
        }
        timed.sort_unstable();
        self.timed = timed.into_iter().map(|(_, i)| i).collect();
        self
    }
}

/// End of each exchange at the recorded sender.
///
/// The end of an abandoned exchange leaves no trace on the air. It is taken to be one more doubled
/// interval after the last copy (RFC 7252 §4.2 waits once more after the last retransmission; ACK_TIMEOUT
/// when there is only one copy), no later than the start of the next exchange where NSTART is 1, and no later
/// than a reply that is known to have come: it would have closed the exchange. A sender whose back-off shrinks,
/// or that does not wait after its last copy, is caught by that.
fn overs(exchanges: &[ExchangeRecord], nstart: u8) -> Vec<Option<Instant>> {
    /// ACK_TIMEOUT, RFC 7252 §4.8.
    const ACK_TIMEOUT: Span = Span::from_secs(2);
    let over = |(i, e): (usize, &ExchangeRecord)| match e.outcome {
        Outcome::Closed => e.end,
        Outcome::Open => None,
        Outcome::Abandoned => {
            let last = e.last_sent();
            let before = e.copies.len().checked_sub(2).and_then(|i| e.copies.get(i)).map(|c| c.sent);
            let guess = last + before.map_or(ACK_TIMEOUT, |before| (last - before).scale(2, 1));
            let limit = exchanges.get(i + 1).filter(|_| nstart <= 1).map_or(Instant::MAX, ExchangeRecord::start);
            let late = e.copies.iter().filter_map(|c| Some(c.sent + c.fate.rtt()?)).min().unwrap_or(Instant::MAX);
            Some(guess.min(limit).min(late).max(last))
        }
    };
    exchanges.iter().enumerate().map(over).collect()
}

/// Most exchanges open at once.
fn overlap(exchanges: &[ExchangeRecord], over: &[Option<Instant>]) -> u32 {
    // Ends before starts at the same instant: a queued request starts the moment a place is free.
    let mut edges: Vec<(Instant, bool)> = exchanges.iter().map(|e| (e.start(), true)).collect();
    edges.extend(over.iter().flatten().map(|&at| (at, false)));
    edges.sort_unstable();
    let (mut open, mut most) = (0_u32, 0_u32);
    for (_, starts) in edges {
        open = if starts { open + 1 } else { open.saturating_sub(1) };
        most = most.max(open);
    }
    most
}

/// Closed loops: each request follows the latest end before it that no other request follows. With
/// several exchanges open at once these are several loops side by side. A request without such an end
/// (the first of its loop) is made ready by the clock.
fn loops(exchanges: &[ExchangeRecord], over: &[Option<Instant>], next: &mut [u32]) -> Vec<Trigger> {
    let mut ends: Vec<(Instant, u32)> = over.iter().zip(0_u32..).filter_map(|(at, i)| Some(((*at)?, i))).collect();
    ends.sort_unstable();
    let mut coming = ends.into_iter().peekable();
    let mut unused: Vec<(Instant, u32)> = Vec::new();
    let trigger = |(e, i): (&ExchangeRecord, u32)| {
        let start = e.start();
        // An exchange cannot follow itself: its end is after its start unless both are the same instant.
        while let Some(end) = coming.next_if(|&(at, j)| at <= start && j < i) {
            unused.push(end);
        }
        match unused.pop() {
            Some((end, j)) => {
                if let Some(slot) = next.get_mut(j as usize) {
                    *slot = i;
                }
                Trigger::After(start - end)
            }
            None => Trigger::At(e.ready.unwrap_or(start)),
        }
    };
    exchanges.iter().zip(0_u32..).map(trigger).collect()
}

/// Recorded timeout of copy `attempt` (0 for the original): the gap to the next copy, or for the last one to the
/// inferred end `over`; `None` where the trace shows no end of it.
pub(crate) fn recorded_timeout(exchange: &ExchangeRecord, over: Option<Instant>, attempt: usize) -> Option<Span> {
    let sent = exchange.copies.get(attempt)?.sent;
    match exchange.copies.get(attempt + 1) {
        Some(next) => Some(next.sent - sent),
        None if exchange.outcome == Outcome::Abandoned => over.map(|over| over - sent),
        None => None,
    }
}

/// Time from the start of an exchange to its closing reply, where none of its known fates explains that; else `None`.
pub(crate) fn unexplained_close(exchange: &ExchangeRecord) -> Option<Span> {
    let end = exchange.end?;
    let explains = |fate: Fate, sent: Instant| fate.rtt().is_some_and(|rtt| sent + rtt == end);
    let explained = exchange.copies.iter().any(|c| explains(c.fate, c.sent));
    (!explained).then(|| end - exchange.start())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CopyRecord;
    use base::{AssociationId, ExchangeId};

    /// Round trips of one second; each exchange begins `gaps` after the end of the one before, and was ready so long
    /// before its start.
    fn association(gaps: &[(i64, i64)]) -> AssociationRecord {
        let mut sent = Instant::ZERO;
        let exchange = |(id, &(gap, early)): (u32, &(i64, i64))| {
            sent += Span::from_millis(gap);
            let (rtt, ready) = (Span::from_secs(1), Some(sent - Span::from_millis(early)));
            let copies = vec![CopyRecord { sent, fate: Fate::Answered { rtt }, proven: true }].into();
            let end = Some(sent + rtt);
            sent += rtt;
            ExchangeRecord { id: ExchangeId(id), ready, copies, outcome: Outcome::Closed, end, payload: 0 }
        };
        AssociationRecord {
            id: AssociationId(0),
            client: 0,
            server: 1,
            workload: Workload::Arrivals,
            nstart: 1,
            error: Span::ZERO,
            queue: None,
            exchanges: (0..).zip(gaps).map(exchange).collect(),
        }
    }

    #[test]
    fn the_turnaround_is_that_of_requests_that_waited() {
        let turnaround = |gaps: &[(i64, i64)], choice| {
            let association = association(gaps);
            WorkloadPlan::new(&association, choice, false).with_turnaround(&association.exchanges).turnaround
        };
        // Two waited, 6 and 8 ms; one came 300 ms after the end, ready at once.
        let gaps = [(0, 0), (6, 500), (300, 0), (8, 900), (8, 900)];
        assert_eq!(turnaround(&gaps, WorkloadChoice::Auto), Span::from_millis(8));
        assert_eq!(turnaround(&[(0, 0), (300, 0)], WorkloadChoice::Auto), Span::ZERO, "none waited");
        assert_eq!(turnaround(&gaps, WorkloadChoice::ThinkTime), Span::ZERO, "gaps of a loop are in its triggers");
    }
}
