//! Channel state over time: the smoothed probability of the bad state given *all* recorded fates, and the one-step
//! forecast of each copy from those before it.

use super::Replay;
use crate::estimate::{Donor, Filter, GilbertElliott, Observed, SampleIndex, observed};
use base::{Cancelled, Instant, Progress};

/// One recorded copy against its forecast.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Forecast {
    /// Time at which the client sent it.
    pub at: Instant,
    /// Probability of a loss, 0 to 1, from the fates of all copies before it.
    pub chance: f64,
    /// Whether the copy was lost.
    pub lost: bool,
}

impl Replay {
    /// Smoothed probability of the bad state, 0 to 1, on path `path` at each of `moments` (in order of time), given all
    /// that was recorded on it. `None` for a path that does not exist or has no second state.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks before the channel states are fitted.
    pub fn bad_at(
        &self,
        path: u32,
        moments: &[Instant],
        progress: &mut dyn Progress,
    ) -> Result<Option<Vec<f64>>, Cancelled> {
        let at = |(model, known): (&GilbertElliott, &SampleIndex)| {
            let times: Vec<Instant> = known.iter().map(|d| d.at).collect();
            bad_at(model, &times, &observed(known), moments)
        };
        Ok(self.two_states(path, progress)?.map(at))
    }

    /// Number of runs of copies on path `path` whose smoothed state is more likely bad than good. `None` for a path
    /// that does not exist or has no second state.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks before the channel states are fitted.
    pub fn bad_runs(&self, path: u32, progress: &mut dyn Progress) -> Result<Option<usize>, Cancelled> {
        let runs = |(model, known): (&GilbertElliott, &SampleIndex)| {
            let copies = observed(known);
            bad_runs(&smoothed(model, &filtered(model, &copies), &copies))
        };
        Ok(self.two_states(path, progress)?.map(runs))
    }

    /// Forecasts of the recorded copies of path `path` with a known fate, each from the copies before it, in order of
    /// time. Empty for a path that does not exist.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks before the channel states are fitted.
    pub fn forecasts(&self, path: u32, progress: &mut dyn Progress) -> Result<Vec<Forecast>, Cancelled> {
        let at = path as usize;
        let states = self.channel_states(progress)?;
        let (Some(state), Some(donors)) = (states.path(at), self.channel_statistics().paths.get(at)) else {
            return Ok(Vec::new());
        };
        let model = &state.fit.model;
        let mut filter = Filter::new(model);
        let forecast = |(donor, copy): (&Donor, Observed)| {
            let bad = filter.next(copy).before;
            let chance = bad * model.loss_bad + (1.0 - bad) * model.loss_good;
            Forecast { at: donor.at, chance, lost: copy.lost() }
        };
        Ok(donors.known.iter().zip(observed(&donors.known)).map(forecast).collect())
    }

    /// The fitted model of a path and its copies with a fate, where the model has two states.
    fn two_states(
        &self,
        path: u32,
        progress: &mut dyn Progress,
    ) -> Result<Option<(&GilbertElliott, &SampleIndex)>, Cancelled> {
        let model = self.channel_states(progress)?.path(path as usize).map(|state| &state.fit.model);
        let known = self.channel_statistics().paths.get(path as usize).map(|donors| &donors.known);
        Ok(model.filter(|model| model.bad > 0.0).zip(known))
    }
}

/// Filtered probability of the bad state at each copy, given it and those before it.
fn filtered(w: &GilbertElliott, copies: &[Observed]) -> Vec<f64> {
    let mut filter = Filter::new(w);
    copies.iter().map(|&copy| filter.next(copy).after).collect()
}

/// Returns the probability of the bad state, 0 to 1, at each of `copies` given all of them, from the `filtered` ones.
fn smoothed(w: &GilbertElliott, filtered: &[f64], copies: &[Observed]) -> Vec<f64> {
    let mut smoothed = filtered.to_vec();
    for k in (1..copies.len()).rev() {
        smoothed[k - 1] = back(w, filtered[k - 1], copies[k].gap, smoothed[k]);
    }
    smoothed
}

/// Runs of chances above one half.
fn bad_runs(chances: &[f64]) -> usize {
    chances.split(|&bad| bad <= 0.5).filter(|run| !run.is_empty()).count()
}

