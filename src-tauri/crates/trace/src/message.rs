//! CoAP messages: one per transmission by its sender, followed over the hops that carried it.

use crate::few::Few;
use base::{FrameId, Instant, MessageId};
use std::fmt;
use std::net::Ipv6Addr;
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
    /// Transmitting node; [`MacAddr::None`] off 802.15.4.
    pub src: MacAddr,
    /// Addressed node.
    pub dst: MacAddr,
    /// Frames in the order of the capture, retries included.
    pub frames: Few<FrameId>,
    /// Start of the first frame.
    pub sent: Instant,
    /// End of the frame that completed the datagram at `dst`: the first link-layer-acknowledged
    /// (or, in a Cooja log, received) set of fragments, else the first complete one. `None` when a
    /// fragment never went on the air.
    pub arrived: Option<Instant>,
    /// Whether `dst` got it.
    pub delivery: Delivery,
    /// Destination in the IPv6 header on this hop: below a source route the next node (RFC 6554), else
    /// the message's destination.
    pub header_dst: Ipv6Addr,
    /// IPv6 hop limit on this hop.
    pub hop_limit: u8,
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
    /// Source.
    pub src: Endpoint,
    /// Final destination (the last address of a source route, RFC 6554).
    pub dst: Endpoint,
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
