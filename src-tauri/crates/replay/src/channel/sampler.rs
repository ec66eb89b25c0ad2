//! Samplers: channels that say under which load a sampled fate was met, and the steps that they share.

use super::bootstrap_weights::WeightedDonors;
use super::{Met, Sent, Support};
use crate::estimate::{Donor, ENOUGH, Local};
use crate::model::{Fate, Load, Moment, Path};
use base::{Instant, Span};

/// Fate of a donor, and the loads under which it was met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DonorFate {
    /// Fate of the donor.
    pub fate: Fate,
    /// Load under which the donor was lost or not, and load under which its round trip was recorded; `None` where the
    /// record does not say.
    pub loads: Option<Load>,
}

/// Fate of a copy, its source, and the loads under which it was met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sample {
    /// Fate and its source.
    pub met: Met,
    /// Loads under which the fate was met; `None` where the record does not say.
    pub loads: Option<Load>,
}

impl Sample {
    /// Sample of a channel that has no donor: fate unknown, assumed.
    pub const UNKNOWN: Self = Self { met: Met { fate: Fate::Unknown, support: Support::Assumed }, loads: None };
}

/// A channel that says under which loads its fates were met.
pub(crate) trait Sampler: std::fmt::Debug {
    /// Samples the fate of a copy, with the loads under which it was recorded.
    fn sample(&mut self, sent: &Sent) -> Sample;

    /// Begins another run on the same channel: forgets the copies of the last one.
    fn begin(&mut self);

    /// Whether the fate of a copy on `path` depends on its exchange and its time only, not on copies sent before.
    fn is_of_time(&self, path: u32) -> bool;

    /// Local loss probability behind the last sample for `sent`, on a path with loss probability `usual` (0 to 1);
    /// `None`: that of the path.
    fn local(&mut self, sent: &Sent, usual: f64) -> Option<Local>;

    /// Samples an answered donor, by two uniform random words, for a copy that [`Sampler::sample`] returned as lost;
    /// `None` without one.
    fn answered(&mut self, sent: &Sent, words: [u32; 2]) -> Option<Donor>;
}

/// Fate of a copy by the record, where it says it: a recorded copy within `tolerance` gives its own fate, or the one
/// imputed to it (`fates`, one for each copy of `path`, as `loads`). Otherwise `draw` samples one from a quarter of a
/// block of random words, at most four times: again where it contradicts the record (a reply in a time without one
/// would have been seen), then the copy is lost. `None` from `draw`: there is no donor.
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
            return Sample { met: Met { fate, support: Support::Sampled }, loads };
        }
        silent_until = copy.silent_until;
    }
    for words in (0..4).map(quarter) {
        match draw(words) {
            None => return Sample::UNKNOWN,
            // Such a reply would have been seen: rejected.
            Some(DonorFate { fate: Fate::Answered { rtt }, .. }) if sent.at + rtt + tolerance < silent_until => {}
            Some(DonorFate { fate, loads }) => return Sample { met: Met { fate, support: drawn }, loads },
        }
    }
    // No reply was seen for longer than any reply near in time took.
    Sample { met: Met { fate: Fate::Lost, support: drawn }, loads: None }
}

/// Number of the time quantum of `at`, as an address of random numbers: moments within one quantum of length
/// `tolerance` meet the same ones.
pub(super) fn quantum(at: Instant, tolerance: Span) -> u64 {
    // Negative numbers wrap; as addresses they only have to differ.
    at.nanos().div_euclid(tolerance.nanos().max(1)) as u64
}

/// Draws a donor of the background: the first after a moment that is drawn by `moment`, uniform on [0, 1), from the
/// time of the [`ENOUGH`] donors nearest to `now`, or, where losses are uncorrelated (`even`), of those of
/// [`SampleIndex::around`]; widened to the coherence time `coherence` on each side. Time is measured by the weights of
/// `weighted`. Donors to `skip` are drawn only where there are no others; `None` without donors.
pub(super) fn draw_background<'d>(
    weighted: WeightedDonors<'d>,
    now: Moment,
    (coherence, even): (Span, bool),
    moment: f64,
    skip: impl Fn(&Donor) -> bool,
) -> Option<&'d Donor> {
    let donors = weighted.donors;
    let (first, last) = (donors.first()?.at, donors.last()?.at);
    let split = donors.before(now);
    let (from, to) = donors.around(split, ENOUGH, even);
    let spanned = donors.get(from..to)?;
    // Clamped to the trace: nothing is known before and after it. The farther outside, the less does it matter which
    // end was the near one.
    let here = now.at.max(first).min(last);
    let reach = coherence.max((now.at - here).abs());
    let low = spanned.first()?.at.min(here - reach).max(first);
    let high = spanned.last()?.at.max(here + reach).min(last);
    let after = donors.get(weighted.drawn([(low, from), (high, to - 1)], moment)..)?;
    after.iter().chain(donors.iter().rev()).find(|d| !skip(d)).or(donors.last())
}

#[cfg(test)]
mod tests {
    use super::super::bootstrap_weights::BootstrapWeights;
    use super::*;
    use crate::estimate::SampleIndex;
    use crate::model::FastPaths;

    const SECOND: Span = Span::from_secs(1);

    fn donor(ms: i64, fate: Fate) -> Donor {
        Donor { at: Instant::ZERO + Span::from_millis(ms), fate, load: [0; 2] }
    }

    #[test]
    fn the_share_of_losses_is_that_of_copies_not_of_time() {
        // Every second a copy is answered after a moment; every tenth is lost, and its sender is silent
        // for another second. A tenth of the copies is lost; nearest-in-time would say more.
        let mut donors = Vec::new();
        let mut at = 0;
        for i in 0..1_000 {
            let lost = i % 10 == 0;
            donors.push(donor(at, if lost { Fate::Lost } else { Fate::Answered { rtt: SECOND } }));
            at += if lost { 2_000 } else { 1_000 };
        }
        let donors = SampleIndex::new(donors, FastPaths::ALL);
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
