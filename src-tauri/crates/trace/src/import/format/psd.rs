//! TI Packet Sniffer's captures (`.psd`, version 2): records of 151 octets and no file header (SWRU187G, chapter 4).
//!
//! ```text
//! flags | number (4) | ticks (8) | length (2) | length of frame | frame ... TI status | padding
//! ```
//!
//! Fields are little-endian, the status is as [`crate::import::trailer`] knows it. Ticks are 1/32 µs of the capturing
//! board and begin with the first packet: there is no wall clock in the file.

use crate::import::builder::{CAPTURE, CaptureBuilder, RawRecord};
use crate::import::framing::Payload;
use crate::import::stream::Stream;
use crate::import::trailer::{Rule, Trailer};
use crate::import::{ImportError, ImportOptions};
use crate::model::{Format, Link};
use base::{FrameId, Instant, Layer};

/// Length of a record for 802.15.4, octets (SWRU187G, chapter 4).
const RECORD: usize = 151;

/// Length of the record before the frame, octets.
const HEADER: usize = 16;

/// Ticks in a microsecond of the CC243x and CC253x; other boards have 24 or 26.
const TICKS: u64 = 32;

/// Bits of the flags.
mod flag {
    /// Flag: the packet is incomplete.
    pub(super) const INCOMPLETE: u8 = 4;
    /// Flag: packets before it were lost for want of room.
    pub(super) const OVERFLOW: u8 = 8;
}

/// Returns whether a file begins with two records, numbered one after the other, or consists of one, numbered 1.
pub(in crate::import) fn is_psd(head: &[u8]) -> bool {
    let mut records = head.chunks_exact(RECORD);
    match (records.next(), records.next()) {
        (Some(first), Some(second)) => {
            is_record(first) && is_record(second) && number(first).map(|n| n.wrapping_add(1)) == number(second)
        }
        (Some(first), None) => is_record(first) && number(first) == Some(1) && records.remainder().is_empty(),
        _ => false,
    }
}

fn number(record: &[u8]) -> Option<u32> {
    record.get(1..)?.first_chunk().map(|&n| u32::from_le_bytes(n))
}

/// Returns whether the lengths of a record agree: that of the frame, and that of the frame with the octet that holds
/// it.
fn is_record(record: &[u8]) -> bool {
    matches!(record, [0..32, _, _, _, _, _, _, _, _, _, _, _, _, low, 0, n @ 0..128, ..] if *low == *n + 1)
}

/// Reads all records into `builder`.
///
/// # Errors
/// Errors of the stream.
pub(in crate::import) fn import(
    stream: &mut Stream<'_>,
    builder: &mut CaptureBuilder,
    options: &ImportOptions,
) -> Result<Format, ImportError> {
    let rule = Rule::Given(options.fcs.forced().unwrap_or(Trailer::TiStatus));
    let source = builder.source(CAPTURE.to_owned(), None, rule);
    let mut last = None;
    loop {
        let (held, offset) = (stream.fill(RECORD)?, stream.offset());
        let Some(record) = stream.octets().get(..RECORD) else {
            if held > 0 {
                builder.note_cut(offset, || {
                    format!("the file ends within the record at octet {offset}; its last {held} octets were left out")
                });
            }
            break;
        };
        if !is_record(record) {
            builder.note_garbage(offset, RECORD as u64);
            stream.consume(RECORD);
            continue;
        }
        let id = builder.next();
        note_loss(record, last, id, builder);
        last = number(record);
        let ticks = record.get(5..).and_then(<[u8]>::first_chunk).map_or(0, |&ticks| u64::from_le_bytes(ticks));
        let nanos = u128::from(ticks) * 1_000 / u128::from(TICKS);
        let at = Instant::from_nanos(i64::try_from(nanos).unwrap_or(i64::MAX));
        let length = record.get(HEADER - 1).map_or(0, |&n| usize::from(n));
        let octets = record.get(HEADER..HEADER + length).unwrap_or_default();
        if builder.push(&RawRecord { at, source, payload: Payload::new(Link::Ieee802154, octets, 0) }).is_break() {
            break;
        }
        stream.consume(RECORD);
    }
    Ok(Format::Psd)
}

/// Notes packets before frame `id` that are missing: by the flags of its record, or by its number against `last`.
fn note_loss(record: &[u8], last: Option<u32>, id: FrameId, builder: &mut CaptureBuilder) {
    let flags = record.first().copied().unwrap_or(0);
    if flags & (flag::INCOMPLETE | flag::OVERFLOW) != 0 {
        builder.notes.tally(Layer::File, "sniffer-overflow", Some(id), None, || {
            "the sniffer marked the packet as incomplete, or packets before it as lost for want of room".to_owned()
        });
    }
    if let (Some(last), Some(number)) = (last, number(record))
        && number != last.wrapping_add(1)
    {
        builder.notes.tally(Layer::File, "packets-missing", Some(id), None, || {
            format!("packet {number} of the file follows packet {last}: those between are missing")
        });
    }
}
