//! Queue of simulated events, in order of time.

use base::{Instant, Span};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The timer of this copy.
    Timer { copy: u16 },
    /// The sender drops the exchange right after its last copy.
    GiveUp,
    /// A reply to this copy; `None`: a reply of which nobody knows what it answers.
    Reply { copy: Option<u16>, rtt: Span },
    /// The application wants to send.
    Ready,
    /// A request that was held back may go.
    Wake,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Event {
    pub at: Instant,
    /// Rank at the same instant, then order of scheduling.
    order: u64,
    pub client: u32,
    pub exchange: u32,
    pub kind: Kind,
}

impl Ord for Event {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.at, self.order).cmp(&(other.at, other.order))
    }
}
impl PartialOrd for Event {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Queue of events, reused between runs.
///
/// One client has a handful of things before it, kept in order; those of many are a heap.
#[derive(Debug, Default)]
pub(crate) struct EventQueue {
    /// The next one last.
    few: Vec<Event>,
    many: BinaryHeap<Reverse<Event>>,
    are_many: bool,
    scheduled: u64,
}

impl EventQueue {
    /// More clients than this have many things before them.
    const FEW: usize = 4;

    pub(super) fn clear(&mut self, clients: usize) {
        self.few.clear();
        self.many.clear();
        self.are_many = clients > Self::FEW;
        self.scheduled = 0;
    }

    /// Time of the next event; [`Instant::MAX`] where none is left.
    pub(super) fn next(&self) -> Instant {
        let next = if self.are_many { self.many.peek().map(|Reverse(event)| event) } else { self.few.last() };
        next.map_or(Instant::MAX, |event| event.at)
    }

    pub(super) fn pop(&mut self) -> Option<Event> {
        if self.are_many { self.many.pop().map(|Reverse(event)| event) } else { self.few.pop() }
    }

    /// The timer of `exchange` would find it closed.
    pub(super) fn disarm(&mut self, client: u32, exchange: u32) {
        let is_armed = |e: &Event| e.exchange == exchange && e.client == client && matches!(e.kind, Kind::Timer { .. });
        if let Some(timer) = self.few.iter().position(is_armed) {
            self.few.remove(timer);
        }
    }

    pub(super) fn push(&mut self, at: Instant, client: u32, exchange: u32, kind: Kind) {
        let rank: u64 = match kind {
            Kind::Timer { .. } | Kind::GiveUp => 0,
            Kind::Reply { .. } => 1,
            // A waiting request goes before a new one.
            Kind::Wake => 2,
            Kind::Ready => 3,
        };
        self.scheduled += 1;
        let order = (rank << 62) | self.scheduled;
        let event = Event { at, order, client, exchange, kind };
        if self.are_many {
            self.many.push(Reverse(event));
        } else {
            let place = self.few.iter().rposition(|later| event < *later).map_or(0, |later| later + 1);
            self.few.insert(place, event);
        }
    }
}
