//! 6LoWPAN routing headers of page 1 (RFC 8138).

use crate::{ByteRange, Error, Kind, Reader};

/// A 6LoWPAN routing header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lorh {
    /// Content of the routing header, by type.
    pub content: Routing,
    /// Range of the whole header.
    pub span: ByteRange,
}

/// Content of a 6LoWPAN routing header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Routing {
    /// SRH-6LoRH, types 0 to 4 (§5.1): nodes still to be visited.
    SourceRoute {
        /// Octets of each address in the frame: 1, 2, 4, 8 or 16.
        size: usize,
        /// Ranges of the addresses, in the order of the header.
        addresses: Vec<ByteRange>,
    },
    /// RPI-6LoRH, type 5 (§6.2): RPL packet information.
    Rpi {
        /// Flag bits: down (0x80), rank error (0x40), forwarding error (0x20), as in the RPL option.
        flags: u8,
        /// RPLInstanceID, an identifier of 8 bits; 0 when elided.
        instance: u8,
        /// Rank of the sender; its low octet is 0 when elided.
        sender_rank: u16,
    },
    /// IP-in-IP-6LoRH, type 6 (§7): an outer IPv6 header.
    IpInIp {
        /// Hop limit of the outer header, a number of hops.
        hop_limit: u8,
        /// Address of the encapsulator, compressed; empty where it is the root of the DODAG.
        encapsulator: ByteRange,
    },
    /// An elective header of another type, which a node that does not know it skips.
    Elective {
        /// Type code of the 6LoRH (RFC 8138 §4.2).
        kind: u8,
        /// Range of the octets behind the type.
        content: ByteRange,
    },
}

impl Lorh {
    /// Reads a header known to begin with `100` (critical) or `101` (elective). `None`, with the cursor where
    /// it was, for a critical header whose length is not known here: BIER-6LoRH (type 15) and other types.
    /// Errs for too few octets, and for an IP-in-IP header without a hop limit.
    ///
    /// ```text
    /// critical: +-----+----------+------+-----    elective: +-----+--------+------+--------
    ///           | 100 | TSE: 5   | type |                   | 101 | length | type |
    ///           +-----+----------+------+-----              +-----+--------+------+--------
    /// ```
    pub(super) fn read(r: &mut Reader<'_>) -> Result<Option<Self>, Error> {
        let start = r.pos();
        let mut ahead = r.clone();
        let [first, kind] = ahead.array()?;
        let (critical, low) = (first & 0x20 == 0, usize::from(first & 0x1f));
        let content = match (critical, kind) {
            (true, 0..=4) => {
                let size = 1usize.wrapping_shl(u32::from(kind));
                let mut addresses = Vec::new();
                for _ in 0..=low {
                    addresses.push(ahead.span(size)?);
                }
                Routing::SourceRoute { size, addresses }
            }
            (true, 5) => {
                let instance = if first & 2 == 0 { ahead.u8()? } else { 0 };
                let sender_rank = if first & 1 == 0 { ahead.u16_be()? } else { u16::from(ahead.u8()?) << 8 };
                Routing::Rpi { flags: first << 3 & 0xe0, instance, sender_rank }
            }
            (true, _) => return Ok(None),
            (false, 6) => {
                let rest = low.checked_sub(1);
                let rest =
                    rest.ok_or_else(|| r.error_at(start, Kind::Invalid("IP-in-IP-6LoRH without a hop limit")))?;
                Routing::IpInIp { hop_limit: ahead.u8()?, encapsulator: ahead.span(rest)? }
            }
            (false, kind) => Routing::Elective { kind, content: ahead.span(low)? },
        };
        *r = ahead;
        Ok(Some(Self { content, span: r.since(start) }))
    }
}

/// Addresses of the nodes of the source route in `headers` of `mac_payload`, in order and in full. Each is the address
/// before it with its last octets replaced (§4.3.1); the one before the first is `reference`, that of the route's
/// source.
#[must_use]
pub fn source_route(mac_payload: &[u8], headers: &[Lorh], reference: [u8; 16]) -> Vec<[u8; 16]> {
    let mut address = reference;
    let spans = headers.iter().flat_map(|header| match &header.content {
        Routing::SourceRoute { addresses, .. } => addresses.as_slice(),
        _ => &[],
    });
    spans
        .map(|span| {
            let tail = mac_payload.get(span.clone()).unwrap_or_default();
            let keep = address.len().saturating_sub(tail.len());
            if let Some(end) = address.get_mut(keep..)
                && end.len() == tail.len()
            {
                end.copy_from_slice(tail);
            }
            address
        })
        .collect()
}
