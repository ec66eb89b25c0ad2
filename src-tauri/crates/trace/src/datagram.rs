//! Frames to datagrams: 6LoWPAN decompression and reassembly, one [`HopRecord`] per link-layer hop
//! of a CoAP message, one [`Seen`] per frame that completes one.
//!
//! Reassembly key: link-layer source and destination, tag and size (RFC 4944 §5.3), per hop. A
//! datagram whose pieces were all sent is complete, whether or not the receiver got them all:
//! a capture sees what was sent. Whether it arrived is said by [`Delivery`].

mod fragment;
mod payload;

pub(crate) use payload::IpHeader;

use fragment::{Assembly, Key};
use payload::Head;

use crate::link::{self, LinkView};
use crate::message::{Delivery, Endpoint};
use crate::{Capture, Link};
use base::{FrameId, Instant, Layer, Notes, Span};
use std::collections::HashMap;
use std::net::Ipv6Addr;
use wire::coap::{Code, Token, Type};
use wire::ethernet::Ethernet;
use wire::ieee802154::{FrameType, MacAddr, MacHeader};
use wire::lowpan::{self, ContextTable, Dispatch};

/// A link-layer retry carries the same octets with the same sequence number. It comes within
/// milliseconds with CSMA, within some slotframes with TSCH; after this long the sequence number
/// may have come round again.
const RETRY_WINDOW: Span = Span::from_secs(30);

/// What decoding needs to know beside the frames.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecodeOptions {
    /// UDP ports on which CoAP is spoken (RFC 7252 §6.1: 5683).
    pub ports: Vec<u16>,
    /// Number of the retransmission-count option. The default is the first number of the
    /// experimental range (RFC 7252 §12.2) that is elective, safe to forward and no cache key.
    pub rc_option: u16,
    /// 6LoWPAN contexts by number; those not given are learned from RPL and neighbour discovery.
    pub contexts: Vec<(u8, Ipv6Addr, u8)>,
}

impl Default for DecodeOptions {
    fn default() -> Self {
        Self { ports: vec![5683], rc_option: 65_020, contexts: Vec::new() }
    }
}

/// The facts of a CoAP message that all its hops share.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Facts {
    pub src: Endpoint,
    pub dst: Endpoint,
    pub kind: Type,
    pub code: Code,
    pub mid: u16,
    pub token: Token,
    pub rc: Option<u8>,
}

/// One fragment (or the whole datagram) on one hop, with its retries.
#[derive(Clone, Debug)]
struct Piece {
    range: (usize, usize),
    frames: Vec<FrameId>,
}

/// One link-layer hop of one CoAP message.
#[derive(Clone, Debug)]
pub(crate) struct HopRecord {
    pub facts: Facts,
    pub payload: u16,
    pub src: MacAddr,
    pub dst: MacAddr,
    pub frames: Vec<FrameId>,
    pub sent: Instant,
    pub arrivals: Arrivals,
    pub header: IpHeader,
    /// The frame that completed it; `None` when a fragment never went on the air.
    pub completed: Option<FrameId>,
    pub octets: u32,
}

/// When the receiver of a hop had all of a datagram, for each strength of evidence.
///
/// A frame without an ACK may have arrived all the same, before the retry that was acknowledged: what the node does
/// next can come between the two.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arrivals {
    /// The earliest time by which every piece had been sent in a frame with at least this evidence, weakest first.
    levels: Vec<(Delivery, Instant)>,
}

impl Arrivals {
    fn of(capture: &Capture, links: &LinkView, pieces: &[Piece]) -> Self {
        let evidence = |id: FrameId| links.delivery.get(id.index()).copied().unwrap_or(Delivery::Unknown);
        let by = |level: Delivery| {
            let first = |piece: &Piece| {
                let good = piece.frames.iter().filter(|&&id| evidence(id) >= level);
                good.map(|&id| link::end_of(capture, id)).min()
            };
            pieces.iter().map(first).try_fold(Instant::MIN, |all, one| one.map(|at| all.max(at)))
        };
        let levels = [Delivery::No, Delivery::Unlikely, Delivery::Unknown, Delivery::Yes];
        Self { levels: levels.into_iter().filter_map(|level| Some((level, by(level)?))).collect() }
    }

    /// The best evidence there is in the end; `None` when a piece never went on the air.
    pub fn best(&self) -> Option<(Delivery, Instant)> {
        self.levels.last().copied()
    }

    /// The best evidence that it had arrived by `now`.
    pub fn by(&self, now: Instant) -> Option<(Delivery, Instant)> {
        self.levels.iter().rev().find(|&&(_, at)| at <= now).copied()
    }
}

