//! Which reply answers which copy where only the times of both are known.
//!
//! Every assignment of the replies to copies sent before them gets a weight: how usual the round-trip times are that it
//! would mean, and how often replies overtake each other. An assignment is as probable as its share of all weights. Both
//! are learned from the exchanges themselves, by expectation and maximisation: exchanges with one copy say what is
//! usual, then those with more, each assignment as far as it is probable.

use base::{Instant, Span};
use std::cmp::Ordering;

/// Rounds of learning.
const ROUNDS: usize = 4;

/// Replies that overtake another, of those that could, before any was seen: servers answer in the order of arrival, but
/// links may change the order of datagrams. It counts as much as [`PRIOR_PAIRS`] pairs seen.
const PRIOR_OVERTAKING: f64 = 0.03;

/// See [`PRIOR_OVERTAKING`].
const PRIOR_PAIRS: f64 = 10.0;

/// The share of round-trip times that are like no other: copies in a queue that overflows, a sleeping node, a detour.
/// Round-trip times beyond the timer are never seen unambiguously, so this must not be small.
const UNUSUAL: f64 = 0.1;

/// Unusual round-trip times are spread evenly on a logarithmic scale over this many factors of e (1 ms to 100 s).
const UNUSUAL_RANGE: f64 = 11.5;

/// A reply that answers none of the copies: the network doubled one.
const STRAY: f64 = 1e-9;

/// Replies of one exchange that are told apart; more are strays.
const MOST_REPLIES: usize = 5;

/// Copies that a reply may answer: the youngest ones before it.
const MOST_COPIES: usize = 6;

/// Exchanges with one copy that are learned from: more say no more.
const MOST_SINGLE: usize = 65_536;

/// Exchanges with more copies that are learned from.
const MOST_CASES: usize = 4_096;

/// The times of one exchange: at the client when copies were sent and replies came, at the server when copies came and
/// replies were sent.
pub(super) struct Case {
    /// When the copies were sent, in order.
    pub(super) sent: Vec<Instant>,
    /// When replies arrived, in order.
    pub(super) arrived: Vec<Instant>,
    /// The copies that the replies say they answer.
    pub(super) known: Vec<Option<usize>>,
    /// How likely each copy is to be answered, whatever the times, next to the others; none: all are alike.
    pub(super) odds: Vec<f64>,
}

/// What is usual on a path.
pub(super) struct Model {
    /// Natural logarithms of round-trip times in seconds: quantiles of what was seen.
    usual: Vec<f64>,
    /// Standard deviation of the kernel around each.
    width: f64,
    /// How much less probable an assignment is for each pair of replies out of the order of the copies they answer.
    overtaking: f64,
}

impl Model {
    const QUANTILES: u32 = 64;

    /// Of exchanges with several copies, those that are learned from.
    pub(super) fn sample<T>(several: &[T]) -> impl Iterator<Item = &T> {
        every(several, MOST_CASES)
    }

    /// Learn from the round-trip times of exchanges with one copy and one reply, and from a sample of the others.
    pub(super) fn learn(single: &[Span], cases: &[Case]) -> Self {
        let mut single: Vec<Seen> = every(single, MOST_SINGLE).map(|&rtt| (log(rtt), 1.0)).collect();
        single.sort_unstable_by(by_value);
        let mut model = Self::new(&single, 0.0, 0.0);
        // Where there are no others, more rounds learn nothing.
        let rounds = if cases.is_empty() { 0 } else { ROUNDS };
        for _ in 0..rounds {
            let mut more = Vec::new();
            let (mut pairs, mut overtaken) = (0.0, 0.0);
            for case in cases {
                let likely = model.assign(case);
                pairs += likely.ordered.0;
                overtaken += likely.ordered.1;
                for (&arrived, shares) in case.arrived.iter().zip(likely.shares.chunks(case.sent.len().max(1))) {
                    let share = |(&sent, &share): (&Instant, &f64)| (share > 0.0).then(|| (log(arrived - sent), share));
                    more.extend(case.sent.iter().zip(shares).filter_map(share));
                }
            }
            let mut seen = single.clone();
            seen.append(&mut more);
            // Long runs that are in order already cost a merge.
            seen.sort_by(by_value);
            model = Self::new(&seen, pairs, overtaken);
        }
        model
    }

    /// From weighted logarithms of round-trip times in order, and pairs of replies and how many were out of order.
    fn new(seen: &[Seen], pairs: f64, overtaken: f64) -> Self {
        let n: f64 = seen.iter().map(|&(_, weight)| weight).sum();
        let mean = seen.iter().map(|&(x, weight)| x * weight).sum::<f64>() / n;
        let variance = seen.iter().map(|&(x, weight)| (x - mean) * (x - mean) * weight).sum::<f64>() / n;
        let (mut usual, mut below, mut next) = (Vec::new(), 0.0, 0);
        for &(x, weight) in seen {
            below += weight;
            while next < Self::QUANTILES && below >= n * (f64::from(next) + 0.5) / f64::from(Self::QUANTILES) {
                usual.push(x);
                next += 1;
            }
        }
        let rate = (overtaken + PRIOR_OVERTAKING * PRIOR_PAIRS) / (pairs + PRIOR_PAIRS);
        // Silverman 1986, eq. 3.31; with few samples nobody knows their spread.
        let width = (1.06 * variance.sqrt() * n.powf(-0.2)).max(0.7 / (1.0 + n)).max(0.02);
        Self { usual, width, overtaking: rate / (1.0 - rate).max(1e-3) }
    }

