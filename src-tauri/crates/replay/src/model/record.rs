//! The record: what replay needs to know of a capture, extracted once.
//!
//! Per client and server association the exchanges, per exchange its copies, per copy when it was
//! sent and what became of it. "The capture cannot tell" ([`Fate::Unknown`]) is a first-class answer:
//! a fate that is only a guess is stored as unknown, never as the guess.

mod convert;

use crate::model::Medium;
use base::{AssociationId, ExchangeId, Instant, Notes, Span};
use std::collections::{BTreeMap, BTreeSet};
pub use trace::Fate;
use trace::OneOrMany;

/// One recorded transmission of a confirmable message: the original or a retransmission.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CopyRecord {
    /// Start of its first frame, at the client.
    pub sent: Instant,
    /// Fate of the copy; [`Fate::Unknown`] also where the evidence is no more than a guess.
    pub fate: Fate,
    /// Whether the fate is proven: both ends or every hop were seen, or the packet named the copy that it answers.
    /// `false`: inferred.
    pub proven: bool,
}

/// End of a recorded exchange.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// An ACK, a separate response or a reset stopped the timer.
    Closed,
    /// The client gave up.
    Abandoned,
    /// The trace ended first, or an answer that it lacks closed the exchange at an unknown time.
    Open,
}

// A large capture has millions.
const _: () = assert!(size_of::<CopyRecord>() <= 32);

/// A confirmable exchange of the record: its copies and its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExchangeRecord {
    /// Identifier: position of the exchange in the trace.
    pub id: ExchangeId,
    /// Time at which the application wanted to send a request that had to wait for another one (RFC 7252 §4.7): as an
    /// application log says, or as the requests that did not wait tell ([`trace::Ready`]). `None`: when it was sent.
    pub ready: Option<Instant>,
    /// First transmission and retransmissions in time order. Never empty.
    pub copies: OneOrMany<CopyRecord>,
    /// Kind of the end of the exchange.
    pub outcome: Outcome,
    /// Arrival of the closing reply; `None` unless [`Outcome::Closed`].
    pub end: Option<Instant>,
    /// CoAP payload of the request, octets.
    pub payload: u16,
}

impl ExchangeRecord {
    /// Start of the first copy.
    #[must_use]
    pub fn start(&self) -> Instant {
        self.copies.first().map_or(Instant::ZERO, |c| c.sent)
    }

    /// Start of the last copy.
    #[must_use]
    pub fn last_sent(&self) -> Instant {
        self.copies.last().map_or(Instant::ZERO, |c| c.sent)
    }

    /// Moment before which no reply to any copy of this exchange reached the client: the closing reply was the first.
    /// An exchange without one proves it only up to its last copy, because a retransmission is sent only while nothing
    /// has arrived.
    #[must_use]
    pub fn silent_until(&self) -> Instant {
        self.end.unwrap_or_else(|| self.last_sent())
    }
}

/// Pattern by which the application sends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Workload {
    /// Ready times do not depend on how earlier exchanges went.
    Arrivals,
    /// The next request follows the end of an earlier one by the recorded gap.
    ThinkTime,
}

/// All exchanges of one client endpoint with one server endpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AssociationRecord {
    /// Identifier: position of the association in the trace.
    pub id: AssociationId,
    /// Number of the client; equal numbers are the same node.
    pub client: u32,
    /// Number of the server; equal numbers are the same node.
    pub server: u32,
    /// Pattern by which its application sends, as detected or assumed.
    pub workload: Workload,
    /// Greatest number of exchanges open at once (NSTART, RFC 7252 §4.7), at least 1.
    pub nstart: u8,
    /// Error of its times, where they were not taken at the client ([`trace::Correction::error`]): copies no further
    /// apart cannot be distinguished by their times, whatever the tolerance of a channel.
    pub error: Span,
    /// Greatest number of requests that its application lets wait, more are dropped; `None` where that is not known (a
    /// mote's log tells).
    pub queue: Option<u32>,
    /// Exchanges in order of start.
    pub exchanges: Vec<ExchangeRecord>,
}

impl AssociationRecord {
    /// Whether its last request waited for another one: then its application had more to send than the record shows.
    #[must_use]
    pub fn has_more(&self) -> bool {
        self.exchanges.last().is_some_and(|last| last.ready.is_some_and(|ready| ready < last.start()))
    }
}

/// Everything that replay needs of a capture. Build it from a [`trace::Trace`] with [`Record::from_trace`], or
/// from parts with [`Record::new`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    associations: Vec<AssociationRecord>,
    window: Option<(Instant, Instant)>,
    notes: Notes,
    medium: Medium,
    late: BTreeMap<ExchangeId, Vec<Instant>>,
}

