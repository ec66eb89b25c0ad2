//! Autocorrelation of losses and of round-trip times over the lag between two copies of a path.

use crate::estimate::donor::Donor;
use base::{Cancelled, Instant, SharedProgress, Span};

/// Greatest number of later copies of its path that a copy is paired with. Chosen here by judgement: no experiment
/// decides it; it bounds time, and autocorrelation over more copies than that is not seen.
const REACH: usize = 24;
/// Least number of pairs in a lag class that is used. Chosen here by judgement: no experiment decides it; classes are
/// weighted by what their pairs tell anyway, so it decides mainly the shortest and longest lag between which
/// coherence times are tried.
const PAIRS: f64 = 12.0;
/// Number of standard errors beyond which a correlation is used. Chosen here: more would be asked of a claim that there
/// is one; but to leave out one that is there makes retransmissions seem safer than they are, and that errs worse than
/// one that is not there and is small.
const USED: f64 = 1.0;
/// Number of lag classes, which double in width from 1 ms. Chosen here: they reach lags of 2^35 ms, 13 months.
const CLASSES: usize = 36;

/// Correlation of the fates of two copies of a path over their lag: `strength · exp(−lag / time)`, for lags from the
/// shortest measured one on; nearer copies are given the correlation there, because none was measured below.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Autocorrelation {
    /// Fitted correlation at lag zero, 0 to 1. Below 1 as a rule, because within the same state each copy still has
    /// independent noise.
    pub strength: f64,
    /// Coherence time: after it the correlation has fallen to 1/e of its strength. Zero when there is no correlation.
    pub time: Span,
    /// Shortest lag at which the correlation was measured.
    pub from: Span,
    /// Number of pairs of copies that were measured.
    pub pairs: u64,
    /// Whether the correlation was measured and is not used, because it is within [`USED`] standard errors of zero.
    pub(crate) even: bool,
}

impl Autocorrelation {
    /// Independent copies.
    const NONE: Self = Self { strength: 0.0, time: Span::ZERO, from: Span::ZERO, pairs: 0, even: false };

    /// Correlation at `lag` of either sign, 0 to 1.
    #[must_use]
    pub fn at(&self, lag: Span) -> f64 {
        if self.strength <= 0.0 || self.time <= Span::ZERO {
            return 0.0;
        }
        self.strength * (-(lag.abs().max(self.from).secs_f64() / self.time.secs_f64())).exp()
    }
}

/// Estimates the autocorrelation of `signal` over the copies of `paths`, each in order of time; copies without a signal
/// are left out. Passes `progress` once a path; errs when cancelled.
pub(crate) fn estimate_autocorrelation<'a>(
    paths: impl Iterator<Item = &'a [Donor]>,
    progress: &SharedProgress<'_>,
    signal: impl Fn(&Donor) -> Option<f64>,
) -> Result<Autocorrelation, Cancelled> {
    // Per class: pairs, sum of x², of x·y, of lag.
    let mut classes = [[0.0_f64; 4]; CLASSES];
    for path in paths {
        progress.pass()?;
        let points: Vec<(Instant, f64)> = path.iter().filter_map(|d| Some((d.at, signal(d)?))).collect();
        let mean = points.iter().map(|p| p.1).sum::<f64>() / points.len().max(1) as f64;
        for (i, &(at, x)) in points.iter().enumerate() {
            for &(later, y) in points.iter().skip(i + 1).take(REACH) {
                let lag = later - at;
                let Some(sums) = classes.get_mut(class(lag)) else { continue };
                sums[0] += 1.0;
                sums[1] += (x - mean) * (x - mean);
                sums[2] += (x - mean) * (y - mean);
                sums[3] += lag.secs_f64();
            }
        }
    }
    let pairs = classes.iter().map(|c| c[0]).sum::<f64>();
    let measured: Vec<(f64, f64, f64)> =
        classes.iter().filter(|c| c[0] >= PAIRS && c[1] > 0.0).map(|c| (c[3] / c[0], c[2] / c[1], c[1])).collect();
    let variance = classes.iter().map(|c| c[1]).sum::<f64>() / pairs.max(1.0);
    Ok(fit(&measured, pairs, variance))
}

/// Lag class: powers of two of a millisecond.
fn class(lag: Span) -> usize {
    let ms = u64::try_from(lag.millis()).unwrap_or(0);
    (u64::BITS - ms.leading_zeros()) as usize
}

/// The exponential through (lag, slope, weight) of least weighted squares, over a grid of coherence
/// times; none where its strength is not beyond [`USED`] standard errors.
fn fit(measured: &[(f64, f64, f64)], pairs: f64, variance: f64) -> Autocorrelation {
    let count = pairs as u64;
    let (Some(&(shortest, ..)), Some(&(longest, ..))) = (measured.first(), measured.last()) else {
        return Autocorrelation { pairs: count, ..Autocorrelation::NONE };
    };
    // Coherence time, strength, what it is known by, squared error.
    let mut best: Option<(f64, f64, f64, f64)> = None;
    let mut time = shortest.max(1e-3);
    while time <= longest.max(shortest.max(1e-3)) {
        let (mut xy, mut xx) = (0.0, 0.0);
        for &(lag, slope, weight) in measured {
            let x = (-lag / time).exp();
            xy += weight * x * slope;
            xx += weight * x * x;
        }
        let strength = if xx > 0.0 { (xy / xx).clamp(0.0, 1.0) } else { 0.0 };
        let error = |&(lag, slope, weight): &(f64, f64, f64)| {
            let miss: f64 = slope - strength * (-lag / time).exp();
            weight * miss * miss
        };
        let total: f64 = measured.iter().map(error).sum();
        if best.is_none_or(|(.., least)| total < least) {
            best = Some((time, strength, xx, total));
        }
        time *= 1.25;
    }
    let Some((time, strength, known, _)) = best else {
        return Autocorrelation { pairs: count, ..Autocorrelation::NONE };
    };
    // The error of a class's slope is the spread of y over the root of its sum of x², its weight; both have the spread
    // of the whole. A class tells of the strength by e^(−lag/time) times its slope, so their errors together are
    // √(variance / Σ weight·e^(−2·lag/time)).
    if strength * (known / variance).sqrt() < USED {
        return Autocorrelation { pairs: count, even: true, ..Autocorrelation::NONE };
    }
    let span = |secs| Span::from_secs_f64(secs).unwrap_or(Span::MAX);
    Autocorrelation { strength, time: span(time), from: span(shortest), pairs: count, even: false }
}
