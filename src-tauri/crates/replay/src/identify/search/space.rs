//! What may differ from a preset: the values of its parameters that people run, and the circumstances of a sender.

use super::{Case, Suspect};
use base::Span;
use rto::{AlgorithmSpec, ParamSpec, ParamValue, Unit};
use serde_json::{Map, Value};

/// What a parameter with other than the preset's value costs, besides what it takes to name the value: presets are
/// what people publish and run.
const CHANGE: f64 = 1.0;

/// A value that a part of a suspect may take.
#[derive(Clone, Debug)]
pub(super) enum Change {
    Param(&'static str, Value),
    Delay(Span),
    Settled(bool),
}

impl Change {
    /// `suspect` with this change; `None` where that is no change.
    pub fn applied(&self, suspect: &Suspect) -> Option<Suspect> {
        let mut changed = suspect.clone();
        match self {
            Self::Param(name, value) => {
                let spec = suspect.spec.params.iter().find(|p| p.name == *name)?;
                if as_value(&spec.default) == *value {
                    changed.params.remove(*name);
                } else {
                    changed.params.insert((*name).to_owned(), value.clone());
                }
            }
            Self::Delay(delay) => changed.delay = *delay,
            Self::Settled(settled) => changed.settled = *settled,
        }
        (changed != *suspect).then_some(changed)
    }
}

/// What it takes to say how `params` differ from the preset: which of its parameters, and which of their values.
pub(super) fn changes(spec: &AlgorithmSpec, params: &Map<String, Value>) -> f64 {
    let which = (spec.params.len().max(1) as f64).ln();
    let value = |name: &String| {
        let choices = spec.params.iter().find(|p| p.name == name.as_str()).map_or(0, |p| p.choices.len());
        (choices.max(usual(name).len()).max(2) - 1) as f64
    };
    params.keys().map(|name| CHANGE + which + value(name).ln()).sum()
}

/// `suspect` in terms of the preset of its family from which it differs least.
pub(super) fn nearest(suspect: Suspect) -> Suspect {
    let value = |p: &ParamSpec| suspect.params.get(p.name).cloned().unwrap_or_else(|| as_value(&p.default));
    let full: Map<String, Value> = suspect.spec.params.iter().map(|p| (p.name.to_owned(), value(p))).collect();
    let kin = rto::algorithms()
        .iter()
        .filter(|s| s.family == suspect.spec.family && s.marks_attempts == suspect.spec.marks_attempts);
    let from = |spec: &'static AlgorithmSpec| {
        let same =
            |name: &str, value: &Value| spec.params.iter().any(|p| p.name == name && as_value(&p.default) == *value);
        let params: Map<String, Value> =
            full.iter().filter(|(name, value)| !same(name, value)).map(|(n, v)| (n.clone(), v.clone())).collect();
        Suspect { spec, params, ..suspect.clone() }
    };
    let all = std::iter::once(suspect.spec).chain(kin).map(from);
    all.reduce(
        |best, next| if changes(next.spec, &next.params) < changes(best.spec, &best.params) { next } else { best },
    )
    .unwrap_or(suspect)
}

fn as_value(value: &ParamValue) -> Value {
    match value {
        ParamValue::Number(number) => Value::from(*number),
        ParamValue::Text(text) => Value::from(text.clone()),
    }
}

/// Values of a parameter that people run and no preset has.
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

/// What may differ from the preset, one list of values for each freedom.
pub(super) fn axes(spec: &'static AlgorithmSpec, case: &Case<'_>) -> Vec<Vec<Change>> {
    let mut axes: Vec<Vec<Change>> = spec.params.iter().map(|param| values(param, case)).collect();
    axes.retain(|values| !values.is_empty());
    axes
}

fn values(param: &ParamSpec, case: &Case<'_>) -> Vec<Change> {
    if param.unit == Unit::Choice {
        return param.choices.iter().map(|choice| Change::Param(param.name, Value::from(choice.name))).collect();
    }
    let (Some(min), Some(max)) = (param.min, param.max) else { return Vec::new() };
    // A list of values people run; only for those is a search worth its while.
    let mut numbers: Vec<f64> = usual(param.name).to_vec();
    if param.name == "ack_timeout" {
        numbers.extend(case.first_gaps());
    }
    numbers.retain(|number| (min..=max).contains(number));
    numbers.sort_unstable_by(f64::total_cmp);
    numbers.dedup();
    numbers.into_iter().map(|number| Change::Param(param.name, Value::from(number))).collect()
}

impl Case<'_> {
    /// What may differ from sender to sender that runs the same algorithm: how long its copies wait, in multiples of how
    /// far gaps are off, and whether it had run before.
    pub(super) fn circumstances(&self, spec: &AlgorithmSpec) -> Vec<Vec<Change>> {
        if !spec.learns() {
            return Vec::new();
        }
        let halves = [0, 1, 2, 4, 6].map(|halves| Change::Delay(self.delay.scale(halves, 2)));
        vec![halves.to_vec(), [false, true].map(Change::Settled).to_vec()]
    }

    /// Short first gaps, in steps of 50 ms: where a constant that is dithered upwards may begin.
    fn first_gaps(&self) -> Vec<f64> {
        let exchanges = || self.observed.iter().flat_map(|o| &o.exchanges);
        let mut gaps: Vec<f64> = exchanges()
            .filter(|e| e.late > 1)
            .filter_map(|e| Some((*e.copies.get(1)? - *e.copies.first()?).secs_f64()))
            .collect();
        gaps.sort_unstable_by(f64::total_cmp);
        let quantile = |num: usize| gaps.get(gaps.len() * num / 100).copied();
        [0, 2, 5, 10, 25, 50]
            .into_iter()
            .filter_map(quantile)
            .map(|gap| (gap * 20.0).round() / 20.0)
            .filter(|&gap| gap > 0.0)
            .collect()
    }
}
