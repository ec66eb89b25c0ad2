//! Percentile bootstrap of a mean.

use super::{Interval, interval, mean};
use statrs::distribution::{ContinuousCDF as _, Normal, StudentsT};

/// Number of resamples. Chosen here: the end at 5 % then lies between those at 3 % and 7 % of all resamples (four
/// standard errors); repeat with `cargo test -p replay --test stats_golden the_bootstrap_of_a_mean`.
const RESAMPLES: u32 = 2_000;
/// Percentile bootstrap interval of the mean (Efron & Tibshirani, An Introduction to the Bootstrap, 1993) at `level`, 0
/// to 1, of independent `values`. `words` returns a uniform random word for a resample and a position in it; it is
/// asked in order of both. `None` without values, and for values that are not finite.
#[must_use]
pub fn bootstrap_mean(values: &[f64], level: f64, mut words: impl FnMut(u32, usize) -> u32) -> Option<Interval> {
    mean(values)?;
    let n = values.len();
    let mut means = Vec::with_capacity(RESAMPLES as usize);
    for resample in 0..RESAMPLES {
        let mut sum = 0.0;
        for i in 0..n {
            let word = words(resample, i);
            // Scaled to 0..n: the bias is below n / 2^32.
            let pick = (u64::from(word) * n as u64) >> 32;
            sum += values.get(pick as usize).copied().unwrap_or(0.0);
        }
        means.push(sum / n as f64);
    }
    interval(&means, level)
}

/// Percentile bootstrap interval of [`bootstrap_mean`], with the level of the percentiles expanded so that the interval
/// of few values is as wide as Student's where values are normal: the tails are Φ(−√(n/(n − 1)) · t), t the quantile of
/// Student's distribution with n − 1 degrees of freedom. The percentile interval itself is too narrow by both factors
/// (Hesterberg, The American Statistician 69(4), 2015: "narrowness bias" and "expanded percentile interval"). `None`
/// for fewer than two values and for a level outside [0, 1), too.
#[must_use]
pub fn bootstrap_mean_expanded(values: &[f64], level: f64, words: impl FnMut(u32, usize) -> u32) -> Option<Interval> {
    let n = values.len() as f64;
    if values.len() < 2 || !(0.0..1.0).contains(&level) {
        return None;
    }
    let t = StudentsT::new(0.0, 1.0, n - 1.0).ok()?.inverse_cdf(0.5 + level / 2.0);
    let tail = Normal::standard().cdf(-(n / (n - 1.0)).sqrt() * t);
    bootstrap_mean(values, 1.0 - 2.0 * tail, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words by a multiplicative hash of their address (the finaliser of SplitMix64, Steele, Lea & Flood 2014).
    fn words(resample: u32, position: usize) -> u32 {
        let z = ((u64::from(resample) << 32) | position as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 32) as u32
    }

    #[test]
    fn the_interval_of_the_mean_has_the_right_width() {
        // Values uniform on 0..=99: mean 49.5, sd 28.87; the mean of 100 has sd 2.887, 90 %: ±1.645 sd.
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        let got = bootstrap_mean(&values, 0.90, words).unwrap();
        assert!((got.lo - (49.5 - 4.75)).abs() < 0.5 && (got.hi - (49.5 + 4.75)).abs() < 0.5, "{got:?}");
    }
}
