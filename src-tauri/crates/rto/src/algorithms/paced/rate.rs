//! Rates, in integers: so many octets (or messages) a second.

use crate::Ratio;
use base::Span;
use std::fmt;

/// A rate in billionths of a unit per second; the unit is an octet or a message, as its user says.
/// Never negative; arithmetic saturates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub struct Rate(i64);

/// Steps of a rate per unit a second.
const STEPS: i128 = 1_000_000_000;
/// Number of nanoseconds in a second.
const NANOS: i128 = 1_000_000_000;

impl Rate {
    /// Rate of nothing at all.
    pub const ZERO: Self = Self(0);

    /// Returns the rate of `units` a second.
    #[must_use]
    pub const fn per_second(units: u32) -> Self {
        Self(units as i64 * 1_000_000_000)
    }

    /// Returns the rate of `units` in `time`, rounded half up; the highest rate where `time` is zero or negative.
    #[must_use]
    pub fn of(units: u64, time: Span) -> Self {
        let nanos = i128::from(time.nanos());
        if nanos <= 0 {
            return Self(i64::MAX);
        }
        Self::saturating((i128::from(units) * STEPS * NANOS + nanos / 2) / nanos)
    }

    /// Returns the duration of `units` at this rate, rounded up so that the rate is never exceeded; [`Span::MAX`] at
    /// rate 0.
    #[must_use]
    pub fn gap(self, units: u64) -> Span {
        let rate = i128::from(self.0);
        if rate == 0 {
            return Span::MAX;
        }
        let nanos = (i128::from(units) * STEPS * NANOS + rate - 1) / rate;
        Span::from_nanos(i64::try_from(nanos).unwrap_or(i64::MAX))
    }

    /// Multiplies by `ratio`, rounded half away from zero; zero where `ratio` is negative.
    #[must_use]
    pub fn times(self, ratio: Ratio) -> Self {
        Self(Span::from_nanos(self.0).scale(ratio.num(), ratio.den()).nanos().max(0))
    }

    /// Returns one step of an exponentially weighted mean: (1 − gain)·self + gain·target, rounded half up.
    #[must_use]
    pub fn blend(self, target: Self, gain: Ratio) -> Self {
        let (num, den) = (i128::from(gain.num()), i128::from(gain.den()));
        let sum = i128::from(self.0) * (den - num) + i128::from(target.0) * num;
        Self::saturating((sum + den / 2) / den)
    }

    /// Returns `self + other`, saturating.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// Returns `self − other`, zero where that would be negative.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        let rest = self.0.saturating_sub(other.0);
        Self(if rest > 0 { rest } else { 0 })
    }

    /// Returns the sum of `count` such rates, saturating.
    #[must_use]
    pub fn many(self, count: u64) -> Self {
        Self(self.0.saturating_mul(i64::try_from(count).unwrap_or(i64::MAX)))
    }

    /// Returns an equal share among `parts`, rounded down; the whole for 0 parts.
    #[must_use]
    pub fn share(self, parts: u64) -> Self {
        Self(self.0 / i64::try_from(parts.max(1)).unwrap_or(i64::MAX))
    }

    /// Returns the whole units a second, the rest cut off.
    #[must_use]
    pub const fn whole(self) -> Self {
        Self(self.0 - self.0 % 1_000_000_000)
    }

    /// Returns the units a second, for statistics and display only.
    #[must_use]
    pub fn per_second_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }

    fn saturating(steps: i128) -> Self {
        Self(i64::try_from(steps.max(0)).unwrap_or(i64::MAX))
    }
}

impl fmt::Debug for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/s", self.per_second_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_never_exceed_the_rate() {
        assert_eq!(Rate::per_second(35).gap(35), Span::from_secs(1));
        assert_eq!(Rate::per_second(3).gap(1), Span::from_nanos(333_333_334));
        assert_eq!(Rate::ZERO.gap(1), Span::MAX);
        assert_eq!(Rate::of(35, Span::from_millis(10)), Rate::per_second(3_500));
        assert_eq!(Rate::of(1, Span::ZERO).gap(1), Span::from_nanos(1), "the highest rate");
        assert_eq!(Rate::of(u64::MAX, Span::from_nanos(1)).plus(Rate::per_second(1)), Rate(i64::MAX));
    }

    #[test]
    fn arithmetic_stays_in_range() {
        let ten = Rate::per_second(10);
        assert_eq!(ten.minus(Rate::per_second(11)), Rate::ZERO);
        assert_eq!(ten.blend(Rate::per_second(20), Ratio::new(1, 4)), Rate(12_500_000_000));
        assert_eq!(ten.times(Ratio::new(10, 11)), Rate(9_090_909_091));
        assert_eq!(ten.share(0), ten);
        assert_eq!(Rate(35_999_999_999).whole(), Rate::per_second(35));
    }
}
