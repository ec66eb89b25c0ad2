//! Search for a drawn donor among those between two moments.

use std::ops::Range;

/// Number of `sums`, in ascending order, below `drawn`, if the answer lies within `around`, widened by one on each
/// side; `None` where it may lie elsewhere.
#[inline]
pub(crate) fn near_search(sums: &[f64], around: Range<usize>, drawn: f64) -> Option<usize> {
    let (from, to) = (around.start.saturating_sub(1), (around.end + 1).min(sums.len()));
    let within = less(sums.get(from..to)?, drawn);
    // At an edge equal sums or rounding may lead beyond the range.
    (within > 0 && from + within < to).then_some(from + within)
}

/// Number of `sums`, in ascending order, below `drawn`. A short list is scanned without branches, which vectorises.
fn less(sums: &[f64], drawn: f64) -> usize {
    /// Greatest length of a list that is scanned. Chosen here for speed.
    const SHORT: usize = 32;
    if sums.len() <= SHORT {
        // Wrapping, because an overflow check prevents vectorisation; there is no overflow.
        return sums.iter().fold(0_u64, |count, &sum| count.wrapping_add(u64::from(sum < drawn))) as usize;
    }
    sums.partition_point(|&sum| sum < drawn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        /// Where it finds a place, a search over all sums finds the same.
        #[test]
        fn it_is_where_a_search_finds_it(
            weights in proptest::collection::vec(0_u8..4, 1..120),
            ends in [0_usize..120, 0..120],
            drawn in 0.0..360.0_f64,
        ) {
            let mut sum = 0.0;
            let sums: Vec<f64> = weights.iter().map(|&weight| { sum += f64::from(weight); sum }).collect();
            let around = ends[0].min(ends[1])..ends[0].max(ends[1]);
            let expected = sums.partition_point(|&sum| sum < drawn);
            let got = near_search(&sums, around.clone(), drawn);
            prop_assert!(got.is_none_or(|got| got == expected), "{:?} is not {}", got, expected);
            if around.contains(&expected) && expected < sums.len() {
                prop_assert_eq!(got.or((expected == 0).then_some(0)), Some(expected));
            }
        }
    }
}
