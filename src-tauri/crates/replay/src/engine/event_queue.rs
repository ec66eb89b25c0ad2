//! Queue of simulated events, in order of time.

use base::{Instant, Span};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Kind of an event of an exchange.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The timer of this copy expires.
    Timer { copy: u16 },
    /// The sender drops the exchange right after its last copy.
    GiveUp,
    /// A reply to this copy arrives, `rtt` after it; `None`: it is not known which copy it answers.
    Reply { copy: Option<u16>, rtt: Span },
    /// The application is ready to send the request.
    Ready,
    /// A request that was held back may go.
    Wake,
}

/// Event of one client.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Event {
    /// Time of the event.
    pub at: Instant,
    /// Sort key: rank among events of the same instant, then order of scheduling.
    order: u64,
    /// Position of the client among those simulated together.
    pub client: u32,
    /// Position of the exchange in its association; none for a wake-up.
    pub exchange: u32,
    /// Kind of the event.
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
/// A few clients have a handful of pending events: a sorted vector is fastest. Many clients have many: a heap is.
#[derive(Debug, Default)]
pub(crate) struct EventQueue {
    /// Pending events of a few clients, in descending order: the next is last.
    sorted: Vec<Event>,
    heap: BinaryHeap<Reverse<Event>>,
    uses_heap: bool,
    scheduled: u64,
}

impl EventQueue {
    /// Greatest number of clients whose events are held in the sorted vector. Chosen here for speed, without a recorded
    /// experiment; it changes no result.
    const SORTED_CLIENTS: usize = 4;

    /// Empties the queue for a simulation of `clients` clients.
    pub(super) fn clear(&mut self, clients: usize) {
        self.sorted.clear();
        self.heap.clear();
        self.uses_heap = clients > Self::SORTED_CLIENTS;
        self.scheduled = 0;
    }

    /// Time of the next event; [`Instant::MAX`] where none is left.
    pub(super) fn next(&self) -> Instant {
        let next = if self.uses_heap { self.heap.peek().map(|Reverse(event)| event) } else { self.sorted.last() };
        next.map_or(Instant::MAX, |event| event.at)
    }

    /// Takes the next event; `None` when none is left.
    pub(super) fn pop(&mut self) -> Option<Event> {
        if self.uses_heap { self.heap.pop().map(|Reverse(event)| event) } else { self.sorted.pop() }
    }

    /// Removes the timer of `exchange`, which is closed. Only the sorted vector is searched: in the heap the timer
    /// expires without effect.
    pub(super) fn disarm(&mut self, client: u32, exchange: u32) {
        let is_armed = |e: &Event| e.exchange == exchange && e.client == client && matches!(e.kind, Kind::Timer { .. });
        if let Some(timer) = self.sorted.iter().position(is_armed) {
            self.sorted.remove(timer);
        }
    }

    /// Adds an event; at the same instant timers go first, then replies, wake-ups and new requests, and of one kind the
    /// one that was added first.
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
        if self.uses_heap {
            self.heap.push(Reverse(event));
        } else {
            let place = self.sorted.iter().rposition(|later| event < *later).map_or(0, |later| later + 1);
            self.sorted.insert(place, event);
        }
    }
}
