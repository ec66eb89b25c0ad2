//! Parameters of the MAC and the links: what the inference for one MAC gives to the machine.

use super::air::NOBODY;
use super::packets::Packets;
use crate::model::{Evidence, Mac, Matrix, NodeId, Parameter, StackFinding, StackLimits};
use base::Span;

/// Parameters of the MAC and the links that a capture shows.
#[derive(Debug)]
pub(super) struct Links {
    pub mac: Mac,
    /// Stack whose constants it has.
    pub stack: StackFinding,
    /// Queues and buffers of that stack.
    pub limits: &'static StackLimits,
    pub reception: Matrix<Evidence>,
    pub disturbance: Matrix<Evidence>,
    pub sensing: Matrix<Evidence>,
    /// Clean frames on the link that has most.
    pub clean: u64,
    /// Time before its frame at which a packet is put into its queue.
    pub lead: Span,
    /// Usual time from putting a packet into a queue to its frame.
    pub access: Span,
    /// Part of the shortest time from a request's arrival to its answer's first frame that is the medium's, not the server's.
    pub turnaround: Span,
    pub parameters: Vec<Parameter>,
}

/// Ordered pairs of nodes between which unicast frames were sent, in either direction.
pub(super) fn adjacent(packets: &Packets) -> Vec<(NodeId, NodeId)> {
    let unicast = packets.list.iter().filter(|packet| packet.to != NOBODY);
    let mut pairs: Vec<_> = unicast.flat_map(|p| [(p.from, p.to), (p.to, p.from)]).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}
