//! Counterfactual runs: their settings, their results and their computation.

mod cache;
mod parameters;

pub(crate) use cache::{MOST_OCTETS, RunCache};
pub(crate) use parameters::parameters;

use crate::view::{
    AlgorithmChoice, CaptureId, ChannelKind, DifferenceView, MetricView, ModeView, ModesView, PartView, PolicyView,
    ReplayRequest, SimulatedView, WorkloadKind,
};
use crate::{Error, Opened, Progress};
use base::{CancellableOnce, Cancelled, Part, SharedProgress, Silent};
use rayon::prelude::*;
use replay::stats::Interval;
use replay::{
    Algorithm, AnotherRun, Begun, Bounds, ChannelSpec, CompletionTimes, Detail, MetricName, Mode, ReplicateFrames,
    RunResult, Scenario, Steps, Summary, Support, difference,
};
use rto::AlgorithmSet;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;
use table::Timeline;
use trace::network::{Network, SimulatedFrame};

/// Greatest number of replicates of a request. Chosen here: a larger number is taken for a typing error.
const MAX_REPLICATES: u32 = 10_000;

/// Algorithms that are replayed when a request names none. Chosen here: one of each kind that a first comparison needs;
/// all that are shown by default are three times as many.
const FIRST: [&str; 6] = ["coap_default", "coap_b", "rfc6298_coap", "cocoa_ietf_03", "cocoa_plus", "lee2016"];

/// Returns the algorithms of [`FIRST`], and the presets that the user loaded.
pub(crate) fn first_algorithms(algorithm_set: &AlgorithmSet) -> Vec<AlgorithmChoice> {
    let ids = FIRST.into_iter().chain(algorithm_set.user().iter().map(|mine| mine.id.as_str()));
    ids.map(|id| AlgorithmChoice { id: id.to_owned(), params: Map::new() }).collect()
}

/// Settings that decide a run: equal keys are the same run.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Key {
    /// Number of the capture.
    pub capture: CaptureId,
    /// Algorithm in terms of the registry, so that equal settings are one run under whichever name.
    pub algorithm: AlgorithmChoice,
    /// Channel model, which decides the fates of copies.
    pub channel: ChannelKind,
    /// Workload model, which decides when applications would have sent.
    pub workload: WorkloadKind,
    /// Seed of every random draw.
    pub seed: u32,
    /// Number of replicates, at least 1.
    pub replicates: u32,
    /// Part of the capture that is replayed.
    pub part: PartView,
    /// Computation of the model-free bounds, and of the intervals of another run.
    pub bounds: Bounds,
    /// Other rules of the sender, the server and the bottleneck.
    pub policy: PolicyView,
    /// Replicate whose steps, lanes and frames are kept, from 0; results are of all.
    pub replicate: u32,
}

/// A computed run with the data of its lanes and states.
#[derive(Debug)]
pub(crate) struct Stored {
    /// Settings of the run.
    pub key: Key,
    /// Result, without its steps.
    pub result: RunResult,
    /// Steps of the replicate that it shows, the first unless another was asked for: most of the memory of a run,
    /// shared by all runs with the same first replicate.
    pub steps: Arc<Steps>,
    /// Marks of that replicate, for lanes.
    pub timeline: Arc<Timeline>,
    /// Size of `steps` and `timeline`, octets.
    shared_octets: usize,
    /// Replicates of a first answer, from which a whole one goes on.
    pub begun: Begun,
    /// Every frame of that replicate, once it was asked for; `None` inside: copies do not pass the network twin. Shared
    /// as its steps are.
    frames: Arc<CancellableOnce<Option<ReplicateFrames>>>,
    /// The network with these frames on the air, shared likewise.
    network: Arc<CancellableOnce<Network>>,
}

impl Stored {
    /// Returns every frame of the replicate that the run shows in `opened`, simulated again when this is first asked;
    /// `None` where copies do not pass the network twin.
    ///
    /// # Errors
    /// [`crate::Code::Cancelled`].
    pub(crate) fn frames(
        &self,
        opened: &Opened,
        progress: &mut dyn Progress,
    ) -> Result<Option<&ReplicateFrames>, Error> {
        let scenario = &self.result.scenario;
        if scenario.channel != ChannelSpec::Twin {
            return Ok(None);
        }
        let mut failure = None;
        let frames = self.frames.get_or_try_init(progress, |progress| {
            opened.replay.frames(scenario, self.key.replicate, progress).map_err(|error| {
                failure = Some(error);
                Cancelled
            })
        });
        frames.map(Option::as_ref).map_err(|Cancelled| failure.map_or_else(Error::cancelled, Error::from))
    }

