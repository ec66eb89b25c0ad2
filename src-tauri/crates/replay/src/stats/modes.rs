//! Two modes of a sample: the excess mass test (Müller & Sawitzki, J. Am. Stat. Assoc. 86, 1991).
//!
//! The excess mass of k intervals at level λ is the greatest value of Σ (share of the sample inside − λ · length). That
//! of two intervals less that of one, at the level where they differ most, is twice the dip of Hartigan & Hartigan
//! (Ann. Statist. 13, 1985): near 0 where one interval holds the mass of a single mode, whatever its shape. The two
//! intervals found also say where to part the sample.

use super::Interval;

/// Least size of a sample that is tested. Chosen here: in smaller ones only halves far apart are told from one mode.
const LEAST: usize = 20;
/// Critical value of √n times the difference of excess masses, at 5 % for a uniform sample, which of all samples with
/// one mode differs most. By simulation here: `cargo test --release -p replay --lib critical_value -- --nocapture`
/// prints the quantiles by n.
const CRITICAL: f64 = 0.97;
/// Lowest level λ, as a multiple of 1 / range; each level is ∜2 times the one before. Chosen here: at the lowest a
/// single far value costs as much as a fiftieth of the sample weighs, at the highest a thousandth of the range that
/// holds the whole sample stands out.
const LOWEST: f64 = 0.02;
/// Number of levels; see [`LOWEST`].
const LEVELS: u32 = 64;

/// Value that separates `values` into two modes, halfway between them; `None` where one mode explains them, and for
/// fewer than 20 values.
#[must_use]
pub fn boundary(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let (difference, between) = excess_mass(&sorted)?;
    let tested = sorted.len() >= LEAST && difference * (sorted.len() as f64).sqrt() > CRITICAL;
    tested.then(|| f64::midpoint(between.lo, between.hi))
}

