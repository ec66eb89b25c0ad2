//! Learning of model errors from predictions whose truth is known.

use super::{Kind, ModelError};
use crate::estimate::NINETY;
use crate::metrics::MetricName;
use std::collections::{BTreeMap, BTreeSet};

/// One prediction without model error, and the real value, in the metric's unit.
#[derive(Clone, Debug)]
pub struct Known {
    /// Name of the world: runs of one are alike, and are left out together.
    pub world: String,
    /// Metric that was predicted.
    pub metric: MetricName,
    /// Mean of the prediction.
    pub mean: f64,
    /// 90 % interval of the prediction, lower end first.
    pub ninety: (f64, f64),
    /// Value of the metric in the real run, in its unit.
    pub real: f64,
}

/// Model error of one metric, as learned from predictions whose truth is known.
#[derive(Clone, PartialEq, Debug)]
pub struct Learned {
    /// Metric that it is the error of.
    pub metric: MetricName,
    /// Standard deviation of the relative error, a ratio, from all worlds; 1.645 at most, the one whose factor reaches
    /// farthest.
    pub relative: f64,
    /// Coverage, 0 to 1: share of pairs whose truth lies in the 90 % interval, each with the error learned without its
    /// world.
    pub left_out: f64,
    /// Number of pairs (prediction, truth).
    pub pairs: usize,
}

/// Least number of worlds from which the error of a kind of network is learned by itself: the conformal quantile, the
/// value of rank ⌈0.9 (n + 1)⌉ of n worlds, is one of them from nine on (Vovk, Gammerman & Shafer 2005).
const WORLDS: usize = 9;

/// Learns the model error of every metric of one kind of network from its `known` predictions; metrics without one are
/// left out. Where these are of fewer than nine worlds, the error is no less than that of `all` kinds together.
#[must_use]
pub fn learn(known: &[Known], all: &[Known]) -> Vec<Learned> {
    let worlds: BTreeSet<&str> = known.iter().map(|k| k.world.as_str()).collect();
    let all = if worlds.len() < WORLDS { all } else { &[] };
    let one = |metric| {
        let needed = |of: &'_ [Known]| -> Vec<(String, f64)> {
            of.iter().filter(|k| k.metric == metric).map(|k| (k.world.clone(), k.needed())).collect()
        };
        let (own, all) = (needed(known), needed(all));
        let size = |left_out: Option<&str>| {
            let of = |needed: &[(String, f64)]| {
                let rest = needed.iter().filter(|(world, _)| left_out != Some(world.as_str()));
                ninety(rest.map(|(world, needed)| (world.as_str(), *needed)).collect())
            };
            // Beyond it the interval of the factor is narrower again ([`deviation`]).
            of(&own).map(|own| own.max(of(&all).unwrap_or(0.0)).min(NINETY))
        };
        let by_world: BTreeMap<&str, Option<f64>> = worlds.iter().map(|&world| (world, size(Some(world)))).collect();
        let is_covered = |(world, needed): &&(String, f64)| {
            by_world.get(world.as_str()).copied().flatten().is_some_and(|size| *needed <= size)
        };
        let covered = own.iter().filter(is_covered).count();
        Some(Learned { metric, relative: size(None)?, left_out: covered as f64 / own.len() as f64, pairs: own.len() })
    };
    Kind::Tsch.errors().iter().filter_map(|error| one(error.metric)).collect()
}

impl Known {
    /// Least standard deviation of the relative error with which the truth is at the end of the 90 % interval; infinite
    /// where none is large enough.
    fn needed(&self) -> f64 {
        let off = self.real - self.mean;
        let half = if off > 0.0 { self.ninety.1 - self.mean } else { self.mean - self.ninety.0 };
        let absolute = NINETY * ModelError::absolute(self.metric);
        let rest = off * off - half * half - absolute * absolute;
        if rest <= 0.0 { 0.0 } else { deviation(off.signum() * rest.sqrt() / self.mean) }
    }
}

/// Standard deviation σ with which `off`, relative to the mean, is at the end of the 90 % interval of the factor that
/// [`super::add`] multiplies by, whose mean is 1: ln(1 + off) = ±1.645 σ − σ²/2. Infinite beyond the widest such
/// interval.
fn deviation(off: f64) -> f64 {
    let root = (NINETY * NINETY - 2.0 * off.ln_1p()).sqrt();
    if off < 0.0 {
        root - NINETY
    } else if root.is_finite() {
        NINETY - root
    } else {
        f64::INFINITY
    }
}

