//! Parameters of the MAC and the links: what the inference for one MAC gives to the machine.

use super::air::NOBODY;
use super::packets::Packets;
use crate::model::{Evidence, Mac, Matrix, NodeId, Parameter, StackFinding, StackLimits};
use base::Span;

/// Parameters of the MAC and the links that a capture shows.
#[derive(Debug)]
pub(super) struct Links {
    /// Medium access control with its schedule or times.
    pub mac: Mac,
    /// Stack whose constants the MAC has, and how it is known.
    pub stack: StackFinding,
    /// Queues and buffers of that stack.
    pub limits: &'static StackLimits,
    /// Probability of reception, as [`crate::Machine::reception`].
    pub reception: Matrix<Evidence>,
    /// Probability of disturbance, as [`crate::Machine::disturbance`].
    pub disturbance: Matrix<Evidence>,
    /// Probability of sensing, as [`crate::Machine::sensing`]; all zero under TSCH.
    pub sensing: Matrix<Evidence>,
    /// Number of clean frames on the link that has most.
    pub clean: u64,
    /// Time before its frame at which a packet is put into its queue.
    pub lead: Span,
    /// Usual time from putting a packet into a queue to its frame.
    pub access: Span,
    /// Part of the shortest time from a request's arrival to its answer's first frame that is the medium's, not the
    /// server's.
    pub turnaround: Span,
    /// The parameters for people, with how each is known.
    pub parameters: Vec<Parameter>,
}

/// Returns the ordered pairs of nodes between which unicast frames were sent, in either direction; ascending, without
/// repetition.
pub(super) fn adjacent(packets: &Packets) -> Vec<(NodeId, NodeId)> {
    let unicast = packets.list.iter().filter(|packet| packet.to != NOBODY);
    let mut pairs: Vec<_> = unicast.flat_map(|p| [(p.from, p.to), (p.to, p.from)]).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}
