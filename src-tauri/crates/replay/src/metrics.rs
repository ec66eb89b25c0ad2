//! The metrics of a run, recorded or simulated: names, units and formulas.
//!
//! Rates are *fractions* from 0 to 1, never per cent; times are seconds.

mod completions;
mod measure;

pub use completions::{Completions, Curve};
pub(crate) use completions::{Drawn, Histogram};
pub(crate) use measure::{Counts, add_first_answers, measure};

/// A metric. Let N be the number of exchanges started, F the number of failed ones, and k the number of retransmissions
/// of an exchange.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MetricName {
    /// N: number of exchanges with at least one copy sent.
    Exchanges,
    /// F: number of exchanges given up.
    Failed,
    /// F / N. Exchanges still open at the end of the trace count in N only.
    PlrExchange,
    /// Σk / N: retransmissions per exchange.
    RetriesMean,
    /// Σk / Σ(k + 1): share of retransmissions among copies.
    RetransmissionRate,
    /// Exchanges retransmitted although their first copy is answered / exchanges whose first copy is answered.
    EarlyA,
    /// Exchanges retransmitted although their first copy is answered / N.
    EarlyB,
    /// Exchanges retransmitted although their first copy is answered / exchanges with k ≥ 1.
    EarlyC,
    /// Copies sent while an earlier copy is answered anyway / copies.
    SpuriousAll,
    /// Successes / (last end − first start): exchanges per second. Exchanges still open at the end do not count.
    Throughput,
    /// Mean time from first copy to closing reply over successes, seconds.
    DurationMean,
    /// Median of that time, seconds (quantile type 7).
    DurationP50,
    /// 95th percentile of that time, seconds (quantile type 7).
    DurationP95,
    /// CoAP payload of successful requests, once each / (last end − first start): octets per second.
    Goodput,
    /// Successes / N (Lee, Kim & Youn 2016, Table 4; packet delivery per message of Deshmukh & Raisinghani 2022).
    Success,
    /// Successes / copies: packet delivery per packet (Deshmukh & Raisinghani 2022).
    PdrPacket,
    /// Copies / (last end − first start), retransmissions included: copies per second (Deshmukh & Raisinghani 2022).
    SendingRate,
    /// (last end − first start) / N, seconds (Betzler et al. 2014, Tables II and III).
    ElapsedPerRequest,
    /// Copies that reached the server beyond the first of their exchange / exchanges of which one did. A copy that was
    /// lost at an unknown place counts as not arrived, so this is a lower bound.
    Overload,
    /// Mean over exchanges answered without a retransmission of first timeout / round trip. Not for recorded timers,
    /// whose first timeouts nobody saw.
    RtoOverRtt,
    /// Sum over expired first timers whose copy was lost of timeout − median round trip of the exchanges that were
    /// answered at once, seconds: time lost by a timeout longer than needed.
    IdleWait,
    /// T of Allman & Paxson 1999: sum of the timeouts that were good, seconds.
    T,
    /// W of Allman & Paxson 1999: mean over good timeouts (the copy was lost) of timeout / latest round trip.
    W,
    /// B of Allman & Paxson 1999: bad timeouts (the copy was answered after all) / all timeouts.
    B,
}

impl MetricName {
    /// Number of metrics in [`Self::ALL`].
    pub const COUNT: usize = 24;

    /// All metrics, in display order.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Exchanges,
        Self::Failed,
        Self::PlrExchange,
        Self::RetriesMean,
        Self::RetransmissionRate,
        Self::EarlyA,
        Self::EarlyB,
        Self::EarlyC,
        Self::SpuriousAll,
        Self::Throughput,
        Self::DurationMean,
        Self::DurationP50,
        Self::DurationP95,
        Self::Goodput,
        Self::Success,
        Self::PdrPacket,
        Self::SendingRate,
        Self::ElapsedPerRequest,
        Self::Overload,
        Self::RtoOverRtt,
        Self::IdleWait,
        Self::T,
        Self::W,
        Self::B,
    ];

    /// Name in JSON and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exchanges => "exchanges",
            Self::Failed => "failed",
            Self::PlrExchange => "plr_exchange",
            Self::RetriesMean => "retries_mean",
            Self::RetransmissionRate => "retransmission_rate",
            Self::EarlyA => "early_a",
            Self::EarlyB => "early_b",
            Self::EarlyC => "early_c",
            Self::SpuriousAll => "spurious_all",
            Self::Throughput => "throughput",
            Self::DurationMean => "duration_mean",
            Self::DurationP50 => "duration_p50",
            Self::DurationP95 => "duration_p95",
            Self::Goodput => "goodput",
            Self::Success => "success",
            Self::PdrPacket => "pdr_packet",
            Self::SendingRate => "sending_rate",
            Self::ElapsedPerRequest => "elapsed_per_request",
            Self::Overload => "overload",
            Self::RtoOverRtt => "rto_over_rtt",
            Self::IdleWait => "idle_wait",
            Self::T => "t",
            Self::W => "w",
            Self::B => "b",
        }
    }

    /// Unit. Intervals of a `fraction` end at 1. Headings have units of their own (`api::view`).
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Exchanges | Self::Failed => "exchanges",
            Self::PlrExchange
            | Self::RetransmissionRate
            | Self::EarlyA
            | Self::EarlyB
            | Self::EarlyC
            | Self::SpuriousAll
            | Self::Success
            | Self::PdrPacket
            | Self::B => "fraction",
            Self::RetriesMean | Self::Overload => "per exchange",
            Self::Throughput => "exchanges/s",
            Self::DurationMean
            | Self::DurationP50
            | Self::DurationP95
            | Self::ElapsedPerRequest
            | Self::IdleWait
            | Self::T => "s",
            Self::Goodput => "octets/s",
            Self::SendingRate => "copies/s",
            Self::RtoOverRtt | Self::W => "round trips",
        }
    }

    /// Returns the least and the greatest value that is possible: shares are 0 to 1, a wait less than the round trip is
    /// below zero.
    #[must_use]
    pub fn range(self) -> (f64, f64) {
        match self {
            Self::IdleWait => (f64::NEG_INFINITY, f64::INFINITY),
            _ if self.unit() == "fraction" => (0.0, 1.0),
            _ => (0.0, f64::INFINITY),
        }
    }

    /// Whether a greater value is better; for the other metrics a smaller one is.
    #[must_use]
    pub const fn more_is_better(self) -> bool {
        matches!(self, Self::Exchanges | Self::Throughput | Self::Goodput | Self::Success | Self::PdrPacket)
    }

    /// Returns the metric called `name`; `None` if there is none.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|m| m.name() == name)
    }
}

/// One value per metric, in its unit; `None` where the metric does not apply.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Values([Option<f64>; MetricName::COUNT]);

impl Values {
    /// Value of `name`, in its unit; `None` where it does not apply.
    #[must_use]
    pub const fn get(&self, name: MetricName) -> Option<f64> {
        self.0[name as usize]
    }

    /// Sets the value of `name`; a value that is not finite becomes `None`.
    pub(crate) fn set(&mut self, name: MetricName, value: Option<f64>) {
        self.0[name as usize] = value.filter(|v| v.is_finite());
    }

    /// All metrics with their values, in the order of [`MetricName::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (MetricName, Option<f64>)> {
        MetricName::ALL.into_iter().map(|name| (name, self.get(name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_in_order() {
        for (i, name) in MetricName::ALL.into_iter().enumerate() {
            assert_eq!(name as usize, i);
            assert_eq!(MetricName::from_name(name.name()), Some(name));
        }
    }
}
