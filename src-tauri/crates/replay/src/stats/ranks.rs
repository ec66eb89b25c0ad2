//! Tests on ranks, for samples that are not normal.

use statrs::distribution::{ChiSquared, ContinuousCDF as _};
use statrs::function::erf::erfc;
use std::f64::consts::FRAC_1_SQRT_2;

/// Whether several groups come from one distribution.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct KruskalWallis {
    /// H, corrected for ties.
    pub h: f64,
    /// Degrees of freedom: groups − 1.
    pub freedom: usize,
    /// From the χ² approximation.
    pub p: f64,
}

/// Whether one of two groups tends to greater values.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MannWhitney {
    /// U of the first group: pairs in which its value is the greater one, ties half.
    pub u: f64,
    /// Two-sided.
    pub p: f64,
    /// `p` is exact, not from the normal approximation.
    pub exact: bool,
}

/// Groups up to this size are compared exactly, where no values tie.
const EXACT: usize = 20;

/// Midranks of all values, group after group, and Σ(t³ − t) over groups of ties. `None` with a value that is not finite.
fn midranks(groups: &[&[f64]]) -> Option<(Vec<f64>, f64)> {
    let all: Vec<f64> = groups.iter().flat_map(|group| group.iter().copied()).collect();
    if all.iter().any(|v| !v.is_finite()) {
        return None;
    }
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by(|&a, &b| all[a].total_cmp(&all[b]));
    let mut ranks = vec![0.0; all.len()];
    let mut ties = 0.0;
    let mut from = 0;
    while let Some(&first) = order.get(from) {
        let equal = order.iter().skip(from).take_while(|&&i| all[i] == all[first]).count();
        let middle = from as f64 + (equal as f64 + 1.0) / 2.0;
        for &i in order.iter().skip(from).take(equal) {
            ranks[i] = middle;
        }
        ties += (equal as f64).powi(3) - equal as f64;
        from += equal;
    }
    Some((ranks, ties))
}

/// Kruskal & Wallis 1952 (J. Am. Stat. Assoc. 47), corrected for ties. `None` for fewer than two groups, an empty one,
/// and where all values are equal.
#[must_use]
pub fn kruskal_wallis(groups: &[Vec<f64>]) -> Option<KruskalWallis> {
    if groups.len() < 2 || groups.iter().any(Vec::is_empty) {
        return None;
    }
    let (ranks, ties) = midranks(&groups.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
    let n = ranks.len() as f64;
    let mut from = 0;
    let mut sum = 0.0;
    for group in groups {
        let total: f64 = ranks.iter().skip(from).take(group.len()).sum();
        sum += total * total / group.len() as f64;
        from += group.len();
    }
    let correction = 1.0 - ties / (n.powi(3) - n);
    if correction <= 0.0 {
        return None;
    }
    let h = (12.0 / (n * (n + 1.0)) * sum - 3.0 * (n + 1.0)) / correction;
    let freedom = groups.len() - 1;
    let p = ChiSquared::new(freedom as f64).ok()?.sf(h);
    Some(KruskalWallis { h, freedom, p })
}

/// Mann & Whitney 1947 (Ann. Math. Stat. 18): exact by their recurrence for small groups without ties, else the normal
/// approximation with corrections for ties and continuity. `None` for an empty group and where all values are equal.
#[must_use]
pub fn mann_whitney(a: &[f64], b: &[f64]) -> Option<MannWhitney> {
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let (ranks, ties) = midranks(&[a, b])?;
    let (n, m) = (a.len() as f64, b.len() as f64);
    let u = ranks.iter().take(a.len()).sum::<f64>() - n * (n + 1.0) / 2.0;
    let least = u.min(n * m - u);
    let exact = ties == 0.0 && a.len() <= EXACT && b.len() <= EXACT;
    let p = if exact {
        2.0 * at_most(least as usize, a.len(), b.len())
    } else {
        let all = n + m;
        let variance = n * m / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)));
        if variance <= 0.0 {
            return None;
        }
        let z = (n * m / 2.0 - least - 0.5) / variance.sqrt();
        erfc(z * FRAC_1_SQRT_2)
    };
    Some(MannWhitney { u, p: p.min(1.0), exact })
}

/// The chance of U ≤ `u` between groups of `n` and `m` from one distribution: ways to choose `n` of the ranks by their
/// sum, counted item by item. Counts stay below C(40, 20) ≈ 1.4e11, exact in an `f64`.
fn at_most(u: usize, n: usize, m: usize) -> f64 {
    let sums = n * m + 1;
    // ways[taken][sum of U].
    let mut ways = vec![vec![0.0_f64; sums]; n + 1];
    ways[0][0] = 1.0;
    for rank in 0..n + m {
        for taken in (1..=n.min(rank + 1)).rev() {
            // The `taken`-th member at this rank is above `rank − (taken − 1)` of the other group.
            let Some(above) = (rank + 1).checked_sub(taken).filter(|&above| above <= m) else { continue };
            for sum in above..sums {
                ways[taken][sum] += ways[taken - 1][sum - above];
            }
        }
    }
    let all: f64 = ways[n].iter().sum();
    ways[n].iter().take(u + 1).sum::<f64>() / all
}
