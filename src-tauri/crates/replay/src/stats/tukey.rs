//! Tukey's honestly significant difference: simultaneous comparison of all pairs of groups.

use super::{Interval, letters, mean, studentized_range, studentized_range_quantile};

/// Comparison of two groups, in the unit of their values.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pair {
    /// Positions of the two groups.
    pub groups: (usize, usize),
    /// Mean of the first − mean of the second.
    pub difference: f64,
    /// Simultaneous confidence interval of the difference.
    pub interval: Interval,
    /// p-value, 0 to 1, adjusted for all pairs: the probability of a studentized range this large if no two groups
    /// differed.
    pub p: f64,
}

/// Comparison of all pairs of groups, in the unit of their values.
#[derive(Clone, PartialEq, Debug)]
pub struct Tukey {
    /// Mean of each group, in their order.
    pub means: Vec<f64>,
    /// Mean square within groups: the pooled variance.
    pub within: f64,
    /// Number of degrees of freedom of the pooled variance.
    pub freedom: usize,
    /// Every pair once, the lower position first.
    pub pairs: Vec<Pair>,
    /// Compact letter display ([`letters`]), one string per group: groups that share a letter do not differ; `a` has
    /// the greatest mean.
    pub letters: Vec<String>,
}

/// Compares all pairs of independent `groups` at the family-wise `level`, such as 0.95, by Tukey's honestly significant
/// difference; for unequal sizes with Kramer's standard error √(s²/2 · (1/nᵢ + 1/nⱼ)) (Biometrics 12, 1956). `None` for
/// fewer than two groups, an empty one, or no variation within groups.
///
/// Replays of one trace under several timers are not independent: they share random numbers, and are to be paired
/// ([`super::paired`]).
#[must_use]
pub fn tukey_hsd(groups: &[Vec<f64>], level: f64) -> Option<Tukey> {
    let k = u32::try_from(groups.len()).ok().filter(|&k| k >= 2)?;
    let means: Vec<f64> = groups.iter().map(|group| mean(group)).collect::<Option<_>>()?;
    let all: usize = groups.iter().map(Vec::len).sum();
    let freedom = all.checked_sub(groups.len()).filter(|&df| df > 0)?;
    let square = |(group, mean): (&Vec<f64>, &f64)| group.iter().map(|v| (v - mean).powi(2)).sum::<f64>();
    let within = groups.iter().zip(&means).map(square).sum::<f64>() / freedom as f64;
    if within <= 0.0 {
        return None;
    }
    let critical = studentized_range_quantile(level, k, freedom as f64)?;
    let mut pairs = Vec::new();
    for (i, (a, mean_a)) in groups.iter().zip(&means).enumerate() {
        for (j, (b, mean_b)) in groups.iter().zip(&means).enumerate().skip(i + 1) {
            let error = (within / 2.0 * (1.0 / a.len() as f64 + 1.0 / b.len() as f64)).sqrt();
            let difference = mean_a - mean_b;
            let p = 1.0 - studentized_range(difference.abs() / error, k, freedom as f64)?;
            let interval = Interval { lo: difference - critical * error, hi: difference + critical * error };
            pairs.push(Pair { groups: (i, j), difference, interval, p });
        }
    }
    let differ: Vec<(usize, usize)> = pairs.iter().filter(|p| p.p < 1.0 - level).map(|p| p.groups).collect();
    let letters = letters(&means, &differ);
    Some(Tukey { means, within, freedom, pairs, letters })
}
