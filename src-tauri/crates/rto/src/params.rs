//! Parameters, declared once: one `params!` block makes the struct, its defaults, its bounds, its
//! parser and its description for forms, reports and the command line.

mod error;
mod overrides;
mod spec;
mod value_types;

pub use error::ParamError;
pub(crate) use overrides::from_text;
pub use overrides::parse_overrides;
pub use spec::{Choice, ParamSpec, ParamValue, Scale, Unit};
pub(crate) use value_types::Param;

use serde_json::Value;

/// Source of a default, as [`ParamSpec::citation`] and [`ParamSpec::reading`] show it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    /// Citation, or the reason for the interpretation.
    pub text: &'static str,
    /// Whether the source leaves the value open.
    pub reading: bool,
}

/// Marks a default that `text`, the source, gives.
pub(crate) const fn cite(text: &'static str) -> Source {
    Source { text, reading: false }
}

/// Marks a default that the source leaves open; `text` gives the reason for this reading.
pub(crate) const fn reading(text: &'static str) -> Source {
    Source { text, reading: true }
}

/// A set of parameters with defaults and ranges, made by `params!`.
pub(crate) trait ParamSet: Default {
    /// The parameters with `self`'s values as defaults.
    fn specs(&self) -> Vec<ParamSpec>;
    /// Sets the parameter `name`. Errs where no parameter has the name, or `value` has another type or is out of range.
    fn assign(&mut self, name: &str, value: &Value) -> Result<(), ParamError>;
}

/// Two parameter sets as one. A name in both belongs to the first.
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

/// Reads the `value` of the parameter `name`. Errs where it has another type or is outside the inclusive `range`.
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

/// Describes one parameter; the triple is its name in files, its label for people and the heading of its group, which
/// may be empty.
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
