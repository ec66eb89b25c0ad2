//! Good and bad spells of one path: a path of its two-state weather, drawn from all that are possible given the
//! recorded fates.
//!
//! At the recorded copies the states are drawn backwards through the filtered chances (forward filtering, backward
//! sampling: Carter & Kohn, Biometrika 81, 1994; Frühwirth-Schnatter, J. Time Ser. Anal. 15, 1994). Between two copies
//! the state half-way is drawn given both ends, then half-way of that, down to the time quantum. Every draw belongs to its
//! place in time: whoever asks about a moment, and in whatever order, meets the same spells.

use super::climate::Donor;
use crate::draw::{Lane, unit};
use crate::weather::{CLASSES, Filter, GilbertElliott, Met, Observed};
use base::{Instant, Span};

/// Quanta per stretch before the first and after the last recorded copy.
const STRETCH: i64 = 1 << 14;
/// Levels of halving that share one block of draws: 1 + 2 + 4 + 8 nodes and the word of the place itself.
const LEVELS: usize = 4;
/// Spans of fewer quanta come up again and again: most levels of a halving are that short.
const SHORT: usize = 256;

/// The states of one path in one replicate.
#[derive(Debug)]
pub(super) struct Spells {
    weather: GilbertElliott,
    /// Nanoseconds in a quantum.
    quantum: i64,
    lane: Lane,
    /// State in the quantum of each recorded copy; ordered, never empty.
    knots: Vec<(i64, bool)>,
    /// How many knots are up to the place asked for last: the next one is seldom far.
    last: usize,
    /// How much of a state is left after so many quanta; NaN where nobody has asked yet.
    kept: Box<[f64; SHORT]>,
}

/// Fates in order of time as a fit takes them; round trips by fifths of the path's own.
pub(crate) fn observed(donors: &[Donor]) -> Vec<Observed> {
    let mut rtts: Vec<Span> = donors.iter().filter_map(|d| d.fate.rtt()).collect();
    rtts.sort_unstable();
    let edges: Vec<Span> = (1..CLASSES).filter_map(|i| rtts.get(i * rtts.len() / CLASSES).copied()).collect();
    let mut last = donors.first().map_or(Instant::ZERO, |d| d.at);
    let observe = |d: &Donor| {
        let gap = (d.at - last).secs_f64();
        last = d.at;
        let class = |rtt| edges.partition_point(|&edge| edge <= rtt) as u8;
        Observed { gap, met: d.fate.rtt().map_or(Met::Lost, |rtt| Met::Answered(class(rtt))) }
    };
    donors.iter().map(observe).collect()
}

impl Spells {
    pub fn new(weather: GilbertElliott, donors: &[Donor], quantum: Span, mut lane: Lane) -> Self {
        let quantum = quantum.nanos().max(1);
        let copies = observed(donors);
        let mut filter = Filter::new(&weather);
        let filtered: Vec<f64> = copies.iter().map(|&copy| filter.next(copy).after).collect();
        let mut knots = Vec::with_capacity(donors.len().max(1));
        // Seconds to the copy drawn last, and its state.
        let mut later: Option<(f64, bool)> = None;
        for ((donor, copy), &bad) in donors.iter().zip(&copies).zip(&filtered).rev() {
            let chance = later.map_or(bad, |(gap, state)| {
                let to = |from: bool| weather.transition(from, state, gap);
                let (in_bad, in_good) = (bad * to(true), (1.0 - bad) * to(false));
                if in_bad + in_good > 0.0 { in_bad / (in_bad + in_good) } else { bad }
            });
            let place = donor.at.nanos().div_euclid(quantum);
            let state = unit(lane.block(place as u64)[0]) < chance;
            later = Some((copy.gap, state));
            knots.push((place, state));
        }
        knots.reverse();
        // Of copies within one quantum the first stands for it.
        knots.dedup_by_key(|knot| knot.0);
        if knots.is_empty() {
            knots.push((0, unit(lane.block(0)[0]) < weather.bad));
        }
        Self { weather, quantum, lane, knots, last: 0, kept: Box::new([f64::NAN; SHORT]) }
    }

    /// The weather that they are spells of.
    pub const fn weather(&self) -> &GilbertElliott {
        &self.weather
    }

    /// Whether the weather is bad at `at`.
    pub fn bad(&mut self, at: Instant) -> bool {
        let place = at.nanos().div_euclid(self.quantum);
        let after = self.up_to(place);
        let before = after.checked_sub(1).and_then(|i| self.knots.get(i)).copied();
        match (before, self.knots.get(after).copied()) {
            (Some(low), Some(high)) => self.between(low, high, place),
            (Some(last), None) => self.beyond(last, place, STRETCH),
            (None, Some(first)) => self.beyond(first, place, -STRETCH),
            (None, None) => false,
        }
    }

    /// How many knots are not after `place`.
    fn up_to(&mut self, place: i64) -> usize {
        let is_it = |&many: &usize| {
            let (before, after) = self.knots.split_at_checked(many)?;
            let fits = before.last().is_none_or(|k| k.0 <= place) && after.first().is_none_or(|k| k.0 > place);
            fits.then_some(many)
        };
        let near = [self.last, self.last + 1].iter().find_map(is_it);
        self.last = near.unwrap_or_else(|| self.knots.partition_point(|&(p, _)| p <= place));
        self.last
    }

