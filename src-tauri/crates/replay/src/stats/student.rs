//! Means of few independent runs.

use super::{Interval, mean};
use statrs::distribution::{ContinuousCDF as _, StudentsT};

/// A mean and how well it is known.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MeanInterval {
    /// How many values.
    pub n: usize,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation, with n − 1.
    pub deviation: f64,
    /// The interval of the mean.
    pub interval: Interval,
}

/// The two-sided Student interval of the mean of independent `values` at `level`, 0 to 1 (Student 1908): right where they
/// are normal or many. `None` of fewer than two, and of values that are not finite.
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
