//! What the hops of a copy say of its fate, and what they leave in doubt.

use super::INFERRED;
use crate::exchange::{Copy, Evidence, Exchange, Fate};
use crate::hop::Hop;
use crate::message::{Delivery, Message};
use crate::reconstruct::message;
use base::Instant;

/// When a copy whose last hop was not acknowledged would have reached the server.
pub(super) fn perhaps(copy: &Copy, messages: &[Message]) -> Option<Instant> {
    let message = message(messages, copy.message)?;
    let there = |h: &Hop<'_>| message.reaches(h) && h.delivery != Delivery::No;
    message.hops().filter(there).filter_map(|h| h.arrived).min()
}

/// Where the hops of two copies, or of two replies, may be each other's, what follows from them is not proven.
pub(super) fn doubt(exchange: &mut Exchange, messages: &[Message]) {
    let copies = mixed(exchange.copies.iter().map(|c| message(messages, c.message)));
    let replies = mixed(exchange.replies.iter().map(|r| message(messages, r.message)));
    for (copy, mixed) in exchange.copies.iter_mut().zip(copies) {
        if mixed || copy.reply.is_some_and(|r| replies.get(usize::from(r)) == Some(&true)) {
            copy.evidence = copy.evidence.min(Evidence::Inferred);
        }
    }
}

/// For each of some messages, whether some of its hops may be those of another of them with the same content: both were
/// in a node when one was sent on from there. Queues keep the order, but what a node drops leaves no trace.
pub(crate) fn mixed<'a>(messages: impl Iterator<Item = Option<&'a Message>>) -> Vec<bool> {
    let messages: Vec<Option<&Message>> = messages.collect();
    let held = |m: &Message, at: Hop<'_>| {
        let had =
            |h: Hop<'_>| h.dst() == at.src() && h.delivery == Delivery::Yes && h.arrived.is_some_and(|a| a <= at.sent);
        m.hops().any(had) && m.hops().all(|h| h.src() != at.src() || h.sent > at.sent)
    };
    let mut flags = vec![false; messages.len()];
    for (i, a) in messages.iter().enumerate() {
        for (j, b) in messages.iter().enumerate() {
            let (Some(a), Some(b)) = (a, b) else { continue };
            if i != j && a.rc == b.rc && a.hops().any(|hop| held(b, hop)) {
                flags[i] = true;
                flags[j] = true;
            }
        }
    }
    flags
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
