//! Kernel weights of the donors near a moment, from prefix sums.
//!
//! All weights on one side of a moment shrink by the same factor as it moves away: their sum is that of the nearest donor times a sum
//! that does not depend on the moment ([`KernelSums`](crate::estimate::KernelSums)). A query needs two weights; a draw walks outwards
//! from the nearest donor.

use crate::estimate::{DecayTable, Donor, NEIGHBOURS, Row, SampleIndex};
use crate::model::Moment;

/// Draws a donor near `moment` by `choice`, uniform on [0, 1); `None` stands for the background. `donors` must have been prepared with
/// `decay` ([`SampleIndex::with_kernel`]).
#[inline]
pub(in crate::channel) fn donor_near(
    donors: &SampleIndex,
    moment: Moment,
    decay: &DecayTable,
    choice: f64,
) -> Option<Donor> {
    KernelWeights::weighed(donors, moment, decay)?.donor_at(donors, choice)
}

/// Sums of kernel weights around one moment.
///
/// Separate from the draw: a processor cannot predict which donor is drawn, but it can start the sums of another index meanwhile.
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
    /// Weights of `donors`, which must have been prepared with `decay`; `None` without autocorrelation.
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

    /// The donor to which `choice` falls; `None` where it falls to the background.
    #[inline(always)]
    pub fn donor_at(&self, donors: &SampleIndex, choice: f64) -> Option<Donor> {
        let (Self { left, right, .. }, rows) = (*self, &donors.with_kernel.rows);
        let mut drawn = choice * self.all;
        if drawn < self.close {
            return donors.get(left + (drawn / self.each) as i64 as usize).copied();
        }
        drawn -= self.close;
        if drawn < self.before {
            let steps = rows.get(..left.checked_sub(1)?)?.iter().rev().map(|row| row.step);
            return donors.get((left - 1).checked_sub(outwards(drawn, self.last, steps))?).copied();
        }
        drawn -= self.before;
        if drawn < self.after {
            let steps = rows.get(right..)?.iter().map(|row| row.step);
            return donors.get(right + outwards(drawn, self.next, steps)).copied();
        }
        None
    }
}

/// Steps from the nearest donor, of weight `weight`, to the one to which `drawn` falls; each step leaves the factor of `steps`.
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
    use crate::channel::kernel::probabilities;
    use crate::estimate::Autocorrelation;
    use crate::model::Fate;
    use base::{Instant, Span};
    use proptest::prelude::*;

    const SECOND: Span = Span::from_secs(1);

    fn donor(ms: i64, fate: Fate) -> Donor {
        Donor { at: Instant::ZERO + Span::from_millis(ms), fate, load: [0; 2] }
    }

    /// Share of 10 000 even draws that fall to a donor.
    fn drawn_share(donors: &[Donor], at: Span, strength: f64) -> f64 {
        let decay =
            DecayTable::new(Autocorrelation { strength, time: SECOND, from: Span::ZERO, pairs: 100, even: false });
        let at = Moment { at: Instant::ZERO + at, copies: 0 };
        let donors = SampleIndex::from(donors.to_vec()).with_kernel(&decay);
        (0..10_000).filter(|&i| donor_near(&donors, at, &decay, f64::from(i) / 1e4).is_some()).count() as f64 / 1e4
    }

    #[test]
    fn one_neighbour_weighs_its_correlation() {
        let rho = 0.5 * (-1.0_f64).exp();
        let got = drawn_share(&[donor(0, Fate::Lost)], SECOND, 0.5);
        assert!((got - rho).abs() < 0.01, "{got} is not {rho}");
        assert_eq!(
            drawn_share(&[donor(0, Fate::Lost)], Span::from_secs(5), 0.5),
            0.0,
            "forgotten after four coherence times"
        );
        assert_eq!(drawn_share(&[donor(0, Fate::Lost)], SECOND, 0.0), 0.0);
    }

    #[test]
    fn many_donors_outweigh_the_background() {
        // n draws with correlation ρ: nρ / (nρ + 1 − ρ).
        let donors: Vec<Donor> = (0..10).map(|_| donor(0, Fate::Lost)).collect();
        let rho = 0.5 * (-1.0_f64).exp();
        let expected = 10.0 * rho / (10.0 * rho + 1.0 - rho);
        let got = drawn_share(&donors, SECOND, 0.5);
        assert!((got - expected).abs() < 0.01, "{got} is not {expected}");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        /// Every donor is drawn with the probability of the plain kernel, within 1 ‰ and 2 ‰ of it: the error of the decay table.
        #[test]
        fn it_draws_as_the_plain_kernel(
            mut places in proptest::collection::vec(-2_000_i64..2_000, 0..20),
            from in 0_i64..300,
            strength in 0.05..1.0,
        ) {
            places.sort_unstable();
            places.dedup();
            let autocorrelation = Autocorrelation { strength, time: SECOND, from: Span::from_millis(from), pairs: 100, even: false };
            let decay = DecayTable::new(autocorrelation);
            // The round trip identifies the donor.
            let rtt = |ms: i64| Fate::Answered { rtt: Span::from_millis(ms + 10_000) };
            let donors = SampleIndex::from(places.iter().map(|&ms| donor(ms, rtt(ms))).collect::<Vec<_>>()).with_kernel(&decay);
            let (split, draws) = (places.partition_point(|&ms| ms < 0), 20_000);
            prop_assume!(split <= NEIGHBOURS && places.len() - split <= NEIGHBOURS);
            let plain = probabilities(&donors, Instant::ZERO, &autocorrelation);
            let now = Moment { at: Instant::ZERO, copies: 0 };
            let mut counts = vec![0; places.len()];
            for i in 0..draws {
                let drawn = donor_near(&donors, now, &decay, (f64::from(i) + 0.5) / f64::from(draws));
                if let Some(which) = drawn.and_then(|d| places.iter().position(|&ms| rtt(ms) == d.fate)) {
                    counts[which] += 1;
                }
            }
            for ((ms, count), expected) in places.iter().zip(counts).zip(plain) {
                let got = f64::from(count) / f64::from(draws);
                prop_assert!((got - expected).abs() < 1e-3 + 2e-3 * expected, "{} ms: {} is not {}", ms, got, expected);
            }
        }
    }
}
