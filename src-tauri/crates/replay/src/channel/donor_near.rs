//! Which recorded copy near in time lends: the farther away, the seldomer.
//!
//! Copies count e^(−lag / τ) each, so what all on one side count together is what the nearest of them counts, times a sum that
//! does not depend on how far away that is. These sums are made once; asking costs two numbers, and a few steps outwards from the
//! nearest where a copy is drawn.

use crate::estimate::{DecayTable, Donor, NEIGHBOURS, Row, SampleIndex};
use crate::model::Moment;

/// A donor near `moment`, with chances in proportion to the correlation at its distance; `None` with the chance that the nearest
/// leaves to the climate. `donors` must be [`SampleIndex::fading`] as `decay` says.
#[inline]
pub(super) fn donor_near(donors: &SampleIndex, moment: Moment, decay: &DecayTable, choice: f64) -> Option<Donor> {
    KernelWeights::weighed(donors, moment, decay)?.donor_at(donors, choice)
}

/// What those near a moment count, before any is chosen. Choosing is what no processor foresees; what else is to be counted for the
/// same moment is better begun before. (Inlined, so that this stays in registers.)
#[derive(Clone, Copy, Debug)]
pub(super) struct KernelWeights {
    /// Those from the one on to the other count the same.
    left: usize,
    right: usize,
    /// What each of them counts.
    each: f64,
    /// What all of them count.
    close: f64,
    /// What the nearest of those before them and of those after them counts.
    last: f64,
    next: f64,
    /// What all before them and all after them count.
    before: f64,
    after: f64,
    /// What they and the climate count together.
    all: f64,
}

impl KernelWeights {
    /// Of `donors`, [`SampleIndex::fading`] as `decay` says; nothing where there is no memory.
    #[inline(always)]
    pub fn weighed(donors: &SampleIndex, moment: Moment, decay: &DecayTable) -> Option<Self> {
        if decay.is_nothing() {
            return None;
        }
        let (rows, at, split) = (&donors.with_kernel.rows, moment.at.nanos(), donors.before(moment));
        let lag = |row: &Row| row.at.abs_diff(at);
        // Those nearer than anything that was measured all count the same.
        let is_close = |row: &&Row| lag(row) < decay.from;
        let (earlier, later) = rows.split_at_checked(split)?;
        let left = split - earlier.iter().rev().take(NEIGHBOURS).take_while(is_close).count();
        let right = split + later.iter().take(NEIGHBOURS).take_while(is_close).count();
        let close = (right - left) as f64 * decay.nearest;
        // Beyond them, what the nearest on each side counts.
        let last = left.checked_sub(1).and_then(|i| rows.get(i)).map(|row| (decay.at(lag(row)), row.before));
        let next = rows.get(right).map(|row| (decay.at(lag(row)), row.after));
        let ((last, before), (next, after)) = (last.unwrap_or_default(), next.unwrap_or_default());
        let (before, after) = (last * before, next * after);
        let nearest = if right > left { decay.nearest } else { last.max(next) };
        let all = close + before + after + 1.0 - nearest;
        Some(Self { left, right, each: decay.nearest, close, last, next, before, after, all })
    }

    /// The one of `donors` to which `choice` falls, if not to the climate.
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

/// How many steps away the copy is to which `drawn` falls: the nearest counts `weight`, others what `steps` leave of that.
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
    use crate::estimate::Autocorrelation;
    use crate::model::Fate;
    use base::{Instant, Span};
    use proptest::prelude::*;

    const SECOND: Span = Span::from_secs(1);

    fn donor(ms: i64, fate: Fate) -> Donor {
        Donor { at: Instant::ZERO + Span::from_millis(ms), fate, load: [0; 2] }
    }

    /// In how many of 10 000 even draws a neighbour lends.
    fn borrowed(donors: &[Donor], at: Span, strength: f64) -> f64 {
        let decay =
            DecayTable::new(Autocorrelation { strength, time: SECOND, from: Span::ZERO, pairs: 100, even: false });
        let at = Moment { at: Instant::ZERO + at, copies: 0 };
        let donors = SampleIndex::from(donors.to_vec()).with_kernel(&decay);
        (0..10_000).filter(|&i| donor_near(&donors, at, &decay, f64::from(i) / 1e4).is_some()).count() as f64 / 1e4
    }

    #[test]
    fn one_neighbour_weighs_its_correlation() {
        let rho = 0.5 * (-1.0_f64).exp();
        let got = borrowed(&[donor(0, Fate::Lost)], SECOND, 0.5);
        assert!((got - rho).abs() < 0.01, "{got} is not {rho}");
        assert_eq!(
            borrowed(&[donor(0, Fate::Lost)], Span::from_secs(5), 0.5),
            0.0,
            "forgotten after four coherence times"
        );
        assert_eq!(borrowed(&[donor(0, Fate::Lost)], SECOND, 0.0), 0.0);
    }

    #[test]
    fn many_neighbours_are_believed() {
        // n draws with correlation ρ from one spell: nρ / (nρ + 1 − ρ).
        let donors: Vec<Donor> = (0..10).map(|_| donor(0, Fate::Lost)).collect();
        let rho = 0.5 * (-1.0_f64).exp();
        let expected = 10.0 * rho / (10.0 * rho + 1.0 - rho);
        let got = borrowed(&donors, SECOND, 0.5);
        assert!((got - expected).abs() < 0.01, "{got} is not {expected}");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        /// Every copy lends as often as its own correlation says: 16 on each side, and those that are nearer than `from`.
        #[test]
        fn each_lends_by_its_own_correlation(
            mut places in proptest::collection::vec(-2_000_i64..2_000, 0..20),
            from in 0_i64..300,
            strength in 0.05..1.0,
        ) {
            places.sort_unstable();
            places.dedup();
            let memory = Autocorrelation { strength, time: SECOND, from: Span::from_millis(from), pairs: 100, even: false };
            let decay = DecayTable::new(memory);
            // The round trip says which one it is.
            let rtt = |ms: i64| Fate::Answered { rtt: Span::from_millis(ms + 10_000) };
            let donors = SampleIndex::from(places.iter().map(|&ms| donor(ms, rtt(ms))).collect::<Vec<_>>()).with_kernel(&decay);
            let (split, draws) = (places.partition_point(|&ms| ms < 0), 20_000);
            let weight = |ms: &i64| memory.at(Span::from_millis(*ms));
            prop_assume!(split <= NEIGHBOURS && places.len() - split <= NEIGHBOURS);
            let nearest = places.iter().map(weight).fold(0.0, f64::max);
            let sum = places.iter().map(weight).sum::<f64>() + 1.0 - nearest;
            let now = Moment { at: Instant::ZERO, copies: 0 };
            let mut counts = vec![0; places.len()];
            for i in 0..draws {
                let donor_at = donor_near(&donors, now, &decay, (f64::from(i) + 0.5) / f64::from(draws));
                if let Some(which) = donor_at.and_then(|d| places.iter().position(|&ms| rtt(ms) == d.fate)) {
                    counts[which] += 1;
                }
            }
            for (ms, count) in places.iter().zip(counts) {
                let (got, expected) = (f64::from(count) / f64::from(draws), weight(ms) / sum);
                prop_assert!((got - expected).abs() < 1e-3 + 2e-3 * expected, "{} ms: {} is not {}", ms, got, expected);
            }
        }
    }
}
