//! Vantage: the part of an association's traffic that a capture could see, and the correction to times at the client.

use crate::decode::link::Lacks;
use crate::model::{Association, Correction, Delivery, Exchange, Message, Vantage, message_at};
use base::{Instant, Span};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::net::Ipv6Addr;
use wire::ieee802154::MacAddr;

/// Facts of an association's exchanges before their outcomes are known.
pub(crate) struct Survey {
    /// Visibility of the association.
    pub view: View,
    /// True where a person states the vantage.
    pub given: bool,
    /// Link-layer hops from client to server: the commonest number among copies that arrived; `None` where none did.
    pub hops: Option<u8>,
    /// Greatest number of exchanges open at once, at least 1; 255 stands for more.
    pub nstart: u8,
    /// Greatest number of copies of one exchange.
    pub most_copies: usize,
    /// True where some reply carries the retransmission-count option.
    pub echoed: bool,
}

/// Visibility of an association in the capture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    /// Vantage, estimated or given.
    pub vantage: Vantage,
    /// Correction to times at the client; zero where the capture has them.
    pub correction: Correction,
    /// True where no frame within sight is missing.
    pub complete: bool,
    /// Share of the frames within sight that is missing, 0 to 1.
    pub missing: f64,
    /// True where messages have link-layer hops (802.15.4).
    pub on_links: bool,
    /// Time that a hop takes; `None` where no message was followed over two.
    pub per_hop: Option<PerHop>,
}

/// Time at which a reply reached the client, or would have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Expected {
    /// Time of arrival at the client.
    pub at: Instant,
    /// True where it arrived; else it would have, if it was not lost on the way.
    pub sure: bool,
    /// True where it was seen on its last hop, the only one on which it may have been lost.
    pub near: bool,
}

impl Expected {
    /// Returns whether a copy was sent after the reply would have arrived: then it did not. `error`: half width of the
    /// interval of times at the client.
    pub fn is_disproved(self, exchange: &Exchange, error: Span) -> bool {
        !self.sure && exchange.copies.iter().any(|c| c.sent > self.at + error)
    }
}

impl View {
    /// Returns whether the capture has all that the client sends and gets.
    pub fn is_whole(&self) -> bool {
        self.complete && matches!(self.vantage, Vantage::Client | Vantage::Everywhere)
    }

    /// Returns whether every hop is followed.
    pub fn follows_hops(&self) -> bool {
        self.vantage == Vantage::Everywhere && self.on_links
    }

    /// Returns whether requests are seen where they arrive, and replies where they leave.
    pub fn sees_server(&self) -> bool {
        matches!(self.vantage, Vantage::Server | Vantage::Everywhere)
    }

    /// Returns whether the hops of `message` follow each other within the 90th percentile of the time per hop: else
    /// hops of another message, whose first hops are not in the capture, may be among them.
    pub fn is_continuous(&self, message: &Message) -> bool {
        let usual = self.per_hop.map_or(Span::MAX, PerHop::usual);
        message.pairs().all(|(before, after)| after.sent - before.sent <= usual)
    }

    /// Returns the time when `reply` reached the client, or would have: not before `start`, when the first copy was
    /// sent.
    pub fn expected_after(&self, start: Instant, reply: &Message) -> Option<Expected> {
        self.expected(reply).map(|expected| Expected { at: expected.at.max(start), ..expected })
    }

    /// Returns the time when `reply` reached the client, or would have; `None` where it was not seen near enough.
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

/// Counts of messages, of those seen at their origin and on their last hop, and of those delivered.
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
    /// True where client and server are addresses of one host: equal, loopback, or joined by its loopback interface.
    one_host: bool,
    copies: Ends,
    replies: Ends,
    exchanges: usize,
    answered: usize,
    on_links: bool,
    /// Times from the last copy before the first reply to that reply.
    delays: Vec<Span>,
    /// Shortest time from a reply to the next request.
    reaction: Option<Span>,
    /// Time of the first reply to the last exchange.
    answer: Option<Instant>,
    /// Histogram of the routers that requests had passed when they were seen, by their hop limits.
    request_routers: Counts,
    /// Histogram of the routers that replies had passed when they were seen.
    reply_routers: Counts,
    /// Histogram of the hops of copies that arrived.
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
    /// Largest number that is counted. Chosen here: a message of more hops was in a routing loop.
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

