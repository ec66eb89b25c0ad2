//! Reply matching where copies and replies are followed to and from the server: by the order in which copies reached
//! it and replies left it, and by how long it usually takes.
//!
//! A server that holds its replies in a queue, or answers late, may be answering any copy that it had and has not
//! answered; and of what its queue does not take nothing is seen. Where more copies had reached it than replies leave
//! it, the same weights as between client and server ([`super::likelihood`]) tell which were answered, or that nobody
//! can tell.

use super::last_seen::perhaps;
use super::likelihood::{Case, Model};
use super::{Answer, INFERRED};
use crate::model::{Evidence, Exchange, Message, OneOrMany};
use base::{Instant, Span};
use std::iter;

/// Prior share, 0 to 1, of the copies that reached the server and were not answered. It counts as much as
/// [`PRIOR_COPIES`] copies seen.
/// Chosen here; `cargo test --release -p trace --test truth fates` scores the fates that follow.
const PRIOR_DROPPED: f64 = 0.02;

/// Number of copies that the prior counts as, see [`PRIOR_DROPPED`].
const PRIOR_COPIES: f64 = 50.0;

/// Counts over the copies that were seen to reach a server.
#[derive(Default)]
pub(super) struct Counter {
    /// Times from the arrival of a copy to the first reply, of exchanges with one copy.
    turnarounds: Vec<Span>,
    /// Number of copies that arrived.
    arrived: usize,
    /// Number of replies, at most as many as copies arrived in each exchange.
    replies: usize,
}

impl Counter {
    /// Counts the arrived copies and the replies of an exchange, and its turnaround.
    pub fn add(&mut self, exchange: &Exchange) {
        let arrived = exchange.copies.iter().filter(|copy| copy.arrived.is_some()).count();
        self.arrived += arrived;
        self.replies += arrived.min(exchange.replies.len());
        if let ([copy], [reply, ..]) = (&exchange.copies[..], &exchange.replies[..]) {
            self.turnarounds.extend(copy.arrived.map(|at| reply.sent - at));
        }
    }
}

/// Model of the times in which a server answers.
pub(super) struct Server {
    /// Longest turnaround at which the only copy that was there is surely answered; [`Span::MAX`] where none is known.
    longest: Span,
    /// Distribution of turnarounds.
    usual: Model,
    /// Prior odds of a copy that surely arrived to be answered, relative to one that perhaps did.
    odds: f64,
}

/// Result of matching one exchange by hops.
pub(super) struct Followed {
    /// Answer by reply.
    pub answers: OneOrMany<Answer>,
    /// Probability that a copy is answered, by copy. Empty where there was no choice.
    pub answered: Vec<f64>,
}

impl Server {
    /// Learns the model from the counts and from exchanges with several copies, each with the copies that its replies
    /// say they answer.
    pub fn learn<'a>(
        counter: Counter,
        several: impl Iterator<Item = (&'a Exchange, OneOrMany<Option<usize>>)>,
        messages: &[Message],
    ) -> Self {
        let Counter { mut turnarounds, arrived, replies } = counter;
        let dropped = ((arrived - replies) as f64 + PRIOR_DROPPED * PRIOR_COPIES) / (arrived as f64 + PRIOR_COPIES);
        let odds = 1.0 / dropped;
        let cases = several.map(|(exchange, known)| Reached::new(exchange, messages).case(exchange, &known, odds));
        turnarounds.reverse();
        let longest = turnarounds.iter().copied().max().unwrap_or(Span::MAX);
        Self { longest, usual: Model::learn(&turnarounds, cases).queued(), odds }
    }

    /// Learns the model from `turnarounds` of exchanges with one copy and one reply; `longest`: the longest that counts
    /// as usual.
    pub fn of(turnarounds: &[Span], longest: Span) -> Self {
        Self { longest, usual: Model::learn(turnarounds, iter::empty()).queued(), odds: 1.0 / PRIOR_DROPPED }
    }

