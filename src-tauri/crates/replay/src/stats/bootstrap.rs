//! Differences of paired runs.

use super::{Interval, interval, mean};
use crate::model::{Purpose, RandomStream};

/// A paired difference.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Paired {
    /// How many pairs.
    pub pairs: usize,
    /// Mean of the differences.
    pub mean: f64,
    /// 90 % of the differences lie in here: what to expect of one realisation.
    pub spread: Interval,
    /// 90 % percentile bootstrap interval of the mean difference (Efron & Tibshirani 1993 §13): how well
    /// the mean is known from this many replicates.
    pub of_mean: Interval,
    /// Share of the pairs with a negative difference; ties count half.
    pub below: f64,
}

/// Resamples of the bootstrap.
const RESAMPLES: u32 = 2_000;
/// The level of both intervals.
const LEVEL: f64 = 0.90;

/// The difference `a − b` of values paired by position (same replicate, same weather); pairs with an
/// undefined side are left out. `None` without pairs.
#[must_use]
pub fn paired(a: &[Option<f64>], b: &[Option<f64>], seed: u64) -> Option<Paired> {
    let differences: Vec<f64> = a.iter().zip(b).filter_map(|(a, b)| Some((*a)? - (*b)?)).collect();
    let spread = interval(&differences, LEVEL)?;
    let n = differences.len();
    let halves: u32 = differences.iter().map(|d| if *d < 0.0 { 2 } else { u32::from(*d == 0.0) }).sum();
    Some(Paired {
        pairs: n,
        mean: mean(&differences)?,
        spread,
        of_mean: bootstrap_mean(&differences, LEVEL, seed)?,
        below: f64::from(halves) / (2.0 * n as f64),
    })
}

/// The percentile bootstrap interval of the mean (Efron & Tibshirani 1993 §13) at `level`, 0 to 1, from values that may
/// be resampled one by one. `None` of nothing and of values that are not finite.
#[must_use]
pub fn bootstrap_mean(values: &[f64], level: f64, seed: u64) -> Option<Interval> {
    mean(values)?;
    let n = values.len();
    let mut means = Vec::with_capacity(RESAMPLES as usize);
    for resample in 0..RESAMPLES {
        let mut lane = RandomStream::new(seed, resample, 0, Purpose::Bootstrap);
        let mut sum = 0.0;
        for i in 0..n {
            let word = lane.block(i as u64 / 16)[i % 16];
            // A word scaled to 0..n: biased by less than n/2^32.
            let pick = (u64::from(word) * n as u64) >> 32;
            sum += values.get(pick as usize).copied().unwrap_or(0.0);
        }
        means.push(sum / n as f64);
    }
    interval(&means, level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identical_runs_do_not_differ() {
        let run: Vec<Option<f64>> = (0..50).map(|i| Some(f64::from(i))).collect();
        let p = paired(&run, &run, 1).unwrap();
        assert_eq!(
            (p.mean, p.spread, p.of_mean, p.below),
            (0.0, Interval { lo: 0.0, hi: 0.0 }, Interval { lo: 0.0, hi: 0.0 }, 0.5)
        );
    }

    #[test]
    fn the_interval_of_the_mean_has_the_right_width() {
        // Differences uniform on 0..=99: mean 49.5, sd 28.87; the mean of 100 has sd 2.887, 90 %: ±1.645 sd.
        let a: Vec<Option<f64>> = (0..100).map(|i| Some(f64::from(i))).collect();
        let b = vec![Some(0.0); 100];
        let p = paired(&a, &b, 9).unwrap();
        assert!((p.mean - 49.5).abs() < 1e-12);
        assert!((p.of_mean.lo - (49.5 - 4.75)).abs() < 0.5 && (p.of_mean.hi - (49.5 + 4.75)).abs() < 0.5, "{p:?}");
        assert_eq!(p.below, 0.005);
    }

    #[test]
    fn undefined_sides_are_left_out() {
        let p = paired(&[Some(1.0), None, Some(3.0)], &[Some(0.0), Some(0.0), None], 1).unwrap();
        assert_eq!((p.pairs, p.mean), (1, 1.0));
        assert!(paired(&[None], &[Some(1.0)], 1).is_none());
    }
}
