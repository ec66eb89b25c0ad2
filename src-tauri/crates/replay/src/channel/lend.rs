//! Which recorded copy lends its fate to one that never was.

use super::climate::{Decay, Donor, Shelf};
use super::weigh::Stock;
use super::{Met, Path, Sent, Support};
use crate::record::Fate;
use base::{Instant, Span};

/// A fate, and the loads under which it was met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Lent {
    pub fate: Fate,
    /// Load under which the copy was, or was not, lost, and under which a round trip took as long as this; `None` where the record
    /// does not say.
    pub loads: Option<[u64; 2]>,
}

/// A copy's fate, where it comes from, and the loads under which it was met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Drawn {
    pub met: Met,
    pub loads: Option<[u64; 2]>,
}

impl Drawn {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self { met: Met { fate: Fate::Unknown, support: Support::Assumed }, loads: None };
}

/// What becomes of a copy, where the record says it: a recorded one within `tolerance` lends its own fate, or the one
/// imputed to it (`fates`, one for each copy of `path`, as `loads`). Otherwise weather is drawn, by `draw` of four words at a time,
/// until it does not contradict the record: a reply in a time without one would have been seen. `None` from `draw`: there
/// is nothing to lend.
pub(super) fn settle(
    (path, fates, loads): (Option<&Path>, &[Fate], &[u64]),
    sent: &Sent,
    tolerance: Span,
    drawn: Support,
    words: impl FnOnce() -> [u32; 16],
    mut draw: impl FnMut([u32; 4]) -> Option<Lent>,
) -> Drawn {
    let mut silent_until = Instant::MIN;
    let tolerance = path.map_or(tolerance, |path| path.tolerance(tolerance));
    if let Some((i, copy)) = path.and_then(|p| p.near(sent.at, tolerance, sent.exchange)) {
        let loads = loads.get(i).map(|&load| [load; 2]);
        if copy.fate.is_known() {
            return Drawn { met: Met { fate: copy.fate, support: Support::Recorded }, loads };
        }
        if let Some(&fate) = fates.get(i).filter(|f| f.is_known()) {
            return Drawn { met: Met { fate, support: Support::Borrowed }, loads };
        }
        silent_until = copy.silent_until;
    }
    for &words in words().as_chunks::<4>().0 {
        match draw(words) {
            None => return Drawn::UNKNOWN,
            // Such a reply would have been seen: not this weather, then.
            Some(Lent { fate: Fate::Answered { rtt }, .. }) if sent.at + rtt + tolerance < silent_until => {}
            Some(Lent { fate, loads }) => return Drawn { met: Met { fate, support: drawn }, loads },
        }
    }
    // No reply was seen for longer than any reply near in time took.
    Drawn { met: Met { fate: Fate::Lost, support: drawn }, loads: None }
}

/// The place of `at` among the draws of a path: moments within one time quantum meet the same.
pub(super) fn quantum(at: Instant, tolerance: Span) -> u64 {
    // Quanta may be negative; as addresses they only have to differ.
    at.nanos().div_euclid(tolerance.nanos().max(1)) as u64
}

/// Recorded copies that make a climate.
pub(super) const ENOUGH: usize = 24;
/// Neighbours on each side that may lend.
const NEIGHBOURS: usize = 16;

/// A donor near `at`, with chances in proportion to the correlation at its distance; `None` with the chance
/// that the nearest leaves to the climate.
pub(super) fn neighbour(donors: &Shelf, at: Instant, decay: &Decay, choice: f64) -> Option<Donor> {
    if decay.is_nothing() {
        return None;
    }
    let (split, at) = (donors.times.before(at), at.nanos());
    let (before, after) = donors.times.nanos().split_at_checked(split)?;
    let left = some(before.len(), |i| before.get(before.len() - i).is_none_or(|t| t.abs_diff(at) >= decay.reach()));
    let right = some(after.len(), |i| after.get(i - 1).is_none_or(|t| t.abs_diff(at) >= decay.reach()));
    let from = split - left;
    let (before, after) = (before.get(from..)?, after.get(..right)?);
    let earlier = |&time: &i64| decay.at(at.wrapping_sub(time) as u64);
    let later = |&time: &i64| decay.at(time.wrapping_sub(at) as u64);
    let nearest = before.last().map_or(0, earlier).max(after.first().map_or(0, later));
    if nearest == 0 {
        return None;
    }
    // Up to each of them, in order of time: 32 of 2^53 at most.
    let mut sums = [0; 2 * NEIGHBOURS];
    let (left, right) = sums.split_at_mut(before.len());
    let mut sum = 0_u64;
    for (time, place) in before.iter().zip(left) {
        sum = sum.wrapping_add(earlier(time));
        *place = sum;
    }
    for (time, place) in after.iter().zip(right) {
        sum = sum.wrapping_add(later(time));
        *place = sum;
    }
    let left = (choice * (sum + Decay::ONE - nearest) as f64) as u64;
    if left >= sum {
        return None;
    }
    let chosen = sums.get(..before.len() + after.len())?.partition_point(|&sum| sum <= left);
    donors.get(from + chosen).copied()
}

