//! Vantage: what a capture could see of an association, and what follows for times at the client.

use crate::decode::link::Lacks;
use crate::model::{Association, Correction, Delivery, Exchange, Message, Vantage, message_at};
use base::{Instant, Span};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::net::Ipv6Addr;
use wire::ieee802154::MacAddr;

/// Facts of an association's exchanges before their outcomes are known.
pub(crate) struct Survey {
    pub view: View,
    /// The vantage was given.
    pub given: bool,
    /// Link-layer hops from client to server: the commonest number among copies that arrived.
    pub hops: Option<u8>,
    /// Most exchanges open at once.
    pub nstart: u8,
    /// Most copies of one exchange.
    pub most_copies: usize,
    /// Some reply carries the retransmission-count option.
    pub echoed: bool,
}

/// Visibility of an association in the capture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    pub vantage: Vantage,
    pub correction: Correction,
    /// True where no frame within sight is missing.
    pub complete: bool,
    /// The share of the frames within sight that is missing.
    pub missing: f64,
    /// There are link-layer hops.
    pub on_links: bool,
    /// Time that a hop takes.
    pub per_hop: Option<PerHop>,
}

/// When a reply reached the client.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Expected {
    pub at: Instant,
    /// It did; else it would have, then, if it was not lost on the way.
    pub sure: bool,
    /// It was seen on its last hop: only that may have been in vain.
    pub near: bool,
}

impl Expected {
    /// Returns whether a copy was sent after the reply would have arrived: then it did not. `error`: of the client's times.
    pub fn is_disproved(self, exchange: &Exchange, error: Span) -> bool {
        !self.sure && exchange.copies.iter().any(|c| c.sent > self.at + error)
    }
}

impl View {
    /// Returns whether the capture has all that the client sends and gets.
    pub fn is_whole(&self) -> bool {
        self.complete && matches!(self.vantage, Vantage::Client | Vantage::Everywhere)
    }

    /// Every hop was followed.
    pub fn follows_hops(&self) -> bool {
        self.vantage == Vantage::Everywhere && self.on_links
    }

    /// Requests are seen where they arrive, and replies where they leave.
    pub fn sees_server(&self) -> bool {
        matches!(self.vantage, Vantage::Server | Vantage::Everywhere)
    }

    /// Returns whether the hops of `message` follow each other as quickly as hops do here: else those of another message may be
    /// among them, whose own first hops are not in the capture.
    pub fn is_continuous(&self, message: &Message) -> bool {
        let usual = self.per_hop.map_or(Span::MAX, PerHop::usual);
        message.pairs().all(|(before, after)| after.sent - before.sent <= usual)
    }

    /// Returns the time when `reply` reached the client, or would have: not before `start`, when the first copy was sent.
    pub fn expected_after(&self, start: Instant, reply: &Message) -> Option<Expected> {
        self.expected(reply).map(|expected| Expected { at: expected.at.max(start), ..expected })
    }

    /// Returns the time when `reply` reached the client, or would have.
    pub fn expected(&self, reply: &Message) -> Option<Expected> {
        if let Some(at) = reply.delivered() {
            return Some(Expected { at, sure: true, near: true });
        }
        if !self.on_links {
            let sure = matches!(self.vantage, Vantage::Client | Vantage::Everywhere);
            return Some(Expected { at: reply.at + self.correction.reply, sure, near: sure });
        }
        let reaching = reply.chain().iter().filter(|h| h.nodes.reaches && h.delivery != Delivery::No);
        if let Some(at) = reaching.filter_map(|h| h.arrived).min() {
            return Some(Expected { at, sure: false, near: true });
        }
        let last = reply.hops().next_back().filter(|h| h.delivery != Delivery::No && !h.reaches())?;
        // Followed all the way, it would have been seen further on.
        if self.complete && self.vantage == Vantage::Everywhere {
            return None;
        }
        Some(Expected { at: last.arrived? + self.correction.reply, sure: false, near: false })
    }
}

/// Counts of messages, and of those seen at their origin and at their destination.
#[derive(Clone, Copy, Default)]
struct Ends {
    all: usize,
    from_origin: usize,
    to_destination: usize,
    delivered: usize,
}

impl Ends {
    fn add(&mut self, message: &Message) {
        self.all += 1;
        self.from_origin += usize::from(message.from_origin);
        self.to_destination += usize::from(message.chain().iter().any(|h| h.nodes.reaches));
        self.delivered += usize::from(message.delivered().is_some());
    }

    fn mostly(&self, part: usize) -> bool {
        part > 0 && part * 2 >= self.all
    }
}

