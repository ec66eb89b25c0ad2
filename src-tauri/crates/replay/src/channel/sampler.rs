//! Which recorded copy lends its fate to one that never was.

use super::bootstrap_weights::WeightedDonors;
use super::{Met, Sent, Support};
use crate::estimate::{Donor, ENOUGH, Local};
use crate::model::{Fate, Load, Moment, Path};
use base::{Instant, Span};

/// A fate, and the loads under which it was met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DonorFate {
    pub fate: Fate,
    /// Load under which the copy was, or was not, lost, and under which a round trip took as long as this; `None` where the record
    /// does not say.
    pub loads: Option<Load>,
}

/// A copy's fate, where it comes from, and the loads under which it was met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sample {
    pub met: Met,
    pub loads: Option<Load>,
}

impl Sample {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self { met: Met { fate: Fate::Unknown, support: Support::Assumed }, loads: None };
}

/// A channel that says under which loads its fates were met.
pub(crate) trait Sampler: std::fmt::Debug {
    /// What becomes of the copy under the loads it comes with.
    fn draw(&mut self, sent: &Sent) -> Sample;

    /// Another run begins, in the same weather: what the last one sent is forgotten.
    fn begin(&mut self);

    /// Whether what becomes of a copy on `path` depends on nothing but its exchange and its time.
    fn is_of_time(&self, path: u32) -> bool;

    /// The weather that [`Sampler::draw`] drew from for a copy, on a path whose copies are lost as often as `usual`; `None`: that of
    /// the path.
    fn local(&mut self, sent: &Sent, usual: f64) -> Option<Local>;

    /// A copy that was answered, for one that [`Sampler::draw`] has said to be lost.
    fn answered(&mut self, sent: &Sent, words: [u32; 2]) -> Option<Donor>;
}

/// What becomes of a copy, where the record says it: a recorded one within `tolerance` lends its own fate, or the one
/// imputed to it (`fates`, one for each copy of `path`, as `loads`). Otherwise weather is drawn, by `draw` of a quarter of a block,
/// until it does not contradict the record: a reply in a time without one would have been seen. `None` from `draw`: there
/// is nothing to lend.
pub(super) fn settle(
    (path, fates, loads): (Option<&Path>, &[Fate], &[Load]),
    (sent, moment): (&Sent, Moment),
    tolerance: Span,
    drawn: Support,
    quarter: impl Fn(u32) -> [u32; 4],
    mut draw: impl FnMut([u32; 4]) -> Option<DonorFate>,
) -> Sample {
    let mut silent_until = Instant::MIN;
    let tolerance = path.map_or(tolerance, |path| path.tolerance(tolerance));
    if let Some((i, copy)) = path.and_then(|p| p.near_moment(moment, tolerance, sent.exchange)) {
        let loads = loads.get(i).copied();
        if copy.fate.is_known() {
            return Sample { met: Met { fate: copy.fate, support: Support::Recorded }, loads };
        }
        if let Some(&fate) = fates.get(i).filter(|f| f.is_known()) {
            return Sample { met: Met { fate, support: Support::Borrowed }, loads };
        }
        silent_until = copy.silent_until;
    }
    for words in (0..4).map(quarter) {
        match draw(words) {
            None => return Sample::UNKNOWN,
            // Such a reply would have been seen: not this weather, then.
            Some(DonorFate { fate: Fate::Answered { rtt }, .. }) if sent.at + rtt + tolerance < silent_until => {}
            Some(DonorFate { fate, loads }) => return Sample { met: Met { fate, support: drawn }, loads },
        }
    }
    // No reply was seen for longer than any reply near in time took.
    Sample { met: Met { fate: Fate::Lost, support: drawn }, loads: None }
}

/// The place of `at` among the draws of a path: moments within one time quantum meet the same.
pub(super) fn quantum(at: Instant, tolerance: Span) -> u64 {
    // Quanta may be negative; as addresses they only have to differ.
    at.nanos().div_euclid(tolerance.nanos().max(1)) as u64
}

/// The first donor after a moment drawn from the time spanned by the [`ENOUGH`] donors nearest to `now`, or, where the weather is `even`,
/// by those that [`SampleIndex::around`] says; widened to `memory` on each side, as `stock` counts time; none of those to `skip`, if there are others.
pub(super) fn draw_background(
    weighted: WeightedDonors<'_>,
    now: Moment,
    (memory, even): (Span, bool),
    moment: f64,
    skip: impl Fn(&Donor) -> bool,
) -> Option<Donor> {
    let donors = weighted.donors;
    let (first, last) = (donors.first()?.at, donors.last()?.at);
    let split = donors.before(now);
    let (from, to) = donors.around(split, ENOUGH, even);
    let spanned = donors.get(from..to)?;
    // Inside the trace: before and after it there is no weather to look at. The farther outside, the less does it matter which end
    // was the near one.
    let here = now.at.max(first).min(last);
    let reach = memory.max((now.at - here).abs());
    let low = spanned.first()?.at.min(here - reach).max(first);
    let high = spanned.last()?.at.max(here + reach).min(last);
    let after = donors.get(weighted.drawn([(low, from), (high, to - 1)], moment)..)?;
    after.iter().chain(donors.iter().rev()).find(|d| !skip(d)).or(donors.last()).copied()
}

#[cfg(test)]
mod tests {
    use super::super::bootstrap_weights::BootstrapWeights;
    use super::*;
    use crate::estimate::SampleIndex;

    const SECOND: Span = Span::from_secs(1);

    fn donor(ms: i64, fate: Fate) -> Donor {
        Donor { at: Instant::ZERO + Span::from_millis(ms), fate, load: [0; 2] }
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
        let donors = SampleIndex::from(donors);
        let weighted = WeightedDonors { donors: &donors, weights: &BootstrapWeights::even(&donors) };
        let now = Moment { at: Instant::ZERO, copies: 0 };
        let lost = (0..10_000)
            .filter_map(|i| {
                draw_background(weighted, now, (Span::from_secs(5_000), false), f64::from(i) / 1e4, |_| false)
            })
            .filter(|d| d.fate == Fate::Lost)
            .count();
        // One second in eleven lies before a lost copy.
        assert!((895..=920).contains(&lost), "{lost}; the copy nearest in time would give 1364");
    }
}