/// The smoothed chances at `moments` (Rabiner, Proc. IEEE 77, 1989, §III.A, with a moment as a copy of which nothing
/// was seen). `times` are those of `copies`; both lists in order.
fn bad_at(w: &GilbertElliott, times: &[Instant], copies: &[Observed], moments: &[Instant]) -> Vec<f64> {
    let filtered = filtered(w, copies);
    let smoothed = smoothed(w, &filtered, copies);
    let seconds = |from: Instant, to: Instant| (to - from).secs_f64();
    let chance = |&moment: &Instant| {
        let after = times.partition_point(|&t| t <= moment);
        let forward = match after.checked_sub(1) {
            None => w.bad,
            Some(k) => w.bad + (filtered[k] - w.bad) * (-seconds(times[k], moment) / w.coherence).exp(),
        };
        match times.get(after) {
            None => forward,
            Some(&next) => back(w, forward, seconds(moment, next), smoothed[after]),
        }
    };
    moments.iter().map(chance).collect()
}

/// The chance of the bad state, `bad` from what went before, when `later` is that chance `gap` seconds later given
/// everything.
fn back(w: &GilbertElliott, bad: f64, gap: f64, later: f64) -> f64 {
    let from = [1.0 - bad, bad];
    let mut here = 0.0;
    for (to, chance) in [(false, 1.0 - later), (true, later)] {
        let ways = [false, true].map(|state| from[usize::from(state)] * w.transition(state, to, gap));
        let arrived = ways[0] + ways[1];
        if arrived > 0.0 {
            here += ways[1] / arrived * chance;
        }
    }
    here.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::{Delay, Emission};
    use base::Span;

    #[test]
    fn a_bad_run_is_a_run_of_copies_in_the_bad_state() {
        assert_eq!(bad_runs(&[]), 0);
        assert_eq!(bad_runs(&[0.1, 0.5, 0.2]), 0);
        assert_eq!(bad_runs(&[0.9, 0.8, 0.1, 0.6, 0.4, 0.7]), 3);
        // Three losses in a row, then after a long quiet one three more: two runs; one where the state hardly ever
        // changes.
        let w = GilbertElliott { bad: 0.3, coherence: 2.0, loss_good: 0.05, loss_bad: 0.7, delay: Delay::NOTHING };
        let copy = |gap, lost| Observed { gap, met: if lost { Emission::Lost } else { Emission::Answered(0) } };
        let run = [copy(0.1, true), copy(0.1, true), copy(0.1, true)];
        let quiet = [copy(5.0, false), copy(0.1, false), copy(0.1, false), copy(5.0, true), copy(0.1, true)];
        let copies = [&run[..], &quiet[..]].concat();
        let seen = |w: &GilbertElliott| bad_runs(&smoothed(w, &filtered(w, &copies), &copies));
        assert_eq!(seen(&w), 2);
        assert_eq!(seen(&GilbertElliott { coherence: 1e6, ..w }), 1);
    }

    /// Against the sum over all sequences of states, the moment one of them.
    #[test]
    fn chances_agree_with_the_sum_over_all_states() {
        let w = GilbertElliott { bad: 0.3, coherence: 2.0, loss_good: 0.05, loss_bad: 0.7, delay: Delay::NOTHING };
        let at = |s: f64| Instant::ZERO + Span::from_secs_f64(s).unwrap();
        let sent = [(0.0, true), (0.5, true), (3.0, false), (3.4, true)];
        let times: Vec<Instant> = sent.iter().map(|&(s, _)| at(s)).collect();
        let met = |lost| if lost { Emission::Lost } else { Emission::Answered(0) };
        let gap = |k: usize| if k == 0 { 0.0 } else { sent[k].0 - sent[k - 1].0 };
        let copies: Vec<Observed> = (0..4).map(|k| Observed { gap: gap(k), met: met(sent[k].1) }).collect();
        for moment in [-1.0, 0.2, 1.5, 3.2, 5.0] {
            let mut all: Vec<(f64, Option<Emission>)> = sent.iter().map(|&(s, lost)| (s, Some(met(lost)))).collect();
            let place = all.partition_point(|&(s, _)| s <= moment);
            all.insert(place, (moment, None));
            let weight = |states: u32| -> f64 {
                let state = |k: usize| states >> k & 1 == 1;
                let one = |k: usize| {
                    let gone = if k == 0 { 0.0 } else { all[k].0 - all[k - 1].0 };
                    let moved = if k == 0 { w.share(state(0)) } else { w.transition(state(k - 1), state(k), gone) };
                    moved * all[k].1.map_or(1.0, |met| w.chance(state(k), met))
                };
                (0..5).map(one).product()
            };
            let total: f64 = (0..32).map(weight).sum();
            let bad: f64 = (0..32).filter(|s| s >> place & 1 == 1).map(weight).sum();
            let got = bad_at(&w, &times, &copies, &[at(moment)])[0];
            assert!((got - bad / total).abs() < 1e-12, "{moment} s: {got} is not {}", bad / total);
        }
    }
}
