//! The distribution of the studentized range: the range of `k` independent normal means with one expectation, over
//! their estimated standard error with ν degrees of freedom.
//!
//! `P(q; k, ν) = ∫ f_ν(s) · P_∞(q·s; k) ds` with `s = √(χ²_ν / ν)` and
//! `P_∞(w; k) = k ∫ φ(z)·[Φ(z) − Φ(z − w)]^(k−1) dz` (Copenhaver & Holland, J. Stat. Comput. Simul. 30, 1988), both by
//! Gauss–Legendre quadrature over panels.

use statrs::function::erf::erfc;
use statrs::function::gamma::ln_gamma;
use std::f64::consts::{FRAC_1_SQRT_2, PI};
use std::sync::LazyLock;

/// Number of quadrature nodes of a panel. Chosen here together with [`PANELS`].
const NODES: usize = 16;
/// Number of panels of either integral. Chosen here: enough to agree with SciPy to 1e-8; repeat with `cargo test -p
/// replay --test stats_golden`.
const PANELS: usize = 12;
/// Bound of the integral over z. Chosen here: φ(8.5) < 1e-16, the precision of an `f64`.
const FAR: f64 = 8.5;

/// Relative change below which a quantile is found. Chosen here: the distribution itself agrees with SciPy's to 1e-8.
const PRECISE: f64 = 1e-12;
/// Greatest number of steps to a quantile. Chosen here: four times as many as the published tables take, 7 to 12; as
/// many as bisection would take to 2^-44 of its bracket.
const STEPS: usize = 44;

/// Abscissas and weights of Gauss–Legendre quadrature on [−1, 1] (Abramowitz & Stegun, chapter 25): the roots of the
/// Legendre polynomial P_16 by Newton's method from cos(π(i + 3/4)/(n + 1/2)).
static GAUSS: LazyLock<[(f64, f64); NODES]> = LazyLock::new(|| {
    let n = NODES as f64;
    std::array::from_fn(|i| {
        let mut x = (PI * (i as f64 + 0.75) / (n + 0.5)).cos();
        let mut slope = 1.0;
        for _ in 0..50 {
            let (mut p, mut before) = (x, 1.0);
            for k in 2..=NODES {
                let k = k as f64;
                (p, before) = (((2.0 * k - 1.0) * x * p - (k - 1.0) * before) / k, p);
            }
            slope = n * (x * p - before) / (x * x - 1.0);
            x -= p / slope;
        }
        (x, 2.0 / ((1.0 - x * x) * slope * slope))
    })
});

/// The integral of `f` over [`from`, `to`], by Gauss–Legendre quadrature in equal panels.
fn integrate(from: f64, to: f64, f: impl Fn(f64) -> f64) -> f64 {
    let half = (to - from) / (2.0 * PANELS as f64);
    let panel = |index: usize| {
        let middle = from + half * (2.0 * index as f64 + 1.0);
        GAUSS.iter().map(|(x, weight)| weight * f(middle + half * x)).sum::<f64>() * half
    };
    (0..PANELS).map(panel).sum()
}

/// Φ(a) − Φ(b) for b ≤ a, from the smaller tails, so that no digits cancel.
fn normal_between(b: f64, a: f64) -> f64 {
    let upper = |z: f64| 0.5 * erfc(z * FRAC_1_SQRT_2);
    if b > 0.0 { upper(b) - upper(a) } else { upper(-a) - upper(-b) }
}

/// P_∞(w; k): the probability that the range of `k` standard normal variables is at most `w`.
fn normal_range(w: f64, k: u32) -> f64 {
    let density = |z: f64| (-z * z / 2.0).exp() / (2.0 * PI).sqrt();
    let power = i32::try_from(k - 1).unwrap_or(i32::MAX);
    f64::from(k) * integrate(-FAR, FAR + w.min(1.0), |z| density(z) * normal_between(z - w, z).powi(power))
}

/// Distribution function P(q; k, ν), 0 to 1, of the studentized range of `k` groups with `df` = ν degrees of freedom.
/// `None` for fewer than two groups, less than one degree of freedom, or a `q` that is not a number.
#[must_use]
pub fn studentized_range(q: f64, k: u32, df: f64) -> Option<f64> {
    if k < 2 || df.is_nan() || df < 1.0 || q.is_nan() {
        return None;
    }
    if q <= 0.0 {
        return Some(0.0);
    }
    // s = √(χ²/ν) has a density with its peak near 1 and a standard deviation of about 1/√(2ν); logarithms avoid
    // overflow.
    let half = df / 2.0;
    let constant = half * df.ln() - ln_gamma(half) - (half - 1.0) * std::f64::consts::LN_2;
    let density = |s: f64| if s <= 0.0 { 0.0 } else { (constant + (df - 1.0) * s.ln() - half * s * s).exp() };
    let spread = 1.0 / (2.0 * df).sqrt();
    // Twelve standard deviations to either side: the density beyond is below the precision of an `f64`.
    let (from, to) = ((1.0 - 12.0 * spread).max(0.0), 1.0 + 12.0 * spread);
    Some(integrate(from, to, |s| density(s) * normal_range(q * s, k)).clamp(0.0, 1.0))
}

/// Quantile of the studentized range at `p`, 0 < p < 1: inverts [`studentized_range`] by the Illinois method (Dowell &
/// Jarratt, BIT 11, 1971), to 10⁻¹² of itself. `None` as there, and beyond 10⁶.
#[must_use]
pub fn studentized_range_quantile(p: f64, k: u32, df: f64) -> Option<f64> {
    if !(p > 0.0 && p < 1.0) {
        return None;
    }
    // Ends of a bracket, each with its distance from `p`: below it at `low`, not below at `high`.
    let (mut low, mut high) = ((0.0, -p), (4.0, studentized_range(4.0, k, df)? - p));
    while high.1 < 0.0 {
        let next = 2.0 * high.0;
        if next > 1e6 {
            return None;
        }
        (low, high) = (high, (next, studentized_range(next, k, df)? - p));
    }
    let (mut found, mut moved) = (high.0, None);
    for _ in 0..STEPS {
        let before = found;
        found = (low.0 * high.1 - high.0 * low.1) / (high.1 - low.1);
        if (found - before).abs() <= PRECISE * found {
            break;
        }
        let distance = studentized_range(found, k, df)? - p;
        // An end that stays twice counts half, or the secant would creep towards it.
        let is_low = distance < 0.0;
        let stays = if moved.replace(is_low) == Some(is_low) { 0.5 } else { 1.0 };
        if is_low {
            (low, high.1) = ((found, distance), stays * high.1);
        } else {
            (high, low.1) = ((found, distance), stays * low.1);
        }
    }
    Some(found)
}
