//! The expectation step: time in each state and changes between them, given what was met.
//!
//! Between two copies both are known in closed form for two states: the chance to be somewhere is a constant plus an
//! exponential in the time since either end, and products of those are integrated term by term.

#![allow(clippy::needless_range_loop, reason = "matrices are written as formulae write them")]

use super::forward::Filter;
use super::{Delay, GilbertElliott};
use crate::estimate::observation::{CLASSES, Emission, Observed};

/// Expected sums of an expectation step; index 0 is the good state, 1 the bad one.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Expected {
    /// Seconds in each state.
    pub time: [f64; 2],
    /// Number of changes out of each state.
    pub changes: [f64; 2],
    /// Number of copies sent in each state.
    pub copies: [f64; 2],
    /// Number of copies lost in each state.
    pub lost: [f64; 2],
    /// Number of copies answered in each state, by class of round trip from the shortest.
    pub answered: [[f64; CLASSES]; 2],
}

/// Number of answered copies that move a state's shares of round trips half-way from those of both: half a copy a class
/// (Jeffreys, Theory of Probability, 1961, §3.23). A larger one would hide differences: the bad state answers few
/// copies.
const TOWARDS: f64 = 0.5 * CLASSES as f64;

impl Expected {
    /// Dependence of round trips on the state; each state's shares are shrunk towards those of both by [`TOWARDS`]
    /// copies.
    pub fn delay(&self) -> Delay {
        let answered: f64 = self.answered.iter().flatten().sum();
        Delay(self.answered.map(|own| {
            let count: f64 = own.iter().sum();
            std::array::from_fn(|class| {
                let overall = (self.answered[0][class] + self.answered[1][class]) / answered.max(1.0);
                if overall <= 0.0 { 1.0 } else { (own[class] + TOWARDS * overall) / (count + TOWARDS) / overall }
            })
        }))
    }
}

/// The good and the bad state, by index.
const STATES: [bool; 2] = [false, true];

/// ∫₀ᵗ (a + b·e^(−ru)) (c + d·e^(−r(t−u))) du.
fn product(r: f64, t: f64, (a, b): (f64, f64), (c, d): (f64, f64)) -> f64 {
    let decay = (-r * t).exp();
    let rise = -(-r * t).exp_m1() / r;
    a * c * t + (a * d + b * c) * rise + b * d * t * decay
}

/// Expected sufficient statistics under `model`, over all copies of `paths`, each path in order of time.
pub(crate) fn expect(model: &GilbertElliott, paths: &[Vec<Observed>]) -> Expected {
    let mut sum = Expected::default();
    let mut filtered: Vec<f64> = Vec::new();
    for copies in paths {
        let mut filter = Filter::new(model);
        filtered.clear();
        filtered.extend(copies.iter().map(|&copy| filter.next(copy).after));
        smooth(model, copies, &filtered, &mut sum);
    }
    sum
}

/// The backward pass over one path.
fn smooth(w: &GilbertElliott, copies: &[Observed], filtered: &[f64], sum: &mut Expected) {
    let r = 1.0 / w.coherence;
    // From good to bad, and back.
    let rates = [w.bad * r, (1.0 - w.bad) * r];
    // The chance to be in `to` a time u after `from`, as constant and factor of e^(−ru).
    let chance = |from: bool, to: bool| {
        let share = w.share(to);
        (share, f64::from(u8::from(from == to)) - share)
    };
    let mut later: Option<(f64, f64)> = None;
    for (copy, &bad) in copies.iter().zip(filtered).rev() {
        let filtered = [1.0 - bad, bad];
        let mut here = filtered;
        if let Some((gap, bad)) = later {
            let smoothed = [1.0 - bad, bad];
            let moved = |i: usize, j: usize| w.transition(STATES[i], STATES[j], gap);
            here = [0.0; 2];
            for j in 0..2 {
                let arrived = filtered[0] * moved(0, j) + filtered[1] * moved(1, j);
                if arrived <= 0.0 {
                    continue;
                }
                for i in 0..2 {
                    // Chance of (i here, j there) given everything.
                    let both = filtered[i] * moved(i, j) / arrived * smoothed[j];
                    here[i] += both;
                    if both <= 0.0 {
                        continue;
                    }
                    let scale = both / moved(i, j);
                    let (from, to) = (STATES[i], STATES[j]);
                    let spent = product(r, gap, chance(from, true), chance(true, to)) * scale;
                    sum.time[1] += spent;
                    sum.time[0] += both * gap - spent;
                    sum.changes[0] += rates[0] * product(r, gap, chance(from, false), chance(true, to)) * scale;
                    sum.changes[1] += rates[1] * product(r, gap, chance(from, true), chance(false, to)) * scale;
                }
            }
        }
        for i in 0..2 {
            sum.copies[i] += here[i];
            match copy.met {
                Emission::Lost => sum.lost[i] += here[i],
                Emission::Answered(class) => sum.answered[i][usize::from(class)] += here[i],
            }
        }
        later = Some((copy.gap, here[1]));
    }
}