    /// Matches the replies of `exchange` to its copies. `known`: by reply, the copy that it says it answers.
    pub fn follow(&self, exchange: &Exchange, known: &[Option<usize>], messages: &[Message]) -> Followed {
        let reached = Reached::new(exchange, messages);
        let copies = exchange.copies.len();
        let likely = reached.may_choose(exchange).then(|| self.usual.assign(&reached.case(exchange, known, self.odds)));
        // Without a choice nothing is probable.
        let mut answered = Vec::new();
        if let Some(likely) = &likely {
            answered.resize(copies, 0.0);
            for (place, &(_, copy, _)) in reached.0.iter().enumerate() {
                if let Some(slot) = answered.get_mut(copy) {
                    *slot = likely.answered(place);
                }
            }
        }
        let mut answers: OneOrMany<Answer> = OneOrMany::new();
        // Per copy: how surely a reply before answers it.
        let mut taken_by: OneOrMany<Option<Evidence>> = exchange.copies.iter().map(|_| None).collect();
        for (index, (reply, known)) in exchange.replies.iter().zip(known).enumerate() {
            let taken = |copy: usize| taken_by.get(copy).is_some_and(Option::is_some);
            let surely_taken = |copy: usize| taken_by.get(copy) == Some(&Some(Evidence::Proven));
            // Without a choice: the one copy that was there, if there is one.
            let there = || reached.0.iter().filter(|&&(at, copy, _)| at <= reply.sent && !surely_taken(copy));
            let only = there().next().filter(|_| there().nth(1).is_none()).filter(|&&(_, copy, _)| !taken(copy));
            let chosen = || {
                let (place, probability) = likely.as_ref()?.answers.get(index).copied().flatten()?;
                let &(_, copy, _) = reached.0.get(place)?;
                let evidence = if probability >= INFERRED { Evidence::Inferred } else { Evidence::Unknown };
                Some((copy, evidence)).filter(|&(copy, _)| !taken(copy))
            };
            let answer = match (known.filter(|&copy| copy < copies && !taken(copy)), only) {
                (Some(copy), _) => Some((copy, Evidence::Proven)),
                (None, Some(&(at, copy, sure))) => {
                    let due = sure && reply.sent - at <= self.longest;
                    Some((copy, if due { Evidence::Proven } else { Evidence::Inferred }))
                }
                // Nothing was seen to arrive, but something was answered: the oldest copy sent by then.
                (None, None) => chosen().or_else(|| {
                    let sent = |&i: &usize| exchange.copies.get(i).is_some_and(|c| c.sent <= reply.sent);
                    (0..copies).filter(|&i| !taken(i)).find(sent).map(|i| (i, Evidence::Inferred))
                }),
            };
            if let Some((copy, evidence)) = answer
                && let Some(taken) = taken_by.get_mut(copy)
            {
                *taken = (*taken).max(Some(evidence));
            }
            answers.push(answer);
        }
        Followed { answers, answered }
    }
}

/// Copies that reached the server, or perhaps did, in order of time: arrival, position in the exchange, and true where
/// it is sure.
struct Reached(OneOrMany<(Instant, usize, bool)>);

impl Reached {
    fn new(exchange: &Exchange, messages: &[Message]) -> Self {
        let at = |(index, copy): (usize, &crate::model::Copy)| match copy.arrived {
            Some(at) => Some((at, index, true)),
            None => perhaps(copy, messages).map(|at| (at, index, false)),
        };
        let mut reached: OneOrMany<_> = exchange.copies.iter().enumerate().filter_map(at).collect();
        reached.sort_unstable();
        Self(reached)
    }

    /// Returns whether there was more than one copy for some reply.
    fn may_choose(&self, exchange: &Exchange) -> bool {
        let last = exchange.replies.last().map(|reply| reply.sent);
        last.is_some_and(|last| self.0.iter().filter(|&&(at, ..)| at <= last).count() > 1)
    }

