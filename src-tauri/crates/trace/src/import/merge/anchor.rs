//! Common frames of several recordings: groups of frames with the same octets.

use super::duplicates::{self, Transmissions};
use super::fit::Common;
use crate::model::{Capture, Fcs, Link};
use base::{FrameId, Instant, Span};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::{DefaultHasher, Hasher};
use std::ops::Range;

/// Octets of the shortest frame that aligns clocks. Chosen here: shorter ones are acknowledgements, which differ only
/// in a number that comes round within seconds.
const LEAST: u32 = 8;

/// Longest time in which a frame is repeated by the MAC, or strobed by radio duty cycling. Chosen here: the same octets
/// later are another frame, whose sequence number came round.
const BURST: Span = Span::from_secs(1);

/// Value in place of a number of frames, for recordings that were taken.
const TAKEN: usize = usize::MAX;

/// A frame of a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    /// Number of its recording, see [`super::recordings`].
    pub(super) recording: usize,
    /// Frame of that recording.
    pub(super) frame: FrameId,
}

/// Frames with the same octets, of more than one recording.
struct Group {
    /// Range of its frames in [`Groups::members`].
    members: Range<usize>,
    /// Transmissions that the frames of joined recordings show.
    transmissions: Transmissions,
    /// True once a recording that holds some of them was taken.
    is_met: bool,
}

/// Frames that several recordings hold, grouped by their octets; recordings are taken one after the other.
///
/// A file may have a recording for each of its frames: the work for one recording looks only at its own frames and the
/// groups that they are in.
pub(super) struct Groups {
    /// Members, group by group; within a group by recording, then by time.
    members: Vec<Member>,
    groups: Vec<Group>,
    /// Groups that hold frames of a recording, in order, by recording, and the range of `members` that those frames
    /// are.
    runs: Vec<Vec<(usize, Range<usize>)>>,
    /// Number of a recording's frames in groups of taken recordings; [`TAKEN`] once it is taken itself.
    shared: Vec<usize>,
    /// Recordings not yet taken, the largest number on top; entries may be outdated, `shared` has the current numbers.
    candidates: BinaryHeap<(usize, Reverse<usize>)>,
    /// Pairs of a frame and the one found first that shows the same transmission.
    duplicates: Vec<(FrameId, FrameId)>,
}

impl Groups {
    /// Groups the whole 802.15.4 frames of `capture` that more than one recording holds. `recordings`: by source;
    /// `count`: their number.
    pub(super) fn of(capture: &Capture, recordings: &[Option<usize>], count: usize) -> Self {
        let mut keyed: Vec<(u64, Member)> = Vec::with_capacity(capture.frames.len());
        for (index, frame) in capture.frames.iter().enumerate() {
            let whole =
                frame.link == Link::Ieee802154 && !frame.cut && frame.fcs != Fcs::Bad && !frame.octets.is_empty();
            if let Some(&Some(recording)) = recordings.get(frame.source.index()).filter(|_| whole) {
                let mut hasher = DefaultHasher::new();
                hasher.write(capture.octets_of(frame));
                keyed.push((hasher.finish(), Member { recording, frame: FrameId::at(index) }));
            }
        }
        let order = |member: &Member| (member.recording, at(capture, member.frame), member.frame);
        keyed.sort_unstable_by_key(|(key, member)| (*key, order(member)));
        let mut members = Vec::new();
        let mut groups = Vec::new();
        for run in keyed.chunk_by(|a, b| a.0 == b.0) {
            // Different octets with one hash: one in 2^64. They are left out.
            let Some(&(_, first)) = run.first() else { continue };
            let is_same = |(_, member): &&(u64, Member)| octets(capture, member.frame) == octets(capture, first.frame);
            let start = members.len();
            members.extend(run.iter().filter(is_same).map(|&(_, member)| member));
            let shared = members.get(start..).is_some_and(|group| group.iter().any(|m| m.recording != first.recording));
            match shared {
                true => groups.push(Group {
                    members: start..members.len(),
                    transmissions: Transmissions::default(),
                    is_met: false,
                }),
                false => members.truncate(start),
            }
        }
        let mut runs = vec![Vec::new(); count];
        for (index, group) in groups.iter().enumerate() {
            let mut start = group.members.start;
            for run in
                members.get(group.members.clone()).unwrap_or_default().chunk_by(|a, b| a.recording == b.recording)
            {
                let own = run.first().and_then(|m| runs.get_mut(m.recording));
                own.into_iter().for_each(|own: &mut Vec<_>| own.push((index, start..start + run.len())));
                start += run.len();
            }
        }
        let candidates = (0..count).map(|recording| (0, Reverse(recording))).collect();
        Self { members, groups, runs, shared: vec![0; count], candidates, duplicates: Vec::new() }
    }

