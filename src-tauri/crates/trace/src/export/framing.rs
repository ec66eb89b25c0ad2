//! Frames of IEEE 802.15.4 for a CoAP message, with the headers of recorded ones.
//!
//! ```text
//! recorded frames of a hop ──► Framing: MAC header, compressed headers, boundaries of fragments
//! another CoAP message     ──► the same headers, its own lengths and checksum ──► frames
//! ```

use crate::model::{Capture, Endpoint};
use base::FrameId;
use std::fmt;
use wire::ieee802154::{FrameType, MacHeader};
use wire::ipv6::{Ipv6, UDP, checksum};
use wire::lowpan::{self, ContextTable, Dispatch, Lowpan};
use wire::udp;

/// Longest frame without its check sequence, octets (aMaxPHYPacketSize less two, IEEE Std 802.15.4-2020, 11.3).
const LONGEST: usize = 125;
/// Octets of a FRAG1 header (RFC 4944 §5.3).
const FIRST: usize = 4;
/// Octets of a FRAGN header (RFC 4944 §5.3).
const LATER: usize = 5;
/// Dispatch of FRAG1 in its first two octets, above the datagram's size (RFC 4944 §5.3).
const FRAG1: u16 = 0xc000;
/// Dispatch of FRAGN likewise (RFC 4944 §5.3).
const FRAGN: u16 = 0xe000;
/// Greatest size of a datagram in these headers.
const LARGEST: u16 = 0x07ff;

/// Reason why frames cannot be made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Unframed {
    /// The recorded frame is secured at the link layer: a new integrity code needs its key.
    Secured,
    /// The headers cannot be read, or one of them is not written here: mesh, HC1, generic compression, routing headers
    /// before fragments.
    Headers,
    /// The message does not fit into a frame, or not into the fragments of the recorded one.
    TooLong,
}

impl fmt::Display for Unframed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Secured => "the recorded frames are secured at the link layer, and no new integrity code can be made",
            Self::Headers => "the headers of the recorded frames are not ones that can be written again",
            Self::TooLong => "the message does not fit into the fragments of the recorded frames",
        })
    }
}

/// Place of the UDP checksum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Checksum {
    /// In the last two octets of the headers.
    Inline,
    /// Left out (RFC 6282 §4.3.2).
    Elided,
}

/// Headers of the frames that carried a datagram over one hop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Framing {
    /// MAC header with its information elements.
    mac: Vec<u8>,
    /// Headers of the datagram as they were sent, up to the UDP payload.
    headers: Vec<u8>,
    /// Positions in `headers` of 16-bit lengths, with what each counts beside the UDP payload.
    lengths: Vec<(usize, usize)>,
    checksum: Checksum,
    /// Length of `headers` before compression, octets.
    uncompressed: usize,
    /// Offsets of the second and later fragments in the uncompressed datagram, ascending; empty for a datagram in one
    /// frame.
    offsets: Vec<usize>,
}

impl Framing {
    /// Reads the headers of a hop from its frames in `capture`, retries among them.
    ///
    /// # Errors
    /// [`Unframed::Secured`] and [`Unframed::Headers`].
    pub fn read(capture: &Capture, contexts: &ContextTable, frames: &[FrameId]) -> Result<Self, Unframed> {
        let mut first = None;
        let mut offsets = Vec::new();
        for octets in frames.iter().filter_map(|id| capture.frames.get(id.index())).map(|f| capture.octets_of(f)) {
            let mac = MacHeader::parse(octets).map_err(|_| Unframed::Headers)?;
            if mac.security {
                return Err(Unframed::Secured);
            }
            let payload = octets.get(mac.payload.clone()).ok_or(Unframed::Headers)?;
            let lowpan = lowpan::parse(payload).map_err(|_| Unframed::Headers)?;
            match &lowpan.frag {
                Some(frag) if !frag.first => offsets.push(frag.offset),
                _ => _ = first.get_or_insert((octets, mac, lowpan)),
            }
        }
        offsets.sort_unstable();
        offsets.dedup();
        let (octets, mac, lowpan) = first.ok_or(Unframed::Headers)?;
        Self::of(octets, &mac, &lowpan, contexts, offsets).ok_or(Unframed::Headers)
    }

    /// Reads the headers from the first frame of a datagram; `None` for headers that are not written here.
    fn of(
        octets: &[u8],
        mac: &MacHeader,
        lowpan: &Lowpan,
        contexts: &ContextTable,
        offsets: Vec<usize>,
    ) -> Option<Self> {
        let payload = octets.get(mac.payload.clone())?;
        let fragment = lowpan.frag.as_ref().map_or(0, |frag| frag.span.end);
        let is_plain = lowpan.mesh.is_none() && lowpan.broadcast_seq.is_none() && lowpan.rfrag.is_none();
        let is_known = matches!(lowpan.dispatch, Dispatch::Iphc | Dispatch::Ipv6Uncompressed);
        let is_whole = lowpan.frag.is_some() != offsets.is_empty();
        if !(is_plain && is_known && is_whole) || (fragment > 0 && !lowpan.routing.is_empty()) {
            return None;
        }
        let rest = payload.get(lowpan.rest.clone())?;
        let (src, dst) = lowpan.endpoints(mac.src, mac.dst);
        let total = lowpan.frag.as_ref().map(|frag| usize::from(frag.size));
        let rebuilt = lowpan::decompress(rest, src, dst, contexts, total).ok()?;
        let datagram = [&rebuilt.header, rest.get(rebuilt.consumed..)?].concat();
        let ip = Ipv6::parse(&datagram).ok().filter(|ip| ip.upper == UDP && ip.fragment.is_none())?;
        let uncompressed = ip.payload.start.checked_add(udp::HEADER_LEN)?;
        // The headers behind the compressed ones are as they were; generic compression reaches into the payload.
        let verbatim = uncompressed.checked_sub(rebuilt.header.len())?;
        let is_udp_verbatim = verbatim >= udp::HEADER_LEN;
        if verbatim > 0 && !is_udp_verbatim {
            return None;
        }
        let end = lowpan.rest.start.checked_add(rebuilt.consumed)?.checked_add(verbatim)?;
        let headers = payload.get(fragment..end)?.to_vec();
        let mut lengths = Vec::new();
        if lowpan.dispatch == Dispatch::Ipv6Uncompressed {
            // Behind the dispatch: version, class and flow label, then the payload length.
            let at = lowpan.rest.start.checked_sub(fragment)?.checked_add(5)?;
            lengths.push((at, uncompressed.checked_sub(wire::ipv6::HEADER_LEN)?));
        }
        if is_udp_verbatim {
            lengths.push((headers.len().checked_sub(4)?, udp::HEADER_LEN));
        }
        let checksum = if rebuilt.udp_checksum_elided { Checksum::Elided } else { Checksum::Inline };
        let mac = octets.get(..mac.payload.start)?.to_vec();
        Some(Self { mac, headers, lengths, checksum, uncompressed, offsets })
    }

