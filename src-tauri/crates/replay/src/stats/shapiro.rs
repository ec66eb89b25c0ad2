//! The Shapiro–Wilk test of normality.

use statrs::distribution::{ContinuousCDF as _, Normal};
use statrs::function::erf::erfc;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_3, PI};

/// Result of the Shapiro–Wilk test (Biometrika 52, 1965); the hypothesis is that the sample is normal.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ShapiroWilk {
    /// Statistic W, 0 to 1; 1 for a sample proportional to normal scores.
    pub w: f64,
    /// p-value, 0 to 1: small where the sample is not normal.
    pub p: f64,
}

/// The polynomial with these coefficients, constant first, at `x`, by Horner's rule.
fn polynomial(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

/// Tests whether `values` are normal, by Royston's approximation (Applied Statistics 44, 1995, algorithm AS R94; all
/// constants are its). For 3 to 5000 values; `None` for others, for values that are not finite, and where all are
/// equal.
#[must_use]
pub fn shapiro_wilk(values: &[f64]) -> Option<ShapiroWilk> {
    let n = values.len();
    if !(3..=5_000).contains(&n) || values.iter().any(|v| !v.is_finite()) {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let mean = sorted.iter().sum::<f64>() / n as f64;
    let squares: f64 = sorted.iter().map(|x| (x - mean).powi(2)).sum();
    if squares <= 0.0 || sorted.first() == sorted.last() {
        return None;
    }
    let weights = weights(n)?;
    let dot: f64 = weights.iter().zip(&sorted).map(|(a, x)| a * (x - mean)).sum();
    let w = (dot * dot / squares).min(1.0);
    Some(ShapiroWilk { w, p: p_value(w, n) })
}

/// The weights of the order statistics, ascending (AS R94: normal scores by Blom's approximation, the outermost by
/// polynomials in 1/√n).
fn weights(n: usize) -> Option<Vec<f64>> {
    if n == 3 {
        return Some(vec![-FRAC_1_SQRT_2, 0.0, FRAC_1_SQRT_2]);
    }
    let normal = Normal::standard();
    let m: Vec<f64> = (1..=n).map(|i| normal.inverse_cdf((i as f64 - 0.375) / (n as f64 + 0.25))).collect();
    let square: f64 = m.iter().map(|x| x * x).sum();
    let u = 1.0 / (n as f64).sqrt();
    let (last, before) = (*m.get(n - 1)?, *m.get(n - 2)?);
    let norm = square.sqrt();
    let a = polynomial(&[last / norm, 0.221_157, -0.147_981, -2.071_190, 4.434_685, -2.706_056], u);
    let b = polynomial(&[before / norm, 0.042_981, -0.293_762, -1.752_461, 5.682_633, -3.582_633], u);
    let phi = if n <= 5 {
        (square - 2.0 * last * last) / (1.0 - 2.0 * a * a)
    } else {
        (square - 2.0 * last * last - 2.0 * before * before) / (1.0 - 2.0 * a * a - 2.0 * b * b)
    };
    let weight = |(i, x): (usize, &f64)| match (i.min(n - 1 - i), i < n / 2) {
        (0, lower) => {
            if lower {
                -a
            } else {
                a
            }
        }
        (1, lower) if n > 5 => {
            if lower {
                -b
            } else {
                b
            }
        }
        _ => x / phi.sqrt(),
    };
    Some(m.iter().enumerate().map(weight).collect())
}

/// The p-value of statistic `w` of `n` values: exact for 3, else by normalising transformations (AS R94).
fn p_value(w: f64, n: usize) -> f64 {
    let x = n as f64;
    if n == 3 {
        return (6.0 / PI * (w.sqrt().asin() - FRAC_PI_3)).clamp(0.0, 1.0);
    }
    let tail = (1.0 - w).max(f64::MIN_POSITIVE).ln();
    let (y, mean, deviation) = if n <= 11 {
        let gamma = polynomial(&[-2.273, 0.459], x);
        if tail >= gamma {
            return 0.0;
        }
        let mean = polynomial(&[0.544, -0.399_78, 0.025_054, -0.000_671_4], x);
        (-(gamma - tail).ln(), mean, polynomial(&[1.382_2, -0.778_57, 0.062_767, -0.002_032_2], x).exp())
    } else {
        let log = x.ln();
        let mean = polynomial(&[-1.586_1, -0.310_82, -0.083_751, 0.003_891_5], log);
        (tail, mean, polynomial(&[-0.480_3, -0.082_676, 0.003_030_2], log).exp())
    };
    0.5 * erfc((y - mean) / deviation * FRAC_1_SQRT_2)
}
