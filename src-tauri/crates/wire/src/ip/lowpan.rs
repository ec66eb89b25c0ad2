//! 6LoWPAN: headers of a MAC payload (RFC 4944 §5, RFC 8025), and decompression.
//!
//! [`parse`] walks the link-level headers (mesh, broadcast, page switch, fragmentation) up to the
//! datagram; [`decompress`] rebuilds the header chain of a datagram. Reassembly in between belongs to
//! the caller.

mod context;
mod dispatch;
mod frag;
mod ghc;
mod hc1;
mod iphc;
mod lorh;
mod mesh;
mod nhc;

pub use context::{ContextSource, ContextTable, Prefix};
pub use dispatch::Dispatch;
pub use frag::{Frag, Rfrag, RfragAck};
pub(crate) use iphc::Layout as IphcLayout;
pub use lorh::{Lorh, Routing, source_route};
pub use mesh::Mesh;

use crate::{ByteRange, Error, Kind, MacAddr, Reader};
use base::Layer;

/// The 6LoWPAN headers of one frame, up to the datagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lowpan {
    /// Mesh addressing header (RFC 4944 §5.2); `None` without one.
    pub mesh: Option<Mesh>,
    /// Sequence number of a broadcast header `BC0` (RFC 4944 §11.1); `None` without one.
    pub broadcast_seq: Option<u8>,
    /// Fragmentation header (RFC 4944 §5.3); `None` without one.
    pub frag: Option<Frag>,
    /// Header of a recoverable fragment (RFC 8931 §5.1); `rest` is then a piece of the compressed datagram.
    pub rfrag: Option<Rfrag>,
    /// Acknowledgement of recoverable fragments (RFC 8931 §5.2); `None` for other frames.
    pub rfrag_ack: Option<RfragAck>,
    /// 6LoWPAN routing headers in order (RFC 8138); see [`source_route`].
    pub routing: Vec<Lorh>,
    /// Number of the page in force at `rest` (RFC 8025 §4); 0 unless switched.
    pub page: u8,
    /// Range of the rest: raw octets of the datagram behind FRAGN, else the datagram from its dispatch on.
    pub rest: ByteRange,
    /// Kind of `rest`: [`Dispatch::FragN`], [`Dispatch::Rfrag`] and [`Dispatch::RfragAck`] for the octets behind
    /// those headers, else its first dispatch. Never `Mesh`, `Bc0`, `Page` or `Frag1`, which have been walked past;
    /// `Lorh` only for a critical routing header of unknown length.
    pub dispatch: Dispatch,
}

impl Lowpan {
    /// Addresses, source and destination, from which elided interface identifiers are derived: the mesh header's if
    /// there is one, else those of the frame (RFC 4944 §5.2).
    #[must_use]
    pub fn endpoints(&self, src: MacAddr, dst: MacAddr) -> (MacAddr, MacAddr) {
        self.mesh.as_ref().map_or((src, dst), |mesh| (mesh.originator, mesh.final_dst))
    }

    /// Headers before the first octet was read.
    const BLANK: Self = Self {
        mesh: None,
        broadcast_seq: None,
        frag: None,
        rfrag: None,
        rfrag_ack: None,
        routing: Vec::new(),
        page: 0,
        rest: 0..0,
        dispatch: Dispatch::NotLowpan,
    };

