//! Parameters, declared once: one `params!` block makes the struct, its defaults, its bounds, its
//! parser and its description for forms, reports and the command line.

use crate::Ratio;
use base::Span;
use serde::Serialize;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;

/// One parameter of one algorithm, described as data.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ParamSpec {
    /// The name in overrides.
    pub name: &'static str,
    /// A short human name.
    pub label: &'static str,
    /// The part of the algorithm it belongs to, in one word, for forms; empty when there is no such part.
    pub group: &'static str,
    /// Description, one or two sentences.
    pub doc: String,
    /// Unit of the value.
    pub unit: Unit,
    /// The value of this preset, in its unit.
    pub default: ParamValue,
    /// The smallest legal value; none for a choice.
    pub min: Option<f64>,
    /// The largest legal value; none for a choice.
    pub max: Option<f64>,
    /// Scale of a slider from `min` to `max`.
    pub scale: Scale,
    /// The legal values of a choice, empty otherwise.
    pub choices: Vec<Choice>,
    /// Source of the default.
    pub citation: &'static str,
    /// The source leaves this open: the default is an interpretation made here.
    pub reading: bool,
}

/// A legal value of a parameter that is a choice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Choice {
    /// The value, as in overrides and on the command line.
    pub name: &'static str,
    /// Label in the window.
    pub label: Cow<'static, str>,
}

impl Choice {
    /// A value that people read as `label`.
    #[must_use]
    pub const fn new(name: &'static str, label: &'static str) -> Self {
        Self { name, label: Cow::Borrowed(label) }
    }
}

/// A value that is a word.
impl From<&'static str> for Choice {
    fn from(name: &'static str) -> Self {
        Self::new(name, name)
    }
}

impl From<(&'static str, &'static str)> for Choice {
    fn from((name, label): (&'static str, &'static str)) -> Self {
        Self::new(name, label)
    }
}

/// Unit of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// A time in seconds.
    Seconds,
    /// A share from 0 to 1.
    Ratio,
    /// A multiplier.
    Factor,
    /// A whole number.
    Count,
    /// One of a list of names.
    Choice,
}

/// Scale of a slider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Equal steps.
    Linear,
    /// Equal ratios.
    Log,
}

/// A parameter's value in its natural unit: seconds, a number, a fraction such as `1/3`, or a name.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum ParamValue {
    /// A decimal number.
    Number(f64),
    /// A choice's name, or a fraction without a finite decimal form.
    Text(String),
}

impl fmt::Display for ParamValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// Reason why an algorithm could not be built.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamError {
    /// No algorithm has this id.
    Algorithm {
        /// The id asked for.
        id: String,
    },
    /// The algorithm has no parameter of this name.
    Unknown {
        /// The name given.
        name: String,
        /// The names there are.
        known: Vec<&'static str>,
    },
    /// The value cannot be read as what the parameter is.
    Type {
        /// The parameter.
        name: String,
        /// The value given.
        given: String,
        /// The expected type.
        expected: String,
    },
    /// The value is outside the legal range.
    Range {
        /// The parameter.
        name: String,
        /// The value given.
        given: String,
        /// The smallest legal value.
        min: ParamValue,
        /// The largest legal value.
        max: ParamValue,
    },
    /// The overrides are neither `key=value,…` nor an object.
    Syntax {
        /// The part that could not be read.
        text: String,
    },
}

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Algorithm { id } => write!(f, "no algorithm is called `{id}`"),
            Self::Unknown { name, known } => write!(f, "no parameter `{name}`; there are: {}", known.join(", ")),
            Self::Type { name, given, expected } => write!(f, "`{name}` is {expected}, not {given}"),
            Self::Range { name, given, min, max } => write!(f, "`{name}` is {given}, outside {min} to {max}"),
            Self::Syntax { text } => write!(f, "expected key=value, found `{text}`"),
        }
    }
}

impl std::error::Error for ParamError {}

/// Reads `k_weak=1,alpha=1/4`, the part after the colon of `NAME[:key=value,…]` on the command line
/// (the caller splits at the first colon), into the object that [`crate::build`] takes. Numbers become
/// numbers, everything else stays text; names and ranges are checked by `build`. Nothing gives `{}`.
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

/// A number if it reads as one in JSON, text otherwise.
pub(crate) fn from_text(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(Value::Number(number)) => Value::Number(number),
        _ => Value::String(text.to_owned()),
    }
}

/// A parameter's type: how its values are read, printed and described.
pub(crate) trait Param: Copy + PartialOrd {
    const CHOICES: &'static [Choice] = &[];
    fn expected() -> String;
    fn parse(value: &Value) -> Option<Self>;
    fn value(self) -> ParamValue;
    /// Unit and scale, given the legal range.
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

/// Source of a default.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    pub text: &'static str,
    pub reading: bool,
}

/// The source says so.
pub(crate) const fn cite(text: &'static str) -> Source {
    Source { text, reading: false }
}

/// Marks a default that the source leaves open; `text` gives the reason for this reading.
pub(crate) const fn reading(text: &'static str) -> Source {
    Source { text, reading: true }
}

/// A struct made by `params!`.
pub(crate) trait ParamSet: Default {
    /// The parameters with `self`'s values as defaults.
    fn specs(&self) -> Vec<ParamSpec>;
    /// Sets one parameter, checked.
    fn assign(&mut self, name: &str, value: &Value) -> Result<(), ParamError>;
}

