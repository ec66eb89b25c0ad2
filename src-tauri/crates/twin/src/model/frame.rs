//! Frames of a simulation, as a sniffer beside every node would see them, and of a capture in the same form; and
//! packets that a simulation drops, which no sniffer sees.

use super::NodeId;
use base::Instant;

/// Load of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Load {
    /// Traffic beside the exchanges (a packet of [`Background`](super::Background)).
    Other,
    /// A beacon of the MAC.
    Beacon,
    /// Part of a copy of a request, or of its answer.
    Copy {
        /// The caller's identifier of the copy ([`crate::Copy::key`]); in frames of a capture the number of the
        /// exchange, from 0.
        key: u64,
        /// Position of its association in [`Machine::ends`](super::Machine::ends).
        association: u32,
        /// Whether it is part of an answer.
        is_answer: bool,
        /// Number of the datagram: tells apart two of one copy on one hop; 0 in frames of a capture.
        datagram: u32,
        /// Position among the fragments of the datagram, from 0.
        fragment: u8,
        /// Number of fragments of the datagram.
        fragments: u8,
    },
}

/// One frame of a simulation, with its acknowledgement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SimulatedFrame {
    /// Start; in captures its time stamp.
    pub start: Instant,
    /// End: the start and the air time of `octets`.
    pub end: Instant,
    /// Node that sends the frame.
    pub from: NodeId,
    /// Node that it is addressed to; `None`: broadcast.
    pub to: Option<NodeId>,
    /// Length without frame check sequence, octets.
    pub octets: u16,
    /// Number of the channel offset of its cell (TSCH); 0 elsewhere.
    pub channel: u8,
    /// Number of this transmission among those of its packet on this hop, from 1.
    pub attempt: u8,
    /// Part of an exchange, or other traffic, that it carries.
    pub load: Load,
    /// Whether the addressee received it; `false` for broadcasts.
    pub is_received: bool,
    /// Moment at which the network layer of its addressee had it; `None` where it was not received, or is a repeat of a
    /// packet that was, for broadcasts, and in frames of a capture.
    pub handed_up: Option<Instant>,
    /// Start and end of the acknowledgement that its addressee sent. `None` where the frame was not received, where the
    /// channel kept the addressee from sending one, and for broadcasts.
    pub acknowledgement: Option<(Instant, Instant)>,
    /// Whether the acknowledgement reached the sender.
    pub is_acknowledged: bool,
}

/// Reason why a part of a copy or of its answer went no further.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum DropReason {
    /// The capture does not show the node of its client or of its server.
    NodesUnknown,
    /// The client had withdrawn its route, and sends no requests meanwhile.
    Withdrawn,
    /// The node has no next hop to the destination.
    NoRoute,
    /// The datagram passed as many hops as a datagram may.
    HopLimit,
    /// The queue of the node was full.
    QueueFull,
    /// No transmission was acknowledged, up to the last one that the MAC makes. The receiver may have it all the same.
    NoAcknowledgement,
    /// The channel stayed busy, up to the last assessment that the MAC makes.
    ChannelBusy,
    /// No cell of the schedule takes it.
    NoCell,
    /// The receiver had no room to put its fragments together, or had given up waiting for the others.
    NoReassembly,
}

/// A part of a copy or of its answer that a node of a simulation dropped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SimulatedDrop {
    /// Moment at which it was dropped.
    pub at: Instant,
    /// Node that dropped it.
    pub node: NodeId,
    /// Caller's identifier of the copy ([`crate::Copy::key`]).
    pub key: u64,
    /// Whether it is part of an answer.
    pub is_answer: bool,
    /// Number of the datagram, as in [`Load::Copy`]; `None` before there was one for the next hop.
    pub datagram: Option<u32>,
    /// Reason for the drop.
    pub reason: DropReason,
}
