//! The likelihood as a function of four unbounded numbers: its slope, its curvature, and Newton steps on it.

#![allow(clippy::needless_range_loop, reason = "matrices are written as formulae write them")]

use super::expect::expect;
use super::forward::log_likelihood;
use super::{Delay, GilbertElliott};
use crate::estimate::observation::Observed;
use crate::model::ChannelSpec;
use base::{Cancelled, SharedProgress};

/// Parameters of a two-state channel as unbounded numbers: logit of the share of the bad state, logarithm of the
/// coherence time in seconds, logits of the loss probabilities in the good and in the bad state.
pub(super) type Point = [f64; 4];

/// Limits of the parameters: a probability so near 0 or 1, or a coherence time so far from any observed lag, is a limit
/// that data cannot tell from its neighbourhood.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    low: Point,
    high: Point,
}

/// Least distance of probabilities from 0 and 1. Chosen here: copies by the ten thousand would be needed to tell a
/// probability below it from 0.
const EDGE: f64 = 1e-4;
/// The step of the differences: the fourth root of the precision of `f64`, which balances rounding and curvature.
const STEP: f64 = 1e-4;
/// Step of second differences, wider because rounding is divided by it twice. Chosen here by judgement;
/// `RTOSCOPE_ALL=1 cargo test -p replay --release --test gilbert_elliott` scores how often errors cover.
const WIDE: f64 = 20.0 * STEP;
/// Number of expectation–maximisation steps in which the dependence of round trips on the state follows a step of the
/// parameters. Chosen here by judgement: with too few it follows part of the way, and errors are too small; more only
/// take time. `RTOSCOPE_ALL=1 cargo test -p replay --release --test gilbert_elliott` scores how often errors cover.
const FOLLOWS: usize = 8;

impl Bounds {
    /// Limits for the copies of `paths`: coherence times from the time quantum of channels to the length of the longest
    /// path.
    pub fn of(paths: &[Vec<Observed>]) -> Self {
        let length = |p: &Vec<Observed>| p.iter().skip(1).map(|c| c.gap).sum::<f64>();
        Self::new(paths.iter().map(length).fold(0.0, f64::max))
    }

    /// Limits for paths of at most `length` seconds.
    pub fn new(length: f64) -> Self {
        let quantum = ChannelSpec::TOLERANCE.secs_f64();
        let (edge, far) = (logit(EDGE), -logit(EDGE));
        Self { low: [edge, quantum.ln(), edge, edge], high: [far, length.max(10.0 * quantum).ln(), far, far] }
    }

    /// Shortest and longest coherence time, in this order, seconds.
    pub fn coherence(&self) -> (f64, f64) {
        (self.low[1].exp(), self.high[1].exp())
    }

    /// Moves `point` to the nearest one within the limits.
    pub fn clamp(&self, point: Point) -> Point {
        std::array::from_fn(|i| point[i].clamp(self.low[i], self.high[i]))
    }

    /// Whether `point` is within the limits.
    pub fn holds(&self, point: &Point) -> bool {
        (0..4).all(|i| (self.low[i]..=self.high[i]).contains(&point[i]))
    }

    /// Whether parameter `i` is at its limit.
    pub fn at_limit(&self, point: &Point, i: usize) -> bool {
        point[i] <= self.low[i] + 1e-6 || point[i] >= self.high[i] - 1e-6
    }
}

fn logit(p: f64) -> f64 {
    (p / (1.0 - p)).ln()
}

