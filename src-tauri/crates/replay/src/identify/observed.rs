//! The events of a sender's timers that a capture shows: each exchange from the sender's side, in order of time.

use crate::model::{AssociationRecord, ExchangeRecord, Fate, Outcome};
use base::{AssociationId, Instant, Span};

/// One exchange from the sender's side.
#[derive(Clone, Debug)]
pub(super) struct ObservedExchange {
    /// Position of the exchange among those of the association.
    pub number: usize,
    /// Times at which the copies went on the air, in order, cut to `end`: a copy that left after the reply was in had
    /// been handed down before.
    pub copies: Vec<Instant>,
    /// Index of the first copy that left after the reply was in, or the number of copies; from it on, gaps are
    /// left-censored.
    pub late: usize,
    /// Time of the closing reply; `None` without one.
    pub end: Option<Instant>,
    /// Index of the copy that this reply answers; `None` where it is not known.
    pub answered: Option<u8>,
    /// Reply to the first copy: no retransmission can be seen to start later.
    pub limit: FirstReply,
    /// Number of the association's exchanges already open when this one started.
    pub inflight: u32,
}

/// Reply to the first copy, which bounds the first gap from above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FirstReply {
    /// The reply came, or would have come, at this time.
    At(Instant),
    /// There was no reply: the first copy or its reply was lost.
    None,
    /// The capture does not tell.
    Unknown,
}

/// An event that a sender's timers depend on; the order is that of events at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Event {
    /// A retransmission with this number, from 1. It comes before an end at the same moment: see
    /// [`ObservedExchange::copies`].
    Retransmission(u16),
    /// The end of the exchange.
    End,
    /// The first copy of an exchange. It comes after an end at the same moment, which made room for it (NSTART).
    Start,
}

/// One association from its client's side.
#[derive(Clone, Debug)]
pub(super) struct ObservedAssociation {
    /// Identifier of the association.
    pub id: AssociationId,
    /// Exchanges in order of start.
    pub exchanges: Vec<ObservedExchange>,
    /// Events in order of time: the time, the event, and the position of its exchange in `exchanges`.
    pub events: Vec<(Instant, Event, u32)>,
    /// Median round trip of the first exchanges without a retransmission; `None` without such.
    pub typical_rtt: Option<Span>,
}

/// Number of round trips in [`ObservedAssociation::typical_rtt`]. Chosen here by judgement: no experiment decides it;
/// with fewer one slow round trip moves the median, more are no longer of the beginning, up to which a history is
/// settled.
const TYPICAL_RTTS: usize = 20;

/// Factor from the last gap to the assumed wait after the last copy of an exchange without an end: the back-off of
/// RFC 7252 §4.2. Also the least such wait in seconds: ACK_TIMEOUT (RFC 7252 §4.8).
const LAST_WAIT: i64 = 2;

impl ObservedAssociation {
    /// Takes the first `most` exchanges of `association`.
    pub fn of(association: &AssociationRecord, most: usize) -> Self {
        let records = association.exchanges.get(..most).unwrap_or(&association.exchanges);
        let mut open: Vec<Instant> = Vec::new();
        let mut exchanges = Vec::with_capacity(records.len());
        let mut events = Vec::new();
        for (number, (exchange, index)) in records.iter().zip(0_u32..).enumerate() {
            let start = exchange.start();
            open.retain(|&over| over > start);
            let next = records.get(number + 1).map(ExchangeRecord::start).filter(|_| association.nstart <= 1);
            let over = over(exchange, next);
            let seen = ObservedExchange::of(number, exchange, u32::try_from(open.len()).unwrap_or(u32::MAX));
            open.push(over);
            let sent = seen.copies.iter().zip(0_u16..);
            events.extend(
                sent.map(|(&at, copy)| (at, if copy == 0 { Event::Start } else { Event::Retransmission(copy) }, index)),
            );
            events.push((over.max(seen.copies.last().copied().unwrap_or(start)), Event::End, index));
            exchanges.push(seen);
        }
        events.sort_unstable();
        let mut rtts: Vec<Span> = exchanges.iter().filter_map(ObservedExchange::clean_rtt).take(TYPICAL_RTTS).collect();
        rtts.sort_unstable();
        Self { id: association.id, typical_rtt: rtts.get(rtts.len() / 2).copied(), exchanges, events }
    }

    /// Number of gaps between copies.
    pub fn gaps(&self) -> usize {
        self.exchanges.iter().map(|e| e.copies.len().saturating_sub(1)).sum()
    }
}

/// The time at which the sender is done with an exchange, inferred for one without an end. `next` is the start of the
/// next exchange where that waits for this one.
fn over(exchange: &ExchangeRecord, next: Option<Instant>) -> Instant {
    if let Some(end) = exchange.end {
        return end;
    }
    let last = exchange.last_sent();
    let before = exchange.copies.iter().rev().nth(1).map_or(exchange.start(), |c| c.sent);
    let wait = (last - before).scale(LAST_WAIT, 1).max(Span::from_secs(LAST_WAIT));
    let over = last + wait;
    next.map_or(over, |next| over.min(next)).max(last)
}

impl ObservedExchange {
    fn of(number: usize, exchange: &ExchangeRecord, inflight: u32) -> Self {
        let end = exchange.end.filter(|_| exchange.outcome == Outcome::Closed);
        let latest = end.unwrap_or(Instant::MAX);
        let late = exchange.copies.iter().position(|c| c.sent > latest).unwrap_or(exchange.copies.len());
        let closes = |c: &crate::model::CopyRecord| c.fate.rtt().is_some_and(|rtt| Some(c.sent + rtt) == end);
        let answered = exchange.copies.iter().position(closes).and_then(|copy| u8::try_from(copy).ok());
        let limit = match exchange.copies.first().map(|c| (c.sent, c.fate)) {
            Some((sent, Fate::Answered { rtt })) => FirstReply::At(sent + rtt),
            Some((_, Fate::RequestLost | Fate::ReplyLost | Fate::Lost)) => FirstReply::None,
            Some((_, Fate::Unknown)) | None => FirstReply::Unknown,
        };
        let copies = exchange.copies.iter().map(|c| c.sent.min(latest)).collect();
        Self { number, copies, late, end, answered, limit, inflight }
    }

    /// The round trip time of an answered exchange without a retransmission (Karn & Partridge 1987).
    fn clean_rtt(&self) -> Option<Span> {
        let [only] = self.copies.as_slice() else { return None };
        self.end.map(|end| end - *only)
    }
}
