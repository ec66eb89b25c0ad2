//! Information elements, 7.4.

use crate::{ByteRange, Error, Kind, Reader};
use base::Layer;

/// Element ID of Header Termination 1, 7.4.2.17: payload IEs follow.
const HEADER_TERMINATION_1: u8 = 0x7e;
/// Element ID of Header Termination 2, 7.4.2.18: the payload follows.
const HEADER_TERMINATION_2: u8 = 0x7f;
/// Group ID of the Payload Termination IE, 7.4.3.3: the payload follows.
const PAYLOAD_TERMINATION: u8 = 0xf;

/// Information element (IE) of a header or a payload.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ie {
    /// Element ID of a header IE (7.4.2, 8 bits), Group ID of a payload IE (7.4.3, 4 bits).
    pub id: u8,
    /// Range of the whole element, its two-octet descriptor included.
    pub span: ByteRange,
    /// Range of the content, the end of `span`; may be empty.
    pub content: ByteRange,
}

impl Ie {
    /// Returns whether this header IE announces payload IEs.
    pub(crate) const fn announces_payload_ies(&self) -> bool {
        self.id == HEADER_TERMINATION_1
    }
}

/// Reads header IEs up to and including a termination IE, or to the end of the frame. Errs where one ends early or a
/// payload IE is among them.
///
/// ```text
///  0         6   7            14   15
/// +-----------+----------------+--------+
/// | length    | element ID     | type=0 |
/// +-----------+----------------+--------+
/// ```
pub(super) fn read_header_list(r: &mut Reader<'_>, list: &mut Vec<Ie>) -> Result<(), Error> {
    while !r.is_empty() {
        let start = r.pos();
        let descriptor = r.u16_le()?;
        if descriptor & 0x8000 != 0 {
            return Err(r.error_at(start, Kind::Invalid("payload IE among the header IEs")));
        }
        let id = (descriptor >> 7) as u8;
        let content = r.span(usize::from(descriptor & 0x7f))?;
        list.push(Ie { id, span: r.since(start), content });
        if matches!(id, HEADER_TERMINATION_1 | HEADER_TERMINATION_2) {
            break;
        }
    }
    Ok(())
}

/// Reads payload IEs up to and including the termination IE, or to the end of the frame. Errs where one ends early or a
/// header IE is among them.
///
/// ```text
///  0               10   11      14   15
/// +------------------+-----------+--------+
/// | length           | group ID  | type=1 |
/// +------------------+-----------+--------+
/// ```
pub(crate) fn read_payload_list(r: &mut Reader<'_>, list: &mut Vec<Ie>) -> Result<(), Error> {
    while !r.is_empty() {
        let start = r.pos();
        let descriptor = r.u16_le()?;
        if descriptor & 0x8000 == 0 {
            return Err(r.error_at(start, Kind::Invalid("header IE among the payload IEs")));
        }
        let id = (descriptor >> 11) as u8 & 0xf;
        let content = r.span(usize::from(descriptor & 0x7ff))?;
        list.push(Ie { id, span: r.since(start), content });
        if id == PAYLOAD_TERMINATION {
            break;
        }
    }
    Ok(())
}

/// Group ID of the MLME payload IE, which holds nested IEs (7.4.3.2, Table 7-15).
pub const MLME: u8 = 1;

/// A nested IE of an MLME payload IE, 7.4.4.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nested {
    /// True for the long form of descriptor. Each form has its own numbers of IEs.
    pub long: bool,
    /// Sub-ID: 7 bits in the short form, 4 in the long one.
    pub id: u8,
    /// Range of the whole element, its two-octet descriptor included.
    pub span: ByteRange,
    /// Range of the content, the end of `span`; may be empty.
    pub content: ByteRange,
}

/// Reads the nested IEs in `content`, the content of an MLME IE of `psdu`: those up to the first that does not
/// fit, and the error of that one.
///
/// ```text
///        0             8          15           0               11        15
/// short +-------------+----------+--------+   +---------------+---------+--------+ long
///       | length      | sub-ID   | type=0 |   | length        | sub-ID  | type=1 |
///       +-------------+----------+--------+   +---------------+---------+--------+
/// ```
#[must_use]
pub fn nested(psdu: &[u8], content: &ByteRange) -> (Vec<Nested>, Option<Error>) {
    let mut list = Vec::new();
    let mut r = Reader::within(psdu, content, Layer::Link);
    while !r.is_empty() {
        match read_nested(&mut r) {
            Ok(ie) => list.push(ie),
            Err(error) => return (list, Some(error)),
        }
    }
    (list, None)
}

fn read_nested(r: &mut Reader<'_>) -> Result<Nested, Error> {
    let mut ahead = r.clone();
    let start = ahead.pos();
    let descriptor = ahead.u16_le()?;
    let long = descriptor & 0x8000 != 0;
    let (length, id) = if long {
        (descriptor & 0x7ff, (descriptor >> 11) as u8 & 0xf)
    } else {
        (descriptor & 0xff, (descriptor >> 8) as u8 & 0x7f)
    };
    let content = ahead.span(usize::from(length))?;
    *r = ahead;
    Ok(Nested { long, id, span: r.since(start), content })
}

/// Element ID of the Time Correction IE (7.4.2.7).
pub const TIME_CORRECTION: u8 = 0x1e;

/// Content of a Time Correction header IE, by which an Enhanced ACK keeps a TSCH neighbour in time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeCorrection {
    /// Offset of the frame from its expected time, µs: -2048 (early) to 2047 (late).
    pub micros: i16,
    /// True if the frame was received and could not be kept.
    pub nack: bool,
}

/// Reads the time correction in `ie`; `None` for another IE or a content that is not two octets.
///
/// ```text
///  0                     12         15     16
/// +---------------------+----------+------+
/// | correction, signed  | reserved | NACK |
/// +---------------------+----------+------+
/// ```
#[must_use]
pub fn time_correction(psdu: &[u8], ie: &Ie) -> Option<TimeCorrection> {
    if ie.id != TIME_CORRECTION {
        return None;
    }
    let info = u16::from_le_bytes(psdu.get(ie.content.clone())?.try_into().ok()?);
    // Shifting up and down again copies the sign bit of the 12.
    Some(TimeCorrection { micros: ((info << 4) as i16) >> 4, nack: info & 0x8000 != 0 })
}
