//! Counts of copies by fate between two positions of a lane, without a look at each.

use crate::columns::FateKind;

/// Copies between two counts. Chosen here: a block's counts take 24 octets, so that a copy takes 1.4 octets in all.
const BLOCK: usize = 64;
/// Number of classes of a copy: answered, lost and unknown, each needed and needless.
const CLASSES: usize = 6;

/// Numbers of copies by fate. Copies whose request or reply was lost are lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fates {
    /// Number of copies to which a reply arrived.
    pub(crate) answered: u32,
    /// Number of copies to which no reply arrived.
    pub(crate) lost: u32,
    /// Number of copies of which the capture cannot tell.
    pub(crate) unknown: u32,
}

impl Fates {
    const fn plus(self, other: Self) -> Self {
        Self {
            answered: self.answered.saturating_add(other.answered),
            lost: self.lost.saturating_add(other.lost),
            unknown: self.unknown.saturating_add(other.unknown),
        }
    }

    /// Returns the number of all of them.
    pub(crate) const fn all(self) -> u32 {
        self.answered.saturating_add(self.lost).saturating_add(self.unknown)
    }
}

/// Numbers of copies by fate, needless ones apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Numbers of copies that were not needless.
    pub(crate) needed: Fates,
    /// Numbers of needless copies.
    pub(crate) needless: Fates,
}

impl Tally {
    /// Returns the numbers of the copies of both.
    pub(crate) const fn plus(self, other: Self) -> Self {
        Self { needed: self.needed.plus(other.needed), needless: self.needless.plus(other.needless) }
    }

    const fn from_classes(classes: [u32; CLASSES]) -> Self {
        let [answered, lost, unknown, needless_answered, needless_lost, needless_unknown] = classes;
        Self {
            needed: Fates { answered, lost, unknown },
            needless: Fates { answered: needless_answered, lost: needless_lost, unknown: needless_unknown },
        }
    }
}

/// Classes of a lane's copies in order of sending, with the counts before each block of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tallies {
    /// Class of each copy: 0 to 5.
    classes: Vec<u8>,
    /// Counts by class before each block.
    before: Vec<[u32; CLASSES]>,
}

impl Tallies {
    /// Reads copies in order of sending: fate, and needless or not.
    pub(crate) fn of(copies: impl ExactSizeIterator<Item = (FateKind, bool)>) -> Self {
        let mut classes = Vec::with_capacity(copies.len());
        let mut before = Vec::with_capacity(copies.len() / BLOCK + 1);
        let mut counts = [0_u32; CLASSES];
        for (position, (fate, needless)) in copies.enumerate() {
            if position % BLOCK == 0 {
                before.push(counts);
            }
            let class = class(fate, needless);
            count(&mut counts, class);
            classes.push(class);
        }
        Self { classes, before }
    }

    /// Returns the memory that it takes, octets.
    pub(crate) const fn octets(&self) -> usize {
        self.classes.capacity() + self.before.capacity() * size_of::<[u32; CLASSES]>()
    }

    /// Counts the copies at positions `from..until`, in order of sending.
    pub(crate) fn between(&self, from: usize, until: usize) -> Tally {
        let (first, last) = (self.before(from.min(until)), self.before(until));
        let mut counts = [0; CLASSES];
        for (count, (a, b)) in counts.iter_mut().zip(first.into_iter().zip(last)) {
            *count = b.saturating_sub(a);
        }
        Tally::from_classes(counts)
    }

    fn before(&self, position: usize) -> [u32; CLASSES] {
        let position = position.min(self.classes.len());
        let block = (position / BLOCK).min(self.before.len().saturating_sub(1));
        let mut counts = self.before.get(block).copied().unwrap_or_default();
        for &class in self.classes.get(block * BLOCK..position).unwrap_or_default() {
            count(&mut counts, class);
        }
        counts
    }
}

const fn class(fate: FateKind, needless: bool) -> u8 {
    let fate = match fate {
        FateKind::Answered => 0,
        FateKind::RequestLost | FateKind::ReplyLost | FateKind::Lost => 1,
        FateKind::Unknown => 2,
    };
    if needless { fate + 3 } else { fate }
}

fn count(counts: &mut [u32; CLASSES], class: u8) {
    if let Some(count) = counts.get_mut(usize::from(class)) {
        *count += 1;
    }
}