    /// Returns the network of `opened` with the simulated frames of the replicate that the run shows on the air.
    ///
    /// # Errors
    /// [`crate::Code::Request`] where copies do not pass the network twin, [`crate::Code::Cancelled`].
    pub(crate) fn network(&self, opened: &Opened, progress: &mut dyn Progress) -> Result<&Network, Error> {
        let frames = self.frames(opened, &mut Part::new(progress, 0, 1, 2))?;
        let frames = frames
            .ok_or_else(|| Error::request("No frame of this run is simulated: its channel is not the network twin."))?;
        let recorded = opened.network(&mut Part::new(progress, 1, 2, 2))?;
        let on_air = |frame: &replay::SimulatedFrame| SimulatedFrame {
            start: frame.start,
            end: frame.end,
            from: frames.address(frame.from),
            to: frame.to.map(|to| frames.address(to)),
            is_first: frame.attempt <= 1,
            is_received: frame.is_received,
            acknowledgement: frame.acknowledgement,
        };
        let network = || recorded.with_frames(frames.frames().iter().map(on_air));
        Ok(self.network.get_or_try_init(progress, |_| Ok(network()))?)
    }

    /// Returns the replicate whose frames can be shown; `None` where copies do not pass the network twin.
    pub(crate) fn simulated(&self) -> Option<SimulatedView> {
        let replicate = self.key.replicate.saturating_add(1);
        let of = self.key.replicates.max(replicate);
        // Where all clients stay as recorded, no copy passes the twin.
        let is_modelled = || self.steps.support.contains(&Some(Support::Modelled));
        let is_simulated = self.result.scenario.channel == ChannelSpec::Twin && is_modelled();
        is_simulated.then_some(SimulatedView { replicate, of, seed: self.key.seed })
    }

    /// Simulates replicate `replicate` (from 0) of the run in `opened` again, and returns the same run with its steps,
    /// lanes and frames.
    ///
    /// # Errors
    /// [`crate::Code::Request`] where copies do not pass the network twin, or there are no such replicates;
    /// [`crate::Code::Cancelled`].
    pub(crate) fn of_replicate(
        &self,
        opened: &Opened,
        replicate: u32,
        progress: &mut dyn Progress,
    ) -> Result<Self, Error> {
        check_replicates(replicate.saturating_add(1))?;
        let scenario = &self.result.scenario;
        let another = match scenario.channel {
            ChannelSpec::Twin => opened.replay.replicate(scenario, replicate, &mut Part::new(progress, 0, 9, 10))?,
            _ => None,
        };
        let channel = scenario.channel.label();
        let (frames, steps) = another.ok_or_else(|| {
            Error::request(format!(
                "Replicates are told apart only where copies pass the network twin, and channel {channel} was replayed. \
                 Choose the channel twin."
            ))
        })?;
        let lanes = opened.trace.associations.len();
        let mut progress = Part::new(progress, 9, 10, 10);
        let mut shared = SharedProgress::new(&mut progress, 1);
        shared.stage(1, Timeline::passes_of_steps(&steps, lanes))?;
        let timeline = Timeline::of_steps(&steps, lanes, &shared)?;
        let shared_octets = steps.octets() + timeline.octets();
        let kept = CancellableOnce::new();
        kept.get_or_try_init(&mut Silent, |_| Ok(Some(frames)))?;
        Ok(Self {
            key: Key { replicate, ..self.key.clone() },
            result: self.result.clone(),
            steps: Arc::new(steps),
            timeline: Arc::new(timeline),
            shared_octets,
            begun: Begun::default(),
            frames: Arc::new(kept),
            network: Arc::new(CancellableOnce::new()),
        })
    }

    /// Returns the size of what runs with the same first replicate share, octets: steps, lanes and frames.
    pub(crate) fn shared_octets(&self) -> usize {
        let frames = self.frames.get().and_then(Option::as_ref);
        let network = self.network.get().map_or(0, Network::octets);
        self.shared_octets + frames.map_or(0, ReplicateFrames::octets) + network
    }
}

