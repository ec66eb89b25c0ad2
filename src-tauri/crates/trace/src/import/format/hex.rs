//! Octets as hexadecimal digits: dumps as `text2pcap` reads and `tshark -x` prints them, and one frame a line.
//!
//! ```text
//! 2026-01-31 10:11:12.345678          a time, if there is one: also hh:mm:ss.frac, or seconds since 1970
//! 0000  41 d8 07 cd ab ff ff 01 …  A….    the offset in hexadecimal; 0 begins a frame
//! 0010  e0 40 …
//!
//! 12.345 41d807cdabffff01…            or all of a frame on a line, behind its time if there is one
//! ```
//!
//! A dump does not say what its octets are: IPv4, IPv6 and Ethernet where all lengths agree, else 802.15.4.

use super::dcf;
use super::line::{self, Lines, Place, number};
use crate::import::builder::{CAPTURE, CaptureBuilder, RawRecord};
use crate::import::clock::{self, Origin};
use crate::import::framing::Payload;
use crate::import::stream::Stream;
use crate::import::trailer::Rule;
use crate::import::{ImportError, ImportOptions};
use crate::model::{Format, Link};
use base::{Instant, Layer};
use std::ops::ControlFlow;

/// Octets of the shortest frame: an acknowledgement without its check sequence.
const SHORTEST: usize = 3;

/// Form in which a file shows octets. A row of a dump can look like a frame on a line, and the other way round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// Rows of octets behind their offset in the frame.
    Dump,
    /// One line for each frame.
    Lines,
}

/// Content of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Row<'a> {
    /// A row of a dump: its offset in the frame, and the octets with text beside them.
    At(usize, &'a [u8]),
    /// A whole frame: its time, where it has one, and its digits.
    Frame(Option<Instant>, &'a [u8]),
    /// The time of the frame that follows, and whether it has a date.
    Time(Instant, bool),
    /// None of these.
    Other,
}

impl<'a> Row<'a> {
    /// Parses a line of a file of the given form; `None` while the form is not known.
    fn parse(line: &'a [u8], form: Option<Form>) -> Self {
        let (first, rest) = line.split_at(line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len()));
        let rest = rest.trim_ascii();
        let offset = first.strip_suffix(b":").unwrap_or(first);
        let offset = offset.strip_prefix(b"0x").unwrap_or(offset);
        if (3..=8).contains(&offset.len())
            && let Some(at) = std::str::from_utf8(offset).ok().and_then(|text| usize::from_str_radix(text, 16).ok())
            && pairs(rest).next().is_some()
            && (form == Some(Form::Dump) || (form.is_none() && (at == 0 || !is_octets(line))))
        {
            return Self::At(at, rest);
        }
        if is_octets(line) {
            return Self::Frame(None, line);
        }
        match (dcf::seconds(first), time(line)) {
            (Some(at), _) if is_octets(rest) && first.contains(&b'.') => Self::Frame(Some(at), rest),
            (Some(at), _) if rest.is_empty() && first.contains(&b'.') => Self::Time(at, true),
            (_, Some((at, dated))) => Self::Time(at, dated),
            _ => Self::Other,
        }
    }
}

/// Returns whether `text` is nothing but the octets of a frame.
fn is_octets(text: &[u8]) -> bool {
    let mut octets = Vec::new();
    line::octets(text.strip_prefix(b"0x").unwrap_or(text), &mut octets).is_some() && octets.len() >= SHORTEST
}

/// Returns the leading words of two or four digits; the text beside the octets follows them.
fn pairs(row: &[u8]) -> impl Iterator<Item = &[u8]> {
    let words = row.split(|&octet| matches!(octet, b' ' | b'\t' | b'-')).filter(|word| !word.is_empty());
    words.take_while(|word| word.len() % 2 == 0 && word.len() <= 4 && word.iter().all(u8::is_ascii_hexdigit))
}

