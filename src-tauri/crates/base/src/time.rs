//! Time: signed integer nanoseconds, one unit, one rounding.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::num::NonZeroU64;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// A point in time: nanoseconds since the trace's epoch. May be negative (a record older than the first).
///
/// Kept as the distance from 2^63 ns before the epoch, which is in the same order and never 0: a point in time that may
/// be missing takes no more room than one that is there, and traces hold millions of those.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "i64", into = "i64")]
pub struct Instant(NonZeroU64);

const _: () = assert!(size_of::<Option<Instant>>() == 8);

/// A length of time: nanoseconds, signed because two nodes' clocks may disagree.
///
/// Kept as an [`Instant`] is, by the same reason: the time from the epoch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Span(Instant);

const _: () = assert!(size_of::<Option<Span>>() == 8);

impl Instant {
    /// Epoch of the trace, 0 ns.
    pub const ZERO: Self = Self::from_nanos(0);
    /// The latest instant, `i64::MAX` ns: later than anything in a trace.
    pub const MAX: Self = Self::from_nanos(i64::MAX);
    /// The earliest instant, `-i64::MAX` ns: earlier than anything in a trace.
    pub const MIN: Self = Self::from_nanos(i64::MIN);

    /// Returns the instant `nanos` nanoseconds after the epoch; `i64::MIN` becomes `i64::MIN + 1`, the lowest that is
    /// kept.
    #[inline]
    #[must_use]
    pub const fn from_nanos(nanos: i64) -> Self {
        match NonZeroU64::new((nanos as u64) ^ Self::EPOCH) {
            Some(distance) => Self(distance),
            None => Self(NonZeroU64::MIN),
        }
    }

    /// Stored value of the epoch: the lowest instant is stored as 1, so that an `Option` takes no more room.
    const EPOCH: u64 = 1 << 63;

    /// Returns the nanoseconds since the epoch; negative before it.
    #[inline]
    #[must_use]
    pub const fn nanos(self) -> i64 {
        (self.0.get() ^ Self::EPOCH) as i64
    }

    /// Returns the seconds since the epoch, for statistics and display only.
    #[must_use]
    pub fn secs_f64(self) -> f64 {
        Span::from_nanos(self.nanos()).secs_f64()
    }

    /// Returns `self - earlier`, saturating; negative where `earlier` is later.
    #[inline]
    #[must_use]
    pub const fn since(self, earlier: Self) -> Span {
        Span::from_nanos(self.nanos().saturating_sub(earlier.nanos()))
    }
}

impl Span {
    /// No time: 0 ns.
    pub const ZERO: Self = Self(Instant::ZERO);
    /// The longest span, `i64::MAX` ns.
    pub const MAX: Self = Self(Instant::MAX);

    /// Returns a span of `nanos` nanoseconds; `i64::MIN` becomes `i64::MIN + 1`, the lowest that is kept.
    #[inline]
    #[must_use]
    pub const fn from_nanos(nanos: i64) -> Self {
        Self(Instant::from_nanos(nanos))
    }

