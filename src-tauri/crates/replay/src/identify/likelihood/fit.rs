//! The maximum-likelihood fit of the timing errors under one algorithm.

use crate::identify::likelihood::observation::{Observation, TimerDuration};
use crate::identify::likelihood::timing_error::{Queueing, Seconds, TimingError};

/// Maximum of the likelihood over the errors, and the errors at it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fit {
    /// Natural logarithm of the likelihood (a density, with times in seconds).
    pub log_likelihood: f64,
    /// Error of timeouts that follow from the learned state: the timer's and the state's.
    pub fresh: TimingError,
    /// Error of timeouts that follow from the timeout before.
    pub step: TimingError,
    /// Share of outliers, 0 to 1: timers that run out for reasons outside the model.
    pub outliers: f64,
}

/// Shortest scale of the grid of errors. Chosen here by judgement, near one back-off period, 320 µs (IEEE 802.15.4-2006
/// §7.5.1.4).
const LEAST_SCALE: Seconds = 0.000_25;
/// Number of scales of the grid, each twice the one before: 0.25 ms to 1 s. Chosen here: a scale is off by √2 at
/// most, which costs 0.07 nats a gap (Laplace); an error of more than 1 s, half of ACK_TIMEOUT (RFC 7252 §4.8), would
/// hide every timeout.
const SCALES: u8 = 13;
/// Divisor of the slot below which scales are left out: beside a slot they cannot be distinguished from none. Chosen
/// here: half a slot is eight such scales, which a Laplace error exceeds with a probability of e⁻⁸.
const SLOT_TO_SCALE: f64 = 16.0;

/// The grid of errors: every scale with each kind of queueing, and, where copies leave in slots of length `slot`, those
/// with slots too.
fn errors(slot: Option<Seconds>) -> impl Iterator<Item = TimingError> {
    let scale = |power: u8| LEAST_SCALE * f64::from(1_u16 << power);
    let of = move |queueing| (0..SCALES).map(move |power| TimingError::new(scale(power), queueing));
    let any = Queueing::COMPARED.into_iter().flat_map(of);
    let slotted =
        move |slot| any.clone().filter(move |e| e.scale * SLOT_TO_SCALE > slot).map(move |e| TimingError { slot, ..e });
    Queueing::COMPARED.into_iter().flat_map(of).chain(slot.into_iter().flat_map(slotted))
}

/// The error of no observations.
const NONE: TimingError = TimingError::new(1.0, Queueing::Rare);

/// Grid of outlier shares, 0 to 1. Chosen here by judgement: no experiment decides it; steps of about a factor of 3;
/// none is 0, so that one gap cannot exclude an algorithm, and with more than the last an algorithm explains too
/// little. `cargo test --release -p replay --test identify_runs -- --nocapture` scores the verdicts.
const OUTLIERS: [f64; 4] = [0.01, 0.03, 0.1, 0.3];
/// Shortest time at which an outlier runs out. Outliers are log-uniform up to [`LONGEST`], the scale-free density
/// (Jeffreys, Theory of Probability, 1961). Both ends are chosen here by judgement, wide enough for any timer:
/// MAX_TRANSMIT_WAIT is 93 s (RFC 7252 §4.8.2).
const SHORTEST: Seconds = 0.01;
/// Longest time at which an outlier runs out.
const LONGEST: Seconds = 200.0;
/// Least density of any observation, per second: keeps one impossible timeout from deciding alone. Chosen here by
/// judgement: no experiment decides it; an outlier has at least 5 · 10⁻⁶ (1 % of the density at [`LONGEST`]), so that
/// only readings censored before [`SHORTEST`] or beyond [`LONGEST`] come down to it.
const LEAST: f64 = 1e-12;

/// Share of copies that never go on the air. Chosen here: 1 % to 5 % in the simulated runs, more where datagrams are
/// fragmented; repeat with `RTOSCOPE_ALL=1 cargo test --release -p replay --test identify_runs -- --nocapture`.
const MISSED: f64 = 0.03;