    /// The same where all replies go through one queue: it keeps their order.
    pub(super) fn queued(self) -> Self {
        /// A server may still answer out of order: one that asks another first.
        const OUT_OF_ORDER: f64 = 0.003;
        Self { overtaking: self.overtaking.min(OUT_OF_ORDER), ..self }
    }

    /// Probability density of a round-trip time, per second.
    fn density(&self, rtt: Span) -> f64 {
        let x = log(rtt);
        let kernel = |&s: &f64| (-0.5 * ((x - s) / self.width).powi(2)).exp() / (self.width * 2.506_628);
        // Beyond this distance the kernel is lost in the rounding of what is added below, at least UNUSUAL / UNUSUAL_RANGE:
        // exp(-0.5 * 9.5²) / (0.02 * 2.5) < 2^-53 * 0.1 / 11.5.
        let reach = 9.5 * self.width;
        let from = self.usual.partition_point(|&s| s <= x - reach);
        let near = self.usual.get(from..).unwrap_or_default().iter().take_while(|&&s| s < x + reach);
        let usual = match self.usual.len() {
            0 => 1.0 / UNUSUAL_RANGE,
            n => near.map(kernel).sum::<f64>() / n as f64,
        };
        ((1.0 - UNUSUAL) * usual + UNUSUAL / UNUSUAL_RANGE) / x.exp()
    }
}

/// The logarithm of a round-trip time, and how much it counts.
type Seen = (f64, f64);

fn by_value(a: &Seen, b: &Seen) -> Ordering {
    a.0.total_cmp(&b.0)
}

/// All of `values`, or evenly spaced ones where they are more than `most`.
fn every<T>(values: &[T], most: usize) -> impl Iterator<Item = &T> {
    values.iter().step_by(values.len().div_ceil(most).max(1))
}

/// The logarithm of a time in seconds, of at least a microsecond.
fn log(span: Span) -> f64 {
    span.secs_f64().max(1e-6).ln()
}

/// The likeliest assignment.
pub(super) struct Likely {
    /// Per reply: the copy that it answers, and how probable that is.
    pub(super) answers: Vec<Option<(usize, f64)>>,
    /// Reply by reply, per copy: how probable it is that the one answers the other.
    shares: Vec<f64>,
    /// How many copies there are.
    copies: usize,
    /// Pairs of replies that answer copies, and how many are expected to be out of order.
    ordered: (f64, f64),
}

impl Likely {
    /// How probable it is that one of the replies answers `copy`.
    pub(super) fn answered(&self, copy: usize) -> f64 {
        self.shares.iter().skip(copy).step_by(self.copies.max(1)).sum()
    }
}

impl Model {
    /// Assign replies to copies.
    pub(super) fn assign(&self, case: &Case) -> Likely {
        let Case { sent, arrived, known, odds } = case;
        let candidates = arrived.iter().zip(known).map(|(&arrived, &known)| {
            let before = |copy: &usize| sent.get(*copy).is_some_and(|&sent| sent <= arrived);
            let weigh = |copy: usize| {
                let odds = odds.get(copy).copied().unwrap_or(1.0);
                Some((copy, odds * self.density(arrived - *sent.get(copy)?)))
            };
            match known.filter(before) {
                Some(copy) => weigh(copy).into_iter().collect(),
                None => (0..sent.len()).rev().filter(before).take(MOST_COPIES).filter_map(weigh).collect(),
            }
        });
        let mut search = Search {
            candidates: candidates.take(MOST_REPLIES).collect(),
            overtaking: self.overtaking,
            strays: arrived.len() > sent.len(),
            chosen: Vec::new(),
            best: (0.0, Vec::new()),
            total: 0.0,
            shares: vec![0.0; sent.len() * arrived.len()],
            copies: sent.len(),
            ordered: (0.0, 0.0),
        };
        search.walk(1.0, 0);
        let Search { best: (_, best), total, mut shares, ordered: (pairs, overtaken), .. } = search;
        if total > 0.0 {
            shares.iter_mut().for_each(|share| *share /= total);
        }
        let answer = |reply: usize| {
            let copy = best.get(reply).copied().flatten()?;
            Some((copy, shares.get(reply * sent.len() + copy).copied().unwrap_or(0.0)))
        };
        let answers = (0..arrived.len()).map(answer).collect();
        let total = total.max(f64::MIN_POSITIVE);
        Likely { answers, shares, copies: sent.len(), ordered: (pairs / total, overtaken / total) }
    }
}

