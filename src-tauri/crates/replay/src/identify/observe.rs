//! What a capture shows of a sender's timers: each exchange as the sender lived it, in order of time.

use crate::model::{AssociationRecord, ExchangeRecord, Fate, Outcome};
use base::{AssociationId, Instant, Span};

/// One exchange.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// Its position among the exchanges of the association.
    pub number: usize,
    /// When each copy went on the air, none later than `end`: a copy that left after the reply was in had been
    /// handed down before.
    pub copies: Vec<Instant>,
    /// Copies from this one on left after the reply was in: their timers ran out before, nobody saw when.
    pub late: usize,
    /// When the closing reply was in.
    pub end: Option<Instant>,
    /// The copy which that reply answers, where it is known.
    pub answered: Option<u8>,
    /// When the first copy's own reply came or would have come: no retransmission can be seen to start later.
    pub limit: Limit,
    /// Exchanges of the association already open when it started.
    pub inflight: u32,
}

/// What bounds the first gap from above, by something other than the timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    /// A reply to the first copy.
    At(Instant),
    /// Nothing: the first copy or its reply was lost.
    None,
    /// The capture cannot tell.
    Unknown,
}

/// What happens to a sender, as far as its timers are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// A retransmission. Before an end at the same moment: see [`Seen::copies`].
    Again(u16),
    /// The exchange is over.
    Over,
    /// The first copy of an exchange. After an end at the same moment: the end made room for it.
    First,
}

/// An association as its client lived it.
#[derive(Clone, Debug)]
pub(crate) struct Observed {
    /// Whose.
    pub id: AssociationId,
    /// Its exchanges, in order of start.
    pub exchanges: Vec<Seen>,
    /// In order of time: when, what, and to which of `exchanges`.
    pub events: Vec<(Instant, Kind, u32)>,
    /// Round trip times of the first exchanges without a retransmission: their median, if there are any.
    pub typical: Option<Span>,
}

/// As many round trips say what is typical of the beginning.
const BEGINNING: usize = 20;

/// How much longer than the timer before an exchange that failed is thought to have waited, where nothing tells.
const LAST_WAIT: i64 = 2;

impl Observed {
    /// What the first `most` exchanges of `association` show.
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
            let seen = Seen::of(number, exchange, u32::try_from(open.len()).unwrap_or(u32::MAX));
            open.push(over);
            let sent = seen.copies.iter().zip(0_u16..);
            events.extend(sent.map(|(&at, copy)| (at, if copy == 0 { Kind::First } else { Kind::Again(copy) }, index)));
            events.push((over.max(seen.copies.last().copied().unwrap_or(start)), Kind::Over, index));
            exchanges.push(seen);
        }
        events.sort_unstable();
        let mut rtts: Vec<Span> = exchanges.iter().filter_map(Seen::clean).take(BEGINNING).collect();
        rtts.sort_unstable();
        Self { id: association.id, typical: rtts.get(rtts.len() / 2).copied(), exchanges, events }
    }

    /// Gaps between copies.
    pub fn gaps(&self) -> usize {
        self.exchanges.iter().map(|e| e.copies.len().saturating_sub(1)).sum()
    }
}

/// When the sender is done with an exchange; `next` is when the next one starts, where it can only start then.
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

impl Seen {
    fn of(number: usize, exchange: &ExchangeRecord, inflight: u32) -> Self {
        let end = exchange.end.filter(|_| exchange.outcome == Outcome::Closed);
        let latest = end.unwrap_or(Instant::MAX);
        let late = exchange.copies.iter().position(|c| c.sent > latest).unwrap_or(exchange.copies.len());
        let closes = |c: &crate::model::CopyRecord| c.fate.rtt().is_some_and(|rtt| Some(c.sent + rtt) == end);
        let answered = exchange.copies.iter().position(closes).and_then(|copy| u8::try_from(copy).ok());
        let limit = match exchange.copies.first().map(|c| (c.sent, c.fate)) {
            Some((sent, Fate::Answered { rtt })) => Limit::At(sent + rtt),
            Some((_, Fate::RequestLost | Fate::ReplyLost | Fate::Lost)) => Limit::None,
            Some((_, Fate::Unknown)) | None => Limit::Unknown,
        };
        let copies = exchange.copies.iter().map(|c| c.sent.min(latest)).collect();
        Self { number, copies, late, end, answered, limit, inflight }
    }

    /// The round trip time of an exchange without a retransmission.
    fn clean(&self) -> Option<Span> {
        let [only] = self.copies.as_slice() else { return None };
        self.end.map(|end| end - *only)
    }
}