fn chance(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Unbounded numbers of a model; probabilities are kept 1e-9 away from 0 and 1.
pub(super) fn point(w: &GilbertElliott) -> Point {
    let inside = |p: f64| logit(p.clamp(1e-9, 1.0 - 1e-9));
    [inside(w.bad), w.coherence.ln(), inside(w.loss_good), inside(w.loss_bad)]
}

/// Model at a point, with the given dependence of round trips on the state.
pub(super) fn to_model(p: &Point, delay: Delay) -> GilbertElliott {
    let (loss_good, loss_bad) = (chance(p[2]), chance(p[3]));
    GilbertElliott { bad: chance(p[0]), coherence: p[1].exp(), loss_good, loss_bad, delay }
}

/// Derivative of each parameter of [`GilbertElliott`] (bad, coherence, loss_good, loss_bad) by its unbounded number.
pub(super) fn stretch(w: &GilbertElliott) -> Point {
    let slope = |p: f64| p * (1.0 - p);
    [slope(w.bad), w.coherence, slope(w.loss_good), slope(w.loss_bad)]
}

/// Slope and curvature of the log-likelihood, by central differences.
fn derivatives(at: &Point, delay: Delay, paths: &[Vec<Observed>]) -> (f64, Point, [Point; 4]) {
    let value = |moves: &[(usize, f64)]| {
        let mut there = *at;
        for &(i, by) in moves {
            there[i] += by;
        }
        log_likelihood(&to_model(&there, delay), paths)
    };
    let here = value(&[]);
    let mut slope = [0.0; 4];
    let mut curve = [[0.0; 4]; 4];
    for i in 0..4 {
        let (up, down) = (value(&[(i, STEP)]), value(&[(i, -STEP)]));
        slope[i] = (up - down) / (2.0 * STEP);
        curve[i][i] = (value(&[(i, WIDE)]) - 2.0 * here + value(&[(i, -WIDE)])) / (WIDE * WIDE);
        for j in 0..i {
            let corner = |a: f64, b: f64| value(&[(i, a * WIDE), (j, b * WIDE)]);
            let mixed =
                (corner(1.0, 1.0) - corner(1.0, -1.0) - corner(-1.0, 1.0) + corner(-1.0, -1.0)) / (4.0 * WIDE * WIDE);
            (curve[i][j], curve[j][i]) = (mixed, mixed);
        }
    }
    (here, slope, curve)
}

/// The inverse of the negated curvature over the parameters that are `free`: their covariance (Fisher's observed
/// information; Efron & Hinkley, Biometrika 65, 1978). `None` when it is not positive there.
fn inverse(curve: &[Point; 4], free: &[bool; 4], damping: f64) -> Option<[Point; 4]> {
    // Cholesky, with unit rows for what is held.
    let entry = |i: usize, j: usize| match (free[i] && free[j], i == j) {
        (true, true) => -curve[i][i] + damping * curve[i][i].abs().max(1e-9),
        (true, false) => -curve[i][j],
        (false, same) => f64::from(u8::from(same)),
    };
    let mut lower = [[0.0; 4]; 4];
    for i in 0..4 {
        for j in 0..=i {
            let rest: f64 = entry(i, j) - (0..j).map(|k| lower[i][k] * lower[j][k]).sum::<f64>();
            if i == j {
                if !rest.is_finite() || rest <= 1e-12 {
                    return None;
                }
                lower[i][i] = rest.sqrt();
            } else {
                lower[i][j] = rest / lower[j][j];
            }
        }
    }
    let mut inverse = [[0.0; 4]; 4];
    for column in 0..4 {
        let mut x = [0.0; 4];
        for i in 0..4 {
            let unit = f64::from(u8::from(i == column));
            x[i] = (unit - (0..i).map(|k| lower[i][k] * x[k]).sum::<f64>()) / lower[i][i];
        }
        for i in (0..4).rev() {
            x[i] = (x[i] - (i + 1..4).map(|k| lower[k][i] * x[k]).sum::<f64>()) / lower[i][i];
        }
        for i in 0..4 {
            inverse[i][column] = x[i];
        }
    }
    for i in (0..4).filter(|&i| !free[i]) {
        for j in 0..4 {
            (inverse[i][j], inverse[j][i]) = (0.0, 0.0);
        }
    }
    Some(inverse)
}

/// Climbs from `start` to the top of the likelihood by Newton steps, damped until they climb, at most 60. Parameters
/// that want to leave `bounds` stay on them. Returns the top and its log-likelihood (in nats); errs when cancelled.
pub(super) fn climb(
    start: Point,
    delay: Delay,
    bounds: &Bounds,
    paths: &[Vec<Observed>],
    progress: &SharedProgress<'_>,
) -> Result<(Point, f64), Cancelled> {
    let mut at = bounds.clamp(start);
    let mut best = log_likelihood(&to_model(&at, delay), paths);
    for _ in 0..60 {
        progress.ask()?;
        let (_, slope, curve) = derivatives(&at, delay, paths);
        let outward = |i: usize| {
            let moved = bounds.clamp(std::array::from_fn(|j| at[j] + if i == j { slope[i].signum() } else { 0.0 }));
            (moved[i] - at[i]).abs() < 1e-12
        };
        let free: [bool; 4] = std::array::from_fn(|i| !(bounds.at_limit(&at, i) && outward(i)));
        let mut damping = 1e-6;
        let mut gained = 0.0;
        while damping < 1e9 {
            if let Some(inverse) = inverse(&curve, &free, damping) {
                let step: Point = std::array::from_fn(|i| (0..4).map(|j| inverse[i][j] * slope[j]).sum());
                let there = bounds.clamp(std::array::from_fn(|i| at[i] + step[i].clamp(-2.0, 2.0)));
                let value = log_likelihood(&to_model(&there, delay), paths);
                if value > best {
                    gained = value - best;
                    (at, best) = (there, value);
                    break;
                }
            }
            damping = damping * 10.0 + 1e-3;
        }
        if gained < 1e-9 {
            break;
        }
    }
    Ok((at, best))
}

/// Curvature of the profile log-likelihood: that over the parameters while the dependence of round trips on the state,
/// likeliest near `delay`, follows them (Murphy & van der Vaart, J. Am. Stat. Assoc. 95, 2000). With the dependence
/// held, errors would leave out that it is estimated from the same copies: the planted loss of the bad state was inside
/// 84 % of 90 % intervals.
fn profile(at: &Point, delay: Delay, paths: &[Vec<Observed>]) -> [Point; 4] {
    let moved = |point: &Point, i: usize, by: f64| -> Point {
        std::array::from_fn(|j| point[j] + if i == j { by } else { 0.0 })
    };
    let slope = |i: usize, by: f64| -> Point {
        let there = moved(at, i, by);
        let delay = (0..FOLLOWS).fold(delay, |delay, _| expect(&to_model(&there, delay), paths).delay());
        let value = |j: usize, by: f64| log_likelihood(&to_model(&moved(&there, j, by), delay), paths);
        std::array::from_fn(|j| (value(j, STEP) - value(j, -STEP)) / (2.0 * STEP))
    };
    let change: [Point; 4] = std::array::from_fn(|i| {
        let (up, down) = (slope(i, WIDE), slope(i, -WIDE));
        std::array::from_fn(|j| (up[j] - down[j]) / (2.0 * WIDE))
    });
    std::array::from_fn(|i| std::array::from_fn(|j| 0.5 * (change[i][j] + change[j][i])))
}

/// Standard errors of (bad, coherence in seconds, loss_good, loss_bad) at the top; `None` for one that lies on its
/// limit or that the data do not bound.
pub(super) fn errors(at: &Point, delay: Delay, bounds: &Bounds, paths: &[Vec<Observed>]) -> [Option<f64>; 4] {
    let free: [bool; 4] = std::array::from_fn(|i| !bounds.at_limit(at, i));
    let Some(covariance) = inverse(&profile(at, delay, paths), &free, 0.0) else { return [None; 4] };
    let stretch = stretch(&to_model(at, delay));
    std::array::from_fn(|i| free[i].then(|| covariance[i][i].sqrt() * stretch[i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_is_one() {
        let curve = [[-4.0, 1.0, 0.5, 0.0], [1.0, -3.0, 0.2, 0.1], [0.5, 0.2, -2.0, 0.3], [0.0, 0.1, 0.3, -1.0]];
        let got = inverse(&curve, &[true; 4], 0.0).unwrap_or_default();
        for i in 0..4 {
            for j in 0..4 {
                let product: f64 = (0..4).map(|k| -curve[i][k] * got[k][j]).sum();
                assert!((product - f64::from(u8::from(i == j))).abs() < 1e-12);
            }
        }
        let held = inverse(&curve, &[true, false, true, false], 0.0).unwrap_or_default();
        // The 2 × 2 block [[4, −0.5], [−0.5, 2]] has the determinant 7.75.
        assert!((held[0][0] - 2.0 / 7.75).abs() < 1e-12 && (held[2][2] - 4.0 / 7.75).abs() < 1e-12);
        assert_eq!(held[1], [0.0; 4]);
        assert!(inverse(&[[1.0, 0.0, 0.0, 0.0]; 4], &[true; 4], 0.0).is_none(), "not a top");
    }
}
