//! What a capture could see of an association, and when its application sends.

use crate::exchange::{Association, Exchange, Vantage, Workload};
use crate::message::Message;
use crate::reconstruct::message;
use base::{Instant, Span};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use wire::ieee802154::MacAddr;

/// What the copies of an association show.
pub(crate) struct Survey {
    pub vantage: Vantage,
    /// Link-layer hops from client to server: the commonest number among copies that arrived.
    pub hops: Option<u8>,
}

/// Work out the vantage. With link-layer hops: followed to the server or not. Without: a capture
/// beside the server sees each reply follow its request at once, one beside the client sees each
/// new request follow a reply at once.
pub(crate) fn survey(association: &Association, exchanges: &[Exchange], messages: &[Message]) -> Survey {
    let (mut copies, mut from_origin, mut followed, mut on_links) = (0_usize, 0_usize, 0_usize, false);
    let mut delays: Vec<Span> = Vec::new();
    let mut counts = [0_u32; 64];
    for exchange in mine(association, exchanges) {
        for copy in &exchange.copies {
            let Some(message) = message(messages, copy.message) else { continue };
            copies += 1;
            from_origin += usize::from(message.from_origin);
            followed += usize::from(message.delivered.is_some());
            on_links |= message.hops.first().is_some_and(|h| h.src != MacAddr::None);
            let count = counts.get_mut(message.hops.len()).filter(|_| copy.arrived.is_some());
            if let Some(count) = count {
                *count += 1;
            }
        }
        if let Some(reply) = exchange.replies.first() {
            let before = exchange.copies.iter().map(|c| c.sent).filter(|&sent| sent <= reply.sent).max();
            delays.extend(before.map(|sent| reply.sent - sent));
        }
    }
    let vantage = if on_links {
        match (from_origin * 2 >= copies, followed * 2 >= copies) {
            (true, true) => Vantage::Everywhere,
            (true, false) => Vantage::Client,
            (false, true) => Vantage::Server,
            (false, false) => Vantage::Between,
        }
    } else {
        // A server answers a simple request within a few milliseconds; a network does not carry one there and back.
        let middle = delays.len() / 2;
        let typical = if delays.is_empty() { Span::MAX } else { *delays.select_nth_unstable(middle).1 };
        if typical < Span::from_millis(5) { Vantage::Server } else { Vantage::Client }
    };
    let commonest = counts.iter().enumerate().rev().max_by_key(|&(_, &count)| count).filter(|&(_, &count)| count > 0);
    Survey { vantage, hops: commonest.and_then(|(hops, _)| u8::try_from(hops).ok()) }
}

/// Most exchanges open at once. A client with NSTART 1 never sends a copy of one exchange after it
/// has begun the next.
pub(crate) fn nstart(association: &Association, exchanges: &[Exchange]) -> u8 {
    // When the last copy of each open exchange is sent, the earliest on top.
    let mut open: BinaryHeap<Reverse<Instant>> = BinaryHeap::new();
    let mut most = 1;
    for exchange in mine(association, exchanges) {
        let start = exchange.start();
        while open.peek().is_some_and(|&Reverse(last)| last <= start) {
            open.pop();
        }
        let last = exchange.copies.last().map_or(start, |c| c.sent);
        open.push(Reverse(last));
        most = most.max(open.len());
    }
    u8::try_from(most).unwrap_or(u8::MAX)
}

/// Arrivals or think time: whichever gaps vary less. Start to start for requests that come by a
/// clock, end to start for a client that waits for its answer first.
pub(crate) fn detect(association: &Association, exchanges: &[Exchange]) -> Workload {
    let (mut starts, mut thinks): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
    let mut before: Option<&Exchange> = None;
    for exchange in mine(association, exchanges) {
        if let Some(before) = before {
            starts.push((exchange.start() - before.start()).secs_f64());
            if let Some(end) = before.end {
                thinks.push((exchange.start() - end).secs_f64());
            }
        }
        before = Some(exchange);
    }
    match (spread(&mut thinks), spread(&mut starts)) {
        (Some(think), Some(start)) if think < start => Workload::ThinkTime,
        _ => Workload::Arrivals,
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

fn mine<'a>(association: &'a Association, exchanges: &'a [Exchange]) -> impl Iterator<Item = &'a Exchange> {
    association.exchanges.iter().filter_map(|id| exchanges.get(id.index()))
}
