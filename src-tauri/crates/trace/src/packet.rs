//! One frame, layer by layer, as a packet list and its filters need it.
//!
//! Read on demand from the octets, so that a capture of a million frames costs nothing until it is looked at. A
//! fragmented datagram is read at the frame that completes it (as Wireshark shows it), and at the duplicates of that
//! frame; the other fragments are found in their message through [`Places`]. Reading is as lenient as import: wherever
//! one of its messages ends, that message is found here.

mod place;
mod read;
mod tree;
mod whole;

pub use place::{Part, Place, Places};
pub use tree::dissect;
pub use wire::MacHeader;
pub use wire::coap::number as option;
pub use wire::rpl::Rpl;
pub use wire::tree::{
    Node as TreeNode, Tree, Value as TreeValue, ValueKind, names as tree_names, source as tree_source,
};

use crate::analysis::Trace;
use base::FrameId;
use std::net::Ipv6Addr;
use wire::icmpv6::Icmpv6;
use wire::lowpan::{Frag, Rfrag};
use wire::{Coap, Udp};

/// Reason why reading the layers of a frame ended where it did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// All of it was read.
    Complete,
    /// The frame carries a fragment that does not complete its datagram.
    Fragment,
    /// The MAC payload is ciphertext.
    Encrypted,
    /// The frame check sequence does not match: nothing behind the MAC header is believed.
    BadFcs,
    /// The frame contradicts a standard, or is cut: layer, octet of that layer, reason.
    Malformed(wire::Error),
    /// The frame is well formed and not decoded here; the text names it.
    Unsupported(String),
}

/// Fields of the fixed IP header. IPv4 addresses are IPv4-mapped (RFC 4291 §2.5.5.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ip {
    /// Version number of IP, 4 or 6.
    pub version: u8,
    /// Source address of the header.
    pub src: Ipv6Addr,
    /// Destination address in the header: below a source route the next node (RFC 6554).
    pub dst: Ipv6Addr,
    /// Final destination address, at the end of a source route.
    pub final_dst: Ipv6Addr,
    /// Hop limit, or time to live.
    pub hop_limit: u8,
    /// Protocol number: Next Header of the fixed header, or Protocol.
    pub next_header: u8,
    /// Payload Length of IPv6, or the octets behind the header of IPv4.
    pub payload_len: u16,
    /// True where it carries a fragment of a datagram (RFC 791 §3.2, RFC 8200 §4.5).
    pub is_fragment: bool,
}

/// An ICMPv6 message; its RPL body where it has one that can be read.
#[derive(Clone, PartialEq, Debug)]
pub struct Icmp {
    /// Type, code and checksum, with the range of the body.
    pub header: Icmpv6,
    /// RPL message: DIO, DAO, DIS or DAO-ACK.
    pub rpl: Option<Rpl>,
}

/// A CoAP message with the octets its spans point into, read as leniently as import does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoapMessage {
    /// Header, options that the record holds whole, and span of the payload.
    pub header: Coap,
    /// Octets of the UDP payload; zeros in place of those that the sniffer left out.
    pub octets: Vec<u8>,
}

impl CoapMessage {
    /// Returns the values of all options `number`, in order.
    pub fn values(&self, number: u16) -> impl Iterator<Item = &[u8]> {
        self.header.values(&self.octets, number)
    }
}

/// The layers of one frame, outermost first; `None` for layers that are not there.
#[derive(Clone, PartialEq, Debug)]
pub struct Packet {
    /// 802.15.4 MAC header, with its information elements.
    pub mac: Option<MacHeader>,
    /// True where the MAC payload is 6LoWPAN.
    pub lowpan: bool,
    /// Fragmentation header of 6LoWPAN (RFC 4944 §5.3).
    pub frag: Option<Frag>,
    /// Header of a recoverable fragment (RFC 8931).
    pub rfrag: Option<Rfrag>,
    /// IPv6 or IPv4 header; of datagrams in datagrams (RFC 2473, RFC 4213) the innermost, whose ends are the message's.
    pub ip: Option<Ip>,
    /// IP headers around it, the outermost first.
    pub tunnels: Vec<Ip>,
    /// UDP header of the innermost datagram.
    pub udp: Option<Udp>,
    /// ICMPv6 message of the innermost datagram.
    pub icmpv6: Option<Icmp>,
    /// CoAP message, on the ports of the decode options.
    pub coap: Option<CoapMessage>,
    /// Reason why reading ended.
    pub stop: Stop,
}

impl Packet {
    /// A packet without any layer.
    const NOTHING: Self = Self {
        mac: None,
        lowpan: false,
        frag: None,
        rfrag: None,
        ip: None,
        tunnels: Vec::new(),
        udp: None,
        icmpv6: None,
        coap: None,
        stop: Stop::Complete,
    };

    /// Reads frame `id` of `trace`; `places` are those of the same trace. Damage ends in [`Packet::stop`].
    #[must_use]
    pub fn read(trace: &Trace, places: &Places, id: FrameId) -> Self {
        read::packet(trace, places, id)
    }
}
