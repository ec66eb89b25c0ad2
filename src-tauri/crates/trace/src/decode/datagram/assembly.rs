//! Datagrams being reassembled: found by key, given up in the order of their last fragment.

use crate::lookup::Map;
use base::{FrameId, Instant};
use wire::ieee802154::MacAddr;

/// Key that the fragments of one datagram share (RFC 4944 §5.3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Key {
    pub(super) src: MacAddr,
    pub(super) dst: MacAddr,
    pub(super) tag: u16,
    pub(super) size: u16,
}

/// In place of the size for recoverable fragments (RFC 8931), of which only the first says it; sizes have 11 bits.
pub(super) const RECOVERABLE: u16 = u16::MAX;

/// A datagram of which fragments were seen.
#[derive(Default)]
pub(super) struct Assembly {
    pub(super) key: Key,
    /// Its length; 0 while that is not known.
    pub(super) size: usize,
    pub(super) octets: Vec<u8>,
    /// The ranges that are there.
    pub(super) pieces: Vec<(u16, u16)>,
    /// The frames that carried them, and which of `pieces`; empty once they are those of `hop`.
    pub(super) frames: Vec<(FrameId, u16)>,
    /// Time when the last fragment was sent.
    pub(super) last: Instant,
    pub(super) is_complete: bool,
    /// The hop it is, when it is complete and CoAP.
    pub(super) hop: Option<u32>,
}

impl Assembly {
    /// Sets the length of the datagram where a fragment says it, octets, and makes room for it.
    pub(super) fn grow(&mut self, total: Option<u16>) {
        self.size = total.map_or(self.size, usize::from);
        if self.octets.len() < self.size {
            self.octets.resize(self.size, 0);
        }
    }

    /// Returns whether `octets` can be a piece of this datagram.
    pub(super) fn may_hold(&self, range: (u16, u16), octets: &[u8]) -> bool {
        let there = || self.octets.get(usize::from(range.0)..usize::from(range.1));
        !self.is_complete || self.pieces.contains(&range) && there() == Some(octets)
    }

    /// The number of the piece `range`; keeps its octets when it is new. `None` when it would be one more than `most`.
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

/// A place in [`Assemblies::slots`].
pub(super) type Slot = u32;

/// Assemblies by key, and in the order of their last fragment.
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

    pub(super) fn len(&self) -> usize {
        self.by_key.len()
    }

    /// An empty one, not yet put among the others.
    pub(super) fn fresh(&mut self, key: Key) -> Assembly {
        let mut assembly = self.spare.pop().unwrap_or_default();
        assembly.octets.clear();
        let size = if key.size == RECOVERABLE { 0 } else { usize::from(key.size) };
        assembly.octets.resize(size, 0);
        assembly.pieces.clear();
        assembly.frames.clear();
        Assembly { key, size, last: Instant::MIN, is_complete: false, hop: None, ..assembly }
    }

    /// Uses the buffers of one that was given up for another.
    pub(super) fn give_back(&mut self, assembly: Assembly) {
        self.spare.push(assembly);
    }

    /// Takes out the assembly of `key`; its place is kept for what is [put back](Self::put_back) there.
    pub(super) fn take(&mut self, key: &Key) -> Option<(Slot, Assembly)> {
        let slot = *self.by_key.get(key)?;
        Some((slot, std::mem::take(&mut self.slots.get_mut(slot as usize)?.assembly)))
    }

    /// Puts one of the same key in the place of what was [taken](Self::take), as that with the newest fragment.
    pub(super) fn put_back(&mut self, slot: Slot, assembly: Assembly) {
        if self.newest != Some(slot) {
            self.unlink(slot);
            self.link(slot);
        }
        if let Some(place) = self.slots.get_mut(slot as usize) {
            place.assembly = assembly;
        }
    }

    /// Takes out the one whose last fragment is the oldest, if it is as `wanted`.
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

    /// Puts one in, as that with the newest fragment. There must be none with its key.
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
