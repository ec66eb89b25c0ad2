//! The chance of each state given what was met before: the forward pass of a hidden Markov chain in scaled form
//! (Rabiner, Proc. IEEE 77, 1989, §V.A), with the time since the last copy in its transitions.

use super::GilbertElliott;
use crate::estimate::observation::Observed;

/// Forward filter: probability of the bad state, brought forward from copy to copy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Filter<'a> {
    model: &'a GilbertElliott,
    /// Probability of the bad state right after the last copy; `None` before the first.
    bad: Option<f64>,
}

/// Result of one filter step; all values 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Step {
    /// Probability of the bad state before the fate of the copy is looked at.
    pub before: f64,
    /// Likelihood of the copy's fate, given all fates before (up to the common factor of [`GilbertElliott::chance`]).
    pub likelihood: f64,
    /// Probability of the bad state given the fate, too.
    pub after: f64,
}

impl<'a> Filter<'a> {
    /// Filter before the first copy of a path.
    pub const fn new(model: &'a GilbertElliott) -> Self {
        Self { model, bad: None }
    }

    /// Takes the next copy of the path, `copy.gap` seconds after the last.
    pub fn next(&mut self, copy: Observed) -> Step {
        self.after(copy, self.model.correlation_after(copy.gap))
    }

    /// [`Filter::next`], with the `correlation` to the state at the copy before
    /// ([`GilbertElliott::correlation_after`]).
    pub fn after(&mut self, copy: Observed, correlation: f64) -> Step {
        let w = self.model;
        let before = match self.bad {
            None => w.bad,
            Some(bad) => w.bad + (bad - w.bad) * correlation,
        };
        let in_bad = before * w.chance(true, copy.met);
        let likelihood = (in_bad + (1.0 - before) * w.chance(false, copy.met)).max(f64::MIN_POSITIVE);
        let after = (in_bad / likelihood).clamp(0.0, 1.0);
        self.bad = Some(after);
        Step { before, likelihood, after }
    }
}

/// Log-likelihood of all fates of `paths` in nats, each path on its own and in order of time.
pub(crate) fn log_likelihood(model: &GilbertElliott, paths: &[Vec<Observed>]) -> f64 {
    let path = |copies: &Vec<Observed>| {
        let mut filter = Filter::new(model);
        copies.iter().map(|&copy| filter.next(copy).likelihood.ln()).sum::<f64>()
    };
    paths.iter().map(path).sum()
}

#[cfg(test)]
mod tests {
    use super::super::Delay;
    use super::*;
    use crate::estimate::observation::Emission;

    /// The same by brute force: every sequence of states.
    fn enumerated(w: &GilbertElliott, copies: &[Observed]) -> f64 {
        (0_u32..1 << copies.len())
            .map(|states| {
                let state = |k: usize| states >> k & 1 == 1;
                let chance = |k: usize, c: &Observed| {
                    let moved = if k == 0 { w.share(state(0)) } else { w.transition(state(k - 1), state(k), c.gap) };
                    moved * w.chance(state(k), c.met)
                };
                copies.iter().enumerate().map(|(k, c)| chance(k, c)).product::<f64>()
            })
            .sum()
    }

    #[test]
    fn the_forward_pass_sums_over_all_states() {
        let delay = Delay([[1.5, 1.2, 1.0, 0.8, 0.5], [0.1, 0.3, 1.0, 1.6, 2.0]]);
        let w = GilbertElliott { bad: 0.3, coherence: 2.0, loss_good: 0.05, loss_bad: 0.7, delay };
        let (lost, short, long) = (Emission::Lost, Emission::Answered(0), Emission::Answered(4));
        let copies: Vec<Observed> = [(0.0, lost), (0.1, lost), (3.0, short), (0.7, long), (0.2, lost), (30.0, short)]
            .map(|(gap, met)| Observed { gap, met })
            .to_vec();
        let expected = enumerated(&w, &copies).ln();
        assert!((log_likelihood(&w, &[copies]) - expected).abs() < 1e-12);
    }
}
