//! UDP (RFC 768, RFC 8200 §8.1).

use crate::{ByteRange, Error, Kind, Reader};
use base::Layer;

/// Length of the header, octets.
pub const HEADER_LEN: usize = 8;

/// A UDP header.
///
/// ```text
/// +-------------+------------------+--------+----------+
/// | source port | destination port | length | checksum |
/// +-------------+------------------+--------+----------+
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Udp {
    /// Source port number.
    pub src_port: u16,
    /// Destination port number.
    pub dst_port: u16,
    /// Length of header and payload, octets.
    pub length: u16,
    /// Checksum as sent, 16 bits; [`crate::ip::ipv6::checksum`] computes it.
    pub checksum: u16,
    /// Range of the payload, cut to the length.
    pub payload: ByteRange,
}

impl Udp {
    /// Reads a UDP header; octets past its length are ignored.
    ///
    /// # Errors
    /// The octets end before the length says, or the length is less than the header's.
    pub fn parse(octets: &[u8]) -> Result<Self, Error> {
        let mut r = Reader::new(octets, Layer::Udp);
        let (src_port, dst_port) = (r.u16_be()?, r.u16_be()?);
        let length_at = r.pos();
        let (length, checksum) = (r.u16_be()?, r.u16_be()?);
        let payload_len = usize::from(length)
            .checked_sub(HEADER_LEN)
            .ok_or_else(|| r.error_at(length_at, Kind::Invalid("length is less than the header's 8 octets")))?;
        Ok(Self { src_port, dst_port, length, checksum, payload: r.span(payload_len)? })
    }
}
