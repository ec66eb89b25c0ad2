//! Weights of the donors of the background in one replicate: a Bayesian bootstrap (Rubin, Ann. Stat. 9, 1981).
//!
//! The recorded copies are a sample of what could have been met. Taken as the whole population they would leave out the
//! sampling error of the recorded run, which is as large as that of one more run. So each donor weighs its effective
//! sample weight (`effective_weights`) times a standard exponential number. Donors that together carry the information
//! of one independent copy share a number: Rubin's numbers belong to independent observations. Numbers belong to the
//! position in the index, so that all algorithms of a replicate meet the same weights.

use crate::estimate::{SampleIndex, near_search};
use crate::model::{RandomStream, WORDS, unit};
use base::Instant;

/// Cumulative weights of donors, in order of time; dimensionless, and meaningful only in proportion.
#[derive(Clone, Debug, Default)]
pub(super) struct BootstrapWeights {
    /// Weight of each donor and all before it.
    sums: Vec<f64>,
}

impl BootstrapWeights {
    /// Draws weights for donors of effective sample weights `effective_weights` (0 to 1 each, in order of time), with
    /// random numbers of `stream` from block `first` on.
    pub fn drawn(effective_weights: &[f32], stream: &mut RandomStream, first: u64) -> Self {
        let (mut cumulative, mut sum) = (0.0, 0.0);
        let mut number = (usize::MAX, 0.0);
        let mut sums = Vec::with_capacity(effective_weights.len());
        for &weight in effective_weights {
            let weight = f64::from(weight);
            // The independent observation in which its middle lies.
            let place = (cumulative + 0.5 * weight) as usize;
            cumulative += weight;
            if number.0 != place {
                let word = stream.block(first + (place / WORDS) as u64)[place % WORDS];
                number = (place, -(1.0 - unit(word)).ln());
            }
            sum += weight * number.1;
            sums.push(sum);
        }
        Self { sums }
    }

    /// Weights every donor as much as the time before it.
    #[cfg(test)]
    pub fn even(donors: &[crate::estimate::Donor]) -> Self {
        let first = donors.first().map_or(Instant::ZERO, |d| d.at);
        Self { sums: donors.iter().map(|d| (d.at - first).nanos() as f64).collect() }
    }
}

/// Donors in order of time with bootstrap weights.
#[derive(Clone, Copy, Debug)]
pub(super) struct WeightedDonors<'d> {
    /// Donors in order of time.
    pub donors: &'d SampleIndex,
    /// Weight of each donor in this replicate.
    pub weights: &'d BootstrapWeights,
}

impl<'d> WeightedDonors<'d> {
    /// Weight up to `at`, and the number of donors before it; up to the donor at `perhaps` where that one was sent
    /// then.
    fn until(&self, (at, perhaps): (Instant, usize)) -> (f64, usize) {
        let sum = |i: usize| self.weights.sums.get(i).copied();
        if let (Some(donor), Some(sum)) = (self.donors.get(perhaps), sum(perhaps))
            && donor.at == at
        {
            return (sum, perhaps);
        }
        let next = self.donors.times.before(at);
        let Some(before) = next.checked_sub(1) else { return (0.0, next) };
        let (low, high) = (sum(before).unwrap_or(0.0), sum(next).or(sum(before)).unwrap_or(0.0));
        let (Some(left), Some(right)) = (self.donors.get(before), self.donors.get(next)) else { return (low, next) };
        let sum = low + (high - low) * ((at - left.at).nanos() as f64 / (right.at - left.at).nanos() as f64);
        (sum, next)
    }

