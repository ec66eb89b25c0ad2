//! Search over all assignments of the replies of one exchange to its copies, each with its weight.

use super::{Case, Model, log};
use std::ops::Range;

/// Weight of a reply that answers none of the copies, as the network doubled one.
/// Chosen here: below the weight of any round-trip time.
const STRAY: f64 = 1e-9;

/// Most replies of one exchange that are assigned; more are strays.
/// Chosen here to bound time: the number of assignments grows exponentially.
pub(super) const MOST_REPLIES: usize = 5;

/// Most copies that a reply may answer: the youngest ones before it.
/// Chosen here to bound time; five copies are the most by default (RFC 7252 §4.8).
const MOST_COPIES: usize = 6;

/// A copy that a reply may answer.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    copy: usize,
    /// Prior odds of the copy to be answered, relative to the others.
    odds: f64,
    /// Natural logarithm of the round-trip time that it would mean, in seconds.
    pub log: f64,
    /// The round-trip time, seconds, at least 10^-6.
    pub seconds: f64,
}

/// Candidates of many exchanges, one after the other. They do not change between rounds of learning.
#[derive(Default)]
pub(super) struct Pool {
    /// Exchange by exchange, reply by reply, the youngest copy first.
    candidates: Vec<Candidate>,
    /// End of the candidates of each of the first [`MOST_REPLIES`] replies, counted from the first candidate of its
    /// exchange.
    ends: Vec<usize>,
    exchanges: Vec<Extent>,
}

/// Range of one exchange in a [`Pool`].
struct Extent {
    candidates: Range<usize>,
    ends: Range<usize>,
    replies: usize,
    copies: usize,
}

impl Pool {
    /// Adds the candidates of one exchange.
    pub fn add(&mut self, case: &Case) {
        let Case { sent, arrived, known, odds } = case;
        let (begin, first) = (self.candidates.len(), self.ends.len());
        for (&arrived, &known) in arrived.iter().zip(known).take(MOST_REPLIES) {
            let before = |copy: &usize| sent.get(*copy).is_some_and(|&sent| sent <= arrived);
            let candidate = |copy: usize| {
                let log = log(arrived - *sent.get(copy)?);
                Some(Candidate { copy, odds: odds.get(copy).copied().unwrap_or(1.0), log, seconds: log.exp() })
            };
            match known.filter(before) {
                Some(copy) => self.candidates.extend(candidate(copy)),
                None => {
                    let copies = (0..sent.len()).rev().filter(before).take(MOST_COPIES);
                    self.candidates.extend(copies.filter_map(candidate));
                }
            }
            self.ends.push(self.candidates.len() - begin);
        }
        self.exchanges.push(Extent {
            candidates: begin..self.candidates.len(),
            ends: first..self.ends.len(),
            replies: arrived.len(),
            copies: sent.len(),
        });
    }

    /// Returns the candidates of each exchange, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = Choices<'_>> {
        self.exchanges.iter().map(|&Extent { ref candidates, ref ends, replies, copies }| Choices {
            candidates: self.candidates.get(candidates.clone()).unwrap_or_default(),
            ends: self.ends.get(ends.clone()).unwrap_or_default(),
            replies,
            copies,
        })
    }

    /// Returns every candidate: exchange by exchange, each in the order of [`Choices::in_order`].
    pub fn in_order(&self) -> impl Iterator<Item = &Candidate> {
        self.iter().flat_map(Choices::in_order).map(|(candidate, _)| candidate)
    }
}

/// Candidates of one exchange.
#[derive(Clone, Copy)]
pub(super) struct Choices<'a> {
    candidates: &'a [Candidate],
    ends: &'a [usize],
    replies: usize,
    copies: usize,
}

impl<'a> Choices<'a> {
    /// Returns the first position and the candidates of a reply; `None` behind the last one.
    fn of_reply(self, reply: usize) -> Option<(usize, &'a [Candidate])> {
        let end = *self.ends.get(reply)?;
        let begin = reply.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        Some((begin, self.candidates.get(begin..end)?))
    }

    /// Returns whether there is no choice: one candidate of the one reply, or none at all.
    pub fn is_settled(self) -> bool {
        self.candidates.is_empty() || self.candidates.len() == 1 && self.replies == 1
    }

    /// Returns every candidate, reply by reply, the oldest copy first, with its index for [`Search::share`].
    pub fn in_order(self) -> impl Iterator<Item = (&'a Candidate, usize)> {
        (0..self.ends.len()).flat_map(move |reply| {
            let candidates = self.of_reply(reply).map_or(&[][..], |(_, candidates)| candidates);
            candidates.iter().rev().map(move |candidate| (candidate, reply * self.copies + candidate.copy))
        })
    }
}

/// The likeliest assignment of replies to copies, with the probabilities of all.
pub(in crate::judge::reply_matching) struct LikelyMatches {
    /// Position of the copy that a reply answers, and the probability of that, by reply; `None` for a stray.
    pub(in crate::judge::reply_matching) answers: Vec<Option<(usize, f64)>>,
    /// Probability that a reply answers a copy, at index reply × copies + copy.
    shares: Vec<f64>,
    /// Number of copies of the exchange.
    copies: usize,
}

