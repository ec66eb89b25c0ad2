//! The radio log that Cooja's "Radio messages" window saves (RadioLogger.java, `toString`; the same from
//! 2.7 on). One line per transmission, in the order in which they ended:
//!
//! ```text
//! ms TAB sender TAB receivers TAB LEN: 0xHEX
//! ```
//!
//! `receivers` are the motes that got the frame undisturbed: `-` or ids joined by commas. `ms` is the start of the
//! transmission. Whether HEX ends in a check sequence depends on the version and on the kind of mote.

use super::intake::{Directory, Intake, Record};
use super::link::Payload;
use super::stream::Stream;
use super::trailer::Rule;
use super::{ImportError, ImportOptions};
use crate::capture::{Format, Link};
use base::{FrameId, Instant, Layer, Notes, SourceId};
use std::ops::ControlFlow;

/// A longer line is not a row: a frame of 127 octets that ten thousand motes heard takes less.
const LONGEST: usize = 64 * 1024;

/// A line of a radio log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Row<'a> {
    at: Instant,
    mote: u32,
    receivers: &'a [u8],
    data: Data<'a>,
}

/// The last column of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Data<'a> {
    /// The announced length, and hexadecimal digits.
    Hex(u32, &'a [u8]),
    /// What an analyzer made of the frame.
    Summary,
    /// `[unknown data]`: a radio without packets (Cooja up to 3.1).
    Unknown,
}

impl<'a> Row<'a> {
    /// From a line without its end.
    pub(super) fn parse(line: &'a [u8]) -> Option<Self> {
        let mut columns = line.splitn(4, |&octet| octet == b'\t').map(<[u8]>::trim_ascii);
        let at = time(columns.next()?)?;
        let mote = number(columns.next()?)?;
        let receivers = columns.next()?;
        let data = columns.next()?;
        let data = if data == b"[unknown data]" {
            Data::Unknown
        } else {
            let colon = data.iter().position(|&octet| octet == b':')?;
            let length = number(data.get(..colon)?.trim_ascii_end())?;
            let rest = data.get(colon + 1..)?.trim_ascii_start();
            rest.strip_prefix(b"0x").map_or(Data::Summary, |digits| Data::Hex(length, digits))
        };
        Some(Self { at, mote, receivers, data })
    }
}

/// Read all rows into `intake`.
pub(super) fn import(
    stream: &mut Stream<'_>,
    intake: &mut Intake,
    options: &ImportOptions,
) -> Result<Format, ImportError> {
    let rule = options.fcs.forced().map_or(Rule::Detect { promised: false }, Rule::Given);
    let mut log = Log { rule, motes: Directory::new(), octets: Vec::new(), receivers: Vec::new(), heard: true };
    let (mut number, mut summary) = (0_u64, None);
    if stream.fill(3)? >= 3 && stream.octets().starts_with(b"\xef\xbb\xbf") {
        stream.consume(3);
    }
    loop {
        let at = Place { line: number + 1, offset: stream.offset() };
        let (length, end) = match find_end(stream)? {
            Line::End => break,
            Line::Long(n) => {
                stream.consume(n);
                at.skip(&mut intake.notes, "it is no row of a radio log");
                number += u64::from(skip_line(stream)?);
                continue;
            }
            Line::Whole(length) => (length, length + 1),
            Line::Cut(length) => (length, length),
        };
        number += 1;
        let is_cut = length == end;
        let line = stream.octets().get(..length).unwrap_or_default().trim_ascii();
        let row = Row::parse(line);
        match row.map(|row| row.data) {
            _ if line.is_empty() => {}
            Some(Data::Summary) => {
                summary.get_or_insert(number);
                at.skip(&mut intake.notes, "it is an analyzer's summary, not the frame");
            }
            Some(Data::Unknown) => at.skip(&mut intake.notes, "its radio sent no packet ([unknown data])"),
            _ => match row.map(|row| log.keep(&row, at, is_cut, intake)) {
                Some(Ok(ControlFlow::Continue(()))) => {}
                Some(Ok(ControlFlow::Break(()))) => break,
                Some(Err(_)) | None if is_cut => {
                    intake.notes.tally(Layer::File, "truncated-record", None, Some(at.offset), || {
                        format!("the file ends within line {number}, which was left out")
                    })
                }
                Some(Err(why)) => at.skip(&mut intake.notes, why),
                None => at.skip(&mut intake.notes, "it is no row of a radio log"),
            },
        }
        stream.consume(end);
    }
    match summary {
        Some(line) if intake.next() == FrameId(0) => Err(ImportError::AnalyzerSummary { line }),
        _ => Ok(Format::CoojaRadioLog),
    }
}

