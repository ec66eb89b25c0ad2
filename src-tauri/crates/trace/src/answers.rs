//! Which reply answers which copy, and what became of the others.
//!
//! Three sources, best first. The retransmission-count option: the reply says which copy it answers. The hops: a copy
//! seen to reach the server before the reply left. The times: which round-trip times are usual here ([`likely`]).

mod likely;

use crate::exchange::{Association, Copy, Evidence, Exchange, Fate, Reply, Vantage};
use crate::message::{Delivery, Hop, Message};
use crate::reconstruct::message;
use base::{Instant, Span};
use likely::{Case, Likely, Model};
use std::cmp::Reverse;
use wire::ieee802154::MacAddr;

/// From this probability on a choice between possible answers is an inference, below it a guess.
const INFERRED: f64 = 0.9;

/// A reply's copy, and how we know.
type Answer = Option<(usize, Evidence)>;

/// Fill in fates, evidence and the links between copies and replies.
pub(crate) fn assign(association: &Association, exchanges: &mut [Exchange], messages: &[Message]) {
    let counts = Counts::new(association, exchanges, messages);
    let known = |exchange: &Exchange| -> Vec<Option<usize>> {
        exchange.replies.iter().map(|reply| counts.copy(&exchange.copies, reply)).collect()
    };
    let single = single(association, exchanges);
    if association.vantage == Vantage::Everywhere {
        // How long the server took from the arrival of a request to its reply, at most.
        let took = single.iter().filter_map(|e| Some(e.replies.first()?.sent - e.copies.first()?.arrived?));
        let turnaround = took.max().unwrap_or(Span::MAX);
        for id in &association.exchanges {
            let Some(exchange) = exchanges.get_mut(id.index()) else { continue };
            let answers = by_hops(exchange, &known(exchange), messages, turnaround);
            settle(exchange, &answers, |_, copy| unanswered(copy, messages), messages);
            doubt(exchange, messages);
        }
        return;
    }
    let rtts: Vec<Span> = single.iter().filter_map(|e| Some(e.replies.first()?.arrived? - e.start())).collect();
    let mine = || association.exchanges.iter().filter_map(|id| exchanges.get(id.index()));
    let cases: Vec<Case> = mine().filter(|e| !is_plain(e)).map(|exchange| case(exchange, &known(exchange))).collect();
    let several: Vec<&Case> = cases.iter().filter(|case| case.sent.len() > 1).collect();
    let model = Model::learn(&rtts, &several);
    let mut cases = cases.iter();
    for id in &association.exchanges {
        let Some(exchange) = exchanges.get_mut(id.index()) else { continue };
        if is_plain(exchange) {
            plain(exchange, messages);
        } else if let Some(case) = cases.next() {
            by_times(exchange, case, &model.assign(case), messages);
        }
    }
}

/// Whether there is nothing to choose from: one copy, and at most one reply, after it.
fn is_plain(exchange: &Exchange) -> bool {
    let after = |reply: &Reply| reply.arrived.is_none_or(|at| at >= exchange.start());
    exchange.copies.len() == 1 && exchange.replies.len() <= 1 && exchange.replies.iter().all(after)
}

/// The reply answers the copy, if it arrived.
fn plain(exchange: &mut Exchange, messages: &[Message]) {
    let answer = |reply: &Reply| reply.arrived.map(|_| (0, Evidence::Proven));
    let answer = exchange.replies.first().map(answer);
    settle(exchange, answer.as_slice(), |_, _| (Fate::Lost, Evidence::Proven), messages);
}

/// The exchanges in which there was no doubt: one copy, and a reply to it.
fn single<'a>(association: &Association, exchanges: &'a [Exchange]) -> Vec<&'a Exchange> {
    let mine = association.exchanges.iter().filter_map(|id| exchanges.get(id.index()));
    mine.filter(|e| e.copies.len() == 1 && !e.replies.is_empty()).collect()
}

/// What the retransmission-count option says.
struct Counts<'a> {
    messages: &'a [Message],
    /// The server echoes the option: a reply without it answers a copy without it.
    echoed: bool,
}