    /// Returns the number of frames without retries.
    #[must_use]
    pub const fn fragments(&self) -> usize {
        self.offsets.len().saturating_add(1)
    }

    /// Makes the frames of a CoAP message from `src` to `dst`, without check sequences; `tag`: of the datagram, where
    /// it is fragmented. The last fragment takes what the recorded datagram did not have.
    ///
    /// # Errors
    /// [`Unframed::TooLong`].
    pub fn frames(&self, coap: &[u8], (src, dst): (Endpoint, Endpoint), tag: u16) -> Result<Vec<Vec<u8>>, Unframed> {
        let datagram = self.datagram(coap, (src, dst)).ok_or(Unframed::TooLong)?;
        let frames: Option<Vec<Vec<u8>>> = match self.offsets.as_slice() {
            [] => Some(vec![[&self.mac[..], &datagram].concat()]),
            offsets => self.fragmented(&datagram, coap.len(), offsets, tag),
        };
        frames.filter(|all| all.iter().all(|frame| frame.len() <= LONGEST)).ok_or(Unframed::TooLong)
    }

    /// Returns the headers with the lengths and the checksum of `coap`, and `coap`; `None` where it is too long for a
    /// datagram.
    fn datagram(&self, coap: &[u8], (src, dst): (Endpoint, Endpoint)) -> Option<Vec<u8>> {
        let length = u16::try_from(coap.len().checked_add(udp::HEADER_LEN)?).ok()?;
        let mut datagram = self.headers.clone();
        for &(at, beside) in &self.lengths {
            let length = u16::try_from(coap.len().checked_add(beside)?).ok()?;
            *datagram.get_mut(at..)?.first_chunk_mut()? = length.to_be_bytes();
        }
        if self.checksum == Checksum::Inline {
            let head = [src.port, dst.port, length, 0].map(u16::to_be_bytes);
            let segment = [head.as_flattened(), coap].concat();
            let sum = match checksum(src.addr.octets(), dst.addr.octets(), UDP, &segment) {
                // 0 means that there is none (RFC 8200 §8.1).
                0 => 0xffff,
                sum => sum,
            };
            let at = datagram.len().checked_sub(2)?;
            *datagram.get_mut(at..)?.first_chunk_mut()? = sum.to_be_bytes();
        }
        datagram.extend_from_slice(coap);
        Some(datagram)
    }

    /// Cuts a datagram that carries `payload` octets at `offsets` of its uncompressed form; `None` where one is not
    /// inside the payload.
    fn fragmented(&self, datagram: &[u8], payload: usize, offsets: &[usize], tag: u16) -> Option<Vec<Vec<u8>>> {
        let total = self.uncompressed.checked_add(payload)?;
        let size = u16::try_from(total).ok().filter(|&size| size <= LARGEST)?;
        // Offset in the datagram as it is sent.
        let sent = |offset: usize| self.headers.len().checked_add(offset.checked_sub(self.uncompressed)?);
        let mut frames = Vec::with_capacity(self.fragments());
        let (mut from, mut head) = (0, Vec::with_capacity(FIRST));
        head.extend((FRAG1 | size).to_be_bytes());
        head.extend(tag.to_be_bytes());
        for &offset in offsets {
            let to = sent(offset).filter(|&to| offset < total && to > from)?;
            frames.push([&self.mac[..], &head, datagram.get(from..to)?].concat());
            from = to;
            head = Vec::with_capacity(LATER);
            head.extend((FRAGN | size).to_be_bytes());
            head.extend(tag.to_be_bytes());
            head.push(u8::try_from(offset >> 3).ok()?);
        }
        frames.push([&self.mac[..], &head, datagram.get(from..)?].concat());
        Some(frames)
    }
}

/// Puts sequence number `seq` into a frame of IEEE 802.15.4 whose header has one. Multipurpose frames stay as they are.
pub fn set_sequence_number(frame: &mut [u8], seq: u8) {
    let has = MacHeader::parse(frame).is_ok_and(|mac| mac.seq.is_some() && mac.frame_type != FrameType::Multipurpose);
    // Behind the frame control field (IEEE Std 802.15.4-2020, 7.2.2).
    if let Some(at) = frame.get_mut(2).filter(|_| has) {
        *at = seq;
    }
}
