//! Numbers in sentences, in the digits of the window (`ui/src/format.ts`): what a sentence says stands in the table
//! below it.

use crate::view::MetricSpec;

/// No-break space, between a number and its unit.
const NO_BREAK: char = '\u{a0}';
/// Narrow no-break space, between groups of three digits.
const THIN: char = '\u{202f}';
const MINUS: char = '\u{2212}';
/// Text for a value that is no number.
const NONE: &str = "–";
/// Greatest number of decimals of a column. Chosen here: milliseconds of seconds and thousandths of per cent; finer
/// differences are of no use to a timer.
const MOST_DECIMALS: i32 = 3;
/// Number of decimals of a column without an interval, which would say how many are known. Chosen here by judgement;
/// it decides how numbers look.
const DECIMALS: usize = 2;

/// Returns `value` with fixed decimals, halves away from zero, digits in groups of three; `–` for what is not finite.
pub(super) fn fixed(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return NONE.to_owned();
    }
    let text = digits(value.abs(), decimals);
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut grouped = String::with_capacity(text.len() + 4);
    // No sign where nothing is left.
    if value < 0.0 && text.contains(|c: char| ('1'..='9').contains(&c)) {
        grouped.push(MINUS);
    }
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(THIN);
        }
        grouped.push(digit);
    }
    grouped + rest
}

/// Returns the number that `value` is read as with these decimals.
fn shown(value: f64, decimals: usize) -> f64 {
    digits(value.abs(), decimals).parse::<f64>().unwrap_or(f64::NAN).copysign(value)
}

/// Returns the digits of a value of 0 or more. Rust rounds exact halves to even digits, the window away from zero.
fn digits(value: f64, decimals: usize) -> String {
    // Exact halves are odd multiples of 2^-(decimals + 1): no other binary fraction ends in a 5 there.
    let halves = value * f64::from(2_u32.pow(decimals as u32 + 1));
    let is_half = halves % 2.0 == 1.0;
    format!("{:.decimals$}", if is_half { value.next_up() } else { value })
}

/// Returns a share, 0 to 1, in whole per cent, without the sign of per cent.
pub(super) fn whole_percent(share: f64) -> String {
    fixed(100.0 * share, 0)
}

/// Returns a share, 0 to 1, in whole per cent with the sign: `31 %`.
pub(super) fn percent(share: f64) -> String {
    format!("{}{NO_BREAK}%", whole_percent(share))
}

/// Format of the numbers of one measure, all with the same decimals.
#[derive(Debug)]
pub(super) struct Column {
    factor: f64,
    /// Text after each number, with its space; empty for counts.
    unit: String,
    decimals: usize,
}

impl Column {
    /// Returns the format of a measure with these 90 % intervals: as many decimals as show two digits of the middle
    /// width, at most three.
    pub(super) fn new(spec: &MetricSpec, intervals: impl Iterator<Item = (f64, f64)>) -> Self {
        let (factor, unit) = match spec.unit.as_str() {
            "fraction" => (100.0, "%"),
            "count" => (1.0, ""),
            unit => (1.0, unit),
        };
        let mut widths: Vec<f64> = intervals
            .map(|(lo, hi)| (hi * factor - lo * factor).abs())
            .filter(|width| *width > 0.0 && width.is_finite())
            .collect();
        widths.sort_by(f64::total_cmp);
        let middle = widths.get(widths.len().saturating_sub(1) / 2);
        let decimals = middle.map_or(DECIMALS, |width| {
            let digits = 1 - width.log10().floor() as i32;
            digits.clamp(0, MOST_DECIMALS) as usize
        });
        let unit = if unit.is_empty() { String::new() } else { format!("{NO_BREAK}{unit}") };
        Self { factor, unit, decimals }
    }

    /// Returns a value with its unit.
    pub(super) fn value(&self, value: f64) -> String {
        format!("{}{}", fixed(value * self.factor, self.decimals), self.unit)
    }

    /// Returns an interval with its unit: `2.2 – 3.9 s`.
    pub(super) fn range(&self, (lo, hi): (f64, f64)) -> String {
        format!("{} – {}{}", fixed(lo * self.factor, self.decimals), fixed(hi * self.factor, self.decimals), self.unit)
    }

    /// Returns -1 or 1 for an interval below or above zero in the digits that are shown; else 0.
    pub(super) fn sign(&self, (lo, hi): (f64, f64)) -> i8 {
        let shown = |value: f64| shown(value * self.factor, self.decimals);
        if shown(hi) < 0.0 { -1 } else { i8::from(shown(lo) > 0.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Column, fixed, percent};
    use crate::view::replayed::metrics;
    use replay::MetricName;

    /// Digits of `fixed` in ui/src/format.ts (`toFixed` of ECMA-262, which takes the larger of two numbers that are as
    /// near).
    #[test]
    fn halves_are_rounded_away_from_zero_and_digits_grouped() {
        let said = |value, decimals| fixed(value, decimals);
        assert_eq!([0.5, 1.5, 2.5, -2.5].map(|v| said(v, 0)), ["1", "2", "3", "−3"]);
        assert_eq!([0.25, 1.25, 0.35, 1.005].map(|v| said(v, 1)), ["0.3", "1.3", "0.3", "1.0"]);
        assert_eq!([1.005, 0.125, 0.375].map(|v| said(v, 2)), ["1.00", "0.13", "0.38"]);
        assert_eq!(said(0.0625, 3), "0.063");
        assert_eq!([-0.04, 0.04, -0.0].map(|v| said(v, 1)), ["0.0", "0.0", "0.0"]);
        assert_eq!(said(1_234_567.891, 2), "1\u{202f}234\u{202f}567.89");
        assert_eq!(said(999.5, 0), "1\u{202f}000");
        assert_eq!([f64::NAN, f64::INFINITY].map(|v| said(v, 2)), ["–", "–"]);
        assert_eq!(percent(0.574), "57\u{a0}%");
    }

    #[test]
    fn decimals_follow_the_middle_width() {
        let column = |intervals: &[(f64, f64)]| {
            Column::new(&metrics::spec(MetricName::DurationMean), intervals.iter().copied()).value(17.123_456)
        };
        assert_eq!(column(&[]), "17.12\u{a0}s");
        assert_eq!(column(&[(2.2, 3.9)]), "17.1\u{a0}s");
        assert_eq!(column(&[(1.0, 1.2), (1.0, 1.000_2), (3.0, 40.0)]), "17.12\u{a0}s");
        assert_eq!(column(&[(1.0, 1.000_02)]), "17.123\u{a0}s", "three at most");
        assert_eq!(column(&[(1.0, 1.0), (f64::NAN, 2.0), (0.0, 300.0)]), "17\u{a0}s", "only widths count");
        let share = Column::new(&metrics::spec(MetricName::PlrExchange), [(0.002, 0.006)].into_iter());
        assert_eq!(share.range((0.1, 0.3)), "10.00 – 30.00\u{a0}%");
    }

    #[test]
    fn a_sign_is_that_of_the_digits_that_are_shown() {
        let column = Column::new(&metrics::spec(MetricName::DurationMean), [(2.2, 3.9)].into_iter());
        let signs = [(-2.0, -0.06), (-2.0, -0.04), (-0.04, 2.0), (0.04, 2.0), (0.06, 2.0), (f64::NAN, f64::NAN)];
        assert_eq!(signs.map(|interval| column.sign(interval)), [-1, 0, 0, 0, 1, 0]);
    }
}
