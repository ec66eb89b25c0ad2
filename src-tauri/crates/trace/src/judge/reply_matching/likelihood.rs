//! Likelihood matching: the copy that each reply answers, where only the times of both are known.
//!
//! Every assignment of the replies to copies sent before them gets a weight: how usual the round-trip times are that it
//! would mean, and how often replies overtake each other. An assignment is as probable as its share of all weights.
//! Both are learned from the exchanges themselves, by expectation and maximisation: exchanges with one copy say what is
//! usual, then those with more, each assignment as far as it is probable.

mod search;

use base::{Instant, Span};
pub(super) use search::LikelyMatches;
use search::{Candidate, Choices, Pool, Search};
use std::cmp::Ordering;

/// Rounds of expectation and maximisation.
/// Chosen here; `cargo test --release -p trace --test truth fates` scores the fates that follow.
const ROUNDS: usize = 4;

/// Prior share of pairs of replies of which one overtakes the other, 0 to 1: servers answer in the order of arrival,
/// but links may change the order of datagrams. It counts as much as [`PRIOR_PAIRS`] pairs seen.
/// Chosen here; `cargo test --release -p trace --test truth fates` scores the fates that follow.
const PRIOR_OVERTAKING: f64 = 0.03;

/// Number of pairs that the prior counts as, see [`PRIOR_OVERTAKING`].
const PRIOR_PAIRS: f64 = 10.0;

/// Share of unusual round-trip times, 0 to 1: copies in a queue that overflows, a sleeping node, a detour. Round-trip
/// times beyond the timer are never seen unambiguously, so this must not be small.
/// Chosen here; `cargo test --release -p trace --test truth fates` scores the fates that follow.
const UNUSUAL: f64 = 0.1;

/// Natural logarithm of the ratio of the longest to the shortest unusual round-trip time, which are spread evenly on a
/// logarithmic scale from 1 ms to 100 s.
/// Chosen here: below 1 ms no network answers, beyond 100 s no client waits (MAX_TRANSMIT_WAIT, RFC 7252 §4.8.2: 93 s).
const UNUSUAL_RANGE: f64 = 11.5;

/// Most exchanges with one copy that are learned from.
/// Chosen here to bound time.
const MOST_SINGLE: usize = 65_536;

/// Most exchanges with more copies that are learned from.
/// Chosen here to bound time.
const MOST_CASES: usize = 4_096;

/// Times of one exchange at one place: at the client those at which copies were sent and replies came, at the server
/// those at which copies came and replies were sent.
pub(super) struct Case {
    /// Times of the copies, in order.
    pub(super) sent: Vec<Instant>,
    /// Times of the replies, in order.
    pub(super) arrived: Vec<Instant>,
    /// Position in `sent` of the copy that a reply says it answers, by reply.
    pub(super) known: Vec<Option<usize>>,
    /// Prior odds of each copy to be answered, a ratio to the others'; empty where all are alike.
    pub(super) odds: Vec<f64>,
}

/// Distribution of round-trip times on a path, and the rate of replies out of order.
pub(super) struct Model {
    /// Quantiles of the natural logarithms of round-trip times in seconds, in order; empty where none was seen.
    usual: Vec<f64>,
    /// Standard deviation of the Gaussian kernel around each, in the same logarithms: a ratio of times.
    width: f64,
    /// Odds, as a ratio to those of the usual order, of a pair of replies out of the order of the copies that they
    /// answer.
    overtaking: f64,
}

impl Model {
    /// Number of quantiles that stand for the distribution. Chosen here to bound time: a density is asked once per
    /// candidate, and takes as many kernels; `cargo test --release -p trace --test truth fates` scores the fates that
    /// follow.
    const QUANTILES: u32 = 64;

    /// Returns the sample of exchanges with several copies that are learned from.
    pub(super) fn sample<T>(several: &[T]) -> impl Iterator<Item = &T> {
        every(several, MOST_CASES)
    }

    /// Learns the model from `single`, round-trip times of exchanges with one copy and one reply, and from a sample of
    /// the others.
    pub(super) fn learn(single: &[Span], cases: impl Iterator<Item = Case>) -> Self {
        let mut single: Vec<Seen> = every(single, MOST_SINGLE).map(|&rtt| (log(rtt), 1.0)).collect();
        single.sort_unstable_by(by_value);
        let mut model = Self::new(&single, 0.0, 0.0);
        let mut pool = Pool::default();
        cases.for_each(|case| pool.add(&case));
        // Without a choice, more rounds learn nothing.
        let rounds = match pool.iter().all(Choices::is_settled) {
            true => pool.iter().count().min(1),
            false => ROUNDS,
        };
        // In every round the same times, with other weights: put in order once. Without a place: of one copy.
        let times = pool.in_order().map(|candidate| candidate.log);
        let mut order: Vec<(f64, Option<usize>)> = single.iter().map(|&(time, _)| (time, None)).collect();
        order.extend(times.zip(0..).map(|(time, place)| (time, Some(place))));
        // Long runs that are in order already cost a merge.
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (mut weights, mut seen) = (Vec::new(), Vec::new());
        let mut search = Search::default();
        for _ in 0..rounds {
            weights.clear();
            let (mut pairs, mut overtaken) = (0.0, 0.0);
            for choices in pool.iter() {
                if choices.is_settled() {
                    weights.extend(choices.in_order().map(|_| 1.0));
                    continue;
                }
                let ordered = search.run(choices, &model);
                pairs += ordered.0;
                overtaken += ordered.1;
                weights.extend(choices.in_order().map(|(_, pair)| search.share(pair)));
            }
            let weight = |place: Option<usize>| place.map_or(Some(1.0), |place| weights.get(place).copied());
            seen.clear();
            seen.extend(order.iter().filter_map(|&(time, place)| Some((time, weight(place).filter(|&w| w > 0.0)?))));
            model = Self::new(&seen, pairs, overtaken);
        }
        model
    }

