//! Clients behind one node that serves the copies and replies of all, one after the other: simulated event by event.
//! Independent of the engine, and of how it models a queue.

use super::{association, noise};
use base::{ExchangeId, Instant, Span};
use replay::{AssociationRecord, CopyRecord, ExchangeRecord, Fate, Outcome, Record, Workload};
use rto::{Dither, Estimator, Flight};
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// The node, and what is beyond it.
#[derive(Clone, Copy, Debug)]
pub struct Bottleneck {
    pub seed: u64,
    /// Time that a message takes.
    pub service: Span,
    /// Most messages inside.
    pub room: usize,
    /// From the node to either end.
    pub delay: Span,
    /// Shares of requests and of replies that are lost after they were served.
    pub loss: [f64; 2],
    /// An observer sees which of request and reply was lost.
    pub tells: bool,
    /// Time that a client takes from the end of an exchange to the next request that waits.
    pub turnaround: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum What {
    /// The node is done with its message.
    Served,
    /// The reply to a copy comes to the node.
    Comes(usize, usize, usize),
    /// The message is in.
    In(usize, usize, usize),
    /// A copy's timer fires.
    Timer(usize, usize, usize),
    /// A client wants to send.
    Wants(usize),
}

struct Client {
    requests: Vec<Instant>,
    done: Vec<ExchangeRecord>,
    open: Option<(Flight, bool)>,
    estimator: Box<dyn Estimator>,
}

/// A message inside: whose, which exchange and copy, whether a reply.
type Message = (usize, usize, usize, bool);

struct Run {
    bottleneck: Bottleneck,
    clients: Vec<Client>,
    events: BinaryHeap<Reverse<(Instant, u64, What)>>,
    count: u64,
    inside: VecDeque<Message>,
    marks: bool,
    dither: u64,
    /// Most messages inside, and dropped ones.
    pub most: usize,
    pub dropped: usize,
}

impl Bottleneck {
    /// The record of `clients` with `algorithm`, each with its own `requests`, one open at a time; and the number of
    /// dropped messages. `dither` sets runs of the same world apart.
    pub fn run(&self, algorithm: &str, requests: &[Vec<Instant>], dither: u64) -> (Record, usize) {
        let spec = rto::spec(algorithm).unwrap();
        let client = |requests: &Vec<Instant>| Client {
            requests: requests.clone(),
            done: Vec::new(),
            open: None,
            estimator: rto::build(algorithm, &Value::Null).unwrap(),
        };
        let mut run = Run {
            bottleneck: *self,
            clients: requests.iter().map(client).collect(),
            events: BinaryHeap::new(),
            count: 0,
            inside: VecDeque::new(),
            marks: spec.marks_attempts,
            dither,
            most: 0,
            dropped: 0,
        };
        for client in 0..requests.len() {
            run.wants(client, Instant::MIN);
        }
        while let Some(Reverse((now, _, what))) = run.events.pop() {
            run.step(now, what);
        }
        let associations: Vec<AssociationRecord> =
            (0..).zip(run.clients).map(|(i, c)| association(i, Workload::Arrivals, c.done)).collect();
        (Record::new(associations, None), run.dropped)
    }
}

impl Run {
    fn at(&mut self, when: Instant, what: What) {
        self.count += 1;
        self.events.push(Reverse((when, self.count, what)));
    }

    fn uniform(&self, client: usize, now: Instant, reply: bool) -> f64 {
        // Same rule as in [`super::Sojourns`]: a copy that is sent a little sooner or later is the same copy.
        let place = now.nanos().div_euclid(50_000_000) as u64;
        noise(
            self.bottleneck.seed
                ^ ((client as u64) << 48)
                ^ (u64::from(reply) << 60)
                ^ place.wrapping_mul(0x5851_F42D_4C95_7F2D),
        )
    }

    fn wants(&mut self, client: usize, free: Instant) {
        let next = self.clients[client].requests.get(self.clients[client].done.len()).copied();
        if let Some(next) = next {
            let taken_up = if next < free { free + self.bottleneck.turnaround } else { next };
            self.at(taken_up, What::Wants(client));
        }
    }

