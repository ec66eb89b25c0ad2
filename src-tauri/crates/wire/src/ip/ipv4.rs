//! IPv4 headers, as far as CoAP over IPv4 needs them (RFC 791).

use crate::{ByteRange, Error, Kind, Reader};
use base::Layer;

/// Octets of a header without options.
const MIN_HEADER_LEN: usize = 20;

/// An IPv4 header.
///
/// ```text
///  0   4     8     16             32
/// +---+-----+-----+--------------+----------------+---+----+----+-----------------+
/// | 4 | IHL | TOS | total length | identification | - | DF | MF | fragment offset |
/// +---+-----+--+--+-------+------+-----------+----+---+----+----+-----------------+
/// | TTL        | protocol | checksum (16)    | source (32), destination (32)      |
/// +------------+----------+------------------+------------------------------------+
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ipv4 {
    /// Length of header and payload, octets.
    pub total_len: u16,
    /// Octets the header promises and the slice does not have.
    pub missing: usize,
    /// Identification number, the same in all fragments of a datagram.
    pub id: u16,
    /// True if more fragments follow.
    pub more_fragments: bool,
    /// Offset of the payload in the original, in octets.
    pub fragment_offset: u16,
    /// Time to live, in hops, 0 to 255.
    pub ttl: u8,
    /// Protocol number of the payload; [`crate::ip::ipv6::UDP`] is one.
    pub protocol: u8,
    /// Source, as an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2).
    pub src: [u8; 16],
    /// Destination, as an IPv4-mapped IPv6 address.
    pub dst: [u8; 16],
    /// Range of the payload behind header and options, cut to the total length.
    pub payload: ByteRange,
}

impl Ipv4 {
    /// Reads a header; octets past the total length are ignored.
    ///
    /// # Errors
    /// The header ends early, the version is not 4, or a length is less than the header's.
    pub fn parse(packet: &[u8]) -> Result<Self, Error> {
        let mut r = Reader::new(packet, Layer::Ipv6);
        let [version_ihl, _] = r.array()?;
        if version_ihl >> 4 != 4 {
            return Err(r.error_at(0, Kind::Invalid("IP version is not 4")));
        }
        let header_len = usize::from(version_ihl & 0xf) << 2;
        let total_len = r.u16_be()?;
        let (id, flags_offset) = (r.u16_be()?, r.u16_be()?);
        let [ttl, protocol, _, _] = r.array()?;
        let (src, dst) = (mapped(r.array()?), mapped(r.array()?));
        let options = header_len
            .checked_sub(MIN_HEADER_LEN)
            .ok_or_else(|| r.error_at(0, Kind::Invalid("IPv4 header length is less than 20 octets")))?;
        r.take(options)?;
        let payload_len = usize::from(total_len)
            .checked_sub(header_len)
            .ok_or_else(|| r.error_at(2, Kind::Invalid("IPv4 total length is less than the header's")))?;
        let missing = payload_len.saturating_sub(r.remaining());
        let payload = r.span(payload_len.saturating_sub(missing))?;
        Ok(Self {
            total_len,
            missing,
            id,
            more_fragments: flags_offset & 0x2000 != 0,
            fragment_offset: (flags_offset & 0x1fff) << 3,
            ttl,
            protocol,
            src,
            dst,
            payload,
        })
    }
}

/// IPv4-mapped IPv6 address, `::ffff:a.b.c.d`.
const fn mapped([a, b, c, d]: [u8; 4]) -> [u8; 16] {
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, a, b, c, d]
}
