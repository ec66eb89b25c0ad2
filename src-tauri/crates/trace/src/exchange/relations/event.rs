//! Events that several clients report at once.

use crate::model::{Association, Exchange};
use base::{ExchangeId, Instant, Span};
use std::collections::VecDeque;

/// Requests of several clients that began together: all of them saw the same event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Burst {
    /// Start of the first request.
    pub at: Instant,
    /// The requests, in order of start; a client may have several.
    pub exchanges: Vec<ExchangeId>,
}

/// Longest time between the requests of one event: nodes notice one within milliseconds, and contend for the channel
/// for hundreds (IEEE 802.15.4-2020 6.2.5.1: CSMA gives up after some 40 ms, and retries).
const TOGETHER: Span = Span::from_millis(300);

/// Least share (numerator, denominator) of the clients that begin together in an event; at least three do.
/// Chosen here; `cargo test --release -p trace --test truth workload` scores the events that are found.
const SHARE: (usize, usize) = (1, 2);

/// Least ratio of the clients that begin together to the number expected by chance.
/// Chosen here; `cargo test --release -p trace --test truth workload` scores the events that are found.
const BY_CHANCE: usize = 4;

/// Finds the moments at which several clients begin together, much more often than their rates make likely. Exchanges
/// come in order of start.
pub(super) fn events(exchanges: &[Exchange], associations: &[Association]) -> Vec<Burst> {
    let least = (associations.len() * SHARE.0).div_ceil(SHARE.1).max(3);
    let span = match (exchanges.first(), exchanges.last()) {
        (Some(first), Some(last)) => last.start() - first.start(),
        _ => return Vec::new(),
    };
    // Expected in a window: exchanges × window / span.
    let (all, windows) = (exchanges.len(), usize::try_from(span.nanos() / TOGETHER.nanos()).unwrap_or(0));
    let many = |count: usize| count >= least && count * windows >= BY_CHANCE * all;
    if associations.len() < least || windows == 0 || !many(associations.len()) {
        return Vec::new();
    }
    let mut bursts: Vec<Burst> = Vec::new();
    // A window that ends with each exchange in turn; those in it, client by client.
    let mut from = 0;
    let mut window = Window::new(associations.len());
    for last in exchanges {
        window.enter(last);
        while let Some(first) = exchanges.get(from).filter(|first| last.start() - first.start() > TOGETHER) {
            from += 1;
            window.leave(first);
        }
        if !many(window.present) {
            continue;
        }
        let start = exchanges.get(from).map_or(last.start(), Exchange::start);
        match bursts.last_mut().filter(|burst| start - burst.at <= TOGETHER) {
            // The same one, still growing.
            Some(burst) => window.new_firsts(&mut burst.exchanges),
            None => bursts.push(Burst { at: start, exchanges: window.firsts() }),
        }
    }
    for burst in &mut bursts {
        burst.exchanges.sort_unstable();
        burst.exchanges.dedup();
    }
    bursts
}

/// The exchanges that began within [`TOGETHER`], by client.
struct Window {
    clients: Vec<Client>,
    /// Number of clients that have any.
    present: usize,
    /// Numbers of the clients whose first exchange changed since the last call of [`Self::new_firsts`], each once.
    changed: Vec<usize>,
}

/// Exchanges of one client in the window, in order of start.
#[derive(Clone, Default)]
struct Client {
    within: VecDeque<ExchangeId>,
    is_changed: bool,
}

impl Window {
    fn new(clients: usize) -> Self {
        Self { clients: vec![Client::default(); clients], present: 0, changed: Vec::new() }
    }

    fn enter(&mut self, exchange: &Exchange) {
        let at = exchange.association.index();
        let Some(client) = self.clients.get_mut(at) else { return };
        client.within.push_back(exchange.id);
        if client.within.len() == 1 {
            self.present += 1;
            self.change(at);
        }
    }

    /// Removes `exchange`, the oldest in the window.
    fn leave(&mut self, exchange: &Exchange) {
        let at = exchange.association.index();
        let Some(client) = self.clients.get_mut(at) else { return };
        client.within.pop_front();
        self.present -= usize::from(client.within.is_empty());
        self.change(at);
    }

    fn change(&mut self, at: usize) {
        if let Some(client) = self.clients.get_mut(at).filter(|client| !client.is_changed) {
            client.is_changed = true;
            self.changed.push(at);
        }
    }

    /// Returns the first exchange of each client.
    fn firsts(&mut self) -> Vec<ExchangeId> {
        self.new_firsts(&mut Vec::new());
        self.clients.iter().filter_map(|client| client.within.front().copied()).collect()
    }

    /// Appends the firsts that neither this nor [`Self::firsts`] has returned yet, and perhaps some that they have.
    fn new_firsts(&mut self, to: &mut Vec<ExchangeId>) {
        for at in self.changed.drain(..) {
            if let Some(client) = self.clients.get_mut(at) {
                client.is_changed = false;
                to.extend(client.within.front());
            }
        }
    }
}