/// A frame that completes a CoAP message: what a packet list shows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub frame: FrameId,
    pub hop: usize,
}

/// All CoAP hops of a capture.
pub(crate) struct Datagrams {
    pub hops: Vec<HopRecord>,
    pub seen: Vec<Seen>,
}

/// What the last unicast frame between two nodes was: to tell a retry from a new transmission.
struct LastSent {
    seq: Option<u8>,
    octets: std::ops::Range<u32>,
    at: Instant,
    hop: usize,
}

pub(crate) struct Walk<'a> {
    capture: &'a Capture,
    links: &'a LinkView,
    options: &'a DecodeOptions,
    contexts: &'a ContextTable,
    notes: &'a mut Notes,
    hops: Vec<HopRecord>,
    pieces: Vec<Vec<Piece>>,
    seen: Vec<Seen>,
    last: HashMap<(MacAddr, MacAddr), LastSent>,
    open: Vec<Assembly>,
    scratch: Vec<u8>,
}

impl<'a> Walk<'a> {
    pub fn new(
        capture: &'a Capture,
        links: &'a LinkView,
        options: &'a DecodeOptions,
        contexts: &'a ContextTable,
        notes: &'a mut Notes,
    ) -> Self {
        Self {
            capture,
            links,
            options,
            contexts,
            notes,
            hops: Vec::new(),
            pieces: Vec::new(),
            seen: Vec::new(),
            last: HashMap::new(),
            open: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// Decode frame `id`; frames must come in the order of the capture.
    pub fn frame(&mut self, id: FrameId) {
        let Some(frame) = self.capture.frames.get(id.index()) else { return };
        let octets = self.capture.octets_of(frame);
        match frame.link {
            Link::Ieee802154 => {
                let links = self.links;
                if let Some(Some(header)) = links.headers.get(id.index()) {
                    self.mac_frame(id, header, octets);
                }
            }
            Link::Ethernet => match Ethernet::parse(octets) {
                Ok(ethernet) => {
                    let payload = octets.get(ethernet.payload.clone()).unwrap_or_default();
                    match ethernet.ethertype {
                        wire::ethernet::IPV6 | wire::ethernet::IPV4 => self.ip(id, payload),
                        _ => {}
                    }
                }
                Err(error) => self.note(Layer::Link, "malformed-ethernet", id, &error),
            },
            Link::RawIp => self.ip(id, octets),
            Link::Other(number) => self.notes.tally(Layer::Link, "unsupported-link-type", Some(id), Some(0), || {
                format!("frames of link type {number} are kept and not decoded")
            }),
        }
    }

    /// Hops and sightings, with arrival times; what is still incomplete is kept as far as it went.
    pub fn finish(mut self) -> Datagrams {
        let open = std::mem::take(&mut self.open);
        for assembly in open {
            self.close(assembly);
        }
        let mut hops = self.hops;
        for (hop, pieces) in hops.iter_mut().zip(&self.pieces) {
            settle(self.capture, self.links, hop, pieces);
        }
        Datagrams { hops, seen: self.seen }
    }

    fn note(&mut self, layer: Layer, code: &'static str, id: FrameId, error: &wire::Error) {
        self.notes.tally(layer, code, Some(id), Some(error.at as u64), || error.to_string());
    }

    fn mac_frame(&mut self, id: FrameId, header: &MacHeader, octets: &[u8]) {
        match header.frame_type {
            FrameType::Data => {}
            FrameType::Beacon | FrameType::Ack | FrameType::Command => return,
            other => {
                self.notes.tally(Layer::Link, "unsupported-frame-type", Some(id), Some(0), || {
                    format!("MAC frame type {other:?} carries nothing that can be decoded here")
                });
                return;
            }
        }
        if header.is_encrypted() {
            self.notes.tally(Layer::Link, "encrypted", Some(id), None, || {
                "the MAC payload is encrypted; no key was given".to_owned()
            });
            return;
        }
        let payload = octets.get(header.payload.clone()).unwrap_or_default();
        if payload.is_empty() {
            return;
        }
        let lowpan = match lowpan::parse(payload) {
            Ok(lowpan) => lowpan,
            Err(error) => return self.note(Layer::Lowpan, "malformed-6lowpan", id, &error),
        };
        let (src, dst) = lowpan.endpoints(header.src, header.dst);
        let rest = payload.get(lowpan.rest.clone()).unwrap_or_default();
        match &lowpan.frag {
            Some(frag) => {
                let key = Key { src: header.src, dst: header.dst, tag: frag.tag, size: frag.size };
                let at = self.capture.frames.get(id.index()).map_or(Instant::ZERO, |f| f.at);
                self.fragment(id, key, (src, dst), frag.first, frag.offset, rest, at);
            }
            None if is_ip(&lowpan.dispatch) => {
                if self.is_retry(id, header) {
                    return;
                }
                match lowpan::decompress(rest, src, dst, self.contexts, None) {
                    Ok(decompressed) => {
                        self.missing_context(id, decompressed.missing_context);
                        let mut datagram = std::mem::take(&mut self.scratch);
                        datagram.clear();
                        datagram.extend_from_slice(&decompressed.header);
                        datagram.extend_from_slice(rest.get(decompressed.consumed..).unwrap_or_default());
                        let head = self.coap_of(id, &datagram, false);
                        self.scratch = datagram;
                        if let Some(head) = head {
                            self.whole(id, header, head);
                        }
                    }
                    Err(error) => self.note(Layer::Lowpan, "malformed-6lowpan", id, &error),
                }
            }
            None => match lowpan.dispatch {
                Dispatch::NotLowpan => {}
                other => self.notes.tally(Layer::Lowpan, "unsupported-dispatch", Some(id), None, || {
                    format!("6LoWPAN dispatch {other:?} is not decoded")
                }),
            },
        }
    }

    fn missing_context(&mut self, id: FrameId, context: Option<u8>) {
        if let Some(context) = context {
            self.notes.tally(Layer::Lowpan, "missing-context", Some(id), None, || {
                format!(
                    "an address is compressed with context {context}, which no RPL or router message announced; its prefix reads as ::"
                )
            });
        }
    }

    /// Whether `id` repeats the last frame between its two nodes; if so it is counted to that hop.
    fn is_retry(&mut self, id: FrameId, header: &MacHeader) -> bool {
        let Some(frame) = self.capture.frames.get(id.index()) else { return false };
        let Some(last) = self.last.get(&(header.src, header.dst)) else { return false };
        let same = header.seq.is_some()
            && last.seq == header.seq
            && (frame.at - last.at).abs() <= RETRY_WINDOW
            && self.capture.octets.get(last.octets.start as usize..last.octets.end as usize)
                == Some(self.capture.octets_of(frame));
        if same {
            let hop = last.hop;
            if let Some(piece) = self.pieces.get_mut(hop).and_then(|p| p.first_mut()) {
                piece.frames.push(id);
            }
            self.seen.push(Seen { frame: id, hop });
        }
        same
    }

    /// A CoAP message that fits one frame.
    fn whole(&mut self, id: FrameId, header: &MacHeader, head: Head) {
        let hop = self.push(head, header.src, header.dst, id);
        if let Some(record) = self.hops.get_mut(hop) {
            record.completed = Some(id);
        }
        if let Some(pieces) = self.pieces.get_mut(hop) {
            pieces.push(Piece { range: (0, 0), frames: vec![id] });
        }
        self.seen.push(Seen { frame: id, hop });
        if let Some(frame) = self.capture.frames.get(id.index()) {
            self.last.insert(
                (header.src, header.dst),
                LastSent { seq: header.seq, octets: frame.octets.clone(), at: frame.at, hop },
            );
        }
    }

    fn push(&mut self, head: Head, src: MacAddr, dst: MacAddr, first: FrameId) -> usize {
        let sent = self.capture.frames.get(first.index()).map_or(Instant::ZERO, |f| f.at);
        self.hops.push(HopRecord {
            facts: head.facts,
            payload: head.payload,
            src,
            dst,
            frames: Vec::new(),
            sent,
            arrivals: Arrivals::default(),
            header: head.header,
            completed: None,
            octets: 0,
        });
        self.pieces.push(Vec::new());
        self.hops.len() - 1
    }
}

fn is_ip(dispatch: &Dispatch) -> bool {
    matches!(dispatch, Dispatch::Iphc | Dispatch::Ipv6Uncompressed | Dispatch::Hc1)
}

/// What the frames of a hop say together.
fn settle(capture: &Capture, links: &LinkView, hop: &mut HopRecord, pieces: &[Piece]) {
    hop.frames.extend(pieces.iter().flat_map(|piece| &piece.frames));
    hop.frames.sort_unstable();
    let frames = || hop.frames.iter().filter_map(|id| capture.frames.get(id.index()));
    hop.sent = frames().map(|frame| frame.at).min().unwrap_or(hop.sent);
    hop.octets = frames().fold(0, |sum, f| sum.saturating_add(f.octets.end.saturating_sub(f.octets.start)));
    if hop.completed.is_some() {
        hop.arrivals = Arrivals::of(capture, links, pieces);
    }
}
