//! Information elements, 7.4.

use crate::{Error, Kind, Reader, Span};

/// Header Termination 1, 7.4.2.17: payload IEs follow.
const HEADER_TERMINATION_1: u8 = 0x7e;
/// Header Termination 2, 7.4.2.18: the payload follows.
const HEADER_TERMINATION_2: u8 = 0x7f;
/// Payload Termination, 7.4.3.3: the payload follows.
const PAYLOAD_TERMINATION: u8 = 0xf;

/// An information element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ie {
    /// Element ID of a header IE (7.4.2, 8 bits), Group ID of a payload IE (7.4.3, 4 bits).
    pub id: u8,
    /// The whole element, its two-octet descriptor included.
    pub span: Span,
    /// Its content.
    pub content: Span,
}

impl Ie {
    /// Whether this header IE says that payload IEs follow.
    pub(super) const fn announces_payload_ies(&self) -> bool {
        self.id == HEADER_TERMINATION_1
    }
}

/// Header IEs up to and including a termination IE, or to the end of the frame.
///
/// ```text
///  0         6   7            14   15
/// +-----------+----------------+--------+
/// | length    | element ID     | type=0 |
/// +-----------+----------------+--------+
/// ```
pub(super) fn read_header_list(r: &mut Reader<'_>) -> Result<Vec<Ie>, Error> {
    let mut list = Vec::new();
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
    Ok(list)
}

/// Payload IEs up to and including the termination IE, or to the end of the frame.
///
/// ```text
///  0               10   11      14   15
/// +------------------+-----------+--------+
/// | length           | group ID  | type=1 |
/// +------------------+-----------+--------+
/// ```
pub(super) fn read_payload_list(r: &mut Reader<'_>) -> Result<Vec<Ie>, Error> {
    let mut list = Vec::new();
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
    Ok(list)
}
