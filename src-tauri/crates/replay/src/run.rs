//! Scenarios in, results out: replicates, threads, progress.

mod bundle;
mod result;
mod setup;
mod variant;

use bundle::{Bundle, bundles};
pub use result::{AssociationResult, Difference, RunResult, Summary, difference};
pub(crate) use setup::{Prototype, Setup, Taken};

use crate::bounds::{self, Ranges};
use crate::channel::{Assume, Channel, ChannelSpec, Climate, Index, Luck, Met, Recorded, Sent};
use crate::draw::Dithers;
use crate::engine::{Client, Heap, NoSteps, Steps, Watch, simulate};
use crate::load::{Crowd, LoadFit, LoadStep, Unidentified};
use crate::metrics::{Counts, Values, measure};
use crate::plan::Plan;
use crate::policy::{Policy, WorkloadChoice};
use crate::record::Record;
use crate::weather::Weather;
use base::{AssociationId, Cancelled, Instant, Progress};
use rayon::prelude::*;
use serde_json::Value;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Which retransmission timer to replay.
#[derive(Clone, PartialEq, Debug)]
pub enum Algorithm {
    /// The recorded one: the gaps between the recorded copies are its timers. Needs no channel model:
    /// whatever the scenario's channel, the recorded fates are used and the result is the trace.
    AsRecorded,
    /// A preset of the `rto` registry.
    Preset {
        /// Its name.
        id: String,
        /// Overrides of its parameters: an object in natural units, or null.
        params: Value,
    },
}

/// Whether to compute the model-free bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Bounds {
    /// Yes.
    #[default]
    Compute,
    /// No: `best` and `worst` stay empty.
    Skip,
}

/// Whether to answer the second question too.
///
/// The first is *what would have happened in this trace*: a copy sent when one was recorded meets what that one met, so that the
/// recorded timer gives the trace itself. The second is *what would another run show*: the same weather, met with other luck. Then
/// recorded fates are evidence of the weather, and every replicate draws the fates of all copies from it, those at recorded moments
/// too; what they say is how far runs are from each other, around the mean that this trace gives. Real runs are other runs: this is
/// what their measures are to be held against ([`crate::calibrate`]). Clients that stay as recorded stay so in both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AnotherRun {
    /// Yes: as many replicates more ([`Summary::another`], [`RunResult::another`]).
    Compute,
    /// No.
    #[default]
    Skip,
}

/// How much of the first replicate to keep.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Detail {
    /// Metrics only.
    #[default]
    Metrics,
    /// Its steps, for drawing.
    Steps,
}

/// The part of a trace before a replay begins.
///
/// Exchanges that began before that moment are not replayed and not measured, in `recorded` neither, and there are no model-free bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum History {
    /// All is replayed; estimators start cold.
    #[default]
    None,
    /// Estimators start cold then.
    Forgotten {
        /// When the replay begins.
        until: Instant,
    },
    /// Estimators start warm: they have been told of the recorded exchanges that were over by then, copy by copy and reply by reply.
    Learned {
        /// When the replay begins.
        until: Instant,
    },
}

impl History {
    /// When the replay begins.
    #[must_use]
    pub const fn until(self) -> Option<Instant> {
        match self {
            Self::None => None,
            Self::Forgotten { until } | Self::Learned { until } => Some(until),
        }
    }
}

/// One "what if".
#[derive(Clone, PartialEq, Debug)]
pub struct Scenario {
    /// Whose timers.
    pub algorithm: Algorithm,
    /// The sender's other rules.
    pub policy: Policy,
    /// The weather.
    pub channel: ChannelSpec,
    /// When the application sends.
    pub workload: WorkloadChoice,
    /// Seed of every draw. Scenarios to be compared must share it.
    pub seed: u64,
    /// How many realisations of a modelled channel; [`ChannelSpec::Recorded`] has none.
    pub replicates: u32,
    /// Associations that stay as they were while the others change.
    pub as_recorded: Vec<AssociationId>,
    /// Associations with an algorithm of their own, [`Algorithm::AsRecorded`] included: mixed populations. The first that names one
    /// counts; the rest run [`Scenario::algorithm`].
    pub mixed: Vec<(AssociationId, Algorithm)>,
    /// What estimators have lived through before the first exchange that is replayed.
    pub history: History,
    /// Whether to compute the model-free bounds; there are none under [`ChannelSpec::Loaded`] and with a [`History`].
    pub bounds: Bounds,
    /// Whether to say what another run would show; only where there is a model of the weather.
    pub another: AnotherRun,
    /// How much of the first replicate to keep.
    pub detail: Detail,
}

