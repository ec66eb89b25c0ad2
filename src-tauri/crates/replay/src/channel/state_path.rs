//! Good and bad spells of one path: a path of its two-state weather, drawn from all that are possible given the
//! recorded fates.
//!
//! At the recorded copies the states are drawn backwards through the filtered chances (forward filtering, backward
//! sampling: Carter & Kohn, Biometrika 81, 1994; Frühwirth-Schnatter, J. Time Ser. Anal. 15, 1994).
//!
//! Between them the chain is taken as what it is in continuous time: now and then the weather is drawn afresh, whatever it was, at
//! moments of a Poisson process of one per coherence time (so e^(−t/τ) of a state is left after t). Between two copies of known
//! state nothing was drawn afresh with the chance that leaves; else the *last* of these moments is drawn, from which on the weather is
//! that of the later copy. What was before it knows nothing of that copy, and is drawn freely, in cells of time that have each
//! its own numbers. Every draw belongs to its place in time: whoever asks about a moment, and in whatever order, meets the same
//! spells.

mod cells;

use crate::estimate::{Donor, Filter, GilbertElliott, Observed};
use crate::model::{RandomStream, unit};
use base::Span;
use cells::{RefreshCache, RefreshProcess};

/// A recorded copy. Places in time are counted in quanta.
#[derive(Clone, Copy, Debug)]
struct SampledState {
    place: i64,
    bad: bool,
    /// From here on the weather is that of this copy.
    since: f64,
}

/// The states of one path in one replicate.
#[derive(Debug)]
pub(super) struct StatePath {
    draws: RefreshProcess,
    /// In order of time; none where there is no bad weather.
    states: Vec<SampledState>,
    /// For each copy of the path, how many knots are before its place, and how many there are; empty where no copy is known.
    ranks: Vec<u32>,
    cells: RefreshCache,
}

