//! Headings, definitions and units of measures.

use crate::view::MetricSpec;
use replay::MetricName;

/// Returns every measure, in display order.
pub(crate) fn specs() -> Vec<MetricSpec> {
    MetricName::ALL.into_iter().map(spec).collect()
}

/// Returns heading, definition and unit of one measure.
pub(crate) fn spec(name: MetricName) -> MetricSpec {
    let (label, rule, unit, headline) = match name {
        MetricName::Exchanges => ("Exchanges", "started", "count", false),
        MetricName::Failed => ("Failed", "given up", "count", false),
        MetricName::PlrExchange => ("Failed share", "failed / started exchanges", "fraction", false),
        MetricName::RetriesMean => ("Retransmissions", "per exchange", "", true),
        MetricName::RetransmissionRate => ("Retransmission rate", "retransmissions / copies", "fraction", false),
        MetricName::EarlyA => ("Early timeouts", "of answered first copies", "fraction", false),
        MetricName::EarlyB => ("Early timeouts", "of all exchanges", "fraction", false),
        MetricName::EarlyC => ("Early timeouts", "of retransmitted exchanges", "fraction", false),
        MetricName::SpuriousAll => ("Needless copies", "of all copies", "fraction", true),
        MetricName::Throughput => ("Throughput", "successes per second", "1/s", false),
        MetricName::DurationMean => ("Completion", "mean", "s", true),
        MetricName::DurationP50 => ("Completion", "median", "s", false),
        MetricName::DurationP95 => ("Completion", "95th percentile", "s", true),
        MetricName::Goodput => ("Goodput", "payload acknowledged once", "octet/s", false),
        MetricName::Success => ("Success", "successful / started exchanges", "fraction", false),
        MetricName::PdrPacket => ("Delivery", "successful exchanges / copies", "fraction", false),
        MetricName::SendingRate => ("Copies sent", "per second", "1/s", false),
        MetricName::ElapsedPerRequest => ("Elapsed time", "per exchange", "s", false),
        MetricName::Overload => ("Overload", "repeated arrivals per exchange, at least", "", false),
        MetricName::RtoOverRtt => ("First timeout per RTT", "mean, answered at once", "×", false),
        MetricName::IdleWait => ("Idle wait", "timeouts of lost first copies − median RTT", "s", false),
        MetricName::T => ("Good timeouts, T", "sum", "s", false),
        MetricName::W => ("Timeout per RTT, W", "mean over good timeouts", "×", false),
        MetricName::B => ("Bad timeouts, B", "of all timeouts", "fraction", false),
    };
    MetricSpec {
        name: name.name().to_owned(),
        label: label.to_owned(),
        rule: rule.to_owned(),
        unit: unit.to_owned(),
        smaller_is_better: !name.more_is_better(),
        headline,
    }
}
