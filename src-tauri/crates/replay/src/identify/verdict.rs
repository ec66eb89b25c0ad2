//! The verdict: the algorithm groups that the evidence leaves, and whether even the best of them fits.
//!
//! Groups are compared by penalised likelihood ratios with the thresholds of [`Thresholds::DEFAULT`]. Before a group is
//! named, the best candidate has to pass tests of absolute fit ([`Goodness`]).

use super::algorithm_group::algorithm_group;
use super::likelihood::goodness::Goodness;
use super::likelihood::observation::Observation;
use super::likelihood::timing_error::Seconds;
use super::search::candidate::ScoredCandidate;

/// Claim about the algorithm that was running.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// One algorithm group explains the observations.
    Identified {
        /// Name of the group: Californium's CoCoA is CoCoA.
        family: &'static str,
        /// Identifiers of the presets that the capture does not distinguish, the likeliest first.
        presets: Vec<&'static str>,
        /// Posterior probability of this group among the known ones, 0 to 1.
        confidence: f64,
    },
    /// More than one group explains the observations, or too little was seen.
    CannotTell {
        /// Names of the groups, the likeliest first; empty where the gaps are too blurred to favour any.
        among: Vec<&'static str>,
        /// Reason, a clause for people without a full stop.
        why: String,
    },
    /// No known algorithm explains the observations.
    NoneFits {
        /// Identifier of the likeliest preset.
        nearest: &'static str,
        /// Observation that it fails to explain, a clause for people without a full stop.
        why: String,
    },
}

/// Thresholds of a verdict. Log-likelihood ratios are in nats.
///
/// Each is chosen here so that no simulated or bundled run is taken for another algorithm; repeat with `cargo test
/// --release -p replay --lib sweep_of_verdict_thresholds -- --nocapture`, which prints the errors on the bundled
/// captures over a range of each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thresholds {
    /// Divisor of log-likelihood ratios. Neighbouring gaps share errors (a late copy makes one gap long and the next
    /// short) and states share samples, so the likelihood counts evidence about twice: it is a composite
    /// likelihood, to be scaled (Varin, Reid & Firth, Statistica Sinica 21, 2011).
    pub temper: f64,
    /// Least lag in log-likelihood and in score, in nats, that rules a group out: with [`Self::temper`] 2 it is odds of
    /// 20 to 1, "strong" evidence (Kass & Raftery, J. Am. Stat. Assoc. 90, 1995, p. 777, scale of 2 ln B).
    pub unlikely: f64,
    /// Least lag in score, in nats, that rules out a group whose log-likelihood does not: twice [`Self::unlikely`].
    pub contrived: f64,
    /// Addition to [`Self::unlikely`], in nats, for each parameter by which the leader was fitted more: the other group
    /// might have gained as much by fitting.
    pub per_fitted: f64,
    /// Largest difference of log-likelihoods, in nats, that come from the same timers; it decides a reason only.
    pub same: f64,
    /// Least number of gaps for a claim.
    pub gaps: usize,
    /// Largest [`Goodness::outliers`] of a candidate that fits.
    pub outliers: f64,
    /// Largest [`Goodness::relative_error`] with which groups are named.
    pub relative_error: f64,
    /// Largest [`Goodness::free_lead`], in nats, that is put down to chance, besides [`Self::free_lead_per_gap`].
    pub free_lead: f64,
    /// Part of that bound that grows with the number of gaps, in nats a gap.
    pub free_lead_per_gap: f64,
}

impl Thresholds {
    /// Thresholds of `identify`.
    pub const DEFAULT: Self = Self {
        temper: 2.0,
        unlikely: 6.0,
        contrived: 12.0,
        per_fitted: 2.0,
        same: 0.05,
        gaps: 5,
        outliers: 0.4,
        relative_error: 0.2,
        free_lead: 6.0,
        free_lead_per_gap: 0.15,
    };

    /// The reason why even the best candidate does not fit, if it does not.
    fn misfit(&self, m: Goodness) -> Option<String> {
        if m.outliers > self.outliers {
            return Some(format!("{:.0} % of the timers ran out at times of their own", m.outliers * 100.0));
        }
        if m.free_lead > self.free_lead + self.free_lead_per_gap * m.compared as f64 {
            return Some("the timeouts follow a pattern that it does not have".to_owned());
        }
        None
    }
}

/// The algorithm group of a candidate.
fn group(c: &ScoredCandidate) -> &'static str {
    algorithm_group(c.candidate.spec.family)
}

