//! Distribution of completion times over the replicates of a run: a share of exchanges done by every time, with its
//! band.

use crate::stats::{Interval, interval_sorted, quantile_sorted};

/// Number of parts of an octave that are told apart. Chosen here: neighbouring times differ by 3 to 6 %, less than a
/// pixel column of a plot of ten octaves in 480.
const PARTS: u32 = 16;
/// Binary logarithm of the shortest time that is told apart, in nanoseconds: 1 ms. Chosen here: a full 802.15.4 frame
/// alone takes 4.3 ms on the air ([`crate::ChannelSpec::TOLERANCE`]).
const FIRST: u32 = 20;
/// Number of octaves above it. Chosen here: up to 1,100 s, more than any exchange of RFC 7252 lasts (MAX_TRANSMIT_WAIT,
/// 93 s) and of known timers.
const OCTAVES: u32 = 20;
/// Number of bins of a histogram.
const BINS: usize = (OCTAVES * PARTS) as usize;

/// Completion times of one replicate, counted in bins whose width grows with the time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Histogram {
    bins: Vec<u32>,
    started: u64,
}

impl Histogram {
    /// Counts the `durations` of successes (nanoseconds) among `started` exchanges.
    pub fn of(durations: &[i64], started: u64) -> Self {
        let mut bins = vec![0; BINS];
        for &duration in durations {
            if let Some(bin) = bins.get_mut(bin(duration)) {
                *bin += 1;
            }
        }
        Self { bins, started }
    }

    /// Memory that the bins take, in octets.
    pub fn octets(&self) -> usize {
        self.bins.capacity() * size_of::<u32>()
    }

    /// Share of the exchanges that are done by the end of each bin, 0 to 1; `None` without exchanges.
    fn shares(&self) -> Option<Vec<f64>> {
        let mut done = 0_u64;
        let mut share = |count: &u32| {
            done += u64::from(*count);
            done as f64 / self.started as f64
        };
        (self.started > 0).then(|| self.bins.iter().map(&mut share).collect())
    }
}

/// Bin of a duration in ns: octave, then equal parts of it.
fn bin(duration: i64) -> usize {
    let duration = u64::try_from(duration).unwrap_or(0).max(1 << FIRST);
    let octave = duration.ilog2();
    let part = (duration >> (octave - PARTS.ilog2())) as u32 - PARTS;
    (((octave - FIRST) * PARTS + part) as usize).min(BINS - 1)
}

/// End of a bin, seconds.
fn end(bin: usize) -> f64 {
    let (octave, part) = (bin / PARTS as usize, bin % PARTS as usize);
    let start = (1_u64 << (FIRST as usize + octave)) as f64;
    start * (1.0 + (part + 1) as f64 / f64::from(PARTS)) / 1e9
}

/// Distribution of completion times over replicates, as shares by each of [`Completions::times`].
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Share of all replicates that the curve stands for, 0 to 1: below 1 where a run has two modes.
    pub weight: f64,
    /// Median over replicates of the share of exchanges done by each time, 0 to 1.
    pub median: Vec<f64>,
    /// Interval that 90 % of the replicates lie in, likewise by time.
    pub ninety: Vec<Interval>,
}

/// Distribution of completion times, recorded and in a run. Exchanges that failed are never done.
#[derive(Debug, Clone, PartialEq)]
pub struct Completions {
    /// Times in seconds, ascending: those at which some share changes, with one before and one after them.
    pub times: Vec<f64>,
    /// Recorded share done by each time, 0 to 1; empty where nothing was recorded.
    pub recorded: Vec<f64>,
    /// One curve, or those of the fast and of the slow mode, in this order.
    pub curves: Vec<Curve>,
}

/// A replicate with its completion times.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Drawn<'a> {
    /// Histogram of the completion times of the replicate.
    pub histogram: &'a Histogram,
    /// Factor of its model error, by which all times are longer; 1 without.
    pub factor: f64,
    /// Whether it belongs to the slow mode; `None` where the run has one mode.
    pub is_slow: Option<bool>,
}

