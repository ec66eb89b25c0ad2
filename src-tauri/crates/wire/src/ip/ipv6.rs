//! IPv6: the fixed header, extension headers, the upper-layer checksum (RFC 8200).

mod extension;

pub use extension::{Extension, Fragment, Routing, Rpi};

use crate::{ByteRange, Error, Kind, Reader};
use base::Layer;

/// Protocol number of a Hop-by-Hop Options header (RFC 8200 §4.3).
pub const HOP_BY_HOP: u8 = 0;
/// Protocol number of TCP (RFC 9293).
pub const TCP: u8 = 6;
/// Protocol number of UDP (RFC 768).
pub const UDP: u8 = 17;
/// Protocol number of IPv6 in IPv6 (RFC 2473).
pub const IPV6: u8 = 41;
/// Protocol number of a routing header (RFC 8200 §4.4).
pub const ROUTING: u8 = 43;
/// Protocol number of a fragment header (RFC 8200 §4.5).
pub const FRAGMENT: u8 = 44;
/// Protocol number of an authentication header (RFC 4302).
pub const AUTHENTICATION: u8 = 51;
/// Protocol number of ICMPv6 (RFC 4443).
pub const ICMPV6: u8 = 58;
/// Next Header value that says that nothing follows (RFC 8200 §4.7).
pub const NO_NEXT_HEADER: u8 = 59;
/// Protocol number of a Destination Options header (RFC 8200 §4.6).
pub const DESTINATION_OPTIONS: u8 = 60;
/// Protocol number of a mobility header (RFC 6275 §6.1).
pub const MOBILITY: u8 = 135;
/// Protocol number of the Host Identity Protocol (RFC 7401 §5.1).
pub const HIP: u8 = 139;
/// Protocol number of Shim6 (RFC 5533 §5.1).
pub const SHIM6: u8 = 140;

/// Largest depth of encapsulated datagrams (RFC 2473) that is followed: 31 fit into the smallest MTU,
/// 1280 octets.
pub const NESTED: usize = 32;

/// Octets of the fixed header.
pub const HEADER_LEN: usize = 40;

/// An IPv6 header and its extension headers (RFC 8200 §3).
///
/// ```text
///  0    4              12                       32
/// +----+--------------+------------------------+
/// | 6  | traffic class| flow label             |
/// +----+--------------+-------+----------------+
/// | payload length (16)       | next hdr | hops|
/// +---------------------------+----------------+
/// | source (128), destination (128)            |
/// +--------------------------------------------+
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ipv6 {
    /// Traffic class: DSCP (6 bits) and ECN (2 bits).
    pub traffic_class: u8,
    /// Flow label, 20 bits.
    pub flow_label: u32,
    /// Payload length as the header says it, octets; extension headers count.
    pub payload_len: u16,
    /// Octets the header promises and the slice does not have: 0 unless the datagram was cut, or is
    /// a first fragment of 6LoWPAN.
    pub missing: usize,
    /// Next Header of the fixed header: protocol number of the first extension header, or of the payload.
    pub next_header: u8,
    /// Hop limit as sent: number of hops that are left.
    pub hop_limit: u8,
    /// Source address, most significant octet first.
    pub src: [u8; 16],
    /// Destination address as the fixed header has it; see [`Ipv6::final_dst`].
    pub dst: [u8; 16],
    /// Extension headers in order.
    pub extensions: Vec<Extension>,
    /// RPL packet information of the first hop-by-hop header that has it; `None` without one.
    pub rpl_option: Option<Rpi>,
    /// The first routing header; `None` without one.
    pub routing: Option<Routing>,
    /// The first fragment header; `None` without one.
    pub fragment: Option<Fragment>,
    /// Protocol number of the payload, behind the extension headers.
    pub upper: u8,
    /// Range behind the extension headers, cut to the payload length. Behind a fragment header
    /// with a non-zero offset it does not begin with a header of `upper`.
    pub payload: ByteRange,
}

impl Ipv6 {
    /// Reads the header chain of a datagram; octets past the payload length are ignored.
    ///
    /// # Errors
    /// A header ends early, the version is not 6, or an extension header contradicts itself.
    pub fn parse(datagram: &[u8]) -> Result<Self, Error> {
        Self::parse_with(datagram, Vec::new())
    }

