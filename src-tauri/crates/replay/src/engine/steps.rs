//! Steps of one run in columns, for drawing.

use super::Client;
use super::client::Close;
use super::states::{States, pick};
use crate::channel::{Met, Sent, Support};
use crate::model::Fate;
use base::{AssociationId, ExchangeId, Instant, Span};
use std::ops::Range;

/// Kind of a step of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepKind {
    /// A copy was sent.
    Transmit,
    /// The timer of a copy expired.
    Timeout,
    /// A reply closed the exchange.
    Reply,
    /// A reply found the exchange closed.
    LateReply,
    /// The sender gave up.
    GiveUp,
}

/// The steps of one replicate, one vector per column, all of the same length. Grouped by association in
/// the order of the record; in order of time within each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Steps {
    /// Time of the step.
    pub at: Vec<Instant>,
    /// Association of the step.
    pub association: Vec<AssociationId>,
    /// Exchange of the trace to which the step belongs.
    pub exchange: Vec<ExchangeId>,
    /// Number of the copy, 0 for the original; of a reply: the copy that it answers (the latest possible one where that
    /// is unknown).
    pub attempt: Vec<u16>,
    /// Kind of the step.
    pub kind: Vec<StepKind>,
    /// The timeout armed for a copy; `None` for other steps, and for a copy whose recorded timer is unknown.
    pub rto: Vec<Option<Span>>,
    /// Whether the step is a retransmission although a copy before it is answered anyway.
    pub needless: Vec<bool>,
    /// Source of the fate of a copy; `None` for other steps.
    pub support: Vec<Option<Support>>,
    /// The estimator's state right after the step; `None` for clients that stay as recorded.
    pub state: States,
    /// Fates of copies, without round trips.
    becomes: Vec<Becomes>,
    /// The round trip of a copy that is answered, and of a reply that is known to answer one.
    round_trip: Vec<Option<Span>>,
}

/// A [`Fate`] without its round trip, which has a column of its own; of steps that are no copies none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Becomes {
    Nothing,
    Answered,
    RequestLost,
    ReplyLost,
    Lost,
    Unknown,
}

impl Steps {
    /// Number of steps of the replicate.
    #[must_use]
    pub fn len(&self) -> usize {
        self.at.len()
    }