impl LikelyMatches {
    /// Returns the probability that one of the replies answers `copy`.
    pub(in crate::judge::reply_matching) fn answered(&self, copy: usize) -> f64 {
        self.shares.iter().skip(copy).step_by(self.copies.max(1)).sum()
    }
}

/// Walks through all assignments of an exchange; its buffers serve for one exchange after the other.
#[derive(Default)]
pub(super) struct Search {
    /// Weight of each candidate.
    weights: Vec<f64>,
    /// Copies chosen for the replies so far; `None` for a stray.
    chosen: Vec<Option<usize>>,
    /// Largest weight of an assignment.
    most: f64,
    /// The assignment of that weight, by reply.
    best: Vec<Option<usize>>,
    /// Sum of the weights of all assignments.
    total: f64,
    /// Summed weight of the assignments that pair a reply with a copy, at index reply × copies + copy; in the end a
    /// probability.
    shares: Vec<f64>,
    /// Pairs of replies that answer copies, and those out of order, each summed with the weights.
    ordered: (f64, f64),
    /// Odds of a pair out of order, see [`Model`].
    overtaking: f64,
    /// True where some reply is a stray: there are more replies than copies.
    strays: bool,
}

impl Search {
    /// Weighs all assignments of `choices`. Returns the expected number of pairs of replies that answer copies, and of
    /// those out of order.
    pub fn run(&mut self, choices: Choices<'_>, model: &Model) -> (f64, f64) {
        self.weights.clear();
        self.weights.extend(choices.candidates.iter().map(|candidate| candidate.odds * model.density(candidate)));
        self.chosen.clear();
        self.best.clear();
        (self.most, self.total, self.ordered) = (0.0, 0.0, (0.0, 0.0));
        self.shares.clear();
        self.shares.resize(choices.copies * choices.replies, 0.0);
        (self.overtaking, self.strays) = (model.overtaking, choices.replies > choices.copies);
        self.walk(choices, 1.0, 0);
        if self.total > 0.0 {
            self.shares.iter_mut().for_each(|share| *share /= self.total);
        }
        let total = self.total.max(f64::MIN_POSITIVE);
        (self.ordered.0 / total, self.ordered.1 / total)
    }

    /// Returns the probability of a pair of [`Choices::in_order`], in the exchange walked through last.
    pub fn share(&self, pair: usize) -> f64 {
        self.shares.get(pair).copied().unwrap_or(0.0)
    }

    /// Returns the heaviest assignment of `case`, which was walked through last.
    pub fn likeliest(self, case: &Case) -> LikelyMatches {
        let Self { best, shares, .. } = self;
        let copies = case.sent.len();
        let answer = |reply: usize| {
            let copy = best.get(reply).copied().flatten()?;
            Some((copy, shares.get(reply * copies + copy).copied().unwrap_or(0.0)))
        };
        let answers = (0..case.arrived.len()).map(answer).collect();
        LikelyMatches { answers, shares, copies }
    }

    fn walk(&mut self, choices: Choices<'_>, weight: f64, overtaken: usize) {
        let Some((begin, candidates)) = choices.of_reply(self.chosen.len()) else {
            return self.settle(choices.copies, weight, overtaken);
        };
        // A stray is less probable than any round-trip time: worth a look only where there are too few copies.
        if self.strays || !candidates.iter().any(|candidate| self.is_free(candidate.copy)) {
            self.chosen.push(None);
            self.walk(choices, weight * STRAY, overtaken);
            self.chosen.pop();
        }
        for (place, &Candidate { copy, .. }) in (begin..).zip(candidates) {
            if self.is_free(copy) {
                let before = self.chosen.iter().flatten().filter(|&&before| before > copy).count();
                let cost = (0..before).fold(1.0, |cost, _| cost * self.overtaking);
                let density = self.weights.get(place).copied().unwrap_or(0.0);
                self.chosen.push(Some(copy));
                self.walk(choices, weight * density * cost, overtaken + before);
                self.chosen.pop();
            }
        }
    }

    fn is_free(&self, copy: usize) -> bool {
        !self.chosen.contains(&Some(copy))
    }

    fn settle(&mut self, copies: usize, weight: f64, overtaken: usize) {
        let answers = self.chosen.iter().flatten().count() as f64;
        self.total += weight;
        self.ordered.0 += weight * answers * (answers - 1.0) / 2.0;
        self.ordered.1 += weight * overtaken as f64;
        if weight > self.most {
            self.most = weight;
            self.best.clone_from(&self.chosen);
        }
        for (copy, shares) in self.chosen.iter().zip(self.shares.chunks_mut(copies.max(1))) {
            if let Some(sum) = copy.and_then(|copy| shares.get_mut(copy)) {
                *sum += weight;
            }
        }
    }
}