/// Parses `hh:mm:ss.fraction`, which may stand behind `yyyy-mm-dd` and a blank or a T; true where it does.
fn time(text: &[u8]) -> Option<(Instant, bool)> {
    let mut words = text.split(|&octet| matches!(octet, b' ' | b'T')).filter(|word| !word.is_empty());
    let first = words.next()?;
    let (days, clock) = match date(first) {
        Some(days) => (Some(days), words.next()?),
        None => (None, first),
    };
    let mut parts = clock.splitn(3, |&octet| octet == b':');
    let (hours, minutes): (i64, i64) = (number(parts.next()?)?, number(parts.next()?)?);
    let seconds = dcf::seconds(parts.next()?.strip_suffix(b"Z").unwrap_or(clock.rsplit(|&o| o == b':').next()?))?;
    let before = days.unwrap_or(0) * 86_400 + hours * 3_600 + minutes * 60;
    (hours < 24 && minutes < 60).then_some((seconds + base::Span::from_secs(before), days.is_some()))
}

/// Parses `yyyy-mm-dd` as days from 1970-01-01 (Hinnant, chrono-Compatible Low-Level Date Algorithms); `None` outside
/// 1970 to 2261.
fn date(text: &[u8]) -> Option<i64> {
    let mut parts = text.splitn(3, |&octet| octet == b'-');
    let (year, month, day): (i64, i64, i64) = (number(parts.next()?)?, number(parts.next()?)?, number(parts.next()?)?);
    if !(1970..2262).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // Years begin in March, so that the leap day is their last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let of_year = (153 * month + 2) / 5 + day - 1;
    Some(year * 365 + year / 4 - year / 100 + year / 400 + of_year - 719_468)
}

/// Returns whether the first `lines` of a file are such a dump.
pub(in crate::import) fn is_hex<'a>(lines: impl Iterator<Item = &'a [u8]>) -> bool {
    let mut rows = lines.filter(|line| !line.starts_with(b"#")).map(|line| Row::parse(line, None));
    match rows.next() {
        Some(Row::At(at, _)) => at == 0,
        Some(Row::Frame(..)) => true,
        Some(Row::Time(..)) => matches!(rows.next(), Some(Row::At(0, _))),
        _ => false,
    }
}

/// Frame being collected.
#[derive(Default)]
struct Draft {
    octets: Vec<u8>,
    at: Option<Instant>,
}

/// Reads all frames into `builder`; times without a date count from midnight, as those of a simulation.
///
/// # Errors
/// Errors of the stream.
pub(in crate::import) fn import(
    stream: &mut Stream<'_>,
    builder: &mut CaptureBuilder,
    options: &ImportOptions,
) -> Result<(Format, Origin), ImportError> {
    let rule = options.fcs.forced().map_or(Rule::Detect { promised: false }, Rule::Given);
    let source = builder.source(CAPTURE.to_owned(), None, rule);
    let mut lines = Lines::default();
    let (mut draft, mut next, mut has_date) = (Draft::default(), None, false);
    let mut form = None;
    let (mut frame, mut full) = (Vec::new(), false);
    let mut push = |octets: &[u8], at: Option<Instant>, builder: &mut CaptureBuilder| {
        let at = at.unwrap_or_else(|| {
            builder.notes.tally(Layer::Clock, "no-time-stamp", Some(builder.next()), None, || {
                "there is no time beside its octets; took the time of the frame before it".to_owned()
            });
            clock::UNKNOWN
        });
        let flow = builder.push(&RawRecord { at, source, payload: Payload::new(link_of(octets), octets, 0) });
        full = flow.is_break();
        flow
    };
    while let Some((place, line)) = lines.next(stream, &mut builder.notes)? {
        let row = Row::parse(line, form);
        form = form.or(match row {
            Row::At(..) => Some(Form::Dump),
            Row::Frame(..) => Some(Form::Lines),
            Row::Time(..) | Row::Other => None,
        });
        let flow = match row {
            _ if line.is_empty() || line.starts_with(b"#") => ControlFlow::Continue(()),
            Row::At(offset, row) => {
                let flow = match offset {
                    0 if !draft.octets.is_empty() => push(&draft.octets, draft.at, builder),
                    _ => ControlFlow::Continue(()),
                };
                if offset == 0 {
                    draft.octets.clear();
                    draft.at = next.take();
                }
                gather(offset, row, &mut draft.octets, place, builder);
                flow
            }
            Row::Frame(at, digits) => {
                frame.clear();
                has_date |= at.is_some();
                match line::octets(digits.strip_prefix(b"0x").unwrap_or(digits), &mut frame) {
                    Some(()) => push(&frame, at, builder),
                    None => ControlFlow::Continue(()),
                }
            }
            Row::Time(at, dated) => {
                has_date |= dated;
                next = Some(at);
                ControlFlow::Continue(())
            }
            Row::Other => {
                place.skip_row(builder, "it is neither octets in hexadecimal nor a time");
                ControlFlow::Continue(())
            }
        };
        if flow.is_break() {
            break;
        }
    }
    if !draft.octets.is_empty() {
        let _the_last = push(&draft.octets, draft.at, builder);
    }
    // Times without a date count from midnight: no wall clock.
    Ok((Format::HexDump, if has_date { Origin::Unix } else { Origin::Simulation }))
}

