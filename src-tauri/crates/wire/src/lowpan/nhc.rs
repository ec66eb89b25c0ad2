//! `LOWPAN_NHC`, compressed next headers (RFC 6282 §4).

use super::iphc::{self, Next};
use super::{Ends, LayerKind, Rebuild, ghc};
use crate::{Error, Kind, Span, ipv6};

/// Rebuild the chain that begins with IPHC, up to the first header that is not compressed.
pub(super) fn chain(rebuild: &mut Rebuild<'_>, ends: Ends) -> Result<(), Error> {
    let mut start = rebuild.r.pos();
    let mut addresses = addresses_at(rebuild.out.len());
    let (mut next, mut ends) = iphc::header(rebuild, ends)?;
    rebuild.spans.push((LayerKind::Ipv6, rebuild.r.since(start)));
    while let Next::Nhc { field } = next {
        start = rebuild.r.pos();
        let encoding = rebuild.r.u8()?;
        let (kind, protocol) = match encoding {
            // §4.2, EID 7: the rest is encoded with IPHC. The NH bit is unused.
            0xee | 0xef => {
                addresses = addresses_at(rebuild.out.len());
                (next, ends) = iphc::header(rebuild, ends)?;
                (LayerKind::Ipv6, ipv6::IPV6)
            }
            0xe0..=0xef => {
                let protocol = extension_protocol(encoding)
                    .ok_or_else(|| rebuild.r.error_at(start, Kind::Reserved("NHC extension header ID 5 or 6")))?;
                next = extension(rebuild, protocol, encoding & 1 != 0)?;
                (LayerKind::Extension(protocol), protocol)
            }
            0xf0..=0xf7 => {
                udp(rebuild, encoding)?;
                next = Next::Inline;
                (LayerKind::Udp, ipv6::UDP)
            }
            // RFC 7400 §3.2: ports and checksum as in 0xf0 to 0xf7, the payload in byte code.
            0xd0..=0xd7 => {
                udp(rebuild, encoding)?;
                let dictionary = rebuild.out.get(addresses.clone()).unwrap_or_default().to_vec();
                ghc::expand(rebuild, &dictionary)?;
                next = Next::Inline;
                (LayerKind::Udp, ipv6::UDP)
            }
            // RFC 7400 §3.3: the whole message in byte code.
            0xdf => {
                let dictionary = rebuild.out.get(addresses.clone()).unwrap_or_default().to_vec();
                ghc::expand(rebuild, &dictionary)?;
                next = Next::Inline;
                (LayerKind::Icmpv6, ipv6::ICMPV6)
            }
            0xb0..=0xbf => {
                return Err(rebuild.r.error_at(start, Kind::Unsupported("GHC of extension headers (RFC 7400 §3.1)")));
            }
            _ => return Err(rebuild.r.error_at(start, Kind::Reserved("next header compression ID"))),
        };
        if let Some(octet) = rebuild.out.get_mut(field) {
            *octet = protocol;
        }
        rebuild.spans.push((kind, rebuild.r.since(start)));
    }
    Ok(())
}

/// Where source and destination of an IPv6 header are that begins at octet `start` of the output.
const fn addresses_at(start: usize) -> Span {
    start.saturating_add(8)..start.saturating_add(ipv6::HEADER_LEN)
}

/// Protocol number of an extension header ID, §4.2.
const fn extension_protocol(encoding: u8) -> Option<u8> {
    match encoding >> 1 & 7 {
        0 => Some(ipv6::HOP_BY_HOP),
        1 => Some(ipv6::ROUTING),
        2 => Some(ipv6::FRAGMENT),
        3 => Some(ipv6::DESTINATION_OPTIONS),
        4 => Some(ipv6::MOBILITY),
        _ => None,
    }
}

