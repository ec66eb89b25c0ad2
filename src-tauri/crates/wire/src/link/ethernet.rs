//! Ethernet II frames with VLAN tags (IEEE 802.3 §3.2, 802.1Q §9.6).

use crate::{ByteRange, Error, Kind, Reader};
use base::Layer;

/// EtherType of IPv4.
pub const IPV4: u16 = 0x0800;
/// EtherType of IPv6.
pub const IPV6: u16 = 0x86dd;
/// EtherType of an 802.1Q customer tag.
const VLAN: u16 = 0x8100;
/// EtherType of an 802.1ad service tag.
const SERVICE_VLAN: u16 = 0x88a8;
/// Smallest EtherType; smaller values of the field are lengths (IEEE 802.3 §3.2.6).
const MIN_ETHERTYPE: u16 = 0x0600;

/// An Ethernet header.
///
/// ```text
/// +------------------+-------------+-----------------------------------------+-----------+
/// | destination (48) | source (48) | 0x8100 or 0x88a8, tag (16): 0 or more   | EtherType |
/// +------------------+-------------+-----------------------------------------+-----------+
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ethernet {
    /// Destination address, in the order of the wire.
    pub dst: [u8; 6],
    /// Source address, in the order of the wire.
    pub src: [u8; 6],
    /// VLAN ID of the innermost tag, 12 bits; `None` without a tag.
    pub vlan: Option<u16>,
    /// EtherType of the payload, at least 0x0600.
    pub ethertype: u16,
    /// Range behind the header, padding included.
    pub payload: ByteRange,
}

impl Ethernet {
    /// Reads a frame given without preamble and FCS.
    ///
    /// # Errors
    /// The header ends early or the frame has a length instead of an EtherType.
    pub fn parse(frame: &[u8]) -> Result<Self, Error> {
        let mut r = Reader::new(frame, Layer::Link);
        let (dst, src) = (r.array()?, r.array()?);
        let mut vlan = None;
        loop {
            let at = r.pos();
            match r.u16_be()? {
                VLAN | SERVICE_VLAN => vlan = Some(r.u16_be()? & 0xfff),
                0..MIN_ETHERTYPE => return Err(r.error_at(at, Kind::Unsupported("802.3 length field (LLC)"))),
                ethertype => return Ok(Self { dst, src, vlan, ethertype, payload: r.rest_span() }),
            }
        }
    }
}