impl<'a> Counts<'a> {
    fn new(association: &Association, exchanges: &[Exchange], messages: &'a [Message]) -> Self {
        let mine = association.exchanges.iter().filter_map(|id| exchanges.get(id.index()));
        let mut replies = mine.flat_map(|e| &e.replies).filter_map(|r| message(messages, r.message));
        Self { messages, echoed: replies.any(|m| m.rc.is_some()) }
    }

    /// The copy that `reply` says it answers.
    fn copy(&self, copies: &[Copy], reply: &Reply) -> Option<usize> {
        let rc = message(self.messages, reply.message)?.rc;
        if rc.is_none() && !self.echoed {
            return None;
        }
        let mut same = (0..copies.len())
            .filter(|&i| copies.get(i).and_then(|c| message(self.messages, c.message)).is_some_and(|m| m.rc == rc));
        same.next().filter(|_| same.next().is_none())
    }
}

/// Write the answers into the exchange; `unanswered` tells the fate of copies without one.
fn settle(
    exchange: &mut Exchange,
    answers: &[Answer],
    unanswered: impl Fn(usize, &Copy) -> (Fate, Evidence),
    messages: &[Message],
) {
    let narrow = |i: usize| u8::try_from(i).unwrap_or(u8::MAX);
    for (reply, answer) in exchange.replies.iter_mut().zip(answers) {
        reply.answers = answer.map(|(copy, _)| narrow(copy));
    }
    for (index, copy) in exchange.copies.iter_mut().enumerate() {
        let mine = |&(_, answer): &(usize, &Answer)| answer.is_some_and(|(copy, _)| copy == index);
        let answer = answers.iter().enumerate().find(mine).and_then(|(r, a)| Some((r, a.as_ref()?.1)));
        copy.reply = answer.map(|(r, _)| narrow(r));
        let reply = answer.and_then(|(r, evidence)| Some((exchange.replies.get(r)?, evidence)));
        (copy.fate, copy.evidence) = match reply {
            Some((reply, evidence)) => match reply.arrived {
                Some(at) => (Fate::Answered { rtt: at - copy.sent }, evidence.min(arrival(reply, messages))),
                None => (Fate::ReplyLost, evidence.min(reply_loss(reply, messages))),
            },
            None => unanswered(index, copy),
        };
    }
}

