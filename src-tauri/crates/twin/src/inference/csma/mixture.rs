//! Nonparametric empirical Bayes: the distribution of a probability over alike pairs, and what it says about each.
//!
//! In a disc-shaped medium a pair either hears each other or does not; in a ray-traced one it does so in some part of
//! all frames. A beta prior fits the second case only. The nonparametric maximum-likelihood mixture (Kiefer and
//! Wolfowitz 1956; weights by expectation maximisation, Laird 1978) fits both.

use crate::model::Evidence;
use base::{Cancelled, SharedProgress};

/// Points of the grid of probabilities, 0 to 1 in steps of 0.05. Chosen here: rounding to such a step has a standard
/// deviation of 0.014, about that of an even share counted in 1,000 frames; time grows with the points.
const POINTS: usize = 21;
/// Iterations of expectation maximisation. Chosen here: weights of grids of this size settle sooner.
const ITERATIONS: usize = 100;
/// Nearer than this to 0 or 1 a posterior mean counts as certain. Chosen here by judgement: no experiment decides it;
/// the next point of the grid then has 4 % of the weight at most, and replicates draw the end alone. `cargo test
/// --release -p twin --test calibration csma` scores who senses and disturbs whom.
const CERTAIN: f64 = 2e-3;
/// Least weight of an [`Evidence`], so that its quantiles can be computed. Chosen here: Beta(0.01, 0.01) is 0 or 1 in
/// 95 of 100 draws.
const LEAST_WEIGHT: f64 = 0.02;

/// Logarithm of the likelihood of every probability on the grid, ascending, but for a constant.
pub(super) type Likelihood = [f64; POINTS];

/// Evaluates `of`, the logarithm of a likelihood as a function of the probability, on the grid.
pub(super) fn likelihood(of: impl Fn(f64) -> f64) -> Likelihood {
    std::array::from_fn(|at| of(point(at)))
}

fn point(at: usize) -> f64 {
    at as f64 / (POINTS - 1) as f64
}

/// Distribution of a probability over the grid; the weights sum to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Mixture([f64; POINTS]);

impl Mixture {
    /// Fits the mixture under which all observations together are likeliest. One pseudo-observation, half of it at
    /// `around` and half evenly spread, keeps every point possible.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks.
    pub fn fit(observed: &[Likelihood], around: f64, progress: &SharedProgress<'_>) -> Result<Self, Cancelled> {
        let near = (around.clamp(0.0, 1.0) * (POINTS - 1) as f64).round() as usize;
        let blank: [f64; POINTS] = std::array::from_fn(|at| 0.5 / POINTS as f64 + if at == near { 0.5 } else { 0.0 });
        let mut weights = blank;
        // The exponentials are the same in every iteration.
        let observed: Vec<[f64; POINTS]> = observed.iter().map(relative).collect();
        for _ in 0..ITERATIONS {
            progress.ask()?;
            let mut sums = blank;
            for one in &observed {
                for (sum, share) in sums.iter_mut().zip(responsibilities(&weights, one)) {
                    *sum += share;
                }
            }
            let total: f64 = sums.iter().sum();
            weights = sums.map(|sum| sum / total);
        }
        Ok(Self(weights))
    }

    /// Returns the posterior of one observation, as a beta distribution with the same mean and variance.
    pub fn posterior(&self, observed: &Likelihood) -> Evidence {
        let shares = responsibilities(&self.0, &relative(observed));
        let moment = |power: i32| shares.iter().enumerate().map(|(at, s)| s * point(at).powi(power)).sum::<f64>();
        let (mean, square) = (moment(1), moment(2));
        if mean < CERTAIN {
            return Evidence::NEVER;
        }
        if mean > 1.0 - CERTAIN {
            return Evidence::ALWAYS;
        }
        // Least variance, so that the weight stays finite where one point has all: Beta weighs 250,000 observations
        // at most.
        let variance = (square - mean * mean).max(1e-6);
        let weight = (mean * (1.0 - mean) / variance - 1.0).max(LEAST_WEIGHT);
        Evidence { successes: weight * mean, failures: weight * (1.0 - mean) }
    }
}

/// Likelihood of every point, as a share of the greatest.
fn relative(one: &Likelihood) -> [f64; POINTS] {
    let best = one.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    one.map(|own| (own - best).exp())
}

/// Share of every point in one observation, of which `relative` is the likelihood.
fn responsibilities(weights: &[f64; POINTS], relative: &[f64; POINTS]) -> [f64; POINTS] {
    let joint: [f64; POINTS] =
        std::array::from_fn(|at| weights.get(at).copied().unwrap_or(0.0) * relative.get(at).copied().unwrap_or(0.0));
    let total: f64 = joint.iter().sum();
    joint.map(|share| share / total.max(f64::MIN_POSITIVE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Silent;

    fn fitted(observed: &[Likelihood], around: f64) -> Mixture {
        Mixture::fit(observed, around, &SharedProgress::new(&mut Silent, 1)).unwrap()
    }

    fn binomial(yes: f64, all: f64) -> Likelihood {
        likelihood(|p| {
            let p = p.clamp(1e-3, 1.0 - 1e-3);
            yes * p.ln() + (all - yes) * (1.0 - p).ln()
        })
    }

    #[test]
    fn two_kinds_of_pairs_stay_apart() {
        let seen = [(0.0, 40.0), (1.0, 30.0), (0.0, 25.0), (20.0, 20.0), (35.0, 36.0), (18.0, 18.0)];
        let observed: Vec<Likelihood> = seen.iter().map(|&(yes, all)| binomial(yes, all)).collect();
        let mixture = fitted(&observed, 0.5);
        let mean = |yes, all| mixture.posterior(&binomial(yes, all)).mean();
        assert!(mean(0.0, 3.0) < 0.05, "{}", mean(0.0, 3.0));
        assert!(mean(3.0, 3.0) > 0.95, "{}", mean(3.0, 3.0));
        assert!((0.3..0.7).contains(&mean(0.0, 0.0)), "nothing is known: {}", mean(0.0, 0.0));
    }

    #[test]
    fn one_kind_of_pairs_shrinks_to_its_share() {
        let observed: Vec<Likelihood> = [28.0, 31.0, 30.0, 29.0].iter().map(|&yes| binomial(yes, 100.0)).collect();
        let mixture = fitted(&observed, 0.5);
        let posterior = mixture.posterior(&binomial(1.0, 2.0));
        assert!((posterior.mean() - 0.3).abs() < 0.05, "{}", posterior.mean());
    }
}
