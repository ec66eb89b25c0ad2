//! Frames of a simulation, as a sniffer beside every node would see them, and of a capture in the same form.

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
        /// The caller's identifier of the copy ([`crate::Copy::key`]); in frames of a capture the number of the exchange, from 0.
        key: u64,
        /// Position of its association in [`Machine::ends`](super::Machine::ends).
        association: u32,
        /// Whether it is part of an answer.
        is_answer: bool,
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
    /// Start and end of the acknowledgement that its addressee sent. `None` where the frame was not received, where the channel kept
    /// the addressee from sending one, and for broadcasts.
    pub acknowledgement: Option<(Instant, Instant)>,
    /// Whether the acknowledgement reached the sender.
    pub is_acknowledged: bool,
}