    /// Returns a span of `micros` microseconds, saturating.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self::from_nanos(micros.saturating_mul(1_000))
    }

    /// Returns a span of `millis` milliseconds, saturating.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self::from_nanos(millis.saturating_mul(1_000_000))
    }

    /// Returns a span of `secs` seconds, saturating.
    #[must_use]
    pub const fn from_secs(secs: i64) -> Self {
        Self::from_nanos(secs.saturating_mul(1_000_000_000))
    }

    /// Returns the span nearest to `secs` seconds, half away from zero; `None` when not finite or out of range.
    #[must_use]
    pub fn from_secs_f64(secs: f64) -> Option<Self> {
        let nanos = (secs * 1e9).round();
        // i64::MAX as f64 is 2^63, the first value an i64 cannot hold.
        (nanos.abs() < i64::MAX as f64).then_some(Self::from_nanos(nanos as i64))
    }

    /// Returns the span in nanoseconds.
    #[inline]
    #[must_use]
    pub const fn nanos(self) -> i64 {
        self.0.nanos()
    }

    /// Returns whole milliseconds, rounded towards zero.
    #[must_use]
    pub const fn millis(self) -> i64 {
        self.nanos() / 1_000_000
    }

    /// Returns the span in seconds, for statistics and display only.
    #[must_use]
    pub fn secs_f64(self) -> f64 {
        self.nanos() as f64 / 1e9
    }

    /// The magnitude, saturating at [`Span::MAX`].
    #[must_use]
    pub const fn abs(self) -> Self {
        Self::from_nanos(self.nanos().saturating_abs())
    }

    /// Returns `self * num / den` as in 128 bits, half away from zero, saturating. A zero `den` gives the
    /// signed extreme (or zero for zero), never a panic.
    #[inline]
    #[must_use]
    pub const fn scale(self, num: i64, den: i64) -> Self {
        // Nearly always 64 bits hold the product. Its magnitude is rounded: a branch on the sign, which is random
        // for a sample about its mean, would often be mispredicted. Most weights are halves, quarters and eighths,
        // which a shift divides by.
        if den > 0
            && let Some(n) = self.nanos().checked_mul(num)
        {
            let den = den.unsigned_abs();
            let rounded = n.unsigned_abs() + den / 2;
            let size = if den.is_power_of_two() { rounded >> den.trailing_zeros() } else { rounded / den } as i64;
            return Self::from_nanos(if n < 0 { size.wrapping_neg() } else { size });
        }
        self.scale_wide(num, den)
    }

    /// [`Span::scale`] for any numbers.
    const fn scale_wide(self, num: i64, den: i64) -> Self {
        let mut n = self.nanos() as i128 * num as i128;
        let mut d = den as i128;
        if d < 0 {
            n = -n;
            d = -d;
        }
        if d == 0 {
            return Self::from_nanos(if n > 0 {
                i64::MAX
            } else if n < 0 {
                i64::MIN
            } else {
                0
            });
        }
        let half = d / 2;
        let q = if n >= 0 { (n + half) / d } else { (n - half) / d };
        Self::from_nanos(if q > i64::MAX as i128 {
            i64::MAX
        } else if q < i64::MIN as i128 {
            i64::MIN
        } else {
            q as i64
        })
    }
}

impl Default for Instant {
    fn default() -> Self {
        Self::ZERO
    }
}
impl From<i64> for Instant {
    fn from(nanos: i64) -> Self {
        Self::from_nanos(nanos)
    }
}
impl From<Instant> for i64 {
    fn from(at: Instant) -> Self {
        at.nanos()
    }
}
impl Add<Span> for Instant {
    type Output = Self;
    #[inline]
    fn add(self, rhs: Span) -> Self {
        Self::from_nanos(self.nanos().saturating_add(rhs.nanos()))
    }
}
impl Sub<Span> for Instant {
    type Output = Self;
    #[inline]
    fn sub(self, rhs: Span) -> Self {
        Self::from_nanos(self.nanos().saturating_sub(rhs.nanos()))
    }
}
impl Sub for Instant {
    type Output = Span;
    #[inline]
    fn sub(self, rhs: Self) -> Span {
        self.since(rhs)
    }
}
impl AddAssign<Span> for Instant {
    fn add_assign(&mut self, rhs: Span) {
        *self = *self + rhs;
    }
}
impl Add for Span {
    type Output = Self;
    #[inline]
    fn add(self, rhs: Self) -> Self {
        Self::from_nanos(self.nanos().saturating_add(rhs.nanos()))
    }
}
impl Sub for Span {
    type Output = Self;
    #[inline]
    fn sub(self, rhs: Self) -> Self {
        Self::from_nanos(self.nanos().saturating_sub(rhs.nanos()))
    }
}
impl AddAssign for Span {
    fn add_assign(&mut self, rhs: Self) {
        *self = *self + rhs;
    }
}
impl SubAssign for Span {
    fn sub_assign(&mut self, rhs: Self) {
        *self = *self - rhs;
    }
}
impl Neg for Span {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self::from_nanos(self.nanos().saturating_neg())
    }
}
impl std::iter::Sum for Span {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, |a, b| a + b)
    }
}

/// Seconds with the fewest of 3, 6 or 9 decimals that lose nothing: `1.500 s`, `0.000001 s`.
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.nanos() < 0 { "-" } else { "" };
        let nanos = self.nanos().unsigned_abs();
        let (whole, rest) = (nanos / 1_000_000_000, nanos % 1_000_000_000);
        if rest % 1_000_000 == 0 {
            write!(f, "{sign}{whole}.{:03} s", rest / 1_000_000)
        } else if rest % 1_000 == 0 {
            write!(f, "{sign}{whole}.{:06} s", rest / 1_000)
        } else {
            write!(f, "{sign}{whole}.{rest:09} s")
        }
    }
}
impl fmt::Display for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Span::from_nanos(self.nanos()), f)
    }
}
impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
impl fmt::Debug for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{self}")
    }
}

/// Time crosses the bridge as a `number` of nanoseconds, exact below 2^53 ns (104 days); import
/// refuses longer traces.
#[cfg(feature = "ts")]
mod ts {
    use super::{Instant, Span};

