//! Which algorithm was running?
//!
//! Every preset of the registry is taken through what each client lived: its exchanges, the replies it got, the
//! time that passed. At every copy it is asked which timeouts it could have armed, its dither going from end to end, and
//! that is compared with the gap to the next copy, or with how long there was none. The sum over a capture is a
//! likelihood; parameters that people change are changed where that pays.
//!
//! What is claimed is less than what is likeliest: families that explain the capture as well are named together
//! ([`Verdict::CannotTell`]), and where a description without any algorithm does better than the best of them, none
//! is claimed ([`Verdict::NoneFits`]).
//!
//! Not known, and thus allowed for: how long a copy waited before it was on the air, the draws, whether a client had
//! run before the capture began.

mod drive;
mod fit;
mod law;
mod lineage;
mod observe;
mod search;
mod slots;
mod timeouts;
mod verdict;

pub use timeouts::Timeout;
pub use verdict::Verdict;

use crate::model::Record;
use base::{AssociationId, Cancelled, Progress, Span};
use drive::{Glimpse, Sighting};
use fit::Fit;
use observe::Observed;
use rayon::prelude::*;
use search::{Case, Judged, Suspect};
use serde_json::{Map, Value};
use trace::Trace;
use verdict::Exhibit;

/// What was found out.
#[derive(Clone, Debug, PartialEq)]
pub struct Identification {
    /// All clients together, as if they ran the same algorithm.
    pub trace: Ranking,
    /// Each client.
    pub clients: Vec<(AssociationId, Ranking)>,
    /// The timeouts that ran out, in order of association and exchange.
    pub timeouts: Vec<Timeout>,
}

/// The algorithms by likelihood.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    /// What may be claimed.
    pub verdict: Verdict,
    /// Gaps between copies that it rests on.
    pub gaps: usize,
    /// Every preset, and changed ones that are likelier, the likeliest first.
    pub candidates: Vec<Candidate>,
    /// Gaps as they were seen, and what the likeliest would have armed; in order of client and time, of very many every
    /// other or fewer.
    pub evidence: Vec<Gap>,
}

/// A gap between copies, beside what an algorithm would have armed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// As it was seen.
    pub seen: Span,
    /// The shortest timeout that the algorithm could have drawn.
    pub shortest: Span,
    /// The longest.
    pub longest: Span,
}

/// An algorithm that may have been running.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The preset.
    pub id: &'static str,
    /// Its family, as people speak of it.
    pub family: &'static str,
    /// Parameters that differ from the preset's, in natural units.
    pub params: Map<String, Value>,
    /// It had settled before the capture began.
    pub settled: bool,
    /// Natural logarithm of the likelihood of the capture, times in seconds.
    pub log_likelihood: f64,
    /// How far it is behind the likeliest: in natural logarithms of odds, what its freedoms cost included.
    pub behind: f64,
    /// Its probability among those that are known.
    pub probability: f64,
    /// The error of first timeouts: the timer's and the state's.
    pub first_error: Span,
    /// The error of backed-off timeouts.
    pub step_error: Span,
}

/// How much may be known beside the record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clues {
    /// Whether retransmissions name themselves on the wire (RC option); `None` where that was not looked for.
    pub marked: Option<bool>,
    /// Only these associations; empty for all.
    pub only: Vec<AssociationId>,
}

impl Clues {
    /// What `trace` tells beside its record: whether any copy carries the retransmission-count option, where there are
    /// retransmissions to carry it.
    #[must_use]
    pub fn of(trace: &Trace) -> Self {
        let again = trace.exchanges.iter().flat_map(|e| e.copies.iter().skip(1));
        let mut marks = again.filter_map(|copy| trace.messages.get(copy.message.index())).map(|m| m.rc.is_some());
        let first = marks.next();
        Self { marked: first.map(|first| first || marks.any(|marked| marked)), only: Vec::new() }
    }
}

/// The family of preset `id` as verdicts name it; `None` for a preset that the registry does not have.
#[must_use]
pub fn family(id: &str) -> Option<&'static str> {
    rto::spec(id).map(|spec| lineage::lineage(spec.family))
}

/// As many exchanges are enough to tell, in all; the first ones of each association.
const MOST: usize = 50_000;
/// As many of each association at least.
const LEAST: usize = 200;
/// A client with fewer gaps is not searched on its own.
const ALONE: usize = 10;

