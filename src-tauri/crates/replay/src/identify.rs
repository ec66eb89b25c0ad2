//! Identification of the algorithm that a capture's clients ran.
//!
//! Every preset of the registry is driven through the events of each client: its exchanges, their replies, the time
//! that passed ([`drive`]). At every copy its estimator gives the distribution of timeouts that it could arm, over its
//! dither. The observed gap to the next copy, or a censored one, has a likelihood under that distribution and a model
//! of timing errors ([`fit`]). The sum of log-likelihoods over a capture scores the preset; parameters that people
//! change are searched where that pays ([`search`]).
//!
//! The claim is weaker than the maximum of the likelihood. Algorithm groups that explain the capture as well are named
//! together ([`Verdict::CannotTell`]). Where a description without any algorithm does better than the best of them,
//! none is claimed ([`Verdict::NoneFits`]).
//!
//! Unknown, and thus part of the model: the wait of a copy before it is on the air, the dither, and the state of the
//! estimator when the capture began.
//!
//! ```text
//! observed ─► drive ─► observation ─► fit ─► case (score) ─► search ─► verdict
//! ```

mod algorithm_group;
mod drive;
mod likelihood;
mod observed;
mod search;
mod slots;
#[cfg(test)]
mod sweep;
mod timeouts;
mod verdict;

pub use timeouts::Timeout;
pub use verdict::Verdict;

use crate::model::{AssociationRecord, Record};
use base::{AssociationId, Cancelled, Progress, Span};
use likelihood::observation::Observation;
use likelihood::timing_error::Seconds;
use observed::ObservedAssociation;
use rayon::prelude::*;
use search::Search;
use search::candidate::{Candidate, ScoredCandidate, sort_by_score};
use search::case::{Case, observations};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use trace::Trace;
use verdict::Thresholds;

/// Result of an identification.
#[derive(Clone, Debug, PartialEq)]
pub struct Identification {
    /// Ranking for all clients together, as if they ran the same algorithm.
    pub trace: Ranking,
    /// Ranking for each client, in the order of the record.
    pub clients: Vec<(AssociationId, Ranking)>,
    /// Timeouts that ran out, in order of association and exchange.
    pub timeouts: Vec<Timeout>,
}

/// Algorithms ranked by penalised likelihood, and the claim that follows.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    /// Claim about the algorithm that ran.
    pub verdict: Verdict,
    /// Number of gaps between copies that were looked at.
    pub gaps: usize,
    /// Every preset, and changed ones that are likelier, in descending order of score (log-likelihood less its costs).
    pub candidates: Vec<RankedCandidate>,
    /// Observed gaps beside the timeouts of the likeliest candidate, in order of client and time; at most a thousand,
    /// evenly thinned.
    pub evidence: Vec<Gap>,
}

impl Ranking {
    /// Whether no known algorithm fits.
    fn is_of_none(&self) -> bool {
        matches!(self.verdict, Verdict::NoneFits { .. })
    }
}

/// A gap between two copies, beside the timeouts that an algorithm could have armed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Gap {
    /// Gap as the capture shows it.
    pub seen: Span,
    /// Shortest timeout that the algorithm could have drawn.
    pub shortest: Span,
    /// Longest timeout that the algorithm could have drawn.
    pub longest: Span,
}

/// An algorithm that may have been running, as ranked.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedCandidate {
    /// Identifier of the preset.
    pub id: &'static str,
    /// Algorithm group of the preset ([`family`]).
    pub family: &'static str,
    /// Parameters that differ from the preset's, in natural units.
    pub params: Map<String, Value>,
    /// Whether its estimator is taken to have settled before the capture began.
    pub settled: bool,
    /// Natural logarithm of the likelihood of the capture (a density, with times in seconds).
    pub log_likelihood: f64,
    /// Lag behind the best candidate in penalised log-likelihood, in nats; at least 0.
    pub behind: f64,
    /// Posterior probability among the candidates, 0 to 1, tempered because neighbouring gaps share errors.
    pub probability: f64,
    /// Scale of the error of first timeouts: the timer's and the state's together.
    pub first_error: Span,
    /// Scale of the error of backed-off timeouts.
    pub step_error: Span,
}

/// Facts and choices beside the record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clues {
    /// Whether retransmissions carry their number on the wire (RC option); `None` where that was not looked for.
    pub marked: Option<bool>,
    /// Associations to look at; empty for all.
    pub only: Vec<AssociationId>,
}

