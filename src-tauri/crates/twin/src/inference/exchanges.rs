//! Facts from the messages of exchanges: ends, routes, frame lengths, processing time.

use super::air::{Air, AirFrame, Table};
use crate::model::{Ends, NodeId, Routes, Shape};
use base::{Cancelled, FrameId, Instant, MessageId, SharedProgress, Span};
use std::collections::BTreeSet;
use std::net::Ipv6Addr;
use trace::{Delivery, Endpoint, Exchange, Hop, MacAddr, Message, Trace};
use wire::coap::Type;

/// Facts about the network from the exchanges of a trace.
#[derive(Debug, Default)]
pub(super) struct Exchanges {
    /// Client and server, per association of the trace; `None` where their nodes are not known.
    pub ends: Vec<Option<Ends>>,
    /// Next hops of requests and answers, without outages.
    pub routes: Routes,
    /// Frame lengths, one entry per kind of exchange.
    pub shapes: Vec<Shape>,
    /// Position in `shapes`, per exchange of the trace.
    pub shape_of: Vec<u32>,
    /// Whether a frame carries a copy or an answer, so that the twin sends it; by frame of the capture.
    pub is_simulated: Vec<bool>,
    /// Shortest time from the arrival of a request at its server to the start of an answer; zero where none was seen.
    pub processing: Span,
    /// Number of datagrams followed: one per message of an exchange, copies and replies alike.
    pub datagrams: u64,
    /// Number of datagrams that appear at a node that nobody was seen to send them to.
    pub missing: u64,
    /// Number of missing datagrams, by the address of the node that they appear at.
    pub missing_at: Table<MacAddr, u64>,
}

/// Messages of one exchange by direction.
struct Messages<'a> {
    requests: Vec<&'a Message>,
    answers: Vec<&'a Message>,
}

impl Exchanges {
    /// Reads the exchanges of `trace`.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks.
    pub fn of(trace: &Trace, air: &Air, progress: &SharedProgress<'_>) -> Result<Self, Cancelled> {
        let mut all = Self { is_simulated: vec![false; trace.capture.frames.len()], ..Self::default() };
        all.ends = ends(trace, air, progress)?;
        let mut hops: Vec<(Instant, NodeId, NodeId, NodeId)> = Vec::new();
        let mut shapes: Table<Kind, u32> = Table::new();
        let mut lengths: Vec<Lengths> = Vec::new();
        let mut processing = Span::MAX;
        for exchange in &trace.exchanges {
            progress.ask()?;
            let Messages { requests, answers } = messages(trace, exchange);
            let ends = all.ends.get(exchange.association.index()).copied().flatten();
            for (message, is_answer) in requests.iter().map(|m| (m, false)).chain(answers.iter().map(|m| (m, true))) {
                all.follow(air, message, ends.map(|e| if is_answer { e.client } else { e.server }), &mut hops);
            }
            processing = processing.min(served(&requests, &answers).unwrap_or(Span::MAX));
            let own = Lengths::of(trace, air, &requests, &answers);
            let key = (ends.map(|e| (e.client, e.server)), own.origin(false), own.origin(true));
            let number = *shapes.entry(key).or_insert_with(|| {
                lengths.push(Lengths::default());
                lengths.len() as u32 - 1
            });
            if let Some(kind) = lengths.get_mut(number as usize) {
                kind.merge(own);
            }
            all.shape_of.push(number);
        }
        all.answers_too_late(trace, progress)?;
        all.routes = Routes::new(hops);
        all.shapes = lengths.into_iter().map(Lengths::shape).collect();
        all.fill_shapes(trace);
        all.processing = if processing == Span::MAX { Span::ZERO } else { processing.max(Span::ZERO) };
        Ok(all)
    }

    /// Returns whether `frame` carries a copy or an answer, so that the twin sends it.
    pub fn has(&self, frame: &AirFrame) -> bool {
        self.is_simulated.get(frame.id.index()).copied().unwrap_or(false)
    }

    /// Marks the frames of answers that came so late that their exchange no longer counts them (EXCHANGE_LIFETIME, RFC
    /// 7252 §4.8.2: 247 s): copies that wait in a storm for longer are answered all the same, and so they are in the
    /// twin.
    fn answers_too_late(&mut self, trace: &Trace, progress: &SharedProgress<'_>) -> Result<(), Cancelled> {
        let mut sent: BTreeSet<(Endpoint, Endpoint, u16)> = BTreeSet::new();
        for exchange in &trace.exchanges {
            progress.ask()?;
            if let Some(association) = trace.associations.get(exchange.association.index()) {
                sent.insert((association.client, association.server, exchange.mid));
            }
        }
        for (message, number) in trace.messages.iter().zip(0_usize..) {
            progress.ask_at(number)?;
            if matches!(message.kind, Type::Ack | Type::Rst)
                && sent.contains(&(message.dst(), message.src(), message.mid))
            {
                self.own(message);
            }
        }
        Ok(())
    }

