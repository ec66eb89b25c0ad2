//! Traffic: ends of associations, frame lengths of exchanges, and everything else on the air.

use super::NodeId;
use base::Instant;

/// Nodes of an association.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ends {
    /// Node that sends confirmable messages.
    pub client: NodeId,
    /// Node that answers these messages.
    pub server: NodeId,
}

/// Frame lengths of one kind of exchange: octets of every fragment, without frame check sequence, at every node that
/// sends it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Shape {
    /// Lengths of the request's fragments in their order, per sending node, the origin first.
    pub request: Vec<(NodeId, Vec<u16>)>,
    /// Lengths of the answer's fragments in their order, per sending node, the origin first.
    pub answer: Vec<(NodeId, Vec<u16>)>,
}

impl Shape {
    /// Returns the lengths, octets, of the request's or answer's fragments as `node` sends them; those of the first
    /// known node where this one is not known.
    #[must_use]
    pub fn fragments(&self, is_answer: bool, node: NodeId) -> &[u16] {
        let all = if is_answer { &self.answer } else { &self.request };
        let known = all.iter().find(|(at, _)| *at == node).or_else(|| all.first());
        known.map_or(&[], |(_, lengths)| lengths)
    }
}

/// A packet beside the exchanges, as it was recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Background {
    /// Time when it enters the queue of its sender.
    pub at: Instant,
    /// Sender of this hop.
    pub from: NodeId,
    /// Receiver of this hop; `None`: broadcast.
    pub to: Option<NodeId>,
    /// Length of its frame without frame check sequence, octets.
    pub octets: u16,
    /// Whether it is a beacon.
    pub is_beacon: bool,
}