    /// Makes the model of weighted logarithms of round-trip times, in order; `pairs`: expected pairs of replies,
    /// `overtaken`: those out of order.
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
        // Silverman 1986, eq. 3.31; with few samples their spread is not known. Floors chosen here by judgement: 0.7
        // / (1 + n) lets a second round trip differ by a third of the first, and gives way to 0.02, a jitter of 2 %,
        // from 34 on; smaller ones exclude copies that were answered a little later. `cargo test --release -p trace
        // --test truth fates` scores the fates that follow.
        let width = (1.06 * variance.sqrt() * n.powf(-0.2)).max(0.7 / (1.0 + n)).max(0.02);
        Self { usual, width, overtaking: rate / (1.0 - rate).max(1e-3) }
    }

    /// Returns the model of replies that go through one queue, which keeps their order.
    pub(super) fn queued(self) -> Self {
        /// Odds of a pair out of order: a server may still answer so, one that asks another first.
        /// Chosen here; `cargo test --release -p trace --test truth fates` scores the fates that follow.
        const OUT_OF_ORDER: f64 = 0.003;
        Self { overtaking: self.overtaking.min(OUT_OF_ORDER), ..self }
    }

    /// Returns the probability density of the round-trip time that a candidate would mean, per second.
    fn density(&self, &Candidate { log, seconds, .. }: &Candidate) -> f64 {
        let kernel = |&s: &f64| (-0.5 * ((log - s) / self.width).powi(2)).exp() / (self.width * 2.506_628);
        // Beyond this distance the kernel is lost in the rounding of what is added below, at least UNUSUAL /
        // UNUSUAL_RANGE: exp(-0.5 * 9.5²) / (0.02 * 2.5) < 2^-53 * 0.1 / 11.5.
        let reach = 9.5 * self.width;
        let from = self.usual.partition_point(|&s| s <= log - reach);
        let near = self.usual.get(from..).unwrap_or_default().iter().take_while(|&&s| s < log + reach);
        let usual = match self.usual.len() {
            0 => 1.0 / UNUSUAL_RANGE,
            n => near.map(kernel).sum::<f64>() / n as f64,
        };
        ((1.0 - UNUSUAL) * usual + UNUSUAL / UNUSUAL_RANGE) / seconds
    }

    /// Assigns the replies of `case` to its copies.
    pub(super) fn assign(&self, case: &Case) -> LikelyMatches {
        let (mut pool, mut search) = (Pool::default(), Search::default());
        pool.add(case);
        for choices in pool.iter() {
            search.run(choices, self);
        }
        search.likeliest(case)
    }
}

/// Natural logarithm of a round-trip time in seconds, and its weight.
type Seen = (f64, f64);

fn by_value(a: &Seen, b: &Seen) -> Ordering {
    a.0.total_cmp(&b.0)
}

/// Returns `values`, or at most `most` evenly spaced ones of them.
fn every<T>(values: &[T], most: usize) -> impl Iterator<Item = &T> {
    values.iter().step_by(values.len().div_ceil(most).max(1))
}

/// Returns the natural logarithm of a time in seconds, of at least a microsecond.
fn log(span: Span) -> f64 {
    span.secs_f64().max(1e-6).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::iter;

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

    fn copies(likely: &LikelyMatches) -> Vec<Option<usize>> {
        likely.answers.iter().map(|answer| answer.map(|(copy, _)| copy)).collect()
    }

    #[test]
    fn a_reply_after_the_usual_time_answers_the_copy_before_it() {
        let likely = Model::learn(&usual(), iter::empty()).assign(&case(&[0, 2_000], &[2_100]));
        assert_eq!(copies(&likely), [Some(1)]);
        assert!(likely.answered(0) < 0.01 && likely.answered(1) > 0.99);
    }

    #[test]
    fn replies_keep_the_order_of_the_copies_unless_that_is_absurd() {
        let model = Model::learn(&usual(), iter::empty());
        // Both late, together: a server that slept.
        assert_eq!(copies(&model.assign(&case(&[0, 2_000], &[5_000, 5_001]))), [Some(0), Some(1)]);
        // The second copy's answer in the usual time, the first one's after a detour.
        assert_eq!(copies(&model.assign(&case(&[0, 500], &[600, 900]))), [Some(1), Some(0)]);
    }

    #[test]
    fn slow_replies_are_learned_from_exchanges_with_several_copies() {
        // The timer is 300 ms, and answers take 100 ms or 800: those are never seen with one copy alone.
        let slow = (0..40).map(|i| case(&[0, 300], &[800 + i, 1_100 + i]));
        let single = case(&[0, 300], &[805]);
        assert_eq!(copies(&Model::learn(&usual(), slow).assign(&single)), [Some(0)]);
    }

    #[test]
    fn echoed_counts_are_believed_and_surplus_replies_are_strays() {
        let model = Model::learn(&[], iter::empty());
        let mut said = case(&[0, 2_000], &[2_100]);
        said.known = vec![Some(0)];
        assert_eq!(copies(&model.assign(&said)), [Some(0)]);
        assert_eq!(copies(&model.assign(&case(&[0], &[100, 200]))).iter().flatten().count(), 1);
        assert_eq!(copies(&model.assign(&case(&[100], &[50]))), [None]);
        assert_eq!(copies(&model.assign(&case(&[0, 300], &[100, 200]))).iter().flatten().count(), 1);
        assert_eq!(copies(&model.assign(&case(&[0; 40], &[1; 20]))).iter().flatten().count(), search::MOST_REPLIES);
    }
}
