//! Daintree's `.dcf`, as its Sensor Network Analyzer and KillerBee write it: text, one packet a line.
//!
//! ```text
//! #Format=4
//! # SNA v3.0.0.7 SUS:20061031 ACT:067341
//! number seconds.micros length HEX LQI CRC-OK RSSI channel ...
//! ```
//!
//! HEX is as long as announced; where the last two octets of every frame are `ffff`, they stand for a check sequence
//! that was not kept. Facts of KillerBee's samples and its reader (`daintree.py`).

use super::line::{self, Lines, number};
use crate::import::builder::{CAPTURE, CaptureBuilder, RawRecord};
use crate::import::framing::Payload;
use crate::import::stream::Stream;
use crate::import::trailer::Rule;
use crate::import::{ImportError, ImportOptions};
use crate::model::{Fcs, Format, Link};
use base::{Instant, SourceId};

/// First octets of the file.
pub(in crate::import) const MAGIC: &[u8] = b"#Format=4";

/// Octets in place of a check sequence that was not kept.
const PLACEHOLDER: [u8; 2] = [0xff, 0xff];

/// Reads all packets into `builder`.
///
/// # Errors
/// Errors of the stream.
pub(in crate::import) fn import(
    stream: &mut Stream<'_>,
    builder: &mut CaptureBuilder,
    options: &ImportOptions,
) -> Result<Format, ImportError> {
    let detect = Rule::Detect { promised: false };
    let source = builder.source(CAPTURE.to_owned(), None, options.fcs.forced().map_or(detect, Rule::Given));
    let stripped = builder.source(CAPTURE.to_owned(), None, Rule::Recorded);
    let (mut lines, mut octets) = (Lines::default(), Vec::new());
    while let Some((place, line)) = lines.next(stream, &mut builder.notes)? {
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        octets.clear();
        match packet(line, &mut octets, (source, stripped)) {
            Some(record) if builder.push(&record).is_break() => break,
            Some(_) => {}
            None => place.skip_row(builder, "it is no packet: number, time, length, octets, LQI, CRC, RSSI, channel"),
        }
    }
    Ok(Format::Daintree)
}

/// Parses the packet of a line; it is of the second source where its check sequence was not kept. `None` when it is no
/// packet.
fn packet<'a>(line: &[u8], octets: &'a mut Vec<u8>, (source, stripped): (SourceId, SourceId)) -> Option<RawRecord<'a>> {
    let mut columns = line.split(u8::is_ascii_whitespace).filter(|column| !column.is_empty()).skip(1);
    let at = seconds(columns.next()?)?;
    let length: usize = number(columns.next()?)?;
    line::octets(columns.next()?, octets)?;
    let (lqi, good, rssi, channel) = (columns.next(), columns.next(), columns.next(), columns.next());
    let octets: &[u8] = octets;
    let (source, psdu) = match octets.split_last_chunk() {
        Some((psdu, &PLACEHOLDER)) => (stripped, psdu),
        _ => (source, octets),
    };
    let signed = |column: &[u8]| std::str::from_utf8(column).ok()?.parse::<i8>().ok();
    let fcs = match good {
        Some(b"1") => Fcs::Good,
        Some(b"0") => Fcs::Bad,
        _ => Fcs::Absent,
    };
    let missing = u32::try_from(length.saturating_sub(octets.len())).unwrap_or(u32::MAX);
    let payload = Payload {
        lqi: lqi.and_then(number),
        rssi: rssi.and_then(signed),
        channel: channel.and_then(number),
        fcs: if source == stripped { fcs } else { Fcs::Absent },
        ..Payload::new(Link::Ieee802154, psdu, missing)
    };
    Some(RawRecord { at, source, payload })
}

/// Parses decimal seconds; fractions beyond nine digits are ignored. `None` when it is no such number.
pub(super) fn seconds(text: &[u8]) -> Option<Instant> {
    let mut parts = text.splitn(2, |&octet| octet == b'.');
    let whole: i64 = number(parts.next()?)?;
    let fraction = parts.next().unwrap_or_default();
    let mut nanos = 0_i64;
    for at in 0..9 {
        let digit = fraction.get(at).copied().unwrap_or(b'0');
        nanos = nanos * 10 + i64::from(digit.checked_sub(b'0').filter(|&digit| digit < 10)?);
    }
    Some(Instant::from_nanos(whole.checked_mul(1_000_000_000)?.checked_add(nanos)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(seconds(b"1193806329.955520").map(Instant::nanos), Some(1_193_806_329_955_520_000));
        assert_eq!(seconds(b"7").map(Instant::nanos), Some(7_000_000_000));
        assert_eq!(seconds(b"0.1234567891").map(Instant::nanos), Some(123_456_789));
        assert_eq!(
            (seconds(b"1.x"), seconds(b"-1.0"), seconds(b""), seconds(b"99999999999999999999")),
            (None, None, None, None)
        );
    }
}
