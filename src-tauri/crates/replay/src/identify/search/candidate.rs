//! Candidates: presets with perhaps changed parameters and assumed circumstances of the sender.

use crate::identify::likelihood::fit::Fit;
use base::Span;
use rto::{AlgorithmSpec, ParamValue};
use serde_json::{Map, Value};

/// An algorithm that may have been running.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Candidate {
    /// The preset.
    pub spec: &'static AlgorithmSpec,
    /// Parameters that differ from the preset's.
    pub params: Map<String, Value>,
    /// The estimator had settled before the capture began.
    pub settled: bool,
    /// The time from the sending of a copy, as the estimator knows it, to its transmission on the air.
    pub delay: Span,
}

/// A candidate and how well it explains the observations.
#[derive(Clone, Debug)]
pub(crate) struct ScoredCandidate {
    /// The candidate.
    pub candidate: Candidate,
    /// The fit to the observations.
    pub fit: Fit,
    /// The log-likelihood less the penalty for the candidate's freedoms: a penalised log-likelihood as in BIC (Schwarz,
    /// Ann. Stat. 6, 1978).
    pub score: f64,
}

/// Sorts by descending score; the sort is stable, so ties keep the order of the registry.
pub(crate) fn sort_by_score(candidates: &mut [ScoredCandidate]) {
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
}

/// The value of a parameter as JSON.
pub(crate) fn as_json(value: &ParamValue) -> Value {
    match value {
        ParamValue::Number(number) => Value::from(*number),
        ParamValue::Text(text) => Value::from(text.clone()),
    }
}