/// Collects facts of the exchanges of an association, in order.
#[derive(Default)]
pub(crate) struct Sight {
    /// Client and server are addresses of one host.
    one_host: bool,
    copies: Ends,
    replies: Ends,
    exchanges: usize,
    answered: usize,
    on_links: bool,
    /// From the last copy before the first reply to that.
    delays: Vec<Span>,
    /// The shortest time from a reply to the next request.
    reaction: Option<Span>,
    /// Time of the first reply to the last exchange.
    answer: Option<Instant>,
    /// Routers that requests, and replies, had passed when they were seen, by their hop limits.
    request_routers: Counts,
    reply_routers: Counts,
    /// Copies that arrived, by hops.
    hops: Counts,
    /// Time of the last copy of each open exchange, the earliest on top.
    open: BinaryHeap<Reverse<Instant>>,
    most_open: usize,
    most_copies: usize,
    echoed: bool,
}

/// Histogram of small numbers.
#[derive(Default)]
struct Counts(Vec<u32>);

impl Counts {
    /// Most hops that are counted: a message of more hops was in a routing loop.
    const MOST: usize = 63;

    fn add(&mut self, number: usize) {
        if number <= Self::MOST {
            if self.0.len() <= number {
                self.0.resize(number + 1, 0);
            }
            if let Some(count) = self.0.get_mut(number) {
                *count += 1;
            }
        }
    }

    /// The commonest, of several the smallest.
    fn commonest(&self) -> Option<u8> {
        let counts = self.0.iter().enumerate().rev();
        let commonest = counts.max_by_key(|&(_, &count)| count).filter(|&(_, &count)| count > 0);
        commonest.and_then(|(number, _)| u8::try_from(number).ok())
    }
}

/// Routers that a datagram has passed, if it began with one of the usual hop limits: 64 (IANA's recommended default),
/// 128 (Windows) or 255.
fn routers(hop_limit: u8) -> usize {
    let initial = [64, 128].into_iter().find(|&initial| hop_limit <= initial).unwrap_or(255);
    usize::from(initial - hop_limit)
}

impl Sight {
    /// Nothing yet of an association.
    pub fn of(association: &Association) -> Self {
        let (client, server) = (association.client.addr, association.server.addr);
        Self { one_host: client == server || is_loopback(client) && is_loopback(server), ..Self::default() }
    }

    /// The next exchange, with its replies in the order of sending.
    pub fn add(&mut self, exchange: &Exchange, messages: &[Message]) {
        self.exchanges += 1;
        for copy in &exchange.copies {
            let Some(message) = message_at(messages, copy.message) else { continue };
            self.copies.add(message);
            self.on_links |= message.chain().first().is_some_and(|first| first.nodes.src != MacAddr::None);
            self.request_routers.add(routers(message.hop_limit()));
            if copy.arrived.is_some() {
                self.hops.add(message.hops().len());
            }
        }
        for reply in exchange.replies.iter().filter_map(|reply| message_at(messages, reply.message)) {
            self.replies.add(reply);
            self.reply_routers.add(routers(reply.hop_limit()));
            self.echoed |= reply.rc.is_some();
        }
        let start = exchange.start();
        if let Some(answer) = self.answer.take().filter(|&answer| answer <= start) {
            self.reaction = Some(self.reaction.map_or(start - answer, |least| least.min(start - answer)));
        }
        if let Some(reply) = exchange.replies.first() {
            self.answered += 1;
            self.answer = Some(reply.sent);
            let before = exchange.copies.iter().map(|c| c.sent).filter(|&sent| sent <= reply.sent).max();
            self.delays.extend(before.map(|sent| reply.sent - sent));
        }
        self.most_copies = self.most_copies.max(exchange.copies.len());
        // A client with NSTART 1 never sends a copy of one exchange after it has begun the next.
        while self.open.peek().is_some_and(|&Reverse(last)| last <= start) {
            self.open.pop();
        }
        self.open.push(Reverse(exchange.copies.last().map_or(start, |c| c.sent)));
        self.most_open = self.most_open.max(self.open.len());
    }

    /// Summarises the exchanges. `given`: the vantage, where a person states it. `lacks`: of the capture. `per_hop`:
    /// time that a hop takes in this capture.
    pub fn survey(mut self, given: Option<Vantage>, lacks: Lacks, per_hop: Option<PerHop>) -> Survey {
        let vantage = given.unwrap_or_else(|| match self.on_links {
            true => self.on_hops(),
            // Traffic of one host with itself is at both ends at once.
            false if self.one_host => Vantage::Everywhere,
            false => self.by_delay(),
        });
        let correction = match vantage {
            Vantage::Client | Vantage::Everywhere => Correction::default(),
            Vantage::Server | Vantage::Between => self.correction(per_hop),
        };
        let view = View {
            vantage,
            correction,
            complete: !self.on_links || lacks.acks > 0 && lacks.nothing(),
            missing: lacks.share(),
            on_links: self.on_links,
            per_hop,
        };
        Survey {
            view,
            given: given.is_some(),
            hops: self.hops.commonest(),
            nstart: u8::try_from(self.most_open.max(1)).unwrap_or(u8::MAX),
            most_copies: self.most_copies,
            echoed: self.echoed,
        }
    }