    /// Whether there are no steps.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.at.is_empty()
    }

    /// Memory that the columns take, in octets.
    #[must_use]
    pub const fn octets(&self) -> usize {
        const fn column<T>(values: &Vec<T>) -> usize {
            values.capacity() * size_of::<T>()
        }
        let Self { at, association, exchange, attempt, kind, rto, needless, support, state, becomes, round_trip } =
            self;
        column(at)
            + column(association)
            + column(exchange)
            + column(attempt)
            + column(kind)
            + column(rto)
            + column(needless)
            + column(support)
            + state.octets()
            + column(becomes)
            + column(round_trip)
    }

    /// Round trip of the copy that a reply answers; `None` for other steps, and where it is not known which copy it
    /// answers.
    #[must_use]
    pub fn rtt(&self, index: usize) -> Option<Span> {
        let is_reply = matches!(self.kind.get(index), Some(StepKind::Reply | StepKind::LateReply));
        self.round_trip.get(index).copied().flatten().filter(|_| is_reply)
    }

    /// Fate of the copy that was sent; `None` for other steps.
    #[must_use]
    pub fn fate(&self, index: usize) -> Option<Fate> {
        match self.becomes.get(index)? {
            Becomes::Nothing => None,
            Becomes::Answered => self.round_trip.get(index).copied().flatten().map(|rtt| Fate::Answered { rtt }),
            Becomes::RequestLost => Some(Fate::RequestLost),
            Becomes::ReplyLost => Some(Fate::ReplyLost),
            Becomes::Lost => Some(Fate::Lost),
            Becomes::Unknown => Some(Fate::Unknown),
        }
    }

    /// Says what becomes of the copy of step `index`, and how that is known.
    fn meet(&mut self, index: usize, met: Met) {
        let becomes = match met.fate {
            Fate::Answered { .. } => Becomes::Answered,
            Fate::RequestLost => Becomes::RequestLost,
            Fate::ReplyLost => Becomes::ReplyLost,
            Fate::Lost => Becomes::Lost,
            Fate::Unknown => Becomes::Unknown,
        };
        if let (Some(fate), Some(rtt), Some(support)) =
            (self.becomes.get_mut(index), self.round_trip.get_mut(index), self.support.get_mut(index))
        {
            (*fate, *rtt, *support) = (becomes, met.fate.rtt(), Some(met.support));
        }
    }

    /// Rows of the steps of `association`; empty where it has none.
    #[must_use]
    pub fn of(&self, association: AssociationId) -> Range<usize> {
        let mut from = 0;
        // From the beginning of one group to the next.
        while let Some(&here) = self.association.get(from) {
            let rest = self.association.get(from..).unwrap_or_default();
            let until = from + rest.partition_point(|&other| other == here);
            if here == association {
                return from..until;
            }
            from = until;
        }
        from..from
    }

    /// Whether an exchange begins with each step, in order.
    pub fn begins(&self) -> impl Iterator<Item = bool> {
        self.kind.iter().zip(&self.attempt).map(|(&kind, &attempt)| kind == StepKind::Transmit && attempt == 0)
    }

    /// No steps, with capacity for those of `exchanges` exchanges: most have a copy and its reply. Growing would copy
    /// the columns again and again, and leave holes in memory.
    pub(crate) fn with_room(exchanges: usize) -> Self {
        let steps = exchanges.saturating_mul(9) / 4;
        Self {
            at: Vec::with_capacity(steps),
            association: Vec::with_capacity(steps),
            exchange: Vec::with_capacity(steps),
            attempt: Vec::with_capacity(steps),
            kind: Vec::with_capacity(steps),
            rto: Vec::with_capacity(steps),
            needless: Vec::with_capacity(steps),
            support: Vec::with_capacity(steps),
            state: States::with_room(steps),
            becomes: Vec::with_capacity(steps),
            round_trip: Vec::with_capacity(steps),
        }
    }

    /// Appends the steps of `other`.
    pub(crate) fn append(&mut self, mut other: Self) {
        if self.is_empty() {
            *self = other;
            return;
        }
        self.at.append(&mut other.at);
        self.association.append(&mut other.association);
        self.exchange.append(&mut other.exchange);
        self.attempt.append(&mut other.attempt);
        self.kind.append(&mut other.kind);
        self.rto.append(&mut other.rto);
        self.round_trip.append(&mut other.round_trip);
        self.needless.append(&mut other.needless);
        self.becomes.append(&mut other.becomes);
        self.support.append(&mut other.support);
        self.state.append(other.state);
    }

    /// Gives back the memory that growing took in advance.
    pub(crate) fn shrink(&mut self) {
        self.at.shrink_to_fit();
        self.association.shrink_to_fit();
        self.exchange.shrink_to_fit();
        self.attempt.shrink_to_fit();
        self.kind.shrink_to_fit();
        self.rto.shrink_to_fit();
        self.round_trip.shrink_to_fit();
        self.needless.shrink_to_fit();
        self.becomes.shrink_to_fit();
        self.support.shrink_to_fit();
        self.state.shrink();
    }

    /// Groups the steps of associations that were simulated together; `order` lists the associations.
    fn group(&mut self, order: &[AssociationId]) {
        let mut rows: Vec<usize> = (0..self.len()).collect();
        let position = |row: &usize| order.iter().position(|id| self.association.get(*row) == Some(id));
        rows.sort_by_cached_key(position);
        pick(&mut self.at, &rows);
        pick(&mut self.association, &rows);
        pick(&mut self.exchange, &rows);
        pick(&mut self.attempt, &rows);
        pick(&mut self.kind, &rows);
        pick(&mut self.rto, &rows);
        pick(&mut self.round_trip, &rows);
        pick(&mut self.needless, &rows);
        pick(&mut self.becomes, &rows);
        pick(&mut self.support, &rows);
        self.state.pick(&rows);
    }

    fn push(&mut self, client: &Client<'_>, exchange: u32, now: Instant, attempt: u16, kind: StepKind) {
        self.at.push(now);
        self.association.push(client.record.id);
        self.exchange.push(client.record.exchanges.get(exchange as usize).map_or_else(ExchangeId::default, |e| e.id));
        self.attempt.push(attempt);
        self.kind.push(kind);
        self.rto.push(None);
        self.round_trip.push(None);
        self.needless.push(false);
        self.becomes.push(Becomes::Nothing);
        self.support.push(None);
        self.state.push(client.state(now));
    }
}

