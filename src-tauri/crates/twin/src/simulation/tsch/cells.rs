//! Choice of a cell: which frame a node offers in a slot, and where it listens otherwise.

use super::{Node, Place, Queue};
use crate::model::{CellRule, NodeId, Slotframe, Tsch};
use crate::simulation::packet::Packet;

/// Part of a node in one slot.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Offer {
    /// Frame that it sends, with the place of its packet in the node, and its channel offset; `None` where it sends
    /// nothing.
    pub sends: Option<(Place, Packet, u8)>,
    /// Number of the channel offset on which it listens; `None` where it sends, or sleeps.
    pub listens: Option<u8>,
    /// Whether it passed a shared cell in which it may send: windows shrink.
    pub passes_shared: bool,
}

/// Cell of one node in one slot.
#[derive(Clone, Copy, Debug)]
struct Cell<'a> {
    frame: &'a Slotframe,
    sends: bool,
    listens: bool,
    is_shared: bool,
    priority: usize,
}

impl Tsch {
    /// Returns the first slot from `slot` on in which some cell is active; but for one shared cell every slot counts as
    /// such.
    pub(super) fn next_active(&self, slot: i64) -> i64 {
        match self.slotframes.as_slice() {
            [Slotframe { length, shift, rule: CellRule::Shared, .. }] => {
                let length = i64::from(*length).max(1);
                slot.saturating_add(i64::from(*shift).saturating_sub(slot).rem_euclid(length))
            }
            _ => slot,
        }
    }

    /// Returns the frame that `node`, number `at`, offers in `slot`.
    ///
    /// A node with several cells at once takes the first by handle in which it may send. Where it has nothing for that
    /// one, it takes the first in which it may listen instead, if it may not listen in the former or the latter has the
    /// lower handle (`tsch_schedule_get_next_active_link` and the choice of the backup link in `tsch_slot_operation`).
    pub(super) fn offer(&self, slot: i64, at: NodeId, node: &Node) -> Offer {
        let mut best: Option<Cell<'_>> = None;
        let mut backup: Option<Cell<'_>> = None;
        for (priority, frame) in self.slotframes.iter().enumerate() {
            let Some(cell) = frame.cell(slot, at, self) else { continue };
            let cell = Cell { priority, ..cell };
            if best.is_none_or(|other| cell.sends && !other.sends) {
                best = Some(cell);
            }
            if cell.listens && backup.is_none() {
                backup = Some(cell);
            }
        }
        let Some(best) = best else { return Offer::default() };
        let may_send = |cell: Cell<'_>| cell.sends && cell.is_shared;
        let sends = |cell: Cell<'_>| {
            let (place, packet) = cell.sends.then(|| cell.frame.packet(slot, node)).flatten()?;
            Some((place, packet, cell.frame.channel(packet.to, at)))
        };
        if let Some(frame) = sends(best) {
            return Offer { sends: Some(frame), listens: None, passes_shared: may_send(best) };
        }
        let taken = backup.filter(|other| !best.listens || other.priority < best.priority).unwrap_or(best);
        let frame = if taken.priority == best.priority { None } else { sends(taken) };
        let listens = (frame.is_none() && taken.listens).then(|| taken.frame.listening_channel(at, self));
        Offer { sends: frame, listens, passes_shared: may_send(best) || may_send(taken) }
    }
}

impl Slotframe {
    fn position(&self, slot: i64) -> i64 {
        slot.saturating_sub(i64::from(self.shift)).rem_euclid(i64::from(self.length).max(1))
    }

    fn slot_of(slots: &[u16], node: NodeId) -> Option<i64> {
        slots.get(usize::from(node)).map(|&slot| i64::from(slot))
    }

    /// The cell of node `at` in `slot`, if there is one.
    fn cell(&self, slot: i64, at: NodeId, tsch: &Tsch) -> Option<Cell<'_>> {
        let here = Some(self.position(slot));
        let (sends, listens, is_shared) = match &self.rule {
            CellRule::Shared | CellRule::Common => (here == Some(0), here == Some(0), true),
            CellRule::PerReceiver { slots } => {
                let is_of = |&neighbour: &NodeId| Self::slot_of(slots, neighbour) == here;
                let neighbours = tsch.neighbours.get(usize::from(at));
                (neighbours.is_some_and(|all| all.iter().any(is_of)), Self::slot_of(slots, at) == here, true)
            }
            CellRule::PerSender { slots } => {
                let parent = tsch.parents.get(usize::from(at)).copied().flatten();
                let listens = parent.is_some_and(|parent| Self::slot_of(slots, parent) == here);
                (Self::slot_of(slots, at) == here, listens, false)
            }
        };
        (sends || listens).then_some(Cell { frame: self, sends, listens, is_shared, priority: 0 })
    }

    /// The packet of `node` that goes out in this cell.
    fn packet(&self, slot: i64, node: &Node) -> Option<(Place, Packet)> {
        let first = |queue: &Queue| queue.packets.front().copied().filter(|_| queue.window == 0);
        let unicast = |fits: &dyn Fn(&Queue) -> bool| {
            let queues = node.queues.iter().enumerate().filter(|(_, queue)| fits(queue));
            queues.filter_map(|(at, queue)| Some((Place::Neighbour(at), first(queue)?))).next()
        };
        match &self.rule {
            CellRule::Shared => {
                let beacon = node.beacons.front().map(|&packet| (Place::Beacon, packet));
                let broadcast = node.broadcasts.front().map(|&packet| (Place::Broadcast, packet));
                beacon.or(broadcast).or_else(|| unicast(&|_| true))
            }
            CellRule::Common => node.broadcasts.front().map(|&packet| (Place::Broadcast, packet)),
            CellRule::PerReceiver { slots } => {
                let here = Some(self.position(slot));
                unicast(&|queue| Self::slot_of(slots, queue.neighbour) == here)
            }
            CellRule::PerSender { .. } => node.beacons.front().map(|&packet| (Place::Beacon, packet)),
        }
    }

    /// Channel offset of a frame to `to` from `from`.
    fn channel(&self, to: Option<NodeId>, from: NodeId) -> u8 {
        let by = match (&self.rule, to) {
            (CellRule::PerReceiver { .. }, Some(to)) => usize::from(to),
            (CellRule::PerSender { .. }, _) => usize::from(from),
            _ => 0,
        };
        self.channels.get(by).or_else(|| self.channels.first()).copied().unwrap_or(0)
    }

    /// Channel offset on which `at` listens in its cell.
    fn listening_channel(&self, at: NodeId, tsch: &Tsch) -> u8 {
        let by = match &self.rule {
            CellRule::PerReceiver { .. } => usize::from(at),
            CellRule::PerSender { .. } => {
                tsch.parents.get(usize::from(at)).copied().flatten().map_or(usize::from(at), usize::from)
            }
            CellRule::Shared | CellRule::Common => 0,
        };
        self.channels.get(by).or_else(|| self.channels.first()).copied().unwrap_or(0)
    }
}
