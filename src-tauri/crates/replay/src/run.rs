//! Scenarios in, results out: replicates, threads, progress.
//!
//! * `begun`: replicates that a run goes on from.
//! * `choice`: the channel that the capture supports best.
//! * `estimates`: what a channel model needs of the trace, estimated when first asked for.
//! * `gates`: checks of the network twin against its own capture, counted.
//! * `model_error`: error of a channel as a model.
//! * `modes`: a run whose replicates end in two ways.
//! * `open`: the channel of one replicate.
//! * `batch`: scenarios that share the draws of a replicate, and their parallel work.
//! * `twin`: the machine of the network twin, its replicates, and one of them with every frame.
//! * `simulate`: one replicate, association by association or all together; `replicate` measures it.
//! * `result`: summaries over replicates, differences of two results.

mod begun;
mod channel_state_series;
mod choice;
mod estimates;
mod fast;
mod gates;
pub mod model_error;
mod modes;
mod open;
mod replicate;
mod result;
mod simulate;
mod twin;
mod variant;

pub use begun::Begun;
pub use channel_state_series::Forecast;
pub use choice::{Check, ChosenChannel, Measure, Why};
use fast::{Done, batches};
pub use gates::{Agreement, Gate, GateKind, Misplaced, Share, Subject};
pub use modes::{Mode, Modes};
pub(crate) use replicate::ReplicateMetrics;
pub use result::{AssociationResult, Difference, RunResult, Summary, difference};

use self::twin::Twin;
pub use self::twin::{CopyOrigin, ReplicateFrames, SimulatedCopy};
use crate::bounds::{self, Ranges};
use crate::estimate::{Bottleneck, ChannelStates, ChannelStatistics, LoadModel};
use crate::metrics::{Counts, Values};
use crate::model::{FastPaths, Index, Record};
use crate::scenario::{Error, Scenario, Setup};
use base::{CancellableOnce, Cancelled, Part, Progress, SharedProgress};
use rayon::prelude::*;
use std::sync::OnceLock;

/// A record made ready for replay: built once, run often, from any thread. Estimates that only some channels need are
/// made when first asked for.
#[derive(Debug)]
pub struct Replay {
    record: Record,
    index: Index,
    statistics: ChannelStatistics,
    channel_states: CancellableOnce<ChannelStates>,
    load_model: CancellableOnce<LoadModel>,
    bottleneck: CancellableOnce<Bottleneck>,
    twin: OnceLock<Result<Twin, ::twin::Refusal>>,
    chosen: OnceLock<ChosenChannel>,
    recorded: ReplicateMetrics,
    ranges: bounds::Bounded,
}

impl Replay {
    /// Indexes `record`, and measures the statistics of its channel and its own metrics. `progress` counts passes over
    /// associations.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks.
    pub fn new(record: Record, progress: &mut dyn Progress) -> Result<Self, Cancelled> {
        Self::with_fast_paths(record, FastPaths::ALL, progress)
    }

    /// Makes a record ready as [`Replay::new`] does, with these fast paths: for benchmarks and tests, which compare
    /// them with the plain forms.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks.
    pub fn with_fast_paths(record: Record, fast: FastPaths, progress: &mut dyn Progress) -> Result<Self, Cancelled> {
        let paths = record.associations().len() as u64;
        let (measuring, replaying) = (ChannelStatistics::PASSES * paths, 2 * paths);
        let mut shared = SharedProgress::new(progress, paths + measuring + replaying);
        shared.stage(paths, paths)?;
        let index = Index::new(&record, fast, &shared)?;
        shared.stage(measuring, measuring)?;
        let statistics = ChannelStatistics::measure(&record, &index, &shared)?;
        let replay = Self {
            record,
            index,
            statistics,
            channel_states: CancellableOnce::new(),
            load_model: CancellableOnce::new(),
            bottleneck: CancellableOnce::new(),
            twin: OnceLock::new(),
            chosen: OnceLock::new(),
            recorded: ReplicateMetrics {
                overall: Values::default(),
                counts: Counts::default(),
                associations: Vec::new(),
                completions: None,
            },
            ranges: bounds::Bounded::default(),
        };
        let setup = Setup::recorded(&replay.record);
        shared.stage(replaying, replaying)?;
        let (recorded, ranges) = rayon::join(
            || replay.as_recorded(None, &shared),
            || bounds::bound(&replay.record, &replay.index, &setup, &shared),
        );
        Ok(Self { recorded: recorded?, ranges: ranges?, ..replay })
    }

    /// The record that is replayed.
    #[must_use]
    pub const fn record(&self) -> &Record {
        &self.record
    }

    /// Autocorrelation of losses and of round trips, and the recorded copies to sample from.
    #[must_use]
    pub const fn channel_statistics(&self) -> &ChannelStatistics {
        &self.statistics
    }

    /// The metrics of the trace itself. Where some fates are unknown `early_*` and `spurious_all` are means over what
    /// the capture allows, as replays impute it; [`Summary::recorded_lo`] and [`Summary::recorded_hi`] bound them
    /// without a model.
    #[must_use]
    pub const fn recorded(&self) -> &Values {
        &self.recorded.overall
    }

