//! Outcomes of exchanges: the reply that arrived first, and the end of exchanges without one.

pub(super) mod partial;

use super::Scope;
use super::reply_matching::ReplyMatcher;
use super::vantage::{Survey, View};
use crate::model::{
    Copy, Delivery, Evidence, Exchange, Fate, Head, KeptHop, Message, Outcome, Reply, ReplyKind, message_at,
};
use base::{Instant, Span};

/// Longest time that a client with default parameters waits before it sends another copy: ACK_TIMEOUT ×
/// ACK_RANDOM_FACTOR × 2^(MAX_RETRANSMIT - 1) (RFC 7252 §4.8).
const LONGEST_GAP: Span = Span::from_secs(24);

/// Returns whether the first copy of an exchange is the first that was sent. `is_next`: an exchange of the same client,
/// which sends one at a time, was seen before it.
pub(super) fn head(
    exchange: &Exchange,
    matcher: &ReplyMatcher,
    is_next: bool,
    scope: &Scope,
    messages: &[Message],
) -> Head {
    let rc = |copy: &Copy| message_at(messages, copy.message).and_then(|m| m.rc);
    let first = exchange.copies.first().and_then(rc);
    if first.is_some_and(|count| count > 0) {
        return Head::Missing;
    }
    // Copies that are numbered say it themselves: the first has the number zero, or none.
    if first.is_some() || exchange.copies.iter().skip(1).any(|copy| rc(copy).is_some()) {
        return Head::Seen;
    }
    if exchange.head == Head::Missing {
        return Head::Missing;
    }
    if !matcher.sees_client() {
        return Head::Perhaps;
    }
    // Timers grow: a copy before the first one would have been sent no longer ago than the second came later.
    let gap = match &exchange.copies[..] {
        [first, second, ..] => second.sent - first.sent,
        _ => LONGEST_GAP,
    };
    let start = exchange.start();
    let is_first = is_next || start - scope.window.0 > gap;
    if is_first && !scope.is_blind(start - gap, start) { Head::Seen } else { Head::Perhaps }
}

/// Returns the latest time at which the client had given up an exchange.
pub(super) fn given_up(exchange: &Exchange) -> Instant {
    exchange.copies.last().map_or(exchange.start(), |copy| copy.sent) + longest_wait(exchange)
}

/// Lowers evidence to inferred for an exchange during which a sniffer lost frames, or whose stamps contradict each
/// other: only a reply that names its copy proves anything.
pub(super) fn weaken(exchange: &mut Exchange, messages: &[Message]) {
    let Exchange { copies, replies, .. } = exchange;
    for copy in copies {
        let reply = copy.reply.and_then(|reply| replies.get(usize::from(reply)));
        let named = reply.and_then(|reply| message_at(messages, reply.message)).is_some_and(|m| m.rc.is_some());
        if !(named && matches!(copy.fate, Fate::Answered { .. })) {
            copy.evidence = copy.evidence.min(Evidence::Inferred);
        }
    }
}

/// Moves the sending times of copies to those at the client.
pub(super) fn shift(exchange: &mut Exchange, view: &View) {
    if view.correction.request != Span::ZERO {
        for copy in &mut exchange.copies {
            copy.sent = copy.sent - view.correction.request;
        }
    }
}

/// Sets the arrival times of replies, where the capture has all that the client sends and gets; none is before the
/// first copy.
pub(super) fn arrive(exchange: &mut Exchange, view: &View, messages: &[Message]) {
    let start = exchange.start();
    for reply in &mut exchange.replies {
        let Some(message) = message_at(messages, reply.message) else { continue };
        reply.arrived = match view.follows_hops() {
            true => message.delivered(),
            false => message.delivered().or_else(|| message.hops().next_back().and_then(|h| h.arrived)),
        };
        reply.arrived = reply.arrived.map(|at| at.max(start));
    }
}

/// The time for which the client of an exchange may have waited for a reply.
struct Waiting {
    /// Start of its next exchange, where the client sends one request at a time.
    next: Option<Instant>,
    /// Sending time of its last copy.
    last: Instant,
    /// True where it no longer waits when the trace ends.
    over: bool,
}

