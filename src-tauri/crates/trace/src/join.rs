//! Hops to messages: every transmission by a sender once, followed over the nodes that carried it.
//!
//! A hop sent by the message's own source starts a message, unless the datagram had come back to it in
//! a routing loop. A hop sent by another node is that node forwarding: it belongs to the likeliest
//! message of the same content that reached the node with one hop more to go and was not forwarded by
//! it yet (see [`likeliest`]). A capture that begins mid-path sees neither; there, each hop on the
//! first link seen is a message of its own.

use crate::datagram::{Arrivals, Datagrams, Facts, HopRecord};
use crate::message::{Delivery, Hop, Message};
use base::{FrameId, Instant, MessageId, Span};
use std::cmp::Reverse;
use std::collections::HashMap;
use wire::ieee802154::MacAddr;

/// Messages with equal content further apart than this are different: EXCHANGE_LIFETIME of the
/// default parameters (RFC 7252 §4.8.2), after which a Message ID may be used again.
pub(crate) const EXCHANGE_LIFETIME: Span = Span::from_secs(247);

/// A message being joined, and what is known of when each of its hops arrived.
struct Draft {
    message: Message,
    arrivals: Vec<Arrivals>,
}

/// Messages in order of first appearance, and for every sighting its message.
pub(crate) fn join(datagrams: Datagrams) -> (Vec<Message>, Vec<(FrameId, MessageId)>) {
    let Datagrams { hops, seen } = datagrams;
    let mut order: Vec<usize> = (0..hops.len()).collect();
    order.sort_by_key(|&i| (hops[i].sent, hops[i].frames.first().copied(), i));

    let mut drafts: Vec<Draft> = Vec::new();
    let mut message_of: Vec<usize> = vec![0; hops.len()];
    let mut by_content: HashMap<Facts, Vec<usize>> = HashMap::new();
    // Per link: when the youngest datagram that was sent on had reached the sender.
    let mut drained: HashMap<(MacAddr, MacAddr), Instant> = HashMap::new();
    for index in order {
        let record = &hops[index];
        let known = by_content.entry(record.facts).or_default();
        let drained = drained.entry((record.src, record.dst)).or_insert(Instant::MIN);
        let at = match place(record, known, &drafts, *drained) {
            Some(at) => {
                *drained = (*drained).max(drafts[at].reached(record).1);
                drafts[at].push(record);
                at
            }
            None => {
                drafts.push(Draft::new(record));
                known.push(drafts.len() - 1);
                drafts.len() - 1
            }
        };
        message_of[index] = at;
    }

    // Sorted by first transmission already; identifiers are positions.
    let messages = drafts.into_iter().enumerate().map(|(index, draft)| draft.finish(MessageId::at(index))).collect();
    let sightings = seen.iter().map(|s| (s.frame, MessageId::at(message_of[s.hop]))).collect();
    (messages, sightings)
}

/// The message that `record` is another hop of; `None` when it begins one.
fn place(record: &HopRecord, known: &[usize], drafts: &[Draft], drained: Instant) -> Option<usize> {
    if record.src == MacAddr::None {
        return None;
    }
    let recent = || known.iter().copied().filter(|&d| record.sent - drafts[d].message.at <= EXCHANGE_LIFETIME);
    let routed = recent().filter(|&d| drafts[d].awaits(record));
    // The source itself begins a message, unless the datagram came back to it in a routing loop.
    if is_origin(record) {
        return likeliest(routed, record, drafts, drained);
    }
    let bridged = recent().filter(|&d| drafts[d].message.hops.iter().all(|h| h.src != record.src));
    // Already forwarded, or a fragment too many was missing from the capture: a duplicate of the latest.
    let touched = |&d: &usize| {
        let message = &drafts[d].message;
        (message.from_origin || message.hops.first().is_some_and(|h| h.src != record.src))
            && message.hops.iter().any(|h| h.dst == record.src || h.src == record.src)
    };
    likeliest(routed, record, drafts, drained)
        .or_else(|| likeliest(bridged, record, drafts, drained))
        .or_else(|| recent().rev().find(touched))
}

