//! Datagrams being reassembled: found by key, given up in the order of their last fragment.

use crate::lookup::Map;
use base::{FrameId, Instant};
use wire::ieee802154::MacAddr;

/// Key that the fragments of one datagram share (RFC 4944 §5.3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Key {
    /// Link-layer source of the hop.
    pub(super) src: MacAddr,
    /// Link-layer destination of the hop.
    pub(super) dst: MacAddr,
    /// Datagram tag, a number that the sender of the hop chose.
    pub(super) tag: u16,
    /// Length of the datagram in octets, at most 2047; [`RECOVERABLE`] for fragments of RFC 8931.
    pub(super) size: u16,
}

/// Value of [`Key::size`] for recoverable fragments (RFC 8931), of which only the first says the size. No size: those
/// have 11 bits.
pub(super) const RECOVERABLE: u16 = u16::MAX;

/// A datagram of which at least one fragment was seen.
#[derive(Default)]
pub(super) struct Assembly {
    /// Key of its fragments.
    pub(super) key: Key,
    /// Length of the datagram, octets; 0 while it is not known.
    pub(super) size: usize,
    /// Octets of the datagram, zeros where none was seen; compressed for RFC 8931.
    pub(super) octets: Vec<u8>,
    /// Ranges of octets (start, end) that were seen, each once, in order of first appearance; they may overlap.
    pub(super) pieces: Vec<(u16, u16)>,
    /// Frames that carried them, each with its position in `pieces`; empty once complete.
    pub(super) frames: Vec<(FrameId, u16)>,
    /// Time when the last fragment was sent.
    pub(super) last: Instant,
    /// True once the pieces cover the datagram.
    pub(super) is_complete: bool,
    /// Position of its hop in `Datagrams::hops`, once it is complete and carries CoAP.
    pub(super) hop: Option<u32>,
}

impl Assembly {
    /// Sets the length of the datagram, octets, where a fragment says it, and makes room for it.
    pub(super) fn grow(&mut self, total: Option<u16>) {
        self.size = total.map_or(self.size, usize::from);
        if self.octets.len() < self.size {
            self.octets.resize(self.size, 0);
        }
    }

    /// Returns whether `octets` at `range` can be a piece of this datagram: a complete one takes only repetitions of
    /// its pieces.
    pub(super) fn may_hold(&self, range: (u16, u16), octets: &[u8]) -> bool {
        let there = || self.octets.get(usize::from(range.0)..usize::from(range.1));
        !self.is_complete || self.pieces.contains(&range) && there() == Some(octets)
    }

    /// Returns the position of `range` in `pieces`, where it adds the range with its octets when it is new. `None` when
    /// it would be one more than `most`.
    pub(super) fn piece(&mut self, range: (u16, u16), octets: &[u8], most: usize) -> Option<u16> {
        if let Some(known) = self.pieces.iter().position(|&piece| piece == range) {
            return u16::try_from(known).ok();
        }
        if self.pieces.len() >= most {
            return None;
        }
        if self.octets.len() < usize::from(range.1) {
            self.octets.resize(usize::from(range.1), 0);
        }
        if let Some(place) = self.octets.get_mut(usize::from(range.0)..usize::from(range.1)) {
            place.copy_from_slice(octets);
        }
        self.pieces.push(range);
        u16::try_from(self.pieces.len() - 1).ok()
    }

    /// Returns the number of octets that are present; overlaps count once.
    pub(super) fn held(&self) -> usize {
        let mut ranges = self.pieces.clone();
        ranges.sort_unstable();
        let mut reached = 0;
        let new = |(from, to): (u16, u16)| {
            let octets = to.saturating_sub(reached.max(from));
            reached = reached.max(to);
            usize::from(octets)
        };
        ranges.into_iter().map(new).sum()
    }

    /// Returns whether the pieces cover the datagram without a hole.
    pub(super) fn is_covered(&self) -> bool {
        let size = self.size;
        if size == 0 || self.pieces.iter().map(|&(from, to)| usize::from(to - from)).sum::<usize>() < size {
            return false;
        }
        let mut ranges = self.pieces.clone();
        ranges.sort_unstable();
        let reached = ranges.iter().try_fold(0, |reached: u16, &(from, to)| (from <= reached).then(|| reached.max(to)));
        reached.is_some_and(|reached| usize::from(reached) >= size)
    }
}

/// Index into `Assemblies::slots`, from 0.
pub(super) type Slot = u32;

/// Open reassemblies: by key, and as a linked list in the order of their last fragment.
pub(super) struct Assemblies {
    slots: Vec<Linked>,
    by_key: Map<Key, Slot>,
    free: Vec<Slot>,
    oldest: Option<Slot>,
    newest: Option<Slot>,
    /// Buffers of those that were given up.
    spare: Vec<Assembly>,
}

#[derive(Default)]
struct Linked {
    assembly: Assembly,
    older: Option<Slot>,
    newer: Option<Slot>,
}

impl Assemblies {
    pub(super) fn new() -> Self {
        Self {
            slots: Vec::new(),
            by_key: Map::default(),
            free: Vec::new(),
            oldest: None,
            newest: None,
            spare: Vec::new(),
        }
    }

    /// Returns the number of open reassemblies.
    pub(super) fn len(&self) -> usize {
        self.by_key.len()
    }