/// Adds a row of a dump to a frame; a row that does not begin where the last one ended is left out with a note.
fn gather(offset: usize, row: &[u8], into: &mut Vec<u8>, place: Place, builder: &mut CaptureBuilder) {
    if offset != into.len() {
        return place.skip_row(builder, "its offset is not where the row before it ended");
    }
    // Text beside the octets can look like one more: a row has sixteen.
    for pair in pairs(row) {
        if into.len() - offset >= 16 || line::octets(pair, into).is_none() {
            break;
        }
    }
}

/// Guesses the link type of a frame from its lengths.
fn link_of(octets: &[u8]) -> Link {
    let length =
        |at: usize| octets.get(at..).and_then(<[u8]>::first_chunk).map(|&n| usize::from(u16::from_be_bytes(n)));
    let is_ip = |from: usize| match octets.get(from).map(|octet| octet >> 4) {
        Some(6) => length(from + 4).is_some_and(|n| from + 40 + n == octets.len()),
        Some(4) => length(from + 2).is_some_and(|n| from + n == octets.len()),
        _ => false,
    };
    match length(12) {
        _ if is_ip(0) => Link::RawIp,
        Some(0x0800 | 0x86dd) if is_ip(14) => Link::Ethernet,
        _ => Link::Ieee802154,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows() {
        let parse = |line: &'static [u8]| Row::parse(line, Some(Form::Dump));
        assert_eq!(parse(b"0000  41 d8 07  A.."), Row::At(0, b"41 d8 07  A.."));
        assert_eq!(parse(b"0x0010:  41d8 07cd"), Row::At(16, b"41d8 07cd"));
        assert_eq!(parse(b"41d807cdab"), Row::Frame(None, b"41d807cdab"));
        let line = b"41d807cd abffff01";
        assert_eq!(parse(line), Row::Frame(None, line));
        assert_eq!(Row::parse(line, None), Row::Frame(None, line));
        assert_eq!(Row::parse(b"0000 41 d8", Some(Form::Lines)), Row::Frame(None, b"0000 41 d8"));
        assert_eq!(parse(b"41 d8 07"), Row::Frame(None, b"41 d8 07"));
        let at = Some(Instant::from_nanos(12_500_000_000));
        assert_eq!(parse(b"12.5 41d807"), Row::Frame(at, b"41d807"));
        // 2024-02-29 12:00:00 UTC is 1 709 208 000 s.
        let noon = Instant::from_nanos(1_709_208_000_250_000_000);
        assert_eq!(parse(b"2024-02-29 12:00:00.25"), Row::Time(noon, true));
        assert_eq!(parse(b"2024-02-29T12:00:00.25Z"), Row::Time(noon, true));
        assert_eq!(parse(b"00:00:01.5"), Row::Time(Instant::from_nanos(1_500_000_000), false));
        for no in [&b"some text"[..], b"25:00:00", b"12", b"0000"] {
            assert_eq!(parse(no), Row::Other, "{}", String::from_utf8_lossy(no));
        }
    }
}