    /// How much of a state is left after so many quanta.
    fn kept(&mut self, quanta: i64) -> f64 {
        let seconds = self.seconds(quanta);
        let Some(known) = usize::try_from(quanta).ok().and_then(|quanta| self.kept.get_mut(quanta)) else {
            return self.weather.kept(seconds);
        };
        if known.is_nan() {
            *known = self.weather.kept(seconds);
        }
        *known
    }

    fn seconds(&self, quanta: i64) -> f64 {
        quanta.unsigned_abs() as f64 * self.quantum as f64 * 1e-9
    }

    /// Outside the recorded copies, in stretches away from them. A two-state chain looks the same backwards.
    fn beyond(&mut self, mut knot: (i64, bool), place: i64, stretch: i64) -> bool {
        loop {
            let next = knot.0.saturating_add(stretch);
            let chance = self.weather.transition(knot.1, true, self.seconds(stretch));
            let far = (next, unit(self.lane.block(next as u64)[0]) < chance);
            let inside = if stretch > 0 { place <= next } else { place >= next };
            if inside || next == i64::MAX || next == i64::MIN {
                let (low, high) = if stretch > 0 { (knot, far) } else { (far, knot) };
                return self.between(low, high, place);
            }
            knot = far;
        }
    }

    /// Between two places of known state, by halving.
    fn between(&mut self, mut low: (i64, bool), mut high: (i64, bool), place: i64) -> bool {
        loop {
            let root = middle(low.0, high.0);
            if place == high.0 {
                return high.1;
            }
            if place == low.0 || root == low.0 {
                return low.1;
            }
            let words = *self.lane.block(root as u64);
            let mut node = 1;
            for _ in 0..LEVELS {
                let mid = middle(low.0, high.0);
                if mid == low.0 {
                    break;
                }
                let left = self.kept(mid - low.0);
                let right = if high.0 - mid == mid - low.0 { left } else { self.kept(high.0 - mid) };
                let through =
                    |state: bool| self.weather.moved(low.1, state, left) * self.weather.moved(state, high.1, right);
                let (bad, good) = (through(true), through(false));
                let here = (mid, unit(words[node]) * (bad + good) < bad);
                if place < mid {
                    (high, node) = (here, 2 * node);
                } else {
                    (low, node) = (here, 2 * node + 1);
                }
            }
        }
    }
}

fn middle(low: i64, high: i64) -> i64 {
    low + (high - low) / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Purpose;
    use crate::record::Fate;
    use crate::weather::Delay;

    const W: GilbertElliott =
        GilbertElliott { bad: 0.3, coherence: 2.0, loss_good: 0.0, loss_bad: 1.0, delay: Delay::NOTHING };
    const QUANTUM: Span = Span::from_millis(10);

    fn at(ms: i64) -> Instant {
        Instant::ZERO + Span::from_millis(ms)
    }

    fn spells(donors: &[Donor], replicate: u32) -> Spells {
        Spells::new(W, donors, QUANTUM, Lane::new(1, replicate, 0, Purpose::Spells))
    }

    /// Lost at 0 s, answered at 1 s: with these chances of loss the states there are certain.
    fn ends() -> [Donor; 2] {
        let answered = Fate::Answered { rtt: Span::from_millis(50) };
        [Donor { at: at(0), fate: Fate::Lost, load: 0 }, Donor { at: at(1_000), fate: answered, load: 0 }]
    }

    #[test]
    fn order_of_asking_does_not_matter() {
        let moments: Vec<Instant> = (-300..600).map(|i| at(i * 7)).collect();
        let mut forward = spells(&ends(), 3);
        let mut backward = spells(&ends(), 3);
        let a: Vec<bool> = moments.iter().map(|&t| forward.bad(t)).collect();
        let b: Vec<bool> = moments.iter().rev().map(|&t| backward.bad(t)).collect();
        assert!(a.iter().eq(b.iter().rev()));
        assert!(forward.bad(at(0)) && !forward.bad(at(1_000)));
    }

    #[test]
    fn between_copies_it_is_a_bridge_and_beyond_them_it_forgets() {
        let share = |t: i64| {
            let bad = (0..4_000).filter(|&r| spells(&ends(), r).bad(at(t))).count();
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
        let answered = Fate::Answered { rtt: Span::from_millis(50) };
        let donor = |(k, &lost): (usize, &bool)| Donor {
            at: at(k as i64 * 800),
            fate: if lost { Fate::Lost } else { answered },
            load: 0,
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
            let mut s = Spells::new(w, &donors, QUANTUM, Lane::new(9, replicate, 0, Purpose::Spells));
            for (k, count) in counts.iter_mut().enumerate() {
                *count += u32::from(s.bad(at(k as i64 * 800)));
            }
        }
        for (k, count) in counts.into_iter().enumerate() {
            let expected: f64 = (0..16).filter(|s| s >> k & 1 == 1).map(weight).sum::<f64>() / all;
            let got = f64::from(count) / f64::from(draws);
            assert!((got - expected).abs() < 0.024, "copy {k}: {got} is not {expected}");
        }
    }
}
