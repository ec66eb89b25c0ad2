//! Recorded fates as the fit of a channel state takes them: lost, or answered with a round trip of some class.

use super::donor::Donor;
use base::{Instant, Span};

/// Number of classes of round trips: the shorter half of those of a path, the shorter half of the rest, and so on. The
/// bad state has but a small part of the answered copies, because it is rare and loses many; its round trips are among
/// the longest, and would be few in each of as many equal classes. Chosen here: the last class then has a sixteenth.
pub(crate) const CLASSES: usize = 5;

/// One copy as the fit of a channel state sees it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Observed {
    /// Seconds since the copy before it on the same path; 0 for the first.
    pub gap: f64,
    /// Fate of the copy.
    pub met: Emission,
}

/// Emission of the hidden Markov model: the fate of a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Emission {
    /// The copy was lost.
    Lost,
    /// The copy was answered, with a round trip of this class, from 0 (shortest) and below [`CLASSES`].
    Answered(u8),
}

impl Observed {
    /// Whether the copy was lost.
    pub fn lost(&self) -> bool {
        self.met == Emission::Lost
    }
}

/// Observations of the copies of one path in order of time; round trips in [`CLASSES`] of the path's own. Every fate
/// must be known: an unknown one would count as lost.
pub(crate) fn observed(donors: &[Donor]) -> Vec<Observed> {
    let mut rtts: Vec<Span> = donors.iter().filter_map(|d| d.fate.rtt()).collect();
    let edges = edges(&mut rtts);
    let mut last = donors.first().map_or(Instant::ZERO, |d| d.at);
    let observe = |d: &Donor| {
        let gap = (d.at - last).secs_f64();
        last = d.at;
        let class = |rtt| edges.partition_point(|&edge| edge <= rtt) as u8;
        Observed { gap, met: d.fate.rtt().map_or(Emission::Lost, |rtt| Emission::Answered(class(rtt))) }
    };
    donors.iter().map(observe).collect()
}

/// Lower edges of the classes of round trips but the first: the median, the upper quartile, and so on.
fn edges(rtts: &mut [Span]) -> Vec<Span> {
    let (count, mut rest, mut before) = (rtts.len(), rtts, 0);
    let ranks = (1..CLASSES).map(|i| count - (count >> i)).take_while(|&rank| rank < count);
    let edge = |rank: usize| {
        // Only those above the last edge are put in order any further.
        let (_, edge, above) = std::mem::take(&mut rest).select_nth_unstable(rank - before);
        (rest, before) = (above, rank + 1);
        *edge
    };
    ranks.map(edge).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn classes_begin_where_sorting_finds_it(mut nanos in proptest::collection::vec(0_i64..50, 0..100)) {
            let found = edges(&mut nanos.iter().copied().map(Span::from_nanos).collect::<Vec<_>>());
            nanos.sort_unstable();
            let sorted = (1..CLASSES).filter_map(|i| nanos.get(nanos.len() - (nanos.len() >> i)));
            prop_assert_eq!(found, sorted.copied().map(Span::from_nanos).collect::<Vec<_>>());
        }
    }
}
