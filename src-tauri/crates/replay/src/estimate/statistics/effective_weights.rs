//! Effective sample weights: the information of each recorded copy about the mean of the channel.
//!
//! A sender samples the channel unevenly: a hundred copies in a good minute, four in a bad one, because it waits. With
//! equal weights dense stretches would dominate. Weighted by the time before them, the few copies that end a long
//! silence would dominate, even where fates are uncorrelated and a copy after a silence is worth no more than any
//! other. The weight lies between, as the measured autocorrelation says: the information that a copy adds to that of
//! the copies before it.
//!
//! A fate is modelled as a level, an exponentially correlated deviation ([`Autocorrelation`]: strength s, time τ) and
//! independent noise (1 − s). A Kalman filter (J. Basic Eng. 82, 1960) gives, copy by copy, the information of its
//! innovation about the level: h²/S (the level as a regression coefficient: Harvey & Phillips, Biometrika 66, 1979).
//! The weights sum to the effective sample size: the variance of one copy over that of the best linear estimate of the
//! level, the number of independent copies with the same information. Without autocorrelation each weighs 1. Copies
//! much denser than a strong autocorrelation weigh in proportion to the time before them. Only the past counts: the
//! silence after a lost copy is long because it was lost.

use crate::estimate::statistics::autocorrelation::Autocorrelation;
use crate::model::Path;
use base::{Instant, Span};

/// Effective weight of each copy of `path`, 0 to 1.
pub(crate) fn effective_weights(path: &Path, autocorrelation: &Autocorrelation) -> Vec<f32> {
    weights_at(path.copies.iter().map(|copy| copy.at), autocorrelation).map(|weight| weight as f32).collect()
}

/// Effective weights of copies sent at `times`, in ascending order.
fn weights_at(times: impl Iterator<Item = Instant>, autocorrelation: &Autocorrelation) -> impl Iterator<Item = f64> {
    let varies = autocorrelation.strength > 0.0 && autocorrelation.time > Span::ZERO;
    let strength = if varies { autocorrelation.strength } else { 0.0 };
    let time = autocorrelation.time.nanos() as f64;
    let mut last: Option<Instant> = None;
    // Variance of the deviation, and the part of a change of the level that it absorbs.
    let (mut variance, mut taken) = (strength, 0.0);
    times.map(move |at| {
        if let Some(before) = last.replace(at).filter(|_| varies) {
            let left = (-((at - before).nanos() as f64 / time)).exp();
            variance = strength + (variance - strength) * left * left;
            taken *= left;
        }
        let innovation = variance + 1.0 - strength;
        if innovation <= 0.0 {
            // Without noise of its own a copy of the same moment is the same copy.
            return 0.0;
        }
        let (news, gain) = (1.0 - taken, variance / innovation);
        taken += gain * news;
        variance -= gain * variance;
        news * news / innovation
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn autocorrelation(strength: f64, secs: i64) -> Autocorrelation {
        Autocorrelation { strength, time: Span::from_secs(secs), from: Span::ZERO, pairs: 100, even: false }
    }

    fn weights_of(millis: &[i64], autocorrelation: &Autocorrelation) -> Vec<f64> {
        weights_at(millis.iter().map(|&ms| Instant::ZERO + Span::from_millis(ms)), autocorrelation).collect()
    }

    #[test]
    fn without_autocorrelation_all_weigh_the_same() {
        let times = [0, 1, 2, 50, 9_000, 9_001];
        assert_eq!(weights_of(&times, &autocorrelation(0.0, 5)), [1.0; 6]);
        assert_eq!(weights_of(&times, &autocorrelation(0.5, 0)), [1.0; 6]);
        // Nor where the correlation has decayed before the next copy.
        let apart: Vec<i64> = (0..6).map(|i| i * 100_000).collect();
        assert!(weights_of(&apart, &autocorrelation(0.9, 2)).iter().all(|weight| (weight - 1.0).abs() < 1e-9));
    }

    /// Without independent noise the copy before it says all: (1 − r)²/(1 − r²) = tanh(gap / 2τ), the time before
    /// where that is short.
    #[test]
    fn dense_copies_weigh_by_the_time_before_them() {
        let times = [0, 10, 30, 60, 100, 10_000];
        let weights = weights_of(&times, &autocorrelation(1.0, 10));
        assert_eq!(weights[0], 1.0);
        for (gap, weight) in times.iter().zip(&times[1..]).map(|(a, b)| (b - a) as f64 / 1e3).zip(&weights[1..]) {
            assert!((weight - (gap / 20.0).tanh()).abs() < 1e-9, "{gap} s: {weight}");
        }
        let same = weights_of(&[0, 0], &autocorrelation(1.0, 10));
        assert_eq!(same, [1.0, 0.0]);
    }

    /// The weights sum to 1ᵀ Σ⁻¹ 1, the inverse variance of the best linear estimate of the level.
    #[test]
    fn weights_sum_to_the_information_about_the_level() {
        let times: [i64; 9] = [0, 300, 350, 900, 5_000, 5_100, 5_150, 20_000, 26_000];
        let autocorrelation = autocorrelation(0.4, 3);
        let n = times.len();
        // Σ x = 1 by elimination.
        let covariance = |i: usize, j: usize| {
            let lag = (times[i] - times[j]).abs() as f64 / 1e3;
            if i == j { 1.0 } else { autocorrelation.strength * (-lag / 3.0).exp() }
        };
        let mut rows: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| covariance(i, j)).chain([1.0]).collect()).collect();
        for i in 0..n {
            let pivot = rows[i].clone();
            for row in &mut rows[i + 1..] {
                let share = row[i] / pivot[i];
                row.iter_mut().zip(&pivot).for_each(|(x, of_pivot)| *x -= share * of_pivot);
            }
        }
        let mut x = vec![0.0; n];
        for (i, row) in rows.iter().enumerate().rev() {
            let known: f64 = row[i + 1..n].iter().zip(&x[i + 1..]).map(|(a, x)| a * x).sum();
            x[i] = (row[n] - known) / row[i];
        }
        let (sum, expected) = (weights_of(&times, &autocorrelation).iter().sum::<f64>(), x.iter().sum::<f64>());
        assert!((sum - expected).abs() < 1e-9, "{sum} is not {expected}");
    }
}
