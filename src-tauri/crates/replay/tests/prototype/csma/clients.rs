//! Clients of the CSMA prototype, over the twin's simulation.

use super::parameters::Parameters;
use crate::samples::Row;
use crate::timers::estimator;
use base::{Instant, Span, philox};
use rto::exchange::{ClientExchange, Expiry};
use rto::{Dither, Estimator};
use std::collections::VecDeque;
use twin::{Copy, Ending, Machine, Mechanism, NodeId, Settled, Simulation};

/// A request that waited, or comes back to back, begins this long after the end before it.
const NEXT: Span = Span::from_millis(2);

struct Client {
    node: NodeId,
    estimator: Box<dyn Estimator>,
    exchange: ClientExchange,
    /// Requests that are still to come.
    coming: VecDeque<(Instant, u32)>,
    waiting: VecDeque<u32>,
    /// Begins the next one then.
    next: Instant,
    open: Option<usize>,
    begun: usize,
}

struct Exchange {
    client: usize,
    start: Instant,
    shape: u32,
    copies: u32,
    took: Option<Span>,
}

/// All clients of one replicate.
pub struct Clients<'p> {
    parameters: &'p Parameters,
    replicate: u32,
    words: u32,
    clients: Vec<Client>,
    exchanges: Vec<Exchange>,
    copies: Vec<usize>,
}

impl<'p> Clients<'p> {
    pub fn new(parameters: &'p Parameters, timer: &str, replicate: u32) -> Self {
        let client = |(&node, requests): (&NodeId, &Vec<(Instant, u32)>)| {
            let (estimator, rules) = estimator(timer);
            let coming: VecDeque<(Instant, u32)> = requests.iter().copied().collect();
            let exchange = ClientExchange::new(rules);
            let next = if parameters.is_back_to_back { coming[0].0 } else { Instant::MAX };
            Client { node, estimator, exchange, coming, waiting: VecDeque::new(), next, open: None, begun: 0 }
        };
        let clients = parameters.requests.iter().map(client).collect();
        Self { parameters, replicate, words: 0, clients, exchanges: Vec::new(), copies: Vec::new() }
    }

    fn word(&mut self) -> u32 {
        self.words += 1;
        philox([self.words, 0, 0, 0], [self.replicate, 78])[0]
    }

    /// Simulates the whole time.
    pub fn run(mut self, machine: &Machine, without: &[Mechanism]) -> Row {
        let mut simulation = Simulation::new(machine, 9, self.replicate).without(without);
        let is_driven = self.parameters.is_back_to_back;
        loop {
            let ready = |client: &Client| match client.coming.front() {
                Some(&(at, _)) if !is_driven => at,
                _ => Instant::MAX,
            };
            let due = |client: &Client| {
                let expiry = client.open.map_or(Instant::MAX, |_| client.exchange.deadline());
                ready(client).min(expiry).min(client.next)
            };
            let (at, who) = (0..self.clients.len()).map(|who| (due(&self.clients[who]), who)).min().unwrap();
            if let Some(settled) = simulation.advance(at.min(self.parameters.until)) {
                self.settled(settled);
                continue;
            }
            if at > self.parameters.until {
                break;
            }
            let client = &mut self.clients[who];
            if client.next == at {
                client.next = Instant::MAX;
                let shape = if is_driven {
                    let all = &self.parameters.requests[&client.node];
                    Some(all[client.begun % all.len()].1)
                } else {
                    client.waiting.pop_front()
                };
                if let Some(shape) = shape.filter(|_| self.clients[who].open.is_none()) {
                    self.begin(at, who, shape, &mut simulation);
                }
            } else if ready(client) == at {
                let (_, shape) = client.coming.pop_front().unwrap();
                if client.open.is_none() && client.waiting.is_empty() {
                    self.begin(at, who, shape, &mut simulation);
                } else if client.waiting.len() < self.parameters.waiting_requests {
                    client.waiting.push_back(shape);
                }
            } else {
                match client.exchange.expired(at, &mut *client.estimator) {
                    Expiry::Retransmit => self.transmit(at, who, &mut simulation),
                    Expiry::GaveUp => self.finish(at, who),
                }
            }
        }
        self.row(simulation.statistics().frames)
    }

    fn begin(&mut self, now: Instant, who: usize, shape: u32, simulation: &mut Simulation<'_>) {
        self.exchanges.push(Exchange { client: who, start: now, shape, copies: 0, took: None });
        let client = &mut self.clients[who];
        client.begun += 1;
        client.open = Some(self.exchanges.len() - 1);
        client.exchange.restart(0);
        self.transmit(now, who, simulation);
    }

    fn transmit(&mut self, now: Instant, who: usize, simulation: &mut Simulation<'_>) {
        let dither = Dither(self.word());
        let client = &mut self.clients[who];
        client.exchange.transmit(now, &mut *client.estimator, dither);
        let number = client.open.unwrap();
        let exchange = &mut self.exchanges[number];
        exchange.copies += 1;
        let copy = Copy {
            association: u32::from(client.node),
            shape: exchange.shape,
            request: number as u32,
            key: self.copies.len() as u64,
        };
        self.copies.push(number);
        simulation.send(now, copy);
    }

    fn settled(&mut self, settled: Settled) {
        let number = self.copies[usize::try_from(settled.key).unwrap()];
        let who = self.exchanges[number].client;
        let client = &mut self.clients[who];
        if settled.ending == Ending::Answered && client.open == Some(number) {
            let _ = client.exchange.answered(settled.at, None, &mut *client.estimator);
            self.exchanges[number].took = Some(settled.at - self.exchanges[number].start);
            self.finish(settled.at, who);
        }
    }

    fn finish(&mut self, now: Instant, who: usize) {
        let client = &mut self.clients[who];
        client.open = None;
        client.next = now + NEXT;
    }

    fn row(&self, frames: u64) -> Row {
        let mut took: Vec<f64> = self.exchanges.iter().filter_map(|exchange| Some(exchange.took?.secs_f64())).collect();
        took.sort_by(f64::total_cmp);
        let quantile = |p| replay::stats::quantile_sorted(&took, p).unwrap();
        let copies: u32 = self.exchanges.iter().map(|exchange| exchange.copies).sum();
        let count = self.exchanges.len() as f64;
        let mean = took.iter().sum::<f64>() / took.len() as f64;
        [mean, quantile(0.5), quantile(0.95), (f64::from(copies) - count) / count, frames as f64]
    }
}
