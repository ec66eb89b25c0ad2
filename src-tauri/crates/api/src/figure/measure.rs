//! Measures of figures: those of Compare, and those that follow from them.

use crate::view::replayed::metrics;
use replay::{MetricName, Values};
use rto::Choice;

/// A measure by the name it has in a switch.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Measure {
    /// One of Compare's.
    Metric(MetricName),
    /// 1 − failed share: successful exchanges over all (Lee et al. 2016 Table 4; PDR per message, Deshmukh & Raisinghani 2022).
    Success,
    /// Successful exchanges over copies sent: PDR per packet.
    PacketDelivery,
    /// Copies sent per second of the capture, retransmissions included.
    SendingRate,
}

/// Names in the order of the switch.
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

/// The measures of the switch, with the headings that axes have.
pub(super) fn choices() -> Vec<Choice> {
    NAMES.into_iter().map(choice).collect()
}

/// One of them.
pub(super) fn choice(name: &'static str) -> Choice {
    Choice { name, label: Measure::from_name(name).label().0.into() }
}

impl Measure {
    /// The measure called `name`.
    pub(super) fn from_name(name: &str) -> Self {
        match name {
            "success" => Self::Success,
            "pdr_packet" => Self::PacketDelivery,
            "sending_rate" => Self::SendingRate,
            other => Self::Metric(MetricName::from_name(other).unwrap_or(MetricName::DurationP50)),
        }
    }

    /// Its value from a set of measures, the shares in per cent; `seconds` is how long the capture lasts.
    pub(super) fn of(self, get: impl Fn(MetricName) -> Option<f64>, seconds: f64) -> Option<f64> {
        let copies = || Some(get(MetricName::Exchanges)? * (1.0 + get(MetricName::RetriesMean)?));
        match self {
            Self::Metric(name) => Some(get(name)? * factor(name)),
            Self::Success => Some(100.0 * (1.0 - get(MetricName::PlrExchange)?)),
            Self::PacketDelivery => {
                let delivered = get(MetricName::Exchanges)? * (1.0 - get(MetricName::PlrExchange)?);
                copies().filter(|&sent| sent > 0.0).map(|sent| 100.0 * delivered / sent)
            }
            Self::SendingRate => copies().filter(|_| seconds > 0.0).map(|sent| sent / seconds),
        }
    }

    /// Value of this measure in one replicate.
    pub(super) fn of_values(self, values: &Values, seconds: f64) -> Option<f64> {
        self.of(|name| values.get(name), seconds)
    }

    /// Heading and unit.
    pub(super) fn label(self) -> (String, &'static str) {
        match self {
            Self::Metric(name) => {
                let spec = metrics::spec(name);
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
            Self::Success => ("Successful exchanges, of all".to_owned(), "%"),
            Self::PacketDelivery => ("Successful exchanges, of copies sent".to_owned(), "%"),
            Self::SendingRate => ("Copies sent".to_owned(), "1/s"),
        }
    }
}

fn factor(name: MetricName) -> f64 {
    if metrics::spec(name).unit == "fraction" { 100.0 } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_measures() {
        let get = |name: MetricName| match name {
            MetricName::Exchanges => Some(200.0),
            MetricName::RetriesMean => Some(0.25),
            MetricName::PlrExchange => Some(0.1),
            _ => None,
        };
        // 250 copies in 100 s; 180 of 200 exchanges succeed.
        assert_eq!(Measure::from_name("sending_rate").of(get, 100.0), Some(2.5));
        assert_eq!(Measure::from_name("pdr_packet").of(get, 100.0), Some(72.0));
        assert_eq!(Measure::from_name("success").of(get, 100.0), Some(90.0));
        assert_eq!(Measure::from_name("plr_exchange").of(get, 100.0), Some(10.0));
        assert_eq!(Measure::from_name("goodput").of(get, 100.0), None);
        assert_eq!(Measure::from_name("sending_rate").of(get, 0.0), None);
        for name in NAMES {
            assert!(!Measure::from_name(name).label().0.is_empty());
        }
    }
}
