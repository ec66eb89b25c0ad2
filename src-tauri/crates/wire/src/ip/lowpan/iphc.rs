//! `LOWPAN_IPHC`, the compressed IPv6 header (RFC 6282 §3).

use super::{Ends, Prefix, Rebuild};
use crate::link::ieee802154::short_iid;
use crate::{Error, Kind};

/// Form of the header behind this one: inline or compressed.
pub(super) enum Next {
    /// The next header field was inline: the rest is verbatim.
    Inline,
    /// An NHC octet follows; its protocol number goes to this octet of the output.
    Nhc {
        /// Offset of that octet in the output.
        field: usize,
    },
}

/// Rebuilds one IPv6 header from its two octets of encoding and its inline fields, and returns the
/// interface identifiers that a header it encapsulates would derive from. Errs for too few octets, a
/// reserved encoding, or an elided address that the frame does not have.
///
/// ```text
///  0         3    5    6      8     9     10    12  13    14    16
/// +---------+----+----+------+-----+-----+-----+---+-----+-----+-------------+--------
/// | 0 1 1   | TF | NH | HLIM | CID | SAC | SAM | M | DAC | DAM | SCI:4 DCI:4 | inline
/// +---------+----+----+------+-----+-----+-----+---+-----+-----+-------------+--------
///                                                                if CID
/// ```
pub(super) fn header(rebuild: &mut Rebuild<'_>, ends: Ends) -> Result<(Next, Ends), Error> {
    let [first, second] = rebuild.r.array()?;
    let contexts = if second & 0x80 != 0 { rebuild.r.u8()? } else { 0 };
    let (traffic_class, flow_label) = traffic(rebuild, first >> 3 & 3)?;
    let next_header = if first & 4 == 0 { Some(rebuild.r.u8()?) } else { None };
    let hop_limit = match first & 3 {
        0 => rebuild.r.u8()?,
        1 => 1,
        2 => 64,
        _ => 255,
    };
    let src = source(rebuild, second, contexts >> 4, ends.src)?;
    let dst = destination(rebuild, second, contexts & 0xf, ends.dst)?;

    let start = rebuild.out.len();
    let version_class_flow = 6 << 28 | u32::from(traffic_class) << 20 | flow_label;
    rebuild.out.extend_from_slice(&version_class_flow.to_be_bytes());
    rebuild.push_length(start.saturating_add(40));
    let field = rebuild.out.len();
    rebuild.out.extend_from_slice(&[next_header.unwrap_or_default(), hop_limit]);
    rebuild.out.extend_from_slice(&src);
    rebuild.out.extend_from_slice(&dst);

    let next = if next_header.is_some() { Next::Inline } else { Next::Nhc { field } };
    Ok((next, Ends { src: src.last_chunk().copied(), dst: dst.last_chunk().copied() }))
}

/// Traffic class and flow label, §3.2.1. Inline, ECN comes before DSCP; in the header, behind it.
fn traffic(rebuild: &mut Rebuild<'_>, tf: u8) -> Result<(u8, u32), Error> {
    /// The 20 bits of a flow label.
    const FLOW: u32 = 0xf_ffff;
    let r = &mut rebuild.r;
    Ok(match tf {
        0 => {
            let inline = r.u32_be()?;
            let [ecn_dscp, ..] = inline.to_be_bytes();
            (ecn_dscp.rotate_left(2), inline & FLOW)
        }
        1 => {
            let [ecn, middle, low] = r.array()?;
            (ecn >> 6, u32::from_be_bytes([0, ecn, middle, low]) & FLOW)
        }
        2 => (r.u8()?.rotate_left(2), 0),
        _ => (0, 0),
    })
}

/// Reads the source address, by SAC and SAM (§3.1.1).
fn source(rebuild: &mut Rebuild<'_>, encoding: u8, context: u8, iid: Option<[u8; 8]>) -> Result<[u8; 16], Error> {
    let (sac, sam) = (encoding & 0x40 != 0, encoding >> 4 & 3);
    match (sac, sam) {
        (false, 0) => rebuild.r.array(),
        (true, 0) => Ok([0; 16]),
        (false, _) => unicast(rebuild, sam, Prefix::LINK_LOCAL, iid),
        (true, _) => {
            let prefix = rebuild.context(context);
            unicast(rebuild, sam, prefix, iid)
        }
    }
}

