//! The types that a parameter can have: times, ratios, whole numbers and choices.

use super::{Choice, ParamValue, Scale, Unit};
use crate::Ratio;
use base::Span;
use serde_json::Value;

/// Type of a parameter: reads, prints and describes its values.
pub(crate) trait Param: Copy + PartialOrd {
    /// The legal values of a choice; empty for a number.
    const CHOICES: &'static [Choice] = &[];
    /// Returns the words for the expected form in a refusal.
    fn expected() -> String;
    /// Reads a JSON value; `None` where it has another form. Ranges are checked elsewhere.
    fn parse(value: &Value) -> Option<Self>;
    /// Returns the value in its natural unit; times in seconds.
    fn value(self) -> ParamValue;
    /// Returns unit and scale of a slider, given the legal range, inclusive.
    fn unit(range: Option<(Self, Self)>) -> (Unit, Scale);
}

impl Param for Span {
    fn expected() -> String {
        "a time in seconds".to_owned()
    }
    fn parse(value: &Value) -> Option<Self> {
        value.as_f64().and_then(Self::from_secs_f64)
    }
    fn value(self) -> ParamValue {
        ParamValue::Number(self.secs_f64())
    }
    fn unit(range: Option<(Self, Self)>) -> (Unit, Scale) {
        let log = range.is_some_and(|(min, _)| min > Self::ZERO);
        (Unit::Seconds, if log { Scale::Log } else { Scale::Linear })
    }
}

impl Param for Ratio {
    fn expected() -> String {
        "a number or a fraction such as \"1/8\"".to_owned()
    }
    fn parse(value: &Value) -> Option<Self> {
        match value {
            Value::String(text) => Self::parse(text),
            other => other.as_f64().and_then(Self::from_f64),
        }
    }
    fn value(self) -> ParamValue {
        let text = self.to_string();
        text.parse().map_or(ParamValue::Text(text), ParamValue::Number)
    }
    fn unit(range: Option<(Self, Self)>) -> (Unit, Scale) {
        let share = range.is_some_and(|(_, max)| max <= Self::ONE);
        (if share { Unit::Ratio } else { Unit::Factor }, Scale::Linear)
    }
}

impl Param for i32 {
    fn expected() -> String {
        "a whole number".to_owned()
    }
    fn parse(value: &Value) -> Option<Self> {
        // A form may send 2 as 2.0. The cast is exact: the bounds are those of an i32.
        let whole = |n: &f64| n.fract() == 0.0 && (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(n);
        value.as_f64().filter(whole).map(|n| n as Self)
    }
    fn value(self) -> ParamValue {
        ParamValue::Number(f64::from(self))
    }
    fn unit(_: Option<(Self, Self)>) -> (Unit, Scale) {
        (Unit::Count, Scale::Linear)
    }
}