impl Clues {
    /// Reads from `trace` whether any retransmission carries the retransmission-count option; unknown without
    /// retransmissions.
    #[must_use]
    pub fn of(trace: &Trace) -> Self {
        let again = trace.exchanges.iter().flat_map(|e| e.copies.iter().skip(1));
        let mut marks = again.filter_map(|copy| trace.messages.get(copy.message.index())).map(|m| m.rc.is_some());
        let first = marks.next();
        Self { marked: first.map(|first| first || marks.any(|marked| marked)), only: Vec::new() }
    }
}

/// Algorithm group of preset `id`, as verdicts name it; `None` for a preset that the registry does not have.
#[must_use]
pub fn family(id: &str) -> Option<&'static str> {
    rto::spec(id).map(|spec| algorithm_group::algorithm_group(spec.family))
}

/// Greatest number of exchanges looked at, over all associations; the first ones of each. Chosen here for speed.
const MOST: usize = 50_000;
/// Number of exchanges looked at of each association even where that exceeds [`MOST`] in all, that is from 251
/// associations on. Chosen here by judgement: no experiment decides it; fewer may not settle the verdict on a client
/// alone.
const LEAST: usize = 200;
/// Least number of gaps of a client for a search on its own. Chosen here by judgement: twice the least for a claim.
const ALONE: usize = 10;

/// Identifier of a preset, and its parameters that differ from those as published, in natural units.
pub type Likeliest = (&'static str, Map<String, Value>);

/// Number of groups of which the quick form searches parameters. Chosen here: on every bundled capture of a mesh it
/// names a group that the whole search leaves (`replay/tests/trust.rs`), in a fifth of the time.
const QUICK_GROUPS: usize = 3;
/// Number of exchanges of each client that the quick form looks at, the first ones. Chosen here: as many as any client
/// of `../shared/cooja` has, so that those runs are looked at whole; of 300 another timer than the one that ran is
/// found in two of them (`mrm3x3-b2b/rc-seed1` and `-seed2`: `rtoscope trust`).
const QUICK_EXCHANGES: usize = 1_200;

/// Finds in a quick form of [`identify`] the algorithm that all clients together most likely ran, with its parameters;
/// `None` where no known one fits. Parameters are searched in the likeliest groups first, and in the others only where
/// none of those fits.
///
/// # Errors
/// [`Cancelled`] when `progress` asks to stop.
pub fn likeliest(record: &Record, clues: &Clues, progress: &mut dyn Progress) -> Result<Option<Likeliest>, Cancelled> {
    let associations = wanted(record, clues);
    let observed = observed(&associations, QUICK_EXCHANGES);
    let all: Vec<&ObservedAssociation> = observed.iter().collect();
    let noise = timeouts::noise(&all);
    let case = Case::new(all, clues.marked, noise);
    let mut search = Search::begin(&case, progress)?;
    search.improve_best(QUICK_GROUPS, progress)?;
    if ranking(&case, search.scored.clone(), None).is_of_none() {
        search.improve_all(progress)?;
        if ranking(&case, search.scored.clone(), None).is_of_none() {
            return Ok(None);
        }
    }
    Ok(search.scored.into_iter().next().map(|best| (best.candidate.spec.id, best.candidate.params)))
}

/// The associations that `clues` ask for.
fn wanted<'a>(record: &'a Record, clues: &Clues) -> Vec<&'a AssociationRecord> {
    let is_wanted = |id: AssociationId| clues.only.is_empty() || clues.only.contains(&id);
    record.associations().iter().filter(|a| is_wanted(a.id)).collect()
}

/// Observations of each: its first `most` exchanges, and of all together about [`MOST`].
fn observed(associations: &[&AssociationRecord], most: usize) -> Vec<ObservedAssociation> {
    let share = (MOST / associations.len().max(1)).max(LEAST).min(most);
    associations.iter().map(|a| ObservedAssociation::of(a, share)).collect()
}

/// Identifies the algorithm of the clients of `record`, for all together and for each.
///
/// # Errors
/// [`Cancelled`] when `progress` asks to stop.
pub fn identify(record: &Record, clues: &Clues, progress: &mut dyn Progress) -> Result<Identification, Cancelled> {
    let associations = wanted(record, clues);
    let observed = observed(&associations, MOST);
    let all: Vec<&ObservedAssociation> = observed.iter().collect();
    let noise = timeouts::noise(&all);
    let together = Case::new(all, clues.marked, noise);
    let scored = together.search(progress)?;
    let trace = ranking(&together, scored.clone(), None);
    let mut rankings: Vec<Ranking> = if observed.len() == 1 {
        vec![trace.clone()]
    } else {
        let alone = |one: &&ObservedAssociation| {
            let scored = scored.iter().map(|c| together.score_alone(&c.candidate, one)).collect();
            ranking(&together, scored, Some(one))
        };
        together.observed.par_iter().map(alone).collect()
    };
    if observed.len() > 1 {
        for (one, ranking_of_one) in observed.iter().zip(&mut rankings) {
            // The best candidate for all together may suit none where clients run different algorithms.
            if differs(ranking_of_one, &trace) && one.gaps() >= ALONE {
                let alone = Case::new(vec![one], clues.marked, noise);
                *ranking_of_one = ranking(&alone, alone.search(progress)?, None);
            }
        }
    }
    let timeouts = associations.iter().flat_map(|association| {
        let whole = ObservedAssociation::of(association, usize::MAX);
        timeouts::timeouts(association, &whole, timeouts::noise(&[&whole]).or(noise))
    });
    let timeouts = timeouts.collect();
    Ok(Identification { trace, clients: observed.iter().map(|o| o.id).zip(rankings).collect(), timeouts })
}

