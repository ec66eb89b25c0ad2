//! Error of a channel as a model, added to its replicates.
//!
//! Replicates draw luck and every parameter from its posterior; they cannot know what the model lacks. How far it is
//! off was measured where the truth is known: over pairs (capture, other timer, real run) of worlds, each
//! predicted by a table that was learned without that world (split conformal over worlds: Vovk, Gammerman & Shafer
//! 2005; blocks as in Barber et al., Ann. Statist. 51, 2023). Every replicate is multiplied by a lognormal factor of
//! that size, common to all timers: a model that is too slow is so for each of them, and their differences stay as
//! sharp as they are.
//!
//! * `kind`: kinds of channel and network, and their tables, made by `rtoscope calibrate DIR --model-error`.
//! * `learned`: that computation.
//!
//! The error of a twin on its own capture is not taken out: it is luck for the most part, and over 17 worlds of Cooja
//! predictions were worse with such a correction (errors in the sum 7.7 for 6.4, the right winner in 1,246 for 1,266 of
//! 1,391 pairs).

mod kind;
mod learned;

pub use kind::Kind;
pub use learned::{Known, Learned, learn};

use super::replicate::ReplicateMetrics;
use crate::estimate::NINETY;
use crate::metrics::{MetricName, Values};
use crate::model::{Policy, normals};
use base::philox;
use statrs::distribution::{ContinuousCDF as _, Normal};

/// Size of the model error of one metric, which is added to predictions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ModelError {
    /// Metric that it is the error of.
    pub metric: MetricName,
    /// Standard deviation of the relative error, as a share of the value; 0 for none.
    pub relative: f64,
}

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
/// association stays as recorded, in which case its own values are left alone, and where all do, those of all together.
pub(super) fn add((errors, seed): (&[ModelError], u64), stays: &[bool], replicates: &mut [ReplicateMetrics]) {
    if errors.is_empty() || stays.iter().all(|&stays| stays) {
        return;
    }
    for (replicate, number) in replicates.iter_mut().zip(0_u32..) {
        let stays = stays.iter().copied().chain(std::iter::repeat(false));
        let own = replicate.associations.iter_mut().zip(stays).filter(|(_, stays)| !stays);
        let modelled = std::iter::once(&mut replicate.overall).chain(own.map(|(association, _)| &mut association.0));
        modelled.for_each(|values| disturb(errors, (seed, number), values));
    }
}

/// Standard normal value of replicate number `replicate`, from which all of its factors are made: what takes longer in
/// the mean takes longer at the 95th percentile too. Values of the first replicates fill the distribution evenly
/// (multiples of the golden ratio modulo 1: Niederreiter, *Random Number Generation and Quasi-Monte Carlo Methods*,
/// 1992, chapter 3), so that a mean stays what the channel says: of 200 with the widest error of [`Kind::Hops`] to
/// 0.2 %, where random ones leave 7 %.
fn deviate(replicate: u32) -> f64 {
    let golden = f64::midpoint(5.0_f64.sqrt(), -1.0);
    Normal::standard().inverse_cdf(((f64::from(replicate) + 1.0) * golden).fract())
}

/// Factor of a `relative` error where the replicate's standard normal value is `deviate`; its mean is 1.
fn factor(relative: f64, deviate: f64) -> f64 {
    (relative * deviate - relative * relative / 2.0).exp()
}

/// Factor by which [`add`] multiplies the mean completion time of replicate number `replicate`, for the distribution of
/// completion times; 1 without an error.
pub(super) fn stretch(errors: &[ModelError], replicate: u32) -> f64 {
    let error = ModelError::of(errors, MetricName::DurationMean);
    error.map_or(1.0, |error| factor(error.relative, deviate(replicate)))
}

fn disturb(errors: &[ModelError], (seed, replicate): (u64, u32), values: &mut Values) {
    /// Separates the numbers drawn here from all others of a seed.
    const PURPOSE: u32 = 0x6d6f_6465;
    let deviate = deviate(replicate);
    for name in MetricName::ALL {
        let (Some(error), Some(value)) = (ModelError::of(errors, name), values.get(name)) else { continue };
        let key = [seed as u32, (seed >> 32) as u32];
        let [a, b, ..] = philox([replicate, error.metric as u32, PURPOSE, 0], key);
        let [absolute, _] = normals([a, b]);
        let most = if name.unit() == "fraction" { 1.0 } else { f64::INFINITY };
        let disturbed = value * factor(error.relative, deviate) + ModelError::absolute(name) * absolute;
        values.set(name, Some(disturbed.clamp(0.0, most)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sender_that_never_retransmits_has_no_error_of_copies() {
        let shown = |max_retransmit| {
            let errors = possible(Kind::Csma.errors(), &Policy { max_retransmit, ..Policy::default() });
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
    fn the_widest_error_moves_no_mean() {
        let widest = Kind::Hops.errors().iter().map(|error| error.relative).fold(0.0, f64::max);
        let factors = |replicates| (0..replicates).map(|replicate| factor(widest, deviate(replicate)));
        for (replicates, off) in [(200, 0.002), (2_000, 0.002)] {
            let mean = factors(replicates).sum::<f64>() / f64::from(replicates);
            assert!((mean - 1.0).abs() < off, "{mean} of {replicates}");
        }
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
        assert!((mean - 3.0).abs() < 0.001 && (deviation / 3.0 - 0.2).abs() < 0.01, "{mean} {deviation}");
    }
}
