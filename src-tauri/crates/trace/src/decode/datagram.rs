//! Frames to datagrams: 6LoWPAN decompression and reassembly, one [`HopRecord`] per link-layer hop
//! of a CoAP message, one [`Seen`] per frame that completes one.
//!
//! Reassembly key: link-layer source and destination, tag and size (RFC 4944 §5.3), per hop. A
//! datagram whose pieces were all sent is complete, whether or not the receiver got them all:
//! a capture sees what was sent. Whether it arrived is said by [`crate::model::Delivery`].

mod assembly;
mod fragment;
mod hop;
mod ip_fragment;
mod ip_piece;
mod payload;
mod ports;
mod record;
mod shared;
mod zigbee;

pub(crate) use hop::{Arrivals, Datagrams, Facts, HopRecord, Seen};
pub(crate) use ip_piece::{Piece, Pieces};
pub(crate) use payload::{Content, Datagram};
pub(crate) use shared::Shared;

use super::keyring::{Keyring, Sealed};
use super::lowpan::LowpanView;
use super::options::DecodeOptions;
use super::series::Series;
use crate::lookup::Numbered;
use crate::model::{Capture, Frame, Link};
use assembly::Assemblies;
use base::{FrameId, Layer, Notes};

use ip_fragment::IpFragments;
use payload::{Extent, Head};
use ports::Ports;
use record::LastSent;
use wire::coap::OptionView;
use wire::ethernet::Ethernet;
use wire::ieee802154::{FrameType, MacHeader};
use wire::ipv6::Extension;
use wire::lowpan::{ContextTable, Decompressed, Dispatch, Routing};

/// Result of decoding all frames.
pub(crate) struct Decoded {
    /// CoAP messages and hops, not yet joined.
    pub datagrams: Datagrams,
    /// Ends and nodes that messages share, as far as they were needed.
    pub shared: Shared,
    /// UDP ports that were not given and carry CoAP, in order of first appearance, each with the number of requests
    /// acknowledged there.
    pub guessed: Vec<(u16, u32)>,
    /// Frames that complete a message of a series (blocks, observations), each with its options, in the order of
    /// sending.
    pub series: Vec<(FrameId, Series)>,
    /// Notes of the network and application layers.
    pub notes: Notes,
}

/// The datagram layer of one pass over all frames: decrypts, decompresses, reassembles, and collects CoAP messages and
/// hops.
pub(crate) struct Walk<'a> {
    capture: &'a Capture,
    options: &'a DecodeOptions,
    contexts: &'a ContextTable,
    keyring: &'a Keyring,
    /// UDP ports on which CoAP is spoken.
    ports: &'a [u16],
    /// Observations of the other ports.
    others: Ports,
    notes: Notes,
    series: Vec<(FrameId, Series)>,
    datagrams: Datagrams,
    shared: Shared,
    /// Last CoAP frame between two nodes, by number of [`Datagrams::links`].
    last: Vec<Option<LastSent>>,
    open: Assemblies,
    ip: IpFragments,
    scratch: Vec<u8>,
    room: Room,
}

/// Buffers that every frame reuses.
#[derive(Default)]
struct Room {
    headers: Decompressed,
    extensions: Vec<Extension>,
    options: Vec<OptionView>,
}

impl<'a> Walk<'a> {
    /// Begins a pass; `ports` are the UDP ports decoded as CoAP: those of `options`, and in a second pass those
    /// guessed.
    pub fn new(
        capture: &'a Capture,
        options: &'a DecodeOptions,
        (contexts, keyring): (&'a ContextTable, &'a Keyring),
        ports: &'a [u16],
    ) -> Self {
        let datagrams = Datagrams {
            wired: Vec::new(),
            hops: Vec::new(),
            parts: Vec::new(),
            seen: Vec::new(),
            paths: Numbered::new(),
            links: Numbered::new(),
            addresses: Numbered::new(),
            arrivals: Vec::new(),
        };
        Self {
            capture,
            options,
            contexts,
            keyring,
            ports,
            others: Ports::new(),
            notes: Notes::new(),
            series: Vec::new(),
            datagrams,
            shared: Shared::new(),
            last: Vec::new(),
            open: Assemblies::new(),
            ip: IpFragments::default(),
            scratch: Vec::new(),
            room: Room::default(),
        }
    }

    /// Decodes frame `id`, with its MAC header where it has one; frames must come in the order of sending.
    pub fn frame(&mut self, id: FrameId, frame: &Frame, header: Option<&MacHeader>) {
        let octets = self.capture.octets_of(frame);
        match frame.link {
            Link::Ieee802154 => {
                if let Some(header) = header {
                    self.mac_frame(id, frame, header, octets);
                }
            }
            Link::Ethernet => match Ethernet::parse(octets) {
                Ok(ethernet) => {
                    let payload = octets.get(ethernet.payload.clone()).unwrap_or_default();
                    match ethernet.ethertype {
                        wire::ethernet::IPV6 | wire::ethernet::IPV4 => self.ip(id, frame, payload),
                        _ => {}
                    }
                }
                Err(error) => self.note(Layer::Link, "malformed-ethernet", id, &error),
            },
            Link::RawIp | Link::LoopbackIp => self.ip(id, frame, octets),
            Link::Other(number) => self.notes.tally(Layer::Link, "unsupported-link-type", Some(id), Some(0), || {
                format!("frames of link type {number} are kept and not decoded")
            }),
        }
    }

