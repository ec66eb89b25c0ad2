//! Records of the same transmission.

use base::{FrameId, Instant, Span};

/// A transmission of some octets, and the record of it that was found first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transmission {
    pub(super) at: Instant,
    pub(super) frame: FrameId,
}

/// Add a recording's `frames` of some octets to the `transmissions` of these: a frame within `window` of one is its
/// twin, the nearest of those that are left; any other is a transmission of its own.
pub(super) fn join(
    transmissions: &mut Vec<Transmission>,
    frames: impl Iterator<Item = (Instant, FrameId)>,
    window: Span,
    twins: &mut Vec<(FrameId, FrameId)>,
) {
    // Each pair that may be one, nearest first; a record is in at most one pair.
    let known = transmissions.len();
    let frames: Vec<_> = frames.collect();
    let mut pairs = Vec::new();
    for (mine, &(at, _)) in frames.iter().enumerate() {
        let near = transmissions.get(..known).unwrap_or_default();
        let from = near.partition_point(|t| t.at < at - window);
        let near = near.iter().enumerate().skip(from).take_while(|(_, t)| t.at <= at + window);
        pairs.extend(near.map(|(theirs, t)| ((t.at - at).abs(), mine, theirs)));
    }
    pairs.sort_unstable();
    let mut taken = (vec![false; frames.len()], vec![false; known]);
    for (_, mine, theirs) in pairs {
        if let (Some(m @ false), Some(t @ false)) = (taken.0.get_mut(mine), taken.1.get_mut(theirs))
            && let (Some(&(_, frame)), Some(transmission)) = (frames.get(mine), transmissions.get(theirs))
        {
            (*m, *t) = (true, true);
            twins.push((frame, transmission.frame));
        }
    }
    let alone = frames.iter().zip(&taken.0).filter(|&(_, &taken)| !taken);
    transmissions.extend(alone.map(|(&(at, frame), _)| Transmission { at, frame }));
    transmissions.sort_unstable_by_key(|t| (t.at, t.frame));
}

/// Pairs of a record and the one that was found first, as pairs of a record and the first in the file; by record.
pub(super) fn settle(pairs: Vec<(FrameId, FrameId)>) -> Vec<(FrameId, FrameId)> {
    let mut pairs = pairs;
    pairs.sort_unstable_by_key(|&(twin, found)| (found, twin));
    let mut twins = Vec::with_capacity(pairs.len());
    for same in pairs.chunk_by(|a, b| a.1 == b.1) {
        let all = || same.iter().map(|&(twin, _)| twin).chain(same.first().map(|&(_, found)| found));
        let Some(first) = all().min() else { continue };
        twins.extend(all().filter(|&frame| frame != first).map(|frame| (frame, first)));
    }
    twins.sort_unstable();
    twins
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(micros: i64) -> Instant {
        Instant::from_nanos(micros * 1_000)
    }

    #[test]
    fn a_retry_that_only_one_heard_is_not_the_first_that_the_other_heard() {
        let (mut transmissions, mut twins) = (Vec::new(), Vec::new());
        let window = Span::from_micros(200);
        join(&mut transmissions, [(at(0), FrameId(0)), (at(9_000), FrameId(2))].into_iter(), window, &mut twins);
        let theirs = [(at(3_000), FrameId(1)), (at(9_050), FrameId(3)), (at(9_190), FrameId(4))];
        join(&mut transmissions, theirs.into_iter(), window, &mut twins);
        assert_eq!(twins, [(FrameId(3), FrameId(2))]);
        assert_eq!(transmissions.len(), 4);
        join(&mut transmissions, [(at(8_990), FrameId(9))].into_iter(), window, &mut twins);
        assert_eq!(settle(twins), [(FrameId(3), FrameId(2)), (FrameId(9), FrameId(2))]);
    }

    #[test]
    fn the_first_in_the_file_stands_for_all() {
        let pairs = vec![(FrameId(1), FrameId(5)), (FrameId(7), FrameId(5)), (FrameId(9), FrameId(8))];
        assert_eq!(settle(pairs), [(FrameId(5), FrameId(1)), (FrameId(7), FrameId(1)), (FrameId(9), FrameId(8))]);
    }
}