    /// Returns the times at the server, copies by their place in this list.
    fn case(&self, exchange: &Exchange, known: &[Option<usize>], odds: f64) -> Case {
        let place = |copy: usize| self.0.iter().position(|&(_, other, _)| other == copy);
        Case {
            sent: self.0.iter().map(|&(at, ..)| at).collect(),
            arrived: exchange.replies.iter().map(|reply| reply.sent).collect(),
            known: known.iter().map(|known| known.and_then(place)).collect(),
            odds: self.0.iter().map(|&(.., sure)| if sure { odds } else { 1.0 }).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Copy, Fate, Head, Outcome, Reply, ReplyKind};
    use crate::{Code, Token};
    use base::{AssociationId, ExchangeId, MessageId};

    fn at(millis: i64) -> Instant {
        Instant::ZERO + Span::from_millis(millis)
    }

    /// Copies that reached the server at these times (`None`: not), and replies that left it at these.
    fn exchange(arrived: &[Option<i64>], sent: &[i64]) -> Exchange {
        let copy = |(index, arrived): (usize, &Option<i64>)| Copy {
            sent: at(0),
            message: MessageId::at(index),
            arrived: arrived.map(at),
            fate: Fate::Unknown,
            evidence: Evidence::Unknown,
            reply: None,
        };
        let reply = |(index, &sent): (usize, &i64)| Reply {
            message: MessageId::at(10 + index),
            kind: ReplyKind::Piggybacked,
            sent: at(sent),
            arrived: None,
            answers: None,
            closing: false,
        };
        let (mut copies, mut replies) = (OneOrMany::new(), OneOrMany::new());
        arrived.iter().enumerate().map(copy).for_each(|copy| copies.push(copy));
        sent.iter().enumerate().map(reply).for_each(|reply| replies.push(reply));
        Exchange {
            id: ExchangeId(0),
            association: AssociationId(0),
            mid: 1,
            token: Token::EMPTY,
            code: Code(1),
            payload: 0,
            copies,
            replies,
            outcome: Outcome::Acked,
            end: None,
            head: Head::Seen,
        }
    }

    /// Returns the copies that the replies are said to answer, where these times from arrival to reply are usual, ms.
    fn answers(usual: impl Iterator<Item = i64>, arrived: &[Option<i64>], sent: &[i64]) -> Vec<Answer> {
        let usual: Vec<Span> = usual.map(Span::from_millis).collect();
        let server = Server::of(&usual, usual.iter().copied().max().unwrap());
        let exchange = exchange(arrived, sent);
        server.follow(&exchange, &vec![None; sent.len()], &[]).answers.to_vec()
    }

    #[test]
    fn the_only_copy_that_was_there_is_answered() {
        let quick = || (0..60).map(|n| 4 + n % 3);
        assert_eq!(answers(quick(), &[None, Some(2_000)], &[2_005]), [Some((1, Evidence::Proven))]);
        // Longer than ever: perhaps something that was not seen was there before.
        assert_eq!(answers(quick(), &[None, Some(2_000)], &[4_000]), [Some((1, Evidence::Inferred))]);
        // The second came after the first reply had left.
        let both = answers(quick(), &[Some(0), Some(2_000)], &[5, 2_005]);
        assert_eq!(both, [Some((0, Evidence::Proven)), Some((1, Evidence::Proven))]);
    }

    #[test]
    fn of_two_copies_the_one_within_the_usual_time_is_answered() {
        let quick = (0..60).map(|n| 4 + n % 3);
        assert_eq!(answers(quick, &[Some(0), Some(2_000)], &[2_005]), [Some((1, Evidence::Inferred))]);
    }

    #[test]
    fn queued_replies_keep_order_unless_one_is_missing() {
        let slow = || (1..60).map(|n| n * 80);
        let both = answers(slow(), &[Some(0), Some(1_000)], &[1_500, 2_500]);
        assert_eq!(both, [Some((0, Evidence::Inferred)), Some((1, Evidence::Inferred))]);
        let one = answers(slow(), &[Some(0), Some(1_000)], &[2_500]);
        assert!(matches!(one[..], [Some((_, Evidence::Unknown))]), "{one:?}");
    }

    #[test]
    fn a_reply_without_a_seen_arrival_answers_the_oldest_copy() {
        assert_eq!(answers(1..60, &[None, None], &[700]), [Some((0, Evidence::Inferred))]);
    }
}
