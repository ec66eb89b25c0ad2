//! Comparison of timers by their parameters, not by their names.

use crate::view::AlgorithmChoice;
use serde_json::Value;
use std::collections::BTreeMap;

/// Returns family and all parameters of a timer, numbers as numbers: equal where two timers are the same. `None` for
/// one that is not in the registry.
pub(crate) fn parameters(choice: &AlgorithmChoice) -> Option<(&'static str, BTreeMap<&'static str, String>)> {
    let spec = rto::spec(&choice.id)?;
    let value = |param: &rto::ParamSpec| {
        let declared = || serde_json::to_value(&param.default).unwrap_or_default();
        let value = choice.params.get(param.name).cloned().unwrap_or_else(declared);
        (param.name, number(&value).map_or_else(|| value.to_string(), |number| format!("{number:.9}")))
    };
    Some((spec.family, spec.params.iter().map(value).collect()))
}

/// Reads a number, or a ratio such as `1/8`; `None` for other values.
fn number(value: &Value) -> Option<f64> {
    let text = match value {
        Value::Number(number) => return number.as_f64(),
        Value::String(text) => text,
        _ => return None,
    };
    match text.split_once('/') {
        Some((above, below)) => Some(above.trim().parse::<f64>().ok()? / below.trim().parse::<f64>().ok()?),
        None => text.trim().parse().ok(),
    }
}