/// 90 % interval of a share, 0 to 1, from `part` of `whole` independent draws (score interval of Wilson, J. Am. Stat.
/// Assoc. 22, 1927); `None` without draws.
#[must_use]
pub fn share_interval(part: usize, whole: usize) -> Option<Interval> {
    /// Quantile of the standard normal distribution at 95 %.
    const Z: f64 = 1.645;
    if whole == 0 {
        return None;
    }
    let (n, p) = (whole as f64, part as f64 / whole as f64);
    let centre = (p + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
    let half = Z / (1.0 + Z * Z / n) * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    Some(Interval { lo: (centre - half).max(0.0), hi: (centre + half).min(1.0) })
}

/// Greatest difference of the excess masses of two intervals and of one over all levels, and the gap between the two;
/// `None` without a range.
fn excess_mass(sorted: &[f64]) -> Option<(f64, Interval)> {
    let range = sorted.last()? - sorted.first()?;
    if !(range > 0.0 && range.is_finite()) {
        return None;
    }
    let reversed: Vec<f64> = sorted.iter().rev().map(|v| -v).collect();
    let mut most: Option<(f64, Interval)> = None;
    for level in 0..LEVELS {
        let lambda = LOWEST * (0.25 * f64::from(level)).exp2() / range;
        let (from_left, from_right) = (best_until(sorted, lambda), best_until(&reversed, lambda));
        let one = from_left.last()?.0;
        for (at, &(left, end)) in from_left.iter().enumerate() {
            let Some(&(right, begin)) = (sorted.len() - at).checked_sub(2).and_then(|i| from_right.get(i)) else {
                break;
            };
            let difference = left + right - one;
            if most.is_none_or(|(greatest, _)| difference > greatest) {
                most = Some((difference, Interval { lo: end, hi: -begin }));
            }
        }
    }
    most
}

/// Per place, the excess mass of the best interval that ends there or before, and the value at its end.
fn best_until(sorted: &[f64], lambda: f64) -> Vec<(f64, f64)> {
    let each = 1.0 / sorted.len() as f64;
    let (mut best, mut current) = ((f64::NEG_INFINITY, f64::NAN), f64::NEG_INFINITY);
    let mut before = f64::NAN;
    let next = |&value: &f64| {
        // The interval goes on, or one begins here.
        current = (current - lambda * (value - before)).max(0.0) + each;
        before = value;
        if current > best.0 {
            best = (current, value);
        }
        best
    };
    sorted.iter().map(next).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::quantile_sorted;
    use base::philox;
    use std::f64::consts::{PI, TAU};

    /// Samples of size `n` from `quantile`, a function of a uniform and of a normal number.
    fn samples(n: u32, many: u32, draw: impl Fn(f64, f64) -> f64) -> Vec<Vec<f64>> {
        let number = |sample, i| {
            let [a, b, c, _] =
                philox([i, sample, n, 0x6d6f], [1, 2]).map(|word| (f64::from(word) + 0.5) / 4_294_967_296.0);
            // Box & Muller 1958.
            draw(c, (-2.0 * a.ln()).sqrt() * (TAU * b).cos())
        };
        (0..many).map(|sample| (0..n).map(|i| number(sample, i)).collect()).collect()
    }

    fn found(samples: &[Vec<f64>]) -> f64 {
        samples.iter().filter(|sample| boundary(sample).is_some()).count() as f64 / samples.len() as f64
    }

    #[test]
    fn critical_value() {
        for n in [20, 60, 200, 1_000] {
            let statistic = |mut sample: Vec<f64>| {
                sample.sort_unstable_by(f64::total_cmp);
                excess_mass(&sample).unwrap().0 * f64::from(n).sqrt()
            };
            let mut all: Vec<f64> = samples(n, 2_000, |u, _| u).into_iter().map(statistic).collect();
            all.sort_unstable_by(f64::total_cmp);
            let [half, nineteen, most] = [0.5, 0.95, 0.99].map(|p| quantile_sorted(&all, p).unwrap());
            println!("n {n}: median {half:.3}, 95 % {nineteen:.3}, 99 % {most:.3}");
            assert!(nineteen <= CRITICAL, "{nineteen} of samples of {n}");
        }
    }

    /// Shapes with one mode: of the uniform one in twenty is taken for two, of the others hardly any.
    #[test]
    fn one_mode_is_seldom_taken_for_two() {
        type Draw = fn(f64, f64) -> f64;
        let shapes: [(&str, Draw); 7] = [
            ("uniform", |u, _| u),
            ("normal", |_, z| z),
            ("exponential", |u, _| -u.ln()),
            ("logarithm of an exponential", |u, _| (-u.ln()).ln()),
            ("lognormal", |_, z| z.exp()),
            ("heavy tails", |u, _| (PI * (u - 0.5)).tan()),
            ("a spike with a tail", |u, z| {
                if u < 0.7 { 0.05 * z } else { 0.05 * z.abs() - (10.0 * (u - 0.7) / 3.0).ln().min(0.0) }
            }),
        ];
        for (name, draw) in shapes {
            for n in [20, 60, 200] {
                let share = found(&samples(n, 600, draw));
                println!("{name}, n {n}: {share:.3}");
                assert!(share <= 0.05, "{name}, n {n}: {share}");
            }
        }
    }

    /// Two modes so many standard deviations apart, the smaller with this share of n replicates: a storm ten times as
    /// slow, with runs that scatter by 15 %, is fifteen apart.
    #[test]
    fn two_modes_are_found() {
        for (apart, share, n, least) in [
            (15.0, 0.1, 200, 0.5),
            (15.0, 0.15, 200, 0.95),
            (15.0, 0.25, 60, 0.9),
            (15.0, 0.45, 20, 0.9),
            (6.0, 0.3, 200, 0.95),
            (6.0, 0.5, 60, 0.95),
        ] {
            let two = samples(n, 300, |u, z| z + if u < share { apart } else { 0.0 });
            let power = found(&two);
            println!("{apart} apart, share {share}, n {n}: {power:.3}");
            assert!(power >= least, "{apart} apart, share {share}, n {n}: {power}");
            assert!(two.iter().filter_map(|sample| boundary(sample)).all(|at| (1.0..apart - 1.0).contains(&at)));
        }
    }

    #[test]
    fn degenerate_samples_have_no_modes() {
        assert_eq!(boundary(&[]), None);
        assert_eq!(boundary(&[1.0; 50]), None);
        assert_eq!(boundary(&[0.0, 1.0]), None);
        let atoms: Vec<f64> = (0..40).map(|i| f64::from(i % 2)).collect();
        assert_eq!(boundary(&atoms), Some(0.5));
        assert_eq!(boundary(&[f64::INFINITY; 30]), None);
    }

    #[test]
    fn a_share_has_the_interval_of_wilson() {
        // 43 of 100, 90 %: (0.35146, 0.51223) by the formula.
        let Interval { lo, hi } = share_interval(43, 100).unwrap();
        assert!((lo - 0.351_463).abs() < 1e-6 && (hi - 0.512_225).abs() < 1e-6, "{lo} {hi}");
        assert_eq!(share_interval(0, 0), None);
        assert_eq!(share_interval(0, 10).unwrap().lo, 0.0);
    }
}
