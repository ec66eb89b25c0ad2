//! Empirical-Bayes shrinkage of link receptions towards their common mean.

use crate::model::Evidence;
use statrs::function::gamma::ln_gamma;

/// Common beta prior of several proportions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Prior {
    /// Prior mean, 0 to 1.
    pub mean: f64,
    /// Weight of the prior, in pseudo-observations.
    pub strength: f64,
}

/// Strengths tried, pseudo-observations. Chosen here: a factor of two to three apart, between which the likelihood is
/// flat, from nothing in common to links that are alike within a hundredth (`cargo test -p twin --lib shrinkage`).
const STRENGTHS: [f64; 12] = [0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1_000.0, 3_000.0];

impl Prior {
    /// Fits the prior of `proportions` (successes, trials): their pooled mean, and the strength with the greatest
    /// marginal likelihood under the beta-binomial model. A mean of one half with two pseudo-observations where there
    /// are none.
    pub fn fit(proportions: &[(u64, u64)]) -> Self {
        let Some(mean) = pooled(proportions) else { return Self { mean: 0.5, strength: 2.0 } };
        let of = |strength| Self { mean, strength }.log_likelihood(proportions);
        let best = STRENGTHS.into_iter().max_by(|&a, &b| of(a).total_cmp(&of(b)));
        Self { mean, strength: best.unwrap_or(2.0) }
    }

    /// Logarithm of the beta-binomial probability of `proportions`, but for a constant: over all, the sum of
    /// ln B(s + a, f + b) − ln B(a, b), for s successes and f failures, with a = mean · strength and b = (1 − mean) ·
    /// strength.
    fn log_likelihood(self, proportions: &[(u64, u64)]) -> f64 {
        let (a, b) = (self.mean * self.strength, (1.0 - self.mean) * self.strength);
        let own = ln_gamma(self.strength) - ln_gamma(a) - ln_gamma(b);
        let one = |&(s, t): &(u64, u64)| {
            let (s, f) = (s as f64, t.saturating_sub(s) as f64);
            own + ln_gamma(s + a) + ln_gamma(f + b) - ln_gamma(s + f + self.strength)
        };
        proportions.iter().map(one).sum()
    }
}

/// Pooled share, half a success more and half a failure more, which keeps it off 0 and 1; `None` without trials.
fn pooled(proportions: &[(u64, u64)]) -> Option<f64> {
    let (successes, trials) = proportions.iter().fold((0, 0), |(s, t), p| (s + p.0, t + p.1));
    (trials > 0).then(|| (successes as f64 + 0.5) / (trials as f64 + 1.0))
}

/// Posterior of the common prior of several proportions: priors with weights that sum to 1. Few proportions say little
/// of how much they differ: the single best prior would shrink them too much and with too much certainty.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Priors(Vec<(Prior, f64)>);

impl Priors {
    /// Fits the posterior to `proportions` (successes, trials) on a grid: strengths with equal weights a factor of
    /// about two apart, and means around the pooled one, which are uniform in log-odds.
    pub fn fit(proportions: &[(u64, u64)]) -> Self {
        /// Means on either side of the pooled one. Chosen here with [`STEP`], repeated as [`STRENGTHS`] is.
        const MEANS: i32 = 12;
        /// Step from one mean to the next, log-odds: twelve reach from 0.9 to 0.45 and 0.99.
        const STEP: f64 = 0.2;
        let Some(pooled) = pooled(proportions) else { return Self(vec![(Prior::fit(&[]), 1.0)]) };
        let odds = (pooled / (1.0 - pooled)).ln();
        let means = (-MEANS..=MEANS).map(|k| 1.0 / (1.0 + (-odds - f64::from(k) * STEP).exp()));
        let priors: Vec<Prior> = means.flat_map(|mean| STRENGTHS.map(|strength| Prior { mean, strength })).collect();
        let likelihoods: Vec<f64> = priors.iter().map(|prior| prior.log_likelihood(proportions)).collect();
        let most = likelihoods.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weighted = priors.into_iter().zip(likelihoods).map(|(prior, own)| (prior, (own - most).exp()));
        // Less than a millionth of the greatest weight changes nothing.
        let kept: Vec<(Prior, f64)> = weighted.filter(|(_, weight)| *weight > 1e-6).collect();
        let total: f64 = kept.iter().map(|(_, weight)| weight).sum();
        Self(kept.into_iter().map(|(prior, weight)| (prior, weight / total)).collect())
    }

    /// Returns the posterior of one of the proportions: the beta distribution with the mean and the variance of the
    /// mixture.
    pub fn posterior(&self, successes: u64, trials: u64) -> Evidence {
        let (mut mean, mut square) = (0.0, 0.0);
        for (prior, weight) in &self.0 {
            let own = Evidence::observed(successes, trials, prior.mean, prior.strength);
            let (p, n) = (own.mean(), own.weight());
            mean += weight * p;
            square += weight * (p * p + p * (1.0 - p) / (n + 1.0));
        }
        let (variance, widest) = (square - mean * mean, mean * (1.0 - mean));
        let weight = (widest / variance - 1.0).max(0.0);
        if variance > 0.0 && weight.is_finite() {
            Evidence { successes: mean * weight, failures: (1.0 - mean) * weight }
        } else {
            Evidence::observed(successes, trials, 0.5, 2.0)
        }
    }

    /// Returns the mean of the prior means, 0 to 1.
    pub fn mean(&self) -> f64 {
        self.0.iter().map(|(prior, weight)| prior.mean * weight).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_links_shrink_more_than_unequal_ones() {
        let equal = Prior::fit(&[(90, 100), (91, 100), (89, 100), (90, 100)]);
        let unequal = Prior::fit(&[(99, 100), (60, 100), (95, 100), (70, 100)]);
        assert!((equal.mean - 0.9).abs() < 0.01 && equal.strength > 100.0, "{equal:?}");
        assert!(unequal.strength < 50.0, "{unequal:?}");
        assert_eq!(Prior::fit(&[]), Prior { mean: 0.5, strength: 2.0 });
    }

    #[test]
    fn few_links_leave_their_spread_open() {
        let links = [(95, 100), (90, 100), (92, 100)];
        let (single, all) = (Prior::fit(&links), Priors::fit(&links));
        let own = Evidence::observed(90, 100, single.mean, single.strength);
        let open = all.posterior(90, 100);
        assert!(open.weight() < own.weight(), "{own:?} {open:?}");
        assert!((open.mean() - 0.91).abs() < 0.01 && open.weight() > 100.0, "{open:?}");
        assert!((all.mean() - 0.92).abs() < 0.03, "{}", all.mean());
        let unseen = all.posterior(0, 0);
        assert!(unseen.weight() < open.weight() && (unseen.mean() - 0.92).abs() < 0.04, "{unseen:?}");
        let blank = Priors::fit(&[]).posterior(3, 4);
        assert!((blank.successes - 4.0).abs() < 1e-9 && (blank.failures - 2.0).abs() < 1e-9, "{blank:?}");
    }
}
