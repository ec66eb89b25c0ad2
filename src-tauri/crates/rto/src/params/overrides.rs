//! Overrides as they are typed on the command line.

use super::ParamError;
use serde_json::{Map, Value};

/// Reads `k_weak=1,alpha=1/4`, the part after the colon of `NAME[:key=value,…]` on the command line
/// (the caller splits at the first colon), into the object that [`crate::build`] takes. Numbers become
/// numbers, everything else stays text; names and ranges are checked by `build`. Empty text gives `{}`.
///
/// ```
/// # fn main() -> Result<(), rto::ParamError> {
/// let overrides = rto::parse_overrides("k_weak=1,alpha=1/4")?;
/// assert_eq!(overrides, serde_json::json!({ "k_weak": 1, "alpha": "1/4" }));
/// rto::build("cocoa_plus", &overrides)?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ParamError::Syntax`] for a part without `=`, an empty name or value, or a name given twice.
pub fn parse_overrides(text: &str) -> Result<Value, ParamError> {
    let mut object = Map::new();
    for part in text.split(',').filter(|_| !text.trim().is_empty()) {
        let syntax = || ParamError::Syntax { text: part.trim().to_owned() };
        let (name, value) = part.split_once('=').ok_or_else(syntax)?;
        let (name, value) = (name.trim(), value.trim());
        if name.is_empty() || value.is_empty() || object.insert(name.to_owned(), from_text(value)).is_some() {
            return Err(syntax());
        }
    }
    Ok(Value::Object(object))
}

/// Reads a value as typed: a number if it is one in JSON, text otherwise.
pub(crate) fn from_text(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(Value::Number(number)) => Value::Number(number),
        _ => Value::String(text.to_owned()),
    }
}
