//! Empirical-Bayes shrinkage of link receptions towards their common mean.

use statrs::function::gamma::ln_gamma;

/// Common beta prior of several proportions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Prior {
    /// Mean, 0 to 1.
    pub mean: f64,
    /// Pseudo-observations.
    pub strength: f64,
}

impl Prior {
    /// The prior of `proportions` (successes, trials): their pooled mean, and the strength with the greatest marginal
    /// likelihood under the beta-binomial model. A mean of one half with two pseudo-observations where there are none.
    pub fn fit(proportions: &[(u64, u64)]) -> Self {
        /// Strengths tried; the likelihood is flat between neighbours.
        const STRENGTHS: [f64; 12] = [0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1_000.0, 3_000.0];
        let (successes, trials) = proportions.iter().fold((0, 0), |(s, t), p| (s + p.0, t + p.1));
        if trials == 0 {
            return Self { mean: 0.5, strength: 2.0 };
        }
        // Half a success more and half a failure more keep the mean off 0 and 1.
        let mean = (successes as f64 + 0.5) / (trials as f64 + 1.0);
        let likelihood = |strength: f64| -> f64 {
            let (a, b) = (mean * strength, (1.0 - mean) * strength);
            let one = |&(s, t): &(u64, u64)| {
                let (s, f) = (s as f64, t.saturating_sub(s) as f64);
                ln_gamma(s + a) - ln_gamma(a) + ln_gamma(f + b) - ln_gamma(b) - ln_gamma(s + f + strength)
                    + ln_gamma(strength)
            };
            proportions.iter().map(one).sum()
        };
        let best = STRENGTHS.into_iter().max_by(|&a, &b| likelihood(a).total_cmp(&likelihood(b)));
        Self { mean, strength: best.unwrap_or(2.0) }
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
}