    fn comes(&mut self, now: Instant, message: Message) {
        if self.inside.len() >= self.bottleneck.room {
            self.dropped += 1;
            return;
        }
        self.inside.push_back(message);
        self.most = self.most.max(self.inside.len());
        if self.inside.len() == 1 {
            self.at(now + self.bottleneck.service, What::Served);
        }
    }

    fn send(&mut self, client: usize, now: Instant) {
        let exchange = self.clients[client].done.len() - 1;
        let copy = self.clients[client].done[exchange].copies.len();
        let dither = noise(
            self.dither << 40 ^ (client as u64) << 32 ^ (exchange as u64) << 8 ^ copy as u64 ^ self.bottleneck.seed,
        );
        let c = &mut self.clients[client];
        let (flight, _) = c.open.as_mut().unwrap();
        let timeout = flight.transmit(now, &mut *c.estimator, Dither::from_f64(dither));
        // Lost until a reply says otherwise.
        let fate = if self.bottleneck.tells { Fate::RequestLost } else { Fate::Lost };
        c.done[exchange].copies.push(CopyRecord { sent: now, fate, proven: true });
        self.at(now + timeout, What::Timer(client, exchange, copy));
        self.comes(now, (client, exchange, copy, false));
    }

    fn close(&mut self, client: usize, now: Instant, copy: Option<usize>) {
        let marks = self.marks;
        let c = &mut self.clients[client];
        let (flight, _) = c.open.take().unwrap();
        match copy {
            Some(copy) => c.estimator.on_ack(now, &flight, flight.sample(now, marks.then_some(copy as u8))),
            None => c.estimator.on_abandon(now, &flight),
        }
        let e = c.done.last_mut().unwrap();
        (e.outcome, e.end) = if copy.is_some() { (Outcome::Closed, Some(now)) } else { (Outcome::Abandoned, None) };
        self.wants(client, now);
    }

    fn step(&mut self, now: Instant, what: What) {
        match what {
            What::Wants(client) => {
                let c = &mut self.clients[client];
                let ready = c.requests[c.done.len()];
                c.done.push(ExchangeRecord {
                    id: ExchangeId((client * 10_000 + c.done.len()) as u32),
                    ready: Some(ready),
                    copies: Vec::new().into(),
                    outcome: Outcome::Open,
                    end: None,
                    payload: 10,
                });
                c.open = Some((Flight::new(0), true));
                self.send(client, now);
            }
            What::Served => {
                let (client, exchange, copy, reply) = self.inside.pop_front().unwrap();
                if !self.inside.is_empty() {
                    self.at(now + self.bottleneck.service, What::Served);
                }
                if self.uniform(client, now, reply) < self.bottleneck.loss[usize::from(reply)] {
                    return;
                }
                let delay = self.bottleneck.delay;
                if reply {
                    self.at(now + delay, What::In(client, exchange, copy));
                } else {
                    if self.bottleneck.tells {
                        self.clients[client].done[exchange].copies[copy].fate = Fate::ReplyLost;
                    }
                    self.at(now + delay, What::Comes(client, exchange, copy));
                }
            }
            What::Comes(client, exchange, copy) => self.comes(now, (client, exchange, copy, true)),
            What::In(client, exchange, copy) => {
                let c = &mut self.clients[client];
                let open = c.open.is_some() && c.done.len() == exchange + 1;
                let copy_of = &mut c.done[exchange].copies[copy];
                copy_of.fate = Fate::Answered { rtt: now - copy_of.sent };
                if open {
                    self.close(client, now, Some(copy));
                }
            }
            What::Timer(client, exchange, copy) => {
                let c = &mut self.clients[client];
                if c.open.is_none() || c.done.len() != exchange + 1 || c.done[exchange].copies.len() != copy + 1 {
                    return;
                }
                if copy == 4 {
                    self.close(client, now, None);
                } else {
                    let (flight, _) = c.open.as_ref().unwrap();
                    c.estimator.on_timeout(now, flight);
                    self.send(client, now);
                }
            }
        }
    }
}
