//! Sorted moments with a table over time: a query for the rank of a moment searches one cell of the table only. Every
//! replayed copy asks several times. Without the table, and by a law test with it, the rank is that of a binary search.

use base::Instant;

/// Moments in ascending order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Times {
    nanos: Vec<i64>,
    /// Stretches of 2^`shift` ns from the first moment on: how many moments lie before each, and before the end. Empty
    /// without a table.
    starts: Vec<u32>,
    shift: u32,
}

impl Times {
    /// Takes `moments`, which must be in ascending order; makes the table where `is_fast`.
    pub fn new(moments: impl Iterator<Item = Instant>, is_fast: bool) -> Self {
        let nanos: Vec<i64> = moments.map(Instant::nanos).collect();
        if !is_fast {
            return Self { nanos, ..Self::default() };
        }
        let (Some(&first), Some(&last)) = (nanos.first(), nanos.last()) else { return Self::default() };
        let reach = last.abs_diff(first);
        // One to two moments a stretch, if they were even.
        let mut shift = 0;
        while reach >> shift > nanos.len() as u64 {
            shift += 1;
        }
        let mut starts = Vec::with_capacity((reach >> shift) as usize + 2);
        for (i, &at) in (0_u32..).zip(&nanos) {
            let stretch = (at.abs_diff(first) >> shift) as usize;
            while starts.len() <= stretch {
                starts.push(i);
            }
        }
        starts.push(nanos.len() as u32);
        Self { nanos, starts, shift }
    }

    /// All moments in ascending order, nanoseconds since the epoch of [`Instant`].
    pub fn nanos(&self) -> &[i64] {
        &self.nanos
    }

    /// Number of moments before `at`.
    #[inline]
    pub fn before(&self, at: Instant) -> usize {
        let at = at.nanos();
        if self.starts.is_empty() {
            return self.nanos.partition_point(|&t| t < at);
        }
        let Some(&first) = self.nanos.first() else { return 0 };
        if at <= first {
            return 0;
        }
        let stretch = usize::try_from(at.abs_diff(first) >> self.shift).unwrap_or(usize::MAX);
        let Some(&from) = self.starts.get(stretch) else { return self.nanos.len() };
        let from = from as usize;
        let to = self.starts.get(stretch.saturating_add(1)).map_or(self.nanos.len(), |&to| to as usize);
        self.nanos.get(from..to).map_or(from, |here| from + here.partition_point(|&t| t < at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn it_is_where_a_search_finds_it(
            mut moments in proptest::collection::vec(prop_oneof![-50_i64..50, any::<i64>(), 0..2_000_000_000_i64], 0..40),
            others in proptest::collection::vec(prop_oneof![-60_i64..60, any::<i64>(), 0..2_000_000_000_i64], 40),
        ) {
            moments.sort_unstable();
            let moments: Vec<Instant> = moments.into_iter().map(Instant::from_nanos).collect();
            let times = Times::new(moments.iter().copied(), true);
            let plain = Times::new(moments.iter().copied(), false);
            for at in others.into_iter().map(Instant::from_nanos).chain(moments.iter().copied()) {
                prop_assert_eq!(times.before(at), moments.partition_point(|&t| t < at), "{:?}", at);
                prop_assert_eq!(plain.before(at), times.before(at), "{:?}", at);
            }
        }
    }
}
