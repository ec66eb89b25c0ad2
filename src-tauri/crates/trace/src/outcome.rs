//! How exchanges ended: which reply was the first to arrive, and what became of those without one.
//!
//! Three passes over all exchanges, with what is known of each association beside them. The exchanges of one association
//! lie far apart in a long capture: going through those of one after those of another would wait for memory most of the
//! time.

use crate::answers::{Answers, Samples};
use crate::exchange::{Association, Exchange, Outcome, Reply, ReplyKind, Vantage};
use crate::message::{Delivery, Hop, Message};
use crate::reconstruct::message;
use crate::workload::{Gaps, Sight, Survey};
use base::{Instant, Span};

/// What the second pass knows and learns of an association.
struct Course {
    survey: Survey,
    /// When the exchange after this one began.
    next: Option<Instant>,
    gaps: Gaps,
    samples: Samples,
}

/// Fill in what only all exchanges of an association tell: its vantage and workload, and how each exchange ended.
pub(crate) fn judge(
    associations: &mut [Association],
    exchanges: &mut [Exchange],
    messages: &[Message],
    end_of_trace: Instant,
) {
    let mut sights: Vec<Sight> = associations.iter().map(|_| Sight::default()).collect();
    for exchange in &*exchanges {
        if let Some(sight) = sights.get_mut(exchange.association.index()) {
            sight.add(exchange, messages);
        }
    }
    let course = |sight: Sight| {
        let survey = sight.survey();
        let samples = Samples::new(survey.vantage, survey.echoed);
        Course { survey, next: None, gaps: Gaps::default(), samples }
    };
    let mut courses: Vec<Course> = sights.into_iter().map(course).collect();
    // The youngest first: how one ended depends on when the next began.
    for exchange in exchanges.iter_mut().rev() {
        let Some(course) = courses.get_mut(exchange.association.index()) else { continue };
        arrive(exchange, course.survey.vantage, messages);
        close(exchange, course, messages, end_of_trace);
        course.gaps.add(exchange);
        course.samples.add(exchange);
        course.next = Some(exchange.start());
    }
    let settle = |(association, course): (&mut Association, Course)| {
        let Survey { vantage, hops, nstart, .. } = course.survey;
        (association.vantage, association.hops, association.nstart) = (vantage, hops, nstart);
        association.workload = course.gaps.workload();
        course.samples.learn(exchanges, messages)
    };
    let mut answers: Vec<Answers> = associations.iter_mut().zip(courses).map(settle).collect();
    for exchange in exchanges {
        if let Some(answers) = answers.get_mut(exchange.association.index()) {
            answers.assign(exchange, messages);
        }
    }
}

/// When the replies reached the client: by the hops where they were followed; else, for a capture
/// that sees what the client sees, when they were captured.
fn arrive(exchange: &mut Exchange, vantage: Vantage, messages: &[Message]) {
    for reply in &mut exchange.replies {
        let Some(message) = messages.get(reply.message.index()) else { continue };
        reply.arrived = match vantage {
            Vantage::Everywhere => message.delivered,
            Vantage::Client | Vantage::Between | Vantage::Server => {
                message.delivered.or_else(|| message.hops.last().and_then(|h| h.arrived))
            }
        };
    }
}

/// Which reply ended an exchange, and what became of it without one.
///
/// A client that sends one request at a time (NSTART 1) has given up on an exchange when it begins the next: replies
/// that arrive later were too late.
fn close(exchange: &mut Exchange, course: &Course, messages: &[Message], end_of_trace: Instant) {
    let next = course.next.filter(|_| course.survey.nstart == 1);
    let last = exchange.copies.last().map_or(exchange.start(), |c| c.sent);
    let over = next.is_some() || end_of_trace - last > longest_wait(exchange);
    let in_time = |&(at, _): &(Instant, usize)| next.is_none_or(|next| at <= next);
    let seen = || exchange.replies.iter().enumerate().filter_map(|(i, r)| r.arrived.map(|at| (at, i)));
    let mut first = seen().filter(in_time).min();
    if first.is_none() && over && exchange.copies.len() < course.survey.most_copies.max(DEFAULT_COPIES) {
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

/// The copies of an exchange that nobody answers: one and MAX_RETRANSMIT (RFC 7252 §4.8).
const DEFAULT_COPIES: usize = 5;

/// When a reply that was on its last hop to the client before `next` would have arrived there, at the latest.
fn perhaps(reply: &Reply, messages: &[Message], next: Instant) -> Option<Instant> {
    let message = message(messages, reply.message)?;
    let there = |h: &&Hop| message.reaches(h) && h.delivery != Delivery::No && h.sent < next;
    message.hops.iter().filter(there).filter_map(|h| h.arrived).map(|at| at.min(next)).min()
}

/// How long a client may still wait after its last copy. Known only in part: with exponential
/// back-off (RFC 7252 §4.2) the last timer is at most three times the longest gap (the largest
/// back-off factor of any published scheme), and a client that has sent just one copy may wait
/// ACK_TIMEOUT × ACK_RANDOM_FACTOR × 2^MAX_RETRANSMIT (RFC 7252 §4.8: 48 s).
fn longest_wait(exchange: &Exchange) -> Span {
    const DEFAULT_LAST_TIMER: Span = Span::from_secs(48);
    let longest = exchange.copies.windows(2).map(|w| w[1].sent - w[0].sent).max();
    longest.map_or(DEFAULT_LAST_TIMER, |gap| gap.scale(3, 1).max(Span::from_secs(1)))
}
