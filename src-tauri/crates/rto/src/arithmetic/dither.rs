//! A uniform random draw and the exact arithmetic of dithered timeouts.

use super::Ratio;
use base::Span;

/// A random draw, uniform on [0, 1): the numerator n of n/2^32. The engine draws; estimators only use it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dither(pub u32);

impl Dither {
    /// No dithering: the lower end of the interval.
    pub const NONE: Self = Self(0);

    /// Returns the draw nearest to `u`, clamped to [0, 1).
    #[must_use]
    pub fn from_f64(u: f64) -> Self {
        // Float-to-integer casts saturate: below 0 and NaN give 0, 1 and above give the last draw.
        Self((u * 4_294_967_296.0).round() as u32)
    }

    /// Returns a whole number from 0 to `choices` - 1, all of them equally likely; 0 when there are none.
    #[must_use]
    pub(crate) fn below(self, choices: i64) -> i64 {
        // Less than `choices`, so the cast is exact.
        ((i128::from(self.0) * i128::from(choices.max(0))) >> u32::BITS) as i64
    }

    /// Returns the draw as a fraction (numerator, denominator), the latter always 2^32.
    #[must_use]
    pub const fn ratio(self) -> (i64, i64) {
        (self.0 as i64, 1 << 32)
    }

    /// Returns this fraction of `span`, rounded half away from zero.
    #[must_use]
    pub(crate) fn of(self, span: Span) -> Span {
        self.part(span, 1, 1)
    }

    /// Returns `base` lengthened to a uniform draw from [base, base·factor]: ACK_RANDOM_FACTOR of RFC 7252 §4.8.
    #[must_use]
    pub(crate) fn stretch(self, base: Span, factor: Ratio) -> Span {
        base + self.part(base, factor.num() - factor.den(), factor.den())
    }

    /// This share of num/den of `span`, rounded once, half away from zero. `num` is below 2^31 in magnitude.
    fn part(self, span: Span, num: i64, den: i64) -> Span {
        let (n, d) = self.ratio();
        // The division by 2^32 is a shift: ⌊(p + 2^31·den)/(2^32·den)⌋ = ⌊⌊(p + 2^31·den)/2^32⌋/den⌋ for p ≥ 0.
        let rounded = i128::from(span.nanos()) * i128::from(n * num) + (i128::from(den) << 31);
        match i64::try_from(rounded >> 32) {
            Ok(shifted) if span >= Span::ZERO && num >= 0 => Span::from_nanos(shifted / den),
            _ => span.scale(n * num, d * den),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn dither_covers_the_half_open_interval() {
        let stretch = |u| Dither::from_f64(u).stretch(Span::from_secs(2), Ratio::new(3, 2));
        assert_eq!(stretch(0.0), Span::from_secs(2));
        assert_eq!(stretch(0.5), Span::from_millis(2_500));
        assert_eq!(Dither::from_f64(7.0), Dither(u32::MAX));
        assert_eq!(stretch(7.0), Span::from_secs(3), "a quarter of a nanosecond below, rounded");
        assert_eq!(stretch(f64::NAN), Span::from_secs(2));
    }

    proptest! {
        #[test]
        fn a_shift_divides_as_a_division(u: u32, nanos: i64, num in 0i64..2_000_000, den in 1i64..1_000_000) {
            let span = Span::from_nanos(nanos);
            prop_assert_eq!(Dither(u).part(span, num, den), span.scale(i64::from(u) * num, den << 32));
        }
    }

    #[test]
    fn whole_numbers_are_below_their_bound() {
        assert_eq!((Dither::NONE.below(6), Dither(u32::MAX).below(6), Dither::from_f64(0.5).below(7)), (0, 5, 3));
        assert_eq!((Dither(u32::MAX).below(0), Dither(u32::MAX).below(-3)), (0, 0));
        assert!(Dither(u32::MAX).below(i64::MAX) < i64::MAX);
    }
}
