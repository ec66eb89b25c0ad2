//! Error of a channel as a model, added to its replicates: of the network twin, and of what *auto* takes without one.
//!
//! Replicates draw luck and every parameter from its posterior; they cannot know what the model lacks. How far it is
//! off was measured where the truth is known: over pairs (capture, other timer, real run) of worlds, each
//! predicted by a table that was learned without that world (split conformal over worlds: Vovk, Gammerman & Shafer
//! 2005; blocks as in Barber et al., Ann. Statist. 51, 2023). Every replicate is multiplied by a lognormal factor of
//! that size, common to all timers: a model that is too slow is so for each of them, and their differences stay as
//! sharp as they are. A MAC of which few worlds are known has at least the error of all twins together.
//!
//! The tables are made by `rtoscope calibrate DIR --model-error` over real runs, with the channel that each names;
//! [`learn`] is that computation. The error of a twin on its own capture is not taken out: it is luck for the most
//! part, and over 17 worlds of Cooja predictions were worse with such a correction (errors in the sum 7.7 for 6.4, the
//! right winner in 1,246 for 1,266 of 1,391 pairs).

use super::replicate::ReplicateMetrics;
use crate::estimate::NINETY;
use crate::metrics::{MetricName, Values};
use crate::model::{Policy, normals};
use base::philox;
use std::collections::{BTreeMap, BTreeSet};

/// Size of the model error of one metric, which is added to predictions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ModelError {
    /// Metric that it is the error of.
    pub metric: MetricName,
    /// Standard deviation of the relative error, as a share of the value; 0 for none.
    pub relative: f64,
}

/// Model errors with these relative sizes: of completion times (mean, median, 95th percentile), retransmissions,
/// needless copies and failed exchanges.
const fn table(relative: [f64; 6]) -> [ModelError; 6] {
    let [mean, median, p95, retries, needless, failed] = relative;
    [
        ModelError { metric: MetricName::DurationMean, relative: mean },
        ModelError { metric: MetricName::DurationP50, relative: median },
        ModelError { metric: MetricName::DurationP95, relative: p95 },
        ModelError { metric: MetricName::RetriesMean, relative: retries },
        ModelError { metric: MetricName::SpuriousAll, relative: needless },
        ModelError { metric: MetricName::PlrExchange, relative: failed },
    ]
}

/// Model error of twins of TSCH networks, by metric. Repeat with `rtoscope calibrate DIR --channel twin --model-error`.
pub const TSCH: [ModelError; 6] = table([0.11, 0.08, 0.18, 0.16, 0.23, 0.0]);

/// Model error of twins of CSMA networks, by metric. Repeat with `rtoscope calibrate DIR --channel twin --model-error`.
pub const CSMA: [ModelError; 6] = table([0.12, 0.09, 0.23, 0.18, 0.0, 0.49]);

/// Model error of channels that know nothing of hops in networks of several, by metric. Repeat with `rtoscope calibrate
/// DIR --channel empirical --model-error`.
pub const SEVERAL_HOPS: [ModelError; 6] = table([0.82, 0.85, 0.81, 0.62, 0.52, 0.0]);

/// Model error of channels that know nothing of hops where several clients share a path, by metric. Repeat with
/// `rtoscope calibrate DIR --channel auto --model-error`. Two worlds are known, fewer than the nine that a conformal
/// quantile needs ([`WORLDS`]); intervals with the error of one hold in the other.
pub const SHARED_PATH: [ModelError; 6] = table([0.02, 0.05, 0.07, 0.07, 0.06, 0.0]);

/// Difference of shares that is not worth telling apart: two in a thousand. Chosen here by judgement: no experiment
/// decides it; it keeps intervals of shares near 0, where a relative error adds nothing, from having no width, and
/// moves no other much.
const ABSOLUTE_SHARE: f64 = 0.002;
/// Difference of retransmissions per exchange that is not worth telling apart: five in a thousand. Chosen here by
/// judgement: no experiment decides it; as [`ABSOLUTE_SHARE`].
const ABSOLUTE_RETRIES: f64 = 0.005;

impl ModelError {
    /// Error of `name` among `errors`; metrics that follow from one of them have its error.
    fn of(errors: &[Self], name: MetricName) -> Option<Self> {
        let source = match name {
            MetricName::RetransmissionRate => MetricName::RetriesMean,
            MetricName::EarlyA | MetricName::EarlyB | MetricName::EarlyC | MetricName::B => MetricName::SpuriousAll,
            other => other,
        };
        errors.iter().find(|error| error.metric == source).copied()
    }

    /// Standard deviation of the absolute error that is always there, in the metric's unit; 0 for metrics without one.
    #[must_use]
    pub const fn absolute(metric: MetricName) -> f64 {
        match metric {
            MetricName::RetriesMean => ABSOLUTE_RETRIES,
            MetricName::SpuriousAll
            | MetricName::PlrExchange
            | MetricName::RetransmissionRate
            | MetricName::EarlyA
            | MetricName::EarlyB
            | MetricName::EarlyC
            | MetricName::B => ABSOLUTE_SHARE,
            _ => 0.0,
        }
    }
}

/// Half width of a 90 % interval around `mean` with the model error, from the `half` width without it; all in the
/// metric's unit.
#[must_use]
pub(crate) fn half_width(errors: &[ModelError], metric: MetricName, mean: f64, half: f64) -> f64 {
    let relative = ModelError::of(errors, metric).map_or(0.0, |error| error.relative * mean);
    let absolute = ModelError::absolute(metric);
    (half * half + NINETY * NINETY * (relative * relative + absolute * absolute)).sqrt()
}

