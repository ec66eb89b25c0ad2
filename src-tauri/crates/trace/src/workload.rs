//! What a capture could see of an association, and when its application sends.

use crate::exchange::{Exchange, Vantage, Workload};
use crate::message::Message;
use crate::reconstruct::message;
use base::{Instant, Span};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use wire::ieee802154::MacAddr;

/// What the exchanges of an association show before it is known how they ended.
pub(crate) struct Survey {
    pub vantage: Vantage,
    /// Link-layer hops from client to server: the commonest number among copies that arrived.
    pub hops: Option<u8>,
    /// Most exchanges open at once.
    pub nstart: u8,
    /// Most copies of one exchange.
    pub most_copies: usize,
    /// Some reply carries the retransmission-count option.
    pub echoed: bool,
}

/// Sees the exchanges of an association, in order.
#[derive(Default)]
pub(crate) struct Sight {
    copies: usize,
    from_origin: usize,
    followed: usize,
    on_links: bool,
    /// From the last copy before the first reply to that.
    delays: Vec<Span>,
    /// Copies that arrived, by hops.
    counts: Vec<u32>,
    /// When the last copy of each open exchange is sent, the earliest on top.
    open: BinaryHeap<Reverse<Instant>>,
    most_open: usize,
    most_copies: usize,
    echoed: bool,
}

/// A message of more hops went round in circles.
const MOST_HOPS: usize = 63;

impl Sight {
    /// The next exchange, with its replies in the order of sending.
    pub fn add(&mut self, exchange: &Exchange, messages: &[Message]) {
        for copy in &exchange.copies {
            let Some(message) = message(messages, copy.message) else { continue };
            self.copies += 1;
            self.from_origin += usize::from(message.from_origin);
            self.followed += usize::from(message.delivered.is_some());
            self.on_links |= message.hops.first().is_some_and(|h| h.src() != MacAddr::None);
            let hops = message.hops.len();
            if copy.arrived.is_some() && hops <= MOST_HOPS {
                if self.counts.len() <= hops {
                    self.counts.resize(hops + 1, 0);
                }
                if let Some(count) = self.counts.get_mut(hops) {
                    *count += 1;
                }
            }
        }
        if let Some(reply) = exchange.replies.first() {
            let before = exchange.copies.iter().map(|c| c.sent).filter(|&sent| sent <= reply.sent).max();
            self.delays.extend(before.map(|sent| reply.sent - sent));
        }
        let rc = |id| message(messages, id).is_some_and(|m| m.rc.is_some());
        self.echoed = self.echoed || exchange.replies.iter().any(|reply| rc(reply.message));
        self.most_copies = self.most_copies.max(exchange.copies.len());
        // A client with NSTART 1 never sends a copy of one exchange after it has begun the next.
        let start = exchange.start();
        while self.open.peek().is_some_and(|&Reverse(last)| last <= start) {
            self.open.pop();
        }
        self.open.push(Reverse(exchange.copies.last().map_or(start, |c| c.sent)));
        self.most_open = self.most_open.max(self.open.len());
    }

    /// What they show together. The vantage: with link-layer hops, followed to the server or not. Without: a capture
    /// beside the server sees each reply follow its request at once, one beside the client sees each new request follow
    /// a reply at once.
    pub fn survey(mut self) -> Survey {
        let vantage = if self.on_links {
            match (self.from_origin * 2 >= self.copies, self.followed * 2 >= self.copies) {
                (true, true) => Vantage::Everywhere,
                (true, false) => Vantage::Client,
                (false, true) => Vantage::Server,
                (false, false) => Vantage::Between,
            }
        } else {
            // A server answers a simple request within a few milliseconds; a network does not carry one there and back.
            let middle = self.delays.len() / 2;
            let typical = match &mut self.delays[..] {
                [] => Span::MAX,
                delays => *delays.select_nth_unstable(middle).1,
            };
            if typical < Span::from_millis(5) { Vantage::Server } else { Vantage::Client }
        };
        let counts = self.counts.iter().enumerate().rev();
        let commonest = counts.max_by_key(|&(_, &count)| count).filter(|&(_, &count)| count > 0);
        Survey {
            vantage,
            hops: commonest.and_then(|(hops, _)| u8::try_from(hops).ok()),
            nstart: u8::try_from(self.most_open.max(1)).unwrap_or(u8::MAX),
            most_copies: self.most_copies,
            echoed: self.echoed,
        }
    }
}

/// Tells arrivals from think time by whichever gaps vary less: start to start for requests that come by a clock, end to
/// start for a client that waits for its answer first.
#[derive(Default)]
pub(crate) struct Gaps {
    starts: Vec<f64>,
    thinks: Vec<f64>,
    /// Start of the exchange after this one.
    next: Option<Instant>,
}

impl Gaps {
    /// The exchange before the last one that was added, closed.
    pub fn add(&mut self, exchange: &Exchange) {
        let start = exchange.start();
        if let Some(next) = self.next.replace(start) {
            self.starts.push((next - start).secs_f64());
            self.thinks.extend(exchange.end.map(|end| (next - end).secs_f64()));
        }
    }

    /// What they say.
    pub fn workload(mut self) -> Workload {
        match (spread(&mut self.thinks), spread(&mut self.starts)) {
            (Some(think), Some(start)) if think < start => Workload::ThinkTime,
            _ => Workload::Arrivals,
        }
    }
}

/// Interquartile range, which single long gaps do not move; `None` below four values.
fn spread(values: &mut [f64]) -> Option<f64> {
    let n = values.len();
    if n < 4 {
        return None;
    }
    let mut quarter = |k: usize| *values.select_nth_unstable_by(n * k / 4, f64::total_cmp).1;
    Some(quarter(3) - quarter(1))
}
