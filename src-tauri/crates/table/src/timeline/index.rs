//! Index that finds the part of a lane inside a window by binary search: lanes of large captures hold a hundred
//! thousand exchanges, and a pan asks for one window after the other.

use crate::timeline::marks::ExchangeMark;
use crate::timeline::tally::{Tallies, Tally};
use base::{ExchangeId, Instant};

/// Index of one lane's exchanges.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LaneIndex {
    /// Latest mark of each exchange and of all before it. Unlike the ends of exchanges, these are sorted.
    reach: Vec<Instant>,
    /// Times of all copies, sorted.
    sent: Vec<Instant>,
    /// Fates of the copies of `sent`, in that order.
    fates: Tallies,
    /// Positions of the exchanges sorted by number; empty where the lane already has that order.
    numbered: Vec<u32>,
}

impl LaneIndex {
    /// Indexes exchanges that are sorted by start.
    pub(crate) fn of(lane: &[ExchangeMark]) -> Self {
        let mut reach = Vec::with_capacity(lane.len());
        let mut latest = Instant::MIN;
        for exchange in lane {
            latest = exchange.last().max(latest);
            reach.push(latest);
        }
        let mut copies = Vec::with_capacity(lane.iter().map(|e| e.copies.len()).sum());
        copies.extend(lane.iter().flat_map(|e| &e.copies).map(|copy| (copy.sent, (copy.fate, copy.needless))));
        if !copies.is_sorted_by_key(|copy| copy.0) {
            copies.sort_by_key(|copy| copy.0);
        }
        let sent = copies.iter().map(|copy| copy.0).collect();
        let fates = Tallies::of(copies.into_iter().map(|copy| copy.1));
        let mut numbered = Vec::new();
        if !lane.is_sorted_by_key(|e| e.exchange) {
            numbered.extend(0..u32::try_from(lane.len()).unwrap_or(u32::MAX));
            numbered.sort_by_key(|&place| lane.get(place as usize).map(|e| e.exchange));
        }
        Self { reach, sent, fates, numbered }
    }

    /// Returns the memory that it takes, octets.
    pub(crate) const fn octets(&self) -> usize {
        (self.reach.capacity() + self.sent.capacity()) * size_of::<Instant>()
            + self.numbered.capacity() * size_of::<u32>()
            + self.fates.octets()
    }

    /// Returns exchange `id` of `lane`, the lane that was indexed; `None` where the lane lacks it.
    pub(crate) fn find<'a>(&self, lane: &'a [ExchangeMark], id: ExchangeId) -> Option<&'a ExchangeMark> {
        lane.get(self.place(lane, id)?)
    }

    /// Returns the position of exchange `id` in `lane`, the lane that was indexed, from 0; `None` where the lane lacks
    /// it.
    pub(crate) fn place(&self, lane: &[ExchangeMark], id: ExchangeId) -> Option<usize> {
        if self.numbered.is_empty() {
            return lane.binary_search_by_key(&id, |e| e.exchange).ok();
        }
        let number = |&place: &u32| lane.get(place as usize).map(|e| e.exchange);
        Some(*self.numbered.get(self.numbered.binary_search_by_key(&Some(id), number).ok()?)? as usize)
    }

    /// Returns the position of the first exchange that may have a mark later than `t`.
    pub(crate) fn beyond(&self, t: Instant) -> usize {
        self.reach.partition_point(|&reach| reach <= t)
    }

    /// Returns the latest mark of the exchange at `place` and of all before it.
    pub(crate) fn reach(&self, place: usize) -> Option<Instant> {
        self.reach.get(place).copied()
    }

    /// Returns the range from the first copy to just after the last, nanoseconds; (0, 1) without copies.
    pub(crate) fn extent(&self) -> (i64, i64) {
        let [first, last] =
            [self.sent.first(), self.sent.last()].map(|at| at.copied().unwrap_or(Instant::ZERO).nanos());
        (first, last.saturating_add(1))
    }

    /// Returns the exchanges of `lane`, the lane that was indexed, that touch the window: two binary searches, and the
    /// exchanges between.
    pub(crate) fn window<'a>(
        &self,
        lane: &'a [ExchangeMark],
        t0: Instant,
        t1: Instant,
    ) -> impl Iterator<Item = &'a ExchangeMark> {
        let from = self.reach.partition_point(|&reach| reach < t0);
        let until = lane.partition_point(|e| e.start() <= t1);
        lane.get(from..until).unwrap_or_default().iter().filter(move |e| e.last() >= t0)
    }

    /// Returns the times of all copies, sorted.
    pub(crate) fn all_sent(&self) -> &[Instant] {
        &self.sent
    }

    /// Returns the times of the copies sent in `t0..=t1`, sorted.
    pub(crate) fn sent(&self, t0: Instant, t1: Instant) -> &[Instant] {
        let from = self.sent.partition_point(|&at| at < t0);
        let until = self.sent.partition_point(|&at| at <= t1);
        self.sent.get(from..until).unwrap_or_default()
    }

    /// Returns the time of the first copy at `t` or later; `None` where there is none.
    pub(crate) fn next(&self, t: Instant) -> Option<Instant> {
        self.sent.get(self.sent.partition_point(|&at| at < t)).copied()
    }

    /// Counts the copies in `t0..t1` by fate.
    pub(crate) fn count(&self, t0: Instant, t1: Instant) -> Tally {
        let [from, until] = [t0, t1].map(|t| self.sent.partition_point(|&at| at < t));
        self.fates.between(from, until)
    }

    /// Counts all copies, and the needless ones.
    pub(crate) fn needless(&self) -> (u32, u32) {
        let Tally { needed, needless } = self.fates.between(0, self.sent.len());
        (needed.all() + needless.all(), needless.all())
    }
}