/// How many of `there` on one side to look at: no more than matter, which is the case where the last of so many is `far` away.
fn some(there: usize, far: impl Fn(usize) -> bool) -> usize {
    let few = [NEIGHBOURS / 4, NEIGHBOURS / 2].into_iter().find(|&few| few <= there && far(few));
    few.unwrap_or(NEIGHBOURS).min(there)
}

/// The first donor after a moment drawn from the time spanned by the [`ENOUGH`] donors nearest to `at`,
/// widened to `memory` on each side, as `stock` counts time; none of those to `skip`, if there are others.
pub(super) fn draw_near(
    stock: Stock<'_>,
    at: Instant,
    memory: Span,
    moment: f64,
    skip: impl Fn(&Donor) -> bool,
) -> Option<Donor> {
    let donors = stock.donors;
    let (first, last) = (donors.first()?.at, donors.last()?.at);
    let split = donors.times.before(at);
    let from = split.saturating_sub(ENOUGH / 2).min(donors.len().saturating_sub(ENOUGH));
    let to = (from + ENOUGH).min(donors.len());
    let spanned = donors.get(from..to)?;
    // Inside the trace: before and after it there is no weather to look at. The farther outside, the less does it matter which end
    // was the near one.
    let here = at.max(first).min(last);
    let reach = memory.max((at - here).abs());
    let low = spanned.first()?.at.min(here - reach).max(first);
    let high = spanned.last()?.at.max(here + reach).min(last);
    let after = donors.get(stock.drawn((low, high), moment)..)?;
    after.iter().chain(donors.iter().rev()).find(|d| !skip(d)).or(donors.last()).copied()
}

#[cfg(test)]
mod tests {
    use super::super::climate::Memory;
    use super::super::weigh::Weights;
    use super::*;

    const SECOND: Span = Span::from_secs(1);

    fn donor(ms: i64, fate: Fate) -> Donor {
        Donor { at: Instant::ZERO + Span::from_millis(ms), fate, load: 0 }
    }

    /// In how many of 10 000 even draws a neighbour lends.
    fn borrowed(donors: &[Donor], at: Span, strength: f64) -> f64 {
        let decay = Decay::new(Memory { strength, time: SECOND, from: Span::ZERO, pairs: 100 });
        let at = Instant::ZERO + at;
        let donors = Shelf::from(donors.to_vec());
        (0..10_000).filter(|&i| neighbour(&donors, at, &decay, f64::from(i) / 1e4).is_some()).count() as f64 / 1e4
    }

    #[test]
    fn one_neighbour_weighs_its_correlation() {
        let rho = 0.5 * (-1.0_f64).exp();
        let got = borrowed(&[donor(0, Fate::Lost)], SECOND, 0.5);
        assert!((got - rho).abs() < 0.01, "{got} is not {rho}");
        assert_eq!(
            borrowed(&[donor(0, Fate::Lost)], Span::from_secs(5), 0.5),
            0.0,
            "forgotten after four coherence times"
        );
        assert_eq!(borrowed(&[donor(0, Fate::Lost)], SECOND, 0.0), 0.0);
    }

    #[test]
    fn many_neighbours_are_believed() {
        // n draws with correlation ρ from one spell: nρ / (nρ + 1 − ρ).
        let donors: Vec<Donor> = (0..10).map(|_| donor(0, Fate::Lost)).collect();
        let rho = 0.5 * (-1.0_f64).exp();
        let expected = 10.0 * rho / (10.0 * rho + 1.0 - rho);
        let got = borrowed(&donors, SECOND, 0.5);
        assert!((got - expected).abs() < 0.01, "{got} is not {expected}");
    }

    #[test]
    fn the_climate_is_fair_to_the_time_behind_a_lost_copy() {
        // Every second a copy is answered after a moment; every tenth is lost, and its sender is silent
        // for another second. A tenth of the copies is lost; nearest-in-time would say more.
        let mut donors = Vec::new();
        let mut at = 0;
        for i in 0..1_000 {
            let lost = i % 10 == 0;
            donors.push(donor(at, if lost { Fate::Lost } else { Fate::Answered { rtt: SECOND } }));
            at += if lost { 2_000 } else { 1_000 };
        }
        let donors = Shelf::from(donors);
        let stock = Stock { donors: &donors, weights: &Weights::even(&donors) };
        let lost = (0..10_000)
            .filter_map(|i| draw_near(stock, Instant::ZERO, Span::from_secs(5_000), f64::from(i) / 1e4, |_| false))
            .filter(|d| d.fate == Fate::Lost)
            .count();
        // One second in eleven lies before a lost copy.
        assert!((895..=920).contains(&lost), "{lost}; the copy nearest in time would give 1364");
    }
}