/// The 90 % quantile of needed errors, by world: the greater of the conformal one over pairs (the value of rank
/// ⌈0.9 (n + 1)⌉), which speaks for kinds of worlds with many pairs, and of that in which every world weighs the same,
/// however many pairs it has, which speaks for worlds to come (hierarchical conformal prediction: Lee, Barber &
/// Willett, arXiv:2306.06342). `None` without values.
fn ninety(mut needed: Vec<(&str, f64)>) -> Option<f64> {
    needed.sort_unstable_by(|a, b| a.1.total_cmp(&b.1));
    let rank = ((needed.len() + 1) as f64 * 0.9).ceil() as usize;
    let pooled = needed.get(rank.min(needed.len()).checked_sub(1)?)?.1;
    let mut pairs: BTreeMap<&str, f64> = BTreeMap::new();
    needed.iter().for_each(|(world, _)| *pairs.entry(world).or_default() += 1.0);
    let mut below = 0.0;
    let is_reached = |(world, _): &&(&str, f64)| {
        below += 1.0 / pairs.get(world).copied().unwrap_or(f64::INFINITY);
        // Shares of worlds do not sum up exactly.
        below >= 0.9 * pairs.len() as f64 - 1e-9
    };
    let balanced = needed.iter().find(is_reached)?.1;
    Some(pooled.max(balanced))
}

#[cfg(test)]
mod tests {
    use super::super::stretch;
    use super::*;

    fn known(world: &str, real: f64) -> Known {
        let metric = MetricName::DurationMean;
        Known { world: world.to_owned(), metric, mean: 1.0, ninety: (0.9, 1.1), real }
    }

    /// Learned from one kind alone.
    fn alone(known: &[Known]) -> Vec<Learned> {
        learn(known, known)
    }

    #[test]
    fn the_error_is_what_nine_in_ten_truths_need() {
        let mut all: Vec<Known> = (0..18).map(|i| known(["a", "b"][i % 2], 1.05)).collect();
        all.push(known("a", 2.0));
        let learned = alone(&all);
        assert_eq!((learned.len(), learned[0].pairs), (1, 19));
        assert_eq!(learned[0].relative, 0.0, "18 of 19 truths are inside as it is");
        all.push(known("c", 2.0));
        assert!(alone(&all)[0].relative > 0.49, "one world of three is off, with however few pairs");
        all.extend((0..10).map(|_| known("c", 2.0)));
        let learned = alone(&all);
        // 1.645 σ − σ²/2 = ln(1 + (1² − 0.1²)½).
        let reach = (NINETY - learned[0].relative / 2.0) * learned[0].relative;
        assert!((reach.exp() - 1.994_987).abs() < 1e-4, "{learned:?}");
        assert!(learned[0].left_out < 0.7, "world c is not covered by what a and b teach: {learned:?}");
    }

    #[test]
    fn a_truth_is_at_the_end_of_the_interval_that_its_error_gives() {
        for real in [0.05, 0.4, 0.8, 1.3, 2.0, 3.8] {
            let exact = Known { ninety: (1.0, 1.0), ..known("a", real) };
            let errors = [ModelError { metric: exact.metric, relative: exact.needed() }];
            let mut drawn: Vec<f64> = (0..20_000).map(|replicate| stretch(&errors, replicate)).collect();
            drawn.sort_unstable_by(f64::total_cmp);
            let end = drawn[if real < 1.0 { 1_000 } else { 19_000 }];
            assert!((end / real - 1.0).abs() < 0.05, "{end} for {real}");
        }
        let beyond = known("a", 4.5);
        assert!(beyond.needed().is_infinite(), "no factor of mean 1 has its 95 % quantile there");
        assert_eq!(alone(&vec![beyond; 30])[0].relative, NINETY, "the one that reaches farthest");
    }

    #[test]
    fn few_worlds_have_no_less_than_the_error_of_all() {
        let worlds = |first: usize, count: usize, real| {
            (first..first + count).flat_map(move |i| vec![known(&i.to_string(), real); 10])
        };
        let others: Vec<Known> = worlds(100, 20, 1.5).collect();
        for (count, few) in [(WORLDS - 1, true), (WORLDS, false)] {
            let own: Vec<Known> = worlds(0, count, 1.05).collect();
            let all: Vec<Known> = own.iter().chain(&others).cloned().collect();
            let learned = &learn(&own, &all)[0];
            assert_eq!(learned.relative > 0.0, few, "{count} worlds: {learned:?}");
            assert_eq!((learned.left_out, learned.pairs), (1.0, 10 * count));
        }
        let wrong: Vec<Known> = worlds(0, 4, 2.0).collect();
        let all: Vec<Known> = wrong.iter().chain(&others).cloned().collect();
        assert_eq!(learn(&wrong, &all)[0].relative, alone(&wrong)[0].relative, "its own, where that is larger");
    }
}
