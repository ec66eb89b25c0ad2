//! foren6's `.snif`: what its sniffer sent over a serial line, as it came.
//!
//! ```text
//! "SNIF" | flags | length | frame | CRC (2) | CRC right (1) | RSSI (1) | LQI (1) | time (2), each as flags say
//! ```
//!
//! Facts of foren6-capture's `interface_snif.c`; the samples there are have no flags. A recording begins and ends
//! anywhere, so the search for the mark begins again at every record. Without flags there is no time in it.
//!
//! The first record of foren6-gui's samples has a mark of its own, which says what the file is: the flags, length and
//! frame behind it are those of any other record. Their `24-06-2013.pcap`, of the same recording, begins with that
//! frame.

use crate::import::builder::{CAPTURE, CaptureBuilder, RawRecord};
use crate::import::clock;
use crate::import::framing::Payload;
use crate::import::stream::Stream;
use crate::import::trailer::Rule;
use crate::import::{ImportError, ImportOptions};
use crate::model::{Format, Link};
use base::Layer;

/// First octets of every record.
const MARK: &[u8; 4] = b"SNIF";

/// First octets that the first record of a file may have instead.
const FIRST_MARK: &[u8; 4] = &[0xfa, 0x3a, 0x0a, 0x46];

/// Length of the record before the frame, octets: mark, flags and length.
const HEADER: usize = 6;

/// Fields behind the frame, in order: bit of the flags, and length in octets. CRC, CRC right, RSSI, LQI, time.
const FIELDS: [(u8, usize); 5] = [(1, 2), (2, 1), (4, 1), (8, 1), (16, 2)];

/// Most octets before the first record. Chosen here: more than the longest record (140 octets), in which a recording
/// may begin.
const NEAR: usize = 256;

/// Returns whether two records follow one another in `head`, the first within [`NEAR`] octets.
pub(in crate::import) fn is_snif(head: &[u8]) -> bool {
    let near = head.get(..NEAR).unwrap_or(head);
    near.windows(MARK.len()).enumerate().filter(|(at, window)| *window == mark(*at as u64, window)).any(|(at, _)| {
        let record = head.get(at..).unwrap_or_default();
        length(record).is_some_and(|n| record.get(n..).is_some_and(|rest| rest.is_empty() || rest.starts_with(MARK)))
    })
}

/// Returns the mark of a record that begins at `offset` of the file with `octets`.
fn mark(offset: u64, octets: &[u8]) -> &'static [u8; 4] {
    if offset == 0 && octets.starts_with(FIRST_MARK) { FIRST_MARK } else { MARK }
}

/// Returns the length of a record, octets, from its flags and length; `None` where they are impossible.
fn length(record: &[u8]) -> Option<usize> {
    let (&flags, &length) = (record.get(4)?, record.get(5)?);
    let behind = FIELDS.iter().filter(|(bit, _)| flags & bit != 0).map(|(_, octets)| octets).sum::<usize>();
    (flags < 32 && length < 128).then_some(HEADER + usize::from(length) + behind)
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
    let rule = options.fcs.forced().map_or(Rule::Detect { promised: false }, Rule::Given);
    let source = builder.source(CAPTURE.to_owned(), None, rule);
    let mut garbage = 0_u64;
    while stream.fill(HEADER)? > 0 {
        let offset = stream.offset();
        let head = stream.octets();
        let total = length(head).filter(|_| head.starts_with(mark(offset, head)));
        let held = stream.fill(total.unwrap_or(HEADER) + MARK.len())?;
        let octets = stream.octets();
        // A record whose end is not the next one's beginning is what a lost octet left of two.
        let next = total.and_then(|n| octets.get(n..)).map(|rest| rest.is_empty() || rest.starts_with(MARK));
        let (Some(total), Some(true)) = (total, next) else {
            if garbage == 0 && total.is_some_and(|n| n > held) {
                builder.note_cut(offset, || {
                    format!("the file ends within the record at octet {offset}; its last {held} octets were left out")
                });
                break;
            }
            garbage += 1;
            stream.consume(1);
            continue;
        };
        if garbage > 0 {
            builder.note_garbage(offset - garbage, garbage);
            garbage = 0;
        }
        let frame = octets.get(HEADER..).and_then(|rest| rest.get(..usize::from(*octets.get(5)?))).unwrap_or_default();
        let payload = Payload::new(Link::Ieee802154, frame, 0);
        if builder.push(&RawRecord { at: clock::UNKNOWN, source, payload }).is_break() {
            return Ok(Format::Snif);
        }
        stream.consume(total);
    }
    if garbage > 0 {
        builder.note_garbage(stream.offset() - garbage, garbage);
    }
    builder.notes.tally(Layer::Clock, "no-time-stamps", None, None, || {
        "the file has no time stamps: the order of its frames is known, and nothing of round trips and timers"
            .to_owned()
    });
    Ok(Format::Snif)
}