/// An extension header, §4.2.
///
/// ```text
/// +-----------+-----+----+---------------+-------------+---------
/// | 1 1 1 0   | EID | NH | next header,  | octets that | ...
/// |           |     |    | if NH = 0     | follow      |
/// +-----------+-----+----+---------------+-------------+---------
/// ```
fn extension(rebuild: &mut Rebuild<'_>, protocol: u8, elided: bool) -> Result<Next, Error> {
    let field = rebuild.out.len();
    let next_header = if elided { 0 } else { rebuild.r.u8()? };
    let length_at = rebuild.r.pos();
    let length = rebuild.r.u8()?;
    if protocol == ipv6::FRAGMENT {
        // A fragment header has a reserved octet where the others have their length (RFC 8200 §4.5);
        // it is always 8 octets.
        rebuild.out.extend_from_slice(&[next_header, 0]);
        rebuild.out.extend_from_slice(rebuild.r.take(6)?);
    } else {
        let body = rebuild.r.take(usize::from(length))?;
        // Two octets (next header, length) and the body, in units of 8, the first not counted.
        let units = body.len().saturating_add(2).div_ceil(8);
        let padding = (units << 3).saturating_sub(body.len()).saturating_sub(2);
        if padding > 0 && !matches!(protocol, ipv6::HOP_BY_HOP | ipv6::DESTINATION_OPTIONS) {
            return Err(rebuild.r.error_at(length_at, Kind::Invalid("extension header is not a multiple of 8 octets")));
        }
        // At most 257 octets are at most 33 units.
        let hdr_ext_len = u8::try_from(units.saturating_sub(1)).unwrap_or(u8::MAX);
        rebuild.out.extend_from_slice(&[next_header, hdr_ext_len]);
        rebuild.out.extend_from_slice(body);
        push_padding(&mut rebuild.out, padding);
    }
    Ok(if elided { Next::Nhc { field } } else { Next::Inline })
}

/// Restore a trailing Pad1 or PadN of up to 7 octets (RFC 8200 §4.2).
fn push_padding(out: &mut Vec<u8>, padding: usize) {
    let pad_n: [u8; 7] = [1, (padding as u8).saturating_sub(2), 0, 0, 0, 0, 0];
    let option = if padding == 1 { &[0] } else { pad_n.get(..padding).unwrap_or(&pad_n) };
    out.extend_from_slice(option);
}

/// The UDP header, §4.3.
///
/// ```text
///  0           5   6     8
/// +-----------+---+-----+--------------------------+---------------+
/// | 1 1 1 1 0 | C |  P  | ports: 4, 3, 3 or 1 oct. | checksum, C=0 |
/// +-----------+---+-----+--------------------------+---------------+
/// ```
fn udp(rebuild: &mut Rebuild<'_>, encoding: u8) -> Result<(), Error> {
    /// Prefix of an 8-bit port, §4.3.1.
    const PORT_8: u16 = 0xf000;
    /// Prefix of a 4-bit port, §4.3.1.
    const PORT_4: u16 = 0xf0b0;
    let r = &mut rebuild.r;
    let (src, dst) = match encoding & 3 {
        0 => (r.u16_be()?, r.u16_be()?),
        1 => (r.u16_be()?, PORT_8 | u16::from(r.u8()?)),
        2 => (PORT_8 | u16::from(r.u8()?), r.u16_be()?),
        _ => {
            let ports = u16::from(r.u8()?);
            (PORT_4 | ports >> 4, PORT_4 | ports & 0xf)
        }
    };
    rebuild.udp_checksum_elided = encoding & 4 != 0;
    let checksum = if rebuild.udp_checksum_elided { 0 } else { rebuild.r.u16_be()? };
    let start = rebuild.out.len();
    rebuild.out.extend_from_slice(&src.to_be_bytes());
    rebuild.out.extend_from_slice(&dst.to_be_bytes());
    rebuild.push_length(start);
    rebuild.out.extend_from_slice(&checksum.to_be_bytes());
    Ok(())
}
