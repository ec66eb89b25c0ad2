//! Decode trees: every field of a frame with its name, its value and the octets it stands on.
//!
//! The Packets view and `rtoscope dissect` show them. A tree is made for one frame at a time and is
//! apart from the parsers of the hot path: it asks them what there is, and then names the octets.
//!
//! # Shape
//!
//! [`Tree::nodes`] are in pre-order; a node's children are the nodes behind it with a greater
//! [`depth`](Node::depth), up to the next that has not. Protocols have depth 0. A node's
//! [`span`](Node::span) points into the buffer it names and lies inside its parent's. The first buffer is
//! the frame as captured; what comes out of decompression, reassembly or decryption is a further buffer.
//! Every octet of every buffer given to a builder is in the span of at least one leaf.
//!
//! Names are Wireshark's display-filter names wherever it has one, so that a filter written here works
//! there. [`source`] says which section of which standard defines what has a name.
//!
//! # Composition
//!
//! A builder takes the [`Part`] of a buffer that is one layer, adds its nodes, and returns the parts left
//! for the layers above. [`frame`] does the whole of an 802.15.4 frame that is not fragmented;
//! [`datagram`] does a reassembled one; a caller with keys or other links composes the builders itself.
//!
//! ```
//! use wire::lowpan::ContextTable;
//! use wire::tree::{self, Options, Tree};
//!
//! let contexts = ContextTable::EMPTY.with(0, "fd00::/64".parse()?);
//! let psdu = [
//!     0x61, 0xdc, 0x2a, 0xcd, 0xab, 1, 0, 1, 0, 1, 0, 1, 0, 2, 0, 2, 0, 2, 0, 2, 0, // 802.15.4
//!     0x7e, 0x77, 0xf0, 0x16, 0x33, 0x16, 0x33, 0xab, 0xcd, // IPHC, NHC UDP
//!     0x42, 0x01, 0x30, 0x39, 0xbe, 0xef, // CoAP
//! ];
//! let mut tree = Tree::default();
//! let part = tree.buffer("Frame", &psdu);
//! tree::frame(&mut tree, part, &Options { contexts: &contexts, ..Options::default() });
//! let mid = tree.find("coap.mid").next().ok_or("no message ID")?;
//! assert_eq!(mid.label, "Message ID: 12345 (0x3039)");
//! assert_eq!(tree.octets(mid), [0x30, 0x39]);
//! assert_eq!(tree.buffers[usize::from(mid.buffer)].name, "Decompressed");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod builder;
mod coap;
mod icmpv6;
mod ie;
mod ipv6;
mod link;
mod lowpan;
mod mac;
mod names;
mod rpl;
mod sources;
mod tap;
mod upper_layer;

pub use coap::coap;
pub use icmpv6::icmpv6;
pub use ipv6::{ipv4, ipv6, udp};
pub use link::{ethernet, null, raw_ip, sll, sll2};
pub use lowpan::{LowpanLayer, lowpan};
pub use mac::{MacLayer, Trailer, mac};
pub use names::{ValueKind, names};
pub use rpl::rpl;
pub use sources::{source, sources};
pub use tap::{nonask_phy, tap};
pub use upper_layer::Ends;

use crate::ip::lowpan::{ContextSource, ContextTable, Frag, Rfrag};
use crate::link::ieee802154::FrameType;
use crate::link::security::Opened;
use crate::{ByteRange, MacAddr, MacHeader};
use base::Severity;
use std::net::{Ipv4Addr, Ipv6Addr};

/// Decode tree of one frame or datagram.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tree {
    /// Octets that spans point into, by index; the first is the frame as captured.
    pub buffers: Vec<Buffer>,
    /// Nodes in pre-order: parents before children, in the order of the layers.
    pub nodes: Vec<Node>,
}

/// Octets that spans point into: a frame, or the result of decompression, reassembly or decryption.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Buffer {
    /// Name for people: `Frame`, `Decompressed`, `Reassembled` or `Decrypted`.
    pub name: &'static str,
    /// Octets of the buffer, from its first.
    pub octets: Vec<u8>,
}

