//! ICMPv6 (RFC 4443), and the 6LoWPAN contexts that Neighbor Discovery announces (RFC 4861, RFC 6775).

use crate::ip::lowpan::Prefix;
use crate::{ByteRange, Error, Kind, Reader};
use base::Layer;

/// Type of a Router Advertisement (RFC 4861 §4.2).
pub const ROUTER_ADVERTISEMENT: u8 = 134;
/// Type of an RPL control message (RFC 6550 §6).
pub const RPL_CONTROL: u8 = 155;

/// An ICMPv6 header.
///
/// ```text
/// +----------+----------+---------------+------
/// | type (8) | code (8) | checksum (16) | body
/// +----------+----------+---------------+------
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Icmpv6 {
    /// Type; below 128 an error message (RFC 4443 §2.1).
    pub kind: u8,
    /// Code, whose meaning depends on the type.
    pub code: u8,
    /// Checksum as sent, 16 bits; [`crate::ip::ipv6::checksum`] computes it.
    pub checksum: u16,
    /// Range of the message body, behind these four octets.
    pub body: ByteRange,
}

impl Icmpv6 {
    /// Reads a header.
    ///
    /// # Errors
    /// The message ends early.
    pub fn parse(octets: &[u8]) -> Result<Self, Error> {
        let mut r = Reader::new(octets, Layer::Ipv6);
        let [kind, code] = r.array()?;
        Ok(Self { kind, code, checksum: r.u16_be()?, body: r.rest_span() })
    }

    /// Registered name of the type; `None` for types that are not listed here.
    #[must_use]
    pub const fn name(&self) -> Option<&'static str> {
        Some(match self.kind {
            1 => "Destination Unreachable",
            2 => "Packet Too Big",
            3 => "Time Exceeded",
            4 => "Parameter Problem",
            128 => "Echo Request",
            129 => "Echo Reply",
            133 => "Router Solicitation",
            ROUTER_ADVERTISEMENT => "Router Advertisement",
            135 => "Neighbor Solicitation",
            136 => "Neighbor Advertisement",
            137 => "Redirect",
            RPL_CONTROL => "RPL Control",
            157 => "Duplicate Address Request",
            158 => "Duplicate Address Confirmation",
            _ => return None,
        })
    }
}

/// 6LoWPAN Context Option of a Router Advertisement (RFC 6775 §4.2).
///
/// ```text
/// +---------+--------+--------------+---+---+-----+--------------+-----------+-----------
/// | type=34 | length | context len. | - | C | CID | reserved(16) | lifetime  | prefix
/// +---------+--------+--------------+---+---+-----+--------------+-----------+-----------
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContextOption {
    /// Context identifier, 0 to 15.
    pub id: u8,
    /// True if senders may compress with it; receivers always decompress.
    pub compress: bool,
    /// Valid lifetime in minutes; 0 removes the context.
    pub lifetime_min: u16,
    /// Prefix that the context stands for.
    pub prefix: Prefix,
}

/// Contexts announced in the body of a Router Advertisement, in its order.
///
/// # Errors
/// An option ends early or has length 0 (RFC 4861 §4.6: the packet is to be discarded), or a prefix is longer than 128
/// bits or than its option.
pub fn context_options(router_advertisement: &[u8]) -> Result<Vec<ContextOption>, Error> {
    /// Hop limit, flags, router lifetime, reachable time, retransmission timer (RFC 4861 §4.2).
    const FIXED: usize = 12;
    /// Type of the 6LoWPAN Context Option.
    const CONTEXT: u8 = 34;
    let mut r = Reader::new(router_advertisement, Layer::Ipv6);
    r.take(FIXED)?;
    let mut contexts = Vec::new();
    while !r.is_empty() {
        let start = r.pos();
        let [kind, units] = r.array()?;
        let body_len = (usize::from(units) << 3)
            .checked_sub(2)
            .ok_or_else(|| r.error_at(start, Kind::Invalid("neighbor discovery option of length 0")))?;
        let body = r.span(body_len)?;
        if kind == CONTEXT {
            let mut r = Reader::within(router_advertisement, &body, Layer::Ipv6);
            let [len, flags, _, _] = r.array()?;
            let lifetime_min = r.u16_be()?;
            let prefix = read_prefix(&mut r, len)?;
            contexts.push(ContextOption { id: flags & 0xf, compress: flags & 0x10 != 0, lifetime_min, prefix });
        }
    }
    Ok(contexts)
}

/// Reads a prefix of `len` bits from the octets that are left, 16 at most. Errs where `len` is over 128 or needs more
/// octets than there are.
pub(crate) fn read_prefix(r: &mut Reader<'_>, len: u8) -> Result<Prefix, Error> {
    if len > 128 {
        return Err(r.error(Kind::Invalid("prefix longer than 128 bits")));
    }
    let octets = r.take(r.remaining().min(16))?;
    if octets.len() < usize::from(len.div_ceil(8)) {
        return Err(r.error(Kind::Invalid("prefix longer than its option")));
    }
    let mut prefix = Prefix { octets: [0; 16], len };
    for (octet, given) in prefix.octets.iter_mut().zip(octets) {
        *octet = *given;
    }
    Ok(prefix)
}
