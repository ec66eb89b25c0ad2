//! Literals, read as values of the kind that their field has.

use super::field::{Kind, Value};
use std::cmp::Ordering;
use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};
use trace::Code;

/// Value that a field is compared with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Literal {
    /// Literal of flags, true or false.
    Flag(bool),
    /// Literal of numbers, names and codes.
    Number(i64),
    /// Literal of times and durations, nanoseconds.
    Nanos(i64),
    /// Literal of texts, unquoted and unescaped.
    Text(String),
    /// Literal of octets, in their order.
    Octets(Vec<u8>),
    /// Literal of 64-bit link-layer addresses.
    Eui64([u8; 8]),
    /// Literal of IPv6 addresses: a prefix and its length in bits; 128 is one address.
    Ipv6(Ipv6Addr, u8),
    /// Literal of IPv4 addresses: a prefix and its length in bits; 32 is one address.
    Ipv4(Ipv4Addr, u8),
}

impl Literal {
    /// Reads a bare word as a value of `kind`; `None` where it is none.
    pub(super) fn of_word(kind: Kind, word: &str) -> Option<Self> {
        match kind {
            Kind::Protocol => None,
            Kind::Flag | Kind::Bool => match word {
                "true" | "True" | "TRUE" | "1" => Some(Self::Flag(true)),
                "false" | "False" | "FALSE" | "0" => Some(Self::Flag(false)),
                _ => None,
            },
            Kind::Number => number(word).map(Self::Number),
            Kind::Name(names) => {
                let named = names.iter().find(|name| name.0.eq_ignore_ascii_case(word)).map(|name| name.1);
                named.or_else(|| number(word)).map(Self::Number)
            }
            Kind::Code => code(word).or_else(|| number(word)).map(Self::Number),
            Kind::Time => nanos(word).map(Self::Nanos),
            Kind::Text => Some(Self::Text(word.to_owned())),
            Kind::Octets => octets(word).map(Self::Octets),
            Kind::Eui64 => octets(word)?.try_into().ok().map(Self::Eui64),
            Kind::Ipv6 => prefix(word, 128).map(|(addr, len)| Self::Ipv6(addr, len)),
            Kind::Ipv4 => prefix(word, 32).map(|(addr, len)| Self::Ipv4(addr, len)),
        }
    }

    /// Reads a quoted string as a value of `kind`; `None` where it is none.
    pub(super) fn of_text(kind: Kind, text: &str) -> Option<Self> {
        match kind {
            Kind::Text => Some(Self::Text(text.to_owned())),
            Kind::Octets => Some(Self::Octets(text.as_bytes().to_vec())),
            _ => Self::of_word(kind, text),
        }
    }

    /// Returns whether the literal stands for more than one value.
    pub(super) const fn is_range(&self) -> bool {
        matches!(self, Self::Ipv6(_, 0..128) | Self::Ipv4(_, 0..32))
    }

    /// Compares `value` with the literal; `Equal` for an address in a prefix, `None` where they are not comparable.
    pub(super) fn order(&self, value: Value<'_>) -> Option<Ordering> {
        Some(match (value, self) {
            (Value::Flag(a), Self::Flag(b)) => a.cmp(b),
            (Value::Number(a), Self::Number(b)) | (Value::Nanos(a), Self::Nanos(b)) => a.cmp(b),
            (Value::Text(a), Self::Text(b)) => a.cmp(b.as_str()),
            (Value::Octets(a), Self::Octets(b)) => a.cmp(b.as_slice()),
            (Value::Eui64(a), Self::Eui64(b)) => a.cmp(b),
            (Value::Address(a), Self::Ipv6(b, len)) => masked(a.into(), *len).cmp(&masked((*b).into(), *len)),
            (Value::Address(a), Self::Ipv4(b, len)) => {
                let (a, b, len) = (u128::from(a), u128::from(b.to_ipv6_mapped()), len.saturating_add(96));
                masked(a, len).cmp(&masked(b, len))
            }
            _ => return None,
        })
    }

    /// Returns whether `value` contains the literal; false for kinds other than text and octets.
    pub(super) fn is_in(&self, value: Value<'_>) -> bool {
        match (value, self) {
            (Value::Text(a), Self::Text(b)) => a.contains(b.as_str()),
            (Value::Octets(a), Self::Octets(b)) => b.is_empty() || a.windows(b.len()).any(|part| part == b),
            _ => false,
        }
    }
}

/// Address with all but its first `len` bits zero.
fn masked(address: u128, len: u8) -> u128 {
    if len == 0 { 0 } else { address & u128::MAX.checked_shl(128 - u32::from(len.min(128))).unwrap_or(u128::MAX) }
}

fn number(word: &str) -> Option<i64> {
    let (sign, digits) = word.strip_prefix('-').map_or((1, word), |rest| (-1, rest));
    let size = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) if hex.starts_with(|c: char| c.is_ascii_hexdigit()) => i64::from_str_radix(hex, 16).ok()?,
        None if digits.starts_with(|c: char| c.is_ascii_digit()) => digits.parse().ok()?,
        _ => return None,
    };
    Some(sign * size)
}

