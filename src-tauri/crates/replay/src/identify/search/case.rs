//! A case: what the associations of one sender, or of senders taken to be alike, show together, and the score of a
//! candidate on it.

use crate::identify::algorithm_group::is_ablation;
use crate::identify::drive::{Sender, drive};
use crate::identify::likelihood::fit::Fit;
use crate::identify::likelihood::observation::Observation;
use crate::identify::likelihood::timing_error::Seconds;
use crate::identify::observed::ObservedAssociation;
use crate::identify::search::candidate::{Candidate, ScoredCandidate};
use crate::identify::search::parameters::description_length;
use crate::identify::slots;
use crate::identify::timeouts::noise;
use base::Span;
use serde_json::Value;

/// Associations of one sender, or of senders taken to be alike, and facts about all of them.
pub(crate) struct Case<'a> {
    /// Associations as observed, in the order of the record.
    pub observed: Vec<&'a ObservedAssociation>,
    /// Whether copies carry an attempt number on the wire; `None`: not looked for.
    pub marked: Option<bool>,
    /// Number of gaps between copies.
    pub gaps: usize,
    /// Estimated delay of a copy before it is on the air: the scale of the error of gaps.
    pub delay: Span,
    /// Distance between slots in seconds; `None` where copies do not leave in slots.
    pub slot: Option<Seconds>,
}

/// Odds against an algorithm that needs attempt numbers on the wire where there are none, or the reverse. Chosen here
/// by judgement: near certainty, for an option may be lost to a proxy.
const MARKS: f64 = 1e4;
/// Prior odds against a preset that is not in use: a reading of what was never published, or an ablation. Chosen here
/// by judgement: no experiment decides it; 4.6 nats, which a few gaps that fit better outweigh; it decides which of
/// two presets is named that fit alike. `cargo test --release -p replay --test identify_runs -- --nocapture` scores
/// the names.
const UNUSED: f64 = 100.0;

impl<'a> Case<'a> {
    /// Case of `observed`; `fallback` is the scale of the error of gaps where too few gaps tell it.
    pub fn new(observed: Vec<&'a ObservedAssociation>, marked: Option<bool>, fallback: Option<Span>) -> Self {
        let gaps = observed.iter().map(|o| o.gaps()).sum();
        let delay = noise(&observed).or(fallback).unwrap_or(Span::ZERO);
        let slot = slots::slot(&observed);
        Self { observed, marked, gaps, delay, slot }
    }

    /// Observations of each association under `candidate`; `None` if its estimator cannot be built.
    pub fn observations(&self, candidate: &Candidate) -> Option<Vec<Vec<Observation>>> {
        self.observed.iter().map(|observed| observations(candidate, observed)).collect()
    }

    /// Scores `candidate` on all associations; `None` if its estimator cannot be built.
    pub fn score(&self, candidate: Candidate) -> Option<ScoredCandidate> {
        let fit = Fit::of(self.observations(&candidate)?.iter().flatten(), self.slot);
        Some(self.scored(candidate, fit))
    }

    /// Scores `candidate` on `observed` alone, with this case's penalties. A candidate whose estimator cannot be built
    /// has no observations.
    pub fn score_alone(&self, candidate: &Candidate, observed: &ObservedAssociation) -> ScoredCandidate {
        let fit = Fit::of(observations(candidate, observed).unwrap_or_default().iter(), self.slot);
        self.scored(candidate.clone(), fit)
    }

    fn scored(&self, candidate: Candidate, fit: Fit) -> ScoredCandidate {
        ScoredCandidate { score: fit.log_likelihood - self.penalty(&candidate), fit, candidate }
    }

    /// The penalty of one free parameter, ½ ln n for n gaps (Schwarz, Ann. Stat. 6, 1978).
    fn bic_penalty(&self) -> f64 {
        0.5 * (self.gaps.max(2) as f64).ln()
    }

    /// The penalty, in nats, for the freedoms of `candidate` and for what speaks against it before any timer is seen.
    fn penalty(&self, candidate: &Candidate) -> f64 {
        let contradicts = self.marked.is_some_and(|marked| marked != candidate.spec.marks_attempts);
        let unused = candidate.spec.rank == rto::Rank::C || is_ablation(candidate.spec.id);
        description_length(candidate.spec, &candidate.params)
            + if candidate.settled { self.bic_penalty() } else { 0.0 }
            + if contradicts { MARKS.ln() } else { 0.0 }
            + if unused { UNUSED.ln() } else { 0.0 }
    }

    /// Low quantiles (0, 2, 5, 10, 25 and 50 %) of the first gaps in seconds, rounded to 50 ms; zeros are left out. A
    /// constant that is dithered upwards may begin there.
    pub fn first_gaps(&self) -> Vec<f64> {
        let exchanges = || self.observed.iter().flat_map(|o| &o.exchanges);
        let mut gaps: Vec<f64> = exchanges()
            .filter(|e| e.late > 1)
            .filter_map(|e| Some((*e.copies.get(1)? - *e.copies.first()?).secs_f64()))
            .collect();
        gaps.sort_unstable_by(f64::total_cmp);
        let quantile = |percent: usize| gaps.get(gaps.len() * percent / 100).copied();
        [0, 2, 5, 10, 25, 50]
            .into_iter()
            .filter_map(quantile)
            .map(|gap| (gap * 20.0).round() / 20.0)
            .filter(|&gap| gap > 0.0)
            .collect()
    }
}

/// Observations of one association under `candidate`, in order of the copies; `None` if its estimator cannot be built.
pub(crate) fn observations(candidate: &Candidate, observed: &ObservedAssociation) -> Option<Vec<Observation>> {
    let spec = candidate.spec;
    let estimator = rto::build(spec.id, &Value::Object(candidate.params.clone())).ok()?;
    let sender = Sender { marks: spec.marks_attempts, settled: candidate.settled, delay: candidate.delay };
    let mut seen = Vec::new();
    drive(estimator, sender, observed, &mut seen);
    Some(seen)
}
