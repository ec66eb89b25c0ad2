//! Sensitivity analysis: the same scenarios with another channel, with channel states that last half or twice as long,
//! with another workload model, with other values of what no capture shows of a network twin, and with each client left
//! out in turn.

use crate::estimate::ChannelStates;
use crate::metrics::MetricName;
use crate::model::{ChannelSpec, WorkloadChoice};
use crate::run::{Replay, RunResult};
use crate::scenario::{Bounds, Detail, Error, Scenario};
use crate::stage::Stage;
use base::{AssociationId, Progress, Span};
use std::collections::BTreeMap;
use twin::Preset;

/// A change to the scenarios that were asked.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Change {
    /// The scenarios as they were asked.
    AsAsked,
    /// This channel in place of the one asked for.
    Channel(ChannelSpec),
    /// Coherence times of the channel, multiplied by this factor.
    Coherence(f64),
    /// This workload in place of the one asked for.
    Workload(WorkloadChoice),
    /// The least or greatest value of a preset of the network twin ([`Replay::presets`]).
    Preset {
        /// Value that no capture shows.
        preset: Preset,
        /// Whether its greatest value is taken, or the least.
        most: bool,
    },
    /// The record without the client with this number ([`crate::AssociationRecord::client`]).
    Without(u32),
}

/// Scenarios with one change, and their results.
#[derive(PartialEq, Debug)]
pub struct Variation {
    /// Change that was made.
    pub change: Change,
    /// One result per scenario, in their order, or the reason why there is none.
    pub answers: Result<Vec<RunResult>, Error>,
}

/// Greatest number of clients left out in turn; those with the most exchanges. Chosen here for speed.
pub const CLIENTS: usize = 12;

/// Replays `scenarios` with every applicable change, first without one. `scenarios` must share channel and workload.
/// `progress` counts changes.
///
/// # Errors
/// [`Error::Cancelled`], and any error of the scenarios without a change; errors under a change are its answer.
pub fn sensitivity(
    replay: &Replay,
    scenarios: &[Scenario],
    progress: &mut dyn Progress,
) -> Result<Vec<Variation>, Error> {
    let states = replay.channel_states(&mut Stage { outer: progress, done: 0, total: 1 })?;
    let changes = changes(replay, states, scenarios);
    let total = changes.len() as u64;
    let mut variations = Vec::with_capacity(changes.len());
    for (change, done) in changes.into_iter().zip(0..) {
        let mut progress = Stage { outer: progress, done, total };
        let asked = scenarios.iter().map(|s| changed(replay, s, change)).collect::<Vec<_>>();
        let answers = match change {
            Change::Coherence(factor) => replay.with_coherence(factor, &mut progress)?.run_all(&asked, &mut progress),
            Change::Preset { preset, most } => {
                let value = if most { preset.range.1 } else { preset.range.0 };
                replay.with_preset(preset.name, value).run_all(&asked, &mut progress)
            }
            Change::Without(client) => replay.without(client, &mut progress)?.run_all(&asked, &mut progress),
            _ => replay.run_all(&asked, &mut progress),
        };
        if let Err(error) = &answers
            && (change == Change::AsAsked || *error == Error::Cancelled)
        {
            return answers.map(|_| Vec::new());
        }
        variations.push(Variation { change, answers });
    }
    if progress.tick(total, total).is_break() { Err(Error::Cancelled) } else { Ok(variations) }
}

