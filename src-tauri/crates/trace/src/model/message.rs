//! CoAP messages: one per transmission by its sender, followed over the hops that carried it.

mod hop;

pub use hop::{Hop, Hops};
pub(crate) use hop::{KeptHop, KeptHops, Nodes};

use base::{FrameId, Instant, MessageId};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::net::Ipv6Addr;
use std::sync::Arc;
use wire::coap::{Code, Token, Type};

/// An IPv6 address and a UDP port. IPv4 is kept as an IPv4-mapped address (RFC 4291 §2.5.5.2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Endpoint {
    /// IPv6 address, IPv4-mapped for IPv4.
    pub addr: Ipv6Addr,
    /// UDP port number.
    pub port: u16,
}

/// Hashes two words: every message is looked up by its ends.
impl Hash for Endpoint {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        let bits = self.addr.to_bits();
        state.write_u64((bits >> 64) as u64);
        state.write_u64(bits as u64 ^ u64::from(self.port).rotate_right(16));
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.addr.to_ipv4_mapped() {
            Some(v4) => write!(f, "{v4}:{}", self.port),
            None => write!(f, "[{}]:{}", self.addr, self.port),
        }
    }
}

/// Delivery of a frame or a datagram to the addressed node, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Delivery {
    /// Not delivered: the Cooja log lists who received the frame, and the node is not among them.
    No,
    /// Probably not delivered: link-layer ACKs are captured in general, and none came.
    Unlikely,
    /// Not known: the capture cannot tell (broadcast, no ACK requested, ACKs not captured).
    Unknown,
    /// Delivered, as shown by a link-layer ACK, the Cooja log, or what the node did next.
    Yes,
}

/// One CoAP message as its sender transmitted it: a retransmission is another message.
#[derive(Clone)]
pub struct Message {
    /// Number of the message: position in [`crate::Trace::messages`].
    pub id: MessageId,
    /// Start of its first frame at the first hop seen.
    pub at: Instant,
    /// Frame that completed it at the first hop seen; `None`: only part of it went on the air.
    pub frame: Option<FrameId>,
    /// Source and final destination, shared by the messages between them.
    pub(crate) ends: Arc<Ends>,
    /// Type: CON, NON, ACK or RST.
    pub kind: Type,
    /// Code: method, response code, or 0.00 (Empty).
    pub code: Code,
    /// Message ID, which copies, acknowledgements and resets repeat (RFC 7252 §3).
    pub mid: u16,
    /// Token; may be empty.
    pub token: Token,
    /// Length of the CoAP payload, octets; 65535 stands for more.
    pub payload: u16,
    /// Value of the retransmission-count option ([`crate::DecodeOptions::rc_option`]), 0 for the first copy; `None`
    /// without the option.
    pub rc: Option<u8>,
    /// Hops of the message, in the order of [`Message::hops`].
    pub(crate) kept: KeptHops,
    /// True where the first hop seen was sent by the message's own source.
    pub from_origin: bool,
    /// True where it went over the loopback interface of one host, which is both its source and its destination.
    pub on_loopback: bool,
}

// Millions of messages are held at once.
const _: () = assert!(size_of::<Message>() <= 64);

/// Returns the message with identifier `id`; `None` where there is none.
pub(crate) fn message_at(messages: &[Message], id: MessageId) -> Option<&Message> {
    messages.get(id.index())
}

/// Source and destination of messages; shared by all messages between them.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Ends {
    /// Number of the path, in order of first appearance.
    pub path: u32,
    /// Endpoint that sent the message.
    pub src: Endpoint,
    /// Endpoint that the message is for, behind any source route.
    pub dst: Endpoint,
}

impl Message {
    /// Returns the endpoint that sent the message.
    #[must_use]
    pub fn src(&self) -> Endpoint {
        self.ends.src
    }

    /// Returns the final destination (the last address of a source route, RFC 6554).
    #[must_use]
    pub fn dst(&self) -> Endpoint {
        self.ends.dst
    }

    /// Returns the time when the destination had it whole; `None` where that is not known, as always off 802.15.4.
    #[must_use]
    pub fn delivered(&self) -> Option<Instant> {
        let there = self.chain().iter().filter(|hop| hop.delivery == Delivery::Yes && hop.nodes.reaches);
        there.filter_map(|hop| hop.arrived).min()
    }
}

impl PartialEq for Message {
    fn eq(&self, other: &Self) -> bool {
        let facts = |m: &Self| (m.id, m.at, m.frame, m.kind, m.code, m.mid, m.token, m.payload, m.rc, m.from_origin);
        facts(self) == facts(other)
            && (&self.ends, self.octets()) == (&other.ends, other.octets())
            && self.hops().eq(other.hops())
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message")
            .field("id", &self.id)
            .field("at", &self.at)
            .field("frame", &self.frame)
            .field("ends", &self.ends)
            .field("kind", &self.kind)
            .field("code", &self.code)
            .field("mid", &self.mid)
            .field("token", &self.token)
            .field("payload", &self.payload)
            .field("octets", &self.octets())
            .field("rc", &self.rc)
            .field("hops", &self.hops())
            .field("from_origin", &self.from_origin)
            .field("delivered", &self.delivered())
            .finish()
    }
}