    #[inline]
    fn read(&mut self, mac_payload: &[u8]) -> Result<(), Error> {
        let mut r = Reader::new(mac_payload, Layer::Lowpan);
        loop {
            let start = r.pos();
            let misplaced = || r.error_at(start, Kind::Invalid("6LoWPAN header out of order (RFC 4944 §5)"));
            self.dispatch = Dispatch::peek(&r, self.page)?;
            // Routing headers are of the datagram, so that none of the others may follow them (RFC 8138 §4.3).
            let unfragmented = self.frag.is_none() && self.routing.is_empty();
            match self.dispatch {
                // Mesh, then broadcast, then fragmentation, each at most once.
                Dispatch::Mesh if self.mesh.is_none() && self.broadcast_seq.is_none() && unfragmented => {
                    self.mesh = Some(Mesh::read(&mut r)?);
                }
                Dispatch::Bc0 if self.broadcast_seq.is_none() && unfragmented => {
                    let [_, seq] = r.array()?;
                    self.broadcast_seq = Some(seq);
                }
                Dispatch::Frag1 { .. } if unfragmented => self.frag = Some(Frag::read(&mut r)?),
                Dispatch::FragN { .. } if unfragmented => {
                    self.frag = Some(Frag::read(&mut r)?);
                    break;
                }
                Dispatch::Rfrag if unfragmented => {
                    self.rfrag = Some(Rfrag::read(&mut r)?);
                    break;
                }
                Dispatch::RfragAck if unfragmented => {
                    self.rfrag_ack = Some(RfragAck::read(&mut r)?);
                    break;
                }
                Dispatch::Page(page) => {
                    r.u8()?;
                    self.page = page;
                }
                Dispatch::Lorh { .. } => match Lorh::read(&mut r)? {
                    Some(header) => self.routing.push(header),
                    None => break,
                },
                Dispatch::Mesh
                | Dispatch::Bc0
                | Dispatch::Frag1 { .. }
                | Dispatch::FragN { .. }
                | Dispatch::Rfrag
                | Dispatch::RfragAck => return Err(misplaced()),
                _ => break,
            }
        }
        self.rest = r.rest_span();
        Ok(())
    }
}

/// Walks the headers of a MAC payload up to the dispatch of the datagram.
///
/// Dispatches that are not understood end the walk and are named in [`Lowpan::dispatch`].
///
/// # Errors
/// A header ends early, or headers come in an order RFC 4944 §5 does not allow.
#[inline]
pub fn parse(mac_payload: &[u8]) -> Result<Lowpan, Error> {
    let mut headers = Lowpan::BLANK;
    headers.read(mac_payload).map(|()| headers)
}

/// Reads as many headers of a MAC payload as possible: those before the error, and that error; `None` where all were
/// read.
#[must_use]
pub fn parse_partly(mac_payload: &[u8]) -> (Lowpan, Option<Error>) {
    let mut headers = Lowpan::BLANK;
    let error = headers.read(mac_payload).err();
    (headers, error)
}

/// Header of a datagram that compressed octets stand for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LayerKind {
    /// The fixed IPv6 header.
    Ipv6,
    /// An IPv6 extension header, by protocol number.
    Extension(u8),
    /// The UDP header, and its payload under generic header compression (RFC 7400).
    Udp,
    /// An ICMPv6 message under generic header compression.
    Icmpv6,
}

/// The header chain of a datagram as it was before compression.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Decompressed {
    /// Uncompressed headers. The datagram is these octets, then `input[consumed..]` verbatim (and then
    /// the other fragments).
    pub header: Vec<u8>,
    /// Number of input octets that `header` stands for.
    pub consumed: usize,
    /// Ranges of the input by header, in order; a dispatch or NHC octet belongs to
    /// the header it introduces.
    pub spans: Vec<(LayerKind, ByteRange)>,
    /// True if the UDP checksum was elided (RFC 6282 §4.3.2): the field in `header` is zero, to be computed
    /// over the whole datagram.
    pub udp_checksum_elided: bool,
    /// Identifier, 0 to 15, of the first context that was needed and unknown. The address was built with a zero prefix.
    pub missing_context: Option<u8>,
    /// Length fields of `header`.
    lengths: Vec<LengthField>,
}

/// Rebuilds the header chain of a datagram that begins with dispatch `LOWPAN_IPHC` (RFC 6282),
/// `LOWPAN_HC1` (RFC 4944 §10) or `IPv6` (uncompressed).
///
/// `src` and `dst` are the link-layer addresses elided interface identifiers derive from, see
/// [`Lowpan::endpoints`]. `total` is the uncompressed length of the datagram where a fragment header
/// says it, in octets; without, `input` is taken to be the whole datagram.
///
/// # Errors
/// The input ends early, uses a reserved encoding, or elides an address that the frame does not have.
pub fn decompress(
    input: &[u8],
    src: MacAddr,
    dst: MacAddr,
    contexts: &dyn ContextSource,
    total: Option<usize>,
) -> Result<Decompressed, Error> {
    decompress_with(input, (src, dst), contexts, total, Decompressed::default())
}