impl Scenario {
    /// Replicates of a result to be reported.
    pub const REPLICATES: u32 = 200;
    /// Replicates of a first answer while a parameter is being moved.
    pub const WHAT_IF: u32 = 20;

    /// Whether there are model-free bounds: they take recorded fates as they are, whatever the load, and all exchanges.
    pub(crate) fn is_bounded(&self) -> bool {
        self.history == History::None && !matches!(self.channel, ChannelSpec::Loaded { .. })
    }

    /// `algorithm` with default policy, detected workload, seed 1 and [`Scenario::REPLICATES`].
    #[must_use]
    pub fn new(algorithm: Algorithm, channel: ChannelSpec) -> Self {
        Self {
            algorithm,
            policy: Policy::default(),
            channel,
            workload: WorkloadChoice::Auto,
            seed: 1,
            replicates: Self::REPLICATES,
            as_recorded: Vec::new(),
            mixed: Vec::new(),
            history: History::None,
            bounds: Bounds::Compute,
            another: AnotherRun::Skip,
            detail: Detail::Metrics,
        }
    }
}

/// Why a run did not happen.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// Unknown algorithm or parameter, or a value out of range.
    #[error(transparent)]
    Param(#[from] rto::ParamError),
    /// An association that the record does not have.
    #[error("there is no association {0} in this trace")]
    NoAssociation(AssociationId),
    /// A time or rate that must be positive is not.
    #[error("{0} must be more than zero")]
    NotPositive(&'static str),
    /// The trace does not say how its medium responds to load.
    #[error("the response to load cannot be identified: {0}")]
    Unidentified(#[from] Unidentified),
    /// Asked to stop.
    #[error("cancelled")]
    Cancelled,
}

impl From<Cancelled> for Error {
    fn from(Cancelled: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// A trace made ready for replay: build once, run often, from any thread.
#[derive(Debug)]
pub struct Replay {
    record: Record,
    index: Index,
    climate: Climate,
    /// Fitted when first asked for.
    weather: OnceLock<Weather>,
    /// Measured when first asked for.
    crowd: OnceLock<Crowd>,
    recorded: Measured,
    ranges: bounds::Bounded,
}

/// One realisation, measured.
#[derive(Debug, Clone)]
pub(crate) struct Measured {
    pub overall: Values,
    pub counts: Counts,
    pub associations: Vec<(Values, Counts)>,
}

impl Replay {
    /// Indexes `record`, measures its climate and its own metrics.
    #[must_use]
    pub fn new(record: Record) -> Self {
        let index = Index::new(&record);
        let climate = Climate::measure(&record, &index);
        let mut replay = Self {
            record,
            index,
            climate,
            weather: OnceLock::new(),
            crowd: OnceLock::new(),
            recorded: Measured { overall: Values::default(), counts: Counts::default(), associations: Vec::new() },
            ranges: bounds::Bounded::default(),
        };
        let setup = Setup::recorded(&replay.record);
        replay.recorded = replay.realise(&setup, 0, Taken::AS_IT_IS, &mut NoSteps);
        replay.ranges = bounds::bound(&replay.record, &replay.index, &setup);
        replay
    }

    /// [`Replay::new`] of a reconstructed trace.
    #[must_use]
    pub fn from_trace(trace: &trace::Trace) -> Self {
        Self::new(Record::from_trace(trace))
    }

    /// What is replayed.
    #[must_use]
    pub const fn record(&self) -> &Record {
        &self.record
    }

    /// How long the weather of this trace lasts.
    #[must_use]
    pub const fn climate(&self) -> &Climate {
        &self.climate
    }

    /// The two-state weather of every path, fitted the first time it is asked for.
    pub fn weather(&self) -> &Weather {
        self.weather.get_or_init(|| Weather::new(&self.climate))
    }

    /// How the medium responds to load, measured the first time it is asked for.
    ///
    /// # Errors
    /// [`Unidentified`] where the trace does not say.
    pub fn load(&self) -> Result<&LoadFit, Unidentified> {
        self.crowd().fit.as_ref().map_err(|why| *why)
    }

    /// Losses of first copies by the load they met, in fifths, against the fitted response; nothing where there is none.
    #[must_use]
    pub fn load_steps(&self) -> Vec<LoadStep> {
        self.crowd().steps(&self.record, &self.index)
    }

    pub(crate) fn crowd(&self) -> &Crowd {
        self.crowd.get_or_init(|| Crowd::new(&self.record, &self.index, &self.climate))
    }

    /// The metrics of the trace itself. Where some fates are unknown these count what is known: the
    /// `early_*` and `spurious_all` are lower bounds then, see [`Summary::recorded_lo`].
    #[must_use]
    pub const fn recorded(&self) -> &Values {
        &self.recorded.overall
    }

    /// Runs one scenario.
    ///
    /// # Errors
    /// [`Error::Param`] for an unknown algorithm or parameter, [`Error::NoAssociation`],
    /// [`Error::NotPositive`], [`Error::Unidentified`] where fitted load is asked for, and [`Error::Cancelled`] when
    /// `progress` breaks.
    pub fn run(&self, scenario: &Scenario, progress: &mut dyn Progress) -> Result<RunResult, Error> {
        let mut results = self.run_all(std::slice::from_ref(scenario), progress)?;
        results.pop().ok_or(Error::Cancelled)
    }

    /// Runs scenarios, in parallel; results in their order, the same for any number of threads.
    /// `progress` counts replicates.
    ///
    /// # Errors
    /// As [`Replay::run`], before anything runs where possible.
    pub fn run_all(&self, scenarios: &[Scenario], progress: &mut dyn Progress) -> Result<Vec<RunResult>, Error> {
        let setups: Vec<Setup> = scenarios.iter().map(|s| Setup::new(&self.record, s)).collect::<Result<_, _>>()?;
        if setups.iter().any(Setup::needs_weather) {
            // Here, and not by the first job that asks: the fit itself is spread over the threads.
            self.weather();
        }
        if setups.iter().any(Setup::needs_load_fit) {
            self.load()?;
        }
        let bundles = bundles(&setups);
        let total = bundles.iter().map(|bundle| bundle.setups.len() as u64).sum();
        let mut done: Vec<Vec<Done>> = setups.iter().map(|_| Vec::new()).collect();
        if progress.tick(0, total).is_break() {
            return Err(Error::Cancelled);
        }
        let mut finished = 0;
        // A few bundles a thread between two ticks: soon cancelled, seldom waiting.
        let chunk = rayon::current_num_threads().max(1) * 2;
        for bundles in bundles.chunks(chunk) {
            let parts: Vec<Vec<Done>> = bundles.par_iter().map(|bundle| self.work(&setups, bundle)).collect();
            for (bundle, parts) in bundles.iter().zip(parts) {
                finished += parts.len() as u64;
                for (&setup, part) in bundle.setups.iter().zip(parts) {
                    done[setup].push(part);
                }
            }
            if progress.tick(finished, total).is_break() {
                return Err(Error::Cancelled);
            }
        }
        Ok(scenarios.iter().zip(done).map(|(scenario, parts)| result::assemble(self, scenario, parts)).collect())
    }

    /// One job of each scenario of a bundle, in the weather and with the dither that they share.
    fn work(&self, setups: &[Setup], bundle: &Bundle) -> Vec<Done> {
        let setups = || bundle.setups.iter().filter_map(|&i| setups.get(i));
        let (replicate, taken) = match bundle.job {
            Job::Bounds => {
                return setups().map(|setup| Done::Bounds(bounds::bound(&self.record, &self.index, setup))).collect();
            }
            Job::Assume(assume) => (0, Taken { assume, ..Taken::AS_IT_IS }),
            Job::Replicate(replicate) => (replicate, Taken::AS_IT_IS),
            Job::Another(replicate) => (replicate, Taken { luck: Luck::Anew, ..Taken::AS_IT_IS }),
        };
        let Some(first) = setups().next() else { return Vec::new() };
        let mut draws = self.draws(first, replicate, taken, bundle.setups.len() > 1);
        let realise = |setup: &Setup| {
            let mut steps = Steps::default();
            let measured = if setup.wants_steps(bundle.job) {
                self.realise_with(setup, &mut draws, &mut steps)
            } else {
                self.realise_with(setup, &mut draws, &mut NoSteps)
            };
            match bundle.job {
                Job::Another(_) => Done::Another(Box::new(measured)),
                Job::Replicate(_) => Done::Replicate(Box::new(measured), steps),
                Job::Bounds | Job::Assume(_) => Done::Assumed(Box::new(measured), steps),
            }
        };
        setups().map(realise).collect()
    }

    /// The draws of one replicate, for one scenario or for `many`.
    fn draws(&self, setup: &Setup, replicate: u32, taken: Taken, many: bool) -> Draws<'_> {
        let dithers = self.record.associations().iter().map(|_| OnceCell::new()).collect();
        Draws { replicate, channel: setup.open_for(many, self, replicate, taken), dithers }
    }

    fn realise<W: Watch>(&self, setup: &Setup, replicate: u32, taken: Taken, watch: &mut W) -> Measured {
        self.realise_with(setup, &mut self.draws(setup, replicate, taken, false), watch)
    }

    /// One realisation of all associations.
    fn realise_with<W: Watch>(&self, setup: &Setup, draws: &mut Draws<'_>, watch: &mut W) -> Measured {
        let Draws { replicate, channel, dithers } = draws;
        let dithers = &*dithers;
        channel.begin();
        let mut heap = Heap::default();
        let mut durations = Vec::with_capacity(self.record.exchanges());
        let mut associations = Vec::with_capacity(self.record.associations().len());
        let mut overall = Counts::default();
        let mut as_it_was =
            Recorded { index: &self.index, tolerance: setup.channel.tolerance(), assume: Assume::Nothing };
        let client = |path: u32| self.client(setup, path, (*replicate, dithers));
        let mut clients: Vec<Client<'_>> = (0..self.record.associations().len()).map(|p| client(p as u32)).collect();
        let policy = &setup.policy;
        let ids = || self.record.associations().iter().map(|a| a.id).collect::<Vec<_>>();
        if channel.couples() && !setup.is_all_pinned() {
            simulate(&mut clients, policy, &mut **channel, watch, &mut heap);
            watch.joined(&ids());
        } else if policy.joins_servers() {
            // The servers of one client node share its limits.
            let mut channel = Split { setup, as_it_was, modelled: &mut **channel };
            let mut nodes: BTreeMap<u32, Vec<Client<'_>>> = BTreeMap::new();
            for client in clients {
                nodes.entry(client.record.client).or_default().push(client);
            }
            for node in nodes.values_mut() {
                simulate(node, policy, &mut channel, watch, &mut heap);
            }
            clients = nodes.into_values().flatten().collect();
            clients.sort_by_key(|client| client.path);
            watch.joined(&ids());
        } else {
            for client in clients.chunks_mut(1) {
                let pinned = client.iter().all(|c| setup.is_pinned(c.path));
                if pinned {
                    simulate(client, policy, &mut as_it_was, watch, &mut heap);
                } else {
                    simulate(client, policy, &mut **channel, watch, &mut heap);
                }
            }
        }
        for client in &clients {
            let from = durations.len();
            let counts = Counts::of(&client.runs, &client.record.exchanges, client.tally, &mut durations);
            let own = durations.get_mut(from..).unwrap_or(&mut []);
            associations.push((measure(&counts, own), counts));
            overall.merge(&counts);
        }
        Measured { overall: measure(&overall, &mut durations), counts: overall, associations }
    }

    fn client<'a>(
        &'a self,
        setup: &'a Setup,
        path: u32,
        (replicate, dithers): (u32, &'a [OnceCell<Dithers>]),
    ) -> Client<'a> {
        let record = &self.record.associations()[path as usize];
        let plan: &Plan = &setup.plans[path as usize];
        let timers = setup.timers(path, record);
        let exchanges = record.exchanges.len();
        let dithers = dithers[path as usize].get_or_init(|| Dithers::new(setup.seed, replicate, path, exchanges));
        Client::new(path, record, plan, &setup.policy, timers, dithers)
    }

    pub(crate) const fn index(&self) -> &Index {
        &self.index
    }

    pub(crate) const fn recorded_measured(&self) -> &Measured {
        &self.recorded
    }

    /// What was recorded from `from` on.
    pub(crate) fn recorded_since(&self, from: Instant) -> Measured {
        self.realise(&Setup::recorded(&self.record).since(&self.record, from), 0, Taken::AS_IT_IS, &mut NoSteps)
    }

    pub(crate) const fn recorded_ranges(&self) -> &bounds::Bounded {
        &self.ranges
    }
}

/// What is drawn in one replicate, for all scenarios of a bundle.
struct Draws<'a> {
    replicate: u32,
    channel: Box<dyn Channel + 'a>,
    /// Per path, when first asked for.
    dithers: Vec<OnceCell<Dithers>>,
}

/// Pinned associations meet what they met, the others a model's weather.
struct Split<'a> {
    setup: &'a Setup,
    as_it_was: Recorded<'a>,
    modelled: &'a mut dyn Channel,
}

impl Channel for Split<'_> {
    fn fate(&mut self, sent: &Sent) -> Met {
        if self.setup.is_pinned(sent.path) { self.as_it_was.fate(sent) } else { self.modelled.fate(sent) }
    }
}

/// A unit of parallel work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Job {
    Bounds,
    Assume(Assume),
    Replicate(u32),
    Another(u32),
}

/// What a unit of work gives.
#[derive(Debug)]
pub(crate) enum Done {
    Bounds(bounds::Bounded),
    Assumed(Box<Measured>, Steps),
    Replicate(Box<Measured>, Steps),
    Another(Box<Measured>),
}

/// Ranges of one association or of all; re-exported for the assembling of results.
pub(crate) type MetricRanges = Ranges;