/// Reads a code: `2.05`, or the registered name of one.
fn code(word: &str) -> Option<i64> {
    if let Some((class, detail)) = word.split_once('.') {
        let (class, detail) = (class.parse::<u8>().ok()?, detail.parse::<u8>().ok()?);
        return (class < 8 && detail < 32).then(|| i64::from(class << 5 | detail));
    }
    let named = (0..=u8::MAX).find(|&code| Code(code).name().is_some_and(|name| name.eq_ignore_ascii_case(word)));
    named.map(i64::from)
}

/// Units of time in nanoseconds, by suffix; the longer of two that end alike comes first.
const UNITS: [(&str, i128); 8] = [
    ("min", 60_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("µs", 1_000),
    ("ns", 1),
    ("s", 1_000_000_000),
    ("h", 3_600_000_000_000),
    ("d", 86_400_000_000_000),
];

/// Reads a time as nanoseconds: `12.5` (seconds), `200ms`, `6:31.2`, `1:06:31`.
fn nanos(word: &str) -> Option<i64> {
    let (sign, size) = word.strip_prefix('-').map_or((1, word), |rest| (-1, rest));
    let total = if size.contains(':') {
        let mut parts = size.rsplitn(3, ':');
        let seconds = decimal(parts.next()?, 1_000_000_000)?;
        let minutes: i128 = whole(parts.next()?)?;
        let hours: i128 = parts.next().map_or(Some(0), whole)?;
        if seconds >= 60_000_000_000 || (hours > 0 && minutes >= 60) {
            return None;
        }
        hours.checked_mul(3_600_000_000_000)?.checked_add(minutes.checked_mul(60_000_000_000)?)? + seconds
    } else {
        let unit = UNITS.iter().find_map(|(suffix, unit)| Some((size.strip_suffix(suffix)?, *unit)));
        let (digits, unit) = unit.unwrap_or((size, 1_000_000_000));
        decimal(digits, unit)?
    };
    i64::try_from(sign * total).ok()
}

fn whole(digits: &str) -> Option<i128> {
    (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
        .then(|| digits.parse::<u32>().ok())?
        .map(i128::from)
}

/// Reads a decimal number of `unit` nanoseconds, exactly; `None` for anything finer than a nanosecond.
fn decimal(digits: &str, unit: i128) -> Option<i128> {
    let (before, after) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if before.is_empty() || before.len() > 18 || after.len() > 18 || !all_digits(before) || !all_digits(after) {
        return None;
    }
    let mut total = before.parse::<i128>().ok()?.checked_mul(unit)?;
    if !after.is_empty() {
        let scale = 10_i128.checked_pow(u32::try_from(after.len()).ok()?)?;
        let part = after.parse::<i128>().ok()?.checked_mul(unit)?;
        if part % scale != 0 {
            return None;
        }
        total = total.checked_add(part / scale)?;
    }
    Some(total)
}

/// Reads octets: `be:ef`, `be-ef`, `beef`, `0xbeef`.
fn octets(word: &str) -> Option<Vec<u8>> {
    let digits = word.strip_prefix("0x").unwrap_or(word);
    let groups: Vec<&str> = digits.split([':', '-']).collect();
    let pairs: Vec<&str> = match groups.as_slice() {
        [all] if all.len() > 2 => {
            if !all.is_ascii() || all.len() % 2 != 0 {
                return None;
            }
            (0..all.len()).step_by(2).filter_map(|at| all.get(at..at + 2)).collect()
        }
        _ => groups,
    };
    let octet = |pair: &str| {
        let hex = (1..=2).contains(&pair.len()) && pair.bytes().all(|b| b.is_ascii_hexdigit());
        hex.then(|| u8::from_str_radix(pair, 16).ok())?
    };
    pairs.into_iter().map(octet).collect()
}

/// Reads an address, or an address and a number of bits up to `most`.
fn prefix<A: std::str::FromStr>(word: &str, most: u8) -> Option<(A, u8)> {
    let (address, len) = match word.split_once('/') {
        Some((address, len)) if !len.starts_with('+') => (address, len.parse().ok()?),
        Some(_) => return None,
        None => (word, most),
    };
    Some((address.parse().ok().filter(|_| len <= most)?, len))
}

/// Writes the literal so that it parses back to itself.
impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Nanos(nanos) => {
                let sign = if *nanos < 0 { "-" } else { "" };
                let (whole, rest) = (nanos.unsigned_abs() / 1_000_000_000, nanos.unsigned_abs() % 1_000_000_000);
                let digits = format!("{rest:09}");
                let digits = digits.trim_end_matches('0');
                write!(f, "{sign}{whole}{}{digits}", if digits.is_empty() { "" } else { "." })
            }
            Self::Text(text) => write!(f, "\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
            Self::Octets(octets) if octets.is_empty() => f.write_str("\"\""),
            Self::Octets(octets) => colons(f, octets),
            Self::Eui64(octets) => colons(f, octets),
            Self::Ipv6(address, 128) => write!(f, "{address}"),
            Self::Ipv6(address, len) => write!(f, "{address}/{len}"),
            Self::Ipv4(address, 32) => write!(f, "{address}"),
            Self::Ipv4(address, len) => write!(f, "{address}/{len}"),
        }
    }
}

fn colons(f: &mut fmt::Formatter<'_>, octets: &[u8]) -> fmt::Result {
    for (index, octet) in octets.iter().enumerate() {
        write!(f, "{}{octet:02x}", if index > 0 { ":" } else { "" })?;
    }
    Ok(())
}
