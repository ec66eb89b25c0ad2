//! A description of timeouts without any algorithm, to test whether even the best algorithm fits: a leave-one-out
//! kernel density estimate (likelihood cross-validation: Duin 1976; Silverman, Density Estimation, 1986).

use crate::identify::likelihood::fit::outlier_density;
use crate::identify::likelihood::timing_error::Seconds;

/// Least relative width of a pattern. Chosen here by judgement: anything finer may be slots of a schedule, ticks of a
/// clock or rounding, and is no other algorithm.
pub(crate) const COARSE: f64 = 0.05;
/// Widths of the kernel, relative to the timeout. Chosen here by judgement, from the least one in powers of two.
const WIDTHS: [f64; 3] = [COARSE, 2.0 * COARSE, 4.0 * COARSE];
/// Greatest number of points looked at; the time grows with their square. Chosen here for speed.
const POINTS: usize = 400;
/// Share of outliers in the mixture, 0 to 1. Chosen here by judgement: no experiment decides it; in the middle of the
/// shares that algorithms are fitted with (0.01 to 0.3); it decides which algorithms fit no better than none, which
/// `cargo test --release -p replay --test identify_runs -- --nocapture` scores.
const OUTLIERS: f64 = 0.05;
/// Least number of points. Chosen here by judgement: no experiment decides it; each is described by the others, and
/// fewer than four others say nothing of a pattern.
const LEAST: usize = 5;

/// Log-likelihood of `points` under the description: each point's density is estimated from all other points, with a
/// Laplace kernel of the best of several widths. A point is the logarithm of a (relative) timeout, and the gap in
/// seconds. The kernel is not narrower than `slot` (seconds), where gaps are whole slots.
///
/// Returns −∞ for fewer than [`LEAST`] points; a subsample stands for many points, its result scaled up.
pub(crate) fn log_likelihood(points: &[(f64, Seconds)], slot: Seconds) -> f64 {
    let stride = points.len().div_ceil(POINTS).max(1);
    let some: Vec<(f64, Seconds)> = points.iter().step_by(stride).copied().collect();
    if some.len() < LEAST {
        return f64::NEG_INFINITY;
    }
    let description = |width: f64| -> f64 {
        let one = |(i, (x, gap)): (usize, &(f64, Seconds))| {
            let others = some.iter().enumerate().filter(|(j, _)| *j != i);
            let kernel = |(_, (y, other)): (usize, &(f64, Seconds))| {
                let width = width.max(slot / other.max(1e-6));
                (-((x - y) / width).abs()).exp() / (2.0 * width)
            };
            let density = others.map(kernel).sum::<f64>() / (some.len() - 1) as f64 / gap.max(1e-6);
            ((1.0 - OUTLIERS) * density + OUTLIERS * outlier_density(*gap)).max(1e-12).ln()
        };
        some.iter().enumerate().map(one).sum()
    };
    let best = WIDTHS.into_iter().map(description).fold(f64::NEG_INFINITY, f64::max);
    best * points.len() as f64 / some.len() as f64
}
