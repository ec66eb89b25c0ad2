//! Numbers and choices of an algorithm as C constants.

use super::family::Pieces;
use super::printable;
use crate::apply::ChosenTimer;
use crate::spec::Number;
use crate::{ParamSpec, ParamValue, Ratio, Unit};
use base::Span;
use std::fmt::Write as _;

/// Every parameter and constant of a chosen timer, in the order of their declaration.
pub(super) struct Values(Vec<Entry>);

struct Entry {
    name: String,
    /// Comment beside its definition.
    about: String,
    value: Value,
}

enum Value {
    Number(Number),
    Choice(String),
}

impl Values {
    /// Reads the declaration of the algorithm, and what the person changed.
    ///
    /// # Errors
    ///
    /// The name of a parameter whose value is none of its type.
    pub fn of(choice: &ChosenTimer<'_>, pieces: &Pieces) -> Result<Self, String> {
        let mut entries = Vec::new();
        for param in &choice.algorithm.params {
            let given = choice.params.get(param.name);
            let value = match given {
                Some(serde_json::Value::String(text)) => ParamValue::Text(text.clone()),
                Some(other) => ParamValue::Number(other.as_f64().ok_or(param.name)?),
                None => param.default.clone(),
            };
            let source = if given.is_some() { "chosen" } else { param.citation };
            let unit = if param.unit == Unit::Seconds { " s" } else { "" };
            let about = format!("{}, {value}{unit}: {source}", param.label);
            let value = exact(param, &value).ok_or(param.name)?;
            entries.push(Entry { name: param.name.to_owned(), about, value });
        }
        for constant in choice.algorithm.constants {
            let (name, about) = (constant.name.to_owned(), constant.source.to_owned());
            entries.push(Entry { name, about, value: Value::Number(constant.value) });
        }
        for (name, ratio) in pieces.given {
            let (name, about) = ((*name).to_owned(), "the algorithm has no such parameter".to_owned());
            entries.push(Entry { name, about, value: Value::Number(Number::Ratio(*ratio)) });
        }
        Ok(Self(entries))
    }

    /// Returns whether `name` has the value that `literal` says, times in nanoseconds; a name that is not declared has
    /// none.
    pub fn is(&self, name: &str, literal: &str) -> bool {
        self.0.iter().find(|entry| entry.name == name).is_some_and(|entry| match &entry.value {
            Value::Choice(value) => value == literal,
            Value::Number(Number::Time(span)) => literal.parse() == Ok(span.nanos()),
            Value::Number(Number::Ratio(ratio)) => Ratio::parse(literal) == Some(*ratio),
            Value::Number(Number::Count(count)) => literal.parse() == Ok(*count),
        })
    }

    /// Returns the definitions of the constants that `code` mentions behind `prefix`. Errs with the name of one that
    /// has no value.
    pub fn definitions(&self, prefix: &str, code: &str) -> Result<String, String> {
        let mut wanted = mentioned(prefix, code);
        let mut text = String::new();
        for Entry { name, about, value } in &self.0 {
            let Value::Number(number) = value else { continue };
            let name = name.to_uppercase();
            let inverse = format!("{name}_INVERSE");
            let (plain, inverted) = (wanted.contains(&name), wanted.contains(&inverse));
            wanted.retain(|wanted| *wanted != name && *wanted != inverse);
            if plain || inverted {
                let _ = writeln!(text, "/* {}. */", printable(about));
            }
            if plain {
                let _ = writeln!(text, "#define {prefix}_{name} {}", constant(*number, false));
            }
            if inverted {
                let _ = writeln!(text, "#define {prefix}_{inverse} {}", constant(*number, true));
            }
        }
        match wanted.into_iter().find(|name| name != "TICKS_PER_SECOND") {
            Some(missing) => Err(missing),
            None => Ok(text),
        }
    }
}

/// Names behind `prefix` and an underscore in `code`, each once.
fn mentioned(prefix: &str, code: &str) -> Vec<String> {
    let mut names = Vec::new();
    for rest in code.split(&format!("{prefix}_")).skip(1) {
        let end = rest.find(|c: char| !c.is_ascii_uppercase() && !c.is_ascii_digit() && c != '_').unwrap_or(rest.len());
        let name = rest[..end].to_owned();
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// `value` of the type that the parameter was declared with, as its own parser reads it.
fn exact(param: &ParamSpec, value: &ParamValue) -> Option<Value> {
    Some(match (param.unit, value) {
        (Unit::Choice, ParamValue::Text(name)) => Value::Choice(name.clone()),
        (Unit::Seconds, ParamValue::Number(seconds)) => Value::Number(Number::Time(Span::from_secs_f64(*seconds)?)),
        (Unit::Count, ParamValue::Number(count)) => Value::Number(Number::Count(*count as i64)),
        (Unit::Ratio | Unit::Factor, ParamValue::Number(number)) => {
            Value::Number(Number::Ratio(Ratio::from_f64(*number)?))
        }
        (Unit::Ratio | Unit::Factor, ParamValue::Text(text)) => Value::Number(Number::Ratio(Ratio::parse(text)?)),
        _ => return None,
    })
}

/// A constant of C: nanoseconds, numerator and denominator, or a count.
fn constant(number: Number, inverse: bool) -> String {
    match number {
        Number::Time(span) => format!("INT64_C({})", span.nanos()),
        Number::Ratio(ratio) if inverse => format!("{}, {}", ratio.den(), ratio.num()),
        Number::Ratio(ratio) => format!("{}, {}", ratio.num(), ratio.den()),
        Number::Count(count) => count.to_string(),
    }
}
