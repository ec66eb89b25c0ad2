//! Means, quantiles and prediction intervals.

/// A two-sided interval of values, ends included, in their unit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// Lower end, in the unit of the values.
    pub lo: f64,
    /// Upper end, in the unit of the values.
    pub hi: f64,
}

impl Interval {
    /// Least interval that encloses both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }
}

/// Arithmetic mean; `None` without values, or when a value is not finite.
#[must_use]
pub fn mean(values: &[f64]) -> Option<f64> {
    finite(values)?;
    Some(values.iter().sum::<f64>() / values.len() as f64)
}

/// Quantile of type 7 (Hyndman & Fan 1996; the default of R and NumPy) at `p`, 0 to 1: linear between the order
/// statistics around position (n − 1)·p, counted from 0. `None` without values, for values that are not finite, and for
/// `p` outside [0, 1].
#[must_use]
pub fn quantile(values: &[f64], p: f64) -> Option<f64> {
    finite(values)?;
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    quantile_sorted(&sorted, p)
}

/// [`quantile`] of values in ascending order, which must be finite. `None` without values, and for `p` outside [0, 1].
#[must_use]
pub fn quantile_sorted(sorted: &[f64], p: f64) -> Option<f64> {
    let (below, share) = position(sorted.len(), p)?;
    let low = *sorted.get(below)?;
    Some(between(low, sorted.get(below + 1).copied().unwrap_or(low), share))
}

/// The nine definitions of a sample quantile of Hyndman & Fan (The American Statistician 50(4), 1996).
///
/// With `n` values and `j + g = n·p + m`, `j` whole, the quantile is `(1 − γ)·x[j] + γ·x[j + 1]`, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum QuantileType {
    /// 1: inverse of the ECDF; m = 0, γ = 0 where g = 0, else 1.
    Inverse,
    /// 2: as 1, averaging at the steps.
    Averaged,
    /// 3: the nearest order statistic, even where two are; m = −1/2 (SAS).
    Nearest,
    /// 4: linear on the ECDF; m = 0.
    Linear,
    /// 5: Hazen; m = 1/2.
    Hazen,
    /// 6: Weibull; m = p (Minitab, SPSS).
    Weibull,
    /// 7: m = 1 − p (R, NumPy, Excel).
    #[default]
    Mode,
    /// 8: approximately median-unbiased; m = (p + 1)/3.
    Median,
    /// 9: approximately unbiased for the normal distribution; m = p/4 + 3/8.
    Normal,
}

impl QuantileType {
    /// All types, in the order of their numbers.
    pub const ALL: [Self; 9] = [
        Self::Inverse,
        Self::Averaged,
        Self::Nearest,
        Self::Linear,
        Self::Hazen,
        Self::Weibull,
        Self::Mode,
        Self::Median,
        Self::Normal,
    ];

    /// Returns the type with `number` in Hyndman & Fan, 1 to 9; `None` for others.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number).checked_sub(1)?).copied()
    }

    /// Number of the type in Hyndman & Fan, 1 to 9.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }

    /// Quantile of this type at `p` of values in ascending order; `None` without values and for `p` outside [0, 1].
    #[must_use]
    pub fn of_sorted(self, sorted: &[f64], p: f64) -> Option<f64> {
        let (first, last) = (*sorted.first()?, *sorted.last()?);
        if !(0.0..=1.0).contains(&p) {
            return None;
        }
        let n = sorted.len() as f64;
        let m = match self {
            Self::Inverse | Self::Averaged | Self::Linear => 0.0,
            Self::Nearest => -0.5,
            Self::Hazen => 0.5,
            Self::Weibull => p,
            Self::Mode => 1.0 - p,
            Self::Median => (p + 1.0) / 3.0,
            Self::Normal => p / 4.0 + 3.0 / 8.0,
        };
        // A position within rounding of a whole number is that number, as in R's `quantile` (fuzz of 4 ε).
        let position = n * p + m;
        let fuzz = 4.0 * f64::EPSILON * n;
        let j = (position + fuzz).floor();
        let g = if (position - j).abs() < fuzz { 0.0 } else { position - j };
        let share = match self {
            Self::Inverse => f64::from(u8::from(g > 0.0)),
            Self::Averaged => {
                if g > 0.0 {
                    1.0
                } else {
                    0.5
                }
            }
            Self::Nearest => f64::from(u8::from(g > 0.0 || j.rem_euclid(2.0) != 0.0)),
            _ => g,
        };
        let at = |place: f64| if place < 1.0 { first } else { sorted.get(place as usize - 1).copied().unwrap_or(last) };
        Some(between(at(j), at(j + 1.0), share))
    }
}