/// Where a line is.
#[derive(Clone, Copy)]
struct Place {
    line: u64,
    offset: u64,
}

impl Place {
    fn skip(self, notes: &mut Notes, why: &str) {
        let Self { line, offset } = self;
        notes.tally(Layer::File, "row-skipped", None, Some(offset), || format!("line {line} was skipped: {why}"));
    }
}

struct Log {
    rule: Rule,
    motes: Directory<u32>,
    octets: Vec<u8>,
    receivers: Vec<u32>,
    /// All receivers so far could be read.
    heard: bool,
}

impl Log {
    fn keep(
        &mut self,
        row: &Row<'_>,
        place: Place,
        is_cut: bool,
        intake: &mut Intake,
    ) -> Result<ControlFlow<()>, &'static str> {
        let Data::Hex(announced, digits) = row.data else { return Ok(ControlFlow::Continue(())) };
        self.octets.clear();
        decode(digits, &mut self.octets).ok_or("its digits are not pairs of hexadecimal digits")?;
        let held = u32::try_from(self.octets.len()).unwrap_or(u32::MAX);
        if held != announced {
            if is_cut {
                return Err("it is cut");
            }
            let Place { line, offset } = place;
            intake.notes.tally(Layer::File, "length-mismatch", None, Some(offset), || {
                format!("line {line} announces {announced} octets and holds {held}; those it holds were taken")
            });
        }
        if self.heard {
            self.hear(row.receivers, place, intake);
        }
        let source = self.source(row.mote, intake);
        let payload = Payload::new(Link::Ieee802154, &self.octets, announced.saturating_sub(held));
        Ok(intake.push(&Record { at: row.at, source, payload }))
    }

    fn source(&mut self, mote: u32, intake: &mut Intake) -> SourceId {
        self.motes.get(mote, || intake.source(format!("mote {mote}"), Some(mote), self.rule))
    }

    fn hear(&mut self, receivers: &[u8], place: Place, intake: &mut Intake) {
        self.receivers.clear();
        if receivers != b"-" {
            for id in receivers.split(|&octet| octet == b',') {
                let Some(id) = number(id.trim_ascii()) else {
                    self.heard = false;
                    intake.forget_heard();
                    intake.notes.tally(Layer::File, "receivers-unreadable", None, Some(place.offset), || {
                        let receivers = String::from_utf8_lossy(receivers.get(..40).unwrap_or(receivers));
                        format!(
                            "line {} gives its receivers as \"{receivers}\", not as mote ids; who received what is not used",
                            place.line
                        )
                    });
                    return;
                };
                self.receivers.push(id);
            }
        }
        intake.hear(&self.receivers);
    }
}

/// Where the line at the start of the window ends.
enum Line {
    /// After so many octets, with a line feed.
    Whole(usize),
    /// After so many octets, with the file.
    Cut(usize),
    /// Not within [`LONGEST`] octets.
    Long(usize),
    /// There is none.
    End,
}

fn find_end(stream: &mut Stream<'_>) -> Result<Line, ImportError> {
    let mut seen = 0;
    loop {
        let held = stream.fill(seen + 1)?;
        let fresh = stream.octets().get(seen..).unwrap_or_default();
        if let Some(at) = fresh.iter().position(|&octet| octet == b'\n') {
            return Ok(Line::Whole(seen + at));
        }
        match held {
            0 => return Ok(Line::End),
            _ if held == seen => return Ok(Line::Cut(held)),
            _ if held > LONGEST => return Ok(Line::Long(held)),
            _ => seen = held,
        }
    }
}

/// Consume the rest of a line; whether it had an end.
fn skip_line(stream: &mut Stream<'_>) -> Result<bool, ImportError> {
    loop {
        let held = stream.fill(1)?;
        if held == 0 {
            return Ok(false);
        }
        match stream.octets().iter().position(|&octet| octet == b'\n') {
            Some(at) => {
                stream.consume(at + 1);
                return Ok(true);
            }
            None => stream.consume(held),
        }
    }
}