/// Estimates the timeouts that ran out between copies, each with its error, without asking which algorithm armed them.
/// In order of association and exchange; timers after a last copy are left out.
#[must_use]
pub fn gap_timeouts(record: &Record) -> Vec<Timeout> {
    let again = |association: &&AssociationRecord| association.exchanges.iter().any(|e| e.copies.len() > 1);
    let associations: Vec<&AssociationRecord> = record.associations().iter().filter(again).collect();
    let observed: Vec<ObservedAssociation> =
        associations.iter().map(|association| ObservedAssociation::of(association, usize::MAX)).collect();
    let noise = timeouts::noise(&observed.iter().collect::<Vec<_>>());
    let of = |(association, observed): (&&AssociationRecord, &ObservedAssociation)| {
        timeouts::timeouts(association, observed, timeouts::noise(&[observed]).or(noise))
    };
    associations.iter().zip(&observed).flat_map(of).filter(|timeout| !timeout.last).collect()
}

/// Whether no candidate fits this client and its likeliest group is not the one identified for all.
fn differs(client: &Ranking, trace: &Ranking) -> bool {
    let nearest = client.candidates.first().map(|c| c.family);
    let of_all = match &trace.verdict {
        Verdict::Identified { family, .. } => Some(*family),
        Verdict::CannotTell { .. } | Verdict::NoneFits { .. } => None,
    };
    client.is_of_none() && (of_all.is_none() || nearest != of_all)
}

/// The ranking of `scored` on all of `case`, or on `one` association of it.
fn ranking(case: &Case<'_>, mut scored: Vec<ScoredCandidate>, one: Option<&ObservedAssociation>) -> Ranking {
    sort_by_score(&mut scored);
    let best = scored.first().map_or(0.0, |c| c.score);
    let of = |candidate: &Candidate| match one {
        Some(one) => observations(candidate, one).unwrap_or_default(),
        None => case.observations(candidate).unwrap_or_default().into_iter().flatten().collect(),
    };
    let observations: Vec<Observation> = scored.first().map(|c| of(&c.candidate)).unwrap_or_default();
    let gaps = one.map_or(case.gaps, ObservedAssociation::gaps);
    let span = |secs: Seconds| Span::from_secs_f64(secs).unwrap_or(Span::ZERO);
    let candidates = scored.iter().zip(verdict::probabilities(&scored)).map(|(c, probability)| RankedCandidate {
        id: c.candidate.spec.id,
        family: algorithm_group::algorithm_group(c.candidate.spec.family),
        params: c.candidate.params.clone(),
        settled: c.candidate.settled,
        log_likelihood: c.fit.log_likelihood,
        behind: best - c.score,
        probability,
        first_error: span(c.fit.fresh.equivalent_scale()),
        step_error: span(c.fit.step.equivalent_scale()),
    });
    Ranking {
        candidates: candidates.collect(),
        verdict: verdict::verdict(&scored, gaps, &observations, case.slot, &Thresholds::DEFAULT),
        gaps,
        evidence: evidence(&observations),
    }
}

/// Greatest number of gaps in [`Ranking::evidence`]. Chosen here: as many as a plot can show.
const EVIDENCE: usize = 1_000;

/// The gaps of `observations` beside the timeouts expected.
fn evidence(observations: &[Observation]) -> Vec<Gap> {
    let span = |secs: Seconds| Span::from_secs_f64(secs).unwrap_or(Span::MAX);
    let gap = |o: &Observation| {
        let (shortest, longest) = (o.distribution.shortest(), o.distribution.longest());
        o.gap().map(|seen| Gap { seen: span(seen), shortest: span(shortest), longest: span(longest) })
    };
    let gaps: Vec<Gap> = observations.iter().filter_map(gap).collect();
    gaps.iter().step_by(gaps.len().div_ceil(EVIDENCE).max(1)).copied().collect()
}