/// A protocol, a field, or an error at some octets.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// Depth: 0 for a protocol, one more than its parent's for a field.
    pub depth: u8,
    /// Display-filter name: Wireshark's where it has one.
    pub name: &'static str,
    /// Text for people, such as `Message ID: 4660 (0x1234)`.
    pub label: String,
    /// Value by which filters compare.
    pub value: Value,
    /// Index into [`Tree::buffers`] of the buffer that `span` points into.
    pub buffer: u8,
    /// Range of octets of that buffer; empty for a value that no octet says (an elided address).
    pub span: std::ops::Range<u32>,
    /// Finding at this node; `None` where nothing is wrong or unusual.
    pub finding: Option<Finding>,
}

/// Error or remark at a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// [`Severity::Warning`] for a breach of a standard, [`Severity::Remark`] for octets that are unusual or not
    /// decoded here.
    pub severity: Severity,
    /// Sentence for a person, with layer and offset where it has one.
    pub text: String,
}

/// Value of a field, by which filters compare.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Value {
    /// No value: a protocol or a group.
    #[default]
    None,
    /// Unsigned integer of up to 64 bits.
    Uint(u64),
    /// Signed integer of up to 64 bits.
    Int(i64),
    /// Number with a fraction (RSS in dBm).
    Float(f32),
    /// A flag, true or false.
    Bool(bool),
    /// The octets of the span.
    Bytes,
    /// Text; octets that are not UTF-8 are replaced by U+FFFD.
    Text(String),
    /// 802.15.4 short address, 16 bits.
    Addr16(u16),
    /// EUI-64, most significant octet first.
    Addr64([u8; 8]),
    /// Ethernet address, in the order of the air.
    Addr48([u8; 6]),
    /// IPv6 address.
    Ipv6(Ipv6Addr),
    /// IPv4 address.
    Ipv4(Ipv4Addr),
}

/// Range of a buffer that a builder is to explain: one layer.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// Octets of the range.
    pub octets: &'a [u8],
    buffer: u8,
    offset: u32,
}

impl<'a> Part<'a> {
    /// Returns the part `span` of this one, relative to it and cut to it.
    #[must_use]
    pub fn at(self, span: &ByteRange) -> Self {
        let start = span.start.min(self.octets.len());
        let end = span.end.clamp(start, self.octets.len());
        let octets = self.octets.get(start..end).unwrap_or_default();
        Self { octets, offset: self.offset.saturating_add(start as u32), ..self }
    }
}

/// Settings of the decode beside the octets.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Kind of the octets behind the MAC payload.
    pub trailer: Trailer,
    /// Contexts for stateful address compression.
    pub contexts: &'a dyn ContextSource,
    /// UDP ports of CoAP; 5683 unless said otherwise (RFC 7252 §6.1).
    pub ports: &'a [u16],
    /// Number of the retransmission-count option (Lee, Kim and Youn 2016); 65020 unless said otherwise.
    pub rc_option: u16,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { trailer: Trailer::None, contexts: &ContextTable::EMPTY, ports: &[5683], rc_option: 65_020 }
    }
}

/// Work that [`frame`] leaves to the caller, where a frame holds only a part or needs a key.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// Fragment that the frame carries: link-layer source and destination of the datagram, and the fragment header. The
    /// caller reassembles, and gives the datagram to [`datagram`].
    pub fragment: Option<(MacAddr, MacAddr, Frag)>,
    /// Recoverable fragment (RFC 8931) that the frame carries, to be reassembled in the same way.
    pub recoverable: Option<Rfrag>,
    /// True if the MAC payload is ciphertext; see [`opened`].
    pub encrypted: bool,
}

impl Outcome {
    /// Returns whether the frame carries a fragment of either kind.
    #[must_use]
    pub const fn is_fragment(&self) -> bool {
        self.fragment.is_some() || self.recoverable.is_some()
    }
}