/// Nonparametric prediction interval for one more value at `level`, 0 to 1, with equal tails: order statistics (n +
/// 1)·p ([`QuantileType::Weibull`]; Wilks, Ann. Math. Stat. 12, 1941: neighbouring ones enclose 1/(n + 1) on average).
///
/// Quantiles of type 7 would be too narrow for small samples: of 60 values, 13 % of new ones would fall outside instead
/// of 10 %. For n + 1 < 2 / (1 − level) the interval is the range of the sample. `None` without values and for values
/// that are not finite.
#[must_use]
pub fn interval(values: &[f64], level: f64) -> Option<Interval> {
    finite(values)?;
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    interval_sorted(&sorted, level)
}

/// [`interval`] of values in ascending order, which must be finite. `None` without values.
#[must_use]
pub fn interval_sorted(sorted: &[f64], level: f64) -> Option<Interval> {
    let tail = (1.0 - level) / 2.0;
    let at = |p: f64| QuantileType::Weibull.of_sorted(sorted, p);
    Some(Interval { lo: at(tail)?, hi: at(1.0 - tail)? })
}

/// Type-7 quantiles at `p` ≤ `q` (0 to 1) of integers, which are reordered; by selection, in linear time. `None` as
/// [`quantile`].
pub(crate) fn select_both(values: &mut [i64], p: f64, q: f64) -> Option<(f64, f64)> {
    let (first, second) = (position(values.len(), p)?, position(values.len(), q)?);
    let (_, _, above) = values.select_nth_unstable(first.0);
    // The second order statistic is above the first one, unless it is the same.
    if let Some(further) = second.0.checked_sub(first.0 + 1) {
        above.select_nth_unstable(further);
    }
    let at = |(below, share): (usize, f64)| {
        let (low, above) = values.get(below..)?.split_first()?;
        // The next order statistic is needed only where it has weight.
        let high = if share > 0.0 { above.iter().min().unwrap_or(low) } else { low };
        Some(between(*low as f64, *high as f64, share))
    };
    at(first).zip(at(second))
}

/// Position (n − 1)·p of type 7: the index of the order statistic at or below it, and the fraction above that. `None`
/// for `n` of 0 and for `p` outside [0, 1].
pub(crate) fn position(n: usize, p: f64) -> Option<(usize, f64)> {
    if n == 0 || !(0.0..=1.0).contains(&p) {
        return None;
    }
    let h = (n - 1) as f64 * p;
    let below = h.floor();
    Some((below as usize, h - below))
}

/// Linear interpolation from `low` at share 0 to `high` at share 1; exact at 0 also where `high` is infinite.
pub(crate) fn between(low: f64, high: f64, share: f64) -> f64 {
    if share == 0.0 { low } else { low + (high - low) * share }
}

fn finite(values: &[f64]) -> Option<()> {
    (!values.is_empty() && values.iter().all(|v| v.is_finite())).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_7_as_r_computes_it() {
        // R: quantile(c(1, 3, 4, 8), c(0, .05, .25, .5, .9, 1))
        let values = [8.0, 1.0, 4.0, 3.0];
        for (p, expected) in [(0.0, 1.0), (0.05, 1.3), (0.25, 2.5), (0.5, 3.5), (0.9, 6.8), (1.0, 8.0)] {
            let got = quantile(&values, p).unwrap();
            assert!((got - expected).abs() < 1e-12, "{p}: {got} is not {expected}");
            for (other, other_expected) in [(0.0, 1.0), (0.5, 3.5), (1.0, 8.0)].into_iter().filter(|o| o.0 >= p) {
                let (got, beside) = select_both(&mut [8, 1, 4, 3], p, other).unwrap();
                assert!((got - expected).abs() < 1e-12, "{p}: {got} is not {expected}");
                assert!((beside - other_expected).abs() < 1e-12, "{other} beside {p}: {beside}");
            }
        }
        assert_eq!(quantile(&[5.0], 0.3), Some(5.0));
    }

    #[test]
    fn undefined_results_are_none() {
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(quantile(&[1.0, f64::NAN], 0.5), None);
        assert_eq!(quantile(&[1.0], 1.5), None);
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&[f64::INFINITY]), None);
        assert_eq!(interval(&[], 0.9), None);
        // n + 1 = 20: the tails of 5 % are order statistics 1 and 19.
        let small: Vec<f64> = (1..=19).map(f64::from).collect();
        assert_eq!(interval(&small, 0.9), Some(Interval { lo: 1.0, hi: 19.0 }));
        let large: Vec<f64> = (1..=199).map(f64::from).collect();
        assert_eq!(interval(&large, 0.9), Some(Interval { lo: 10.0, hi: 190.0 }));
        assert_eq!(interval(&[2.0, 1.0], 0.9), Some(Interval { lo: 1.0, hi: 2.0 }));
        assert_eq!(select_both(&mut [], 0.5, 0.95), None);
    }
}
