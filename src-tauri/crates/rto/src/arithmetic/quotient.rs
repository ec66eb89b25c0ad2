//! A dimensionless number computed from samples.

use super::Ratio;
use base::Span;

/// The quotient of two measured times, in whole parts per billion, rounded once, half away from
/// zero. Unlike a [`Ratio`], which is a constant of a paper, it has no exact form to keep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Quotient(i64);

/// Parts of one, the unit of a [`Quotient`]: as many as a second has nanoseconds, the form of a state variable
/// ([`Quotient::seconds`]).
const BILLION: i64 = 1_000_000_000;

impl Quotient {
    /// The quotient 0.
    pub const ZERO: Self = Self(0);
    /// The quotient 1.
    pub const ONE: Self = Self(BILLION);

    /// `a / b`; the signed extreme when `b` is zero and `a` is not.
    pub fn of(a: Span, b: Span) -> Self {
        Self(Span::from_nanos(BILLION).scale(a.nanos(), b.nanos()).nanos())
    }

    /// Returns `count / total`; 0 where both are 0.
    pub fn share(count: u64, total: u64) -> Self {
        let nanos = |n: u64| Span::from_nanos(i64::try_from(n).unwrap_or(i64::MAX));
        Self::of(nanos(count), nanos(total))
    }

    /// Converts a constant of a paper.
    pub fn from_ratio(ratio: Ratio) -> Self {
        Self(ratio.of(Span::from_nanos(BILLION)).nanos())
    }

    /// Multiplies by a constant.
    pub fn by(self, ratio: Ratio) -> Self {
        Self(ratio.of(Span::from_nanos(self.0)).nanos())
    }

    /// Multiplies by a count, saturating.
    pub fn by_count(self, count: i64) -> Self {
        Self(self.0.saturating_mul(count))
    }

    /// Returns the quotient nearest to `value`; zero where that is not finite or does not fit.
    pub fn from_f64(value: f64) -> Self {
        Self(Span::from_secs_f64(value).unwrap_or(Span::ZERO).nanos())
    }

    /// Returns the sum with `other`, saturating.
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// Returns the magnitude, saturating.
    pub fn abs(self) -> Self {
        Self(self.0.saturating_abs())
    }

    /// Multiplies a time by this, rounded once, half away from zero.
    pub fn times(self, span: Span) -> Span {
        span.scale(self.0, BILLION)
    }

    /// Returns one step of an exponentially weighted mean, (1−w)·old + w·new with w = `self`.
    pub fn blend(self, old: Span, new: Span) -> Span {
        old + self.times(new - old)
    }

    /// The quotient as that many seconds, the form of a dimensionless state variable ([`crate::EstimatorState`]).
    pub fn seconds(self) -> Span {
        Span::from_nanos(self.0)
    }
}