/// Reads the destination address, by M, DAC and DAM (§3.1.1).
fn destination(rebuild: &mut Rebuild<'_>, encoding: u8, context: u8, iid: Option<[u8; 8]>) -> Result<[u8; 16], Error> {
    let (multicast, dac, dam) = (encoding & 8 != 0, encoding & 4 != 0, encoding & 3);
    match (multicast, dac, dam) {
        (_, false, 0) => rebuild.r.array(),
        (false, true, 0) => Err(rebuild.r.error(Kind::Reserved("IPHC M=0 DAC=1 DAM=0"))),
        (false, false, _) => unicast(rebuild, dam, Prefix::LINK_LOCAL, iid),
        (false, true, _) => {
            let prefix = rebuild.context(context);
            unicast(rebuild, dam, prefix, iid)
        }
        (true, false, _) => multicast_stateless(rebuild, dam),
        (true, true, 0) => {
            let prefix = rebuild.context(context);
            multicast_from_prefix(rebuild, prefix)
        }
        (true, true, _) => Err(rebuild.r.error(Kind::Reserved("IPHC M=1 DAC=1 DAM=1 to 3"))),
    }
}

/// A unicast address with 64 (1), 16 (2) or 0 (3) bits inline.
fn unicast(rebuild: &mut Rebuild<'_>, mode: u8, prefix: Prefix, link: Option<[u8; 8]>) -> Result<[u8; 16], Error> {
    let iid: [u8; 8] = match mode {
        1 => rebuild.r.array()?,
        2 => short_iid(rebuild.r.u16_be()?),
        _ => link.ok_or_else(|| rebuild.r.error(Kind::Invalid("address elided, but the frame has none either")))?,
    };
    Ok(prefix.over(u128::from(u64::from_be_bytes(iid)).to_be_bytes()))
}

/// `ffXX::00XX:XXXX:XXXX` (1), `ffXX::00XX:XXXX` (2) or `ff02::00XX` (3).
fn multicast_stateless(rebuild: &mut Rebuild<'_>, mode: u8) -> Result<[u8; 16], Error> {
    let (scope, group) = match mode {
        1 => {
            let [scope, a, b, c, d, e] = rebuild.r.array()?;
            (scope, [a, b, c, d, e])
        }
        2 => {
            let [scope, c, d, e] = rebuild.r.array()?;
            (scope, [0, 0, c, d, e])
        }
        _ => (0x02, [0, 0, 0, 0, rebuild.r.u8()?]),
    };
    let [a, b, c, d, e] = group;
    Ok([0xff, scope, 0, 0, 0, 0, 0, 0, 0, 0, 0, a, b, c, d, e])
}

/// `ffXX:XXLL:PPPP:PPPP:PPPP:PPPP:XXXX:XXXX` (RFC 3306 §4, RFC 3956 §2): X inline, L and P the
/// context's length, which cannot exceed P's 64 bits, and prefix.
fn multicast_from_prefix(rebuild: &mut Rebuild<'_>, prefix: Prefix) -> Result<[u8; 16], Error> {
    let [scope, rendezvous, a, b, c, d] = rebuild.r.array()?;
    let [p0, p1, p2, p3, p4, p5, p6, p7, ..] = prefix.over([0; 16]);
    Ok([0xff, scope, rendezvous, prefix.len.min(64), p0, p1, p2, p3, p4, p5, p6, p7, a, b, c, d])
}

/// Lengths, in octets and in order, of the inline fields that follow the two octets of an IPHC encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    /// Number of octets of context identifiers: 0 or 1.
    pub contexts: usize,
    /// Number of octets of traffic class and flow label: 0, 1, 3 or 4.
    pub traffic: usize,
    /// Number of octets of the next header: 0 or 1.
    pub next_header: usize,
    /// Number of octets of the hop limit: 0 or 1.
    pub hop_limit: usize,
    /// Source address: 0, 2, 8 or 16.
    pub src: usize,
    /// Destination address: 0, 1, 2, 4, 6, 8 or 16.
    pub dst: usize,
}

impl Layout {
    /// Reads the lengths from the two octets of encoding (RFC 6282 §3.1.1); 0 for an address of a reserved encoding.
    pub const fn of([first, second]: [u8; 2]) -> Self {
        let src = match (second & 0x40 != 0, second >> 4 & 3) {
            (false, 0) => 16,
            (_, 1) => 8,
            (_, 2) => 2,
            _ => 0,
        };
        let dst = match (second & 8 != 0, second & 4 != 0, second & 3) {
            (_, false, 0) => 16,
            (false, _, 1) => 8,
            (false, _, 2) => 2,
            (true, false, 1) | (true, true, 0) => 6,
            (true, false, 2) => 4,
            (true, false, 3) => 1,
            _ => 0,
        };
        Self {
            contexts: (second >> 7) as usize,
            traffic: match first >> 3 & 3 {
                0 => 4,
                1 => 3,
                2 => 1,
                _ => 0,
            },
            next_header: if first & 4 == 0 { 1 } else { 0 },
            hop_limit: if first & 3 == 0 { 1 } else { 0 },
            src,
            dst,
        }
    }
}
