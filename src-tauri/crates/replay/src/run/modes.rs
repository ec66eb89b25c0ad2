//! Two modes of a run: a storm that ends in some replicates and goes on in others. Then no mean is the answer, but both
//! modes and their shares.

use super::ReplicateMetrics;
use crate::metrics::MetricName;
use crate::stats::{Interval, boundary, interval, mean, share_interval};

/// Least factor between the mean completion times of two modes. Chosen here: nearer ones are one answer with a wide
/// interval.
const FACTOR: f64 = 1.25;

/// One of two modes of one measure, in the measure's unit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mode {
    /// Mean over the replicates of the mode.
    pub mean: f64,
    /// 90 % interval of the replicates of the mode.
    pub ninety: Interval,
    /// 90 % interval of the other runs that end in this mode; `None` unless other runs were asked for and one does.
    pub another: Option<Interval>,
}

/// Two modes of a run: some of its replicates end fast, the others slow, as where a storm ends or does not.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Modes {
    /// Mean completion time that separates the modes, seconds, without model error.
    pub boundary: f64,
    /// Share of the replicates that end slow, 0 to 1: the probability of a collapse.
    pub slow: f64,
    /// 90 % interval of that share (Wilson): replicates are independent draws.
    pub ninety: Interval,
}

/// Replicates separated into two modes.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Parted {
    /// Whether each replicate ends slow; `None` for one in which nothing was completed.
    here: Vec<Option<bool>>,
    /// Whether each of the other runs ends slow, likewise.
    another: Vec<Option<bool>>,
}

impl Parted {
    /// Separates the replicates where the mean completion times of `here` have two modes that differ by [`FACTOR`], on
    /// a logarithmic scale: the time of a network in a storm is a multiple of that without one. `None` where they have
    /// one mode.
    pub fn of(here: &[ReplicateMetrics], another: &[ReplicateMetrics]) -> Option<(Self, Modes)> {
        let time = |m: &ReplicateMetrics| m.overall.get(MetricName::DurationMean).filter(|&seconds| seconds > 0.0);
        let logs: Vec<f64> = here.iter().filter_map(time).map(f64::ln).collect();
        let boundary = boundary(&logs)?.exp();
        let ends = |all: &[ReplicateMetrics]| all.iter().map(|m| Some(time(m)? > boundary)).collect();
        let parted = Self { here: ends(here), another: ends(another) };
        let seconds: Vec<Option<f64>> = here.iter().map(time).collect();
        let [fast, slow] = parted.modes(&seconds, &[])?;
        let (known, collapsed) = (logs.len(), parted.here.iter().filter(|ends| **ends == Some(true)).count());
        let modes =
            Modes { boundary, slow: collapsed as f64 / known as f64, ninety: share_interval(collapsed, known)? };
        (slow.mean > FACTOR * fast.mean).then_some((parted, modes))
    }

    /// Whether the replicate at this position ends slow; `None` for one in which nothing was completed.
    pub fn is_slow(&self, replicate: usize) -> Option<bool> {
        self.here.get(replicate).copied().flatten()
    }

    /// A measure in the fast and in the slow mode, in this order, from its values `here` and in other runs; `None`
    /// where it never applies in one of them.
    pub fn modes(&self, here: &[Option<f64>], another: &[Option<f64>]) -> Option<[Mode; 2]> {
        let of = |values: &[Option<f64>], ends: &[Option<bool>], slow| -> Vec<f64> {
            values.iter().zip(ends).filter(|(_, ends)| **ends == Some(slow)).filter_map(|(value, _)| *value).collect()
        };
        let mode = |slow| {
            let own = of(here, &self.here, slow);
            let another = interval(&of(another, &self.another, slow), 0.90);
            Some(Mode { mean: mean(&own)?, ninety: interval(&own, 0.90)?, another })
        };
        Some([mode(false)?, mode(true)?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::{Counts, Values};

    fn replicates(seconds: impl IntoIterator<Item = Option<f64>>) -> Vec<ReplicateMetrics> {
        let replicate = |seconds| {
            let mut overall = Values::default();
            overall.set(MetricName::DurationMean, seconds);
            ReplicateMetrics { overall, counts: Counts::default(), associations: Vec::new(), completions: None }
        };
        seconds.into_iter().map(replicate).collect()
    }

    /// Three of ten replicates take 30 s, the others 2 s; in one nothing is completed.
    fn storm(slow: f64) -> Vec<ReplicateMetrics> {
        let spread = |i: u32| 1.0 + 0.01 * f64::from(i % 7);
        replicates((0..60).map(|i| Some(spread(i) * if i % 10 < 3 { slow } else { 2.0 })).chain([None]))
    }

    #[test]
    fn a_storm_that_ends_or_not_has_two_modes_with_their_shares() {
        let (parted, modes) = Parted::of(&storm(30.0), &storm(30.0)).unwrap();
        assert!((modes.slow - 0.3).abs() < 1e-12 && modes.ninety.lo < 0.3 && modes.ninety.hi > 0.3, "{modes:?}");
        assert!((3.0..25.0).contains(&modes.boundary), "{modes:?}");
        let counts: Vec<Option<f64>> =
            (0..61).map(|i| (i != 5).then_some(if i % 10 < 3 { 9.0 } else { 1.0 })).collect();
        let [fast, slow] = parted.modes(&counts, &counts).unwrap();
        assert_eq!((fast.mean, slow.mean), (1.0, 9.0));
        assert_eq!(slow.another, Some(Interval { lo: 9.0, hi: 9.0 }));
        assert_eq!(parted.modes(&counts, &[]).unwrap()[0].another, None);
        let never: Vec<Option<f64>> = (0..61).map(|i| (i % 10 >= 3).then_some(1.0)).collect();
        assert_eq!(parted.modes(&never, &[]), None, "it does not apply to replicates that end slow");
    }

    #[test]
    fn near_modes_and_one_mode_are_one_answer() {
        assert_eq!(Parted::of(&storm(2.3), &[]), None, "a seventh apart");
        assert_eq!(Parted::of(&storm(2.0), &[]), None);
        assert_eq!(Parted::of(&[], &[]), None);
        assert_eq!(Parted::of(&replicates([None; 30]), &[]), None);
    }
}
