//! Fragmentation headers (RFC 4944 §5.3).

use crate::{Error, Reader, Span};

/// A fragmentation header.
///
/// ```text
///  0        5                16                32         40
/// +--------+----------------+-----------------+
/// | 11000  | datagram_size  | datagram_tag    |                FRAG1
/// +--------+----------------+-----------------+----------+
/// | 11100  | datagram_size  | datagram_tag    | offset/8 |     FRAGN
/// +--------+----------------+-----------------+----------+
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frag {
    /// Length of the datagram before compression and fragmentation, in octets.
    pub size: u16,
    /// Which datagram of its sender.
    pub tag: u16,
    /// Where in the uncompressed datagram the fragment begins, in octets; 0 for the first.
    pub offset: usize,
    /// Whether this is FRAG1.
    pub first: bool,
    /// The header.
    pub span: Span,
}

impl Frag {
    /// Read a header known to be FRAG1 or FRAGN.
    pub(super) fn read(r: &mut Reader<'_>) -> Result<Self, Error> {
        let start = r.pos();
        let head = r.u16_be()?;
        let tag = r.u16_be()?;
        let first = head & 0x2000 == 0;
        let offset = if first { 0 } else { usize::from(r.u8()?) << 3 };
        Ok(Self { size: head & 0x7ff, tag, offset, first, span: r.since(start) })
    }
}