#[cfg(test)]
mod tests {
    use super::LaneIndex;
    use crate::columns::{FateKind, OutcomeKind};
    use crate::timeline::marks::{CopyMark, ExchangeMark};
    use crate::timeline::tally::{Fates, Tally};
    use base::{AssociationId, ExchangeId, Instant, Span};
    use proptest::collection::vec;
    use proptest::prelude::{Strategy, any, prop_assert_eq, proptest};

    fn at(ms: i64) -> Instant {
        Instant::ZERO + Span::from_millis(ms)
    }

    /// Start; copies after it, with needless or not and the number of the fate; end; late replies; all in ms after the
    /// start.
    type Drawn = (i64, Vec<(i64, bool, usize)>, i64, Vec<i64>);

    fn mark(index: usize, (start, gaps, end, late): Drawn) -> ExchangeMark {
        let copy = |(copy, &(gap, needless, fate)): (usize, &(i64, bool, usize))| CopyMark {
            sent: at(start + if copy == 0 { 0 } else { gap }),
            arrived: None,
            timer: None,
            fate: FateKind::ALL[fate],
            rtt: None,
            needless,
            supported: true,
        };
        ExchangeMark {
            exchange: ExchangeId::at(index),
            association: AssociationId(0),
            copies: gaps.iter().enumerate().map(copy).collect(),
            end: (end % 3 > 0).then(|| at(start + end)),
            late: late.into_iter().map(|after| at(start + after)).collect(),
            outcome: OutcomeKind::Acked,
        }
    }

    /// Draws exchanges that may overlap, sorted by start.
    fn lanes() -> impl Strategy<Value = Vec<ExchangeMark>> {
        let one = (
            0_i64..200,
            vec((0_i64..90, any::<bool>(), 0..FateKind::ALL.len()), 1..9),
            0_i64..120,
            vec(0_i64..300, 0..3),
        );
        vec(one, 0..60).prop_map(|mut all| {
            all.sort_by_key(|one| one.0);
            // Numbers are sorted in half of the lanes and permuted in the others: 7 and 60 are coprime.
            let step = if all.len() % 2 == 0 { 1 } else { 7 };
            all.into_iter().enumerate().map(|(index, one)| mark(index * step % 60, one)).collect()
        })
    }

    proptest! {
        #[test]
        fn finds_what_a_look_at_everything_finds(lane in lanes(), t0 in -10_i64..400, length in 0_i64..200) {
            let (t0, t1) = (at(t0), at(t0 + length));
            let index = LaneIndex::of(&lane);
            let ids = |found: Vec<&ExchangeMark>| found.iter().map(|e| e.exchange).collect::<Vec<_>>();
            let last = |e: &ExchangeMark| {
                e.late.iter().copied().chain(e.copies.iter().map(|c| c.sent)).chain(e.end).max().unwrap()
            };
            let touching = lane.iter().filter(|e| e.start() <= t1 && last(e) >= t0).collect();
            prop_assert_eq!(ids(index.window(&lane, t0, t1).collect()), ids(touching));

            let copies = || lane.iter().flat_map(|e| &e.copies);
            let mut sent: Vec<Instant> = copies().map(|c| c.sent).filter(|&sent| sent >= t0 && sent <= t1).collect();
            sent.sort_unstable();
            prop_assert_eq!(index.sent(t0, t1), sent);
            let counted = |needless: bool| {
                let of = |is: fn(FateKind) -> bool| {
                    copies().filter(|c| c.needless == needless && is(c.fate) && c.sent >= t0 && c.sent < t1).count() as u32
                };
                Fates {
                    answered: of(|fate| fate == FateKind::Answered),
                    lost: of(|fate| ![FateKind::Answered, FateKind::Unknown].contains(&fate)),
                    unknown: of(|fate| fate == FateKind::Unknown),
                }
            };
            prop_assert_eq!(index.count(t0, t1), Tally { needed: counted(false), needless: counted(true) });
            prop_assert_eq!(index.next(t0), copies().map(|c| c.sent).filter(|&sent| sent >= t0).min());
            for number in 0..61 {
                let id = ExchangeId(number);
                prop_assert_eq!(index.find(&lane, id), lane.iter().find(|e| e.exchange == id));
            }
            prop_assert_eq!(index.needless(), (copies().count() as u32, copies().filter(|c| c.needless).count() as u32));
        }
    }
}
