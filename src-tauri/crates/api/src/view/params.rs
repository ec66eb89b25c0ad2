//! Builders of [`ParamSpec`] for parameters outside the registry: switches of figures and rules of senders. One form
//! renders all.

use rto::{Choice, ParamSpec, ParamValue, Scale, Unit};

/// Name, label and group.
type Named = (&'static str, &'static str, &'static str);

/// Returns a parameter that is one of `choices`, the first by default; without choices its default is empty.
pub(crate) fn choice<C: Clone + Into<Choice>>(
    (name, label, group): Named,
    doc: &str,
    choices: &[C],
    citation: &'static str,
) -> ParamSpec {
    let choices: Vec<Choice> = choices.iter().cloned().map(Into::into).collect();
    ParamSpec {
        name,
        label,
        group,
        doc: doc.to_owned(),
        unit: Unit::Choice,
        default: ParamValue::Text(choices.first().map_or_else(String::new, |first| first.name.to_owned())),
        min: None,
        max: None,
        scale: Scale::Linear,
        choices,
        citation,
        reading: false,
    }
}

/// Returns a number between a least and a greatest value, both included; the triple is default, least, greatest in
/// `unit`.
pub(crate) fn number(
    named: Named,
    doc: &str,
    unit: Unit,
    (default, min, max): (f64, f64, f64),
    citation: &'static str,
) -> ParamSpec {
    let (default, min, max) = (ParamValue::Number(default), Some(min), Some(max));
    ParamSpec { unit, default, min, max, ..choice::<Choice>(named, doc, &[], citation) }
}
