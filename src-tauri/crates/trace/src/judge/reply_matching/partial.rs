//! Reply matching where the capture does not have all that the client sends and gets.
//!
//! Nothing follows from what is not there. A copy that is followed by another had no answer by then; a reply after
//! which no more copies come was the answer ([`crate::judge::outcome`]); and what was acknowledged to the server or by
//! the client, was there.

use super::last_seen::perhaps;
use super::likelihood::{Case, Model};
use super::server::Server;
use super::{Answer, INFERRED};
use crate::judge::ambiguity::lower_ambiguous;
use crate::judge::vantage::{Expected, View};
use crate::model::{Delivery, Evidence, Exchange, Fate, Message, Outcome, message_at};
use base::{Instant, Span};

/// Counts over exchanges that are not seen whole.
#[derive(Default)]
pub(super) struct Seen {
    copies: usize,
    replies: usize,
    /// Times from the arrival of a request at the server to its reply, in exchanges with one of each.
    turnarounds: Vec<Span>,
}

impl Seen {
    /// Counts an exchange; `messages` are those of the trace.
    pub fn add(&mut self, exchange: &Exchange, view: &View, messages: &[Message]) {
        self.copies += exchange.copies.len();
        self.replies += exchange.replies.len().min(exchange.copies.len());
        if let ([copy], [reply], true) = (&exchange.copies[..], &exchange.replies[..], view.on_links)
            && let Some(at) = copy.arrived.or_else(|| perhaps(copy, messages)).filter(|&at| at <= reply.sent)
        {
            self.turnarounds.push(reply.sent - at);
        }
    }
}

/// Matcher for an association of which the capture does not have everything.
pub(super) struct PartialMatching {
    model: Model,
    /// Model of the server's answers.
    server: Server,
    /// 95th percentile of round-trip times; `None` where none are seen.
    usual: Option<Span>,
    /// Share of copies that have a reply, 0 to 1.
    answered: f64,
}

/// Returns the 95th percentile of `values`, the largest of up to 20; `None` without values.
/// Chosen here: one answer in twenty comes later, so that a copy without an answer by then is only inferred to be lost.
/// `cargo test --release -p trace --test truth sniffer` compares such fates with the truth.
fn mostly(values: &mut [Span]) -> Option<Span> {
    let at = (values.len() * 19 / 20).min(values.len().checked_sub(1)?);
    Some(*values.select_nth_unstable(at).1)
}

impl PartialMatching {
    /// Makes the matcher of the model of round-trip times, the counts, and the round-trip times of exchanges without a
    /// doubt.
    pub fn new(model: Model, mut seen: Seen, mut rtts: Vec<Span>) -> Self {
        let longest = mostly(&mut seen.turnarounds).unwrap_or(Span::ZERO);
        Self {
            model,
            server: Server::of(&seen.turnarounds, longest),
            usual: mostly(&mut rtts),
            answered: seen.replies as f64 / seen.copies.max(1) as f64,
        }
    }

    /// Sets fates, evidence and the links between copies and replies. `known`: by reply, the copy that it says it
    /// answers.
    pub fn assign(&self, exchange: &mut Exchange, known: &[Option<usize>], view: &View, messages: &[Message]) {
        let answers = self.answers(exchange, known, view, messages);
        let narrow = |i: usize| u8::try_from(i).unwrap_or(u8::MAX);
        for (reply, answer) in exchange.replies.iter_mut().zip(&answers) {
            reply.answers = answer.map(|(copy, _)| narrow(copy));
        }
        let verdicts: Vec<(Option<u8>, Fate, Evidence)> = (0..exchange.copies.len())
            .map(|index| {
                let mine = |&(_, answer): &(usize, &Answer)| answer.is_some_and(|(copy, _)| copy == index);
                match answers.iter().enumerate().find(mine) {
                    Some((reply, Some((_, evidence)))) => {
                        let (fate, grade) = self.arrived(exchange, index, reply, view, messages);
                        (Some(narrow(reply)), fate, grade.min(*evidence))
                    }
                    _ => {
                        let (fate, evidence) = self.unanswered(exchange, index, view, messages);
                        (None, fate, evidence)
                    }
                }
            })
            .collect();
        for (copy, verdict) in exchange.copies.iter_mut().zip(verdicts) {
            (copy.reply, copy.fate, copy.evidence) = verdict;
        }
        lower_ambiguous(exchange, messages);
        for copy in &mut exchange.copies {
            let reply = copy.reply.and_then(|r| exchange.replies.get(usize::from(r))).map(|r| r.message);
            let mut both = [Some(copy.message), reply].into_iter().flatten().filter_map(|id| message_at(messages, id));
            if !both.all(|m| view.is_continuous(m)) {
                copy.evidence = copy.evidence.min(Evidence::Inferred);
            }
        }
    }