    /// Returns the recording that has most frames in groups; the first of equals.
    pub(super) fn reference(&self) -> usize {
        let held = |runs: &[(usize, Range<usize>)]| runs.iter().map(|(_, run)| run.len()).sum::<usize>();
        let most = (0..).zip(&self.runs).map(|(recording, runs)| (held(runs), Reverse(recording))).max();
        most.map_or(0, |(_, Reverse(recording))| recording)
    }

    /// Takes and returns the recording with most frames in groups of taken ones; the first of equals. `None` when all
    /// are taken.
    pub(super) fn next(&mut self) -> Option<usize> {
        loop {
            let (held, Reverse(recording)) = self.candidates.pop()?;
            if self.shared.get(recording) == Some(&held) {
                self.take(recording);
                return Some(recording);
            }
        }
    }

    /// Marks `recording` as taken, and counts the frames that the others share with it.
    pub(super) fn take(&mut self, recording: usize) {
        let Self { members, groups, runs, shared, candidates, .. } = self;
        if let Some(shared) = shared.get_mut(recording) {
            *shared = TAKEN;
        }
        for (index, _) in runs.get(recording).into_iter().flatten() {
            let Some(group) = groups.get_mut(*index).filter(|group| !group.is_met) else { continue };
            group.is_met = true;
            let all = members.get(group.members.clone()).unwrap_or_default();
            for run in all.chunk_by(|a, b| a.recording == b.recording) {
                let Some(recording) = run.first().map(|m| m.recording) else { continue };
                if let Some(shared) = shared.get_mut(recording).filter(|shared| **shared != TAKEN) {
                    *shared += run.len();
                    candidates.push((*shared, Reverse(recording)));
                }
            }
        }
    }

    /// Returns pairs of time stamps (of joined recordings, of `recording`) of frames that both saw once, or equally
    /// often within [`BURST`].
    pub(super) fn common(&self, capture: &Capture, recording: usize) -> Vec<Common> {
        let mut common = Vec::new();
        for (index, run) in self.runs.get(recording).into_iter().flatten() {
            let Some(Group { transmissions, .. }) = self.groups.get(*index) else { continue };
            let mine = self.members.get(run.clone()).unwrap_or_default();
            let is_anchor = mine.first().and_then(|m| capture.frames.get(m.frame.index()));
            if is_anchor.is_none_or(|f| f.octets.end - f.octets.start < LEAST) || mine.len() != transmissions.len() {
                continue;
            }
            let mine: Vec<_> = mine.iter().map(|m| at(capture, m.frame)).collect();
            let theirs: Vec<_> = transmissions.times().collect();
            if is_burst(&mine) && is_burst(&theirs) {
                common.extend(theirs.into_iter().zip(mine));
            }
        }
        common
    }

    /// Joins `recording`, whose times are corrected: a frame within `window` of the same octets in a joined one is the
    /// same transmission.
    pub(super) fn join(&mut self, capture: &Capture, recording: usize, window: Span) {
        let Self { members, groups, runs, duplicates, .. } = self;
        for (index, run) in runs.get(recording).into_iter().flatten() {
            let Some(Group { transmissions, .. }) = groups.get_mut(*index) else { continue };
            let mine = members.get(run.clone()).unwrap_or_default().iter().map(|m| (at(capture, m.frame), m.frame));
            duplicates::join(transmissions, mine, window, duplicates);
        }
    }

    /// Returns the duplicate sightings, by frame, each with the first frame that shows the same transmission.
    pub(super) fn duplicates(self) -> Vec<(FrameId, FrameId)> {
        duplicates::settle(self.duplicates)
    }
}

fn is_burst(times: &[Instant]) -> bool {
    times.iter().max().zip(times.iter().min()).is_some_and(|(&last, &first)| last - first <= BURST)
}

fn at(capture: &Capture, id: FrameId) -> Instant {
    capture.frames.get(id.index()).map_or(Instant::ZERO, |frame| frame.at)
}

fn octets(capture: &Capture, id: FrameId) -> &[u8] {
    capture.frames.get(id.index()).map_or(&[], |frame| capture.octets_of(frame))
}