    macro_rules! number {
        ($t:ty) => {
            impl ts_rs::TS for $t {
                type WithoutGenerics = Self;
                type OptionInnerType = Self;
                fn name(_: &ts_rs::Config) -> String {
                    "number".to_owned()
                }
                fn inline(_: &ts_rs::Config) -> String {
                    "number".to_owned()
                }
            }
        };
    }
    number!(Instant);
    number!(Span);
}

#[cfg(test)]
mod tests {
    use super::{Instant, Span};
    use proptest::prelude::*;

    #[test]
    fn scale_rounds_half_away_from_zero() {
        assert_eq!(Span::from_nanos(1).scale(1, 2), Span::from_nanos(1));
        assert_eq!(Span::from_nanos(-1).scale(1, 2), Span::from_nanos(-1));
        assert_eq!(Span::from_nanos(5).scale(1, 4), Span::from_nanos(1));
        assert_eq!(Span::from_nanos(7).scale(1, -2), Span::from_nanos(-4));
        assert_eq!(Span::MAX.scale(3, 2), Span::MAX);
        assert_eq!(Span::from_nanos(1).scale(1, 0), Span::MAX);
    }

    #[test]
    fn the_extremes_of_time() {
        assert_eq!((Instant::MIN.nanos(), Instant::MAX.nanos()), (-i64::MAX, i64::MAX));
        assert_eq!(Instant::from_nanos(i64::MIN), Instant::from_nanos(-i64::MAX));
        assert_eq!(Instant::MIN - Span::from_nanos(1), Instant::MIN);
        assert_eq!((Instant::default(), Instant::ZERO.nanos()), (Instant::ZERO, 0));
    }

    #[test]
    fn the_extremes_of_spans() {
        assert_eq!((Span::from_nanos(i64::MIN).nanos(), -Span::MAX), (-i64::MAX, Span::from_nanos(i64::MIN)));
        assert_eq!(Span::from_nanos(-1).scale(i64::MAX, 0), Span::from_nanos(-i64::MAX));
        assert_eq!((Span::default(), Span::ZERO.nanos()), (Span::ZERO, 0));
        assert!(Span::from_nanos(-1) < Span::ZERO && Span::ZERO < Span::from_nanos(1));
    }

    #[test]
    fn display_loses_nothing() {
        assert_eq!(Span::from_millis(1_500).to_string(), "1.500 s");
        assert_eq!(Span::from_nanos(-1).to_string(), "-0.000000001 s");
        assert_eq!(Instant::from_nanos(2_000_001_000).to_string(), "2.000001 s");
    }

    proptest! {
        #[test]
        fn instants_are_the_integers_but_one(a in any::<i64>(), b in any::<i64>()) {
            prop_assume!(a > i64::MIN && b > i64::MIN);
            let [at, other] = [a, b].map(Instant::from_nanos);
            prop_assert_eq!((at.nanos(), at.cmp(&other)), (a, a.cmp(&b)));
            prop_assert_eq!((at - other, at + Span::from_nanos(b)), (Span::from_nanos(a.saturating_sub(b)), Instant::from_nanos(a.saturating_add(b))));
        }

        #[test]
        fn scale_matches_exact_arithmetic(v in -1_000_000_000_000i64..1_000_000_000_000, num in -1000i64..1000, den in 1i64..1000) {
            let got = i128::from(Span::from_nanos(v).scale(num, den).nanos());
            let exact2 = i128::from(v) * i128::from(num) * 2;
            // |got - exact| <= 1/2
            prop_assert!((got * 2 * i128::from(den) - exact2).abs() <= i128::from(den));
        }

        /// The narrow way and the wide one agree wherever both could be taken, and at the border.
        #[test]
        fn scale_is_the_same_in_64_and_128_bits(
            v in prop_oneof![any::<i64>(), -4_000_000_000i64..4_000_000_000],
            num in prop_oneof![any::<i64>(), -4_000_000_000i64..4_000_000_000],
            den in prop_oneof![any::<i64>(), 1i64..1_000, (0..63).prop_map(|power| 1_i64 << power)],
        ) {
            prop_assert_eq!(Span::from_nanos(v).scale(num, den), Span::from_nanos(v).scale_wide(num, den));
        }

        #[test]
        fn seconds_round_trip(ms in -1_000_000_000i64..1_000_000_000) {
            prop_assert_eq!(Span::from_secs_f64(ms as f64 / 1e3), Some(Span::from_millis(ms)));
        }
    }
}