/// Observer of every step.
pub(crate) trait StepObserver {
    /// Reports that a copy was `sent` and met `met`; `timeout` is the one armed, if any.
    fn transmit(&mut self, client: &Client<'_>, exchange: u32, sent: &Sent, met: Met, timeout: Option<Span>);
    /// Reports the fate of a copy sent earlier.
    fn settle(&mut self, client: &Client<'_>, sent: &Sent, met: Met) {
        let _ = (client, sent, met);
    }
    /// Reports that the timer of `copy` expired at `now`.
    fn timeout(&mut self, client: &Client<'_>, exchange: u32, copy: u16, now: Instant);
    /// Reports the end of an exchange at `now`.
    fn close(&mut self, client: &Client<'_>, exchange: u32, how: Close, now: Instant);
    /// Reports a reply to a closed exchange at `now`, `rtt` after `copy` was sent; after the start where the copy is
    /// unknown.
    fn late(&mut self, client: &Client<'_>, exchange: u32, copy: Option<u16>, now: Instant, rtt: Span);
    /// Reports that the clients were simulated together: their steps are not grouped by association yet; `order` is
    /// that of the record.
    fn joined(&mut self, order: &[AssociationId]) {
        let _ = order;
    }
}

/// Observer that ignores all steps.
#[derive(Debug)]
pub(crate) struct NoSteps;

impl StepObserver for NoSteps {
    fn transmit(&mut self, _: &Client<'_>, _: u32, _: &Sent, _: Met, _: Option<Span>) {}
    fn timeout(&mut self, _: &Client<'_>, _: u32, _: u16, _: Instant) {}
    fn close(&mut self, _: &Client<'_>, _: u32, _: Close, _: Instant) {}
    fn late(&mut self, _: &Client<'_>, _: u32, _: Option<u16>, _: Instant, _: Span) {}
}

/// The copy that gets a recorded reply whose copy is unknown: the latest one that may have been answered.
fn unexplained(client: &Client<'_>, exchange: u32, latest: u16) -> u16 {
    let may = |copy: &u16| {
        let recorded = client.record.exchanges.get(exchange as usize).and_then(|e| e.copies.get(usize::from(*copy)));
        recorded.is_some_and(|c| !c.fate.is_known())
    };
    (0..=latest).rev().find(may).unwrap_or(latest)
}

fn last<T>(column: &mut [T], value: T) {
    if let Some(cell) = column.last_mut() {
        *cell = value;
    }
}

impl StepObserver for Steps {
    fn joined(&mut self, order: &[AssociationId]) {
        self.group(order);
    }

    fn transmit(&mut self, client: &Client<'_>, exchange: u32, sent: &Sent, met: Met, timeout: Option<Span>) {
        let run = client.runs.get(exchange as usize).copied().unwrap_or_default();
        let copy = run.copies.saturating_sub(1);
        self.push(client, exchange, sent.at, copy, StepKind::Transmit);
        last(&mut self.rto, timeout);
        last(&mut self.needless, run.answered.is_some_and(|answered| answered < copy));
        self.meet(self.len() - 1, met);
    }

    fn settle(&mut self, client: &Client<'_>, sent: &Sent, met: Met) {
        let id = client.record.exchanges.get(sent.exchange as usize).map(|e| e.id);
        let answered = client.runs.get(sent.exchange as usize).and_then(|run| run.answered);
        // Copies of this exchange from the latest back to this one: those sent meanwhile may prove needless.
        for row in (0..self.len()).rev() {
            let own = self.association.get(row) == Some(&client.record.id) && self.exchange.get(row) == id.as_ref();
            if !own || self.kind.get(row) != Some(&StepKind::Transmit) {
                continue;
            }
            let copy = self.attempt.get(row).copied().unwrap_or_default();
            if let Some(needless) = self.needless.get_mut(row) {
                *needless = answered.is_some_and(|answered| answered < copy);
            }
            if copy <= u16::from(sent.attempt) {
                self.meet(row, met);
                break;
            }
        }
    }

    fn timeout(&mut self, client: &Client<'_>, exchange: u32, copy: u16, now: Instant) {
        self.push(client, exchange, now, copy, StepKind::Timeout);
    }

    fn close(&mut self, client: &Client<'_>, exchange: u32, how: Close, now: Instant) {
        let latest = client.copies(exchange).saturating_sub(1);
        match how {
            Close::Reply { copy, rtt } => {
                self.push(
                    client,
                    exchange,
                    now,
                    copy.unwrap_or_else(|| unexplained(client, exchange, latest)),
                    StepKind::Reply,
                );
                last(&mut self.round_trip, copy.map(|_| rtt));
            }
            Close::GivenUp => self.push(client, exchange, now, latest, StepKind::GiveUp),
        }
    }

    fn late(&mut self, client: &Client<'_>, exchange: u32, copy: Option<u16>, now: Instant, rtt: Span) {
        let latest = client.copies(exchange).saturating_sub(1);
        self.push(
            client,
            exchange,
            now,
            copy.unwrap_or_else(|| unexplained(client, exchange, latest)),
            StepKind::LateReply,
        );
        last(&mut self.round_trip, copy.map(|_| rtt));
    }
}
