//! Captures of one sniffer, cut out of complete ones: the record of a run of Cooja tells which nodes received each
//! frame.
//!
//! `radio-truth.tsv.gz` beside a capture (or the radio log `radiolog.txt.gz`) has a line for each frame, in the order
//! of the capture: its sender and its receivers. A sniffer beside a node hears what that node sends and what it
//! receives.

use super::{place, world};
use crate::Error;
use std::path::Path;

/// Lengths of the header of a pcap file and of that of each record, octets (draft-ietf-opsawg-pcap, sections 4 and 5).
const HEADERS: (usize, usize) = (24, 16);

/// Returns the frames of `capture` that a sniffer beside the node `beside` hears, as a pcap file.
///
/// # Errors
/// [`crate::Code::Request`] where no record of receivers exists, it does not fit the capture, or this is no pcap file.
pub fn heard(capture: &Path, beside: u32) -> Result<Vec<u8>, Error> {
    let heard = listeners(capture, beside)?;
    let octets = world::octets(capture)?;
    let refuse = |why: &str| Error::request(format!("{}: {why}.", place(capture)));
    let is_big = match octets.get(..4) {
        Some([0xa1, 0xb2, 0xc3, 0xd4] | [0xa1, 0xb2, 0x3c, 0x4d]) => true,
        Some([0xd4, 0xc3, 0xb2, 0xa1] | [0x4d, 0x3c, 0xb2, 0xa1]) => false,
        _ => return Err(refuse("only of a pcap file can what one sniffer heard be cut out")),
    };
    let mut kept = octets.get(..HEADERS.0).unwrap_or_default().to_vec();
    let mut rest = octets.get(HEADERS.0..).unwrap_or_default();
    let mut lines = heard.iter();
    while let Some(&[a, b, c, d]) = rest.get(8..12) {
        let length = if is_big { u32::from_be_bytes([a, b, c, d]) } else { u32::from_le_bytes([a, b, c, d]) };
        let Some((record, after)) = rest.split_at_checked(HEADERS.1 + length as usize) else { break };
        match lines.next() {
            Some(true) => kept.extend_from_slice(record),
            Some(false) => {}
            None => return Err(refuse("it has more frames than the record of who heard them")),
        }
        rest = after;
    }
    if lines.next().is_some() {
        return Err(refuse("it has fewer frames than the record of who heard them"));
    }
    Ok(kept)
}

/// Returns for each frame of a capture, in order, whether node `beside` sent or received it; errs without a record.
fn listeners(capture: &Path, beside: u32) -> Result<Vec<bool>, Error> {
    let is_beside = |text: &str| text.split(',').any(|node| node.trim().parse() == Ok(beside));
    let line = |line: &str, (from, to): (usize, usize)| {
        let columns: Vec<&str> = line.split('\t').collect();
        [from, to].into_iter().filter_map(|at| columns.get(at)).any(|text| is_beside(text))
    };
    if let Some(truth) = world::text(&capture.with_file_name("radio-truth.tsv.gz"))? {
        return Ok(truth.lines().skip(1).map(|text| line(text, (2, 3))).collect());
    }
    if let Some(log) = world::text(&capture.with_file_name("radiolog.txt.gz"))? {
        return Ok(log.lines().filter(|text| !text.trim().is_empty()).map(|text| line(text, (1, 2))).collect());
    }
    let capture = place(capture);
    Err(Error::request(format!(
        "{capture}: neither radio-truth.tsv.gz nor radiolog.txt.gz beside it says who heard its frames."
    )))
}