    /// Position of the donor that is drawn, by weight, between two moments; each moment with the position of a donor
    /// that may have been sent then. `moment`: uniform number on [0, 1), how far between them.
    pub fn drawn(&self, [low, high]: [(Instant, usize); 2], moment: f64) -> usize {
        let ((low, from), (high, to)) = (self.until(low), self.until(high));
        let (sums, drawn) = (&*self.weights.sums, low + (high - low) * moment);
        let near = self.donors.fast.searches.then(|| near_search(sums, from..to, drawn)).flatten();
        near.unwrap_or_else(|| sums.partition_point(|&sum| sum < drawn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::Donor;
    use crate::model::{FastPaths, Fate, Purpose};
    use base::Span;

    /// The share of lost ones among 101 copies a second apart, every fifth lost, each of effective weight `weight`:
    /// mean and variance over replicates.
    fn share(weight: f32) -> (f64, f64) {
        let donor = |i: i64| Donor {
            at: Instant::ZERO + Span::from_secs(i),
            fate: if i % 5 == 0 { Fate::Lost } else { Fate::Answered { rtt: Span::from_secs(1) } },
            load: [0; 2],
        };
        // The window begins behind the first.
        let donors = SampleIndex::weighted((0..=100).map(donor).collect(), vec![weight; 101], FastPaths::ALL);
        let ends = [(donors[0].at, 0), (donors[100].at, 100)];
        let replicates = 2_000;
        let shares: Vec<f64> = (0..replicates)
            .map(|replicate| {
                let weights = BootstrapWeights::drawn(
                    &donors.effective_weights,
                    &mut RandomStream::new(1, replicate, 0, Purpose::BootstrapWeights),
                    0,
                );
                let weighted = WeightedDonors { donors: &donors, weights: &weights };
                let drawn = (0..1_000).map(|i| weighted.drawn(ends, (f64::from(i) + 0.5) / 1e3));
                drawn.filter(|&i| donors[i].fate == Fate::Lost).count() as f64 / 1e3
            })
            .collect();
        let mean = shares.iter().sum::<f64>() / f64::from(replicates);
        (mean, shares.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / f64::from(replicates))
    }

    /// A share under Dirichlet(1, …, 1) weights has the mean p and the variance p(1 − p)/(n + 1) (Rubin 1981, §3).
    #[test]
    fn shares_vary_as_in_the_bayesian_bootstrap() {
        let (mean, variance) = share(1.0);
        let expected = 0.2 * 0.8 / 101.0;
        // Three standard errors: 0.0027 of the mean, a tenth of the variance.
        assert!((mean - 0.2).abs() < 0.003, "{mean}");
        assert!((variance / expected - 1.0).abs() < 0.1, "{variance} is not {expected}");
    }

    /// At effective weight ¼ four donors share a number, and a share varies as that of 25 blocks does: Σ(share −
    /// p)²/(n(n + 1)), where four blocks of five have one lost copy each and the fifth none.
    #[test]
    fn copies_of_one_observation_vary_together() {
        let (mean, variance) = share(0.25);
        let of_block = |block: usize| (4 * block..4 * block + 4).filter(|i| i % 5 == 0).count() as f64 / 4.0;
        // The first copy is outside, the last is a block of its own.
        let away: f64 = (0..25).map(|block| (of_block(block) - 0.2).powi(2)).sum();
        let expected = away / (25.0 * 26.0);
        assert!((mean - 0.2).abs() < 0.01, "{mean}");
        assert!((variance / expected - 1.0).abs() < 0.25, "{variance} is not {expected}");
    }

    #[test]
    fn a_stretch_of_time_is_counted_by_parts() {
        let donors =
            [0, 10, 40].map(|s| Donor { at: Instant::ZERO + Span::from_secs(s), fate: Fate::Lost, load: [0; 2] });
        let donors = SampleIndex::new(donors.to_vec(), FastPaths::ALL);
        let weighted = WeightedDonors { donors: &donors, weights: &BootstrapWeights::even(&donors) };
        let secs = |s| Instant::ZERO + Span::from_secs(s);
        // From 5 to 25 s: a quarter of it lies before the second donor.
        assert_eq!([0.0, 0.2, 0.3, 1.0].map(|m| weighted.drawn([(secs(5), 9), (secs(25), 0)], m)), [1, 1, 2, 2]);
        assert_eq!(weighted.drawn([(secs(-9), 0), (secs(0), 0)], 0.5), 0, "before the first there is nothing");
        assert_eq!(weighted.drawn([(secs(40), 2), (secs(99), 2)], 0.5), 2, "nor after the last");
    }
}