    /// Reads as [`Self::parse`] does, with the allocation of `list` for [`Self::extensions`]; elements of `list` are
    /// dropped.
    ///
    /// # Errors
    /// Errors of [`Self::parse`].
    pub fn parse_with(datagram: &[u8], mut list: Vec<Extension>) -> Result<Self, Error> {
        list.clear();
        let mut header = Self { extensions: list, ..Self::BLANK };
        header.read(datagram).map(|()| header)
    }

    /// Reads as much of the header chain as possible: the fixed header and the extension headers before the octet of
    /// the error, and that error; `None` where the chain is whole.
    #[must_use]
    pub fn parse_partly(datagram: &[u8]) -> (Self, Option<Error>) {
        let mut header = Self::BLANK;
        let error = header.read(datagram).err();
        (header, error)
    }

    /// Header before its first octet was read.
    const BLANK: Self = Self {
        traffic_class: 0,
        flow_label: 0,
        payload_len: 0,
        missing: 0,
        next_header: NO_NEXT_HEADER,
        hop_limit: 0,
        src: [0; 16],
        dst: [0; 16],
        extensions: Vec::new(),
        rpl_option: None,
        routing: None,
        fragment: None,
        upper: NO_NEXT_HEADER,
        payload: 0..0,
    };

    #[inline]
    fn read(&mut self, datagram: &[u8]) -> Result<(), Error> {
        let mut r = Reader::new(datagram, Layer::Ipv6);
        let version_class_flow = r.u32_be()?;
        if version_class_flow >> 28 != 6 {
            return Err(r.error_at(0, Kind::Invalid("IP version is not 6")));
        }
        self.traffic_class = (version_class_flow >> 20) as u8;
        self.flow_label = version_class_flow & 0xf_ffff;
        self.payload_len = r.u16_be()?;
        self.next_header = r.u8()?;
        self.upper = self.next_header;
        self.hop_limit = r.u8()?;
        (self.src, self.dst) = (r.array()?, r.array()?);
        self.missing = usize::from(self.payload_len).saturating_sub(r.remaining());
        let end = HEADER_LEN.saturating_add(usize::from(self.payload_len)).min(datagram.len());
        let mut r = Reader::within(datagram, &(r.pos()..end), Layer::Ipv6);
        extension::read_chain(&mut r, datagram, self)?;
        self.payload = r.rest_span();
        Ok(())
    }

    /// Returns the final destination: the last address of a routing header with segments
    /// left, else the destination. The upper-layer checksum is computed with it (RFC 8200 §8.1).
    #[must_use]
    pub fn final_dst(&self) -> [u8; 16] {
        self.routing
            .as_ref()
            .filter(|routing| routing.segments_left > 0)
            .and_then(|routing| routing.addresses.last().copied())
            .unwrap_or(self.dst)
    }
}

/// Upper-layer checksum (RFC 8200 §8.1): the one's complement of the one's complement sum of the pseudo-header and
/// `upper`. `proto` is the protocol number of `upper`.
///
/// 0 over an intact segment. To fill a field in, take it over the segment with a zero field (UDP
/// then sends 0 as 0xffff). `dst` is the final destination.
#[must_use]
pub fn checksum(src: [u8; 16], dst: [u8; 16], proto: u8, upper: &[u8]) -> u16 {
    let length = (upper.len() as u64).to_be_bytes();
    let words = |octets: &[u8]| -> u64 {
        octets
            .chunks(2)
            .map(|pair| match pair {
                [high, low] => u64::from(u16::from_be_bytes([*high, *low])),
                [high] => u64::from(*high) << 8,
                _ => 0,
            })
            .fold(0, u64::saturating_add)
    };
    let parts = [words(&src), words(&dst), words(&length), u64::from(proto), words(upper)];
    let mut sum = parts.into_iter().fold(0, u64::saturating_add);
    while sum > 0xffff {
        sum = (sum & 0xffff).saturating_add(sum >> 16);
    }
    !(sum as u16)
}
