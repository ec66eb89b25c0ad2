//! Exact rational weights: 1/8 in a paper is 1/8 here.

use base::Span;
use std::cmp::Ordering;
use std::fmt;

/// A rational number, reduced, with a denominator from 1 to 10^6 and a magnitude of at most 10^6.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ratio {
    num: i64,
    den: i64,
}

/// Largest denominator and magnitude: parameters are typed with up to six decimals ([`Ratio::from_f64`]).
const LIMIT: i64 = 1_000_000;

impl Ratio {
    /// The ratio 0.
    pub const ZERO: Self = Self::new(0, 1);
    /// The ratio 1.
    pub const ONE: Self = Self::new(1, 1);

    /// `num/den` of a constant.
    ///
    /// # Panics
    /// If [`Ratio::checked`] refuses; in a `const` that is a compile error.
    #[must_use]
    pub const fn new(num: i64, den: i64) -> Self {
        match Self::checked(num, den) {
            Some(ratio) => ratio,
            None => panic!("a ratio's denominator is 1..=10^6 and its magnitude at most 10^6"),
        }
    }

    /// Returns `num/den` reduced; `None` when `den` is not positive or the type's limits are exceeded.
    #[must_use]
    pub const fn checked(num: i64, den: i64) -> Option<Self> {
        if den <= 0 || num == i64::MIN {
            return None;
        }
        let (mut a, mut b) = (num.abs(), den);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let (num, den) = (num / a, den / a);
        if den > LIMIT || num.abs() / den > LIMIT || (num.abs() / den == LIMIT && num.abs() % den != 0) {
            return None;
        }
        Some(Self { num, den })
    }

    /// Returns the nearest ratio with six decimals; `None` when not finite or above 10^6 in magnitude.
    #[must_use]
    pub fn from_f64(value: f64) -> Option<Self> {
        let scaled = (value * LIMIT as f64).round();
        // Beyond 10^12 the magnitude is refused anyway; below, the cast is exact.
        (scaled.abs() <= 1e12).then(|| Self::checked(scaled as i64, LIMIT)).flatten()
    }

    /// Reads `"1/8"` or `"0.125"`; `None` where the text is neither or beyond the type's limits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text.split_once('/') {
            Some((num, den)) => Self::checked(num.trim().parse().ok()?, den.trim().parse().ok()?),
            None => Self::from_f64(text.trim().parse().ok()?),
        }
    }

    /// The numerator of the reduced fraction.
    #[must_use]
    pub const fn num(self) -> i64 {
        self.num
    }

    /// The denominator of the reduced fraction, positive.
    #[must_use]
    pub const fn den(self) -> i64 {
        self.den
    }

    /// Returns the nearest floating-point number, for display and forms only.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        self.num as f64 / self.den as f64
    }

    /// Multiplies `span` by this, rounded once, half away from zero.
    #[must_use]
    pub const fn of(self, span: Span) -> Span {
        span.scale(self.num, self.den)
    }

    /// Returns one step of an exponentially weighted mean, (1−w)·old + w·new with w = `self`, rounded once.
    #[must_use]
    pub fn blend(self, old: Span, new: Span) -> Span {
        old + self.of(new - old)
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        // num ≤ 10^12 and den ≤ 10^6: the products fit.
        (self.num * other.den).cmp(&(other.num * self.den))
    }
}

/// `1.5` when six decimals say it all, `1/3` otherwise.
impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if LIMIT % self.den == 0 { write!(f, "{}", self.as_f64()) } else { write!(f, "{}/{}", self.num, self.den) }
    }
}

impl fmt::Debug for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.num, self.den)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_what_papers_print() {
        assert_eq!(Ratio::parse("1/8"), Some(Ratio::new(1, 8)));
        assert_eq!(Ratio::parse("0.125"), Some(Ratio::new(1, 8)));
        assert_eq!(Ratio::parse("-3 / 6"), Some(Ratio::new(-1, 2)));
        for refused in ["", "1/0", "1/-2", "x", "NaN", "inf", "1e9", "1/1000001", "1000001"] {
            assert_eq!(Ratio::parse(refused), None, "{refused}");
        }
        assert_eq!(Ratio::new(3, 2).to_string(), "1.5");
        assert_eq!(Ratio::new(1, 3).to_string(), "1/3");
        assert_eq!(
            Ratio::parse("1/3").map(|r| r.to_string()).as_deref().and_then(Ratio::parse),
            Some(Ratio::new(1, 3))
        );
    }

    #[test]
    fn blend_rounds_once_and_saturates() {
        let quarter = Ratio::new(1, 4);
        assert_eq!(
            quarter.blend(Span::from_nanos(250_000_000), Span::from_nanos(200_000_000)),
            Span::from_nanos(237_500_000)
        );
        assert_eq!(quarter.blend(Span::from_nanos(1), Span::from_nanos(0)), Span::from_nanos(1));
        assert_eq!(Ratio::ONE.blend(Span::ZERO, Span::MAX), Span::MAX);
        assert!(Ratio::new(1, 3) < Ratio::new(1, 2));
    }
}
