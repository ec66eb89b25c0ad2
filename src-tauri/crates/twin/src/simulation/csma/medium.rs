//! Frames on the air: who senses them, who receives them, and which spoil each other.
//!
//! One number for every frame and listener decides whether it is sensed, received and disturbs: in a medium where
//! reception varies from frame to frame, one that is too weak to be received is too weak to be sensed as well. Numbers
//! are drawn when they are asked for, so that listeners that nobody asks cost nothing.

use crate::model::NodeId;
use crate::simulation::draws::Purpose;
use crate::simulation::packet::Packet;
use crate::simulation::realisation::{LEAST, Realisation};
use base::{Instant, unit};

/// Kind of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Content {
    /// A packet of the network layer.
    Data {
        /// The packet as it is in its queue.
        packet: Packet,
        /// Number of the packet ([`super::queues::Numbered::number`]).
        number: u32,
    },
    /// An acknowledgement of a packet.
    Acknowledgement {
        /// Number of the packet.
        number: u32,
    },
}

impl Content {
    /// Returns the number of the packet.
    pub const fn number(self) -> u32 {
        match self {
            Self::Data { number, .. } | Self::Acknowledgement { number } => number,
        }
    }
}

/// A frame of CSMA/CA, data or acknowledgement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Frame {
    /// Node that sends the frame.
    pub from: NodeId,
    /// Node that it is addressed to; `None`: broadcast.
    pub to: Option<NodeId>,
    /// First moment on the air.
    pub start: Instant,
    /// Last moment on the air.
    pub end: Instant,
    /// Packet or acknowledgement that it carries.
    pub content: Content,
}

/// A frame and those that were on the air at the same time.
#[derive(Clone, Debug)]
pub(super) struct Transmission {
    /// Frame that is received or not.
    pub frame: Frame,
    rivals: Vec<(NodeId, Instant)>,
}

/// All frames on the air.
#[derive(Debug, Default)]
pub(super) struct Medium {
    active: Vec<Transmission>,
    /// Emptied lists of rivals, to be used again.
    spare: Vec<Vec<(NodeId, Instant)>>,
}

impl Medium {
    /// Puts `frame` on the air.
    pub fn start(&mut self, frame: Frame) {
        let mut rivals = self.spare.pop().unwrap_or_default();
        for other in &mut self.active {
            other.rivals.push((frame.from, frame.start));
            rivals.push((other.frame.from, other.frame.start));
        }
        self.active.push(Transmission { frame, rivals });
    }

    /// Takes the frame of `from` off the air and returns it; `None` where it has none there.
    pub fn finish(&mut self, from: NodeId) -> Option<Transmission> {
        let at = self.active.iter().position(|other| other.frame.from == from)?;
        Some(self.active.remove(at))
    }

    /// Takes back a frame that nobody needs any more, to use its memory again.
    pub fn recycle(&mut self, mut transmission: Transmission) {
        transmission.rivals.clear();
        self.spare.push(transmission.rivals);
    }

    /// Senders of the frames on the air.
    #[cfg(test)]
    pub fn senders(&self) -> impl Iterator<Item = NodeId> {
        self.active.iter().map(|other| other.frame.from)
    }

    /// Returns whether `node` senses a frame of another node.
    pub fn is_busy(&self, node: NodeId, drawn: &Realisation) -> bool {
        let mut others = self.active.iter().map(|other| other.frame).filter(|frame| frame.from != node);
        others.any(|frame| is_below(drawn.sensing.get(frame.from, node), drawn, (frame.from, frame.start), node))
    }

    /// Returns whether `node` is receiving a frame, so far undisturbed.
    pub fn is_receiving(&self, node: NodeId, drawn: &Realisation) -> bool {
        self.active.iter().any(|other| other.frame.from != node && other.reaches(node, drawn))
    }

    /// Returns whether `node` begins to receive the frame of `from`, which has just begun.
    pub fn begins_to_reach(&self, from: NodeId, node: NodeId, drawn: &Realisation) -> bool {
        let own = self.active.iter().rfind(|other| other.frame.from == from);
        own.is_some_and(|own| own.reaches(node, drawn))
    }
}

impl Transmission {
    /// Returns whether `node` notices the frame, readable or not.
    pub fn disturbs(&self, node: NodeId, drawn: &Realisation) -> bool {
        let Frame { from, start, .. } = self.frame;
        is_below(drawn.disturbance.get(from, node), drawn, (from, start), node)
    }

    /// Returns whether `node` receives the frame.
    pub fn reaches(&self, node: NodeId, drawn: &Realisation) -> bool {
        let Frame { from, start, .. } = self.frame;
        !self.is_met_by(node)
            && is_below(drawn.reception.get(from, node), drawn, (from, start), node)
            && !self.is_spoiled(node, drawn)
    }

    /// Returns whether `node` was sending itself.
    fn is_met_by(&self, node: NodeId) -> bool {
        self.rivals.iter().any(|&(rival, _)| rival == node)
    }

    /// Returns whether a frame of another node spoils this one at `node`.
    fn is_spoiled(&self, node: NodeId, drawn: &Realisation) -> bool {
        let spoils = |&(rival, start): &(NodeId, Instant)| {
            is_below(drawn.disturbance.get(rival, node), drawn, (rival, start), node)
        };
        self.rivals.iter().any(spoils)
    }
}

/// Whether the draw on [0, 1) for the frame that `from` began at `start`, at the listener `to`, is below `probability`:
/// one draw for every question about it. Nothing is drawn where the probability decides alone: most pairs of a large
/// network are out of each other's reach.
fn is_below(probability: f64, drawn: &Realisation, (from, start): (NodeId, Instant), to: NodeId) -> bool {
    if !(LEAST..=1.0 - LEAST).contains(&probability) {
        return probability > 1.0 - LEAST;
    }
    unit(drawn.draws.words(Purpose::Frame, drawn.moment(start), from, to)[0]) < probability
}
