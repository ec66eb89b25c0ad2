//! Clients of a planted network: requests come by the clock, one is open at a time, a few wait.

use super::build::Dice;
use base::{Instant, Span};
use rto::exchange::{ClientExchange, Expiry, SenderRules};
use rto::{Dither, Estimator};
use serde_json::Value;
use std::collections::VecDeque;
use twin::{Copy, Ending, Machine, Settled, SimulatedFrame, Simulation};

/// A request that waited begins this long after the end before it.
const NEXT: Span = Span::from_millis(2);
/// Requests that wait at a client; more are dropped (as in the applications of `shared/cooja`).
const WAITING: usize = 8;

/// Times at which a client wants to send.
#[derive(Clone, Debug)]
pub struct Arrivals {
    /// Mean time between requests.
    pub gap: Span,
    /// First and last moment.
    pub window: (Instant, Instant),
}

struct Client {
    estimator: Box<dyn Estimator>,
    exchange: ClientExchange,
    arrivals: Arrivals,
    /// The next request comes then.
    coming: Instant,
    waiting: VecDeque<Instant>,
    /// A request that waited begins then.
    next: Option<Instant>,
    /// Request that is open.
    open: Option<u32>,
    begun: u32,
}

/// All clients of one run, one for each association, or several that share one: together they have as many requests
/// open at once.
pub struct Clients {
    clients: Vec<Client>,
    associations: usize,
    /// Client and request by the key of a copy.
    copies: Vec<(usize, u32)>,
    dice: Dice,
}

impl Clients {
    pub fn new(timer: &str, arrivals: &[Arrivals], case: u32) -> Self {
        let mut dice = Dice::new(211, case);
        let client = |arrivals: &Arrivals| Client {
            estimator: rto::build(timer, &Value::Null).unwrap(),
            exchange: ClientExchange::new(SenderRules::of(rto::spec(timer).unwrap())),
            coming: arrivals.window.0 + part(arrivals.gap, dice.unit()),
            arrivals: arrivals.clone(),
            waiting: VecDeque::new(),
            next: None,
            open: None,
            begun: 0,
        };
        let clients: Vec<Client> = arrivals.iter().map(client).collect();
        Self { associations: clients.len(), clients, copies: Vec::new(), dice }
    }

    /// Shares `associations` associations among the clients, in turns.
    #[allow(dead_code, reason = "one test of two uses it")]
    pub fn sharing(self, associations: usize) -> Self {
        Self { associations, ..self }
    }

    /// Simulates `machine` until `until`, and returns the frames.
    pub fn run(&mut self, machine: &Machine, seed: u64, until: Instant) -> Vec<SimulatedFrame> {
        let mut simulation = Simulation::new(machine, seed, 0).with_log();
        loop {
            let due = self.clients.iter().map(Client::due).enumerate().min_by_key(|&(who, at)| (at, who));
            let (who, at) = due.unwrap_or((0, Instant::MAX));
            if let Some(settled) = simulation.advance(at.min(until)) {
                self.settle(settled);
            } else if at >= until {
                return simulation.take_log();
            } else {
                self.act(who, at, &mut simulation);
            }
        }
    }

    /// Message ID of a copy: requests of a client count from a number of its own.
    pub fn message_id(&self, key: u64) -> u16 {
        let (who, request) = self.copies[key as usize];
        (who as u16).wrapping_mul(7_919).wrapping_add(request as u16)
    }

    fn act(&mut self, who: usize, at: Instant, simulation: &mut Simulation<'_>) {
        let client = &mut self.clients[who];
        if client.next == Some(at) {
            client.next = None;
            if client.waiting.pop_front().is_some() {
                self.begin(who, at, simulation);
            }
        } else if client.coming == at {
            // Between half and one and a half of the usual gap.
            client.coming = at + part(client.arrivals.gap, 0.5 + self.dice.unit());
            if client.coming > client.arrivals.window.1 {
                client.coming = Instant::MAX;
            }
            if client.open.is_none() && client.next.is_none() {
                self.begin(who, at, simulation);
            } else if client.waiting.len() < WAITING {
                client.waiting.push_back(at);
            }
        } else {
            match client.exchange.expired(at, &mut *client.estimator) {
                Expiry::Retransmit => self.transmit(who, at, simulation),
                Expiry::GaveUp => client.finish(at),
            }
        }
    }

    fn begin(&mut self, who: usize, at: Instant, simulation: &mut Simulation<'_>) {
        let client = &mut self.clients[who];
        client.open = Some(client.begun);
        client.begun += 1;
        client.exchange.restart(0);
        self.transmit(who, at, simulation);
    }

    fn transmit(&mut self, who: usize, at: Instant, simulation: &mut Simulation<'_>) {
        let dither = Dither(self.dice.word());
        let client = &mut self.clients[who];
        client.exchange.transmit(at, &mut *client.estimator, dither);
        let request = client.open.unwrap();
        let key = self.copies.len() as u64;
        self.copies.push((who, request));
        let association = (who % self.associations) as u32;
        simulation.send(at, Copy { association, shape: 0, request, key });
    }

    fn settle(&mut self, settled: Settled) {
        let (who, request) = self.copies[settled.key as usize];
        let client = &mut self.clients[who];
        if settled.ending == Ending::Answered && client.open == Some(request) {
            let _ = client.exchange.answered(settled.at, None, &mut *client.estimator);
            client.finish(settled.at);
        }
    }
}

impl Client {
    /// Time at which it has something to do.
    fn due(&self) -> Instant {
        let expires = self.open.map_or(Instant::MAX, |_| self.exchange.deadline());
        self.coming.min(self.next.unwrap_or(Instant::MAX)).min(expires)
    }

    fn finish(&mut self, at: Instant) {
        self.open = None;
        self.next = (!self.waiting.is_empty()).then_some(at + NEXT);
    }
}

/// A part of a time.
fn part(whole: Span, share: f64) -> Span {
    whole.scale((share * 1e6) as i64, 1_000_000)
}
