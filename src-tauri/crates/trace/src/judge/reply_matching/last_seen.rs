//! The hops of a copy: where it was last seen, and what that says of its fate.

use super::INFERRED;
use crate::model::{Copy, Delivery, Evidence, Fate, KeptHop, Message, message_at};
use base::Instant;

/// Returns the time when a copy whose last hop was not acknowledged would have reached the server.
pub(super) fn perhaps(copy: &Copy, messages: &[Message]) -> Option<Instant> {
    let message = message_at(messages, copy.message)?;
    let there = |h: &&KeptHop| h.nodes.reaches && h.delivery != Delivery::No;
    message.chain().iter().filter(there).filter_map(|h| h.arrived).min()
}

/// Returns the fate of a followed copy without an answer, by its last hop. `answered`: probability that it has one
/// after all.
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
    let last = message_at(messages, copy.message).and_then(|m| m.hops().next_back());
    match last.map(|h| (h.delivery, h.arrived.is_some())) {
        Some((Delivery::No, _) | (_, false)) => (Fate::RequestLost, Evidence::Proven),
        // Reached a node that never sent it on.
        Some((Delivery::Unlikely | Delivery::Yes, true)) => (Fate::RequestLost, Evidence::Inferred),
        Some((Delivery::Unknown, true)) | None => (Fate::Unknown, Evidence::Unknown),
    }
}
