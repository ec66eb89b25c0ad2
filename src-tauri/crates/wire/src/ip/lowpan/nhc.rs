//! `LOWPAN_NHC`, compressed next headers (RFC 6282 §4).

use super::iphc::{self, Next};
use super::{Ends, LayerKind, Rebuild, ghc};
use crate::ip::ipv6;
use crate::{ByteRange, Error, Kind};

/// Rebuilds the chain that begins with IPHC, up to the first header that is not compressed. Errs where a header ends
/// early or uses a reserved encoding.
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
            // RFC 7400 §3.2: 0xb0 to 0xb7 are those of ID 0 to 3 in byte code; no others are assigned (§4).
            0xe0..=0xef | 0xb0..=0xb7 => {
                let protocol = extension_protocol(encoding)
                    .ok_or_else(|| rebuild.r.error_at(start, Kind::Reserved("NHC extension header ID 5 or 6")))?;
                next = extension(rebuild, protocol, encoding, &addresses)?;
                (LayerKind::Extension(protocol), protocol)
            }
            0xf0..=0xf7 => {
                udp(rebuild, encoding)?;
                next = Next::Inline;
                (LayerKind::Udp, ipv6::UDP)
            }
            // RFC 7400 §3.1: ports and checksum as in 0xf0 to 0xf7, the payload in byte code.
            0xd0..=0xd7 => {
                udp(rebuild, encoding)?;
                ghc::expand(rebuild, &addresses)?;
                next = Next::Inline;
                (LayerKind::Udp, ipv6::UDP)
            }
            // RFC 7400 §3.1: the whole message in byte code.
            0xdf => {
                ghc::expand(rebuild, &addresses)?;
                next = Next::Inline;
                (LayerKind::Icmpv6, ipv6::ICMPV6)
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

/// Returns the range of source and destination of an IPv6 header that begins at octet `start` of the output.
const fn addresses_at(start: usize) -> ByteRange {
    start.saturating_add(8)..start.saturating_add(ipv6::HEADER_LEN)
}

/// Protocol number of an extension header ID (§4.2); `None` for IDs 5 to 7, of which 7 is IPv6 itself.
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

/// Rebuilds an extension header, of §4.2 or in byte code (RFC 7400 §3.2).
///
/// ```text
/// +-----------+-----+----+---------------+-------------+---------
/// | 1 1 1 0   | EID | NH | next header,  | octets that | ...
/// |           |     |    | if NH = 0     | follow      |
/// +-----------+-----+----+---------------+-------------+---------
/// | 1 0 1 1   | EID | NH | next header,  | byte code up to and with
/// |           |     |    | if NH = 0     | its stop code
/// +-----------+-----+----+---------------+-----------------------
/// ```
/// For byte code RFC 7400 says that it works "in a similar way", that the length is left out and restored from what the
/// code makes, and that the stop code ends it. So the code makes what follows the length, and nothing before that is
/// among the octets that it can refer to; padding may have been left out as with §4.2.
fn extension(rebuild: &mut Rebuild<'_>, protocol: u8, encoding: u8, addresses: &ByteRange) -> Result<Next, Error> {
    let field = rebuild.out.len();
    let is_elided = encoding & 1 != 0;
    let next_header = if is_elided { 0 } else { rebuild.r.u8()? };
    rebuild.out.extend_from_slice(&[next_header, 0]);
    let body = rebuild.out.len();
    let at = rebuild.r.pos();
    match encoding {
        0xb0..=0xb7 if ghc::expand(rebuild, addresses)? => {}
        0xb0..=0xb7 => return Err(rebuild.r.error(Kind::Truncated { need: 1, have: 0 })),
        // A fragment header has a reserved octet where the others have their length (RFC 8200 §4.5).
        _ => {
            let length = rebuild.r.u8()?;
            let length = if protocol == ipv6::FRAGMENT { FRAGMENT_BODY } else { usize::from(length) };
            rebuild.out.extend_from_slice(rebuild.r.take(length)?);
        }
    }
    let body = rebuild.out.len().saturating_sub(body);
    let invalid = |what| rebuild.r.error_at(at, Kind::Invalid(what));
    if protocol == ipv6::FRAGMENT {
        if body != FRAGMENT_BODY {
            return Err(invalid("fragment header is not 8 octets"));
        }
    } else {
        // Two octets (next header, length) and the body, in units of 8, the first not counted.
        let units = body.saturating_add(2).div_ceil(8);
        let padding = (units << 3).saturating_sub(body).saturating_sub(2);
        if padding > 0 && !matches!(protocol, ipv6::HOP_BY_HOP | ipv6::DESTINATION_OPTIONS) {
            return Err(invalid("extension header is not a multiple of 8 octets"));
        }
        let more = u8::try_from(units.saturating_sub(1));
        let more = more.map_err(|_| invalid("extension header is longer than 2048 octets"))?;
        if let Some(length) = rebuild.out.get_mut(field.saturating_add(1)) {
            *length = more;
        }
        push_padding(&mut rebuild.out, padding);
    }
    Ok(if is_elided { Next::Nhc { field } } else { Next::Inline })
}

/// Octets of a fragment header behind the first two (RFC 8200 §4.5).
const FRAGMENT_BODY: usize = 6;

/// Restores a trailing Pad1 or PadN of up to 7 octets (RFC 8200 §4.2).
fn push_padding(out: &mut Vec<u8>, padding: usize) {
    let pad_n: [u8; 7] = [1, (padding as u8).saturating_sub(2), 0, 0, 0, 0, 0];
    let option = if padding == 1 { &[0] } else { pad_n.get(..padding).unwrap_or(&pad_n) };
    out.extend_from_slice(option);
}

/// Rebuilds the UDP header, §4.3.
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
