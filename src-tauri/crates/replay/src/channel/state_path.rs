//! State path of one path in one replicate: a draw of the hidden states of its two-state channel, given the recorded
//! fates.
//!
//! At recorded copies `k = 1 … n` the states `S_k` are sampled by forward filtering and backward sampling (Carter &
//! Kohn, Biometrika 81, 1994; Frühwirth-Schnatter, J. Time Ser. Anal. 15, 1994):
//!
//! * filter: `P(S_k | y_1 … y_k) ∝ P(y_k | S_k) · Σ_S P(S_k | S_{k−1} = S) · P(S_{k−1} = S | y_1 … y_{k−1})`;
//! * sample `S_n` from the last filtered distribution, then backwards `S_k` from
//!   `P(S_k | S_{k+1}, y_1 … y_k) ∝ P(S_{k+1} | S_k) · P(S_k | y_1 … y_k)`.
//!
//! Between copies the chain is one of refreshes ([`super::refresh`]): at the moments of a Poisson process of rate
//! `1 / τ` the state is drawn again. Given equal states at both ends of a gap `t`, there was no refresh in it with
//! probability `exp(−t / τ) / P(S_k → S_{k+1})`. Otherwise the *last* refresh is drawn, from which on the state is that
//! of the later copy; before it the states are independent of that copy and follow the refresh process.
//!
//! Every draw is addressed by its place in time: all algorithms meet the same path, in whatever order they ask.

use super::refresh::RefreshProcess;
use crate::estimate::{Donor, Filter, GilbertElliott, Observed};
use crate::model::{RandomStream, unit};
use base::Span;

/// Sampled state at a recorded copy. Places in time are counted in quanta.
#[derive(Clone, Copy, Debug)]
struct SampledState {
    place: i64,
    bad: bool,
    /// Last refresh before the copy, or the copy before it: from here on the state is that of this copy.
    since: f64,
}

/// State path of one path in one replicate.
#[derive(Debug)]
pub(super) struct StatePath {
    process: RefreshProcess,
    /// Sampled states in order of time; empty where the model has no bad state.
    states: Vec<SampledState>,
    /// Number of sampled states before the place of each copy of the path, and their total; empty where each query
    /// searches instead.
    ranks: Vec<u32>,
}

/// Samples the states at the copies, and the refresh since which each lasts.
fn sample_states(
    process: &RefreshProcess,
    (donors, copies): (&[Donor], &[Observed]),
    quantum: i64,
) -> Vec<SampledState> {
    let RefreshProcess { model, stream, coherence, .. } = process;
    let mut filter = Filter::new(model);
    // Per copy the correlation with the state of the one before, and the filtered probability of the bad state.
    let forward = copies.iter().map(|&copy| {
        let correlation = model.correlation_after(copy.gap);
        (correlation, filter.after(copy, correlation).after)
    });
    let filtered: Vec<(f64, f64)> = forward.collect();
    let mut drawn: Vec<(SampledState, [u32; 2])> = Vec::with_capacity(donors.len().max(1));
    // Correlation with the copy sampled last, and its state.
    let mut later: Option<(f64, bool)> = None;
    for (donor, &(since, bad)) in donors.iter().zip(&filtered).rev() {
        let chance = later.map_or(bad, |(correlation, state)| {
            let to = |from: bool| model.moved(from, state, correlation);
            let (in_bad, in_good) = (bad * to(true), (1.0 - bad) * to(false));
            if in_bad + in_good > 0.0 { in_bad / (in_bad + in_good) } else { bad }
        });
        let place = donor.at.nanos().div_euclid(quantum);
        let [word, fresh, age, _] = stream.quarter(place as u64, 0);
        let bad = unit(word) < chance;
        later = Some((since, bad));
        drawn.push((SampledState { place, bad, since: 0.0 }, [fresh, age]));
    }
    drawn.reverse();
    // The first copy of a quantum stands for all of it.
    drawn.dedup_by_key(|(state, _)| state.place);
    if drawn.is_empty() {
        let [word, fresh, age, _] = stream.quarter(0, 0);
        drawn.push((SampledState { place: 0, bad: unit(word) < model.bad, since: 0.0 }, [fresh, age]));
    }
    let mut before: Option<SampledState> = None;
    let mut states = Vec::with_capacity(drawn.len());
    for (mut state, [fresh, age]) in drawn {
        let correlation = before.map_or(0.0, |before| (-((state.place - before.place) as f64) / *coherence).exp());
        let same = before.filter(|before| before.bad == state.bad);
        // Probability of no refresh given both states.
        let all = same.filter(|same| unit(fresh) * model.moved(same.bad, state.bad, correlation) < correlation);
        state.since = match all {
            Some(before) => before.place as f64,
            None => state.place as f64 + *coherence * (1.0 - unit(age) * (1.0 - correlation)).ln(),
        };
        before = Some(state);
        states.push(state);
    }
    states
}

