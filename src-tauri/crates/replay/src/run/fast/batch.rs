//! Batches: the same replicate of several scenarios that meet the same channel.

use crate::bounds;
use crate::channel::Outcomes;
use crate::engine::Steps;
use crate::run::Replay;
use crate::run::open::SharedBy;
use crate::run::replicate::{Replicate, ReplicateMetrics};
use crate::scenario::{Job, Realisation, Setup};
use base::{Cancelled, SharedProgress};

/// A job that several scenarios share, one unit of work of a thread.
#[derive(Clone, Debug)]
pub(in crate::run) struct Batch {
    /// Job that is done for each of the scenarios.
    pub job: Job,
    /// Positions of the scenarios among those of the run.
    pub setups: Vec<usize>,
}

impl Batch {
    /// Number of passes of its thread, where each of `paths` associations is simulated by itself; fewer passes are made
    /// where they are not.
    pub fn passes(&self, paths: u64) -> u64 {
        if self.job == Job::Bounds { paths * self.setups.len() as u64 } else { paths }
    }
}

/// Greatest number of scenarios in a batch, which one thread works on. Chosen here; repeat with `npm run bench --
/// replicates`.
const MOST: usize = 16;

/// Divides the jobs of all `setups` into batches, of one scenario each unless `is_fast`; those of one scenario in the
/// order of [`Setup::jobs`].
pub(in crate::run) fn batches(setups: &[Setup], is_fast: bool) -> Vec<Batch> {
    let most = if is_fast { MOST } else { 1 };
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (i, setup) in setups.iter().enumerate() {
        let shares = |group: &&mut Vec<usize>| {
            group.len() < most && group.first().and_then(|&i| setups.get(i)).is_some_and(|first| first.shares(setup))
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
        // A scenario with more replicates than others continues alone, before any resampled run begins.
        loop {
            let next = left.iter_mut().filter_map(|(_, jobs)| jobs.peek().copied());
            let Some(job) = next.min_by_key(|job| matches!(job, Job::Another(_))) else { break };
            let setups = left.iter_mut().filter_map(|(i, jobs)| jobs.next_if_eq(&job).map(|_| *i)).collect();
            batches.push(Batch { job, setups });
        }
    }
    batches
}

impl Replay {
    /// Runs one job of each scenario of a batch, on the channel and with the dithers that they share. One result per
    /// scenario, in their order; errs when cancelled.
    pub(in crate::run) fn work(
        &self,
        setups: &[Setup],
        batch: &Batch,
        progress: &SharedProgress<'_>,
    ) -> Result<Vec<Done>, Cancelled> {
        let setups = || batch.setups.iter().filter_map(|&i| setups.get(i));
        let (replicate, taken) = match batch.job {
            Job::Bounds => {
                let bound = |setup| {
                    bounds::bound(&self.record, &self.index, setup, progress).map(|b| Done::Bounds(Box::new(b)))
                };
                return setups().map(bound).collect();
            }
            Job::Assume(assume) => (0, Realisation { assume, ..Realisation::AS_RECORDED }),
            Job::Replicate(replicate) => (replicate, Realisation::AS_RECORDED),
            Job::Another(replicate) => {
                (replicate, Realisation { outcomes: Outcomes::Resampled, ..Realisation::AS_RECORDED })
            }
        };
        let Some(first) = setups().next() else { return Ok(Vec::new()) };
        let shared_by = if batch.setups.len() > 1 { SharedBy::Several } else { SharedBy::One };
        let mut draws = self.draws(first, replicate, taken, shared_by)?;
        let mut replicate_run: Vec<Replicate> =
            setups().map(|s| Replicate::new(self, s.wants_steps(batch.job), s.completions(batch.job))).collect();
        let apart = |setup: &Setup| draws.are_independent(setup);
        let (paths, all_apart) = (0..self.record.associations().len() as u32, setups().all(apart));
        if all_apart {
            // Path by path: the data of a path stay in the processor's cache for all scenarios.
            for path in paths {
                for (setup, replicate_run) in setups().zip(&mut replicate_run) {
                    self.simulate_path(setup, path, &mut draws, replicate_run, progress)?;
                }
                progress.pass()?;
            }
        } else {
            for (setup, replicate_run) in setups().zip(&mut replicate_run) {
                self.simulate_all(setup, &mut draws, replicate_run, progress)?;
            }
        }
        let done = |(setup, replicate_run): (&Setup, Replicate)| {
            let (measured, steps) = Self::measured(setup, replicate_run);
            match batch.job {
                Job::Another(_) => Done::Another(Box::new(measured)),
                Job::Replicate(_) => Done::Replicate(Box::new(measured), steps),
                Job::Bounds | Job::Assume(_) => Done::Assumed(Box::new(measured), steps),
            }
        };
        Ok(setups().zip(replicate_run).map(done).collect())
    }
}

/// Result of one job of a scenario.
#[derive(Debug)]
pub(crate) enum Done {
    /// Bounds of the metrics.
    Bounds(Box<bounds::Bounded>),
    /// Metrics and steps under an assumption about every undetermined fate (channel without a model).
    Assumed(Box<ReplicateMetrics>, Steps),
    /// Metrics of a replicate of this trace, with its steps where they are wanted.
    Replicate(Box<ReplicateMetrics>, Steps),
    /// Metrics of a replicate of another run.
    Another(Box<ReplicateMetrics>),
}
