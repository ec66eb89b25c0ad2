//! Dispatch octets, which name the next header.

use super::frag::Frag;
use crate::{Error, Reader};
use base::Layer;

/// The kind of the next header, from its first octets and the page in force.
///
/// ```text
/// page 0   00xxxxxx NALP    01000000 ESC   01000001 IPv6   01000010 HC1   01000011 DFF
///          01010000 BC0     011xxxxx IPHC  10xxxxxx MESH
///          11000xxx FRAG1   11100xxx FRAGN   1110100x RFRAG   1110101x RFRAG-ACK
/// page 1   011xxxxx IPHC    100xxxxx critical 6LoRH   101xxxxx elective 6LoRH
/// any      1111pppp page switch to pppp
/// ```
/// RFC 4944 §5.1, RFC 6282 §2, RFC 6971 §5.1, RFC 8025 §3, RFC 8138 §4.1, RFC 8931 §5.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Dispatch {
    /// NALP: not a 6LoWPAN frame.
    NotLowpan,
    /// `0x41`: an uncompressed IPv6 header follows.
    Ipv6Uncompressed,
    /// `0x42`: IPv6 header compressed by `LOWPAN_HC1`, RFC 4944 §10.
    Hc1,
    /// `0x43`: depth-first forwarding, RFC 6971.
    Dff,
    /// `0x50`: broadcast header, RFC 4944 §11.1.
    Bc0,
    /// IPv6 header compressed by `LOWPAN_IPHC`, RFC 6282 §3.
    Iphc,
    /// Mesh addressing header, RFC 4944 §5.2.
    Mesh,
    /// First fragment, RFC 4944 §5.3.
    Frag1 {
        /// Uncompressed length of the datagram, octets.
        size: u16,
        /// Datagram tag, a number that is the same in all fragments.
        tag: u16,
    },
    /// Subsequent fragment, RFC 4944 §5.3.
    FragN {
        /// Uncompressed length of the datagram, octets.
        size: u16,
        /// Datagram tag, a number that is the same in all fragments.
        tag: u16,
        /// Offset of the fragment in the uncompressed datagram, octets.
        offset: usize,
    },
    /// Recoverable fragment, RFC 8931 §5.1.
    Rfrag,
    /// Acknowledgement of recoverable fragments, RFC 8931 §5.2.
    RfragAck,
    /// Switch to this page, 0 to 15, RFC 8025.
    Page(u8),
    /// 6LoWPAN routing header, RFC 8138 §4.
    Lorh {
        /// True if a node that does not know it must drop the packet.
        critical: bool,
        /// Type code of the 6LoRH (RFC 8138 §4.2).
        kind: u8,
    },
    /// `0x40`: another dispatch octet follows.
    Esc,
    /// Octet that is unassigned in this page.
    Unknown(u8),
}

impl Dispatch {
    /// Dispatch with which `octets` begin, in `page` (0 to 15).
    ///
    /// # Errors
    /// The octets end before the dispatch is known.
    pub fn of(octets: &[u8], page: u8) -> Result<Self, Error> {
        Self::peek(&Reader::new(octets, Layer::Lowpan), page)
    }

    /// Reads the dispatch at the cursor in `page`, without moving. Errs where the octets end before it is known.
    pub(super) fn peek(r: &Reader<'_>, page: u8) -> Result<Self, Error> {
        let octet = r.peek()?;
        Ok(match (page, octet) {
            (_, 0xf0..=0xff) => Self::Page(octet & 0xf),
            (0 | 1, 0x60..=0x7f) => Self::Iphc,
            (0, 0x00..=0x3f) => Self::NotLowpan,
            (0, 0x40) => Self::Esc,
            (0, 0x41) => Self::Ipv6Uncompressed,
            (0, 0x42) => Self::Hc1,
            (0, 0x43) => Self::Dff,
            (0, 0x50) => Self::Bc0,
            (0, 0x80..=0xbf) => Self::Mesh,
            (0, 0xc0..=0xc7 | 0xe0..=0xe7) => match Frag::read(&mut r.clone())? {
                Frag { size, tag, first: true, .. } => Self::Frag1 { size, tag },
                Frag { size, tag, offset, .. } => Self::FragN { size, tag, offset },
            },
            (0, 0xe8 | 0xe9) => Self::Rfrag,
            (0, 0xea | 0xeb) => Self::RfragAck,
            (1, 0x80..=0xbf) => {
                let [_, kind] = r.clone().array()?;
                Self::Lorh { critical: octet < 0xa0, kind }
            }
            _ => Self::Unknown(octet),
        })
    }
}