/// The changes that apply to `scenarios`.
fn changes(replay: &Replay, states: &ChannelStates, scenarios: &[Scenario]) -> Vec<Change> {
    let mut changes = vec![Change::AsAsked];
    let Some(asked) = scenarios.first() else { return changes };
    // A channel without a model has no mean to compare with.
    let other = |c: &ChannelSpec| c.name() != asked.channel.name() && !matches!(c, ChannelSpec::Recorded { .. });
    changes.extend(ChannelSpec::ALL.into_iter().filter(other).map(Change::Channel));
    let statistics = replay.channel_statistics();
    let has_bad_states = states.paths().iter().any(|p| p.fit.model.bad > 0.0);
    if statistics.loss.time.max(statistics.rtt.time) > Span::ZERO || has_bad_states {
        changes.extend([0.5, 2.0].map(Change::Coherence));
    }
    let workloads = [WorkloadChoice::Arrivals, WorkloadChoice::ThinkTime];
    changes.extend(workloads.into_iter().filter(|w| *w != asked.workload).map(Change::Workload));
    let chosen = replay.chosen_channel().map(|chosen| chosen.channel).filter(|_| asked.channel == ChannelSpec::Auto);
    if chosen.unwrap_or(asked.channel) == ChannelSpec::Twin {
        for preset in replay.presets() {
            let ends = [(preset.range.0, false), (preset.range.1, true)];
            let others = ends.into_iter().filter(|(value, _)| preset.value != Some(*value));
            changes.extend(others.map(|(_, most)| Change::Preset { preset, most }));
        }
    }
    let mut sizes: BTreeMap<u32, usize> = BTreeMap::new();
    for association in replay.record().associations() {
        *sizes.entry(association.client).or_default() += association.exchanges.len();
    }
    if sizes.len() > 1 {
        let mut clients: Vec<(usize, u32)> = sizes.into_iter().map(|(client, size)| (size, client)).collect();
        clients.sort_by_key(|&(size, client)| (std::cmp::Reverse(size), client));
        changes.extend(clients.into_iter().take(CLIENTS).map(|(_, client)| Change::Without(client)));
    }
    changes
}

/// `scenario` with `change`, as far as it is one of the scenario.
fn changed(replay: &Replay, scenario: &Scenario, change: Change) -> Scenario {
    let mut scenario = Scenario { bounds: Bounds::Skip, detail: Detail::Metrics, ..scenario.clone() };
    match change {
        Change::Channel(channel) => scenario.channel = channel,
        Change::Workload(workload) => scenario.workload = workload,
        // A client that is left out can neither stay as recorded nor have a timer of its own.
        Change::Without(client) => {
            let of = |id: &AssociationId| replay.record().associations().iter().find(|a| a.id == *id).map(|a| a.client);
            scenario.as_recorded.retain(|id| of(id) != Some(client));
            scenario.mixed.retain(|(id, _)| of(id) != Some(client));
        }
        Change::AsAsked | Change::Coherence(_) | Change::Preset { .. } => {}
    }
    scenario
}

/// Place of one run in a ranking.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Place {
    /// Position of the run among those ranked.
    pub run: usize,
    /// Share of the replicates in which it is the best, 0 to 1; ties share it equally.
    pub best: f64,
    /// Mean place over the replicates, from 1; ties have their midrank.
    pub place: f64,
}

/// Ranks `runs` from best to worst in `metric`, by mean place over their common replicates (with common random
/// numbers), then in the order given. Runs without the metric are left out, and replicates in which another run lacks
/// it; empty where none is left.
#[must_use]
pub fn ranking(runs: &[RunResult], metric: MetricName) -> Vec<Place> {
    let has = |r: &&(usize, &RunResult)| r.1.get(metric).mean.is_some();
    let numbered: Vec<(usize, &RunResult)> = runs.iter().enumerate().collect();
    let ranked: Vec<&(usize, &RunResult)> = numbered.iter().filter(has).collect();
    let count = ranked.iter().map(|r| r.1.replicates.len()).min().unwrap_or(0);
    let mut places: Vec<Place> = ranked.iter().map(|r| Place { run: r.0, best: 0.0, place: 0.0 }).collect();
    let mut shared = 0.0;
    for replicate in 0..count {
        let value = |r: &&(usize, &RunResult)| {
            let value = r.1.replicates.get(replicate)?.get(metric)?;
            Some(if metric.more_is_better() { -value } else { value })
        };
        let Some(values) = ranked.iter().map(value).collect::<Option<Vec<f64>>>() else { continue };
        shared += 1.0;
        for (place, own) in places.iter_mut().zip(&values) {
            let better = values.iter().filter(|other| *other < own).count() as f64;
            let equal = values.iter().filter(|other| *other == own).count() as f64;
            place.place += better + f64::midpoint(equal, 1.0);
            place.best += if better == 0.0 { 1.0 / equal } else { 0.0 };
        }
    }
    if shared == 0.0 {
        return Vec::new();
    }
    for place in &mut places {
        place.place /= shared;
        place.best /= shared;
    }
    places.sort_by(|a, b| a.place.total_cmp(&b.place).then(a.run.cmp(&b.run)));
    places
}