/// Posterior probability of each of `scored`, 0 to 1 and 1 in all, with tempered scores as log weights. A group weighs
/// as much as its best member, whose members share that in proportion: more presets do not make a group likelier.
pub(super) fn probabilities(scored: &[ScoredCandidate]) -> Vec<f64> {
    let best = scored.iter().map(|c| c.score).fold(f64::NEG_INFINITY, f64::max);
    let weight = |c: &ScoredCandidate| ((c.score - best) / Thresholds::DEFAULT.temper).exp();
    let mut groups: Vec<(&str, f64, f64)> = Vec::new();
    for c in scored {
        let w = weight(c);
        match groups.iter_mut().find(|(name, ..)| *name == group(c)) {
            Some((_, most, sum)) => (*most, *sum) = (most.max(w), *sum + w),
            None => groups.push((group(c), w, w)),
        }
    }
    let total: f64 = groups.iter().map(|(_, most, _)| most).sum();
    let share = |c: &ScoredCandidate| {
        let found = groups.iter().find(|(name, ..)| *name == group(c));
        found.map_or(0.0, |(_, most, sum)| weight(c) / sum * most / total)
    };
    scored.iter().map(share).collect()
}

/// Verdict on `scored`, in descending order of score. `gaps` is the number of gaps, `observations` are those of the
/// best candidate, and `slot` is the distance between slots in seconds, where copies leave in such.
pub(super) fn verdict(
    scored: &[ScoredCandidate],
    gaps: usize,
    observations: &[Observation],
    slot: Option<Seconds>,
    thresholds: &Thresholds,
) -> Verdict {
    let Some(best) = scored.first() else {
        return Verdict::CannotTell { among: Vec::new(), why: "nothing was sent".to_owned() };
    };
    let among = not_ruled_out(best, scored, thresholds);
    if gaps < thresholds.gaps {
        let why = format!("{gaps} retransmissions say too little of a timer");
        return Verdict::CannotTell { among, why };
    }
    let goodness = Goodness::of(best.fit, observations, slot.unwrap_or(0.0));
    if let Some(why) = thresholds.misfit(goodness) {
        return Verdict::NoneFits { nearest: best.candidate.spec.id, why };
    }
    if goodness.relative_error > thresholds.relative_error {
        let why = format!(
            "the gaps are off by {:.0} % of their length, as if copies waited long before they were sent",
            goodness.relative_error * 100.0
        );
        // With such errors the ranking depends on their model, so naming any group would mislead.
        return Verdict::CannotTell { among: Vec::new(), why };
    }
    if among.len() > 1 {
        let log_likelihood = |c: &ScoredCandidate| c.fit.log_likelihood;
        let same = |c: &ScoredCandidate| (log_likelihood(best) - log_likelihood(c)).abs() < thresholds.same;
        // Another capture may distinguish them; nothing else in this one will.
        let why = if scored.iter().any(|c| group(c) != group(best) && same(c)) {
            "two of them would have armed the same timers here"
        } else {
            "their timeouts are as likely here"
        };
        return Verdict::CannotTell { among, why: why.to_owned() };
    }
    identified(best, scored, thresholds)
}

/// The groups that likelihood ratios do not rule out, the likeliest first.
fn not_ruled_out(best: &ScoredCandidate, scored: &[ScoredCandidate], thresholds: &Thresholds) -> Vec<&'static str> {
    let mut among: Vec<&'static str> = Vec::new();
    for c in scored {
        let (likelihood, score) = (best.fit.log_likelihood - c.fit.log_likelihood, best.score - c.score);
        let fitted_more = best.candidate.params.len().saturating_sub(c.candidate.params.len());
        let clear = thresholds.unlikely + thresholds.per_fitted * fitted_more as f64;
        let ruled_out = (likelihood >= clear && score >= clear) || score >= thresholds.contrived.max(clear);
        if !ruled_out && !among.contains(&group(c)) {
            among.push(group(c));
        }
    }
    among
}

/// The claim of the group of `best`, with its presets that are not ruled out.
fn identified(best: &ScoredCandidate, scored: &[ScoredCandidate], thresholds: &Thresholds) -> Verdict {
    let family = group(best);
    let mut presets: Vec<&'static str> = Vec::new();
    for c in scored.iter().filter(|c| group(c) == family && best.score - c.score < thresholds.unlikely) {
        if !presets.contains(&c.candidate.spec.id) {
            presets.push(c.candidate.spec.id);
        }
    }
    let of_family = scored.iter().zip(probabilities(scored)).filter(|(c, _)| group(c) == family);
    let confidence: f64 = of_family.map(|(_, p)| p).sum();
    // A sum of rounded shares may exceed one in its last digits.
    Verdict::Identified { family, presets, confidence: confidence.min(1.0) }
}
