//! Ambiguity of hops: hops of one message that may be those of another with the same content.

use crate::model::{Delivery, Evidence, Exchange, KeptHop, Message, message_at};
use base::Instant;
use wire::ieee802154::MacAddr;

/// Lowers the evidence of copies where the hops of two copies, or of two replies, may be each other's: to inferred
/// where a node sent both on, to unknown where it sent one.
pub(super) fn lower_ambiguous(exchange: &mut Exchange, messages: &[Message]) {
    if exchange.copies.len() < 2 && exchange.replies.len() < 2 {
        return;
    }
    let copies = ambiguities(exchange.copies.iter().map(|c| message_at(messages, c.message)));
    let replies = ambiguities(exchange.replies.iter().map(|r| message_at(messages, r.message)));
    for (copy, ambiguity) in exchange.copies.iter_mut().zip(copies) {
        let reply = copy.reply.and_then(|r| replies.get(usize::from(r)).copied()).unwrap_or(Ambiguity::None);
        copy.evidence = copy.evidence.min(match ambiguity.max(reply) {
            Ambiguity::None => Evidence::Proven,
            Ambiguity::Order => Evidence::Inferred,
            Ambiguity::Lost => Evidence::Unknown,
        });
    }
}

/// Confusion of the hops of a message with those of another one with the same content.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Ambiguity {
    /// The hops are its own.
    None,
    /// They may be the other's, but a node sent both on, and queues keep the order.
    Order,
    /// They may be the other's, and a node sent only one of the two on: a dropped message leaves no trace.
    Lost,
}

/// Presence of a message in one node on its way.
#[derive(Clone, Copy)]
struct Stay {
    node: MacAddr,
    /// Earliest time at which it surely was there.
    had: Option<Instant>,
    /// Time of the first frame that sent it on from there.
    sent: Option<Instant>,
}

/// Returns the nodes that a message came by, each once, by address.
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

/// Returns the ambiguity of each of some messages of equal content, in their order: whether some of its hops may be
/// another's, as both were in a node when one was sent on from there.
pub(crate) fn ambiguities<'a>(messages: impl Iterator<Item = Option<&'a Message>>) -> Vec<Ambiguity> {
    let messages: Vec<Option<&Message>> = messages.collect();
    let mut all = vec![Ambiguity::None; messages.len()];
    if messages.len() < 2 {
        return all;
    }
    // A message may have hundreds of hops, and another one as many: each hop is looked up, not compared with all.
    let stays: Vec<Vec<Stay>> = messages.iter().map(|m| m.map_or_else(Vec::new, stays)).collect();
    let held = |stays: &[Stay], hop: &KeptHop| {
        let stay = stays.binary_search_by_key(&hop.nodes.src, |stay| stay.node).ok().and_then(|at| stays.get(at));
        let by_then = |at: Option<Instant>| at.is_some_and(|at| at <= hop.sent);
        match stay {
            Some(stay) if by_then(stay.had) && !by_then(stay.sent) => {
                if stay.sent.is_some() {
                    Ambiguity::Order
                } else {
                    Ambiguity::Lost
                }
            }
            _ => Ambiguity::None,
        }
    };
    for (i, a) in messages.iter().enumerate() {
        for (j, b) in messages.iter().enumerate() {
            let (Some(a), Some(b), Some(stays)) = (a, b, stays.get(j)) else { continue };
            if i != j && a.rc == b.rc {
                let ambiguity = a.chain().iter().map(|hop| held(stays, hop)).max().unwrap_or(Ambiguity::None);
                all[i] = ambiguity.max(all[i]);
                all[j] = ambiguity.max(all[j]);
            }
        }
    }
    all
}
