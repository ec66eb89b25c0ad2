//! Outcomes of exchanges where the capture does not have all that the client sends and gets: taken elsewhere, or by a
//! sniffer that misses frames.
//!
//! Messages missing from such a capture may have been sent all the same. The client's next step says more: it sends
//! another copy because no answer has come, and no more copies because one has.

use super::{DEFAULT_COPIES, Waiting, end};
use crate::judge::vantage::Survey;
use crate::model::{Exchange, Message, Outcome, message_at};
use base::Instant;

/// Finds the reply that ended an exchange, or its outcome without one. `next`: start of the client's next exchange.
pub(in crate::judge) fn close(
    exchange: &mut Exchange,
    survey: &Survey,
    next: Option<Instant>,
    messages: &[Message],
    end_of_trace: Instant,
) {
    let Waiting { next, over, .. } = Waiting::of(exchange, survey, next, end_of_trace);
    let stopped = over && exchange.copies.len() < survey.most_copies.max(DEFAULT_COPIES);
    let error = survey.view.correction.error;
    let in_time = |at: Instant| next.is_none_or(|next| at - error <= next);
    let start = exchange.start();
    let mut first: Option<(Instant, usize)> = None;
    let mut arrivals = Vec::with_capacity(exchange.replies.len());
    for (index, reply) in exchange.replies.iter().enumerate() {
        let expected = message_at(messages, reply.message).and_then(|m| survey.view.expected_after(start, m));
        arrivals.push(expected.filter(|e| e.sure).map(|e| e.at));
        let Some(expected) = expected.filter(|e| in_time(e.at)) else { continue };
        // Without the next request, the client may still be waiting for one that was last seen far from it.
        if expected.sure || (stopped || expected.near) && !expected.is_disproved(exchange, error) {
            let candidate = (expected.at, index);
            first = Some(first.map_or(candidate, |first| first.min(candidate)));
        }
    }
    for (reply, arrived) in exchange.replies.iter_mut().zip(arrivals) {
        reply.arrived = arrived;
    }
    match first {
        Some((at, index)) => end(exchange, at, index),
        None if stopped => exchange.outcome = Outcome::Acked,
        None if over => exchange.outcome = Outcome::Abandoned,
        None => exchange.outcome = Outcome::Open,
    }
}
