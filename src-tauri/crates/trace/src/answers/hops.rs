//! Which reply answers which copy where every hop was followed.

use super::Answer;
use crate::exchange::{Copy, Evidence, Exchange, Fate, Reply};
use crate::hop::Hop;
use crate::message::{Delivery, Message};
use crate::reconstruct::message;
use base::{Instant, Span};
use std::cmp::Reverse;

/// A reply answers the oldest copy that had reached the server and has no answer yet, but for
/// those that the server should have answered long before: it dropped them (fragments that it could not reassemble).
pub(super) fn by_hops(
    exchange: &Exchange,
    known: &[Option<usize>],
    messages: &[Message],
    turnaround: Span,
) -> Vec<Answer> {
    let copies = &exchange.copies;
    let mut free = vec![true; copies.len()];
    let mut answers = Vec::with_capacity(exchange.replies.len());
    for (reply, known) in exchange.replies.iter().zip(known) {
        let is_free = |i: &usize| free.get(*i) == Some(&true);
        let there: Vec<Candidate> = (0..copies.len())
            .filter(is_free)
            .filter_map(|i| Candidate::of(i, copies.get(i)?, reply, messages, turnaround))
            .collect();
        let likeliest = there.iter().max_by_key(|c| (c.rank, Reverse(c.copy)));
        let answer = match (known.filter(|i| is_free(i)), likeliest) {
            (Some(copy), _) => Some((copy, Evidence::Proven)),
            (None, Some(first)) => {
                // A server that holds its replies in a queue, or answers late, may be answering any that it had: how long
                // it took otherwise makes one likelier, but proves nothing.
                let sure = there.len() == 1 && first.rank == Rank::Due;
                Some((first.copy, if sure { Evidence::Proven } else { Evidence::Inferred }))
            }
            // Nothing was seen to arrive, but something was answered: the oldest copy sent by then.
            (None, None) => (0..copies.len())
                .filter(is_free)
                .find(|&i| copies.get(i).is_some_and(|c| c.sent <= reply.sent))
                .map(|i| (i, Evidence::Inferred)),
        };
        if let Some(flag) = answer.and_then(|(copy, _)| free.get_mut(copy)) {
            *flag = false;
        }
        answers.push(answer);
    }
    answers
}

/// A copy that a reply may answer.
struct Candidate {
    copy: usize,
    rank: Rank,
}

/// How well a copy fits a reply, worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// It perhaps arrived, longer ago than the server takes.
    PerhapsStale,
    /// It arrived, longer ago than the server takes.
    Stale,
    /// It perhaps arrived, as long ago as the server takes.
    PerhapsDue,
    /// It arrived, as long ago as the server takes.
    Due,
}

impl Candidate {
    fn of(index: usize, copy: &Copy, reply: &Reply, messages: &[Message], turnaround: Span) -> Option<Self> {
        let at = copy.arrived.or_else(|| perhaps(copy, messages)).filter(|&at| at <= reply.sent)?;
        let rank = match (copy.arrived.is_some(), reply.sent - at <= turnaround) {
            (true, true) => Rank::Due,
            (false, true) => Rank::PerhapsDue,
            (true, false) => Rank::Stale,
            (false, false) => Rank::PerhapsStale,
        };
        Some(Self { copy: index, rank })
    }
}

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

/// A followed copy without an answer: where was it last seen?
pub(super) fn unanswered(copy: &Copy, messages: &[Message]) -> (Fate, Evidence) {
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