/// Rebuilds as [`decompress`] does, with the allocations of the lists of `room`, whose elements are dropped.
/// The pair is source and destination.
///
/// # Errors
/// Errors of [`decompress`].
pub fn decompress_with(
    input: &[u8],
    (src, dst): (MacAddr, MacAddr),
    contexts: &dyn ContextSource,
    total: Option<usize>,
    room: Decompressed,
) -> Result<Decompressed, Error> {
    let Decompressed { header: mut out, mut lengths, mut spans, .. } = room;
    out.clear();
    lengths.clear();
    spans.clear();
    let mut rebuild = Rebuild {
        r: Reader::new(input, Layer::Lowpan),
        contexts,
        out,
        lengths,
        spans,
        udp_checksum_elided: false,
        missing_context: None,
    };
    let ends = Ends { src: src.iid(), dst: dst.iid() };
    match Dispatch::peek(&rebuild.r, 0)? {
        Dispatch::Iphc => nhc::chain(&mut rebuild, ends)?,
        Dispatch::Hc1 => hc1::header(&mut rebuild, ends)?,
        Dispatch::Ipv6Uncompressed => {
            rebuild.r.u8()?;
            let header = rebuild.r.take(40)?;
            rebuild.out.extend_from_slice(header);
            rebuild.spans.push((LayerKind::Ipv6, 0..rebuild.r.pos()));
        }
        _ => return Err(rebuild.r.error(Kind::Unsupported("dispatch is none of IPHC, HC1 and IPv6"))),
    }
    rebuild.finish(total)
}

/// The interface identifiers of the encapsulating header (RFC 6282 §3.2.2).
#[derive(Clone, Copy)]
struct Ends {
    src: Option<[u8; 8]>,
    dst: Option<[u8; 8]>,
}

/// A header chain being rebuilt.
struct Rebuild<'a> {
    r: Reader<'a>,
    contexts: &'a dyn ContextSource,
    out: Vec<u8>,
    lengths: Vec<LengthField>,
    spans: Vec<(LayerKind, ByteRange)>,
    udp_checksum_elided: bool,
    missing_context: Option<u8>,
}

/// A 16-bit length field to fill in once the datagram's length is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct LengthField {
    /// Offset of the field in the output.
    at: usize,
    /// Offset in the output from which it counts, to the end of the datagram.
    from: usize,
}

impl Rebuild<'_> {
    /// Appends a length field that counts from octet `from` of the output to the end of the datagram.
    fn push_length(&mut self, from: usize) {
        self.lengths.push(LengthField { at: self.out.len(), from });
        self.out.extend_from_slice(&[0, 0]);
    }

    fn context(&mut self, id: u8) -> Prefix {
        self.contexts.context(id).unwrap_or_else(|| {
            self.missing_context.get_or_insert(id);
            Prefix::UNKNOWN
        })
    }

    fn finish(mut self, total: Option<usize>) -> Result<Decompressed, Error> {
        let whole = self.out.len().saturating_add(self.r.remaining());
        let total = total.unwrap_or(whole);
        if total < self.out.len() {
            return Err(self.r.error(Kind::Invalid("datagram size is less than its headers")));
        }
        for field in &self.lengths {
            let length = u16::try_from(total.saturating_sub(field.from))
                .map_err(|_| self.r.error(Kind::Invalid("datagram longer than 65535 octets")))?;
            if let Some(octets) = self.out.get_mut(field.at..).and_then(|rest| rest.first_chunk_mut()) {
                *octets = length.to_be_bytes();
            }
        }
        Ok(Decompressed {
            header: self.out,
            consumed: self.r.pos(),
            spans: self.spans,
            udp_checksum_elided: self.udp_checksum_elided,
            missing_context: self.missing_context,
            lengths: self.lengths,
        })
    }
}
