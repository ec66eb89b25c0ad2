//! Measures of figures: those of Compare that a figure can show.

use crate::view::replayed::metrics;
use replay::{MetricName, Values};
use rto::Choice;

/// A measure of Compare as figures show it: shares in per cent, others in their unit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Measure(pub MetricName);

/// Names of the measures, in the order of the switch.
const NAMES: [&str; 14] = [
    "duration_p50",
    "duration_mean",
    "throughput",
    "success",
    "goodput",
    "pdr_packet",
    "retransmission_rate",
    "sending_rate",
    "retries_mean",
    "plr_exchange",
    "early_a",
    "early_b",
    "early_c",
    "spurious_all",
];

/// Returns the choices of the switch of measures, with the headings of axes.
pub(crate) fn choices() -> Vec<Choice> {
    NAMES.into_iter().map(choice).collect()
}

/// Returns the choice of the measure called `name`, with the heading of its axis.
pub(crate) fn choice(name: &'static str) -> Choice {
    Choice { name, label: Measure::from_name(name).label().0.into() }
}

impl Measure {
    /// Returns the measure called `name`; the median completion time for an unknown name.
    pub(crate) fn from_name(name: &str) -> Self {
        Self(MetricName::from_name(name).unwrap_or(MetricName::DurationP50))
    }

    /// Returns the value as figures show it, from the values that `get` knows; `None` where the measure does not apply.
    pub(crate) fn of(self, get: impl Fn(MetricName) -> Option<f64>) -> Option<f64> {
        Some(get(self.0)? * factor(self.0))
    }

    /// Converts a value of the measure to the one that figures show.
    pub(crate) fn shown(self, value: f64) -> f64 {
        value * factor(self.0)
    }

    /// Returns the value as figures show it in one replicate; `None` where the measure does not apply.
    pub(crate) fn of_values(self, values: &Values) -> Option<f64> {
        self.of(|name| values.get(name))
    }

    /// Returns the heading and the unit: `%`, `s`, `1/s`, `octet/s`, `×`, or empty.
    pub(crate) fn label(self) -> (String, &'static str) {
        let spec = metrics::spec(self.0);
        let unit = match spec.unit.as_str() {
            "fraction" => "%",
            "s" => "s",
            "1/s" => "1/s",
            "octet/s" => "octet/s",
            "×" => "×",
            _ => "",
        };
        (format!("{}, {}", spec.label, spec.rule), unit)
    }
}

fn factor(name: MetricName) -> f64 {
    if metrics::spec(name).unit == "fraction" { 100.0 } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_per_cent_and_every_name_is_a_measure() {
        let get = |name: MetricName| (name == MetricName::PdrPacket).then_some(0.72);
        assert_eq!(Measure::from_name("pdr_packet").of(get), Some(72.0));
        assert_eq!(Measure::from_name("goodput").of(get), None);
        for name in NAMES {
            assert_eq!(MetricName::from_name(name).map(Measure), Some(Measure::from_name(name)), "{name}");
            assert!(!Measure::from_name(name).label().0.is_empty());
        }
    }
}
