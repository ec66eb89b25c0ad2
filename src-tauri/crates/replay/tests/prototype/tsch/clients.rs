//! Clients of the prototype: requests come by the clock, one is open at a time, a few wait.

use super::parameters::Parameters;
use crate::samples::Row;
use crate::timers::estimator;
use base::{Instant, Span, philox, unit};
use rto::exchange::{ClientExchange, Expiry};
use rto::{Dither, Estimator};
use std::collections::BTreeMap;
use twin::{Copy, Ending, Machine, NodeId, Settled, Simulation};

/// An answer is with its client this long after the start of its frame's cell here.
const HANDLED: Span = Span::from_micros(7_000);
/// A request that waited begins this long after the end before it.
const NEXT: Span = Span::from_micros(1_000);
/// Keys from here on are registrations.
const REGISTRATIONS: u64 = 1 << 32;

struct Client {
    node: NodeId,
    estimator: Box<dyn Estimator>,
    exchange: ClientExchange,
    arrival: Instant,
    waiting: usize,
    /// Number of the open exchange.
    open: Option<usize>,
}

struct Exchange {
    client: usize,
    start: Instant,
    kind: usize,
    copies: u32,
    /// Time to the answer.
    took: Option<Span>,
}

/// All clients of one replicate.
pub struct Clients<'p> {
    parameters: &'p Parameters,
    machine: Machine,
    replicate: u32,
    words: u32,
    clients: Vec<Client>,
    exchanges: Vec<Exchange>,
    /// Copies by key.
    copies: BTreeMap<u64, usize>,
}

impl<'p> Clients<'p> {
    pub fn new(parameters: &'p Parameters, timer: &str, replicate: u32) -> Self {
        let client = |&(node, arrival): &(NodeId, Instant)| {
            let (estimator, rules) = estimator(timer);
            Client { node, estimator, exchange: ClientExchange::new(rules), arrival, waiting: 0, open: None }
        };
        Self {
            machine: parameters.machine(),
            clients: parameters.first.iter().map(client).collect(),
            parameters,
            replicate,
            words: 0,
            exchanges: Vec::new(),
            copies: BTreeMap::new(),
        }
    }

    fn word(&mut self) -> u32 {
        self.words += 1;
        philox([self.words, 0, 0, 0], [self.replicate, 77])[0]
    }

    /// Simulates the whole time.
    pub fn run(mut self) -> Row {
        let machine = std::mem::replace(&mut self.machine, Parameters::machine(self.parameters));
        let mut simulation = Simulation::new(&machine, 9, self.replicate);
        for (number, &(node, at, _)) in self.parameters.registrations.iter().enumerate() {
            let (association, shape) = (self.parameters.association(node), self.parameters.registration_shape(number));
            simulation.send(at, Copy { association, shape, request: 0, key: REGISTRATIONS + number as u64 });
        }
        let last = self.parameters.first_cell + self.parameters.cell.scale(self.parameters.cells - 1, 1);
        loop {
            let due =
                |client: &Client| client.arrival.min(client.open.map_or(Instant::MAX, |_| client.exchange.deadline()));
            let (at, who) = (0..self.clients.len()).map(|who| (due(&self.clients[who]), who)).min().unwrap();
            if let Some(settled) = simulation.advance(at.min(last + HANDLED)) {
                self.settled(settled, &mut simulation);
            } else if at >= last {
                break;
            } else if self.clients[who].arrival == at {
                self.arrive(who, &mut simulation);
            } else {
                self.expire(at, who, &mut simulation);
            }
        }
        self.row(simulation.statistics().frames)
    }

    /// A request comes: it begins, waits, or is dropped.
    fn arrive(&mut self, who: usize, simulation: &mut Simulation<'_>) {
        let word = self.word();
        let gap = self.parameters.gaps[(unit(word) * self.parameters.gaps.len() as f64) as usize];
        let client = &mut self.clients[who];
        let now = client.arrival;
        client.arrival += gap;
        if client.open.is_none() {
            self.begin(now, who, simulation);
        } else if client.waiting < self.parameters.queued_requests {
            client.waiting += 1;
        }
    }

    fn begin(&mut self, now: Instant, who: usize, simulation: &mut Simulation<'_>) {
        let kinds = &self.parameters.kinds;
        let mut left = unit(self.word()) * kinds.iter().sum::<f64>();
        let mut kind = 0;
        while kind + 1 < kinds.len() && left >= kinds[kind] {
            left -= kinds[kind];
            kind += 1;
        }
        self.exchanges.push(Exchange { client: who, start: now, kind, copies: 0, took: None });
        let client = &mut self.clients[who];
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
        let (association, shape) =
            (self.parameters.association(client.node), self.parameters.shape(client.node, exchange.kind));
        let key = self.copies.len() as u64;
        self.copies.insert(key, number);
        simulation.send(now, Copy { association, shape, request: 0, key });
    }

    fn expire(&mut self, now: Instant, who: usize, simulation: &mut Simulation<'_>) {
        let client = &mut self.clients[who];
        match client.exchange.expired(now, &mut *client.estimator) {
            Expiry::Retransmit => self.transmit(now, who, simulation),
            Expiry::GaveUp => self.finish(now, who, simulation),
        }
    }

    fn settled(&mut self, settled: Settled, simulation: &mut Simulation<'_>) {
        let Some(&number) = self.copies.get(&settled.key).filter(|_| settled.ending == Ending::Answered) else {
            return;
        };
        let who = self.exchanges[number].client;
        let client = &mut self.clients[who];
        if client.open != Some(number) {
            return;
        }
        let (first, cell) = (self.parameters.first_cell, self.parameters.cell);
        let cells = (settled.at - first).nanos().div_euclid(cell.nanos());
        let now = first + cell.scale(cells, 1) + HANDLED;
        let _ = client.exchange.answered(now, None, &mut *client.estimator);
        self.exchanges[number].took = Some(now - self.exchanges[number].start);
        self.finish(now, who, simulation);
    }

    fn finish(&mut self, now: Instant, who: usize, simulation: &mut Simulation<'_>) {
        let client = &mut self.clients[who];
        client.open = None;
        if client.waiting > 0 {
            client.waiting -= 1;
            self.begin(now + NEXT, who, simulation);
        }
    }

    fn row(&self, frames: u64) -> Row {
        let mut took: Vec<f64> = self.exchanges.iter().filter_map(|exchange| Some(exchange.took?.secs_f64())).collect();
        took.sort_by(f64::total_cmp);
        let quantile = |p| replay::stats::quantile_sorted(&took, p).unwrap();
        let copies: u32 = self.exchanges.iter().map(|exchange| exchange.copies).sum();
        let count = self.exchanges.len() as f64;
        let mean = took.iter().sum::<f64>() / took.len() as f64;
        let row = [mean, quantile(0.5), quantile(0.95), (f64::from(copies) - count) / count, frames as f64];
        // The prototype prints them so: durations are whole cells in some files, and ties must stay ties.
        row.map(|value| (value * 1e4).round() / 1e4)
    }
}
