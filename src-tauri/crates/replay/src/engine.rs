//! Discrete-event simulation: the only loop that advances time.
//!
//! Owns timers, the rules of [`Policy`], the application's queue and every draw;
//! estimators are pure and channels only answer questions. An exchange ends with the *earliest* reply
//! to any of its copies. The server de-duplicates: a copy that arrives again is answered again with the
//! stored reply (RFC 7252 §4.5), so every copy has a reply of its own and a late one finds its exchange
//! closed. At the same instant timers go before replies (a timeout equal to the round trip is early:
//! `rto::exchange::Tie`), replies before new requests (the place they free can be taken).

mod client;
mod driver;
mod event_queue;
mod fast;
mod host;
mod outcome;
mod running_median;
mod states;
mod steps;

pub(crate) use client::{Client, Timers};
pub(crate) use driver::{Driver, Pair};
pub(crate) use event_queue::EventQueue;
pub(crate) use fast::SingleClient;
pub use outcome::{Ending, ExchangeRun, Tally};
pub(crate) use running_median::RunningMedian;
pub use states::States;
pub(crate) use steps::{NoSteps, StepObserver};
pub use steps::{StepKind, Steps};

use crate::channel::{Channel, Met, Sent, Settled};
use crate::model::{Fate, NONE, Policy};
use base::{Cancelled, Instant, Span};
use client::Close;
use event_queue::Kind;
use host::Host;

/// Events between two calls of `report`. Chosen here by judgement: rare enough to cost nothing, often enough to stop
/// within milliseconds.
const REPORT_EVERY: u32 = 1_024;

/// Simulates `clients` together under `policy` until no event is left, or the next one is after `until`. Calls `report`
/// with the simulated time every [`REPORT_EVERY`] events; errs only when `report` does, which ends the simulation.
pub(crate) fn simulate<C: Channel + ?Sized, W: StepObserver>(
    clients: &mut [Client<'_>],
    policy: &Policy,
    channel: &mut C,
    observer: &mut W,
    heap: &mut EventQueue,
    until: Instant,
    report: &mut dyn FnMut(Instant) -> Result<(), Cancelled>,
) -> Result<(), Cancelled> {
    heap.clear(clients.len());
    for (client, at) in clients.iter_mut().zip(0_u32..) {
        if let Some((when, exchange)) = client.next_timed() {
            heap.push(when, at, exchange, Kind::Ready);
        }
    }
    let (mut hosts, whose) = Host::of(clients);
    let defers = channel.defers();
    let mut unreported = 0;
    loop {
        unreported += 1;
        if unreported == REPORT_EVERY {
            unreported = 0;
            report(heap.next())?;
        }
        if defers && let Some(settled) = channel.settle(heap.next().min(until)) {
            settle(clients, &settled, observer, heap);
            continue;
        }
        if heap.next() > until {
            break;
        }
        let Some(event) = heap.pop() else { break };
        let at = event.client as usize;
        let host = whose.get(at).and_then(|&host| hosts.get_mut(host));
        let (Some(client), Some(host)) = (clients.get_mut(at), host) else { continue };
        let mut step = Step { now: event.at, at: event.client, client, host, policy, channel, observer, heap };
        match event.kind {
            Kind::Timer { copy } => step.timer(event.exchange, copy),
            Kind::GiveUp => step.give_up(event.exchange),
            Kind::Reply { copy, rtt } => step.reply(event.exchange, copy, rtt),
            Kind::Ready => step.ready(event.exchange),
            Kind::Wake => step.wake(),
        }
    }
    for client in clients {
        client.finish();
    }
    Ok(())
}

/// Sets a deferred fate and schedules its reply. A channel that defers simulates all clients, in order of paths.
fn settle<W: StepObserver>(clients: &mut [Client<'_>], settled: &Settled, observer: &mut W, heap: &mut EventQueue) {
    let Settled { sent, met, aired } = settled;
    let Some(client) = clients.get_mut(sent.path as usize) else { return };
    let copy = u16::from(sent.attempt);
    let met = client.settle(sent, *met);
    client.air(sent, *aired);
    observer.settle(client, sent, met);
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
    observer: &'s mut W,
    heap: &'s mut EventQueue,
}

impl<C: Channel + ?Sized, W: StepObserver> Step<'_, '_, C, W> {
    /// The application has a request: it starts, waits in the queue, or is dropped where the queue is full.
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

    /// Schedules the next attempt to start a request that waits although a place is free: when its pacer allows it, or
    /// when an exchange ends.
    fn hold_back(&mut self) {
        if self.policy.joins_servers() {
            self.host.waits(self.at, self.client.waits_since());
        }
        if !self.client.is_waiting() || !self.client.has_place() {
            return;
        }
        self.client.hold(self.now);
        let earliest = self.client.earliest(self.now);
        if earliest > self.now && earliest < Instant::MAX && self.client.wakes_at(earliest) {
            self.heap.push(earliest, self.at, NONE, Kind::Wake);
        }
    }

    /// Opens an exchange and sends its first copy.
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
        self.observer.transmit(self.client, exchange, &sent, met, timeout);
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

    /// The timer of a copy expired: sends the next one, or gives up. A recorded copy may follow a closed exchange
    /// ([`Client::resends`]).
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
            self.observer.timeout(self.client, exchange, copy, self.now);
            self.close(exchange, place, Close::GivenUp);
        } else {
            self.client.on_timeout(place, self.now);
            self.observer.timeout(self.client, exchange, copy, self.now);
            self.transmit(exchange, Some(place));
        }
    }

    /// Gives up with the last copy, as senders do that do not wait after it.
    fn give_up(&mut self, exchange: u32) {
        if let Some(place) = self.client.place_of(exchange) {
            self.close(exchange, place, Close::GivenUp);
        }
    }

    /// A reply arrived: it closes its exchange, or is late. `copy`: the one that it answers, if that is known.
    fn reply(&mut self, exchange: u32, copy: Option<u16>, rtt: Span) {
        self.client.heard(copy.map(|_| rtt));
        match self.client.place_of(exchange) {
            Some(place) => self.close(exchange, place, Close::Reply { copy, rtt }),
            None => {
                self.client.late(exchange, self.now);
                self.observer.late(self.client, exchange, copy, self.now, rtt);
            }
        }
    }

    /// Ends an exchange and gives its place to requests that wait.
    fn close(&mut self, exchange: u32, place: usize, how: Close) {
        self.client.close(exchange, place, self.now, how);
        if !self.client.is_pinned() {
            self.heap.disarm(self.at, exchange);
        }
        self.observer.close(self.client, exchange, how, self.now);
        self.follow(exchange);
        self.client.turn_around(self.now);
        self.host.end();
        if self.policy.joins_servers() {
            self.host.learn(self.client.path, self.client.estimate(self.now));
            // A place at the node may be free: the request that waited longest goes first.
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
