//! Measures of the exchanges of a time, from sums that can be added and taken away.

use crate::exchange::{Ended, SeenExchange};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Measure of exchanges; those of `replay` have its names and formulas. N is the number of exchanges that began, k the
/// number of retransmissions of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// Copies sent while an earlier copy of the exchange is answered anyway / copies, a share, as the field `needless`
    /// of filters counts them.
    Needless,
    /// Copies that are known to have been lost, or whose replies were / copies whose fate is known, a share.
    Lost,
    /// Σk / Σ(k + 1): share of retransmissions among copies.
    RetransmissionRate,
    /// Σk / N: mean number of retransmissions.
    RetriesMean,
    /// Exchanges given up / N, a share.
    PlrExchange,
    /// Answered exchanges / N, a share.
    Success,
    /// Answered exchanges / copies, a share.
    PdrPacket,
    /// Number of exchanges, N.
    Exchanges,
    /// Number of exchanges given up.
    Failed,
    /// Answered exchanges a second.
    Throughput,
    /// Copies sent a second.
    SendingRate,
    /// Mean time from first copy to closing reply, seconds.
    DurationMean,
    /// Median of that time, seconds, to 5 %.
    DurationP50,
    /// 95th percentile of that time, seconds, to 5 %.
    DurationP95,
}

/// Form in which rules give values of a measure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Share, from 0 to 1, or in per cent.
    Share,
    /// Number without unit, at least 0.
    Number,
    /// Time with its unit; values are seconds.
    Time,
}

impl Measure {
    /// All measures, in the order of documentation.
    pub const ALL: [Self; 14] = [
        Self::Needless,
        Self::Lost,
        Self::RetransmissionRate,
        Self::RetriesMean,
        Self::PlrExchange,
        Self::Success,
        Self::PdrPacket,
        Self::Exchanges,
        Self::Failed,
        Self::Throughput,
        Self::SendingRate,
        Self::DurationMean,
        Self::DurationP50,
        Self::DurationP95,
    ];

    /// Name of the measure in files of rules.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Needless => "needless",
            Self::Lost => "lost",
            Self::RetransmissionRate => "retransmission_rate",
            Self::RetriesMean => "retries_mean",
            Self::PlrExchange => "plr_exchange",
            Self::Success => "success",
            Self::PdrPacket => "pdr_packet",
            Self::Exchanges => "exchanges",
            Self::Failed => "failed",
            Self::Throughput => "throughput",
            Self::SendingRate => "sending_rate",
            Self::DurationMean => "duration_mean",
            Self::DurationP50 => "duration_p50",
            Self::DurationP95 => "duration_p95",
        }
    }

    /// Returns the measure called `name`, `None` for any other word; `spurious_all` is the name of `needless` in
    /// `replay`.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        let name = if name == "spurious_all" { "needless" } else { name };
        Self::ALL.into_iter().find(|measure| measure.name() == name)
    }

    /// Form of the values.
    #[must_use]
    pub const fn form(self) -> Form {
        match self {
            Self::Needless
            | Self::Lost
            | Self::RetransmissionRate
            | Self::PlrExchange
            | Self::Success
            | Self::PdrPacket => Form::Share,
            Self::DurationMean | Self::DurationP50 | Self::DurationP95 => Form::Time,
            Self::RetriesMean | Self::Exchanges | Self::Failed | Self::Throughput | Self::SendingRate => Form::Number,
        }
    }

    /// Value over `seconds` with these sums, and the number of observations behind it: `None` for a count or a rate,
    /// which needs none. `None` for both where nothing was observed.
    pub(crate) fn value(self, sums: &Sums, seconds: f64) -> Option<(f64, Option<u64>)> {
        let Sums { exchanges, closed, failed, copies, needless, lost, known, .. } = *sums;
        let share = |part: u64, all: u64| (all > 0).then(|| (part as f64 / all as f64, Some(all)));
        let retries = copies.saturating_sub(exchanges);
        match self {
            Self::Needless => share(needless, copies),
            Self::Lost => share(lost, known),
            Self::RetransmissionRate => share(retries, copies),
            Self::RetriesMean => share(retries, exchanges),
            Self::PlrExchange => share(failed, exchanges),
            Self::Success => share(closed, exchanges),
            Self::PdrPacket => share(closed, copies),
            Self::Exchanges => Some((exchanges as f64, None)),
            Self::Failed => Some((failed as f64, None)),
            Self::Throughput => Some((closed as f64 / seconds, None)),
            Self::SendingRate => Some((copies as f64 / seconds, None)),
            Self::DurationMean => (closed > 0).then(|| (sums.duration as f64 / 1e9 / closed as f64, Some(closed))),
            Self::DurationP50 => Some((sums.quantile(50)?, Some(closed))),
            Self::DurationP95 => Some((sums.quantile(95)?, Some(closed))),
        }
    }
}

/// Sums over exchanges, from which measures are made; counts, but for `duration`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sums {
    /// Number of exchanges that began.
    pub exchanges: u64,
    /// Number of answered exchanges.
    pub closed: u64,
    /// Number of exchanges given up.
    pub failed: u64,
    /// Number of copies of all exchanges.
    pub copies: u64,
    /// Number of copies sent while an earlier one is answered anyway.
    pub needless: u64,
    /// Number of copies that are known to have been lost, or whose replies were.
    pub lost: u64,
    /// Number of copies whose fate is known.
    pub known: u64,
    /// Sum of the times from first copy to closing reply, nanoseconds.
    pub duration: u64,
    /// Number of these times by the [`bin`] that they are in.
    pub durations: BTreeMap<u16, u64>,
}