/// A decimal number.
fn number<T: std::str::FromStr>(digits: &[u8]) -> Option<T> {
    let digits = std::str::from_utf8(digits).ok().filter(|text| text.starts_with(|c: char| c.is_ascii_digit()))?;
    digits.parse().ok()
}

/// Whole milliseconds, or what the window's time column shows: `mm:ss.mmm`, from one hour on `h:mm:ss.mmm`.
fn time(text: &[u8]) -> Option<Instant> {
    const MILLI: i64 = 1_000_000;
    let millis = match text.contains(&b':') {
        false => number::<i64>(text)?,
        true => {
            let dot = text.iter().position(|&octet| octet == b'.')?;
            let (clock, fraction) = (text.get(..dot)?, text.get(dot + 1..).filter(|f| f.len() == 3)?);
            let parts = clock.split(|&octet| octet == b':');
            let seconds = parts.clone().try_fold(0_i64, |sum, part| {
                sum.checked_mul(60)?.checked_add(number::<i64>(part).filter(|_| parts.clone().count() <= 3)?)
            })?;
            seconds.checked_mul(1_000)?.checked_add(number(fraction)?)?
        }
    };
    Some(Instant::from_nanos(millis.saturating_mul(MILLI)))
}

/// Append the octets that pairs of digits spell; blanks may stand between pairs.
fn decode(mut digits: &[u8], into: &mut Vec<u8>) -> Option<()> {
    /// The value of a digit; 0xff for all else.
    const VALUE: [u8; 256] = {
        let mut table = [0xff; 256];
        let mut i = 0;
        while i < 16 {
            table[b"0123456789ABCDEF"[i] as usize] = i as u8;
            table[b"0123456789abcdef"[i] as usize] = i as u8;
            i += 1;
        }
        table
    };
    loop {
        match digits {
            [] => return Some(()),
            [b' ' | b'\t', rest @ ..] => digits = rest,
            [high, low, rest @ ..] => {
                let (high, low) = (VALUE[usize::from(*high)], VALUE[usize::from(*low)]);
                if (high | low) & 0xf0 != 0 {
                    return None;
                }
                into.push(high << 4 | low);
                digits = rest;
            }
            [_] => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_every_version() {
        let row = |line: &'static str| Row::parse(line.as_bytes());
        let at = Instant::from_nanos(4_375_000_000);
        let data = Data::Hex(5, b"02000131 A4");
        assert_eq!(row("4375\t1\t2,3\t5: 0x02000131 A4"), Some(Row { at, mote: 1, receivers: b"2,3", data }));
        assert_eq!(row("4375\t1\t-\t  5: 0x02000131 A4\r").map(|r| r.data), Some(data));
        assert_eq!(row("4375\t1\t-\t  5: 15.4 A ").map(|r| r.data), Some(Data::Summary));
        assert_eq!(row("4375\t1\t-\t[unknown data]").map(|r| r.data), Some(Data::Unknown));
        for no in ["", "4375", "x\t1\t2\t5: 0x", "1\t2\t3\t", "00:00.065\tID:5\t[INFO: Main      ] x", "1:2:3"] {
            assert_eq!(row(no), None, "{no}");
        }
    }

    #[test]
    fn times() {
        let millis = |text: &str| time(text.as_bytes()).map(|t| t.nanos() / 1_000_000);
        assert_eq!(millis("97142"), Some(97_142));
        assert_eq!(millis("01:37.142"), Some(97_142));
        assert_eq!(millis("2:01:37.142"), Some(7_297_142));
        assert_eq!(millis("1:2:01:37.142"), None);
        assert_eq!(millis("01:37"), None);
        assert_eq!(millis("-1"), None);
        assert_eq!(millis("+1"), None);
    }

    #[test]
    fn digits() {
        let decoded = |text: &str| {
            let mut octets = Vec::new();
            decode(text.as_bytes(), &mut octets).map(|()| octets)
        };
        assert_eq!(decoded("02000131 a4F"), None);
        assert_eq!(decoded("02000131 a4Fe"), Some(vec![2, 0, 1, 0x31, 0xa4, 0xfe]));
        assert_eq!(decoded("0 2"), None);
        assert_eq!(decoded(""), Some(vec![]));
    }
}
