//! Ways of copies and of their answers over their hops, from a log of frames and drops.

use crate::model::{DropReason, Load, NodeId, SimulatedDrop, SimulatedFrame};
use base::Instant;

/// One datagram on one hop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hop {
    /// Node that sent it.
    pub from: NodeId,
    /// Node that it was addressed to.
    pub to: NodeId,
    /// Position in [`Way::hops`] of the hop that took it to `from`; `None` at its origin.
    pub before: Option<usize>,
    /// Number of its fragments; 1 for a datagram in one frame.
    pub fragments: u8,
    /// Frames that carried it, in order of time.
    pub frames: Vec<SimulatedFrame>,
    /// Moment at which the network layer of `to` had all of it; `None` where it never did.
    pub arrived: Option<Instant>,
}

/// Way of one copy of a request, or of the answer to it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Way {
    /// Its hops, in the order in which they began.
    pub hops: Vec<Hop>,
    /// Parts of it that were dropped, in order of time. Packets that their receiver had all the same are not among
    /// them.
    pub drops: Vec<SimulatedDrop>,
}

impl Way {
    /// Returns the first moment at which `node` had all of it; `None` where it never did.
    #[must_use]
    pub fn reached(&self, node: NodeId) -> Option<Instant> {
        self.hops.iter().filter(|hop| hop.to == node).filter_map(|hop| hop.arrived).min()
    }
}

/// Key of a copy ([`crate::Copy::key`]), and whether the answer to it is meant.
type Whose = (u64, bool);

/// Log of a simulation, ordered by copy.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ways {
    frames: Vec<SimulatedFrame>,
    drops: Vec<SimulatedDrop>,
    /// Positions in `frames` of the parts of copies and answers, by their key, in order of time.
    carried: Vec<(Whose, u32)>,
}

impl Ways {
    /// Orders a log ([`crate::Simulation::take_log`], [`crate::Simulation::take_drops`]).
    #[must_use]
    pub fn new(mut frames: Vec<SimulatedFrame>, mut drops: Vec<SimulatedDrop>) -> Self {
        // Sorts are stable: what happens at one moment keeps its order.
        frames.sort_by_key(|frame| frame.start);
        drops.sort_by_key(|drop| (drop.key, drop.is_answer));
        let whose = |(frame, at): (&SimulatedFrame, u32)| match frame.load {
            Load::Copy { key, is_answer, .. } => Some(((key, is_answer), at)),
            Load::Other | Load::Beacon => None,
        };
        let mut carried: Vec<(Whose, u32)> = frames.iter().zip(0..).filter_map(whose).collect();
        carried.sort_unstable();
        Self { frames, drops, carried }
    }

    /// Returns all frames, those of other traffic too, in order of time.
    #[must_use]
    pub fn frames(&self) -> &[SimulatedFrame] {
        &self.frames
    }

    /// Returns the memory that it takes, octets.
    #[must_use]
    pub const fn octets(&self) -> usize {
        self.frames.capacity() * size_of::<SimulatedFrame>()
            + self.drops.capacity() * size_of::<SimulatedDrop>()
            + self.carried.capacity() * size_of::<(Whose, u32)>()
    }

    /// Returns the way of the copy with `key`, or of the answer to it; empty where there was no frame and no drop.
    #[must_use]
    pub fn of(&self, key: u64, is_answer: bool) -> Way {
        let whose = (key, is_answer);
        let from = self.carried.partition_point(|(other, _)| *other < whose);
        let own = self.carried.iter().skip(from).take_while(|(other, _)| *other == whose);
        let frames: Vec<&SimulatedFrame> = own.filter_map(|&(_, at)| self.frames.get(at as usize)).collect();
        let from = self.drops.partition_point(|drop| (drop.key, drop.is_answer) < whose);
        let own = self.drops.iter().skip(from).take_while(|drop| (drop.key, drop.is_answer) == whose);
        let drops: Vec<SimulatedDrop> = own.copied().collect();
        let hops = hops(&frames, &drops);
        let is_had = |drop: &SimulatedDrop| {
            let is_it = |hop: &&Hop| hop.from == drop.node && hop.datagram() == drop.datagram;
            hops.iter().find(is_it).is_some_and(|hop| hop.arrived.is_some_and(|at| at <= drop.at))
        };
        let drops = drops.iter().filter(|drop| !is_had(drop)).copied().collect();
        Way { hops, drops }
    }
}

impl Hop {
    /// Returns the number of its datagram, as in [`Load::Copy`].
    fn datagram(&self) -> Option<u32> {
        self.frames.first().and_then(datagram)
    }
}

fn datagram(frame: &SimulatedFrame) -> Option<u32> {
    match frame.load {
        Load::Copy { datagram, .. } => Some(datagram),
        Load::Other | Load::Beacon => None,
    }
}

/// Groups the frames of one message by hop and datagram. `drops`: parts of it that were dropped.
fn hops(frames: &[&SimulatedFrame], drops: &[SimulatedDrop]) -> Vec<Hop> {
    let mut hops: Vec<Hop> = Vec::new();
    for &frame in frames {
        let (Load::Copy { datagram, fragments, .. }, Some(to)) = (frame.load, frame.to) else { continue };
        let known = hops.iter().position(|hop| hop.from == frame.from && hop.datagram() == Some(datagram));
        let place = known.unwrap_or(hops.len());
        if known.is_none() {
            let leads = |hop: &Hop| hop.to == frame.from && hop.arrived.is_some_and(|at| at <= frame.start);
            let before = hops.iter().rposition(leads);
            hops.push(Hop { from: frame.from, to, before, fragments, frames: Vec::new(), arrived: None });
        }
        let Some(hop) = hops.get_mut(place) else { continue };
        hop.frames.push(*frame);
        // Each fragment is handed up once, and a node that refuses one never has the whole.
        let is_refused = |drop: &SimulatedDrop| {
            (drop.node, drop.reason, drop.datagram) == (to, DropReason::NoReassembly, Some(datagram))
        };
        let handed: Vec<Instant> = hop.frames.iter().filter_map(|frame| frame.handed_up).collect();
        if handed.len() >= usize::from(fragments) && !drops.iter().any(is_refused) {
            hop.arrived = handed.into_iter().max();
        }
    }
    hops
}
