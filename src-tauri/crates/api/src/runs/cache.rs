//! Least-recently-used cache of runs, bounded in number and in octets.

use super::{Key, Stored};
use crate::view::RunId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Most octets of the runs for the screen, and of those for figures. One of a million exchanges takes about 300 MB, so that is what
/// the six of a first comparison take; such a capture itself takes 1.4 GB.
pub(crate) const MOST_OCTETS: usize = 2 << 30;

/// Runs by number. `most` and `octets` bound what stays, but for what is in use.
#[derive(Debug)]
pub(crate) struct RunCache {
    runs: BTreeMap<RunId, Entry>,
    next: RunId,
    /// Counts every time that somebody asks for a run.
    asked: u64,
    most: usize,
    octets: usize,
}

#[derive(Debug)]
struct Entry {
    run: Arc<Stored>,
    /// When it was asked for last.
    asked: u64,
}

impl RunCache {
    pub const fn new(most: usize, octets: usize) -> Self {
        Self { runs: BTreeMap::new(), next: 0, asked: 0, most, octets }
    }

    /// Takes `run` in, however much there is: see [`RunCache::make_room`].
    pub fn add(&mut self, run: Arc<Stored>) -> RunId {
        let id = self.next;
        self.next = self.next.wrapping_add(1);
        self.asked += 1;
        self.runs.insert(id, Entry { run, asked: self.asked });
        id
    }

    /// Forgets those that were asked for the longest ago until no more are left than there is room for. Those `in_use` stay.
    pub fn make_room(&mut self, in_use: &[RunId]) {
        while self.runs.len() > self.most || self.weight() > self.octets {
            let idle = self.runs.iter().filter(|(id, _)| !in_use.contains(id));
            let Some((&id, _)) = idle.min_by_key(|(_, entry)| entry.asked) else { return };
            self.runs.remove(&id);
        }
    }

    /// Octets of all; what several share counts once.
    fn weight(&self) -> usize {
        let mut met = BTreeSet::new();
        let weight = |run: &Arc<Stored>| {
            let shared = met.insert(Arc::as_ptr(&run.timeline)).then_some(run.shared_octets);
            run.result.octets() + shared.unwrap_or(0)
        };
        self.runs().map(weight).sum()
    }

    /// The run numbered `id`, which somebody asks for.
    pub fn get(&mut self, id: RunId) -> Option<Arc<Stored>> {
        self.asked += 1;
        let entry = self.runs.get_mut(&id)?;
        entry.asked = self.asked;
        Some(Arc::clone(&entry.run))
    }

    /// The run with these settings, which somebody asks for.
    pub fn find(&mut self, key: &Key) -> Option<(RunId, Arc<Stored>)> {
        let id = *self.runs.iter().find(|(_, entry)| entry.run.key == *key)?.0;
        self.get(id).map(|run| (id, run))
    }

    /// All, in the order in which they came.
    pub fn runs(&self) -> impl Iterator<Item = &Arc<Stored>> {
        self.runs.values().map(|entry| &entry.run)
    }

    /// Forgets all that `stays` does not say of.
    pub fn retain(&mut self, stays: impl Fn(&Stored) -> bool) {
        self.runs.retain(|_, entry| stays(&entry.run));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Session;
    use crate::commands::replays::tests::{open, replayed};
    use crate::view::ChannelKind;

    /// Runs of a bundled capture, of as many seeds: nothing is shared.
    fn runs(seeds: u32) -> Vec<Arc<Stored>> {
        let session = Session::default();
        let capture = open(&session);
        (0..seeds).map(|seed| replayed(&session, capture, ChannelKind::Empirical, seed, true)).collect()
    }

    fn left(kept: &RunCache, of: &[RunId]) -> Vec<bool> {
        of.iter().map(|id| kept.runs.contains_key(id)).collect()
    }

    #[test]
    fn who_was_asked_for_the_longest_ago_gives_way_to_what_weighs_too_much() {
        let runs = runs(4);
        let heaviest = runs.iter().map(|run| run.result.octets() + run.shared_octets).max().unwrap();
        assert!(heaviest > 10_000, "{heaviest}");
        let mut kept = RunCache::new(100, 3 * heaviest);
        let ids: Vec<RunId> = runs.iter().map(|run| kept.add(Arc::clone(run))).collect();
        assert!(kept.get(ids[0]).is_some());
        kept.make_room(&[ids[3]]);
        assert_eq!(left(&kept, &ids), [true, false, true, true]);
        assert!(kept.find(&runs[2].key).is_some() && kept.weight() <= 3 * heaviest);
        // Neither asked for lately nor in use.
        kept.octets = heaviest;
        kept.make_room(&[ids[0]]);
        assert_eq!(left(&kept, &ids), [true, false, false, false]);
    }

    #[test]
    fn what_is_in_use_stays_however_much_it_is() {
        let runs = runs(3);
        let mut kept = RunCache::new(1, 1);
        let ids: Vec<RunId> = runs.iter().map(|run| kept.add(Arc::clone(run))).collect();
        kept.make_room(&ids[1..]);
        assert_eq!(left(&kept, &ids), [false, true, true]);
        kept.make_room(&[]);
        assert_eq!(left(&kept, &ids), [false; 3]);
    }

    #[test]
    fn what_runs_share_weighs_once() {
        let session = Session::default();
        let capture = open(&session);
        let [quick, whole] = [true, false].map(|quick| replayed(&session, capture, ChannelKind::Empirical, 1, quick));
        let mut kept = RunCache::new(100, usize::MAX);
        kept.add(Arc::clone(&quick));
        let alone = kept.weight();
        assert_eq!(alone, quick.result.octets() + quick.steps.octets() + quick.timeline.octets());
        kept.add(Arc::clone(&whole));
        assert_eq!(kept.weight() - alone, whole.result.octets());
    }
}