/// Two parameter sets as one. A name both have would be the first one's.
#[derive(Default)]
pub(crate) struct Joined<A, B>(pub A, pub B);

impl<A: ParamSet, B: ParamSet> ParamSet for Joined<A, B> {
    fn specs(&self) -> Vec<ParamSpec> {
        let mut specs = self.0.specs();
        specs.extend(self.1.specs());
        specs
    }

    fn assign(&mut self, name: &str, value: &Value) -> Result<(), ParamError> {
        let mut known = match self.0.assign(name, value) {
            Err(ParamError::Unknown { known, .. }) => known,
            done => return done,
        };
        match self.1.assign(name, value) {
            Err(ParamError::Unknown { name, known: more }) => {
                known.extend(more);
                Err(ParamError::Unknown { name, known })
            }
            done => done,
        }
    }
}

/// Reads and checks one value.
pub(crate) fn checked<T: Param>(name: &str, value: &Value, range: Option<(T, T)>) -> Result<T, ParamError> {
    let parsed = T::parse(value).ok_or_else(|| ParamError::Type {
        name: name.to_owned(),
        given: value.to_string(),
        expected: T::expected(),
    })?;
    match range {
        Some((min, max)) if !(min..=max).contains(&parsed) => Err(ParamError::Range {
            name: name.to_owned(),
            given: parsed.value().to_string(),
            min: min.value(),
            max: max.value(),
        }),
        _ => Ok(parsed),
    }
}

/// Describes one parameter.
pub(crate) fn describe<T: Param>(
    (name, label, group): (&'static str, &'static str, &'static str),
    doc: &str,
    default: T,
    range: Option<(T, T)>,
    source: Source,
) -> ParamSpec {
    let (unit, scale) = T::unit(range);
    let bound = |value: T| match value.value() {
        ParamValue::Number(number) => Some(number),
        ParamValue::Text(_) => None,
    };
    ParamSpec {
        name,
        label,
        group,
        doc: doc.trim().to_owned(),
        unit,
        default: default.value(),
        min: range.and_then(|(min, _)| bound(min)),
        max: range.and_then(|(_, max)| bound(max)),
        scale,
        choices: T::CHOICES.to_vec(),
        citation: source.text,
        reading: source.reading,
    }
}

/// Declares a parameter set: `name: Type = default[, in min => max], "Label", cite("…") | reading("…")[, "group"];`
/// with the doc comment as the description.
macro_rules! params {
    ($(#[$meta:meta])* $vis:vis struct $set:ident {
        $($(#[doc = $doc:literal])+ $name:ident : $type:ty = $default:expr $(, in $min:expr => $max:expr)?, $label:literal, $source:expr $(, $group:literal)?;)+
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        $vis struct $set {
            $($(#[doc = $doc])+ pub $name: $type,)+
        }

        impl Default for $set {
            fn default() -> Self {
                Self { $($name: $default,)+ }
            }
        }

        impl $crate::params::ParamSet for $set {
            fn specs(&self) -> Vec<$crate::ParamSpec> {
                vec![$($crate::params::describe::<$type>(
                    (stringify!($name), $label, concat!($($group)?)), concat!($($doc),+), self.$name,
                    $crate::params::params!(@range $($min => $max)?), $source,
                )),+]
            }

            fn assign(&mut self, name: &str, value: &serde_json::Value) -> Result<(), $crate::ParamError> {
                match name {
                    $(stringify!($name) => {
                        let range = $crate::params::params!(@range $($min => $max)?);
                        self.$name = $crate::params::checked::<$type>(name, value, range)?;
                    })+
                    _ => {
                        let known = vec![$(stringify!($name)),+];
                        return Err($crate::ParamError::Unknown { name: name.to_owned(), known });
                    }
                }
                Ok(())
            }
        }
    };
    (@range) => { None };
    (@range $min:expr => $max:expr) => { Some(($min, $max)) };
}

/// Declares the names of a choice: `Variant = "name"`, and `=> "Label"` where people read another word for it.
macro_rules! choice {
    ($(#[$meta:meta])* $vis:vis enum $choice:ident {
        $($(#[doc = $doc:literal])+ $variant:ident = $name:literal $(=> $label:literal)?,)+
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
        $vis enum $choice {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl $crate::params::Param for $choice {
            const CHOICES: &'static [$crate::Choice] = &[$($crate::params::choice!(@one $name $($label)?)),+];
            fn expected() -> String {
                format!("one of {}", [$($name),+].join(", "))
            }
            fn parse(value: &serde_json::Value) -> Option<Self> {
                match value.as_str()? {
                    $($name => Some(Self::$variant),)+
                    _ => None,
                }
            }
            fn value(self) -> $crate::ParamValue {
                $crate::ParamValue::Text(match self {
                    $(Self::$variant => $name,)+
                }.to_owned())
            }
            fn unit(_: Option<(Self, Self)>) -> ($crate::Unit, $crate::Scale) {
                ($crate::Unit::Choice, $crate::Scale::Linear)
            }
        }
    };
    (@one $name:literal) => { $crate::Choice::new($name, $name) };
    (@one $name:literal $label:literal) => { $crate::Choice::new($name, $label) };
}

pub(crate) use choice;
pub(crate) use params;