    /// Closes all incomplete reassemblies, whose beginnings count as attempts, and returns the result.
    pub fn finish(mut self) -> Decoded {
        while let Some(assembly) = self.open.take_oldest_if(|_| true) {
            self.close(&assembly);
        }
        self.close_all_ip();
        Decoded {
            datagrams: self.datagrams,
            shared: self.shared,
            guessed: self.others.guessed(),
            series: self.series,
            notes: self.notes,
        }
    }

    fn note(&mut self, layer: Layer, code: &'static str, id: FrameId, error: &wire::Error) {
        self.notes.tally(layer, code, Some(id), Some(error.at as u64), || error.to_string());
    }

    fn mac_frame(&mut self, id: FrameId, frame: &Frame, header: &MacHeader, octets: &[u8]) {
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
        match self.keyring.payload(octets, header) {
            Ok(payload) => self.mac_payload(id, frame, header, &payload),
            Err(sealed) => self.sealed(id, sealed),
        }
    }

    fn sealed(&mut self, id: FrameId, sealed: Sealed) {
        let (code, text) = match sealed {
            Sealed::NoKey => ("encrypted", "the MAC payload is encrypted; no key was given".to_owned()),
            Sealed::NoAddress => (
                "encrypted-by-unknown",
                "the MAC payload is encrypted, and the sender's extended address, which the key needs, is neither given nor \
                 said in clear"
                    .to_owned(),
            ),
            Sealed::WrongKey => ("wrong-key", "the MAC payload is encrypted, and no key that was given opens it".to_owned()),
            Sealed::Unsupported(why) => ("encrypted-otherwise", format!("the MAC payload is encrypted: {why}")),
        };
        self.notes.tally(Layer::Link, code, Some(id), None, || text);
    }

    fn mac_payload(&mut self, id: FrameId, frame: &Frame, header: &MacHeader, payload: &[u8]) {
        if payload.is_empty() {
            return;
        }
        let between = (header.src, header.dst);
        let lowpan = match LowpanView::parse(payload, between) {
            Ok(lowpan) => lowpan,
            Err(error) => return self.note(Layer::Lowpan, "malformed-6lowpan", id, &error),
        };
        match (&lowpan.headers.frag, &lowpan.headers.rfrag) {
            (Some(frag), _) => self.fragment(id, frame.at, frag, &lowpan),
            (None, Some(rfrag)) => self.recoverable(id, frame.at, rfrag, &lowpan),
            (None, None) if lowpan.is_ip() => {
                if self.is_retry(id, frame, header.seq, between) {
                    return;
                }
                if let Some(head) = self.datagram(id, &lowpan, Extent::of(frame)) {
                    let hop = self.whole(id, frame.at, between, &head);
                    self.remember(id, header.seq, between, hop);
                }
            }
            (None, None) => match lowpan.headers.dispatch {
                Dispatch::RfragAck => {}
                Dispatch::NotLowpan | Dispatch::Unknown(_) if zigbee::is_network_header(header, payload) => {
                    self.notes.remark(Layer::Link, "zigbee", Some(id), None, || {
                        "frames of ZigBee’s network layer, which carries no CoAP".to_owned()
                    });
                }
                Dispatch::NotLowpan => {}
                other => self.notes.tally(Layer::Lowpan, "unsupported-dispatch", Some(id), None, || {
                    format!("6LoWPAN dispatch {other:?} is not decoded")
                }),
            },
        }
    }

    /// Returns the CoAP facts of the datagram that begins behind the headers of `lowpan`; `None` where it carries none.
    fn datagram(&mut self, id: FrameId, lowpan: &LowpanView<'_>, extent: Extent) -> Option<Head> {
        let room = std::mem::take(&mut self.room.headers);
        let decompressed = match lowpan.decompress(self.contexts, room) {
            Ok(decompressed) => decompressed,
            Err(error) => {
                if extent != Extent::Beginning {
                    self.note(Layer::Lowpan, "malformed-6lowpan", id, &error);
                }
                return None;
            }
        };
        self.missing_context(id, decompressed.missing_context);
        let mut datagram = std::mem::take(&mut self.scratch);
        datagram.clear();
        lowpan.append(&decompressed, &mut datagram);
        self.room.headers = decompressed;
        let mut head = self.coap_of(id, &datagram, extent);
        self.scratch = datagram;
        // Routers take from the hop limit of the outer header (RFC 8138 §7).
        let outer = lowpan.headers.routing.iter().find_map(|header| match header.content {
            Routing::IpInIp { hop_limit, .. } => Some(hop_limit),
            _ => None,
        });
        if let (Some(head), Some(outer)) = (&mut head, outer) {
            head.hop_limit = outer;
        }
        head
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
}
