//! Records of the same transmission.

use base::{FrameId, Instant, Span};
use std::collections::BTreeSet;

/// Most transmissions before a record, and after it, that it is compared with. Chosen here: a MAC sends a frame again
/// seven times at most (macMaxFrameRetries, IEEE 802.15.4-2006 7.4.2), and more of the same octets at one time are a
/// flood.
const NEAREST: usize = 16;

/// Transmissions of the same octets: time and first record of each.
#[derive(Default)]
pub(super) struct Transmissions(BTreeSet<(Instant, FrameId)>);

impl Transmissions {
    /// Returns the number of transmissions.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns their times, in order.
    pub(super) fn times(&self) -> impl Iterator<Item = Instant> {
        self.0.iter().map(|&(at, _)| at)
    }

    /// Returns the transmissions within `window` of `at`, nearest first on each side; at most [`NEAREST`] a side.
    fn near(&self, at: Instant, window: Span) -> impl Iterator<Item = (Instant, FrameId)> {
        let before = self.0.range(..(at, FrameId(0))).rev().take(NEAREST).take_while(move |t| t.0 >= at - window);
        let after = self.0.range((at, FrameId(0))..).take(NEAREST).take_while(move |t| t.0 <= at + window);
        before.chain(after).copied()
    }
}

/// Adds a recording's `frames` (time, identifier) of the same octets to `transmissions`: a frame within `window` of a
/// transmission is a duplicate of the nearest that is left, any other is a new transmission. Appends (duplicate, first
/// record) to `duplicates`.
pub(super) fn join(
    transmissions: &mut Transmissions,
    frames: impl Iterator<Item = (Instant, FrameId)>,
    window: Span,
    duplicates: &mut Vec<(FrameId, FrameId)>,
) {
    // Each pair that may be one, nearest first; a record is in at most one pair.
    let frames: Vec<_> = frames.collect();
    let mut pairs = Vec::new();
    for (mine, &(at, _)) in frames.iter().enumerate() {
        pairs.extend(transmissions.near(at, window).map(|theirs| ((theirs.0 - at).abs(), mine, theirs)));
    }
    pairs.sort_unstable();
    let mut taken = (vec![false; frames.len()], BTreeSet::new());
    for (_, mine, theirs) in pairs {
        if let Some(m @ false) = taken.0.get_mut(mine)
            && let Some(&(_, frame)) = frames.get(mine)
            && taken.1.insert(theirs)
        {
            *m = true;
            duplicates.push((frame, theirs.1));
        }
    }
    let alone = frames.iter().zip(&taken.0).filter(|&(_, &taken)| !taken);
    transmissions.0.extend(alone.map(|(&frame, _)| frame));
}

/// Turns pairs of a record and the one found first into pairs of a record and the first in the file, sorted by record.
pub(super) fn settle(pairs: Vec<(FrameId, FrameId)>) -> Vec<(FrameId, FrameId)> {
    let mut pairs = pairs;
    pairs.sort_unstable_by_key(|&(duplicate, found)| (found, duplicate));
    let mut duplicates = Vec::with_capacity(pairs.len());
    for same in pairs.chunk_by(|a, b| a.1 == b.1) {
        let all = || same.iter().map(|&(duplicate, _)| duplicate).chain(same.first().map(|&(_, found)| found));
        let Some(first) = all().min() else { continue };
        duplicates.extend(all().filter(|&frame| frame != first).map(|frame| (frame, first)));
    }
    duplicates.sort_unstable();
    duplicates
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(micros: i64) -> Instant {
        Instant::from_nanos(micros * 1_000)
    }

    #[test]
    fn a_retry_that_only_one_heard_is_not_the_first_that_the_other_heard() {
        let (mut transmissions, mut duplicates) = (Transmissions::default(), Vec::new());
        let window = Span::from_micros(200);
        join(&mut transmissions, [(at(0), FrameId(0)), (at(9_000), FrameId(2))].into_iter(), window, &mut duplicates);
        let theirs = [(at(3_000), FrameId(1)), (at(9_050), FrameId(3)), (at(9_190), FrameId(4))];
        join(&mut transmissions, theirs.into_iter(), window, &mut duplicates);
        assert_eq!(duplicates, [(FrameId(3), FrameId(2))]);
        assert_eq!(transmissions.len(), 4);
        join(&mut transmissions, [(at(8_990), FrameId(9))].into_iter(), window, &mut duplicates);
        assert_eq!(settle(duplicates), [(FrameId(3), FrameId(2)), (FrameId(9), FrameId(2))]);
    }

    #[test]
    fn the_first_in_the_file_stands_for_all() {
        let pairs = vec![(FrameId(1), FrameId(5)), (FrameId(7), FrameId(5)), (FrameId(9), FrameId(8))];
        assert_eq!(settle(pairs), [(FrameId(5), FrameId(1)), (FrameId(7), FrameId(1)), (FrameId(9), FrameId(8))]);
    }

    /// However many records of the same octets there are at one time, each is compared with a few.
    #[test]
    fn a_flood_of_one_frame_at_one_time() {
        let all = |from: u32| (from..from + 10_000).map(|n| (at(5), FrameId(n)));
        let (mut transmissions, mut duplicates) = (Transmissions::default(), Vec::new());
        join(&mut transmissions, all(0), Span::ZERO, &mut duplicates);
        let compared = all(10_000).map(|(at, _)| transmissions.near(at, Span::from_micros(150)).count()).sum::<usize>();
        assert!(compared <= 10_000 * 2 * NEAREST, "{compared}");
        join(&mut transmissions, all(10_000), Span::from_micros(150), &mut duplicates);
        assert_eq!(transmissions.len() + duplicates.len(), 20_000, "each is a transmission or a duplicate of one");
    }
}
