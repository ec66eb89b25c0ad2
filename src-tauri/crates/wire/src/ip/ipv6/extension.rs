//! Extension headers (RFC 8200 §4), the RPL option (RFC 6553, RFC 9008) and source routing headers
//! (RFC 6554).

use super::{AUTHENTICATION, DESTINATION_OPTIONS, FRAGMENT, HIP, HOP_BY_HOP, Ipv6, MOBILITY, ROUTING, SHIM6};
use crate::{ByteRange, Error, Kind, Reader};
use base::Layer;

/// One header of the chain between fixed header and payload.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extension {
    /// Protocol number of this header, as the one before it names it.
    pub kind: u8,
    /// Range of the whole header.
    pub span: ByteRange,
}

/// RPL packet information: option 0x63 (RFC 6553 §3) or 0x23 (RFC 9008 §4) of a hop-by-hop header.
///
/// ```text
/// +-------------+--------+---+---+---+-------+--------------+-------------+
/// | 0x63 / 0x23 | length | O | R | F | 0     | RPLInstanceID| sender rank |
/// +-------------+--------+---+---+---+-------+--------------+-------------+
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rpi {
    /// Flag bits: down (0x80), rank error (0x40), forwarding error (0x20).
    pub flags: u8,
    /// RPLInstanceID, an identifier of 8 bits (RFC 6550 §5.1).
    pub instance: u8,
    /// Rank of the node that forwarded the packet, in the units of its DODAG.
    pub sender_rank: u16,
    /// Range of the option, type and length included.
    pub span: ByteRange,
}

/// A routing header (RFC 8200 §4.4).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Routing {
    /// Routing type: 3 is RPL source routing (RFC 6554), 2 mobility (RFC 6275), 0 is deprecated.
    pub kind: u8,
    /// Number of addresses still to be visited.
    pub segments_left: u8,
    /// Addresses of types 0, 2 and 3, prefixes elided by RFC 6554 restored; empty for other types.
    pub addresses: Vec<[u8; 16]>,
}

/// A fragment header (RFC 8200 §4.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fragment {
    /// Offset of the payload in the original, in octets.
    pub offset: u16,
    /// True if more fragments follow.
    pub more: bool,
    /// Identification number, the same in all fragments of a datagram.
    pub id: u32,
}

/// Walks the extension headers from the cursor, filling `header` in; the cursor ends at the payload. Errs where a
/// header ends early, an RPL option is too short or a source route is no whole number of addresses.
pub(super) fn read_chain(r: &mut Reader<'_>, datagram: &[u8], header: &mut Ipv6) -> Result<(), Error> {
    loop {
        let kind = header.upper;
        let start = r.pos();
        match kind {
            HOP_BY_HOP | ROUTING | FRAGMENT | DESTINATION_OPTIONS | AUTHENTICATION | MOBILITY | HIP | SHIM6 => {}
            _ => return Ok(()),
        }
        let [next_header, length] = r.array()?;
        // The length octet: units of 8 octets past the first 8; of 4 past the first 8 in an
        // authentication header (RFC 4302 §2.2); none in a fragment header.
        let body = r.span(match kind {
            FRAGMENT => 6,
            AUTHENTICATION => (usize::from(length) << 2).saturating_add(6),
            _ => (usize::from(length) << 3).saturating_add(6),
        })?;
        let mut body = Reader::within(datagram, &body, Layer::Ipv6);
        match kind {
            HOP_BY_HOP if header.rpl_option.is_none() => header.rpl_option = read_rpl_option(&mut body)?,
            ROUTING if header.routing.is_none() => header.routing = Some(read_routing(&mut body, header.dst)?),
            FRAGMENT if header.fragment.is_none() => {
                let offset_more = body.u16_be()?;
                let id = body.u32_be()?;
                header.fragment = Some(Fragment { offset: offset_more & !7, more: offset_more & 1 != 0, id });
            }
            _ => {}
        }
        header.extensions.push(Extension { kind, span: r.since(start) });
        header.upper = next_header;
        if header.fragment.is_some_and(|fragment| fragment.offset > 0) {
            return Ok(());
        }
    }
}