    /// With link-layer hops: which ends they are seen at.
    fn on_hops(&self) -> Vantage {
        let Self { copies, replies, .. } = self;
        // If hardly any exchange has a reply, replies are not within sight; unless there are none anywhere.
        let answers = self.answered * 4 >= self.exchanges || replies.all == 0 && copies.all >= 2 * self.exchanges;
        let client = copies.mostly(copies.from_origin) && answers && replies.to_destination * 2 >= replies.all;
        let server = copies.mostly(copies.delivered) && answers && replies.from_origin * 2 >= replies.all;
        match (client, server) {
            (true, true) => Vantage::Everywhere,
            (true, false) => Vantage::Client,
            (false, true) => Vantage::Server,
            (false, false) => Vantage::Between,
        }
    }

    /// Without: by the routers that were passed; else a capture beside the server sees each reply follow its request at
    /// once, and one beside the client does not.
    fn by_delay(&mut self) -> Vantage {
        let passed = |counts: &Counts| counts.commonest().unwrap_or(0) > 0;
        match (passed(&self.request_routers), passed(&self.reply_routers)) {
            (true, true) => return Vantage::Between,
            (true, false) if self.replies.all > 0 => return Vantage::Server,
            (false, true) => return Vantage::Client,
            _ => {}
        }
        // A server answers a simple request within a few milliseconds; a network does not carry one there and back.
        let middle = self.delays.len() / 2;
        let typical = match &mut self.delays[..] {
            [] => Span::MAX,
            delays => *delays.select_nth_unstable(middle).1,
        };
        if typical < Span::from_millis(5) { Vantage::Server } else { Vantage::Client }
    }

    /// The way between client and sniffer: as many hops as the hop limit says, each as long as hops are here. Where
    /// that is not known, the client's reaction to replies bounds both ways together from above.
    fn correction(&self, per_hop: Option<PerHop>) -> Correction {
        let routers = i64::from(self.request_routers.commonest().unwrap_or(0));
        match (per_hop, self.reaction) {
            (Some(PerHop { median, spread }), _) if self.on_links && routers > 0 => Correction {
                request: median.scale(routers, 1),
                reply: median.scale(routers, 1),
                error: spread.scale(routers, 1),
            },
            // A client that waits longer before its next request does so for reasons of its own, not for the reply.
            (_, Some(reaction)) if reaction.scale(1, 2) <= FAR => {
                let half = reaction.scale(1, 2);
                Correction { request: half, reply: half, error: half }
            }
            // Nothing says how far the client is.
            _ => Correction { error: FAR, ..Correction::default() },
        }
    }
}

/// Error of times at a client of unknown distance, each way: with more, its first copies would all be repeated, since ACK_TIMEOUT is
/// 2 s (RFC 7252 §4.8).
const FAR: Span = Span::from_secs(1);

/// Returns whether `address` means the host that uses it (RFC 4291 §2.5.3, RFC 1122 §3.2.1.3).
fn is_loopback(address: Ipv6Addr) -> bool {
    address.is_loopback() || address.to_ipv4_mapped().is_some_and(|v4| v4.is_loopback())
}

/// Time from the first frame of one hop of a datagram to that of the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PerHop {
    median: Span,
    /// From the median to what one in ten exceeds.
    spread: Span,
}

impl PerHop {
    /// Returns the 90th percentile.
    fn usual(self) -> Span {
        self.median + self.spread
    }

    /// Messages that are looked at.
    const MOST: usize = 65_536;

    /// Measures messages that were followed over several hops.
    pub fn measure(messages: &[Message]) -> Option<Self> {
        let step = messages.len().div_ceil(Self::MOST).max(1);
        let hops = messages.iter().step_by(step).flat_map(Message::pairs);
        let mut times: Vec<Span> = hops
            .filter(|(before, after)| before.nodes.dst == after.nodes.src && after.sent >= before.sent)
            .map(|(before, after)| after.sent - before.sent)
            .collect();
        if times.is_empty() {
            return None;
        }
        let (half, most) = (times.len() / 2, times.len() * 9 / 10);
        let median = *times.select_nth_unstable(half).1;
        let high = *times.select_nth_unstable(most).1;
        Some(Self { median, spread: high - median })
    }
}
