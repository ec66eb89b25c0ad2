//! Output of Nordic's 802.15.4 sniffer on its serial line, saved as text.
//!
//! ```text
//! received: 41D8… power: -62 lqi: 180 time: 1234567
//! ```
//!
//! HEX ends in two octets where the check sequence was; the firmware hands on only frames whose check sequence was
//! right, and Nordic's own script drops the two. `time` are microseconds of the sniffer, 32 bits of them
//! (`nrf802154_sniffer.py`, `RCV_REGEX` and `serial_reader`).

use super::line::{self, Lines, number};
use crate::import::builder::{CAPTURE, CaptureBuilder, RawRecord};
use crate::import::framing::Payload;
use crate::import::stream::Stream;
use crate::import::trailer::Rule;
use crate::import::{ImportError, ImportOptions};
use crate::model::{Fcs, Format, Link};
use base::Instant;

/// Word before the digits of a frame.
const RECEIVED: &[u8] = b"received:";

/// A frame as it was printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::import) struct Line<'a> {
    digits: &'a [u8],
    dbm: Option<i8>,
    lqi: Option<u8>,
    micros: u32,
}

impl<'a> Line<'a> {
    /// Parses a line, which may begin with other output of a terminal; `None` when it is no frame.
    pub(in crate::import) fn parse(line: &'a [u8]) -> Option<Self> {
        let start = line.windows(RECEIVED.len()).position(|window| window == RECEIVED)?;
        let mut words =
            line.get(start + RECEIVED.len()..)?.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let digits = words.next()?;
        let mut value = |name: &[u8]| if words.next()? == name { words.next() } else { None };
        let signed = |word: &[u8]| std::str::from_utf8(word).ok()?.parse::<i64>().ok();
        let (dbm, lqi, micros) = (signed(value(b"power:")?)?, number(value(b"lqi:")?), signed(value(b"time:")?)?);
        // Printed with a sign by some versions: the same 32 bits.
        Some(Self { digits, dbm: i8::try_from(dbm).ok(), lqi, micros: micros as u32 })
    }
}

/// Reads all lines into `builder`.
///
/// # Errors
/// Errors of the stream.
pub(in crate::import) fn import(
    stream: &mut Stream<'_>,
    builder: &mut CaptureBuilder,
    _: &ImportOptions,
) -> Result<Format, ImportError> {
    let source = builder.source(CAPTURE.to_owned(), None, Rule::Recorded);
    let (mut lines, mut octets) = (Lines::default(), Vec::new());
    let mut elapsed = 0_i64;
    let mut last = None;
    while let Some((place, line)) = lines.next(stream, &mut builder.notes)? {
        let Some(printed) = Line::parse(line) else {
            if !line.is_empty() {
                place.skip_row(builder, "it is no frame of the sniffer (received: HEX power: P lqi: L time: T)");
            }
            continue;
        };
        octets.clear();
        let Some(psdu) = line::octets(printed.digits, &mut octets).and_then(|()| octets.split_last_chunk::<2>()) else {
            place.skip_row(builder, "its digits are not pairs of hexadecimal digits, or too few");
            continue;
        };
        // The counter comes round after 71.6 minutes; a small step back is a step back.
        elapsed += last.map_or(i64::from(printed.micros), |last| i64::from(printed.micros.wrapping_sub(last) as i32));
        last = Some(printed.micros);
        let payload = Payload {
            rssi: printed.dbm,
            lqi: printed.lqi,
            fcs: Fcs::Good,
            ..Payload::new(Link::Ieee802154, psdu.0, 0)
        };
        let at = Instant::from_nanos(elapsed.saturating_mul(1_000));
        if builder.push(&RawRecord { at, source, payload }).is_break() {
            break;
        }
    }
    Ok(Format::NordicLog)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let line = Line { digits: b"02000131A4", dbm: Some(-62), lqi: Some(180), micros: 1_234_567 };
        assert_eq!(Line::parse(b"received: 02000131A4 power: -62 lqi: 180 time: 1234567"), Some(line));
        let minus = Line { micros: u32::MAX, ..line };
        assert_eq!(Line::parse(b"> received: 02000131A4 power: -62 lqi: 180 time: -1\r"), Some(minus));
        for no in
            [&b"received:"[..], b"received: 02 power: x lqi: 1 time: 2", b"", b"received: 02 lqi: 1 power: 1 time: 2"]
        {
            assert_eq!(Line::parse(no), None);
        }
    }
}
