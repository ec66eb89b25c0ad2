//! What the hops of a copy say of its fate, and what they leave in doubt.

use super::INFERRED;
use crate::exchange::{Copy, Evidence, Exchange, Fate};
use crate::hop::KeptHop;
use crate::message::{Delivery, Message};
use crate::reconstruct::message;
use base::Instant;
use wire::ieee802154::MacAddr;

/// When a copy whose last hop was not acknowledged would have reached the server.
pub(super) fn perhaps(copy: &Copy, messages: &[Message]) -> Option<Instant> {
    let message = message(messages, copy.message)?;
    let there = |h: &&KeptHop| h.nodes.reaches && h.delivery != Delivery::No;
    message.chain().iter().filter(there).filter_map(|h| h.arrived).min()
}

/// Where the hops of two copies, or of two replies, may be each other's, what follows from them is not proven; and where
/// one of the two went no further, nobody knows which.
pub(super) fn doubt(exchange: &mut Exchange, messages: &[Message]) {
    if exchange.copies.len() < 2 && exchange.replies.len() < 2 {
        return;
    }
    let copies = mixed(exchange.copies.iter().map(|c| message(messages, c.message)));
    let replies = mixed(exchange.replies.iter().map(|r| message(messages, r.message)));
    for (copy, mix) in exchange.copies.iter_mut().zip(copies) {
        let reply = copy.reply.and_then(|r| replies.get(usize::from(r)).copied()).unwrap_or(Mix::None);
        copy.evidence = copy.evidence.min(match mix.max(reply) {
            Mix::None => Evidence::Proven,
            Mix::Order => Evidence::Inferred,
            Mix::Lost => Evidence::Unknown,
        });
    }
}

/// Whether hops of a message may be those of another one with the same content.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Mix {
    /// They are its own.
    None,
    /// They may be, but a node sent both on, and queues keep the order.
    Order,
    /// They may be, and a node sent only one of the two on: what it drops leaves no trace.
    Lost,
}

/// What a message tells of a node that it came by.
#[derive(Clone, Copy)]
struct Stay {
    node: MacAddr,
    /// When it surely was there first.
    had: Option<Instant>,
    /// When it was first sent on from there.
    sent: Option<Instant>,
}

/// The nodes that a message came by, in order: each once.
fn stays(message: &Message) -> Vec<Stay> {
    let arrival =
        |h: &KeptHop| Stay { node: h.nodes.dst, had: h.arrived.filter(|_| h.delivery == Delivery::Yes), sent: None };
    let departure = |h: &KeptHop| Stay { node: h.nodes.src, had: None, sent: Some(h.sent) };
    let mut stays: Vec<Stay> = message.chain().iter().flat_map(|h| [arrival(h), departure(h)]).collect();
    stays.sort_unstable_by_key(|stay| stay.node);
    let earliest = |a: Option<Instant>, b: Option<Instant>| a.into_iter().chain(b).min();
    stays.dedup_by(|next, kept| {
        let same = next.node == kept.node;
        if same {
            (kept.had, kept.sent) = (earliest(kept.had, next.had), earliest(kept.sent, next.sent));
        }
        same
    });
    stays
}

/// For each of some messages, whether some of its hops may be those of another of them with the same content: both were
/// in a node when one was sent on from there.
pub(crate) fn mixed<'a>(messages: impl Iterator<Item = Option<&'a Message>>) -> Vec<Mix> {
    let messages: Vec<Option<&Message>> = messages.collect();
    let mut mixes = vec![Mix::None; messages.len()];
    if messages.len() < 2 {
        return mixes;
    }
    // A message may have hundreds of hops, and another one as many: each hop is looked up, not compared with all.
    let stays: Vec<Vec<Stay>> = messages.iter().map(|m| m.map_or_else(Vec::new, stays)).collect();
    let held = |stays: &[Stay], hop: &KeptHop| {
        let stay = stays.binary_search_by_key(&hop.nodes.src, |stay| stay.node).ok().and_then(|at| stays.get(at));
        let by_then = |at: Option<Instant>| at.is_some_and(|at| at <= hop.sent);
        match stay {
            Some(stay) if by_then(stay.had) && !by_then(stay.sent) => {
                if stay.sent.is_some() {
                    Mix::Order
                } else {
                    Mix::Lost
                }
            }
            _ => Mix::None,
        }
    };
    for (i, a) in messages.iter().enumerate() {
        for (j, b) in messages.iter().enumerate() {
            let (Some(a), Some(b), Some(stays)) = (a, b, stays.get(j)) else { continue };
            if i != j && a.rc == b.rc {
                let mix = a.chain().iter().map(|hop| held(stays, hop)).max().unwrap_or(Mix::None);
                mixes[i] = mix.max(mixes[i]);
                mixes[j] = mix.max(mixes[j]);
            }
        }
    }
    mixes
}

/// A followed copy without an answer: where was it last seen? `answered`: how probable it is that it has one after all.
pub(super) fn unanswered(copy: &Copy, answered: f64, messages: &[Message]) -> (Fate, Evidence) {
    let (fate, evidence) = last_seen(copy, messages);
    let open = evidence == Evidence::Inferred && answered > 1.0 - INFERRED;
    (fate, if open { Evidence::Unknown } else { evidence })
}

fn last_seen(copy: &Copy, messages: &[Message]) -> (Fate, Evidence) {
    if copy.arrived.is_some() {
        // The server's node had it, and no reply left that node: it dropped the one or the other.
        return (Fate::Lost, Evidence::Inferred);
    }
    let last = message(messages, copy.message).and_then(|m| m.hops().next_back());
    match last.map(|h| (h.delivery, h.arrived.is_some())) {
        Some((Delivery::No, _) | (_, false)) => (Fate::RequestLost, Evidence::Proven),
        // Reached a node that never sent it on.
        Some((Delivery::Unlikely | Delivery::Yes, true)) => (Fate::RequestLost, Evidence::Inferred),
        Some((Delivery::Unknown, true)) | None => (Fate::Unknown, Evidence::Unknown),
    }
}