/// Which of `candidates` the node that sends `record` forwards: what surely reached it before what perhaps did, and
/// what may still be in its queue before what the queue has gone past. Then the oldest, as forwarding queues are first
/// in, first out; but of those that perhaps never reached the queue the youngest, as most stay there for less than the
/// time between two copies.
fn likeliest(
    candidates: impl Iterator<Item = usize>,
    record: &HopRecord,
    drafts: &[Draft],
    drained: Instant,
) -> Option<usize> {
    candidates
        .map(|d| (drafts[d].reached(record), d))
        .filter(|((delivery, _), _)| *delivery != Delivery::No)
        .max_by_key(|&((delivery, at), d)| {
            let sure = delivery == Delivery::Yes;
            (delivery, at >= drained, sure.then_some(Reverse(d)), d)
        })
        .map(|(_, d)| d)
}

/// Whether the transmitting node is the IPv6 source: its interface identifier is derived from its
/// link-layer address (RFC 4944 §6).
fn is_origin(record: &HopRecord) -> bool {
    let octets = record.facts.src.addr.octets();
    record.src.iid().is_some_and(|iid| octets[8..] == iid)
}

impl Message {
    /// Whether `hop` leads to the message's destination.
    pub(crate) fn reaches(&self, hop: &Hop) -> bool {
        let octets = self.dst.addr.octets();
        hop.dst.iid().is_some_and(|iid| octets[8..] == iid)
    }
}

fn hop_of(record: &HopRecord) -> Hop {
    let (delivery, arrived) = record.arrivals.best().unzip();
    Hop {
        src: record.src,
        dst: record.dst,
        frames: record.frames.clone(),
        sent: record.sent,
        arrived,
        delivery: delivery.unwrap_or(Delivery::No),
        header_dst: record.header.dst,
        hop_limit: record.header.hop_limit,
    }
}

impl Draft {
    fn new(record: &HopRecord) -> Self {
        let message = Message {
            id: MessageId(0),
            at: record.sent,
            frame: record.completed,
            src: record.facts.src,
            dst: record.facts.dst,
            kind: record.facts.kind,
            code: record.facts.code,
            mid: record.facts.mid,
            token: record.facts.token,
            payload: record.payload,
            octets: record.octets,
            rc: record.facts.rc,
            hops: vec![hop_of(record)],
            from_origin: record.src == MacAddr::None || is_origin(record),
            delivered: None,
        };
        Self { message, arrivals: vec![record.arrivals.clone()] }
    }

    /// Whether a hop led to the node that sends `record` and no hop on from there was seen. Routers take one from the
    /// hop limit (RFC 8200 §3), so that also a datagram that passes a node twice is told apart.
    fn awaits(&self, record: &HopRecord) -> bool {
        let (node, limit) = (record.src, record.header.hop_limit);
        let mut hops = self.message.hops.iter();
        hops.any(|h| h.dst == node && h.hop_limit.checked_sub(1) == Some(limit))
            && self.message.hops.iter().all(|h| (h.src, h.hop_limit) != (node, limit))
    }

    /// Whether and when it had reached the node that sends `record`, when that did so.
    fn reached(&self, record: &HopRecord) -> (Delivery, Instant) {
        let to_it = self.message.hops.iter().zip(&self.arrivals).filter(|(hop, _)| hop.dst == record.src);
        to_it.filter_map(|(_, arrivals)| arrivals.by(record.sent)).max().unwrap_or((Delivery::No, Instant::MIN))
    }

    fn push(&mut self, record: &HopRecord) {
        self.message.octets = self.message.octets.saturating_add(record.octets);
        self.message.hops.push(hop_of(record));
        self.arrivals.push(record.arrivals.clone());
    }

    /// What a node forwarded, it had received by then; and when the destination had the message.
    fn finish(self, id: MessageId) -> Message {
        let Self { mut message, arrivals } = self;
        message.id = id;
        for (index, arrivals) in arrivals.iter().enumerate() {
            let (dst, sent) = (message.hops[index].dst, message.hops[index].sent);
            let forwarded = message.hops.iter().filter(|h| h.src == dst && h.sent > sent).map(|h| h.sent).min();
            let hop = &mut message.hops[index];
            if let Some((delivery, at)) = forwarded.and_then(|by| arrivals.by(by))
                && delivery != Delivery::No
            {
                hop.delivery = Delivery::Yes;
                hop.arrived = Some(at);
            }
        }
        let there = message.hops.iter().filter(|h| h.delivery == Delivery::Yes && message.reaches(h));
        message.delivered = there.filter_map(|h| h.arrived).min();
        message
    }
}
