//! Packets between the network layer and the MAC, and what happens to them.

use crate::model::{DropReason, NodeId};
use base::{Instant, Span};

/// Part of a datagram in one frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fragment {
    /// Number of the copy that it belongs to, from 0 in the order of sending.
    pub copy: u32,
    /// Whether it is part of an answer.
    pub is_answer: bool,
    /// Number of the datagram on this hop: tells apart two of the same copy.
    pub datagram: u32,
    /// Position among the fragments of the datagram, from 0.
    pub position: u8,
    /// Number of fragments of the datagram.
    pub count: u8,
}

impl Fragment {
    /// Returns the copy that it belongs to, whether it is part of the answer, and its datagram.
    pub const fn part(self) -> (u32, bool, Option<u32>) {
        (self.copy, self.is_answer, Some(self.datagram))
    }
}

/// Load of a packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cargo {
    /// Background traffic, which nobody waits for.
    Nothing,
    /// A beacon of the MAC.
    Beacon,
    /// Part of a request or an answer.
    Fragment(Fragment),
}

/// A packet in the queue of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Packet {
    /// Receiver of this hop; `None`: broadcast.
    pub to: Option<NodeId>,
    /// Length of its frame without frame check sequence, octets.
    pub octets: u16,
    /// Load of the packet: nothing that is followed, a beacon, or a fragment.
    pub cargo: Cargo,
    /// Number of transmissions so far.
    pub attempts: u8,
    /// Whether the receiver has it: repeats are dropped there.
    pub is_received: bool,
    /// Whether its receiver is to forward it.
    pub is_forwarded: bool,
}

impl Packet {
    pub fn new(to: Option<NodeId>, octets: u16, cargo: Cargo) -> Self {
        Self { to, octets, cargo, attempts: 0, is_received: false, is_forwarded: false }
    }
}

/// Event of the MAC that the network layer learns of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Event {
    /// A frame goes on the air.
    Sent {
        /// Start of the frame.
        at: Instant,
        /// Node that sends the frame.
        node: NodeId,
        /// Load of the packet that the frame carries.
        cargo: Cargo,
    },
    /// The addressed node has a packet, for the first time.
    Received {
        /// End of the frame.
        at: Instant,
        /// Node that received it.
        node: NodeId,
        /// Load of the packet.
        cargo: Cargo,
    },
    /// A packet left the queue of its sender.
    Gone {
        /// Moment at which it left.
        at: Instant,
        /// Sender, and receiver of this hop; `None`: a broadcast, or a packet that no cell ever took.
        hop: (NodeId, Option<NodeId>),
        /// Load of the packet.
        cargo: Cargo,
        /// Reason why it was dropped; `None` where the sender had an acknowledgement, or needed none.
        dropped: Option<DropReason>,
    },
}

/// A frame that is over, for a log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Over {
    /// Packet that it carried; `attempts` includes this frame.
    pub packet: Packet,
    /// Node that sent the frame.
    pub from: NodeId,
    /// Start of the frame.
    pub start: Instant,
    /// Time of the frame on the air.
    pub airtime: Span,
    /// Number of the channel offset of its cell (TSCH); 0 elsewhere.
    pub channel: u8,
    /// Whether its addressee received it.
    pub is_received: bool,
    /// Moment at which the network layer of its addressee had it, for the first time.
    pub handed_up: Option<Instant>,
    /// Start and end of the acknowledgement that its addressee sent; `None` where it sent none.
    pub acknowledgement: Option<(Instant, Instant)>,
    /// Whether the acknowledgement reached the sender.
    pub is_acknowledged: bool,
}