/// Returns the errors that can show under `policy`: where nothing is retransmitted, every count of retransmissions is
/// exact, whatever the machine.
pub(super) fn possible(errors: &[ModelError], policy: &Policy) -> Vec<ModelError> {
    let counts_copies = |name| matches!(name, MetricName::RetriesMean | MetricName::SpuriousAll);
    errors.iter().filter(|error| policy.max_retransmit > 0 || !counts_copies(error.metric)).copied().collect()
}

/// Adds `errors` to `replicates`, number by number: the same in all scenarios of one seed. `stays`: whether each
/// association stays as recorded, in which case its own values are left alone.
pub(super) fn add((errors, seed): (&[ModelError], u64), stays: &[bool], replicates: &mut [ReplicateMetrics]) {
    for (replicate, number) in replicates.iter_mut().zip(0_u32..) {
        modelled(replicate, stays).for_each(|values| disturb(errors, (seed, number), values));
    }
}

/// Values that a model gave: those of all associations together, and of each that does not stay as recorded.
fn modelled<'a>(replicate: &'a mut ReplicateMetrics, stays: &'a [bool]) -> impl Iterator<Item = &'a mut Values> {
    let stays = stays.iter().copied().chain(std::iter::repeat(false));
    let own = replicate.associations.iter_mut().zip(stays).filter(|(_, stays)| !stays);
    std::iter::once(&mut replicate.overall).chain(own.map(|(association, _)| &mut association.0))
}

/// Factor of the error in `metric` that replicate number `replicate` gets, and a standard normal draw for its absolute
/// part.
fn drawn(error: &ModelError, (seed, replicate): (u64, u32)) -> (f64, f64) {
    /// Separates these numbers from all others of a seed.
    const PURPOSE: u32 = 0x6d6f_6465;
    let [a, b, ..] = philox([replicate, error.metric as u32, PURPOSE, 0], [seed as u32, (seed >> 32) as u32]);
    let [relative, absolute] = normals([a, b]);
    // The mean of the factor is 1.
    ((error.relative * relative - error.relative * error.relative / 2.0).exp(), absolute)
}

/// Factor by which [`add`] multiplies the mean completion time of replicate number `replicate`, for the distribution of
/// completion times; 1 without an error.
pub(super) fn stretch(errors: &[ModelError], seed: u64, replicate: u32) -> f64 {
    ModelError::of(errors, MetricName::DurationMean).map_or(1.0, |error| drawn(&error, (seed, replicate)).0)
}

fn disturb(errors: &[ModelError], (seed, replicate): (u64, u32), values: &mut Values) {
    for name in MetricName::ALL {
        let (Some(error), Some(value)) = (ModelError::of(errors, name), values.get(name)) else { continue };
        let (factor, absolute) = drawn(&error, (seed, replicate));
        let most = if name.unit() == "fraction" { 1.0 } else { f64::INFINITY };
        let disturbed = value * factor + ModelError::absolute(name) * absolute;
        values.set(name, Some(disturbed.clamp(0.0, most)));
    }
}

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
    TSCH.iter().filter_map(|error| one(error.metric)).collect()
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
/// [`drawn`] gives, whose mean is 1: ln(1 + off) = ±1.645 σ − σ²/2. Infinite beyond the widest such interval.
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
            let mut drawn: Vec<f64> = (0..20_000).map(|replicate| stretch(&errors, 1, replicate)).collect();
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

    #[test]
    fn a_sender_that_never_retransmits_has_no_error_of_copies() {
        let shown = |max_retransmit| {
            let errors = possible(&CSMA, &Policy { max_retransmit, ..Policy::default() });
            let mut values = Values::default();
            values.set(MetricName::DurationMean, Some(3.0));
            let copies =
                [MetricName::RetriesMean, MetricName::RetransmissionRate, MetricName::SpuriousAll, MetricName::B];
            copies.into_iter().for_each(|name| values.set(name, Some(0.0)));
            values.set(MetricName::PlrExchange, Some(0.0));
            let of = |name| {
                let drawn = |replicate| {
                    let mut values = values;
                    disturb(&errors, (1, replicate), &mut values);
                    values.get(name).unwrap_or(f64::NAN)
                };
                (0..100).map(drawn).fold(0.0, f64::max)
            };
            (copies.map(of), of(MetricName::PlrExchange), of(MetricName::DurationMean))
        };
        let (copies, failed, duration) = shown(0);
        assert_eq!(copies, [0.0; 4]);
        assert!(failed > 0.0 && duration > 3.0, "what can happen keeps its error: {failed} {duration}");
        assert!(shown(1).0.into_iter().all(|most| most > 0.0));
    }

    #[test]
    fn replicates_keep_their_mean_and_spread_by_the_error() {
        let errors = [ModelError { metric: MetricName::DurationMean, relative: 0.2 }];
        let mut drawn: Vec<f64> = Vec::new();
        for replicate in 0..4_000 {
            let mut values = Values::default();
            values.set(MetricName::DurationMean, Some(3.0));
            values.set(MetricName::Exchanges, Some(7.0));
            disturb(&errors, (1, replicate), &mut values);
            assert_eq!(values.get(MetricName::Exchanges), Some(7.0));
            drawn.extend(values.get(MetricName::DurationMean));
        }
        let mean = drawn.iter().sum::<f64>() / drawn.len() as f64;
        let deviation = (drawn.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / drawn.len() as f64).sqrt();
        assert!((mean - 3.0).abs() < 0.03 && (deviation / 3.0 - 0.2).abs() < 0.01, "{mean} {deviation}");
    }
}
