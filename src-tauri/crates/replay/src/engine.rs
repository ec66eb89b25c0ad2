//! The only loop that knows time: a heap of events in virtual time.
//!
//! Owns timers, the rules of [`Policy`], the application's queue and every draw;
//! estimators are pure and channels only answer questions. An exchange ends with the *earliest* reply
//! to any of its copies. The server de-duplicates: a copy that arrives again is answered again with the
//! stored reply (RFC 7252 §4.5), so every copy has a reply of its own and a late one finds its exchange
//! closed. At the same instant timers go before replies (a timeout equal to the round trip is early,
//! METRICS 1.2: `T ≤ D`), replies before new requests (the place they free can be taken).

mod client;
mod driver;
mod fast;
mod host;
mod states;
mod steps;

pub(crate) use client::{Client, Timers};
pub(crate) use driver::{Driver, Pair};
pub(crate) use fast::SingleClient;
pub use states::States;
pub(crate) use steps::{NoSteps, StepObserver};
pub use steps::{StepKind, Steps};

use crate::channel::{Channel, Met, Sent, Settled, Support};
use crate::model::{Fate, NONE, Policy};
use base::{Cancelled, Instant, Span};
use client::Close;
use host::Host;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// End of a simulated exchange.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ending {
    /// It never became ready, because the exchange it follows stayed open.
    #[default]
    Unstarted,
    /// The application dropped it: no place, no queue.
    Dropped,
    /// A reply closed it.
    Answered,
    /// The sender gave up.
    Failed,
    /// Still open when the record ends; only where the sender's own timers are not known.
    Open,
}

/// One simulated exchange.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExchangeRun {
    /// First transmission; [`Instant::ZERO`] when there was none.
    pub start: Instant,
    /// Close or give-up; meaningless unless answered or failed.
    pub end: Instant,
    /// Its end.
    pub ending: Ending,
    /// Copies sent.
    pub copies: u16,
    /// Copies among them whose fate was recorded.
    pub recorded: u16,
    /// The first copy that is answered, sooner or later, if any is known to be.
    pub answered: Option<u16>,
    /// Copies whose fate is unknown.
    pub unknown: u16,
}

impl ExchangeRun {
    /// The next copy goes out and meets `met`.
    fn transmit(&mut self, met: Met) {
        match met.fate {
            Fate::Answered { .. } => self.answered = self.answered.or(Some(self.copies)),
            Fate::Unknown => self.unknown += 1,
            Fate::RequestLost | Fate::ReplyLost | Fate::Lost => {}
        }
        self.recorded += u16::from(met.support == Support::Recorded);
        self.copies = self.copies.saturating_add(1);
    }
}

/// Counts of one association that belong to no single exchange.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Tally {
    /// Replies that found their exchange closed.
    pub late: u64,
    /// Expired timers whose copy was really lost.
    pub good: u64,
    /// Expired timers whose copy was answered after all.
    pub bad: u64,
    /// Sum over good timeouts of timeout / latest round trip before it.
    pub waited: f64,
    /// Good timeouts in that sum: those with a round trip before them.
    pub waits: u64,
    /// Requests held back by a pacer or a limit although a place was free.
    pub held: u64,
    /// Nanoseconds that requests waited from being ready to their first transmission.
    pub queued: i128,
}

