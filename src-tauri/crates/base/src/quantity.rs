//! Times as people write them: a number and a unit.

use crate::time::Span;

/// Units of time with their length in nanoseconds.
const TIMES: [(&str, f64); 8] =
    [("ns", 1.0), ("us", 1e3), ("µs", 1e3), ("ms", 1e6), ("min", 60e9), ("s", 1e9), ("h", 3_600e9), ("d", 86_400e9)];

/// Reads a time, none below zero: a number of seconds, or a number with a unit, such as `20ms` or `1.5 min`.
///
/// # Errors
/// A sentence that says which forms there are.
pub fn read_span(text: &str) -> Result<Span, String> {
    let (number, unit) = split_unit(text);
    let scale =
        if unit.is_empty() { Some(1e9) } else { TIMES.iter().find(|&&(name, _)| name == unit).map(|&(_, n)| n) };
    let scale = scale.ok_or_else(|| {
        let units = TIMES.map(|(name, _)| name).join(", ");
        format!("`{unit}` is no unit of time; there are {units}, and without one it is seconds")
    })?;
    let number: f64 = number.parse().map_err(|_| format!("`{text}` is not a time such as 2, 20ms or 1.5min"))?;
    let nanos = number * scale;
    if nanos < 0.0 {
        return Err(format!("a time is not below zero: {text}"));
    }
    // In seconds as they were given where there is no unit: no rounding on the way.
    let span = if scale == 1e9 { Span::from_secs_f64(number) } else { Span::from_secs_f64(nanos / 1e9) };
    span.ok_or_else(|| format!("`{text}` is not a time that can be counted in nanoseconds"))
}

/// Splits a text after its last digit or point into number and unit, both without white space around them; either may
/// be empty.
#[must_use]
pub fn split_unit(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.rfind(|c: char| c.is_ascii_digit() || c == '.').map_or(0, |at| at + 1);
    let (number, unit) = text.split_at(end);
    (number.trim(), unit.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        let nanos = |text| read_span(text).map(Span::nanos);
        for (text, expected) in [
            ("2", 2_000_000_000),
            ("0", 0),
            ("0.25", 250_000_000),
            ("20ms", 20_000_000),
            ("1.5 min", 90_000_000_000),
            ("1h", 3_600_000_000_000),
            ("1e-3s", 1_000_000),
            ("7us", 7_000),
            ("7 µs", 7_000),
            ("3ns", 3),
        ] {
            assert_eq!(nanos(text), Ok(expected), "{text}");
        }
        for text in ["", "s", "-1", "-1ms", "2 parsecs", "nan", "inf", "1.2.3", "1e300"] {
            assert!(read_span(text).is_err(), "{text}");
        }
    }
}