impl Completions {
    /// Distribution over `replicates` beside the `recorded` one; `None` without replicates that have exchanges.
    pub(crate) fn of(recorded: Option<&Histogram>, replicates: &[Drawn<'_>]) -> Option<Self> {
        let ends: Vec<f64> = (0..BINS).map(end).collect();
        let shares =
            |drawn: &Drawn<'_>| Some((stretched(&ends, &drawn.histogram.shares()?, drawn.factor), drawn.is_slow));
        let drawn: Vec<(Vec<f64>, Option<bool>)> = replicates.iter().filter_map(shares).collect();
        let of_mode = |mode: Option<bool>| {
            let own: Vec<&Vec<f64>> =
                drawn.iter().filter(|d| mode.is_none() || d.1 == mode).map(|(shares, _)| shares).collect();
            curve(&own, own.len() as f64 / drawn.len().max(1) as f64)
        };
        let has_modes = drawn.iter().any(|d| d.1 == Some(true)) && drawn.iter().any(|d| d.1 == Some(false));
        let modes: &[Option<bool>] = if has_modes { &[Some(false), Some(true)] } else { &[None] };
        let curves: Vec<Curve> = modes.iter().filter_map(|mode| of_mode(*mode)).collect();
        let recorded = recorded.and_then(Histogram::shares).unwrap_or_default();
        (!curves.is_empty()).then(|| Self { times: ends, recorded, curves }.trimmed())
    }

    /// The times at which some share changes, with one before and one after them.
    fn trimmed(self) -> Self {
        let lists = || {
            let recorded = std::iter::once(&self.recorded).filter(|list| !list.is_empty());
            recorded.chain(self.curves.iter().map(|curve| &curve.median))
        };
        let band = || self.curves.iter().flat_map(|curve| [(&curve.ninety, true), (&curve.ninety, false)]);
        let at = |list: &Vec<f64>, at: usize| list.get(at).copied().unwrap_or(0.0);
        let edge = |(list, low): (&Vec<Interval>, bool), at: usize| {
            list.get(at).map_or(0.0, |ninety| if low { ninety.lo } else { ninety.hi })
        };
        let changes = |from: usize, to: usize| {
            lists().any(|list| at(list, from) != at(list, to)) || band().any(|b| edge(b, from) != edge(b, to))
        };
        let last = self.times.len().saturating_sub(1);
        let first = (1..=last).find(|&i| changes(0, i)).map_or(0, |i| i - 1);
        let end = (first..last).rev().find(|&i| changes(i, last)).map_or(last, |i| i + 1);
        let part = |list: &Vec<f64>| list.get(first..=end).unwrap_or_default().to_vec();
        Self {
            times: part(&self.times),
            recorded: part(&self.recorded),
            curves: self
                .curves
                .iter()
                .map(|curve| Curve {
                    weight: curve.weight,
                    median: part(&curve.median),
                    ninety: curve.ninety.get(first..=end).unwrap_or_default().to_vec(),
                })
                .collect(),
        }
    }

    /// Memory that the values take, in octets.
    #[must_use]
    pub fn octets(&self) -> usize {
        let curves = self.curves.iter().map(|curve| curve.median.len() + 2 * curve.ninety.len()).sum::<usize>();
        (self.times.len() + self.recorded.len() + curves) * size_of::<f64>()
    }
}

/// `shares` of a replicate whose times are all longer by `factor`, between its bins in proportion.
fn stretched(ends: &[f64], shares: &[f64], factor: f64) -> Vec<f64> {
    if factor == 1.0 {
        return shares.to_vec();
    }
    let at = |i: usize, of: &[f64]| of.get(i).copied().unwrap_or(0.0);
    let value = |&end: &f64| {
        let time = end / factor;
        let above = ends.partition_point(|&other| other < time);
        let Some(below) = above.checked_sub(1) else { return at(0, shares) * (time / at(0, ends)).min(1.0) };
        if above >= ends.len() {
            return at(below, shares);
        }
        let part = (time - at(below, ends)) / (at(above, ends) - at(below, ends));
        at(below, shares) + part * (at(above, shares) - at(below, shares))
    };
    ends.iter().map(value).collect()
}

fn curve(replicates: &[&Vec<f64>], weight: f64) -> Option<Curve> {
    let bins = replicates.first()?.len();
    let (mut median, mut ninety) = (Vec::with_capacity(bins), Vec::with_capacity(bins));
    let mut column = Vec::with_capacity(replicates.len());
    for bin in 0..bins {
        column.clear();
        column.extend(replicates.iter().filter_map(|shares| shares.get(bin).copied()));
        // Before the first success and after the last, all replicates agree.
        if column.iter().any(|share| Some(share) != column.first()) {
            column.sort_unstable_by(f64::total_cmp);
        }
        median.push(quantile_sorted(&column, 0.5).unwrap_or(0.0));
        ninety.push(interval_sorted(&column, 0.90).unwrap_or(Interval { lo: 0.0, hi: 0.0 }));
    }
    Some(Curve { weight, median, ninety })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_in_the_bin_that_ends_after_it() {
        for nanos in [1_i64 << 20, 1_500_000, 17_123_456, 999_999_999, 93_000_000_000, 1_000_000_000_000] {
            let at = bin(nanos);
            let seconds = nanos as f64 / 1e9;
            assert!(seconds < end(at) && (at == 0 || seconds >= end(at - 1)), "{nanos}: bin {at} ends at {}", end(at));
            assert!(end(at) / seconds < 1.07, "{nanos}: {}", end(at));
        }
        assert_eq!((bin(-5), bin(0), bin(i64::MAX)), (0, 0, BINS - 1));
    }

    #[test]
    fn failures_are_never_done_and_modes_have_curves_of_their_own() {
        let second = 1_000_000_000;
        let fast = Histogram::of(&[second, second], 4);
        let slow = Histogram::of(&[8 * second; 4], 4);
        let drawn = |histogram, is_slow| Drawn { histogram, factor: 1.0, is_slow };
        let one = Completions::of(Some(&fast), &[drawn(&fast, None), drawn(&fast, None)]).unwrap();
        assert_eq!((one.curves.len(), one.curves[0].median.last(), one.recorded.last()), (1, Some(&0.5), Some(&0.5)));
        let two =
            Completions::of(None, &[drawn(&fast, Some(false)), drawn(&slow, Some(true)), drawn(&slow, Some(true))]);
        let two = two.unwrap();
        assert!(two.recorded.is_empty());
        assert_eq!(two.curves.len(), 2);
        assert!((two.curves[1].weight - 2.0 / 3.0).abs() < 1e-12);
        let done_by = |curve: &Curve, seconds: f64| {
            let at = two.times.iter().rposition(|&t| t <= seconds).unwrap();
            curve.median[at]
        };
        assert_eq!((done_by(&two.curves[0], 2.0), done_by(&two.curves[1], 2.0)), (0.5, 0.0));
        assert_eq!(two.curves[1].median.last(), Some(&1.0));
        assert!(two.times.len() < 70, "only where something changes: {}", two.times.len());
    }

    #[test]
    fn a_model_error_stretches_times() {
        let whole = Histogram::of(&[1_000_000_000; 10], 10);
        let drawn = Drawn { histogram: &whole, factor: 2.0, is_slow: None };
        let curve = Completions::of(None, &[drawn, drawn]).unwrap();
        let half = curve.times.iter().position(|&t| t > 1.9 && t < 2.2).unwrap();
        assert!(curve.curves[0].median[half.saturating_sub(3)] < 0.5);
        assert_eq!(curve.curves[0].median.last(), Some(&1.0));
    }
}