/// Density of an outlier at `x`, per second.
pub(crate) fn outlier_density(x: Seconds) -> f64 {
    1.0 / (x.clamp(SHORTEST, LONGEST) * (LONGEST / SHORTEST).ln())
}

/// The probability that an outlier runs out before `x`.
fn outlier_cdf(x: Seconds) -> f64 {
    (x.clamp(SHORTEST, LONGEST) / SHORTEST).ln() / (LONGEST / SHORTEST).ln()
}

/// The likelihood of one observation under the algorithm, and as an outlier. A censored reading has a probability in
/// place of a density.
fn likelihood(o: &Observation, error: TimingError) -> (f64, f64) {
    let error = error.scaled(o.spread);
    match o.reading {
        TimerDuration::Exact(x) => {
            (o.distribution.density(x, error) * if o.missed { MISSED } else { 1.0 - MISSED }, outlier_density(x))
        }
        TimerDuration::RightCensored(x) => (1.0 - o.distribution.cdf(x, error), 1.0 - outlier_cdf(x)),
        TimerDuration::LeftCensored(x) => (o.distribution.cdf(x, error), outlier_cdf(x)),
    }
}

impl Fit {
    /// Best fit to `observations`, where `slot` is the distance between the slots in which copies leave, if they do.
    /// Without observations the log-likelihood is 0.
    pub fn of<'a>(observations: impl Iterator<Item = &'a Observation>, slot: Option<Seconds>) -> Self {
        let (fresh, step): (Vec<&Observation>, Vec<&Observation>) = observations.partition(|o| o.fresh);
        let fresh = profile(&fresh, slot);
        let step = profile(&step, slot);
        let mut best: Option<Self> = None;
        for ((outliers, (fresh, a)), (step, b)) in OUTLIERS.into_iter().zip(fresh).zip(step) {
            if best.is_none_or(|best| a + b > best.log_likelihood) {
                best = Some(Self { log_likelihood: a + b, fresh, step, outliers });
            }
        }
        best.unwrap_or(Self { log_likelihood: 0.0, fresh: NONE, step: NONE, outliers: 1.0 })
    }

    /// Log-likelihood of one observation with an error of at least `error` seconds and with `queueing`.
    pub fn coarse_log_likelihood(&self, o: &Observation, error: Seconds, queueing: Queueing) -> f64 {
        let error = TimingError::new(self.error(o).equivalent_scale().max(error / o.spread), queueing);
        let (expected, outlier) = likelihood(o, error);
        log_mixture(expected, outlier, self.outliers)
    }

    /// The error of the kind of timer that `o` shows.
    fn error(&self, o: &Observation) -> TimingError {
        if o.fresh { self.fresh } else { self.step }
    }

    /// Posterior probability that an observation is an outlier, 0 to 1.
    pub fn outlier_probability(&self, o: &Observation) -> f64 {
        let (expected, outlier) = likelihood(o, self.error(o));
        let outlier = self.outliers * outlier;
        outlier / (outlier + (1.0 - self.outliers) * expected).max(LEAST)
    }
}

/// The logarithm of the density of a mixture with a `share` of outliers.
fn log_mixture(expected: f64, outlier: f64, share: f64) -> f64 {
    ((1.0 - share) * expected + share * outlier).max(LEAST).ln()
}

/// The profile log-likelihood: for each share of outliers, the best error of the grid and its log-likelihood.
fn profile(observations: &[&Observation], slot: Option<Seconds>) -> [(TimingError, f64); OUTLIERS.len()] {
    let mut best = [(NONE, f64::NEG_INFINITY); OUTLIERS.len()];
    for error in errors(slot) {
        let mut sums = [0.0; OUTLIERS.len()];
        for o in observations {
            let (expected, outlier) = likelihood(o, error);
            for (sum, share) in sums.iter_mut().zip(OUTLIERS) {
                *sum += log_mixture(expected, outlier, share);
            }
        }
        for (best, sum) in best.iter_mut().zip(sums) {
            if sum > best.1 {
                *best = (error, sum);
            }
        }
    }
    best
}