    /// Returns the answer of each reply: at the server, each reply follows its request at once; elsewhere by the times.
    fn answers(&self, exchange: &Exchange, known: &[Option<usize>], view: &View, messages: &[Message]) -> Vec<Answer> {
        let (case, places) = case(exchange, known, view, messages);
        let likely = self.model.assign(&case);
        let mut by_time: Vec<Option<(usize, f64)>> = vec![None; exchange.replies.len()];
        for (&reply, answer) in places.iter().zip(&likely.answers) {
            if let Some(slot) = by_time.get_mut(reply) {
                *slot = *answer;
            }
        }
        let graded = |answer: &Option<(usize, f64)>| {
            answer.map(|(copy, p)| (copy, if p >= INFERRED { Evidence::Inferred } else { Evidence::Unknown }))
        };
        if !(view.sees_server() && view.on_links) {
            let proven = |(answer, known): (Answer, &Option<usize>)| known.map(|c| (c, Evidence::Proven)).or(answer);
            return by_time.iter().map(graded).zip(known).map(proven).collect();
        }
        let by_hops = self.server.follow(exchange, known, messages).answers;
        let agree = |(hops, time): (Answer, &Option<(usize, f64)>)| match (hops, graded(time)) {
            (Some((copy, Evidence::Proven)), _) => Some((copy, Evidence::Proven)),
            (Some((copy, _)), Some((same, evidence))) if copy == same => Some((copy, evidence)),
            (Some((copy, _)), _) => Some((copy, Evidence::Unknown)),
            (None, _) => None,
        };
        by_hops.iter().copied().zip(&by_time).map(agree).collect()
    }

    /// Returns the fate of the copy at position `copy`, which the reply at position `reply` answers.
    fn arrived(
        &self,
        exchange: &Exchange,
        copy: usize,
        reply: usize,
        view: &View,
        messages: &[Message],
    ) -> (Fate, Evidence) {
        /// Fate of a copy of which the capture cannot tell.
        const OPEN: (Fate, Evidence) = (Fate::Unknown, Evidence::Unknown);
        let (Some(copy), Some(reply)) = (exchange.copies.get(copy), exchange.replies.get(reply)) else { return OPEN };
        let start = exchange.start();
        let expected = message_at(messages, reply.message).and_then(|m| view.expected_after(start, m));
        let answered = |at: Instant| Fate::Answered { rtt: at - copy.sent };
        match expected {
            Some(Expected { at, sure: true, .. }) => (answered(at), Evidence::Proven),
            Some(expected) if expected.is_disproved(exchange, view.correction.error) => {
                (Fate::ReplyLost, Evidence::Inferred)
            }
            Some(Expected { at, .. }) if reply.closing => (answered(at), Evidence::Inferred),
            Some(_) => OPEN,
            // The copy was last seen on a hop that did not take it any further.
            None => {
                let last = message_at(messages, reply.message).and_then(|m| m.hops().next_back());
                match last.map(|h| (h.delivery, h.arrived.is_some())) {
                    Some((Delivery::No, true)) => (Fate::ReplyLost, Evidence::Proven),
                    _ => OPEN,
                }
            }
        }
    }

    /// Returns the fate of a copy that no reply is known to answer.
    fn unanswered(&self, exchange: &Exchange, index: usize, view: &View, messages: &[Message]) -> (Fate, Evidence) {
        /// Fate of a copy of which the capture cannot tell.
        const OPEN: (Fate, Evidence) = (Fate::Unknown, Evidence::Unknown);
        let Some(copy) = exchange.copies.get(index) else { return OPEN };
        let last = message_at(messages, copy.message).and_then(|m| m.hops().next_back());
        // A fragment that is missing here may have been sent.
        if last.is_some_and(|h| h.delivery == Delivery::No && h.arrived.is_some()) {
            return (Fate::RequestLost, Evidence::Proven);
        }
        // Answers would have come before the next copy, or before the client gave up.
        let Some(usual) = self.usual else { return OPEN };
        let next = exchange.copies.get(index + 1).map(|next| next.sent);
        let silent = match next {
            Some(next) => next - copy.sent > usual,
            None => exchange.outcome == Outcome::Abandoned,
        };
        let by_chance = (1.0 - self.answered) / (1.0 - self.answered + self.answered * view.missing).max(f64::EPSILON);
        let seen_all = view.missing > 0.0 && by_chance >= INFERRED;
        if silent || exchange.end.is_some() && seen_all { (Fate::Lost, Evidence::Inferred) } else { OPEN }
    }
}

/// Returns the times of an exchange at the client, replies as they would have arrived, and by reply of the case its
/// position in the exchange.
pub(super) fn case(
    exchange: &Exchange,
    known: &[Option<usize>],
    view: &View,
    messages: &[Message],
) -> (Case, Vec<usize>) {
    let expected = |(index, reply): (usize, &crate::model::Reply)| {
        let message = message_at(messages, reply.message)?;
        Some((view.expected_after(exchange.start(), message)?.at, index))
    };
    let mut arrived: Vec<(Instant, usize)> = exchange.replies.iter().enumerate().filter_map(expected).collect();
    arrived.sort_unstable();
    let case = Case {
        sent: exchange.copies.iter().map(|c| c.sent).collect(),
        arrived: arrived.iter().map(|&(at, _)| at).collect(),
        known: arrived.iter().map(|&(_, reply)| known.get(reply).copied().flatten()).collect(),
        odds: Vec::new(),
    };
    (case, arrived.into_iter().map(|(_, reply)| reply).collect())
}