/// Bins of times to a doubling. Chosen here: two ends of one are a twentieth apart, which is the error of quantiles.
const BINS: f64 = 14.0;

/// Number of the bin of a time: the bin's middle is 2^(number / [`BINS`]) nanoseconds.
fn bin(nanos: u64) -> u16 {
    ((nanos.max(1) as f64).log2() * BINS).round() as u16
}

impl Sums {
    /// Adds an exchange to all sums.
    pub fn add(&mut self, seen: &SeenExchange) {
        self.exchanges += 1;
        self.closed += u64::from(seen.ended == Ended::Answered);
        self.failed += u64::from(seen.ended == Ended::GivenUp);
        self.copies += u64::from(seen.copies);
        self.needless += u64::from(seen.needless);
        self.lost += u64::from(seen.lost);
        self.known += u64::from(seen.known);
        if let Some(nanos) = seen.duration {
            self.duration = self.duration.saturating_add(nanos);
            *self.durations.entry(bin(nanos)).or_default() += 1;
        }
    }

    /// Adds the sums of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.each(other, u64::saturating_add);
        for (&bin, &n) in &other.durations {
            *self.durations.entry(bin).or_default() += n;
        }
    }

    /// Takes away the sums of `other`, which were added before.
    pub fn remove(&mut self, other: &Self) {
        self.each(other, u64::saturating_sub);
        for (bin, &n) in &other.durations {
            if let Some(here) = self.durations.get_mut(bin) {
                *here = here.saturating_sub(n);
            }
        }
        self.durations.retain(|_, n| *n > 0);
    }

    fn each(&mut self, other: &Self, with: fn(u64, u64) -> u64) {
        self.exchanges = with(self.exchanges, other.exchanges);
        self.closed = with(self.closed, other.closed);
        self.failed = with(self.failed, other.failed);
        self.copies = with(self.copies, other.copies);
        self.needless = with(self.needless, other.needless);
        self.lost = with(self.lost, other.lost);
        self.known = with(self.known, other.known);
        self.duration = with(self.duration, other.duration);
    }

    /// Shortest time that so many hundredths of all are at most as long as, seconds, to the bin; `None` of no times.
    fn quantile(&self, hundredths: u64) -> Option<f64> {
        let all: u64 = self.durations.values().sum();
        let rank = (all * hundredths).div_ceil(100).max(1);
        let mut below = 0;
        let (&bin, _) = self.durations.iter().find(|&(_, &n)| {
            below += n;
            below >= rank
        })?;
        Some((f64::from(bin) / BINS).exp2() / 1e9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(copies: u32, needless: u32, ended: Ended, duration: Option<u64>) -> SeenExchange {
        SeenExchange { copies, needless, ended, duration, ..SeenExchange::default() }
    }

    #[test]
    fn values_follow_from_sums_and_sums_can_be_taken_away() {
        let mut sums = Sums::default();
        sums.add(&seen(3, 1, Ended::Answered, Some(2_000_000_000)));
        let early = sums.clone();
        sums.add(&seen(5, 2, Ended::GivenUp, None));
        let value = |sums: &Sums, measure: Measure| measure.value(sums, 10.0);
        assert_eq!(value(&sums, Measure::Needless), Some((0.375, Some(8))));
        assert_eq!(value(&sums, Measure::RetransmissionRate), Some((0.75, Some(8))));
        assert_eq!(value(&sums, Measure::RetriesMean), Some((3.0, Some(2))));
        assert_eq!(value(&sums, Measure::PlrExchange), Some((0.5, Some(2))));
        assert_eq!(value(&sums, Measure::Throughput), Some((0.1, None)));
        assert_eq!(value(&sums, Measure::Lost), None, "no fate is known");
        let median = value(&sums, Measure::DurationP50).unwrap().0;
        assert!((median / 2.0 - 1.0).abs() < 0.05, "{median}");
        sums.remove(&early);
        assert_eq!(value(&sums, Measure::Needless), Some((0.4, Some(5))));
        assert_eq!(value(&sums, Measure::DurationP95), None);
        sums.merge(&early);
        assert_eq!(value(&sums, Measure::Needless), Some((0.375, Some(8))));
    }

    #[test]
    fn bins_of_times_are_a_twentieth_wide() {
        for nanos in [1, 1_000, 123_456_789, 90_000_000_000_u64] {
            let middle = (f64::from(bin(nanos)) / BINS).exp2();
            assert!((middle / nanos as f64 - 1.0).abs() < 0.026, "{nanos}: {middle}");
        }
    }

    #[test]
    fn names_are_those_of_replay_where_it_has_them() {
        let of_replay: Vec<&str> = replay::MetricName::ALL.iter().map(|name| name.name()).collect();
        for measure in Measure::ALL {
            let is_own = matches!(measure, Measure::Needless | Measure::Lost);
            assert_eq!(!of_replay.contains(&measure.name()), is_own, "{}", measure.name());
            assert_eq!(Measure::of(measure.name()), Some(measure));
        }
        assert_eq!(Measure::of("spurious_all"), Some(Measure::Needless));
    }
}