/// Number of `states` before each of `places`, in ascending order, and their total.
fn ranks(states: &[SampledState], places: &[i64]) -> Vec<u32> {
    let mut before = 0;
    let rank = |&place: &i64| {
        before += states.iter().skip(before).take_while(|state| state.place < place).count();
        before as u32
    };
    let mut ranks: Vec<u32> = places.iter().map(rank).collect();
    ranks.push(states.len() as u32);
    ranks
}

impl StatePath {
    /// Samples the path given `donors` and their observations, in quanta of the given length. `places`: quanta of all
    /// copies of the path in order of time, known or not; they spare searches and change no answer.
    pub fn new(
        model: GilbertElliott,
        (donors, copies): (&[Donor], &[Observed]),
        (quantum, places): (Span, Option<&[i64]>),
        stream: RandomStream,
    ) -> Self {
        let quantum = quantum.nanos().max(1);
        let process = RefreshProcess::new(model, stream, quantum);
        let states = if model.bad > 0.0 { sample_states(&process, (donors, copies), quantum) } else { Vec::new() };
        let places = places.filter(|_| !donors.is_empty());
        let ranks = places.map_or_else(Vec::new, |places| ranks(&states, places));
        Self { process, states, ranks }
    }

    /// Returns the parameters of the two-state channel.
    pub const fn to_model(&self) -> &GilbertElliott {
        &self.process.model
    }

    /// Returns whether the state is bad in the quantum `place`, at a moment after `copies` copies of the path.
    pub fn bad(&self, place: i64, copies: usize) -> bool {
        let after = self.up_to(place, copies);
        let state = |i: usize| self.states.get(i).copied();
        match (after.checked_sub(1).and_then(state), state(after)) {
            (_, Some(next)) if place as f64 >= next.since => next.bad,
            (None, None) => false,
            // At the place of a sampled state itself no refresh can follow it.
            (Some(before), _) if before.place == place => before.bad,
            (Some(before), _) => self.afresh(place, before.place as f64).unwrap_or(before.bad),
            (None, Some(_)) => self.afresh(place, f64::NEG_INFINITY).unwrap_or(false),
        }
    }

    /// Number of sampled states no later than `place`.
    fn up_to(&self, place: i64, copies: usize) -> usize {
        match self.ranks.get(copies) {
            // States before the next copy, and its own where it is in the same quantum.
            Some(&rank) => {
                let rank = rank as usize;
                rank + usize::from(self.states.get(rank).is_some_and(|state| state.place <= place))
            }
            None => self.states.partition_point(|state| state.place <= place),
        }
    }

