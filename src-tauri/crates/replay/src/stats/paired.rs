//! Paired differences of two runs.

use super::{Interval, interval, mean};

/// Level of the interval. Chosen here: that of every interval of a replay.
const LEVEL: f64 = 0.90;

/// Summary of paired differences, in the unit of the values.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Paired {
    /// Number of pairs of values.
    pub pairs: usize,
    /// Mean of the differences.
    pub mean: f64,
    /// 90 % prediction interval of one more difference ([`interval`]).
    pub spread: Interval,
    /// Share of the pairs with a negative difference, 0 to 1; ties count half.
    pub below: f64,
}

/// Summarises the differences `a − b` of values paired by position: the same replicate, with common random numbers.
/// Pairs with an undefined side are left out. `None` without pairs.
#[must_use]
pub fn paired(a: &[Option<f64>], b: &[Option<f64>]) -> Option<Paired> {
    let differences: Vec<f64> = a.iter().zip(b).filter_map(|(a, b)| Some((*a)? - (*b)?)).collect();
    let spread = interval(&differences, LEVEL)?;
    let n = differences.len();
    let halves: u32 = differences.iter().map(|d| if *d < 0.0 { 2 } else { u32::from(*d == 0.0) }).sum();
    Some(Paired { pairs: n, mean: mean(&differences)?, spread, below: f64::from(halves) / (2.0 * n as f64) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identical_runs_do_not_differ() {
        let run: Vec<Option<f64>> = (0..50).map(|i| Some(f64::from(i))).collect();
        let p = paired(&run, &run).unwrap();
        assert_eq!((p.mean, p.spread, p.below), (0.0, Interval { lo: 0.0, hi: 0.0 }, 0.5));
    }

    #[test]
    fn a_tie_counts_half() {
        let a: Vec<Option<f64>> = (0..100).map(|i| Some(f64::from(i))).collect();
        let p = paired(&a, &vec![Some(0.0); 100]).unwrap();
        assert!((p.mean - 49.5).abs() < 1e-12);
        assert_eq!((p.pairs, p.below), (100, 0.005));
    }

    #[test]
    fn undefined_sides_are_left_out() {
        let p = paired(&[Some(1.0), None, Some(3.0)], &[Some(0.0), Some(0.0), None]).unwrap();
        assert_eq!((p.pairs, p.mean), (1, 1.0));
        assert!(paired(&[None], &[Some(1.0)]).is_none());
    }
}
