//! Means and quantiles.

/// A two-sided interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// Lower end.
    pub lo: f64,
    /// Upper end.
    pub hi: f64,
}

/// The arithmetic mean; `None` of nothing, or when a value is not finite.
#[must_use]
pub fn mean(values: &[f64]) -> Option<f64> {
    finite(values)?;
    Some(values.iter().sum::<f64>() / values.len() as f64)
}

/// The quantile of type 7 (Hyndman & Fan 1996; the default of R and NumPy): linear between the order
/// statistics around position `(n − 1)·p`. `None` of nothing, of values that are not finite, and for
/// `p` outside [0, 1].
#[must_use]
pub fn quantile(values: &[f64], p: f64) -> Option<f64> {
    finite(values)?;
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    quantile_sorted(&sorted, p)
}

/// [`quantile`] of values in ascending order.
#[must_use]
pub fn quantile_sorted(sorted: &[f64], p: f64) -> Option<f64> {
    let (below, share) = position(sorted.len(), p)?;
    let low = *sorted.get(below)?;
    Some(between(low, sorted.get(below + 1).copied().unwrap_or(low), share))
}

/// The percentile interval that leaves `(1 − level)/2` on either side, by [`quantile`].
#[must_use]
pub fn interval(values: &[f64], level: f64) -> Option<Interval> {
    finite(values)?;
    let tail = (1.0 - level) / 2.0;
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    Some(Interval { lo: quantile_sorted(&sorted, tail)?, hi: quantile_sorted(&sorted, 1.0 - tail)? })
}

/// The quantile of integers, reordering them; linear time.
pub(crate) fn select(values: &mut [i64], p: f64) -> Option<f64> {
    let (below, share) = position(values.len(), p)?;
    let (_, low, above) = values.select_nth_unstable(below);
    let low = *low;
    let high = above.iter().copied().min().unwrap_or(low);
    Some(between(low as f64, high as f64, share))
}

/// The order statistic (from 0) below position `(n − 1)·p`, and how far above it the position is.
pub(crate) fn position(n: usize, p: f64) -> Option<(usize, f64)> {
    if n == 0 || !(0.0..=1.0).contains(&p) {
        return None;
    }
    let h = (n - 1) as f64 * p;
    let below = h.floor();
    Some((below as usize, h - below))
}

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
            let got = select(&mut [8, 1, 4, 3], p).unwrap();
            assert!((got - expected).abs() < 1e-12, "{p}: {got} is not {expected}");
        }
        assert_eq!(quantile(&[5.0], 0.3), Some(5.0));
    }

    #[test]
    fn the_undefined_is_none() {
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(quantile(&[1.0, f64::NAN], 0.5), None);
        assert_eq!(quantile(&[1.0], 1.5), None);
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&[f64::INFINITY]), None);
        assert_eq!(interval(&[], 0.9), None);
        assert_eq!(select(&mut [], 0.5), None);
    }
}