impl Key {
    /// Whether the first replicate is the same: the number of replicates and the bounds do not change it.
    pub(crate) fn begins_as(&self, other: &Self) -> bool {
        *self == Self { replicates: self.replicates, bounds: self.bounds, ..other.clone() }
    }

    /// Returns the settings of the run of `algorithm` in `request`.
    ///
    /// # Errors
    /// [`crate::Code::Request`] for a rule out of range or parameters that are no object.
    pub(crate) fn new(
        request: &ReplayRequest,
        algorithm_set: &AlgorithmSet,
        algorithm: &AlgorithmChoice,
    ) -> Result<Self, Error> {
        request.policy.check()?;
        Ok(Self {
            capture: request.capture,
            algorithm: resolve(algorithm_set, algorithm)?,
            channel: request.channel,
            workload: request.workload,
            seed: request.seed,
            replicates: request.replicates,
            part: request.part.clone(),
            bounds: if request.bounds { Bounds::Compute } else { Bounds::Skip },
            policy: request.policy,
            replicate: 0,
        })
    }

    /// Returns the scenario that the engine replays, with metrics only.
    pub(crate) fn scenario(&self) -> Scenario {
        let algorithm =
            Algorithm::Preset { id: self.algorithm.id.clone(), params: Value::Object(self.algorithm.params.clone()) };
        let mut scenario = Scenario::new(algorithm, self.policy.at_the_bottleneck(self.channel.spec()));
        scenario.workload = self.workload.choice();
        scenario.seed = u64::from(self.seed);
        scenario.replicates = self.replicates;
        scenario.as_recorded.clone_from(&self.part.as_recorded);
        scenario.history = self.part.history();
        scenario.bounds = self.bounds;
        scenario.another = match self.bounds {
            Bounds::Compute => AnotherRun::Compute,
            Bounds::Skip => AnotherRun::Skip,
        };
        scenario.policy = self.policy.policy();
        scenario
    }
}

/// Resolves a preset of the user to its base and overrides. An unknown id passes through: building it reports the
/// error.
///
/// # Errors
/// [`crate::Code::Request`] for parameters that are no object, or that a preset of the user does not take.
pub(crate) fn resolve(algorithm_set: &AlgorithmSet, choice: &AlgorithmChoice) -> Result<AlgorithmChoice, Error> {
    let (id, params) =
        algorithm_set.resolve(&choice.id, &Value::Object(choice.params.clone())).map_err(Error::request)?;
    let Value::Object(params) = params else { return Err(Error::request("Parameters are an object.")) };
    Ok(AlgorithmChoice { id: id.to_owned(), params })
}

/// Checks the number of replicates of a request, 1 to [`MAX_REPLICATES`].
///
/// # Errors
/// [`crate::Code::Request`] for a number out of range.
pub(crate) fn check_replicates(replicates: u32) -> Result<(), Error> {
    if (1..=MAX_REPLICATES).contains(&replicates) {
        Ok(())
    } else {
        Err(Error::request(format!("{replicates} replicates: 1 to {MAX_REPLICATES} are possible.")))
    }
}

