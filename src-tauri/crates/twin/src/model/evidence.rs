//! Uncertain quantities: probabilities with their observations, and choices among values.

use statrs::distribution::{Beta, ContinuousCDF};

/// A probability, as observed: the posterior is a beta distribution with these parameters.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Evidence {
    /// Successes, pseudo-counts of the prior included: 0 or more; infinite where the probability is certainly 1.
    pub successes: f64,
    /// Failures, pseudo-counts of the prior included: 0 or more; infinite where the probability is certainly 0.
    pub failures: f64,
}

impl Evidence {
    /// Probability that is certainly 0.
    pub const NEVER: Self = Self { successes: 0.0, failures: f64::INFINITY };
    /// Probability that is certainly 1.
    pub const ALWAYS: Self = Self { successes: f64::INFINITY, failures: 0.0 };

    /// Returns the evidence of `successes` among `trials`, with a prior of `strength` pseudo-observations and mean
    /// `mean`.
    #[must_use]
    pub fn observed(successes: u64, trials: u64, mean: f64, strength: f64) -> Self {
        Self {
            successes: successes as f64 + strength * mean,
            failures: trials.saturating_sub(successes) as f64 + strength * (1.0 - mean),
        }
    }

    /// Returns the number of observations, pseudo-counts included.
    #[must_use]
    pub fn weight(self) -> f64 {
        self.successes + self.failures
    }

    /// Returns the posterior mean, 0 to 1; 0 without any evidence.
    #[must_use]
    pub fn mean(self) -> f64 {
        if self.successes.is_infinite() {
            1.0
        } else if self.failures.is_infinite() || self.weight() <= 0.0 {
            0.0
        } else {
            self.successes / self.weight()
        }
    }

    /// Returns whether the posterior has one value only, its mean.
    #[must_use]
    pub fn is_certain(self) -> bool {
        self.successes <= 0.0 || self.failures <= 0.0 || !self.weight().is_finite()
    }

    /// Returns the posterior probability that the value is `at` most, 0 to 1; `None` where it has one value only.
    #[must_use]
    pub fn cumulative(self, at: f64) -> Option<f64> {
        let beta = (!self.is_certain()).then(|| Beta::new(self.successes, self.failures).ok()).flatten()?;
        Some(beta.cdf(at))
    }

    /// Returns the posterior quantile, 0 to 1, at `p`, 0 to 1; the mean where there are only successes or only
    /// failures.
    #[must_use]
    pub fn quantile(self, p: f64) -> f64 {
        if self.is_certain() {
            return self.mean();
        }
        match Beta::new(self.successes, self.failures) {
            Ok(beta) => beta.inverse_cdf(Self::inside(p)),
            Err(_) => self.mean(),
        }
    }

    /// Returns `p`, 0 to 1, away from the ends by a millionth, where the inverse of a beta distribution is not found
    /// reliably.
    #[must_use]
    pub fn inside(p: f64) -> f64 {
        p.clamp(1e-6, 1.0 - 1e-6)
    }
}

/// A whole number that is not certain: candidate values with their weights, at least one.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice(Vec<(u32, f64)>);

impl Choice {
    /// Creates a choice of one value.
    #[must_use]
    pub fn certain(value: u32) -> Self {
        Self(vec![(value, 1.0)])
    }

    /// Creates a choice among `values`, all equally likely; `otherwise` where there are none.
    #[must_use]
    pub fn among(values: &[u32], otherwise: u32) -> Self {
        if values.is_empty() { Self::certain(otherwise) } else { Self(values.iter().map(|&v| (v, 1.0)).collect()) }
    }

    /// Returns the values, in the order in which they were given.
    pub fn values(&self) -> impl Iterator<Item = u32> {
        self.0.iter().map(|&(value, _)| value)
    }

    /// Returns the value at quantile `p`, 0 to 1, of the weights.
    #[must_use]
    pub fn quantile(&self, p: f64) -> u32 {
        let total: f64 = self.0.iter().map(|v| v.1).sum();
        let mut left = p * total;
        for &(value, weight) in &self.0 {
            if left < weight {
                return value;
            }
            left -= weight;
        }
        self.0.last().map_or(0, |v| v.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_posterior_is_that_of_a_beta_distribution() {
        let evidence = Evidence::observed(90, 100, 0.5, 2.0);
        assert!((evidence.mean() - 91.0 / 102.0).abs() < 1e-12);
        // Quantiles of Beta(91, 11), SciPy 1.16 `beta.ppf([.05, .5, .95], 91, 11)`.
        for (p, expected) in [(0.05, 0.838_12), (0.5, 0.894_49), (0.95, 0.937_67)] {
            assert!((evidence.quantile(p) - expected).abs() < 5e-4, "{p}: {}", evidence.quantile(p));
        }
        assert_eq!((Evidence::NEVER.quantile(0.9), Evidence::ALWAYS.quantile(0.1)), (0.0, 1.0));
        assert_eq!(Evidence::default().mean(), 0.0);
    }

    #[test]
    fn choices_follow_their_weights() {
        let choice = Choice::among(&[8, 16, 64], 1);
        assert_eq!([0.0, 0.3, 0.34, 0.7, 0.999].map(|p| choice.quantile(p)), [8, 8, 16, 64, 64]);
        assert_eq!(Choice::among(&[], 7).quantile(0.5), 7);
    }
}