impl Waiting {
    fn of(exchange: &Exchange, survey: &Survey, next: Option<Instant>, end_of_trace: Instant) -> Self {
        let next = next.filter(|_| survey.nstart == 1);
        let last = exchange.copies.last().map_or(exchange.start(), |c| c.sent);
        Self { next, last, over: next.is_some() || end_of_trace - last > longest_wait(exchange) }
    }
}

/// Finds the reply that ended an exchange, or its outcome without one, where the capture has all that the client sends
/// and gets.
///
/// A client that sends one request at a time (NSTART 1) has given up on an exchange when it begins the next: replies
/// that arrive later are late replies.
pub(super) fn close(
    exchange: &mut Exchange,
    survey: &Survey,
    next: Option<Instant>,
    messages: &[Message],
    end_of_trace: Instant,
) {
    let Waiting { next, last, over } = Waiting::of(exchange, survey, next, end_of_trace);
    let in_time = |&(at, _): &(Instant, usize)| next.is_none_or(|next| at <= next);
    let seen = || exchange.replies.iter().enumerate().filter_map(|(i, r)| r.arrived.map(|at| (at, i)));
    let mut first = seen().filter(in_time).min();
    if first.is_none() && over && exchange.copies.len() < survey.most_copies.max(DEFAULT_COPIES) {
        // A client stops before its last copy only for an answer: one that was not seen to arrive did, or arrived
        // before its link-layer acknowledgement was seen, and no later than the next request.
        let may = |(i, r)| perhaps(r, messages, next.unwrap_or(end_of_trace)).map(|at| (at, i));
        let (early, late): (Vec<_>, Vec<_>) =
            exchange.replies.iter().enumerate().filter_map(may).partition(|&(at, _)| at < last);
        first = late.into_iter().min().or_else(|| early.into_iter().max());
    }
    let Some((at, index)) = first else {
        exchange.outcome = if over { Outcome::Abandoned } else { Outcome::Open };
        return;
    };
    end(exchange, at, index);
}

/// Ends the exchange at `at` with the reply at position `index`.
fn end(exchange: &mut Exchange, at: Instant, index: usize) {
    exchange.end = Some(at);
    if let Some(reply) = exchange.replies.get_mut(index) {
        reply.arrived = Some(at);
        reply.closing = true;
        exchange.outcome = match reply.kind {
            ReplyKind::EmptyAck | ReplyKind::Piggybacked => Outcome::Acked,
            ReplyKind::Separate => Outcome::Separate,
            ReplyKind::Reset => Outcome::Reset,
        };
    }
}

/// Number of copies of an exchange that gets no answer: the first, and MAX_RETRANSMIT = 4 (RFC 7252 §4.8).
const DEFAULT_COPIES: usize = 5;

/// Returns the latest time at which a reply would have arrived that was on its last hop to the client before `next`.
fn perhaps(reply: &Reply, messages: &[Message], next: Instant) -> Option<Instant> {
    let message = message_at(messages, reply.message)?;
    let there = |h: &&KeptHop| h.nodes.reaches && h.delivery != Delivery::No && h.sent < next;
    message.chain().iter().filter(there).filter_map(|h| h.arrived).map(|at| at.min(next)).min()
}

/// Returns the longest time that a client may still wait after its last copy. Known only in part: with exponential
/// back-off (RFC 7252 §4.2) the last timer is at most three times the longest gap (the largest
/// back-off factor of any published scheme), and a client that has sent just one copy may wait
/// ACK_TIMEOUT × ACK_RANDOM_FACTOR × 2^MAX_RETRANSMIT (RFC 7252 §4.8: 48 s).
fn longest_wait(exchange: &Exchange) -> Span {
    /// Longest last timer with default parameters (RFC 7252 §4.8): 2 s × 1.5 × 2^4.
    const DEFAULT_LAST_TIMER: Span = Span::from_secs(48);
    let longest = exchange.copies.windows(2).map(|w| w[1].sent - w[0].sent).max();
    longest.map_or(DEFAULT_LAST_TIMER, |gap| gap.scale(3, 1).max(Span::from_secs(1)))
}