    /// Marks the frames of `message` as such that the twin sends.
    fn own(&mut self, message: &Message) {
        for frame in message.hops().flat_map(|hop| hop.frames) {
            if let Some(slot) = self.is_simulated.get_mut(frame.index()) {
                *slot = true;
            }
        }
    }

    /// Follows `message` over its hops: routes, gaps, and which frames it owns.
    fn follow(
        &mut self,
        air: &Air,
        message: &Message,
        destination: Option<NodeId>,
        hops: &mut Vec<(Instant, NodeId, NodeId, NodeId)>,
    ) {
        self.datagrams += 1;
        if let Some(hop) = message.hops().next().filter(|_| !message.from_origin) {
            self.missing += 1;
            *self.missing_at.entry(hop.src()).or_default() += 1;
        }
        self.own(message);
        for hop in message.hops() {
            if let (Some(from), Some(to), Some(destination)) = (air.node(hop.src()), air.node(hop.dst()), destination) {
                hops.push((hop.sent, from, destination, to));
            }
        }
    }

    /// Exchanges whose answer was never seen whole have the answer of the commonest shape with the same request.
    fn fill_shapes(&mut self, trace: &Trace) {
        let mut uses: Table<(usize, Vec<u16>), Table<u32, u64>> = Table::new();
        let request = |shape: &Shape| shape.request.first().map(|(_, lengths)| lengths.clone()).unwrap_or_default();
        for (exchange, &number) in trace.exchanges.iter().zip(&self.shape_of) {
            if let Some(shape) = self.shapes.get(number as usize).filter(|shape| !shape.answer.is_empty()) {
                let key = (exchange.association.index(), request(shape));
                *uses.entry(key).or_default().entry(number).or_default() += 1;
            }
        }
        let commonest = |list: &Table<u32, u64>| list.iter().max_by_key(|(_, uses)| **uses).map(|(number, _)| *number);
        for (exchange, number) in trace.exchanges.iter().zip(&mut self.shape_of) {
            let Some(shape) = self.shapes.get(*number as usize).filter(|shape| shape.answer.is_empty()) else {
                continue;
            };
            let same = uses.get(&(exchange.association.index(), request(shape)));
            let of_association = || {
                let own = uses.iter().filter(|((association, _), _)| *association == exchange.association.index());
                own.filter_map(|(_, list)| Some((commonest(list)?, list.values().sum::<u64>()))).max_by_key(|n| n.1)
            };
            if let Some(other) = same.and_then(commonest).or_else(|| of_association().map(|n| n.0)) {
                *number = other;
            }
        }
    }
}

/// Kind of an exchange: its client and server, and the frame lengths of request and answer where they begin.
type Kind = (Option<(NodeId, NodeId)>, Vec<u16>, Vec<u16>);

/// Frame lengths at every node, fullest set of fragments first.
#[derive(Default)]
struct Lengths {
    request: Table<NodeId, Vec<u16>>,
    answer: Table<NodeId, Vec<u16>>,
    origins: [Option<NodeId>; 2],
}

impl Lengths {
    fn of(trace: &Trace, air: &Air, requests: &[&Message], answers: &[&Message]) -> Self {
        let mut all = Self::default();
        for (messages, is_answer) in [(requests, false), (answers, true)] {
            for (hop, first) in
                messages.iter().flat_map(|m| m.hops().enumerate().map(|(i, hop)| (hop, i == 0 && m.from_origin)))
            {
                let Some(node) = air.node(hop.src()) else { continue };
                if first {
                    all.origins[usize::from(is_answer)].get_or_insert(node);
                }
                let own = fragments(trace, air, &hop);
                let side = if is_answer { &mut all.answer } else { &mut all.request };
                let known = side.entry(node).or_default();
                if own.len() > known.len() {
                    *known = own;
                }
            }
        }
        all
    }

    /// Lengths at the node where the datagram began.
    fn origin(&self, is_answer: bool) -> Vec<u16> {
        let side = if is_answer { &self.answer } else { &self.request };
        self.origins[usize::from(is_answer)].and_then(|node| side.get(&node)).cloned().unwrap_or_default()
    }

    fn merge(&mut self, other: Self) {
        for (own, others) in [(&mut self.request, other.request), (&mut self.answer, other.answer)] {
            for (node, lengths) in others {
                let known = own.entry(node).or_default();
                if lengths.len() > known.len() {
                    *known = lengths;
                }
            }
        }
        for (own, other) in self.origins.iter_mut().zip(other.origins) {
            *own = own.or(other);
        }
    }