impl Tree {
    /// Adds a buffer, and returns all of it as a part. Nodes point into 255 buffers of 4 GiB at most.
    pub fn buffer<'a>(&mut self, name: &'static str, octets: &'a [u8]) -> Part<'a> {
        let buffer = self.buffers.len().min(usize::from(u8::MAX)) as u8;
        self.buffers.push(Buffer { name, octets: octets.to_vec() });
        Part { octets, buffer, offset: 0 }
    }

    /// Returns all nodes of a name.
    pub fn find<'t>(&'t self, name: &'t str) -> impl Iterator<Item = &'t Node> {
        self.nodes.iter().filter(move |node| node.name == name)
    }

    /// Octets of a node's span; empty where it has none.
    #[must_use]
    pub fn octets(&self, node: &Node) -> &[u8] {
        let span = node.span.start as usize..node.span.end as usize;
        self.buffers.get(usize::from(node.buffer)).and_then(|buffer| buffer.octets.get(span)).unwrap_or_default()
    }

    /// Octets under no leaf, as index of the buffer and offset in it. There are none in a tree whose buffers have all
    /// been given to builders.
    pub fn uncovered(&self) -> impl Iterator<Item = (usize, usize)> {
        self.buffers.iter().enumerate().flat_map(|(index, buffer)| {
            let mut covered = vec![false; buffer.octets.len()];
            for leaf in self.leaves().filter(|leaf| usize::from(leaf.buffer) == index) {
                let span = leaf.span.start as usize..leaf.span.end as usize;
                covered.get_mut(span).unwrap_or_default().fill(true);
            }
            covered.into_iter().enumerate().filter(|(_, covered)| !covered).map(move |(octet, _)| (index, octet))
        })
    }

    /// Nodes without children, in order.
    pub fn leaves(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().enumerate().filter_map(|(index, node)| {
            let next = self.nodes.get(index.saturating_add(1));
            next.is_none_or(|next| next.depth <= node.depth).then_some(node)
        })
    }
}

/// Writes all layers of an 802.15.4 frame, as far as one frame holds them; `part` is with its trailer.
pub fn frame(tree: &mut Tree, part: Part<'_>, options: &Options<'_>) -> Outcome {
    let Some(layer) = mac(tree, part, options.trailer) else { return Outcome::default() };
    match layer.payload {
        Some(part) => payload(tree, part, &layer.header, options),
        None => Outcome { encrypted: layer.header.is_encrypted(), ..Outcome::default() },
    }
}

/// Writes the payload of a frame of which [`frame`] said that it is encrypted, opened by [`crate::security`], as a
/// further buffer and the layers in it.
pub fn opened(tree: &mut Tree, header: &MacHeader, opened: &Opened, options: &Options<'_>) -> Outcome {
    let part = tree.buffer("Decrypted", &opened.octets);
    mac::opened(tree, part, header, opened);
    let carries = matches!(header.frame_type, FrameType::Data | FrameType::Multipurpose);
    if !carries || opened.payload.is_empty() || opened.error.is_some() {
        return Outcome::default();
    }
    payload(tree, part.at(&opened.payload), header, options)
}

fn payload(tree: &mut Tree, part: Part<'_>, header: &MacHeader, options: &Options<'_>) -> Outcome {
    let above = lowpan(tree, part, header.src, header.dst, options.contexts);
    if let Some(octets) = above.datagram {
        datagram(tree, "Decompressed", &octets, options);
    }
    Outcome { fragment: above.fragment, recoverable: above.recoverable, encrypted: false }
}

/// Writes an IPv6 datagram that is not in the frame as it is, as a further buffer called `name` and the layers in it.
pub fn datagram(tree: &mut Tree, name: &'static str, octets: &[u8], options: &Options<'_>) {
    let part = tree.buffer(name, octets);
    ipv6(tree, part, options);
}
