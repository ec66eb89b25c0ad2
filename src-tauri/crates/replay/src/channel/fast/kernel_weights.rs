//! Kernel weights of the donors near a moment, from prefix sums.
//!
//! All weights on one side of a moment shrink by the same factor as it moves away: their sum is that of the nearest
//! donor times a sum that does not depend on the moment ([`KernelSums`](crate::estimate::KernelSums)). A query needs
//! two weights; a draw walks outwards from the nearest donor.

use crate::estimate::{DecayTable, Donor, NEIGHBOURS, Row, SampleIndex};
use crate::model::Moment;

/// Sums of kernel weights of the donors around one moment, for one draw.
///
/// Inlined, so that they stay in registers.
#[derive(Clone, Copy, Debug)]
pub(in crate::channel) struct KernelWeights {
    /// Donors from `left` up to `right` are nearer than any measured lag and weigh the same.
    left: usize,
    right: usize,
    /// Weight of each of them.
    each: f64,
    /// Weight of all of them.
    close: f64,
    /// Weights of the nearest donor before them and of the nearest after them.
    last: f64,
    next: f64,
    /// Weights of all donors before them and of all after them.
    before: f64,
    after: f64,
    /// Weight of all donors and of the background.
    all: f64,
}

impl KernelWeights {
    /// Weighs `donors`, which must have been prepared with `decay`; `None` without autocorrelation.
    #[inline(always)]
    pub fn weighed(donors: &SampleIndex, moment: Moment, decay: &DecayTable) -> Option<Self> {
        if decay.is_nothing() {
            return None;
        }
        let (rows, at, split) = (&donors.with_kernel.rows, moment.at.nanos(), donors.before(moment));
        let lag = |row: &Row| row.at.abs_diff(at);
        // Below the shortest measured lag all weigh the same.
        let is_close = |row: &&Row| lag(row) < decay.from;
        let (earlier, later) = rows.split_at_checked(split)?;
        let left = split - earlier.iter().rev().take(NEIGHBOURS).take_while(is_close).count();
        let right = split + later.iter().take(NEIGHBOURS).take_while(is_close).count();
        let close = (right - left) as f64 * decay.nearest;
        // Beyond them, the weight of the nearest on each side.
        let last = left.checked_sub(1).and_then(|i| rows.get(i)).map(|row| (decay.at(lag(row)), row.before));
        let next = rows.get(right).map(|row| (decay.at(lag(row)), row.after));
        let ((last, before), (next, after)) = (last.unwrap_or_default(), next.unwrap_or_default());
        let (before, after) = (last * before, next * after);
        let nearest = if right > left { decay.nearest } else { last.max(next) };
        let all = close + before + after + 1.0 - nearest;
        Some(Self { left, right, each: decay.nearest, close, last, next, before, after, all })
    }

    /// Returns the donor to which `choice`, uniform on [0, 1), falls; `None` where it falls to the background.
    #[inline(always)]
    pub fn donor_at<'d>(&self, donors: &'d SampleIndex, choice: f64) -> Option<&'d Donor> {
        let (Self { left, right, .. }, rows) = (*self, &donors.with_kernel.rows);
        let mut drawn = choice * self.all;
        if drawn < self.close {
            return donors.get(left + (drawn / self.each) as i64 as usize);
        }
        drawn -= self.close;
        if drawn < self.before {
            let steps = rows.get(..left.checked_sub(1)?)?.iter().rev().map(|row| row.step);
            return donors.get((left - 1).checked_sub(outwards(drawn, self.last, steps))?);
        }
        drawn -= self.before;
        if drawn < self.after {
            let steps = rows.get(right..)?.iter().map(|row| row.step);
            return donors.get(right + outwards(drawn, self.next, steps));
        }
        None
    }
}

/// Steps from the nearest donor, of weight `weight`, to the one to which `drawn` falls; each step leaves the factor of
/// `steps`.
fn outwards(mut drawn: f64, mut weight: f64, steps: impl Iterator<Item = f64>) -> usize {
    let falls_beyond = |step| {
        drawn -= weight;
        weight *= step;
        drawn >= 0.0
    };
    steps.take(NEIGHBOURS - 1).map(falls_beyond).take_while(|&beyond| beyond).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel::kernel::drawn;
    use crate::estimate::Autocorrelation;
    use crate::model::{FastPaths, Fate};
    use base::{Instant, Span};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        /// Every donor is drawn as often as by the plain kernel, within 1 ‰ and 2 ‰ of it: the error of the decay
        /// table.
        #[test]
        fn it_draws_as_the_plain_kernel(
            mut places in proptest::collection::vec(-9_000_i64..9_000, 0..20),
            from in 0_i64..300,
            strength in 0.05..1.0,
        ) {
            places.sort_unstable();
            places.dedup();
            let time = Span::from_secs(1);
            let autocorrelation = Autocorrelation { strength, time, from: Span::from_millis(from), pairs: 100, even: false };
            let decay = DecayTable::new(autocorrelation);
            // The round trip identifies the donor.
            let donor = |&ms: &i64| {
                let (at, rtt) = (Instant::ZERO + Span::from_millis(ms), Span::from_millis(ms + 10_000));
                Donor { at, fate: Fate::Answered { rtt }, load: [0; 2] }
            };
            let donors = SampleIndex::new(places.iter().map(donor).collect(), FastPaths::ALL).with_kernel(&decay);
            let (split, draws) = (places.partition_point(|&ms| ms < 0), 20_000);
            prop_assume!(split <= NEIGHBOURS && places.len() - split <= NEIGHBOURS);
            let now = Moment { at: Instant::ZERO, copies: 0 };
            let place = |drawn: Option<&Donor>| drawn.and_then(|d| donors.iter().position(|other| other == d));
            let mut counts = vec![[0.0; 2]; places.len()];
            for choice in (0..draws).map(|i| (f64::from(i) + 0.5) / f64::from(draws)) {
                let fast = KernelWeights::weighed(&donors, now, &decay).and_then(|near| near.donor_at(&donors, choice));
                let plain = drawn(&donors, (now.at, split), &autocorrelation, choice);
                for (which, place) in [place(fast), place(plain)].into_iter().enumerate() {
                    if let Some(place) = place {
                        counts[place][which] += 1.0 / f64::from(draws);
                    }
                }
            }
            for (ms, [got, expected]) in places.iter().zip(counts) {
                prop_assert!((got - expected).abs() < 1e-3 + 2e-3 * expected, "{} ms: {} is not {}", ms, got, expected);
            }
        }
    }
}