    /// State of the last refresh up to `place`; `None` where there is none after `from`.
    fn afresh(&self, place: i64, from: f64) -> Option<bool> {
        self.process.last(place, from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::Delay;
    use crate::estimate::observed;
    use crate::model::{Fate, Purpose};
    use base::Instant;
    use proptest::prelude::*;

    const W: GilbertElliott =
        GilbertElliott { bad: 0.3, coherence: 2.0, loss_good: 0.0, loss_bad: 1.0, delay: Delay::NOTHING };
    const QUANTUM: Span = Span::from_millis(10);
    const ANSWERED: Fate = Fate::Answered { rtt: Span::from_millis(50) };

    fn at(ms: i64) -> Instant {
        Instant::ZERO + Span::from_millis(ms)
    }

    fn place(at: Instant) -> i64 {
        at.nanos().div_euclid(QUANTUM.nanos())
    }

    fn drawn(model: GilbertElliott, donors: &[Donor], stream: RandomStream) -> StatePath {
        let places: Vec<i64> = donors.iter().map(|d| place(d.at)).collect();
        StatePath::new(model, (donors, &observed(donors)), (QUANTUM, Some(&places)), stream)
    }

    fn path_of(donors: &[Donor], replicate: u32) -> StatePath {
        drawn(W, donors, RandomStream::new(1, replicate, 0, Purpose::StatePath))
    }

    /// Whether the state of `path`, given `donors`, is bad at `t`.
    fn bad(path: &StatePath, donors: &[Donor], t: Instant) -> bool {
        path.bad(place(t), donors.partition_point(|d| d.at < t))
    }

    /// Lost at 0 s, answered at 1 s: with these chances of loss the states there are certain.
    fn ends() -> [Donor; 2] {
        [Donor { at: at(0), fate: Fate::Lost, load: [0; 2] }, Donor { at: at(1_000), fate: ANSWERED, load: [0; 2] }]
    }

    #[test]
    fn order_of_asking_does_not_matter() {
        let moments: Vec<Instant> = (-300..600).map(|i| at(i * 7)).collect();
        let forward = path_of(&ends(), 3);
        let backward = path_of(&ends(), 3);
        let a: Vec<bool> = moments.iter().map(|&t| bad(&forward, &ends(), t)).collect();
        let b: Vec<bool> = moments.iter().rev().map(|&t| bad(&backward, &ends(), t)).collect();
        assert!(a.iter().eq(b.iter().rev()));
        assert!(bad(&forward, &ends(), at(0)) && !bad(&forward, &ends(), at(1_000)));
    }

    #[test]
    fn states_between_copies_depend_on_both_ends_and_decay_beyond_them() {
        let share = |t: i64| {
            let bad = (0..4_000).filter(|&r| bad(&path_of(&ends(), r), &ends(), at(t))).count();
            bad as f64 / 4_000.0
        };
        // Three standard errors of a share of 4 000 are at most 0.024.
        for t in [100, 370, 500, 900] {
            let (left, right) = (t as f64 / 1e3, 1.0 - t as f64 / 1e3);
            let through = |s: bool| W.transition(true, s, left) * W.transition(s, false, right);
            let expected = through(true) / (through(true) + through(false));
            assert!((share(t) - expected).abs() < 0.024, "{t} ms: {} is not {expected}", share(t));
        }
        for (t, from, lag) in [(-500, true, 0.5), (-2_000, true, 2.0), (2_500, false, 1.5), (60_000, false, 59.0)] {
            let expected = W.transition(from, true, lag);
            assert!((share(t) - expected).abs() < 0.024, "{t} ms: {} is not {expected}", share(t));
        }
    }

    /// The states at copies of uncertain fate against the sum over all sequences.
    #[test]
    fn states_at_copies_follow_all_fates() {
        let w = GilbertElliott { bad: 0.4, coherence: 1.5, loss_good: 0.1, loss_bad: 0.6, delay: Delay::NOTHING };
        let fates = [true, true, false, true];
        let donor = |(k, &lost): (usize, &bool)| Donor {
            at: at(k as i64 * 800),
            fate: if lost { Fate::Lost } else { ANSWERED },
            load: [0; 2],
        };
        let donors: Vec<Donor> = fates.iter().enumerate().map(donor).collect();
        let weight = |states: u32| {
            let state = |k: usize| states >> k & 1 == 1;
            (0..4)
                .map(|k| {
                    let loss = w.loss_in(state(k));
                    let moved = if k == 0 { w.share(state(0)) } else { w.transition(state(k - 1), state(k), 0.8) };
                    moved * if fates[k] { loss } else { 1.0 - loss }
                })
                .product::<f64>()
        };
        let all: f64 = (0..16).map(weight).sum();
        let mut counts = [0; 4];
        let draws = 4_000;
        for replicate in 0..draws {
            let s = drawn(w, &donors, RandomStream::new(9, replicate, 0, Purpose::StatePath));
            for (k, count) in counts.iter_mut().enumerate() {
                *count += u32::from(bad(&s, &donors, at(k as i64 * 800)));
            }
        }
        for (k, count) in counts.into_iter().enumerate() {
            let expected: f64 = (0..16).filter(|s| s >> k & 1 == 1).map(weight).sum::<f64>() / all;
            let got = f64::from(count) / f64::from(draws);
            assert!((got - expected).abs() < 0.024, "copy {k}: {got} is not {expected}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        /// The rank of a moment among the copies gives its rank among the sampled states.
        #[test]
        fn ranks_among_copies_give_ranks_among_states(mut ms in proptest::collection::vec(0_i64..2_000, 1..40), asked in -100_i64..2_100) {
            ms.sort_unstable();
            let donors: Vec<Donor> = ms.iter().map(|&ms| Donor { at: at(ms), fate: ANSWERED, load: [0; 2] }).collect();
            let (path, t) = (path_of(&donors, 0), at(asked));
            let searched = path.states.partition_point(|state| state.place <= place(t));
            prop_assert_eq!(path.up_to(place(t), donors.partition_point(|d| d.at < t)), searched);
        }

        /// A refresh after a copy begins after it: at the place of the copy the state is the sampled one.
        #[test]
        fn the_state_at_a_copy_is_the_sampled_state(mut ms in proptest::collection::vec(0_i64..60_000, 1..40), replicate: u32) {
            ms.sort_unstable();
            let donors: Vec<Donor> =
                ms.iter().map(|&ms| Donor { at: at(ms), fate: if ms % 3 == 0 { Fate::Lost } else { ANSWERED }, load: [0; 2] }).collect();
            let path = path_of(&donors, replicate);
            for state in &path.states {
                // Before the copy, at it and after it.
                for ms in [0, 1, 5, 9] {
                    let t = Instant::from_nanos(state.place * QUANTUM.nanos()) + Span::from_millis(ms);
                    prop_assert_eq!(bad(&path, &donors, t), state.bad);
                }
                prop_assert_eq!(path.afresh(state.place, state.place as f64), None);
            }
        }
    }
}
