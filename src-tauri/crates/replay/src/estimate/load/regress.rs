//! Regressions within paths and stretches of time.

use super::{Estimate, chance};
use base::Instant;

/// First copy of an exchange, as a row of a regression.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Point {
    /// Time of sending; rows are in order of it.
    pub at: Instant,
    /// Position of the association in the record.
    pub path: usize,
    /// Load that the copy met, in copies under way; for a queue its wait, seconds.
    pub load: f64,
    /// Mean load of others over a usual round trip from the copy on, in copies under way.
    pub during: f64,
    /// Round trip in seconds; `None`: the copy was lost.
    pub rtt: Option<f64>,
}

/// Number of stretches of time with equally many copies; also of the clusters of standard errors. Chosen here: with
/// fewer clusters their errors come out too small (Cameron, Gelbach & Miller, Rev. Econ. Stat. 90, 2008: "five to
/// thirty" are few); with more, 100 copies leave fewer than three in a stretch, whose mean then takes the response
/// with it.
pub(crate) const STRETCHES: usize = 30;
/// Number of rounds of subtracting means of paths and stretches. Chosen here by judgement: converged where paths send
/// throughout.
const ROUNDS: usize = 12;

/// Stretch of time, from 0, of the `i`-th of `n` points in order of time.
pub(crate) fn stretch(i: usize, n: usize) -> usize {
    i * STRETCHES / n.max(1)
}

/// Values of `of` at each point, less what its path and its stretch of time have in common; `None` where `of` is
/// `None`.
pub(crate) fn within(points: &[Point], of: impl Fn(&Point) -> Option<f64>) -> Vec<Option<f64>> {
    let mut values: Vec<Option<f64>> = points.iter().map(of).collect();
    let paths = points.iter().map(|p| p.path + 1).max().unwrap_or(0);
    let n = points.len();
    for _ in 0..ROUNDS {
        center(&mut values, paths, |i| points.get(i).map_or(0, |p| p.path));
        center(&mut values, STRETCHES, |i| stretch(i, n));
    }
    values
}

/// Takes the mean of each group out of its values.
fn center(values: &mut [Option<f64>], groups: usize, group: impl Fn(usize) -> usize) {
    let mut sums = vec![(0.0, 0.0); groups];
    for (i, value) in values.iter().enumerate() {
        if let (Some(value), Some((sum, count))) = (value, sums.get_mut(group(i))) {
            *sum += value;
            *count += 1.0;
        }
    }
    for (i, value) in values.iter_mut().enumerate() {
        if let (Some(value), Some((sum, count))) = (value, sums.get(group(i))) {
            *value -= sum / count;
        }
    }
}

/// Residuals of `values` on `other`, both without means: the part that least squares beside `other` depend on (Frisch &
/// Waugh, Econometrica 1, 1933). Unchanged where `other` does not vary.
pub(super) fn beside(values: &[Option<f64>], other: &[Option<f64>]) -> Vec<Option<f64>> {
    let pairs = values.iter().zip(other).filter_map(|(v, o)| Some(((*v)?, (*o)?)));
    let (along, own) = pairs.fold((0.0, 0.0), |(along, own), (v, o)| (along + v * o, own + o * o));
    let share = if own > 0.0 { along / own } else { 0.0 };
    values.iter().zip(other).map(|(v, o)| Some((*v)? - share * (*o)?)).collect()
}

/// Correction of a variance estimated from a small number of clusters, g / (g − 1).
fn small_sample(clusters: usize) -> f64 {
    clusters as f64 / (clusters as f64 - 1.0)
}

/// Slope of `y` on `x`, both without means and in order of time; standard error robust to correlation within stretches.
/// Not finite where `x` does not vary.
pub(crate) fn least_squares(x: &[Option<f64>], y: &[Option<f64>]) -> Estimate {
    let pairs = || x.iter().zip(y).enumerate().filter_map(|(i, (x, y))| Some((i, (*x)?, (*y)?)));
    let (xx, xy) = pairs().fold((0.0, 0.0), |(xx, xy), (_, x, y)| (xx + x * x, xy + x * y));
    let value = xy / xx;
    let mut scores = [0.0; STRETCHES];
    let n = x.len();
    for (i, x, y) in pairs() {
        if let Some(score) = scores.get_mut(stretch(i, n)) {
            *score += x * (y - value * x);
        }
    }
    let spread: f64 = scores.iter().map(|s| s * s).sum::<f64>() * small_sample(STRETCHES);
    Estimate { value, error: spread.sqrt() / xx }
}

/// Slope of the logit of a loss on `x`, beside a constant and the `known` logit of each point, by Newton's steps. A
/// priori the slope is normal about zero, with standard deviation `prior`. The error is no smaller than losses by
/// chance alone make it: clusters with few losses do not tell what they have in common. Infinite where the steps
/// diverge.
pub(super) fn logistic(points: &[Point], x: &[Option<f64>], known: impl Fn(&Point) -> f64, prior: f64) -> Estimate {
    let rows = || points.iter().zip(x).enumerate().filter_map(|(i, (p, x))| Some((i, p, (*x)?)));
    let (mut constant, mut slope) = (0.0, 0.0);
    let precision = prior.powi(-2);
    let miss =
        |p: &Point, at: f64| (f64::from(u8::from(p.rtt.is_none())) - chance(at), chance(at) * (1.0 - chance(at)));
    let mut inverse = [f64::NAN; 3];
    for _ in 0..STEPS {
        let (mut score, mut curve) = ([0.0, -precision * slope], [0.0, 0.0, precision]);
        for (_, p, x) in rows() {
            let (miss, weight) = miss(p, known(p) + constant + slope * x);
            score = [score[0] + miss, score[1] + miss * x];
            curve = [curve[0] + weight, curve[1] + weight * x, curve[2] + weight * x * x];
        }
        let det = curve[0] * curve[2] - curve[1] * curve[1];
        inverse = [curve[2] / det, -curve[1] / det, curve[0] / det];
        constant += inverse[0] * score[0] + inverse[1] * score[1];
        slope += inverse[1] * score[0] + inverse[2] * score[1];
        if !slope.is_finite() {
            return Estimate { value: f64::NAN, error: f64::INFINITY };
        }
    }
    let mut scores = [[0.0; 2]; STRETCHES];
    for (i, p, x) in rows() {
        if let Some([sum, tilted]) = scores.get_mut(stretch(i, points.len())) {
            let (miss, _) = miss(p, known(p) + constant + slope * x);
            *sum += miss;
            *tilted += miss * x;
        }
    }
    // The slope's row of the inverse, times each cluster's score.
    let spread = scores.iter().map(|s| (inverse[1] * s[0] + inverse[2] * s[1]).powi(2)).sum::<f64>();
    Estimate { value: slope, error: (spread * small_sample(STRETCHES)).max(inverse[2]).sqrt() }
}

/// Number of Newton steps from zero. Chosen here by judgement: far more than a concave function of two numbers needs.
const STEPS: usize = 25;
