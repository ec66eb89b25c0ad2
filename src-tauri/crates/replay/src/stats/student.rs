//! Student's interval of the mean of independent values.

use super::{Interval, mean};
use statrs::distribution::{ContinuousCDF as _, StudentsT};

/// A mean and its confidence interval, in the unit of the values.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MeanInterval {
    /// Number of values in the sample.
    pub n: usize,
    /// Mean of the values, in their unit.
    pub mean: f64,
    /// Sample standard deviation of the values, with n − 1, in their unit.
    pub deviation: f64,
    /// Confidence interval of the mean.
    pub interval: Interval,
}

/// Two-sided Student interval of the mean of independent `values` at `level`, 0 to 1 (Student, Biometrika 6, 1908):
/// mean ± t · s / √n with n − 1 degrees of freedom. Its level is exact for normal values and approximate for many.
/// `None` for fewer than two values, values that are not finite, and a level outside [0, 1).
#[must_use]
pub fn student(values: &[f64], level: f64) -> Option<MeanInterval> {
    let n = values.len();
    if n < 2 || !(0.0..1.0).contains(&level) {
        return None;
    }
    let mean = mean(values)?;
    let deviation = (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1) as f64).sqrt();
    let t = StudentsT::new(0.0, 1.0, (n - 1) as f64).ok()?.inverse_cdf(0.5 + level / 2.0);
    let half = t * deviation / (n as f64).sqrt();
    half.is_finite().then_some(MeanInterval {
        n,
        mean,
        deviation,
        interval: Interval { lo: mean - half, hi: mean + half },
    })
}