impl Record {
    /// Record of `associations` seen during `window` (`None`: from the first to the last moment that they name).
    /// Exchanges are put in order of start, copies in order of time; exchanges without a copy are dropped.
    /// Contradictions are noted and made unknown: a reply before its copy, and a reply before the one that is said to
    /// have been first.
    #[must_use]
    pub fn new(mut associations: Vec<AssociationRecord>, window: Option<(Instant, Instant)>) -> Self {
        let mut notes = Notes::new();
        for association in &mut associations {
            association.nstart = association.nstart.max(1);
            association.exchanges.retain(|e| !e.copies.is_empty());
            for exchange in &mut association.exchanges {
                exchange.copies.sort_by_key(|c| c.sent);
                settle(exchange, &mut notes);
            }
            association.exchanges.sort_by_key(|e| (e.start(), e.id));
        }
        let window = window.or_else(|| {
            let all = || associations.iter().flat_map(|a| &a.exchanges);
            let first = all().map(ExchangeRecord::start).min()?;
            let last = all().map(|e| e.silent_until().max(e.last_sent())).max()?;
            Some((first, last))
        });
        Self { associations, window, notes, medium: Medium::default(), late: BTreeMap::new() }
    }

    /// Returns the time of the copy with this `number` in order of time, from 0; `None` where there are fewer.
    #[must_use]
    pub(crate) fn time_of_copy(&self, number: usize) -> Option<Instant> {
        let exchanges = self.associations.iter().flat_map(|a| &a.exchanges);
        let mut times: Vec<Instant> = exchanges.flat_map(|e| e.copies.iter().map(|copy| copy.sent)).collect();
        (number < times.len()).then(|| *times.select_nth_unstable(number).1)
    }

    /// Returns the record of a capture that ended at `end`: without later exchanges, copies and replies.
    #[must_use]
    pub(crate) fn until(&self, end: Instant) -> Self {
        let copy = |copy: &CopyRecord| {
            let comes_later = copy.fate.rtt().is_some_and(|rtt| copy.sent + rtt >= end);
            CopyRecord { fate: if comes_later { Fate::Unknown } else { copy.fate }, ..*copy }
        };
        let cut = |exchange: &ExchangeRecord| {
            let copies: OneOrMany<CopyRecord> =
                exchange.copies.iter().filter(|copy| copy.sent < end).map(copy).collect();
            let goes_on = copies.len() < exchange.copies.len() || exchange.end.is_some_and(|over| over >= end);
            let (outcome, over) = if goes_on { (Outcome::Open, None) } else { (exchange.outcome, exchange.end) };
            ExchangeRecord { copies, outcome, end: over, ..exchange.clone() }
        };
        let associations = self.associations.iter().map(|association| {
            let started = association.exchanges.iter().filter(|exchange| exchange.start() < end);
            AssociationRecord { exchanges: started.map(cut).collect(), ..association.clone() }
        });
        let window = self.window.map(|(begin, last)| (begin, last.min(end)));
        let record = Self::new(associations.collect(), window).with_medium(self.medium.clone());
        record.with_late(self.late.clone())
    }

    /// Returns the record with all that is known of the medium that its clients share.
    #[must_use]
    pub fn with_medium(self, medium: Medium) -> Self {
        Self { medium, ..self }
    }

    /// Returns the record with arrivals of replies that came after their exchange had ended, and of which it is not
    /// known which copy they answer.
    #[must_use]
    pub fn with_late(self, late: BTreeMap<ExchangeId, Vec<Instant>>) -> Self {
        Self { late, ..self }
    }

    /// Arrivals of late replies, by exchange ([`Record::with_late`]).
    pub(crate) const fn all_late(&self) -> &BTreeMap<ExchangeId, Vec<Instant>> {
        &self.late
    }

    /// Arrivals of late replies to an exchange ([`Record::with_late`]).
    pub(crate) fn late(&self, exchange: ExchangeId) -> &[Instant] {
        self.late.get(&exchange).map_or(&[], Vec::as_slice)
    }

    /// Returns the record with the queue limits of applications, where `limit` returns one; notes that it has.
    #[must_use]
    pub fn with_queues(mut self, limit: impl Fn(AssociationId) -> Option<u32>) -> Self {
        for association in &mut self.associations {
            association.queue = limit(association.id).or(association.queue);
        }
        let limits = || self.associations.iter().filter_map(|a| a.queue);
        if let (Some(least), Some(most)) = (limits().min(), limits().max()) {
            self.notes.remark(base::Layer::Replay, "queue-limit", None, None, || {
                let range = if least == most { most.to_string() } else { format!("{least} to {most}") };
                format!(
                    "{} clients let at most {range} requests wait and dropped more, says their log: so they do in replays, \
                     unless a policy says otherwise",
                    limits().count()
                )
            });
        }
        self
    }

    /// Medium that the clients share.
    #[must_use]
    pub const fn medium(&self) -> &Medium {
        &self.medium
    }

    /// Associations, in the order given.
    #[must_use]
    pub fn associations(&self) -> &[AssociationRecord] {
        &self.associations
    }

    /// Number of clients that have an association.
    #[must_use]
    pub fn clients(&self) -> usize {
        self.associations.iter().map(|association| association.client).collect::<BTreeSet<_>>().len()
    }

    /// First and last moment of the capture; `None` for an empty record.
    #[must_use]
    pub const fn window(&self) -> Option<(Instant, Instant)> {
        self.window
    }