#[cfg(test)]
mod tests {
    use super::super::Delay;
    use super::*;

    fn copies() -> Vec<Observed> {
        [(0.0, true), (0.5, true), (1.5, false), (0.3, false), (2.0, true)]
            .map(|(gap, lost)| Observed { gap, met: if lost { Emission::Lost } else { Emission::Answered(2) } })
            .to_vec()
    }

    /// Against a chain in steps of a millisecond, smoothed by the textbook's forward–backward pass.
    #[test]
    fn times_and_changes_agree_with_a_fine_grid() {
        let w = GilbertElliott { bad: 0.4, coherence: 1.2, loss_good: 0.1, loss_bad: 0.8, delay: Delay::NOTHING };
        let copies = copies();
        let step = 1e-3;
        let total: usize = copies.iter().skip(1).map(|c| (c.gap / step).round() as usize).sum();
        let mut fate = vec![None; total + 1];
        let mut at = 0;
        for (k, c) in copies.iter().enumerate() {
            at += if k == 0 { 0 } else { (c.gap / step).round() as usize };
            fate[at] = Some(c.lost());
        }
        let emit =
            |t: usize, bad: bool| fate[t].map_or(1.0, |lost| if lost { w.loss_in(bad) } else { 1.0 - w.loss_in(bad) });
        let moved = |i: usize, j: usize| w.transition(STATES[i], STATES[j], step);
        let mut forward = vec![[0.0; 2]; total + 1];
        for t in 0..=total {
            for j in 0..2 {
                let before = if t == 0 {
                    w.share(STATES[j])
                } else {
                    forward[t - 1][0] * moved(0, j) + forward[t - 1][1] * moved(1, j)
                };
                forward[t][j] = before * emit(t, STATES[j]);
            }
        }
        let mut backward = vec![[1.0; 2]; total + 1];
        for t in (0..total).rev() {
            for i in 0..2 {
                let to = |j: usize| moved(i, j) * emit(t + 1, STATES[j]) * backward[t + 1][j];
                backward[t][i] = to(0) + to(1);
            }
        }
        let all = forward[total][0] + forward[total][1];
        let (mut bad, mut worsened, mut recovered) = (0.0, 0.0, 0.0);
        for t in 0..total {
            let pair =
                |i: usize, j: usize| forward[t][i] * moved(i, j) * emit(t + 1, STATES[j]) * backward[t + 1][j] / all;
            bad += step * (pair(1, 0) + pair(1, 1));
            worsened += pair(0, 1);
            recovered += pair(1, 0);
        }
        let got = expect(&w, &[copies]);
        assert!((got.time[1] - bad).abs() < 2e-3, "{} {bad}", got.time[1]);
        assert!((got.time.iter().sum::<f64>() - 4.3).abs() < 1e-9);
        assert!((got.changes[0] - worsened).abs() < 3e-3, "{} {worsened}", got.changes[0]);
        assert!((got.changes[1] - recovered).abs() < 3e-3, "{} {recovered}", got.changes[1]);
        assert!((got.copies.iter().sum::<f64>() - 5.0).abs() < 1e-12);
        assert!((got.lost.iter().sum::<f64>() - 3.0).abs() < 1e-12);
    }
}
