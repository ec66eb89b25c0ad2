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
mod timeouts;
mod verdict;

pub use timeouts::Timeout;
pub use verdict::Verdict;

use crate::record::Record;
use base::{AssociationId, Cancelled, Progress, Span};
use fit::Fit;
use observe::Observed;
use search::{Case, Judged};
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

/// A client with fewer gaps is not searched on its own.
const ALONE: usize = 10;

/// Finds out which algorithm was running.
///
/// # Errors
/// [`Cancelled`] when `progress` asks to stop.
pub fn identify(record: &Record, clues: &Clues, progress: &mut dyn Progress) -> Result<Identification, Cancelled> {
    let wanted = |id: AssociationId| clues.only.is_empty() || clues.only.contains(&id);
    let associations: Vec<_> = record.associations().iter().filter(|a| wanted(a.id)).collect();
    let observed: Vec<Observed> = associations.iter().map(|a| Observed::of(a)).collect();
    let all: Vec<&Observed> = observed.iter().collect();
    let pooled = timeouts::noise(&all);
    let together = Case::new(all, clues.marked, pooled);
    let judged = together.investigate(progress)?;
    let trace = rank(&judged, together.gaps, None);
    let mut clients = Vec::new();
    for (index, one) in observed.iter().enumerate() {
        let mut ranking = if observed.len() == 1 { trace.clone() } else { rank(&judged, one.gaps(), Some(index)) };
        // What is best for all together may suit none: clients of different kinds.
        if unlike(&ranking, &trace) && observed.len() > 1 && one.gaps() >= ALONE {
            let alone = Case::new(vec![one], clues.marked, pooled);
            ranking = rank(&alone.investigate(progress)?, alone.gaps, None);
        }
        clients.push((one.id, ranking));
    }
    let timeouts = associations
        .iter()
        .zip(&observed)
        .flat_map(|(association, one)| timeouts::timeouts(association, one, timeouts::noise(&[one]).or(pooled)))
        .collect();
    Ok(Identification { trace, clients, timeouts })
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

/// The ranking of `judged` on all that was seen, or on what one association shows.
fn rank(judged: &[Judged], gaps: usize, association: Option<usize>) -> Ranking {
    let mut all: Vec<(&Judged, Exhibit<'_>)> = judged.iter().map(|j| (j, exhibit(j, association))).collect();
    all.sort_by(|(_, a), (_, b)| b.score.total_cmp(&a.score));
    let (judged, exhibits): (Vec<&Judged>, Vec<Exhibit<'_>>) = all.into_iter().unzip();
    let best = exhibits.first().map_or(0.0, |e| e.score);
    let span = |secs: f64| Span::from_secs_f64(secs).unwrap_or(Span::ZERO);
    let candidates =
        judged.iter().zip(&exhibits).zip(verdict::probabilities(&exhibits)).map(|((j, e), probability)| Candidate {
            id: e.id,
            family: lineage::lineage(e.family),
            params: j.suspect.params.clone(),
            settled: j.suspect.settled,
            log_likelihood: e.fit.log_likelihood,
            behind: best - e.score,
            probability,
            first_error: span(e.fit.fresh.0),
            step_error: span(e.fit.step.0),
        });
    Ranking { verdict: verdict::verdict(&exhibits, gaps), gaps, candidates: candidates.collect() }
}

/// What `judged` says of all that was seen, or of what one association shows.
fn exhibit(judged: &Judged, association: Option<usize>) -> Exhibit<'_> {
    let own = |at: usize| association.is_none_or(|one| one == at);
    let seen = judged.sightings.iter().enumerate().filter(|(at, _)| own(*at));
    let sightings: Vec<_> = seen.flat_map(|(_, sightings)| sightings).collect();
    let fit = if association.is_some() { Fit::of(sightings.iter().copied()) } else { judged.fit };
    let cost = judged.fit.log_likelihood - judged.score;
    let spec = judged.suspect.spec;
    Exhibit { id: spec.id, family: spec.family, fit, score: fit.log_likelihood - cost, sightings }
}