/// Every hop was followed: a reply answers the oldest copy that had reached the server and has no answer yet, but for
/// those that the server should have answered long before: it dropped them (fragments that it could not reassemble).
fn by_hops(exchange: &Exchange, known: &[Option<usize>], messages: &[Message], turnaround: Span) -> Vec<Answer> {
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
                let only = there.iter().filter(|c| c.rank >= Rank::PerhapsDue).count() == 1;
                let sure = only && first.rank == Rank::Due;
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
fn perhaps(copy: &Copy, messages: &[Message]) -> Option<Instant> {
    let message = message(messages, copy.message)?;
    let there = |h: &&Hop| message.reaches(h) && h.delivery != Delivery::No;
    message.hops.iter().filter(there).filter_map(|h| h.arrived).min()
}

/// The replies that arrived, in order of arrival.
fn arrivals(exchange: &Exchange) -> Vec<(Instant, usize)> {
    let mut arrived: Vec<_> =
        exchange.replies.iter().enumerate().filter_map(|(i, r)| r.arrived.map(|at| (at, i))).collect();
    arrived.sort_unstable();
    arrived
}

fn case(exchange: &Exchange, known: &[Option<usize>]) -> Case {
    let arrived = arrivals(exchange);
    Case {
        sent: exchange.copies.iter().map(|c| c.sent).collect(),
        arrived: arrived.iter().map(|&(at, _)| at).collect(),
        known: arrived.iter().map(|&(_, reply)| known.get(reply).copied().flatten()).collect(),
    }
}

/// Only times are known: the likeliest assignment of what arrived.
fn by_times(exchange: &mut Exchange, case: &Case, likely: &Likely, messages: &[Message]) {
    let mut answers: Vec<Answer> = vec![None; exchange.replies.len()];
    for (((at, reply), known), answer) in arrivals(exchange).into_iter().zip(&case.known).zip(&likely.answers) {
        let Some((copy, probability)) = *answer else { continue };
        let only = case.sent.iter().filter(|&&sent| sent <= at).count() == 1;
        let evidence = if known.is_some() || only {
            Evidence::Proven
        } else if probability >= INFERRED {
            Evidence::Inferred
        } else {
            Evidence::Unknown
        };
        if let Some(slot) = answers.get_mut(reply) {
            *slot = Some((copy, evidence));
        }
    }
    let all_proven = answers.iter().flatten().all(|&(_, evidence)| evidence == Evidence::Proven);
    let lost = |index: usize, _: &Copy| {
        let evidence = match likely.answered(index) {
            _ if all_proven => Evidence::Proven,
            probability if probability <= 1.0 - INFERRED => Evidence::Inferred,
            _ => Evidence::Unknown,
        };
        (Fate::Lost, evidence)
    };
    settle(exchange, &answers, lost, messages);
}

/// Where the hops of two copies, or of two replies, may be each other's, what follows from them is not proven.
fn doubt(exchange: &mut Exchange, messages: &[Message]) {
    let copies = mixed(exchange.copies.iter().map(|c| message(messages, c.message)));
    let replies = mixed(exchange.replies.iter().map(|r| message(messages, r.message)));
    for (copy, mixed) in exchange.copies.iter_mut().zip(copies) {
        if mixed || copy.reply.is_some_and(|r| replies.get(usize::from(r)) == Some(&true)) {
            copy.evidence = copy.evidence.min(Evidence::Inferred);
        }
    }
}

/// For each of some messages, whether some of its hops may be those of another of them with the same content: both had
/// reached a node before one was sent on from there, and the other never was.
fn mixed<'a>(messages: impl Iterator<Item = Option<&'a Message>>) -> Vec<bool> {
    let messages: Vec<Option<&Message>> = messages.collect();
    let held = |m: &Message, at: &Hop| {
        let had = |h: &Hop| h.dst == at.src && h.delivery == Delivery::Yes && h.arrived.is_some_and(|a| a <= at.sent);
        m.hops.iter().any(had) && m.hops.iter().all(|h| h.src != at.src)
    };
    let mut flags = vec![false; messages.len()];
    for (i, a) in messages.iter().enumerate() {
        for (j, b) in messages.iter().enumerate() {
            let (Some(a), Some(b)) = (a, b) else { continue };
            if i != j && a.rc == b.rc && a.hops.iter().any(|hop| held(b, hop)) {
                flags[i] = true;
                flags[j] = true;
            }
        }
    }
    flags
}

/// How sure it is that a reply which is said to have arrived did, then: every hop was seen, or there are none.
fn arrival(reply: &Reply, messages: &[Message]) -> Evidence {
    let Some(message) = message(messages, reply.message) else { return Evidence::Unknown };
    let wired = message.hops.iter().all(|h| h.src == MacAddr::None);
    if wired || message.delivered == reply.arrived { Evidence::Proven } else { Evidence::Inferred }
}

/// How sure it is that a reply which was not seen to arrive did not.
fn reply_loss(reply: &Reply, messages: &[Message]) -> Evidence {
    let last = message(messages, reply.message).and_then(|m| m.hops.last());
    match last.map(|h| (h.delivery, h.arrived.is_some())) {
        Some((Delivery::No, _) | (_, false)) => Evidence::Proven,
        Some((Delivery::Unlikely | Delivery::Yes, _)) => Evidence::Inferred,
        Some((Delivery::Unknown, _)) | None => Evidence::Unknown,
    }
}

/// A followed copy without an answer: where was it last seen?
fn unanswered(copy: &Copy, messages: &[Message]) -> (Fate, Evidence) {
    if copy.arrived.is_some() {
        // The server's node had it, and no reply left that node: it dropped the one or the other.
        return (Fate::Lost, Evidence::Inferred);
    }
    let last = message(messages, copy.message).and_then(|m| m.hops.last());
    match last.map(|h| (h.delivery, h.arrived.is_some())) {
        Some((Delivery::No, _) | (_, false)) => (Fate::RequestLost, Evidence::Proven),
        // Reached a node that never sent it on.
        Some((Delivery::Unlikely | Delivery::Yes, true)) => (Fate::RequestLost, Evidence::Inferred),
        Some((Delivery::Unknown, true)) | None => (Fate::Unknown, Evidence::Unknown),
    }
}