impl Tally {
    /// Counts an expired timer of `armed` as good or bad by the `fate` of its copy. `last_rtt` is the latest round trip before.
    fn expired(&mut self, fate: Fate, armed: Span, last_rtt: impl FnOnce() -> Option<Span>) {
        match fate {
            Fate::Answered { .. } => self.bad += 1,
            Fate::Unknown => {}
            Fate::RequestLost | Fate::ReplyLost | Fate::Lost => {
                self.good += 1;
                if let Some(rtt) = last_rtt().filter(|&rtt| rtt > Span::ZERO) {
                    self.waited += armed.secs_f64() / rtt.secs_f64();
                    self.waits += 1;
                }
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
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
struct Event {
    at: Instant,
    /// Rank at the same instant, then order of scheduling.
    order: u64,
    client: u32,
    exchange: u32,
    kind: Kind,
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

    fn clear(&mut self, clients: usize) {
        self.few.clear();
        self.many.clear();
        self.are_many = clients > Self::FEW;
        self.scheduled = 0;
    }

    /// Time of the next event; [`Instant::MAX`] where none is left.
    fn next(&self) -> Instant {
        let next = if self.are_many { self.many.peek().map(|Reverse(event)| event) } else { self.few.last() };
        next.map_or(Instant::MAX, |event| event.at)
    }

    fn pop(&mut self) -> Option<Event> {
        if self.are_many { self.many.pop().map(|Reverse(event)| event) } else { self.few.pop() }
    }

    /// The timer of `exchange` would find it closed.
    fn disarm(&mut self, client: u32, exchange: u32) {
        let is_armed = |e: &Event| e.exchange == exchange && e.client == client && matches!(e.kind, Kind::Timer { .. });
        if let Some(timer) = self.few.iter().position(is_armed) {
            self.few.remove(timer);
        }
    }

    fn push(&mut self, at: Instant, client: u32, exchange: u32, kind: Kind) {
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

/// Events between two times that somebody is told of.
const TELL: u32 = 1_024;

/// Simulates `clients` together under `policy` until nothing is left to happen; `told` hears the time now and then, and may end it.
pub(crate) fn simulate<C: Channel + ?Sized, W: StepObserver>(
    clients: &mut [Client<'_>],
    policy: &Policy,
    channel: &mut C,
    watch: &mut W,
    heap: &mut EventQueue,
    told: &mut dyn FnMut(Instant) -> Result<(), Cancelled>,
) -> Result<(), Cancelled> {
    heap.clear(clients.len());
    for (client, at) in clients.iter_mut().zip(0_u32..) {
        if let Some((when, exchange)) = client.next_timed() {
            heap.push(when, at, exchange, Kind::Ready);
        }
    }
    let (mut hosts, whose) = Host::of(clients);
    let defers = channel.defers();
    let mut untold = 0;
    loop {
        untold += 1;
        if untold == TELL {
            untold = 0;
            told(heap.next())?;
        }
        if defers && let Some(settled) = channel.settle(heap.next()) {
            settle(clients, &settled, watch, heap);
            continue;
        }
        let Some(event) = heap.pop() else { break };
        let at = event.client as usize;
        let host = whose.get(at).and_then(|&host| hosts.get_mut(host));
        let (Some(client), Some(host)) = (clients.get_mut(at), host) else { continue };
        let mut engine = Step { now: event.at, at: event.client, client, host, policy, channel, watch, heap };
        match event.kind {
            Kind::Timer { copy } => engine.timer(event.exchange, copy),
            Kind::GiveUp => engine.give_up(event.exchange),
            Kind::Reply { copy, rtt } => engine.reply(event.exchange, copy, rtt),
            Kind::Ready => engine.ready(event.exchange),
            Kind::Wake => engine.wake(),
        }
    }
    for client in clients {
        client.finish();
    }
    Ok(())
}

/// Sets a deferred fate and schedules its reply. A channel that defers simulates all clients, in order of paths.
fn settle<W: StepObserver>(clients: &mut [Client<'_>], settled: &Settled, watch: &mut W, heap: &mut EventQueue) {
    let Settled { sent, met } = settled;
    let Some(client) = clients.get_mut(sent.path as usize) else { return };
    let copy = u16::from(sent.attempt);
    let met = client.settle(sent, *met);
    watch.settle(client, sent, met);
    if let Fate::Answered { rtt } = met.fate {
        heap.push(sent.at + rtt, sent.path, sent.exchange, Kind::Reply { copy: Some(copy), rtt });
    }
}

/// One event of one client.
struct Step<'s, 'c, C: Channel + ?Sized, W: StepObserver> {
    now: Instant,
    at: u32,
    client: &'s mut Client<'c>,
    host: &'s mut Host,
    policy: &'s Policy,
    channel: &'s mut C,
    watch: &'s mut W,
    heap: &'s mut EventQueue,
}

impl<C: Channel + ?Sized, W: StepObserver> Step<'_, '_, C, W> {
    fn ready(&mut self, exchange: u32) {
        if let Some((when, next)) = self.client.after_timed(exchange) {
            self.heap.push(when, self.at, next, Kind::Ready);
        }
        if !self.client.is_waiting() && self.admits() {
            self.start(exchange);
        } else if self.client.enqueue(exchange, self.now) {
            self.hold_back();
        } else {
            self.client.drop_request(exchange);
            self.follow(exchange);
        }
    }

    /// A request that was held back may go.
    fn wake(&mut self) {
        self.client.woken(self.now);
        self.serve();
    }

    /// Whether the next request may start now.
    fn admits(&self) -> bool {
        self.client.has_place()
            && (self.client.is_pinned() || self.host.admits(self.client.path, self.policy))
            && self.client.earliest(self.now) <= self.now
    }

    /// Starts as many waiting requests as may.
    fn serve(&mut self) {
        while self.client.is_waiting() && self.admits() {
            let Some(next) = self.client.dequeue(self.now) else { break };
            self.start(next);
        }
        self.hold_back();
    }

    /// Sees to it that a request which waits although a place is free is thought of again: when its pacer
    /// says, or when an exchange ends.
    fn hold_back(&mut self) {
        if self.policy.joins_servers() {
            self.host.waits(self.at, self.client.waits_since());
        }
        if !self.client.is_waiting() || !self.client.has_place() {
            return;
        }
        self.client.hold();
        let earliest = self.client.earliest(self.now);
        if earliest > self.now && earliest < Instant::MAX && self.client.wakes_at(earliest) {
            self.heap.push(earliest, self.at, NONE, Kind::Wake);
        }
    }

    fn start(&mut self, exchange: u32) {
        let lost = self.host.start(self.client.path, self.policy);
        let place = self.client.open(exchange, self.now, lost);
        if self.policy.joins_servers() {
            self.host.learn(self.client.path, self.client.estimate(self.now));
        }
        if let Some(after) = self.client.unexplained_close(exchange) {
            self.heap.push(self.now + after, self.at, exchange, Kind::Reply { copy: None, rtt: after });
        }
        self.transmit(exchange, Some(place));
    }

    /// Sends a copy; `place` is `None` for a recorded copy that went out after the close.
    fn transmit(&mut self, exchange: u32, place: Option<usize>) {
        let copy = self.client.copies(exchange);
        let sent = Sent {
            path: self.client.path,
            at: self.now,
            exchange,
            attempt: u8::try_from(copy).unwrap_or(u8::MAX),
            payload: self.client.payload(exchange),
        };
        let met = self.channel.fate(&sent);
        let met = self.client.served(&sent, met);
        let timeout = self.client.transmit(exchange, place, self.now, met);
        self.watch.transmit(self.client, exchange, &sent, met, timeout);
        let mut closes = Instant::MAX;
        if let Met { fate: Fate::Answered { rtt }, .. } = met {
            closes = self.now + rtt;
            self.heap.push(closes, self.at, exchange, Kind::Reply { copy: Some(copy), rtt });
        }
        if self.client.gives_up_at_once(place) {
            self.heap.push(self.now, self.at, exchange, Kind::GiveUp);
        } else if let Some(timeout) = timeout {
            let deadline = self.client.deadline(place, self.now, timeout);
            // Most timers never fire: the reply is there before, at the latest.
            if deadline <= closes || self.client.is_pinned() {
                self.heap.push(deadline, self.at, exchange, Kind::Timer { copy });
            }
        }
    }

    fn timer(&mut self, exchange: u32, copy: u16) {
        let Some(place) = self.client.place_of(exchange) else {
            if self.client.resends(exchange, copy) {
                self.transmit(exchange, None);
            }
            return;
        };
        // A timer fires only for the latest copy: each copy arms its own.
        debug_assert_eq!(self.client.copies(exchange), copy + 1);
        self.client.expired(place, self.now);
        if self.client.is_last(place, copy, self.now) {
            self.watch.timeout(self.client, exchange, copy, self.now);
            self.close(exchange, place, Close::GivenUp);
        } else {
            self.client.on_timeout(place, self.now);
            self.watch.timeout(self.client, exchange, copy, self.now);
            self.transmit(exchange, Some(place));
        }
    }

    fn give_up(&mut self, exchange: u32) {
        if let Some(place) = self.client.place_of(exchange) {
            self.close(exchange, place, Close::GivenUp);
        }
    }

    fn reply(&mut self, exchange: u32, copy: Option<u16>, rtt: Span) {
        self.client.heard(copy.map(|_| rtt));
        match self.client.place_of(exchange) {
            Some(place) => self.close(exchange, place, Close::Reply { copy, rtt }),
            None => {
                self.client.tally.late += 1;
                self.watch.late(self.client, exchange, copy, self.now, rtt);
            }
        }
    }

    fn close(&mut self, exchange: u32, place: usize, how: Close) {
        self.client.close(exchange, place, self.now, how);
        if !self.client.is_pinned() {
            self.heap.disarm(self.at, exchange);
        }
        self.watch.close(self.client, exchange, how, self.now);
        self.follow(exchange);
        self.host.end();
        if self.policy.joins_servers() {
            self.host.learn(self.client.path, self.client.estimate(self.now));
            // A place at the node may be free: who has waited longest is first.
            for client in self.host.queue() {
                self.heap.push(self.now, client, NONE, Kind::Wake);
            }
        } else {
            self.serve();
        }
    }

    /// The next request of the loop, if this was one.
    fn follow(&mut self, exchange: u32) {
        if let Some((gap, next)) = self.client.follower(exchange) {
            self.heap.push(self.now + gap, self.at, next, Kind::Ready);
        }
    }
}
