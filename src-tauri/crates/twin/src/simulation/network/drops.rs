//! Log of drops.

use super::Network;
use crate::model::{DropReason, NodeId, SimulatedDrop};
use base::Instant;

impl Network<'_> {
    /// Keeps a log of drops from here on.
    pub fn keep_drops(&mut self) {
        self.drops = Some(Vec::new());
    }

    /// Returns the drops since the last call, in order of time; none without [`Network::keep_drops`].
    pub fn take_drops(&mut self) -> Vec<SimulatedDrop> {
        self.drops.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Notes that `node` dropped a part of a copy, or of the answer to it. `part`: number of the copy, whether it is of
    /// the answer, and the datagram.
    pub(super) fn note_drop(&mut self, at: Instant, node: NodeId, part: (u32, bool, Option<u32>), reason: DropReason) {
        let (copy, is_answer, datagram) = part;
        if let (Some(drops), Some(state)) = (&mut self.drops, self.copies.get(copy as usize)) {
            drops.push(SimulatedDrop { at, node, key: state.copy.key, is_answer, datagram, reason });
        }
    }
}
