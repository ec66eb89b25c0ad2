//! Candidates: presets with perhaps changed parameters and assumed circumstances of the sender.

use crate::identify::likelihood::fit::Fit;
use base::Span;
use rto::{AlgorithmSpec, ParamValue};
use serde_json::{Map, Value};

/// An algorithm that may have been running.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Candidate {
    /// Preset of the registry.
    pub spec: &'static AlgorithmSpec,
    /// Parameters that differ from the preset's, in natural units.
    pub params: Map<String, Value>,
    /// Whether the estimator had settled before the capture began.
    pub settled: bool,
    /// Time from the sending of a copy, as the estimator knows it, to its transmission on the air.
    pub delay: Span,
}

/// A candidate with its fit and its score.
#[derive(Clone, Debug)]
pub(crate) struct ScoredCandidate {
    /// Algorithm, its parameters and circumstances.
    pub candidate: Candidate,
    /// Fit to the observations.
    pub fit: Fit,
    /// Log-likelihood less the penalty for the candidate's freedoms, in nats: a penalised log-likelihood as in BIC
    /// (Schwarz, Ann. Stat. 6, 1978).
    pub score: f64,
}

/// Sorts by descending score; ties keep the order of the registry (the sort is stable).
pub(crate) fn sort_by_score(candidates: &mut [ScoredCandidate]) {
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
}

/// Value of a parameter as JSON, in its natural unit.
pub(crate) fn as_json(value: &ParamValue) -> Value {
    match value {
        ParamValue::Number(number) => Value::from(*number),
        ParamValue::Text(text) => Value::from(text.clone()),
    }
}
