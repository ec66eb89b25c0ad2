//! The search space: values of parameters that people run, the circumstances of a sender, and the cost of naming them.

use crate::identify::search::candidate::{Candidate, as_json};
use base::Span;
use rto::{AlgorithmSpec, ParamSpec, Unit};
use serde_json::{Map, Value};

/// Penalty, in nats, of a changed parameter besides naming it: presets are what people publish and run. Chosen here by
/// judgement; repeat with `cargo test --release -p replay --test identify_runs -- --nocapture`.
const CHANGE: f64 = 1.0;

/// A new value for one part of a candidate.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    /// Parameter by name, and its new value as JSON in its natural unit.
    Param(&'static str, Value),
    /// New value of [`Candidate::delay`].
    Delay(Span),
    /// New value of [`Candidate::settled`].
    Settled(bool),
}

impl Change {
    /// Returns `candidate` with this change; `None` where it has that value already, or no such parameter.
    pub fn applied(&self, candidate: &Candidate) -> Option<Candidate> {
        let mut changed = candidate.clone();
        match self {
            Self::Param(name, value) => {
                let spec = candidate.spec.params.iter().find(|p| p.name == *name)?;
                if as_json(&spec.default) == *value {
                    changed.params.remove(*name);
                } else {
                    changed.params.insert((*name).to_owned(), value.clone());
                }
            }
            Self::Delay(delay) => changed.delay = *delay,
            Self::Settled(settled) => changed.settled = *settled,
        }
        (changed != *candidate).then_some(changed)
    }
}

/// Description length, in nats, of `params` given the preset (Rissanen, Automatica 14, 1978): per changed parameter
/// ln(number of parameters) + ln(number of other values) + [`CHANGE`].
pub(crate) fn description_length(spec: &AlgorithmSpec, params: &Map<String, Value>) -> f64 {
    let which = (spec.params.len().max(1) as f64).ln();
    let value = |name: &String| {
        let choices = spec.params.iter().find(|p| p.name == name.as_str()).map_or(0, |p| p.choices.len());
        (choices.max(usual(name).len()).max(2) - 1) as f64
    };
    params.keys().map(|name| CHANGE + which + value(name).ln()).sum()
}

/// Returns `candidate` in terms of the preset of its family from which it differs least.
pub(crate) fn nearest_preset(candidate: Candidate) -> Candidate {
    let value = |p: &ParamSpec| candidate.params.get(p.name).cloned().unwrap_or_else(|| as_json(&p.default));
    let full: Map<String, Value> = candidate.spec.params.iter().map(|p| (p.name.to_owned(), value(p))).collect();
    let same_code = rto::algorithms()
        .iter()
        .filter(|s| s.family == candidate.spec.family && s.marks_attempts == candidate.spec.marks_attempts);
    let from = |spec: &'static AlgorithmSpec| {
        let same =
            |name: &str, value: &Value| spec.params.iter().any(|p| p.name == name && as_json(&p.default) == *value);
        let params: Map<String, Value> =
            full.iter().filter(|(name, value)| !same(name, value)).map(|(n, v)| (n.clone(), v.clone())).collect();
        Candidate { spec, params, ..candidate.clone() }
    };
    let length = |candidate: &Candidate| description_length(candidate.spec, &candidate.params);
    let all = std::iter::once(candidate.spec).chain(same_code).map(from);
    all.reduce(|best, next| if length(&next) < length(&best) { next } else { best }).unwrap_or(candidate)
}

/// Values of a parameter beside the presets', in its natural unit. Chosen here by judgement, from what implementations
/// and papers configure; each value is one point of a search, not a claim.
fn usual(name: &str) -> &'static [f64] {
    match name {
        "ack_timeout" | "rto_initial" => &[1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 8.0, 10.0],
        "random_factor" => &[1.0, 1.25, 1.5, 2.0],
        "backoff" => &[1.25, 1.5, 2.0, 3.0],
        "rto_min" => &[0.0, 0.2, 0.5, 1.0],
        "rto_max" | "timer_max" => &[8.0, 16.0, 32.0, 60.0, 120.0],
        "lower_bound" => &[0.0, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0],
        "granularity" => &[0.0, 0.01, 0.1],
        "weight" => &[0.25, 0.5, 0.75, 1.0],
        "alpha" | "beta" => &[0.125, 0.25],
        _ => &[],
    }
}

/// Axes of the search over parameters: a list of values for each parameter that has any. `first_gaps` are further
/// values, in seconds, of the constant initial timeout.
pub(crate) fn axes(spec: &'static AlgorithmSpec, first_gaps: &[f64]) -> Vec<Vec<Change>> {
    let mut axes: Vec<Vec<Change>> = spec.params.iter().map(|param| values(param, first_gaps)).collect();
    axes.retain(|values| !values.is_empty());
    axes
}

fn values(param: &ParamSpec, first_gaps: &[f64]) -> Vec<Change> {
    if param.unit == Unit::Choice {
        return param.choices.iter().map(|choice| Change::Param(param.name, Value::from(choice.name))).collect();
    }
    let (Some(min), Some(max)) = (param.min, param.max) else { return Vec::new() };
    let mut numbers: Vec<f64> = usual(param.name).to_vec();
    if param.name == "ack_timeout" {
        numbers.extend(first_gaps);
    }
    numbers.retain(|number| (min..=max).contains(number));
    numbers.sort_unstable_by(f64::total_cmp);
    numbers.dedup();
    numbers.into_iter().map(|number| Change::Param(param.name, Value::from(number))).collect()
}

/// Axes of the search over circumstances: the delay of copies (0, ½, 1, 2 and 3 times `delay`), and whether the
/// estimator had settled. Algorithms that do not learn have none.
pub(crate) fn circumstances(spec: &AlgorithmSpec, delay: Span) -> Vec<Vec<Change>> {
    if !spec.learns() {
        return Vec::new();
    }
    let halves = [0, 1, 2, 4, 6].map(|halves| Change::Delay(delay.scale(halves, 2)));
    vec![halves.to_vec(), [false, true].map(Change::Settled).to_vec()]
}
