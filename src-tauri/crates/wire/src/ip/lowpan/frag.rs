//! Fragmentation headers (RFC 4944 §5.3, RFC 8931 §5).

use crate::{ByteRange, Error, Reader};

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
    /// Length of the datagram before compression and fragmentation, octets; 11 bits.
    pub size: u16,
    /// Datagram tag, a number that is unique per sender.
    pub tag: u16,
    /// Offset of the fragment in the uncompressed datagram, octets; 0 for the first.
    pub offset: usize,
    /// True for FRAG1, the first fragment.
    pub first: bool,
    /// Range of the header.
    pub span: ByteRange,
}

impl Frag {
    /// Bit of the first two octets that is set in FRAGN and clear in FRAG1.
    const LATER: u16 = 0x2000;
    /// Bits of the first two octets that hold the size.
    const SIZE: u16 = 0x07ff;

    /// Reads a header known to be FRAG1 or FRAGN. Errs where the octets end before it does.
    pub(super) fn read(r: &mut Reader<'_>) -> Result<Self, Error> {
        let start = r.pos();
        let head = r.u16_be()?;
        let tag = r.u16_be()?;
        let first = head & Self::LATER == 0;
        let offset = if first { 0 } else { usize::from(r.u8()?) << 3 };
        Ok(Self { size: head & Self::SIZE, tag, offset, first, span: r.since(start) })
    }
}

/// A recoverable fragment (RFC 8931 §5.1). Sizes and offsets count octets of the *compressed* datagram. E says that
/// congestion was met, X asks for an acknowledgement.
///
/// ```text
/// +---------+---+-----+---+----------+---------------+-----------------------------------+
/// | 1110100 | E | tag | X | sequence | fragment size | offset, or datagram size          |
/// | 7       | 1 | 8   | 1 | 5        | 10            | where the sequence is 0: 16       |
/// +---------+---+-----+---+----------+---------------+-----------------------------------+
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rfrag {
    /// True if congestion was met on the way (E).
    pub congestion: bool,
    /// Datagram tag, a number that is unique per sender.
    pub tag: u8,
    /// True if an acknowledgement is asked for (X).
    pub ack_request: bool,
    /// Number of the fragment, 0 to 31.
    pub sequence: u8,
    /// Length of this fragment, octets, 0 to 1023.
    pub size: u16,
    /// Offset of the fragment in the datagram, octets; 0 for the first.
    pub offset: u16,
    /// Length of the datagram, octets; only the first fragment says it.
    pub datagram_size: Option<u16>,
    /// Range of the header.
    pub span: ByteRange,
}

impl Rfrag {
    /// Reads a header known to be RFRAG. Errs where it ends early.
    pub(super) fn read(r: &mut Reader<'_>) -> Result<Self, Error> {
        let start = r.pos();
        let [head, tag] = r.array()?;
        let word = r.u16_be()?;
        let last = r.u16_be()?;
        let sequence = (word >> 10) as u8 & 0x1f;
        Ok(Self {
            congestion: head & 1 != 0,
            tag,
            ack_request: word & 0x8000 != 0,
            sequence,
            size: word & 0x3ff,
            offset: if sequence == 0 { 0 } else { last },
            datagram_size: (sequence == 0).then_some(last),
            span: r.since(start),
        })
    }
}

/// An acknowledgement of recoverable fragments (RFC 8931 §5.2).
///
/// ```text
/// +---------+---+-----+--------+
/// | 1110101 | E | tag | bitmap |
/// | 7       | 1 | 8   | 32     |
/// +---------+---+-----+--------+
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RfragAck {
    /// True if congestion was met on the way (E).
    pub congestion: bool,
    /// Tag number of the datagram that is acknowledged.
    pub tag: u8,
    /// Fragments received, sequence 0 the most significant bit; 0 ends the datagram.
    pub bitmap: u32,
    /// Range of the header.
    pub span: ByteRange,
}

impl RfragAck {
    /// Reads a header known to be RFRAG-ACK. Errs where it ends early.
    pub(super) fn read(r: &mut Reader<'_>) -> Result<Self, Error> {
        let start = r.pos();
        let [head, tag] = r.array()?;
        Ok(Self { congestion: head & 1 != 0, tag, bitmap: r.u32_be()?, span: r.since(start) })
    }
}
