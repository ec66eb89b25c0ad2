//! What several recordings hold in common: groups of frames with the same octets.

use super::fit::Common;
use super::twin;
use crate::capture::{Capture, Fcs, Link};
use base::{FrameId, Instant, Span};
use std::hash::{DefaultHasher, Hasher};
use std::ops::Range;

/// Shorter frames are acknowledgements: their only difference is a number that comes round within seconds.
const LEAST: u32 = 8;

/// A frame is repeated by the MAC, and strobed by radio duty cycling, within this; the same octets later are another frame
/// whose sequence number came round.
const BURST: Span = Span::from_secs(1);

/// A frame of a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) recording: usize,
    pub(super) frame: FrameId,
}

/// Frames of several recordings, by their octets.
pub(super) struct Groups {
    /// Members, group by group; of a group by recording, and of those by time.
    members: Vec<Member>,
    /// What of `members` is a group, and the transmissions that those of joined recordings show.
    groups: Vec<(Range<usize>, Vec<twin::Transmission>)>,
    twins: Vec<(FrameId, FrameId)>,
}

impl Groups {
    /// All frames with octets that more than one of `recordings` holds.
    pub(super) fn of(capture: &Capture, recordings: &[Option<usize>]) -> Self {
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
                true => groups.push((start..members.len(), Vec::new())),
                false => members.truncate(start),
            }
        }
        Self { members, groups, twins: Vec::new() }
    }

    /// Per group, for each recording its frames.
    fn runs(&self) -> impl Iterator<Item = impl Iterator<Item = &[Member]>> {
        self.groups.iter().map(|(range, _)| {
            let group = self.members.get(range.clone()).unwrap_or_default();
            group.chunk_by(|a, b| a.recording == b.recording)
        })
    }

    /// The recording that holds most of what others hold too, of `count`; the first of equals.
    pub(super) fn reference(&self, count: usize) -> usize {
        let mut shared = vec![0_usize; count];
        for member in &self.members {
            if let Some(shared) = shared.get_mut(member.recording) {
                *shared += 1;
            }
        }
        let most = shared.iter().copied().max().unwrap_or(0);
        shared.iter().position(|&n| n == most).unwrap_or(0)
    }

    /// The recording, not yet `aligned`, that holds most of what aligned ones hold too.
    pub(super) fn next(&self, aligned: &[bool]) -> Option<usize> {
        let is_aligned = |run: &[Member]| run.first().is_some_and(|m| aligned.get(m.recording) == Some(&true));
        let mut shared = vec![0_usize; aligned.len()];
        for runs in self.runs() {
            let runs: Vec<_> = runs.collect();
            if runs.iter().any(|run| is_aligned(run)) {
                for run in runs {
                    if let Some(n) = run.first().and_then(|m| shared.get_mut(m.recording)) {
                        *n += run.len();
                    }
                }
            }
        }
        let left = || (0..aligned.len()).filter(|&r| aligned.get(r) == Some(&false));
        let most = left().filter_map(|r| shared.get(r)).max()?;
        left().find(|&r| shared.get(r) == Some(most))
    }

    /// When joined recordings and `recording` stamped frames that each of them saw once, or as often within one burst.
    pub(super) fn common(&self, capture: &Capture, recording: usize) -> Vec<Common> {
        let mut common = Vec::new();
        for (range, transmissions) in &self.groups {
            let group = self.members.get(range.clone()).unwrap_or_default();
            let mine: Vec<_> =
                group.iter().filter(|m| m.recording == recording).map(|m| at(capture, m.frame)).collect();
            let theirs: Vec<_> = transmissions.iter().map(|t| t.at).collect();
            let is_anchor = group.first().and_then(|m| capture.frames.get(m.frame.index()));
            if is_anchor.is_some_and(|f| f.octets.end - f.octets.start >= LEAST)
                && mine.len() == theirs.len()
                && is_burst(&mine)
                && is_burst(&theirs)
            {
                common.extend(theirs.into_iter().zip(mine));
            }
        }
        common
    }

    /// Join `recording`, whose times are corrected: what it holds within `window` of a joined one's is the same
    /// transmission.
    pub(super) fn join(&mut self, capture: &Capture, recording: usize, window: Span) {
        let Self { members, groups, twins } = self;
        for (range, transmissions) in groups {
            let group = members.get(range.clone()).unwrap_or_default();
            let mine = group.iter().filter(|m| m.recording == recording).map(|m| (at(capture, m.frame), m.frame));
            twin::join(transmissions, mine, window, twins);
        }
    }

    /// Frames that show what another shows, by frame, each with the first that shows it.
    pub(super) fn twins(self) -> Vec<(FrameId, FrameId)> {
        twin::settle(self.twins)
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
