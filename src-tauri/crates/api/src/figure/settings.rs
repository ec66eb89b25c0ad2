//! Switches of recipes: declared as the parameters of algorithms are, so that one form renders both.

use crate::Error;
use rto::{Choice, ParamSpec, ParamValue, Unit};
use serde_json::{Map, Value};

pub(super) use crate::view::params::{choice, number};

/// Switch of the style of boxes.
pub(super) fn box_rule() -> ParamSpec {
    choice(
        ("box", "Box", "Box plot"),
        "Whiskers: least and greatest value; 1.5 interquartile ranges with outliers; or 1.5 spreads of Tukey's hinges.",
        &[("minmax", "minimum and maximum"), ("iqr15", "1.5 IQR"), ("tukey_hinges", "Tukey hinges")],
        "Ancillotti & Bruno 2017 fn. 4; Betzler 2014 Fig. 1; R boxplot",
    )
}

/// Switch of the definition of quantiles (Hyndman and Fan 1996, Am. Stat. 50).
pub(super) fn quantile_type() -> ParamSpec {
    number(
        ("quantile", "Quantile type", "Box plot"),
        "1 to 9 as Hyndman & Fan number them; 7 is R's and NumPy's. Hinges have none.",
        Unit::Count,
        (7.0, 1.0, 9.0),
        "Hyndman & Fan 1996",
    )
}

/// Switch of the tag by which captures are grouped.
pub(super) fn group() -> ParamSpec {
    choice(
        ("group", "Captures by", "Groups"),
        "Captures with an equal tag are one group; by capture, each stands for itself. It may be a key of your own.",
        &[
            "capture".into(),
            "nodes".into(),
            "load".into(),
            "topology".into(),
            Choice::new("mac", "MAC"),
            "preset".into(),
        ],
        "tags of the library",
    )
}

/// Switch of the categories on the horizontal axis.
pub(super) fn across() -> ParamSpec {
    choice(
        ("across", "Across", "Groups"),
        "What stands side by side: algorithms, with the groups of captures within each; or the other way round.",
        &["algorithm", "group"],
        "Betzler 2014 Fig. 1; Ancillotti & Bruno 2017 Fig. 9",
    )
}

/// Switch of a confidence level, 0.5 to 0.999.
pub(super) fn level(default: f64, citation: &'static str) -> ParamSpec {
    number(
        ("level", "Level", "Uncertainty"),
        "Confidence of intervals and tests.",
        Unit::Ratio,
        (default, 0.5, 0.999),
        citation,
    )
}

/// Returns a share, 0 to 1, in per cent, without zeros at its end: `95`, `99.9`.
pub(crate) fn percent(share: f64) -> String {
    format!("{}", (share * 1e4).round() / 1e2)
}

/// Switches of a recipe with their values.
pub(super) struct Settings {
    specs: Vec<ParamSpec>,
    set: Map<String, Value>,
}

impl Settings {
    /// Checks the values `given` against `specs`; errs for an unknown switch, or a value out of range.
    pub(super) fn read(specs: Vec<ParamSpec>, given: &Map<String, Value>) -> Result<Self, Error> {
        for (name, value) in given {
            let known = || specs.iter().map(|s| s.name).collect::<Vec<_>>().join(", ");
            let spec = specs.iter().find(|spec| spec.name == name);
            let spec =
                spec.ok_or_else(|| Error::request(format!("There is no switch `{name}`; there are: {}.", known())))?;
            // A tag may have any key.
            let open = spec.name == "group" || spec.name == "x";
            let right = match spec.unit {
                Unit::Choice => {
                    value.as_str().is_some_and(|text| open || spec.choices.iter().any(|choice| choice.name == text))
                }
                unit => value.as_f64().is_some_and(|number| {
                    let inside = spec.min.is_none_or(|min| number >= min) && spec.max.is_none_or(|max| number <= max);
                    inside && (unit != Unit::Count || number.fract() == 0.0)
                }),
            };
            if !right {
                let legal = match (spec.unit, spec.min, spec.max) {
                    (Unit::Choice, ..) => {
                        let names: Vec<&str> = spec.choices.iter().map(|choice| choice.name).collect();
                        format!("one of {}", names.join(", "))
                    }
                    (_, Some(min), Some(max)) => format!("a number from {min} to {max}"),
                    _ => "a number".to_owned(),
                };
                return Err(Error::request(format!("`{name}` is {legal}, not {value}.")));
            }
        }
        Ok(Self { specs, set: given.clone() })
    }

    fn default_of(&self, name: &str) -> Option<&ParamValue> {
        self.specs.iter().find(|spec| spec.name == name).map(|spec| &spec.default)
    }

    /// Returns the name chosen for switch `name`; empty for an unknown one.
    pub(super) fn choice(&self, name: &str) -> &str {
        match (self.set.get(name).and_then(Value::as_str), self.default_of(name)) {
            (Some(text), _) => text,
            (None, Some(ParamValue::Text(text))) => text,
            _ => "",
        }
    }

    /// Returns the number set for switch `name`; 0 for an unknown one.
    pub(super) fn number(&self, name: &str) -> f64 {
        match (self.set.get(name).and_then(Value::as_f64), self.default_of(name)) {
            (Some(number), _) => number,
            (None, Some(ParamValue::Number(number))) => *number,
            _ => 0.0,
        }
    }

    /// Returns the whole number set for switch `name`; 0 for an unknown one.
    pub(super) fn count(&self, name: &str) -> usize {
        // Checked to be whole and within declared bounds.
        self.number(name).max(0.0) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(given: Value) -> Result<Settings, Error> {
        let Value::Object(given) = given else { unreachable!() };
        Settings::read(vec![box_rule(), quantile_type(), group()], &given)
    }

    #[test]
    fn switches_are_checked() {
        let set = read(json!({ "box": "iqr15", "group": "room" })).unwrap();
        assert_eq!((set.choice("box"), set.choice("group"), set.count("quantile")), ("iqr15", "room", 7));
        for wrong in
            [json!({ "box": "violin" }), json!({ "quantile": 2.5 }), json!({ "quantile": 10 }), json!({ "x": 1 })]
        {
            assert!(read(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