/// Computes the runs of `keys`, in their order. `begun` has, for each, a cached run with the same first replicate,
/// whose steps and lanes are shared, and whose replicates are not run again where it keeps them.
///
/// # Errors
/// [`crate::Code::Request`] for a scenario that cannot be replayed, [`crate::Code::Cancelled`].
pub(crate) fn compute(
    opened: &Opened,
    keys: Vec<Key>,
    begun: Vec<Option<Arc<Stored>>>,
    progress: &mut dyn Progress,
) -> Result<Vec<Stored>, Error> {
    let scenario = |(key, begun): (&Key, &Option<Arc<Stored>>)| {
        let detail = if begun.is_some() { Detail::Metrics } else { Detail::Steps };
        Scenario { detail, completions: CompletionTimes::Keep, ..key.scenario() }
    };
    let scenarios: Vec<Scenario> = keys.iter().zip(&begun).map(scenario).collect();
    for key in &keys {
        // No share of the progress: how long it takes is not known beforehand.
        opened.prepare(key.channel, &mut Part::new(progress, 0, 0, 0))?;
    }
    // Building lanes takes about as long as one replicate whose steps are stored.
    let replicates: u64 = keys.iter().map(|key| u64::from(key.replicates)).sum();
    let laying = begun.iter().filter(|begun| begun.is_none()).count() as u64;
    let whole = replicates + laying;
    let behind = |begun: &Option<Arc<Stored>>| begun.as_ref().map_or_else(Begun::default, |begun| begun.begun.clone());
    let behind = begun.iter().map(behind).collect();
    let results = opened.replay.go_on(&scenarios, behind, &mut Part::new(progress, 0, replicates, whole))?;
    let lanes = opened.trace.associations.len();
    let own = results.iter().zip(&begun).filter(|(_, begun)| begun.is_none());
    let passes = own.map(|((result, _), _)| Timeline::passes_of_steps(&result.steps, lanes)).sum();
    let mut progress = Part::new(progress, replicates, whole, whole);
    let mut shared = SharedProgress::new(&mut progress, laying);
    shared.stage(laying, passes)?;
    let run = |(key, before, (mut result, begun)): (Key, Option<Arc<Stored>>, (RunResult, Begun))| {
        let own = std::mem::take(&mut result.steps);
        if let Some(before) = before {
            let (steps, timeline) = (Arc::clone(&before.steps), Arc::clone(&before.timeline));
            let (frames, network) = (Arc::clone(&before.frames), Arc::clone(&before.network));
            let shared_octets = before.shared_octets;
            return Ok(Stored { key, result, steps, timeline, shared_octets, begun, frames, network });
        }
        let timeline = Timeline::of_steps(&own, lanes, &shared)?;
        let shared_octets = own.octets() + timeline.octets();
        let (steps, timeline) = (Arc::new(own), Arc::new(timeline));
        let (frames, network) = (Arc::default(), Arc::new(CancellableOnce::new()));
        Ok(Stored { key, result, steps, timeline, shared_octets, begun, frames, network })
    };
    // One thread a run.
    keys.into_par_iter().zip(begun).zip(results).map(|((key, before), done)| run((key, before, done))).collect()
}

/// Returns every measure of a run, by name.
pub(crate) fn metrics(result: &RunResult) -> BTreeMap<String, MetricView> {
    result.metrics().map(|(name, summary)| (name.name().to_owned(), metric(summary))).collect()
}

fn metric(summary: &Summary) -> MetricView {
    MetricView {
        recorded: summary.recorded,
        recorded_range: summary.recorded_lo.zip(summary.recorded_hi).filter(|(lo, hi)| lo < hi),
        worst: summary.worst,
        best: summary.best,
        // The mean of two modes is that of no run.
        mean: summary.mean.filter(|_| summary.modes.is_none()),
        lo90: summary.lo90,
        hi90: summary.hi90,
        another: summary.another.map(ends),
        modes: summary.modes.map(modes),
        support: summary.support,
    }
}

/// Returns the two modes of a run; `None` where one explains its replicates.
pub(crate) fn run_modes(result: &RunResult) -> Option<ModesView> {
    let view = |modes: &replay::Modes| ModesView {
        slow: modes.slow,
        lo90: modes.ninety.lo,
        hi90: modes.ninety.hi,
        boundary: modes.boundary,
    };
    result.modes.as_ref().map(view)
}

/// Returns both modes of a measure, the fast one first.
pub(crate) fn modes([fast, slow]: [Mode; 2]) -> (ModeView, ModeView) {
    (mode(&fast), mode(&slow))
}

fn mode(mode: &Mode) -> ModeView {
    ModeView { mean: mode.mean, lo90: mode.ninety.lo, hi90: mode.ninety.hi, another: mode.another.map(ends) }
}

fn ends(interval: Interval) -> (f64, f64) {
    (interval.lo, interval.hi)
}

/// Returns the paired differences of every measure between two runs, `run` minus `baseline`, by name; those that apply.
pub(crate) fn differences(run: &RunResult, baseline: &RunResult) -> BTreeMap<String, DifferenceView> {
    MetricName::ALL
        .into_iter()
        .filter_map(|name| difference(run, baseline, name))
        .map(|d| {
            let paired = d.paired;
            let another = d.another.map(|another| ends(another.spread));
            let view = DifferenceView {
                mean: paired.mean,
                lo90: paired.spread.lo,
                hi90: paired.spread.hi,
                another,
                modes: d.modes.map(modes),
            };
            (d.metric.name().to_owned(), view)
        })
        .collect()
}
