//! How likely an algorithm makes what was seen, with the errors that suit it best.

use super::drive::{Glimpse, Sighting};
use super::law::{Error, Queue, Seconds};

/// What a fit says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fit {
    /// Natural logarithm of the likelihood, with times in seconds.
    pub log_likelihood: f64,
    /// The error of timeouts that follow from what was learned: the timer's and the state's.
    pub fresh: Error,
    /// The error of timeouts that follow from the one before.
    pub step: Error,
    /// The share of timers that run out for reasons of their own.
    pub stray: f64,
}

/// Errors that are tried: from a quarter of a millisecond to a second, in powers of two, with each kind of queues,
/// and where copies leave in slots (`slot`: from one to the next) with those.
fn errors(slot: Option<Seconds>) -> impl Iterator<Item = Error> {
    let scale = |power: u8| 0.000_25 * f64::from(1_u16 << power);
    let of = move |queue| (0..13).map(move |power| Error::new(scale(power), queue));
    let any = Queue::TRIED.into_iter().flat_map(of);
    // Waits that are nothing beside a slot cannot be told from none.
    let slotted = move |slot| any.clone().filter(move |e| e.scale * 16.0 > slot).map(move |e| Error { slot, ..e });
    Queue::TRIED.into_iter().flat_map(of).chain(slot.into_iter().flat_map(slotted))
}

/// Where nothing was seen.
const NONE: Error = Error::new(1.0, Queue::Seldom);

/// Shares of strays that are tried.
const STRAYS: [f64; 4] = [0.01, 0.03, 0.1, 0.3];
/// Strays are equally likely on a logarithmic scale between these.
const SHORTEST: Seconds = 0.01;
const LONGEST: Seconds = 200.0;
/// Nothing that was seen is less likely.
const LEAST: f64 = 1e-12;

/// The share of copies that never go on the air: 1 % to 5 % in simulations, more where datagrams are fragmented.
const MISSED: f64 = 0.03;

/// The density of a stray.
pub(crate) fn stray(x: Seconds) -> f64 {
    1.0 / (x.clamp(SHORTEST, LONGEST) * (LONGEST / SHORTEST).ln())
}

/// The probability that a stray runs out before `x`.
fn stray_below(x: Seconds) -> f64 {
    (x.clamp(SHORTEST, LONGEST) / SHORTEST).ln() / (LONGEST / SHORTEST).ln()
}

/// The likelihood of one sighting without and with strays.
fn likelihood(s: &Sighting, error: Error) -> (f64, f64) {
    let error = error.times(s.spread);
    match s.seen {
        Glimpse::Gap(x) => (s.law.density(x, error) * if s.missed { MISSED } else { 1.0 - MISSED }, stray(x)),
        Glimpse::Longer(x) => (1.0 - s.law.below(x, error), 1.0 - stray_below(x)),
        Glimpse::Shorter(x) => (s.law.below(x, error), stray_below(x)),
    }
}

impl Fit {
    /// The best fit to `sightings`; `slot`: from slot to slot, where copies seem to leave in such.
    pub fn of<'a>(sightings: impl Iterator<Item = &'a Sighting>, slot: Option<Seconds>) -> Self {
        let (fresh, step): (Vec<&Sighting>, Vec<&Sighting>) = sightings.partition(|s| s.fresh);
        let fresh = profile(&fresh, slot);
        let step = profile(&step, slot);
        let mut best: Option<Self> = None;
        for ((stray, (fresh, a)), (step, b)) in STRAYS.into_iter().zip(fresh).zip(step) {
            if best.is_none_or(|best| a + b > best.log_likelihood) {
                best = Some(Self { log_likelihood: a + b, fresh, step, stray });
            }
        }
        best.unwrap_or(Self { log_likelihood: 0.0, fresh: NONE, step: NONE, stray: 1.0 })
    }

    /// The logarithm of the likelihood of one sighting, with an error of at least `error` seconds and as many queues as
    /// `queue` has.
    pub fn coarse(&self, s: &Sighting, error: Seconds, queue: Queue) -> f64 {
        let (expected, stray) = likelihood(s, Error::new(self.error(s).size().max(error / s.spread), queue));
        mixed(expected, stray, self.stray)
    }

    /// The scale of the error of a sighting of one timer.
    fn error(&self, s: &Sighting) -> Error {
        if s.fresh { self.fresh } else { self.step }
    }

    /// The probability that a sighting was of a stray.
    pub fn is_stray(&self, s: &Sighting) -> f64 {
        let (expected, stray) = likelihood(s, self.error(s));
        let stray = self.stray * stray;
        stray / (stray + (1.0 - self.stray) * expected).max(LEAST)
    }
}

fn mixed(expected: f64, stray: f64, share: f64) -> f64 {
    ((1.0 - share) * expected + share * stray).max(LEAST).ln()
}

/// For each share of strays, the best scale and the logarithm of its likelihood.
fn profile(sightings: &[&Sighting], slot: Option<Seconds>) -> [(Error, f64); STRAYS.len()] {
    let mut best = [(NONE, f64::NEG_INFINITY); STRAYS.len()];
    for error in errors(slot) {
        let mut sums = [0.0; STRAYS.len()];
        for s in sightings {
            let (expected, stray) = likelihood(s, error);
            for (sum, share) in sums.iter_mut().zip(STRAYS) {
                *sum += mixed(expected, stray, share);
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