/// The first RPL option among hop-by-hop options (RFC 8200 §4.2).
fn read_rpl_option(r: &mut Reader<'_>) -> Result<Option<Rpi>, Error> {
    /// The one-octet option without a length.
    const PAD1: u8 = 0;
    /// Type of the RPL option for which a node that does not know it drops the packet (RFC 6553 §6).
    const RPL: u8 = 0x63;
    /// Type of the RPL option that a node skips if it does not know it (RFC 9008 §4.1).
    const RPL_SKIP: u8 = 0x23;
    while !r.is_empty() {
        let start = r.pos();
        let kind = r.u8()?;
        if kind == PAD1 {
            continue;
        }
        let length = usize::from(r.u8()?);
        let mut option = r.clone();
        r.take(length)?;
        if matches!(kind, RPL | RPL_SKIP) {
            if length < 4 {
                return Err(option.error_at(start, Kind::Invalid("RPL option shorter than 4 octets")));
            }
            let [flags, instance] = option.array()?;
            return Ok(Some(Rpi { flags, instance, sender_rank: option.u16_be()?, span: r.since(start) }));
        }
    }
    Ok(None)
}

fn read_routing(r: &mut Reader<'_>, dst: [u8; 16]) -> Result<Routing, Error> {
    let [kind, segments_left] = r.array()?;
    let addresses = match kind {
        0 | 2 => {
            r.u32_be()?;
            let mut addresses = Vec::new();
            while r.remaining() >= 16 {
                addresses.push(r.array()?);
            }
            addresses
        }
        3 => read_source_route(r, dst)?,
        _ => Vec::new(),
    };
    Ok(Routing { kind, segments_left, addresses })
}

/// The addresses of an RPL source routing header (RFC 6554 §3): the octets left out of each are
/// those of the IPv6 destination.
///
/// ```text
/// +-------+-------+-----+--------------+-------------------------+------------------+-----+
/// | CmprI | CmprE | pad | reserved: 20 | n-1 times 16-CmprI oct. | 16-CmprE octets  | pad |
/// +-------+-------+-----+--------------+-------------------------+------------------+-----+
/// ```
fn read_source_route(r: &mut Reader<'_>, dst: [u8; 16]) -> Result<Vec<[u8; 16]>, Error> {
    let at = r.pos();
    let compression = r.u32_be()?;
    let nibble = |shift: u32| (compression.wrapping_shr(shift) & 0xf) as usize;
    let (skip_each, skip_last, padding) = (nibble(28), nibble(24), nibble(20));
    let each = 16usize.saturating_sub(skip_each);
    let last = 16usize.saturating_sub(skip_last);
    let octets = r.remaining().saturating_sub(padding);
    let mut addresses = Vec::new();
    // A header of 8 octets has no room for an address (Contiki-NG sends it on the last hop).
    let Some(before_last) = octets.checked_sub(last) else {
        return Ok(addresses);
    };
    if before_last.checked_rem(each) != Some(0) {
        return Err(r.error_at(at, Kind::Invalid("source routing header is not a whole number of addresses")));
    }
    for _ in 0..before_last.checked_div(each).unwrap_or_default() {
        addresses.push(with_tail(dst, skip_each, r.take(each)?));
    }
    addresses.push(with_tail(dst, skip_last, r.take(last)?));
    Ok(addresses)
}

/// `address` with everything behind its first `keep` octets replaced by `tail`.
fn with_tail(mut address: [u8; 16], keep: usize, tail: &[u8]) -> [u8; 16] {
    for (octet, new) in address.iter_mut().skip(keep).zip(tail) {
        *octet = *new;
    }
    address
}