/// Walks through all assignments.
struct Search {
    /// Per reply: the copies it may answer, each with its weight.
    candidates: Vec<Vec<(usize, f64)>>,
    /// The weight of a pair out of order.
    overtaking: f64,
    /// Some reply may be a stray: there are more replies than copies.
    strays: bool,
    /// The choices for the replies so far.
    chosen: Vec<Option<usize>>,
    /// The heaviest assignment and its weight.
    best: (f64, Vec<Option<usize>>),
    /// The weight of all.
    total: f64,
    /// Reply by reply, per copy: the weight of the assignments that pair them.
    shares: Vec<f64>,
    /// How many copies there are.
    copies: usize,
    /// Pairs of replies, and pairs out of order, times weight.
    ordered: (f64, f64),
}

impl Search {
    fn walk(&mut self, weight: f64, overtaken: usize) {
        let reply = self.chosen.len();
        let Some(candidates) = self.candidates.get(reply) else {
            return self.settle(weight, overtaken);
        };
        let is_free = |search: &Self, copy| !search.chosen.contains(&Some(copy));
        // A stray is less probable than any round-trip time: worth a look only where there are too few copies.
        if self.strays || !candidates.iter().any(|&(copy, _)| is_free(self, copy)) {
            self.chosen.push(None);
            self.walk(weight * STRAY, overtaken);
            self.chosen.pop();
        }
        let mut next = 0;
        while let Some(&(copy, density)) = self.candidates.get(reply).and_then(|candidates| candidates.get(next)) {
            next += 1;
            if is_free(self, copy) {
                let before = self.chosen.iter().flatten().filter(|&&before| before > copy).count();
                let cost = (0..before).fold(1.0, |cost, _| cost * self.overtaking);
                self.chosen.push(Some(copy));
                self.walk(weight * density * cost, overtaken + before);
                self.chosen.pop();
            }
        }
    }

    fn settle(&mut self, weight: f64, overtaken: usize) {
        let answers = self.chosen.iter().flatten().count() as f64;
        self.total += weight;
        self.ordered.0 += weight * answers * (answers - 1.0) / 2.0;
        self.ordered.1 += weight * overtaken as f64;
        if weight > self.best.0 {
            self.best.0 = weight;
            self.best.1.clone_from(&self.chosen);
        }
        for (copy, shares) in self.chosen.iter().zip(self.shares.chunks_mut(self.copies.max(1))) {
            if let Some(sum) = copy.and_then(|copy| shares.get_mut(copy)) {
                *sum += weight;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> Instant {
        Instant::ZERO + Span::from_millis(millis)
    }

    fn case(sent: &[i64], arrived: &[i64]) -> Case {
        Case {
            sent: sent.iter().map(|&t| at(t)).collect(),
            arrived: arrived.iter().map(|&t| at(t)).collect(),
            known: vec![None; arrived.len()],
            odds: Vec::new(),
        }
    }

    /// Answers take 90 to 110 ms.
    fn usual() -> Vec<Span> {
        (0..50).map(|i| Span::from_micros(90_000 + 400 * i)).collect()
    }

    fn copies(likely: &Likely) -> Vec<Option<usize>> {
        likely.answers.iter().map(|answer| answer.map(|(copy, _)| copy)).collect()
    }

    #[test]
    fn a_reply_after_the_usual_time_answers_the_copy_before_it() {
        let likely = Model::learn(&usual(), &[]).assign(&case(&[0, 2_000], &[2_100]));
        assert_eq!(copies(&likely), [Some(1)]);
        assert!(likely.answered(0) < 0.01 && likely.answered(1) > 0.99);
    }

    #[test]
    fn replies_keep_the_order_of_the_copies_unless_that_is_absurd() {
        let model = Model::learn(&usual(), &[]);
        // Both late, together: a server that slept.
        assert_eq!(copies(&model.assign(&case(&[0, 2_000], &[5_000, 5_001]))), [Some(0), Some(1)]);
        // The second copy's answer in the usual time, the first one's after a detour.
        assert_eq!(copies(&model.assign(&case(&[0, 500], &[600, 900]))), [Some(1), Some(0)]);
    }

    #[test]
    fn what_no_single_copy_shows_is_learned_from_the_others() {
        // The timer is 300 ms, and answers take 100 ms or 800: those are never seen with one copy alone.
        let slow: Vec<Case> = (0..40).map(|i| case(&[0, 300], &[800 + i, 1_100 + i])).collect();
        let single = case(&[0, 300], &[805]);
        assert_eq!(copies(&Model::learn(&usual(), &slow).assign(&single)), [Some(0)]);
    }

    #[test]
    fn what_a_reply_says_itself_is_true_and_more_replies_than_copies_are_strays() {
        let model = Model::learn(&[], &[]);
        let mut said = case(&[0, 2_000], &[2_100]);
        said.known = vec![Some(0)];
        assert_eq!(copies(&model.assign(&said)), [Some(0)]);
        assert_eq!(copies(&model.assign(&case(&[0], &[100, 200]))).iter().flatten().count(), 1);
        assert_eq!(copies(&model.assign(&case(&[100], &[50]))), [None]);
        assert_eq!(copies(&model.assign(&case(&[0, 300], &[100, 200]))).iter().flatten().count(), 1);
        assert_eq!(copies(&model.assign(&case(&[0; 40], &[1; 20]))).iter().flatten().count(), MOST_REPLIES);
    }
}