    /// Returns the commonest number, of several the smallest; `None` without any.
    fn commonest(&self) -> Option<u8> {
        let counts = self.0.iter().enumerate().rev();
        let commonest = counts.max_by_key(|&(_, &count)| count).filter(|&(_, &count)| count > 0);
        commonest.and_then(|(number, _)| u8::try_from(number).ok())
    }
}

/// Returns the number of routers that a datagram has passed, if it began with one of the usual hop limits: 64 (IANA's
/// recommended default), 128 (Windows) or 255.
fn routers(hop_limit: u8) -> usize {
    let initial = [64, 128].into_iter().find(|&initial| hop_limit <= initial).unwrap_or(255);
    usize::from(initial - hop_limit)
}

impl Sight {
    /// Begins with no exchange of `association`.
    pub fn of(association: &Association) -> Self {
        let (client, server) = (association.client.addr, association.server.addr);
        Self { one_host: client == server || is_loopback(client) && is_loopback(server), ..Self::default() }
    }

    /// Adds the next exchange, with its replies in the order of sending.
    pub fn add(&mut self, exchange: &Exchange, messages: &[Message]) {
        self.exchanges += 1;
        for copy in &exchange.copies {
            let Some(message) = message_at(messages, copy.message) else { continue };
            self.copies.add(message);
            self.one_host |= message.on_loopback;
            self.on_links |= message.chain().first().is_some_and(|first| first.nodes.src != MacAddr::None);
            self.request_routers.add(routers(message.hop_limit()));
            if copy.arrived.is_some() {
                self.hops.add(message.hops().len());
            }
        }
        for reply in exchange.replies.iter().filter_map(|reply| message_at(messages, reply.message)) {
            self.replies.add(reply);
            self.one_host |= reply.on_loopback;
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

    /// Summarises the exchanges. `given`: vantage that a person states. `lacks`, `per_hop`: those of the capture.
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

    /// Estimates the vantage from the ends at which link-layer hops are seen.
    fn on_hops(&self) -> Vantage {
        let Self { copies, replies, .. } = self;
        // If hardly any exchange has a reply, replies are not within sight; unless there are none anywhere: then two
        // copies an exchange show that clients waited in vain. A quarter and halves are chosen here by judgement, no
        // experiment decides them: losses take some of the messages at an end that is seen, and seldom most of them.
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

    /// Estimates the vantage without link-layer hops: by the routers that were passed; else a capture beside the server
    /// sees each reply follow its request at once, and one beside the client does not.
    fn by_delay(&mut self) -> Vantage {
        let passed = |counts: &Counts| counts.commonest().unwrap_or(0) > 0;
        match (passed(&self.request_routers), passed(&self.reply_routers)) {
            (true, true) => return Vantage::Between,
            (true, false) if self.replies.all > 0 => return Vantage::Server,
            (false, true) => return Vantage::Client,
            _ => {}
        }
        // A server answers a simple request within a few milliseconds; a network does not carry one there and back. 5
        // ms is chosen here by judgement: a longer bound takes clients in a fast network for servers, a shorter one
        // servers that compute for clients. It decides only captures without links and without routers.
        let middle = self.delays.len() / 2;
        let typical = match &mut self.delays[..] {
            [] => Span::MAX,
            delays => *delays.select_nth_unstable(middle).1,
        };
        if typical < Span::from_millis(5) { Vantage::Server } else { Vantage::Client }
    }

    /// Estimates the delay between client and sniffer: as many hops as the hop limit says, each as long as hops are
    /// here. Where that is not known, half of the client's shortest reaction to a reply, which bounds both ways
    /// together from above.
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

/// Error of times at a client of unknown distance, each way. Chosen here: with more, its first copies would all be
/// repeated, since ACK_TIMEOUT is 2 s (RFC 7252 §4.8).
const FAR: Span = Span::from_secs(1);

/// Returns whether `address` means the host that uses it (RFC 4291 §2.5.3, RFC 1122 §3.2.1.3).
fn is_loopback(address: Ipv6Addr) -> bool {
    address.is_loopback() || address.to_ipv4_mapped().is_some_and(|v4| v4.is_loopback())
}

/// Time from the first frame of one hop of a datagram to that of the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PerHop {
    median: Span,
    /// Difference of the 90th percentile and the median.
    spread: Span,
}

impl PerHop {
    /// Returns the 90th percentile.
    fn usual(self) -> Span {
        self.median + self.spread
    }

    /// Most messages that are measured, evenly spaced. Chosen here to bound time.
    const MOST: usize = 65_536;

    /// Measures messages that were followed over several hops; `None` without any.
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