/// The states at the copies, and since when they last.
fn states(draws: &RefreshProcess, (donors, copies): (&[Donor], &[Observed]), quantum: i64) -> Vec<SampledState> {
    let RefreshProcess { model, stream, coherence, .. } = draws;
    let mut filter = Filter::new(model);
    // Of each copy, what is left of the state that the one before it met, and the chance of the bad one.
    let forward = copies.iter().map(|&copy| {
        let kept = model.kept(copy.gap);
        (kept, filter.after(copy, kept).after)
    });
    let filtered: Vec<(f64, f64)> = forward.collect();
    let mut drawn: Vec<(SampledState, [u32; 2])> = Vec::with_capacity(donors.len().max(1));
    // What is left until the copy drawn last, and its state.
    let mut later: Option<(f64, bool)> = None;
    for (donor, &(since, bad)) in donors.iter().zip(&filtered).rev() {
        let chance = later.map_or(bad, |(kept, state)| {
            let to = |from: bool| model.moved(from, state, kept);
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
    // Of copies within one quantum the first stands for it.
    drawn.dedup_by_key(|(state, _)| state.place);
    if drawn.is_empty() {
        let [word, fresh, age, _] = stream.quarter(0, 0);
        drawn.push((SampledState { place: 0, bad: unit(word) < model.bad, since: 0.0 }, [fresh, age]));
    }
    let mut before: Option<SampledState> = None;
    let mut states = Vec::with_capacity(drawn.len());
    for (mut state, [fresh, age]) in drawn {
        let kept = before.map_or(0.0, |before| (-((state.place - before.place) as f64) / *coherence).exp());
        let same = before.filter(|before| before.bad == state.bad);
        // Of the ways from one to the other, those on which nothing was drawn afresh.
        let all = same.filter(|same| unit(fresh) * model.moved(same.bad, state.bad, kept) < kept);
        state.since = match all {
            Some(before) => before.place as f64,
            None => state.place as f64 + *coherence * (1.0 - unit(age) * (1.0 - kept)).ln(),
        };
        before = Some(state);
        states.push(state);
    }
    states
}

/// How many of `knots` are before each of `places`, which are in order, and how many there are.
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
    /// Those of copies of these fates, `donors` ([`observed`]), in quanta of that length. All copies of the path, known or not, were
    /// sent at `places`.
    pub fn new(
        model: GilbertElliott,
        (donors, copies): (&[Donor], &[Observed]),
        (quantum, places): (Span, &[i64]),
        stream: RandomStream,
    ) -> Self {
        let quantum = quantum.nanos().max(1);
        let draws = RefreshProcess::new(model, stream, quantum);
        let states = if model.bad > 0.0 { states(&draws, (donors, copies), quantum) } else { Vec::new() };
        let ranks = if donors.is_empty() { Vec::new() } else { ranks(&states, places) };
        let ends = states.first().zip(states.last()).map(|(first, last)| [first.place, last.place]);
        let cells = RefreshCache::new(ends, states.len(), &draws);
        Self { draws, states, ranks, cells }
    }

    /// The weather that they are spells of.
    pub const fn to_model(&self) -> &GilbertElliott {
        &self.draws.model
    }

    /// Whether the weather is bad in the quantum at `place`, at a moment before which so many `copies` of the path were sent.
    pub fn bad(&mut self, place: i64, copies: usize) -> bool {
        let after = self.up_to(place, copies);
        let state = |i: usize| self.states.get(i).copied();
        match (after.checked_sub(1).and_then(state), state(after)) {
            (_, Some(next)) if place as f64 >= next.since => next.bad,
            (None, None) => false,
            // Nothing is both after its place and no later than it.
            (Some(before), _) if before.place == place => before.bad,
            (Some(before), _) => self.afresh(place, before.place as f64).unwrap_or(before.bad),
            (None, Some(_)) => self.afresh(place, f64::NEG_INFINITY).unwrap_or(false),
        }
    }

    /// How many knots are not after `place`.
    fn up_to(&self, place: i64, copies: usize) -> usize {
        match self.ranks.get(copies) {
            // Those before the next copy; that one's, where it is in the same quantum.
            Some(&rank) => {
                let rank = rank as usize;
                rank + usize::from(self.states.get(rank).is_some_and(|state| state.place <= place))
            }
            None => self.states.partition_point(|state| state.place <= place),
        }
    }

    /// What was drawn afresh last, up to `place`; `None` where nothing was since `from`.
    fn afresh(&mut self, place: i64, from: f64) -> Option<bool> {
        self.cells.last(&self.draws, place, from)
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
        StatePath::new(model, (donors, &observed(donors)), (QUANTUM, &places), stream)
    }

    fn spells(donors: &[Donor], replicate: u32) -> StatePath {
        drawn(W, donors, RandomStream::new(1, replicate, 0, Purpose::StatePath))
    }

    /// Whether the weather of `spells` at the copies of `donors` is bad at `t`.
    fn bad(spells: &mut StatePath, donors: &[Donor], t: Instant) -> bool {
        spells.bad(place(t), donors.partition_point(|d| d.at < t))
    }

    /// Lost at 0 s, answered at 1 s: with these chances of loss the states there are certain.
    fn ends() -> [Donor; 2] {
        [Donor { at: at(0), fate: Fate::Lost, load: [0; 2] }, Donor { at: at(1_000), fate: ANSWERED, load: [0; 2] }]
    }

    #[test]
    fn order_of_asking_does_not_matter() {
        let moments: Vec<Instant> = (-300..600).map(|i| at(i * 7)).collect();
        let mut forward = spells(&ends(), 3);
        let mut backward = spells(&ends(), 3);
        let a: Vec<bool> = moments.iter().map(|&t| bad(&mut forward, &ends(), t)).collect();
        let b: Vec<bool> = moments.iter().rev().map(|&t| bad(&mut backward, &ends(), t)).collect();
        assert!(a.iter().eq(b.iter().rev()));
        assert!(bad(&mut forward, &ends(), at(0)) && !bad(&mut forward, &ends(), at(1_000)));
    }

    #[test]
    fn between_copies_it_is_a_bridge_and_beyond_them_it_forgets() {
        let share = |t: i64| {
            let bad = (0..4_000).filter(|&r| bad(&mut spells(&ends(), r), &ends(), at(t))).count();
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
            let mut s = drawn(w, &donors, RandomStream::new(9, replicate, 0, Purpose::StatePath));
            for (k, count) in counts.iter_mut().enumerate() {
                *count += u32::from(bad(&mut s, &donors, at(k as i64 * 800)));
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
        /// Where a moment lies among the copies says where it lies among the knots.
        #[test]
        fn knots_are_found_by_copies(mut ms in proptest::collection::vec(0_i64..2_000, 1..40), asked in -100_i64..2_100) {
            ms.sort_unstable();
            let donors: Vec<Donor> = ms.iter().map(|&ms| Donor { at: at(ms), fate: ANSWERED, load: [0; 2] }).collect();
            let (spells, t) = (spells(&donors, 0), at(asked));
            let searched = spells.states.partition_point(|state| state.place <= place(t));
            prop_assert_eq!(spells.up_to(place(t), donors.partition_point(|d| d.at < t)), searched);
        }

        /// What is drawn afresh behind a copy begins behind it: at its place the weather is its own.
        #[test]
        fn a_copy_meets_its_own_state(mut ms in proptest::collection::vec(0_i64..60_000, 1..40), replicate: u32) {
            ms.sort_unstable();
            let donors: Vec<Donor> =
                ms.iter().map(|&ms| Donor { at: at(ms), fate: if ms % 3 == 0 { Fate::Lost } else { ANSWERED }, load: [0; 2] }).collect();
            let mut spells = spells(&donors, replicate);
            for state in spells.states.clone() {
                // Before the copy, at it and behind it.
                for ms in [0, 1, 5, 9] {
                    let t = Instant::from_nanos(state.place * QUANTUM.nanos()) + Span::from_millis(ms);
                    prop_assert_eq!(bad(&mut spells, &donors, t), state.bad);
                }
                prop_assert_eq!(spells.afresh(state.place, state.place as f64), None);
            }
        }
    }
}
