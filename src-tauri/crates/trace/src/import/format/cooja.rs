//! The radio log that Cooja's "Radio messages" window saves (RadioLogger.java, `toString`; the same from
//! 2.7 on). One line per transmission, in the order in which they ended:
//!
//! ```text
//! ms TAB sender TAB receivers TAB LEN: 0xHEX
//! ```
//!
//! `receivers` are the motes that got the frame undisturbed: `-` or ids joined by commas. `ms` is the start of the
//! transmission. Whether HEX ends in a check sequence depends on the version and on the kind of mote.

use super::line::{self, Lines, Place, number};
use crate::import::builder::{CaptureBuilder, Directory, RawRecord};
use crate::import::framing::Payload;
use crate::import::stream::Stream;
use crate::import::trailer::Rule;
use crate::import::{ImportError, ImportOptions};
use crate::model::{Format, Link};
use base::{FrameId, Instant, Layer, SourceId};
use std::ops::ControlFlow;

/// A line of a radio log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::import) struct Row<'a> {
    at: Instant,
    mote: u32,
    receivers: &'a [u8],
    data: Data<'a>,
}

/// The last column of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Data<'a> {
    /// Announced length of the frame, octets, and its hexadecimal digits.
    Hex(u32, &'a [u8]),
    /// Summary of the frame by an analyzer.
    Summary,
    /// `[unknown data]`: a radio without packets (Cooja up to 3.1).
    Unknown,
}

impl<'a> Row<'a> {
    /// Parses a line without its end; `None` when it is no row.
    pub(in crate::import) fn parse(line: &'a [u8]) -> Option<Self> {
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

/// Reads all rows into `builder`.
///
/// # Errors
/// [`ImportError::AnalyzerSummary`] where the rows are summaries and no frame was read, and those of the stream.
pub(in crate::import) fn import(
    stream: &mut Stream<'_>,
    builder: &mut CaptureBuilder,
    options: &ImportOptions,
) -> Result<Format, ImportError> {
    let rule = options.fcs.forced().map_or(Rule::Detect { promised: false }, Rule::Given);
    let mut log = Log { rule, motes: Directory::new(), octets: Vec::new(), receivers: Vec::new(), heard: true };
    let (mut lines, mut summary) = (Lines::default(), None);
    while let Some((place, line)) = lines.next(stream, &mut builder.notes)? {
        let row = Row::parse(line);
        match row.map(|row| row.data) {
            _ if line.is_empty() => {}
            Some(Data::Summary) => {
                summary.get_or_insert(place.line);
                place.skip_row(builder, "it is an analyzer's summary, not the frame");
            }
            Some(Data::Unknown) => place.skip_row(builder, "its radio sent no packet ([unknown data])"),
            _ => match row.map(|row| log.keep(&row, place, builder)) {
                Some(Ok(ControlFlow::Continue(()))) => {}
                Some(Ok(ControlFlow::Break(()))) => break,
                Some(Err(why)) => place.skip_row(builder, why),
                None => place.skip_row(builder, "it is no row of a radio log"),
            },
        }
    }
    match summary {
        Some(line) if builder.next() == FrameId(0) => Err(ImportError::AnalyzerSummary { line }),
        _ => Ok(Format::CoojaRadioLog),
    }
}

struct Log {
    rule: Rule,
    motes: Directory<u32>,
    octets: Vec<u8>,
    receivers: Vec<u32>,
    /// True while all receivers so far could be read.
    heard: bool,
}

impl Log {
    fn keep(
        &mut self,
        row: &Row<'_>,
        place: Place,
        builder: &mut CaptureBuilder,
    ) -> Result<ControlFlow<()>, &'static str> {
        let Data::Hex(announced, digits) = row.data else { return Ok(ControlFlow::Continue(())) };
        self.octets.clear();
        line::octets(digits, &mut self.octets).ok_or("its digits are not pairs of hexadecimal digits")?;
        let held = u32::try_from(self.octets.len()).unwrap_or(u32::MAX);
        if held != announced {
            if place.is_cut {
                return Err("it is cut");
            }
            let Place { line, offset, .. } = place;
            builder.notes.tally(Layer::File, "length-mismatch", None, Some(offset), || {
                format!("line {line} announces {announced} octets and holds {held}; those it holds were taken")
            });
        }
        if self.heard {
            self.hear(row.receivers, place, builder);
        }
        let source = self.source(row.mote, builder);
        let payload = Payload::new(Link::Ieee802154, &self.octets, announced.saturating_sub(held));
        Ok(builder.push(&RawRecord { at: row.at, source, payload }))
    }

    fn source(&mut self, mote: u32, builder: &mut CaptureBuilder) -> SourceId {
        self.motes.get(mote, || builder.source(format!("mote {mote}"), Some(mote), self.rule))
    }

    fn hear(&mut self, receivers: &[u8], place: Place, builder: &mut CaptureBuilder) {
        self.receivers.clear();
        if receivers != b"-" {
            for id in receivers.split(|&octet| octet == b',') {
                let Some(id) = number(id.trim_ascii()) else {
                    self.heard = false;
                    builder.forget_heard();
                    builder.notes.tally(Layer::File, "receivers-unreadable", None, Some(place.offset), || {
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
        builder.hear(&self.receivers);
    }
}

/// Parses a time of Cooja: whole milliseconds, or as in its window `mm:ss.mmm`, from one hour on `h:mm:ss.mmm`; `None`
/// for other text.
pub(crate) fn time(text: &[u8]) -> Option<Instant> {
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
}
