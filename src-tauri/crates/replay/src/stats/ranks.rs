//! Rank tests, for samples that are not normal.

use statrs::distribution::{ChiSquared, ContinuousCDF as _};
use statrs::function::erf::erfc;
use std::f64::consts::FRAC_1_SQRT_2;

/// Result of the Kruskal–Wallis test; the hypothesis is that all groups come from one distribution.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct KruskalWallis {
    /// Statistic H, corrected for ties; not negative.
    pub h: f64,
    /// Number of degrees of freedom: groups − 1.
    pub freedom: usize,
    /// p-value by the χ² approximation, 0 to 1.
    pub p: f64,
}

/// Result of the Mann–Whitney test; the hypothesis is that both groups come from one distribution.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MannWhitney {
    /// Statistic U of the first group: the number of pairs in which its value is the greater one; ties count half.
    pub u: f64,
    /// Two-sided p-value, 0 to 1.
    pub p: f64,
    /// Whether `p` is exact; otherwise it is from the normal approximation.
    pub exact: bool,
}

/// Largest group size for the exact distribution of U, where no values tie. Chosen here: up to it, counts are exact in
/// an `f64` and the normal approximation is worst.
const EXACT: usize = 20;

/// Midranks of all values, group after group, and the tie correction Σ(t³ − t) over sets of t equal values. `None` with
/// a value that is not finite.
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

/// Tests whether several groups come from one distribution (Kruskal & Wallis, J. Am. Stat. Assoc. 47, 1952): H = 12 /
/// (N(N + 1)) · Σ Rᵢ²/nᵢ − 3(N + 1), divided by 1 − Σ(t³ − t) / (N³ − N) for ties, against χ² with k − 1 degrees of
/// freedom. `None` for fewer than two groups, an empty one, values that are not finite, and where all values are equal.
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

/// Tests whether one of two groups tends to greater values (Mann & Whitney, Ann. Math. Stat. 18, 1947). The p-value is
/// exact for groups of at most [`EXACT`] without ties, else from the normal approximation with corrections for ties and
/// continuity. `None` for an empty group, values that are not finite, and where all values are equal.
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

/// P(U ≤ `u`) for groups of `n` and `m` from one distribution: counts the choices of `n` ranks by their sum, rank by
/// rank. Counts stay below C(40, 20) ≈ 1.4e11, exact in an `f64`.
fn at_most(u: usize, n: usize, m: usize) -> f64 {
    let sums = n * m + 1;
    // Indexed by the number of ranks taken and the sum of U.
    let mut ways = vec![vec![0.0_f64; sums]; n + 1];
    ways[0][0] = 1.0;
    for rank in 0..n + m {
        for taken in (1..=n.min(rank + 1)).rev() {
            // The `taken`-th member at this rank is above `rank − (taken − 1)` members of the other group.
            let Some(above) = (rank + 1).checked_sub(taken).filter(|&above| above <= m) else { continue };
            for sum in above..sums {
                ways[taken][sum] += ways[taken - 1][sum - above];
            }
        }
    }
    let all: f64 = ways[n].iter().sum();
    ways[n].iter().take(u + 1).sum::<f64>() / all
}