    /// Notes on contradictions in the record.
    #[must_use]
    pub const fn notes(&self) -> &Notes {
        &self.notes
    }

    /// Number of exchanges of all associations.
    #[must_use]
    pub fn exchanges(&self) -> usize {
        self.associations.iter().map(|a| a.exchanges.len()).sum()
    }
}

/// Makes fates unknown that contradict the rest of their exchange.
fn settle(exchange: &mut ExchangeRecord, notes: &mut Notes) {
    if exchange.outcome != Outcome::Closed {
        exchange.end = None;
    } else if exchange.end.is_none() {
        // Closed at an unknown time: for replay, an exchange whose end was not seen.
        exchange.outcome = Outcome::Open;
    }
    let silent = exchange.silent_until();
    let id = exchange.id;
    // Something closed it, and there is only one copy that can have been it.
    if let (Some(end), [only]) = (exchange.end, &mut exchange.copies[..])
        && only.fate == Fate::Unknown
        && end >= only.sent
    {
        only.fate = Fate::Answered { rtt: end - only.sent };
    }
    for copy in &mut exchange.copies {
        if let Fate::Answered { rtt } = copy.fate
            && (rtt < Span::ZERO || copy.sent + rtt < silent)
        {
            copy.fate = Fate::Unknown;
            copy.proven = false;
            notes.tally(base::Layer::Replay, "reply-before-the-first", None, None, || {
                format!("exchange {id}: a copy's reply precedes the reply that closed the exchange; its fate is treated as unknown")
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn association(exchanges: Vec<ExchangeRecord>) -> AssociationRecord {
        AssociationRecord {
            id: AssociationId(0),
            client: 0,
            server: 0,
            workload: Workload::Arrivals,
            nstart: 0,
            error: Span::ZERO,
            queue: None,
            exchanges,
        }
    }

    fn copy(ms: i64, fate: Fate) -> CopyRecord {
        CopyRecord { sent: Instant::ZERO + Span::from_millis(ms), fate, proven: true }
    }

    #[test]
    fn contradictions_become_unknown_and_are_noted() {
        let exchange = ExchangeRecord {
            id: ExchangeId(0),
            ready: None,
            copies: vec![
                copy(2_000, Fate::Answered { rtt: Span::from_millis(500) }),
                copy(0, Fate::Answered { rtt: Span::from_millis(100) }),
            ]
            .into(),
            outcome: Outcome::Closed,
            end: Some(Instant::ZERO + Span::from_millis(2_500)),
            payload: 0,
        };
        let association = association(vec![exchange]);
        let record = Record::new(vec![association], None);
        let exchange = &record.associations()[0].exchanges[0];
        assert_eq!(exchange.start(), Instant::ZERO, "copies are sorted");
        assert_eq!(exchange.copies[0].fate, Fate::Unknown, "a reply at 0.1 s contradicts the first at 2.5 s");
        assert_eq!(exchange.copies[1].fate, Fate::Answered { rtt: Span::from_millis(500) });
        assert_eq!(record.notes().count("reply-before-the-first"), 1);
        assert_eq!(record.associations()[0].nstart, 1);
        assert_eq!(record.window(), Some((Instant::ZERO, Instant::ZERO + Span::from_millis(2_500))));
    }

    /// Cut at 4 s: the first exchange stays, the second is open without its second copy, the third is not there.
    #[test]
    fn a_record_that_ends_sooner_has_nothing_of_what_follows() {
        let at = |ms: i64| Instant::ZERO + Span::from_millis(ms);
        let answered = |ms: i64| Fate::Answered { rtt: Span::from_millis(ms) };
        let exchange = |id, copies: Vec<CopyRecord>, end: i64| ExchangeRecord {
            id: ExchangeId(id),
            ready: None,
            copies: copies.into(),
            outcome: Outcome::Closed,
            end: Some(at(end)),
            payload: 0,
        };
        let exchanges = vec![
            exchange(0, vec![copy(0, answered(500))], 500),
            exchange(1, vec![copy(1_000, answered(4_000)), copy(4_500, Fate::Lost)], 5_000),
            exchange(2, vec![copy(6_000, answered(100))], 6_100),
        ];
        let record = Record::new(vec![association(exchanges)], Some((at(0), at(7_000))));
        assert_eq!(record.time_of_copy(2), Some(at(4_500)));
        assert_eq!(record.time_of_copy(4), None, "there are four");
        let cut = record.until(at(4_000));
        assert_eq!(cut.window(), Some((at(0), at(4_000))));
        let exchanges = &cut.associations()[0].exchanges;
        assert_eq!(exchanges[0], record.associations()[0].exchanges[0]);
        assert_eq!((exchanges[1].outcome, exchanges[1].end), (Outcome::Open, None));
        assert_eq!(exchanges[1].copies.to_vec(), [copy(1_000, Fate::Unknown)]);
        assert_eq!(exchanges.len(), 2);
        assert_eq!(record.until(at(9_000)).associations(), record.associations());
    }
}
