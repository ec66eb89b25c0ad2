//! CoAP messages: one per transmission by its sender, followed over the hops that carried it.

use crate::few::{Few, Frames};
use base::{FrameId, Instant, MessageId};
use std::fmt;
use std::net::Ipv6Addr;
use std::sync::Arc;
use wire::coap::{Code, Token, Type};
use wire::ieee802154::MacAddr;

/// An IPv6 address and a UDP port. IPv4 is kept as an IPv4-mapped address (RFC 4291 §2.5.5.2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Endpoint {
    /// Address.
    pub addr: Ipv6Addr,
    /// UDP port.
    pub port: u16,
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.addr.to_ipv4_mapped() {
            Some(v4) => write!(f, "{v4}:{}", self.port),
            None => write!(f, "[{}]:{}", self.addr, self.port),
        }
    }
}

/// Whether the addressed node got a frame or a datagram.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Delivery {
    /// It did not: the Cooja log lists who received the frame, and the node is not among them.
    No,
    /// Link-layer ACKs are captured in general, and none came.
    Unlikely,
    /// The capture cannot tell (broadcast, no ACK requested, ACKs not captured).
    Unknown,
    /// It did: a link-layer ACK, the Cooja log, or what the node did next.
    Yes,
}

/// One link-layer hop of one message: all frames that carried it from one node to the next
/// (fragments and link-layer retries).
#[derive(Clone, PartialEq, Debug)]
pub struct Hop {
    pub(crate) nodes: Arc<Nodes>,
    /// Frames in the order of the capture, retries included.
    pub frames: Frames,
    /// Start of the first frame.
    pub sent: Instant,
    /// End of the frame that completed the datagram at `dst`: the first link-layer-acknowledged
    /// (or, in a Cooja log, received) set of fragments, else the first complete one. `None` when a
    /// fragment never went on the air.
    pub arrived: Option<Instant>,
    /// Whether `dst` got it.
    pub delivery: Delivery,
    /// IPv6 hop limit on this hop.
    pub hop_limit: u8,
}

/// Between which nodes a hop was; shared by all hops of which that is true.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Nodes {
    pub src: MacAddr,
    pub dst: MacAddr,
    pub header_dst: Ipv6Addr,
}

impl Hop {
    /// Transmitting node; [`MacAddr::None`] off 802.15.4.
    #[must_use]
    pub fn src(&self) -> MacAddr {
        self.nodes.src
    }

    /// Addressed node.
    #[must_use]
    pub fn dst(&self) -> MacAddr {
        self.nodes.dst
    }

    /// Destination in the IPv6 header on this hop: below a source route the next node (RFC 6554), else
    /// the message's destination.
    #[must_use]
    pub fn header_dst(&self) -> Ipv6Addr {
        self.nodes.header_dst
    }
}

/// One CoAP message as its sender transmitted it: a retransmission is another message.
#[derive(Clone, PartialEq, Debug)]
pub struct Message {
    /// Position in the trace.
    pub id: MessageId,
    /// Start of its first frame at the first hop seen.
    pub at: Instant,
    /// The frame that completed it at the first hop seen (`None`: only part of it went on the air).
    pub frame: Option<FrameId>,
    pub(crate) ends: Arc<Ends>,
    /// CON, NON, ACK, RST.
    pub kind: Type,
    /// Code.
    pub code: Code,
    /// Message ID.
    pub mid: u16,
    /// Token.
    pub token: Token,
    /// CoAP payload, octets.
    pub payload: u16,
    /// Octets on the air over all hops and retries, PHY and FCS not counted.
    pub octets: u32,
    /// Value of the retransmission-count option, if present (number configurable).
    pub rc: Option<u8>,
    /// The hops that carried it, first seen first. Never empty.
    pub hops: Few<Hop>,
    /// The first hop was sent by the message's own source.
    pub from_origin: bool,
    /// When the destination had it whole, if it is known to.
    pub delivered: Option<Instant>,
}

// Millions of messages are held at once, most of them with one hop.
const _: () = assert!(size_of::<Hop>() <= 48 && size_of::<Message>() <= 112);

/// From whom to whom a message goes; shared by all messages of which that is true.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Ends {
    /// Their number, in order of first appearance.
    pub path: u32,
    pub src: Endpoint,
    pub dst: Endpoint,
}

impl Message {
    /// Source.
    #[must_use]
    pub fn src(&self) -> Endpoint {
        self.ends.src
    }

    /// Final destination (the last address of a source route, RFC 6554).
    #[must_use]
    pub fn dst(&self) -> Endpoint {
        self.ends.dst
    }

    /// Whether `hop` leads to the message's destination.
    pub(crate) fn reaches(&self, hop: &Hop) -> bool {
        let octets = self.dst().addr.octets();
        hop.dst().iid().is_some_and(|iid| octets[8..] == iid)
    }
}
