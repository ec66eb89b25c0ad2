//! What to do together: the same replicate of several scenarios that meet the same weather.

use crate::scenario::{Job, Setup};

/// A job of several scenarios.
#[derive(Clone, Debug)]
pub(super) struct Batch {
    pub job: Job,
    /// Positions of the scenarios.
    pub setups: Vec<usize>,
}

impl Batch {
    /// How often its thread passes, where each of `paths` is done by itself; fewer times where they are not.
    pub fn passes(&self, paths: u64) -> u64 {
        if self.job == Job::Bounds { paths * self.setups.len() as u64 } else { paths }
    }
}

/// More scenarios are several bundles: a bundle is done by one thread.
const MOST: usize = 16;

/// The jobs of all `setups`, bundled; those of one scenario in the order of [`Setup::jobs`].
pub(super) fn batches(setups: &[Setup]) -> Vec<Batch> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (i, setup) in setups.iter().enumerate() {
        let shares = |group: &&mut Vec<usize>| {
            group.len() < MOST && group.first().and_then(|&i| setups.get(i)).is_some_and(|first| first.shares(setup))
        };
        match groups.iter_mut().find(shares) {
            Some(group) => group.push(i),
            None => groups.push(vec![i]),
        }
    }
    let mut batches = Vec::new();
    for group in groups {
        let mut left: Vec<_> = group.iter().filter_map(|&i| Some((i, setups.get(i)?.jobs().peekable()))).collect();
        for (i, jobs) in &mut left {
            batches.extend(jobs.next_if_eq(&Job::Bounds).map(|job| Batch { job, setups: vec![*i] }));
        }
        // One that has more replicates than others goes on alone, before any begins with other luck.
        loop {
            let next = left.iter_mut().filter_map(|(_, jobs)| jobs.peek().copied());
            let Some(job) = next.min_by_key(|job| matches!(job, Job::Another(_))) else { break };
            let setups = left.iter_mut().filter_map(|(i, jobs)| jobs.next_if_eq(&job).map(|_| *i)).collect();
            batches.push(Batch { job, setups });
        }
    }
    batches
}
