//! `LOWPAN_HC1` and `HC_UDP`, the first header compression (RFC 4944 §10), deprecated by RFC 6282 and
//! still met in old captures.

use super::{Ends, LayerKind, Prefix, Rebuild};
use crate::ip::ipv6;
use crate::{Error, Kind, Reader};

/// Rebuilds an IPv6 header and, with HC2, the UDP header behind it. Errs for too few octets, HC2 of a
/// protocol other than UDP, or an elided address that the frame does not have.
///
/// ```text
///  0             8    9   10   11  12      13   15     16   17   18    19
/// +-------------+----+----+----+---+-------+----+-----+----+----+-----+---+------------------
/// | 0100 0010   | SP | SI | DP | DI| TC+FL | NH | HC2 | S  | D  | LEN | - | hop limit, inline
/// +-------------+----+----+----+---+-------+----+-----+----+----+-----+---+------------------
///                                                       HC_UDP, if HC2
/// ```
/// Inline fields follow without alignment: a traffic class and flow label are 28 bits, a port may be 4.
pub(super) fn header(rebuild: &mut Rebuild<'_>, ends: Ends) -> Result<(), Error> {
    let start = rebuild.r.pos();
    let [_, hc1] = rebuild.r.array()?;
    let hc2 = if hc1 & 1 != 0 { Some(rebuild.r.u8()?) } else { None };
    let mut bits = Bits { r: &mut rebuild.r, last: 0, left: 0 };
    let hop_limit = bits.take(8)? as u8;
    let src = address(&mut bits, hc1 >> 6, ends.src)?;
    let dst = address(&mut bits, hc1 >> 4, ends.dst)?;
    let class_flow = if hc1 & 8 == 0 { bits.take(28)? as u32 } else { 0 };
    let next_header = match hc1 >> 1 & 3 {
        0 => bits.take(8)? as u8,
        1 => ipv6::UDP,
        2 => ipv6::ICMPV6,
        _ => ipv6::TCP,
    };
    // An octet shared by a flow label and a port counts as IPv6's.
    let udp_start = bits.r.pos();
    let ports = match hc2 {
        Some(encoding) if next_header == ipv6::UDP => Some(UdpFields::read(&mut bits, encoding)?),
        Some(_) => return Err(bits.r.error_at(start, Kind::Unsupported("HC2 of a protocol other than UDP"))),
        None => None,
    };

    rebuild.out.extend_from_slice(&(6 << 28 | class_flow).to_be_bytes());
    rebuild.push_length(rebuild.out.len().saturating_add(36));
    rebuild.out.extend_from_slice(&[next_header, hop_limit]);
    rebuild.out.extend_from_slice(&src);
    rebuild.out.extend_from_slice(&dst);
    rebuild.spans.push((LayerKind::Ipv6, start..udp_start));
    if let Some(UdpFields { src, dst, length, checksum }) = ports {
        rebuild.out.extend_from_slice(&src.to_be_bytes());
        rebuild.out.extend_from_slice(&dst.to_be_bytes());
        match length {
            Some(length) => rebuild.out.extend_from_slice(&length.to_be_bytes()),
            None => rebuild.push_length(rebuild.out.len().saturating_sub(4)),
        }
        rebuild.out.extend_from_slice(&checksum.to_be_bytes());
        rebuild.spans.push((LayerKind::Udp, udp_start..rebuild.r.pos()));
    }
    Ok(())
}

/// Reads an address by its two bits of encoding (§10.1): bit 1 of `mode` is "prefix is fe80::/64", bit 0 "interface
/// identifier is the link layer's".
fn address(bits: &mut Bits<'_, '_>, mode: u8, link: Option<[u8; 8]>) -> Result<[u8; 16], Error> {
    let prefix = if mode & 2 == 0 { Some(bits.take(64)?) } else { None };
    let iid = if mode & 1 == 0 {
        bits.take(64)?
    } else {
        let missing = Kind::Invalid("address elided, but the frame has none either");
        u64::from_be_bytes(link.ok_or_else(|| bits.r.error(missing))?)
    };
    let iid = u128::from(iid);
    Ok(match prefix {
        Some(prefix) => (u128::from(prefix) << 64 | iid).to_be_bytes(),
        None => Prefix::LINK_LOCAL.over(iid.to_be_bytes()),
    })
}

/// Fields of a UDP header after `HC_UDP` compression (RFC 4944 §10.2).
struct UdpFields {
    src: u16,
    dst: u16,
    length: Option<u16>,
    checksum: u16,
}

impl UdpFields {
    fn read(bits: &mut Bits<'_, '_>, encoding: u8) -> Result<Self, Error> {
        /// P of §10.2: 4-bit ports count from 61616.
        const PORT_4: u16 = 0xf0b0;
        let mut port = |short| -> Result<u16, Error> {
            Ok(if short { PORT_4 | bits.take(4)? as u16 } else { bits.take(16)? as u16 })
        };
        let (src, dst) = (port(encoding & 0x80 != 0)?, port(encoding & 0x40 != 0)?);
        let length = if encoding & 0x20 == 0 { Some(bits.take(16)? as u16) } else { None };
        Ok(Self { src, dst, length, checksum: bits.take(16)? as u16 })
    }
}

/// Reads fields of any number of bits up to 64, most significant first.
struct Bits<'r, 'a> {
    r: &'r mut Reader<'a>,
    /// Octet that bits are read from.
    last: u8,
    /// Number of its low bits that are unread, 0 to 8.
    left: u32,
}

impl Bits<'_, '_> {
    fn take(&mut self, mut count: u32) -> Result<u64, Error> {
        let mut value = 0;
        while count > 0 {
            if self.left == 0 {
                self.last = self.r.u8()?;
                self.left = 8;
            }
            let n = count.min(self.left);
            self.left = self.left.saturating_sub(n);
            count = count.saturating_sub(n);
            let field = u64::from(self.last.wrapping_shr(self.left)) & !u64::MAX.wrapping_shl(n);
            value = u64::wrapping_shl(value, n) | field;
        }
        Ok(value)
    }
}
