//! Numbers on the command line: whole ones with their least value, times and octets with units.

use api::{Span, read_span, split_unit};
use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use std::ffi::OsStr;
use std::marker::PhantomData;

/// Returns a parser of whole numbers from `least` to the greatest `T`; its error names the option.
pub fn whole<T: TryFrom<i128> + Clone + Send + Sync + 'static>(least: i128) -> Whole<T> {
    Whole { least, most: None, number: PhantomData }
}

/// Parses as [`whole`] does, up to `most`, inclusive.
pub fn between<T: TryFrom<i128> + Clone + Send + Sync + 'static>(least: i128, most: i128) -> Whole<T> {
    Whole { least, most: Some(most), number: PhantomData }
}

/// Parser of whole numbers within inclusive bounds; [`whole`] and [`between`] make it.
#[derive(Clone, Debug)]
pub struct Whole<T> {
    least: i128,
    most: Option<i128>,
    number: PhantomData<T>,
}

impl<T> Whole<T> {
    /// # Errors
    /// A sentence that begins with `name`.
    fn read(&self, name: &str, text: &str) -> Result<T, String>
    where
        T: TryFrom<i128>,
    {
        let number: i128 = text.parse().map_err(|_| format!("{name} must be a whole number, not `{text}`"))?;
        if number < self.least {
            return Err(format!("{name} must be at least {}", self.least));
        }
        if let Some(most) = self.most.filter(|&most| number > most) {
            return Err(format!("{name} must be at most {most}"));
        }
        T::try_from(number).map_err(|_| format!("{name} is too large: {number}"))
    }
}

impl<T: TryFrom<i128> + Clone + Send + Sync + 'static> TypedValueParser for Whole<T> {
    type Value = T;

    fn parse_ref(&self, command: &clap::Command, arg: Option<&clap::Arg>, value: &OsStr) -> Result<T, clap::Error> {
        let name = arg.map_or("this", |arg| arg.get_long().unwrap_or(arg.get_id().as_str()));
        let text = value.to_string_lossy();
        self.read(name, &text)
            .map_err(|said| clap::Error::raw(ErrorKind::ValueValidation, said + "\n").with_cmd(command))
    }
}

/// Reads a time as [`read_span`] does, above zero.
///
/// # Errors
/// As [`read_span`], and for zero.
pub fn positive_duration(text: &str) -> Result<Span, String> {
    let span = read_span(text)?;
    if span > Span::ZERO { Ok(span) } else { Err("a time above zero is needed here".to_owned()) }
}

/// Units of length with their number of octets: SI prefixes are powers of 1,000, IEC ones of 1,024.
const LENGTHS: [(&str, f64); 5] = [("B", 1.0), ("kB", 1e3), ("KiB", 1_024.0), ("MB", 1e6), ("MiB", 1_048_576.0)];

/// Reads a length, at least one octet: a number of octets, or a number with a unit, such as `1.5kB`.
///
/// # Errors
/// A sentence that says which forms there are.
pub fn octets(text: &str) -> Result<u32, String> {
    let (number, unit) = split_unit(text);
    let scale =
        if unit.is_empty() { Some(1.0) } else { LENGTHS.iter().find(|&&(name, _)| name == unit).map(|&(_, n)| n) };
    let scale = scale.ok_or_else(|| {
        let units = LENGTHS.map(|(name, _)| name).join(", ");
        format!("`{unit}` is no unit of length; there are {units}, and without one it is octets")
    })?;
    let number: f64 = number.parse().map_err(|_| format!("`{text}` is not a length such as 12 or 1.5kB"))?;
    let octets = number * scale;
    if !(1.0..=f64::from(u32::MAX)).contains(&octets) || octets.fract() != 0.0 {
        return Err(format!("`{text}` is not a whole number of octets from 1 to {}", u32::MAX));
    }
    Ok(octets as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_times_are_above_zero() {
        assert_eq!(positive_duration("20ms"), Ok(Span::from_millis(20)));
        assert!(positive_duration("0").is_err() && positive_duration("2 parsecs").is_err());
    }

    #[test]
    fn lengths_have_units() {
        assert_eq!(octets("12"), Ok(12));
        assert_eq!(octets("1.5kB"), Ok(1_500));
        assert_eq!(octets("2 KiB"), Ok(2_048));
        for text in ["0", "-1", "0.5", "1 s", "5 TB", ""] {
            assert!(octets(text).is_err(), "{text}");
        }
    }

    #[test]
    fn whole_numbers_name_their_option() {
        let read = |parser: Whole<u8>, text: &str| parser.read("seed", text);
        assert_eq!(read(whole(0), "255"), Ok(255));
        assert_eq!(read(whole(0), "-1"), Err("seed must be at least 0".to_owned()));
        assert_eq!(read(between(0, 20), "21"), Err("seed must be at most 20".to_owned()));
        assert_eq!(read(whole(0), "256"), Err("seed is too large: 256".to_owned()));
        assert_eq!(read(whole(0), "1.5"), Err("seed must be a whole number, not `1.5`".to_owned()));
    }
}
