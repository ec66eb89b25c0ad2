//! Visits: datagrams that reached a node, and whether they went on from there.

use super::air::{Air, Table};
use super::packets::Packets;
use crate::model::{Ends, NodeId};
use base::{Cancelled, Instant, MessageId, SharedProgress};
use trace::{Delivery, Exchange, Hop, Message, Trace};

/// One datagram at one node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Visit {
    /// Node that had the datagram.
    pub node: NodeId,
    /// Destination of the datagram; of a request at its server, that of the answer.
    pub destination: NodeId,
    /// Number of its fragments.
    pub fragments: usize,
    /// End of the first fragment that the node has.
    pub began: Instant,
    /// Moment at which the node had it whole; `None` where it never did.
    pub whole: Option<Instant>,
    /// Whether it went on: to the next node, or as an answer. `true` where it ends and this is not known, and where a
    /// datagram with the same content went on before the next one came: copies are alike, and which of them a node
    /// passed on is a guess.
    pub went_on: bool,
}

/// Returns all visits of requests and answers, in order of [`Visit::began`]. `ends`: client and server per association.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks.
pub(super) fn of(
    trace: &Trace,
    air: &Air,
    packets: &Packets,
    ends: &[Option<Ends>],
    progress: &SharedProgress<'_>,
) -> Result<Vec<Visit>, Cancelled> {
    let mut visits = Vec::new();
    for exchange in &trace.exchanges {
        progress.ask()?;
        let Some(ends) = ends.get(exchange.association.index()).copied().flatten() else { continue };
        let begin = visits.len();
        for (at, copy) in exchange.copies.iter().enumerate() {
            let is_answered = is_answered(exchange, at);
            follow(trace, air, packets, copy.message, (ends.server, ends.client), is_answered, &mut visits);
        }
        let requests = exchange.copies.iter().map(|copy| copy.message);
        share(trace, air, requests, visits.get_mut(begin..).unwrap_or_default());
        let begin = visits.len();
        for reply in exchange.replies.iter() {
            follow(trace, air, packets, reply.message, (ends.client, ends.client), true, &mut visits);
        }
        let answers = exchange.replies.iter().map(|reply| reply.message);
        share(trace, air, answers, visits.get_mut(begin..).unwrap_or_default());
    }
    visits.sort_by_key(|visit| (visit.began, visit.node));
    Ok(visits)
}

/// Visits of one message to `end`, from where its answer goes on to `back`.
fn follow(
    trace: &Trace,
    air: &Air,
    packets: &Packets,
    message: MessageId,
    (end, back): (NodeId, NodeId),
    is_answered: bool,
    visits: &mut Vec<Visit>,
) {
    let Some(message) = trace.messages.get(message.index()) else { return };
    let mut hops = message.hops().peekable();
    while let Some(hop) = hops.next() {
        let (Some(node), Some((fragments, began))) = (air.node(hop.dst()), fragments(air, packets, &hop)) else {
            continue;
        };
        let is_end = node == end;
        visits.push(Visit {
            node,
            destination: if is_end { back } else { end },
            fragments,
            began,
            whole: hop.arrived.filter(|_| hop.delivery == Delivery::Yes),
            went_on: if is_end { is_answered } else { hops.peek().is_some() },
        });
    }
}

/// Lets each of `visits`, those of messages with the same content, go on where its node sent one of `messages` on
/// before it had the next of them.
fn share(trace: &Trace, air: &Air, messages: impl Iterator<Item = MessageId>, visits: &mut [Visit]) {
    let mut nodes: Table<NodeId, (Vec<Instant>, Vec<Instant>)> = Table::new();
    for visit in visits.iter() {
        nodes.entry(visit.node).or_default().0.extend(visit.whole);
    }
    for hop in messages.filter_map(|id| trace.messages.get(id.index())).flat_map(Message::hops) {
        let sent = air.node(hop.src()).and_then(|node| nodes.get_mut(&node));
        sent.into_iter().for_each(|(_, sent)| sent.push(hop.sent));
    }
    for (arrived, sent) in nodes.values_mut() {
        arrived.sort_unstable();
        sent.sort_unstable();
    }
    for visit in visits.iter_mut().filter(|visit| !visit.went_on) {
        let (Some(at), Some((arrived, sent))) = (visit.whole, nodes.get(&visit.node)) else { continue };
        let next = arrived.get(arrived.partition_point(|&other| other <= at)).copied().unwrap_or(Instant::MAX);
        visit.went_on = sent.get(sent.partition_point(|&other| other < at)).is_some_and(|&first| first < next);
    }
}

/// Number of fragments of a hop, and the end of the first one that was acknowledged.
fn fragments(air: &Air, packets: &Packets, hop: &Hop<'_>) -> Option<(usize, Instant)> {
    let places = || hop.frames.iter().filter_map(|&id| air.place_of(id));
    let mut numbers: Vec<u32> = places().filter_map(|at| packets.of_frame.get(at as usize).copied()).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let received = places().filter_map(|at| air.frame(at)).find(|frame| frame.acknowledgement.is_some());
    received.map(|frame| (numbers.len(), frame.end))
}

/// Returns whether the server sent an answer to the copy: one that is known to answer it, or one between this copy's
/// arrival and the next one's. A server that answered an earlier copy may suppress duplicates (RFC 7252 §4.5): it
/// counts as answering.
fn is_answered(exchange: &Exchange, at: usize) -> bool {
    let Some(arrived) = exchange.copies.get(at).and_then(|copy| copy.arrived) else { return false };
    let next = exchange.copies.iter().skip(at + 1).filter_map(|copy| copy.arrived).min().unwrap_or(Instant::MAX);
    let is_named = exchange.copies.get(at).is_some_and(|copy| copy.reply.is_some());
    is_named || exchange.replies.iter().any(|reply| reply.sent < next && (reply.sent >= arrived || at > 0))
}