    /// Returns an empty assembly for `key`, not yet among the open ones.
    pub(super) fn fresh(&mut self, key: Key) -> Assembly {
        let mut assembly = self.spare.pop().unwrap_or_default();
        assembly.octets.clear();
        let size = if key.size == RECOVERABLE { 0 } else { usize::from(key.size) };
        assembly.octets.resize(size, 0);
        assembly.pieces.clear();
        assembly.frames.clear();
        Assembly { key, size, last: Instant::MIN, is_complete: false, hop: None, ..assembly }
    }

    /// Keeps the buffers of an assembly that was closed for [`Self::fresh`].
    pub(super) fn give_back(&mut self, assembly: Assembly) {
        self.spare.push(assembly);
    }

    /// Takes out the assembly of `key`; its slot stays reserved for [`Self::put_back`]. `None` where none is open.
    pub(super) fn take(&mut self, key: &Key) -> Option<(Slot, Assembly)> {
        let slot = *self.by_key.get(key)?;
        Some((slot, std::mem::take(&mut self.slots.get_mut(slot as usize)?.assembly)))
    }

    /// Puts an assembly of the same key into the slot that [`Self::take`] returned, as the one with the newest
    /// fragment.
    pub(super) fn put_back(&mut self, slot: Slot, assembly: Assembly) {
        if self.newest != Some(slot) {
            self.unlink(slot);
            self.link(slot);
        }
        if let Some(place) = self.slots.get_mut(slot as usize) {
            place.assembly = assembly;
        }
    }

    /// Takes out the assembly whose last fragment is the oldest, if `wanted` holds for it.
    pub(super) fn take_oldest_if(&mut self, wanted: impl Fn(&Assembly) -> bool) -> Option<Assembly> {
        let slot = self.oldest?;
        let assembly = &self.slots.get(slot as usize)?.assembly;
        if !wanted(assembly) {
            return None;
        }
        self.by_key.remove(&assembly.key);
        self.unlink(slot);
        self.free.push(slot);
        Some(std::mem::take(&mut self.slots.get_mut(slot as usize)?.assembly))
    }

    /// Adds an assembly as the one with the newest fragment. None with its key may be open.
    pub(super) fn put(&mut self, assembly: Assembly) {
        let key = assembly.key;
        let linked = Linked { assembly, older: None, newer: None };
        let slot = match self.free.pop() {
            Some(slot) => {
                if let Some(place) = self.slots.get_mut(slot as usize) {
                    *place = linked;
                }
                slot
            }
            None => {
                self.slots.push(linked);
                // Bounded by the number of reassemblies at once.
                (self.slots.len() - 1) as Slot
            }
        };
        self.link(slot);
        self.by_key.insert(key, slot);
    }

    /// Makes `slot`, which is not linked, the newest.
    fn link(&mut self, slot: Slot) {
        if let Some(own) = self.slots.get_mut(slot as usize) {
            (own.older, own.newer) = (self.newest, None);
        }
        match self.newest.and_then(|newest| self.slots.get_mut(newest as usize)) {
            Some(before) => before.newer = Some(slot),
            None => self.oldest = Some(slot),
        }
        self.newest = Some(slot);
    }

    /// Takes `slot` from between its neighbours.
    fn unlink(&mut self, slot: Slot) {
        let Some(&Linked { older, newer, .. }) = self.slots.get(slot as usize) else { return };
        match older.and_then(|older| self.slots.get_mut(older as usize)) {
            Some(before) => before.newer = newer,
            None => self.oldest = newer,
        }
        match newer.and_then(|newer| self.slots.get_mut(newer as usize)) {
            Some(behind) => behind.older = older,
            None => self.newest = older,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(tag: u16) -> Key {
        Key { tag, size: 16, ..Key::default() }
    }

    #[test]
    fn assemblies_come_out_oldest_first() {
        let mut open = Assemblies::new();
        for tag in 0..5 {
            let assembly = open.fresh(key(tag));
            open.put(assembly);
        }
        for tag in [2, 0, 4, 4] {
            let (slot, assembly) = open.take(&key(tag)).unwrap();
            open.put_back(slot, assembly);
        }
        let gone = open.take_oldest_if(|assembly| assembly.key.tag == 1).unwrap();
        assert!(open.take_oldest_if(|assembly| assembly.key.tag == 1).is_none());
        open.give_back(gone);
        let assembly = open.fresh(key(9));
        open.put(assembly);
        assert_eq!(open.len(), 5);
        let order: Vec<u16> = std::iter::from_fn(|| open.take_oldest_if(|_| true)).map(|a| a.key.tag).collect();
        assert_eq!(order, [3, 2, 0, 4, 9]);
        assert!(open.take(&key(3)).is_none() && open.len() == 0);
    }

    #[test]
    fn a_datagram_is_covered_only_without_gaps() {
        let mut assembly = Assemblies::new().fresh(key(1));
        assert_eq!(assembly.piece((8, 16), &[1; 8], 3), Some(0));
        assert_eq!(assembly.piece((8, 14), &[1; 6], 3), Some(1));
        assert!(!assembly.is_covered());
        assert_eq!(assembly.piece((0, 8), &[2; 8], 3), Some(2));
        assert!(assembly.is_covered());
        assert_eq!(assembly.piece((8, 16), &[3; 8], 3), Some(0));
        assert_eq!(assembly.piece((0, 16), &[3; 16], 3), None);
        assert_eq!(assembly.octets, [[2; 8], [1; 8]].concat());
    }
}