    /// The shape, the origin of each direction first.
    fn shape(self) -> Shape {
        let [request, answer] = self.origins;
        let side = |lengths: Table<NodeId, Vec<u16>>, origin: Option<NodeId>| {
            let mut list: Vec<(NodeId, Vec<u16>)> = lengths.into_iter().collect();
            list.sort_by_key(|(node, _)| (Some(*node) != origin, *node));
            list
        };
        Shape { request: side(self.request, request), answer: side(self.answer, answer) }
    }
}

/// Lengths of the different frames of a hop, retries left out.
fn fragments(trace: &Trace, air: &Air, hop: &Hop<'_>) -> Vec<u16> {
    let mut seen: Vec<(Option<u8>, FrameId)> = Vec::new();
    let mut lengths = Vec::new();
    for &id in hop.frames {
        let Some(frame) = air.place_of(id).and_then(|at| air.frame(at)) else { continue };
        let octets = |id: FrameId| trace.capture.frames.get(id.index()).map(|f| trace.capture.octets_of(f));
        if seen.iter().any(|&(seq, other)| seq == frame.seq && octets(other) == octets(id)) {
            continue;
        }
        seen.push((frame.seq, id));
        lengths.push(frame.octets);
    }
    lengths
}

fn messages<'a>(trace: &'a Trace, exchange: &Exchange) -> Messages<'a> {
    let of = |id: MessageId| trace.messages.get(id.index());
    Messages {
        requests: exchange.copies.iter().filter_map(|copy| of(copy.message)).collect(),
        answers: exchange.replies.iter().filter_map(|reply| of(reply.message)).collect(),
    }
}

/// Nodes of every association: the one at which most of its requests begin, and the one at which most answers of its
/// server begin, whoever asked. Where the server never answered it is the node that most requests came to last: in a
/// storm most may end on their way.
fn ends(trace: &Trace, air: &Air, progress: &SharedProgress<'_>) -> Result<Vec<Option<Ends>>, Cancelled> {
    let mut clients = vec![Votes::default(); trace.associations.len()];
    let mut reached = clients.clone();
    let mut servers: Table<Ipv6Addr, Votes> = Table::new();
    for exchange in &trace.exchanges {
        progress.ask()?;
        let number = exchange.association.index();
        let places = (clients.get_mut(number), reached.get_mut(number), trace.associations.get(number));
        let (Some(client), Some(reached), Some(association)) = places else { continue };
        let Messages { requests, answers } = messages(trace, exchange);
        for request in requests {
            let (from, to) = outer_nodes(air, request);
            client.add(from);
            reached.add(to);
        }
        let server = servers.entry(association.server.addr).or_default();
        answers.into_iter().for_each(|answer| server.add(outer_nodes(air, answer).0));
    }
    let ends = trace.associations.iter().zip(clients).zip(reached).map(|((association, client), reached)| {
        let client = client.winner(None)?;
        let server = servers.get(&association.server.addr).and_then(|votes| votes.winner(Some(client)));
        Some(Ends { client, server: server.or_else(|| reached.winner(Some(client)))? })
    });
    Ok(ends.collect())
}

/// Numbers of messages that speak for each node.
#[derive(Clone, Debug, Default)]
struct Votes(Table<NodeId, u64>);

impl Votes {
    fn add(&mut self, node: Option<NodeId>) {
        if let Some(node) = node {
            *self.0.entry(node).or_default() += 1;
        }
    }

    /// Returns the node with most of them, other than `not`.
    fn winner(&self, not: Option<NodeId>) -> Option<NodeId> {
        let others = self.0.iter().filter(|(node, _)| Some(**node) != not);
        others.max_by_key(|(_, count)| **count).map(|(node, _)| *node)
    }
}

/// Node where a message began, and node that got it, as far as both were seen.
fn outer_nodes(air: &Air, message: &Message) -> (Option<NodeId>, Option<NodeId>) {
    let from = message.hops().next().filter(|_| message.from_origin).and_then(|hop| air.node(hop.src()));
    let last = message.hops().next_back().filter(|hop| hop.delivery == Delivery::Yes);
    (from, last.and_then(|hop| air.node(hop.dst())))
}

/// Shortest time from the arrival of a request to the start of an answer after it.
fn served(requests: &[&Message], answers: &[&Message]) -> Option<Span> {
    let arrivals: Vec<Instant> = requests.iter().filter_map(|m| m.delivered()).collect();
    let times = answers.iter().filter_map(|answer| {
        let before = arrivals.iter().filter(|&&arrival| arrival <= answer.at).max()?;
        Some(answer.at - *before)
    });
    times.min()
}