    /// Runs one scenario.
    ///
    /// # Errors
    /// [`Error::Param`] for an unknown algorithm or parameter, [`Error::NoAssociation`], [`Error::NotPositive`],
    /// [`Error::Unidentified`] where fitted load or a fitted bottleneck is asked for, [`Error::NoTwin`],
    /// [`Error::TwinNotLearned`] and [`Error::NotChosen`] for channels that are not prepared, and [`Error::Cancelled`]
    /// when `progress` breaks.
    pub fn run(&self, scenario: &Scenario, progress: &mut dyn Progress) -> Result<RunResult, Error> {
        let mut results = self.run_all(std::slice::from_ref(scenario), progress)?;
        results.pop().ok_or(Error::Cancelled)
    }

    /// Runs scenarios, in parallel; results in their order, the same for any number of threads. `progress` counts
    /// replicates, and before them each estimate that has to be made as much as all of them.
    ///
    /// # Errors
    /// As [`Replay::run`], before anything runs where possible.
    pub fn run_all(&self, scenarios: &[Scenario], progress: &mut dyn Progress) -> Result<Vec<RunResult>, Error> {
        let begun = vec![Begun::default(); scenarios.len()];
        Ok(self.go_on(scenarios, begun, progress)?.into_iter().map(|(result, _)| result).collect())
    }

    /// Runs scenarios as [`Replay::run_all`] does, where each has the replicates in `begun` behind it, from the first
    /// one on: results are those of a whole run, for a replicate is the same draw however many are asked for. Only
    /// steps are missing where the first replicate is not run. Also returns, for each, the replicates that it can go on
    /// from.
    ///
    /// # Errors
    /// As [`Replay::run`].
    pub fn go_on(
        &self,
        scenarios: &[Scenario],
        begun: Vec<Begun>,
        progress: &mut dyn Progress,
    ) -> Result<Vec<(RunResult, Begun)>, Error> {
        let scenarios: Vec<Scenario> =
            scenarios.iter().map(|scenario| self.with_chosen_channel(scenario)).collect::<Result<_, _>>()?;
        let mut setups: Vec<Setup> = scenarios.iter().map(|s| Setup::new(&self.record, s)).collect::<Result<_, _>>()?;
        for (setup, begun) in setups.iter_mut().zip(&begun) {
            (setup.done, setup.is_bounded) = (begun.replicates(), begun.is_bounded());
        }
        for setup in &mut setups {
            setup.open_counts = self.open_counts(setup, setup.history.until());
        }
        let batches = batches(&setups, self.index.fast.batches);
        let jobs = batches.iter().map(|batch| batch.setups.len() as u64).sum();
        // Before the jobs, not inside the first that asks: estimation is itself parallel, and a job that waits for its
        // own part of it could start another job that waits for the same estimate.
        let needs = [Setup::needs_channel_states, Setup::needs_load_model, Setup::is_queued]
            .map(|needs| setups.iter().any(needs));
        let learned = self.estimate_needed(needs, jobs, jobs, progress)?;
        if setups.iter().any(Setup::needs_load_fit) {
            self.load(progress)??;
        }
        if setups.iter().any(Setup::needs_bottleneck) {
            self.bottleneck(progress)??;
        }
        if setups.iter().any(Setup::needs_twin) {
            self.needed_twin()?;
        }
        let paths = self.record.associations().len() as u64;
        let mut progress = Part::new(progress, learned, learned + jobs, learned + jobs);
        let mut shared = SharedProgress::new(&mut progress, jobs);
        shared.stage(jobs, batches.iter().map(|batch| batch.passes(paths)).sum())?;
        // Batches of one: a thread takes the next batch when it is free.
        let work = |batch| self.work(&setups, batch, &shared);
        let parts: Vec<Vec<Done>> = batches.par_iter().with_max_len(1).map(work).collect::<Result<_, _>>()?;
        let mut done: Vec<Vec<Done>> =
            begun.into_iter().zip(&setups).map(|(begun, setup)| begun.parts(setup)).collect();
        done.resize_with(setups.len(), Vec::new);
        for (batch, parts) in batches.iter().zip(parts) {
            for (&setup, part) in batch.setups.iter().zip(parts) {
                done[setup].push(part);
            }
        }
        shared.stage(0, 0)?;
        let assemble = |(scenario, parts): (&Scenario, Vec<Done>)| {
            let begun = Begun::of(&parts);
            Ok((result::assemble(self, scenario, parts, &shared)?, begun))
        };
        scenarios.iter().zip(done).map(assemble).collect()
    }

    /// Metrics of the trace itself, with their counts, over all and by association.
    pub(crate) const fn recorded_measured(&self) -> &ReplicateMetrics {
        &self.recorded
    }

    /// Bounds of the metrics of the trace itself, which are wide where fates are unknown.
    pub(crate) const fn recorded_ranges(&self) -> &bounds::Bounded {
        &self.ranges
    }
}

/// Ranges of the metrics of one association or of all; re-exported for the assembling of results.
pub(crate) type MetricRanges = Ranges;
