//! Least-recently-used cache of runs, bounded in number and in octets.

use super::{Key, Stored};
use crate::view::RunId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Greatest size of the runs for the screen, and of those for figures, octets. Chosen here: the six runs of a first
/// comparison over a million exchanges take about 300 MB each; such a capture itself takes 1.4 GB.
pub(crate) const MOST_OCTETS: usize = 2 << 30;

/// Cache of runs by number, at most `most` of at most `octets`; a search goes through all, which are few. Written here:
/// crate `lru` bounds the number of entries only, while these share memory and some must stay because they are in use.
#[derive(Debug)]
pub(crate) struct RunCache {
    runs: BTreeMap<RunId, Entry>,
    next: RunId,
    /// Number of uses so far.
    uses: u64,
    most: usize,
    octets: usize,
}

#[derive(Debug)]
struct Entry {
    run: Arc<Stored>,
    /// Number of the last use.
    used: u64,
}

impl RunCache {
    /// Creates a cache of at most `most` runs of at most `octets` together.
    pub const fn new(most: usize, octets: usize) -> Self {
        Self { runs: BTreeMap::new(), next: 0, uses: 0, most, octets }
    }

    /// Adds `run` whatever the bounds, and returns its number; [`RunCache::make_room`] enforces the bounds.
    pub fn add(&mut self, run: Arc<Stored>) -> RunId {
        let id = self.next;
        self.next = self.next.wrapping_add(1);
        self.uses += 1;
        self.runs.insert(id, Entry { run, used: self.uses });
        id
    }

    /// Removes the least recently used runs until the rest is within the bounds. Those `in_use` stay.
    pub fn make_room(&mut self, in_use: &[RunId]) {
        while self.runs.len() > self.most || self.weight() > self.octets {
            let idle = self.runs.iter().filter(|(id, _)| !in_use.contains(id));
            let Some((&id, _)) = idle.min_by_key(|(_, entry)| entry.used) else { return };
            self.runs.remove(&id);
        }
    }

    /// Returns the size of all runs, octets; parts that several share count once.
    fn weight(&self) -> usize {
        let mut met = BTreeSet::new();
        let weight = |run: &Arc<Stored>| {
            let shared = met.insert(Arc::as_ptr(&run.timeline)).then(|| run.shared_octets());
            run.result.octets() + run.begun.octets() + shared.unwrap_or(0)
        };
        self.runs().map(weight).sum()
    }

    /// Returns the run numbered `id` and counts the use; `None` where it is not cached.
    pub fn get(&mut self, id: RunId) -> Option<Arc<Stored>> {
        self.uses += 1;
        let entry = self.runs.get_mut(&id)?;
        entry.used = self.uses;
        Some(Arc::clone(&entry.run))
    }

    /// Returns the run with these settings and its number, and counts the use; `None` where it is not cached.
    pub fn find(&mut self, key: &Key) -> Option<(RunId, Arc<Stored>)> {
        let id = *self.runs.iter().find(|(_, entry)| entry.run.key == *key)?.0;
        self.get(id).map(|run| (id, run))
    }

    /// Returns all runs, in the order in which they were added.
    pub fn runs(&self) -> impl Iterator<Item = &Arc<Stored>> {
        self.runs.values().map(|entry| &entry.run)
    }

    /// Removes all runs but those that satisfy `stays`.
    pub fn retain(&mut self, stays: impl Fn(&Stored) -> bool) {
        self.runs.retain(|_, entry| stays(&entry.run));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Session;
    use crate::commands::replayed::replays::tests::{open, replayed};
    use crate::view::ChannelKind;

    /// Runs of a bundled capture with different seeds: nothing is shared.
    fn runs(seeds: u32) -> Vec<Arc<Stored>> {
        let session = Session::default();
        let capture = open(&session);
        (0..seeds).map(|seed| replayed(&session, capture, ChannelKind::Empirical, seed, true)).collect()
    }

    fn left(cache: &RunCache, of: &[RunId]) -> Vec<bool> {
        of.iter().map(|id| cache.runs.contains_key(id)).collect()
    }

    #[test]
    fn the_least_recently_used_run_goes_first_when_memory_is_short() {
        let runs = runs(4);
        let heaviest =
            runs.iter().map(|run| run.result.octets() + run.begun.octets() + run.shared_octets()).max().unwrap();
        assert!(heaviest > 10_000, "{heaviest}");
        let mut cache = RunCache::new(100, 3 * heaviest);
        let ids: Vec<RunId> = runs.iter().map(|run| cache.add(Arc::clone(run))).collect();
        assert!(cache.get(ids[0]).is_some());
        cache.make_room(&[ids[3]]);
        assert_eq!(left(&cache, &ids), [true, false, true, true]);
        assert!(cache.find(&runs[2].key).is_some() && cache.weight() <= 3 * heaviest);
        // Neither used lately nor in use.
        cache.octets = heaviest;
        cache.make_room(&[ids[0]]);
        assert_eq!(left(&cache, &ids), [true, false, false, false]);
    }

    #[test]
    fn runs_in_use_stay_beyond_the_bounds() {
        let runs = runs(3);
        let mut cache = RunCache::new(1, 1);
        let ids: Vec<RunId> = runs.iter().map(|run| cache.add(Arc::clone(run))).collect();
        cache.make_room(&ids[1..]);
        assert_eq!(left(&cache, &ids), [false, true, true]);
        cache.make_room(&[]);
        assert_eq!(left(&cache, &ids), [false; 3]);
    }

    #[test]
    fn shared_parts_count_once() {
        let session = Session::default();
        let capture = open(&session);
        let [quick, whole] = [true, false].map(|quick| replayed(&session, capture, ChannelKind::Empirical, 1, quick));
        let mut cache = RunCache::new(100, usize::MAX);
        cache.add(Arc::clone(&quick));
        let alone = cache.weight();
        assert_eq!(
            alone,
            quick.result.octets() + quick.begun.octets() + quick.steps.octets() + quick.timeline.octets()
        );
        cache.add(Arc::clone(&whole));
        assert_eq!(cache.weight() - alone, whole.result.octets() + whole.begun.octets());
    }
}