/// Finds out which algorithm was running.
///
/// # Errors
/// [`Cancelled`] when `progress` asks to stop.
pub fn identify(record: &Record, clues: &Clues, progress: &mut dyn Progress) -> Result<Identification, Cancelled> {
    let wanted = |id: AssociationId| clues.only.is_empty() || clues.only.contains(&id);
    let associations: Vec<_> = record.associations().iter().filter(|a| wanted(a.id)).collect();
    let share = (MOST / associations.len().max(1)).max(LEAST);
    let observed: Vec<Observed> = associations.iter().map(|a| Observed::of(a, share)).collect();
    let all: Vec<&Observed> = observed.iter().collect();
    let noise = timeouts::noise(&all);
    let together = Case::new(all, clues.marked, noise);
    let (trace, mut rankings) = rank(&together, &together.investigate(progress)?);
    if let [one] = &mut rankings[..] {
        *one = trace.clone();
    } else {
        for (one, ranking) in observed.iter().zip(&mut rankings) {
            // What is best for all together may suit none: clients of different kinds.
            if unlike(ranking, &trace) && one.gaps() >= ALONE {
                let alone = Case::new(vec![one], clues.marked, noise);
                *ranking = rank(&alone, &alone.investigate(progress)?).0;
            }
        }
    }
    let timeouts = associations.iter().flat_map(|association| {
        let whole = Observed::of(association, usize::MAX);
        timeouts::timeouts(association, &whole, timeouts::noise(&[&whole]).or(noise))
    });
    let timeouts = timeouts.collect();
    Ok(Identification { trace, clients: observed.iter().map(|o| o.id).zip(rankings).collect(), timeouts })
}

/// Nothing that was tried for all together fits this client, and it is not that it shows little of what all show.
fn unlike(client: &Ranking, trace: &Ranking) -> bool {
    let nearest = client.candidates.first().map(|c| c.family);
    let of_all = match &trace.verdict {
        Verdict::Identified { family, .. } => Some(*family),
        Verdict::CannotTell { .. } | Verdict::NoneFits { .. } => None,
    };
    matches!(client.verdict, Verdict::NoneFits { .. }) && (of_all.is_none() || nearest != of_all)
}

/// The ranking of `judged` on all that was seen, and on what each association shows.
fn rank(case: &Case<'_>, judged: &[Judged]) -> (Ranking, Vec<Ranking>) {
    let exhibit = |j: &Judged, fit: Fit| {
        let score = fit.log_likelihood - case.cost(&j.suspect);
        let changes = j.suspect.params.len();
        Exhibit { id: j.suspect.spec.id, family: j.suspect.spec.family, fit, score, changes }
    };
    let together = judged.iter().map(|j| (j, exhibit(j, j.fit))).collect();
    let seen = |suspect: &Suspect| case.sightings(suspect).unwrap_or_default().into_iter().flatten().collect();
    let all = ranking(together, case.gaps, case.slot, seen);
    let each = case.observed.par_iter().map(|observed| {
        let fit = |j: &Judged| Fit::of(search::sightings(&j.suspect, observed).unwrap_or_default().iter(), case.slot);
        let alone = judged.iter().map(|j| (j, exhibit(j, fit(j)))).collect();
        ranking(alone, observed.gaps(), case.slot, |suspect| search::sightings(suspect, observed).unwrap_or_default())
    });
    (all, each.collect())
}

/// The ranking of `exhibits`; `seen` tells what a suspect sees.
fn ranking(
    mut exhibits: Vec<(&Judged, Exhibit)>,
    gaps: usize,
    slot: Option<f64>,
    seen: impl Fn(&Suspect) -> Vec<Sighting>,
) -> Ranking {
    exhibits.sort_by(|(_, a), (_, b)| b.score.total_cmp(&a.score));
    let (judged, exhibits): (Vec<&Judged>, Vec<Exhibit>) = exhibits.into_iter().unzip();
    let best = exhibits.first().map_or(0.0, |e| e.score);
    let sightings = judged.first().map(|j| seen(&j.suspect)).unwrap_or_default();
    let span = |secs: f64| Span::from_secs_f64(secs).unwrap_or(Span::ZERO);
    let all = judged.iter().zip(&exhibits).zip(verdict::probabilities(&exhibits));
    let candidates = all.map(|((j, e), probability)| Candidate {
        id: e.id,
        family: lineage::lineage(e.family),
        params: j.suspect.params.clone(),
        settled: j.suspect.settled,
        log_likelihood: e.fit.log_likelihood,
        behind: best - e.score,
        probability,
        first_error: span(e.fit.fresh.size()),
        step_error: span(e.fit.step.size()),
    });
    let candidates = candidates.collect();
    Ranking {
        verdict: verdict::verdict(&exhibits, gaps, &sightings, slot),
        gaps,
        candidates,
        evidence: evidence(&sightings),
    }
}

/// As many gaps can be looked at.
const EVIDENCE: usize = 1_000;

/// The gaps of `sightings` beside what was expected.
fn evidence(sightings: &[Sighting]) -> Vec<Gap> {
    let span = |secs: f64| Span::from_secs_f64(secs).unwrap_or(Span::MAX);
    let gap = |s: &Sighting| match s.seen {
        Glimpse::Gap(seen) => {
            Some(Gap { seen: span(seen), shortest: span(s.law.shortest()), longest: span(s.law.longest()) })
        }
        Glimpse::Longer(_) | Glimpse::Shorter(_) => None,
    };
    let gaps: Vec<Gap> = sightings.iter().filter_map(gap).collect();
    gaps.iter().step_by(gaps.len().div_ceil(EVIDENCE).max(1)).copied().collect()
}
