//! Scenarios in, results out: replicates, threads, progress.

mod batch;
mod channel_state_series;
mod open;
mod replicate_run;
mod result;
mod variant;

use batch::{Batch, batches};
pub use channel_state_series::Forecast;
pub(crate) use replicate_run::Measured;
use replicate_run::Replicate;
pub use result::{AssociationResult, Difference, RunResult, Summary, difference};

use crate::bounds::{self, Ranges};
use crate::channel::{Assume, Channel, Luck, Met, Recorded, Sent};
use crate::engine::{Client, EventQueue, SingleClient, Steps};
use crate::estimate::{Bottleneck, ChannelStatistics, LoadModel, LoadFit, LoadStep, QueueFit, Unidentified, ChannelStates};
use crate::metrics::{Counts, Values};
use crate::model::{Dithers, Index, Record};
use crate::scenario::{Error, Job, Scenario, Setup, Realisation};
use base::{CancellableOnce, Cancelled, Instant, Part, Progress, SharedProgress, Silent, Span};
use rayon::prelude::*;
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// A trace made ready for replay: build once, run often, from any thread.
#[derive(Debug)]
pub struct Replay {
    record: Record,
    index: Index,
    statistics: ChannelStatistics,
    /// Fitted when first asked for.
    weather: CancellableOnce<ChannelStates>,
    /// Measured when first asked for.
    load_model: CancellableOnce<LoadModel>,
    /// Looked for when first asked for.
    bottleneck: CancellableOnce<Bottleneck>,
    recorded: Measured,
    ranges: bounds::Bounded,
}

impl Replay {
    /// Indexes `record`, measures its climate and its own metrics.
    #[must_use]
    pub fn new(record: Record) -> Self {
        match Self::prepare(record, &mut Silent) {
            Ok(replay) => replay,
            Err(Cancelled) => unreachable!("silence asks nobody to stop"),
        }
    }

    /// [`Replay::new`], which says how far it is and may be asked to stop. `progress` counts passes over associations.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks.
    pub fn prepare(record: Record, progress: &mut dyn Progress) -> Result<Self, Cancelled> {
        let paths = record.associations().len() as u64;
        let (measuring, replaying) = (ChannelStatistics::PASSES * paths, 2 * paths);
        let mut watch = SharedProgress::new(progress, paths + measuring + replaying);
        watch.stage(paths, paths)?;
        let index = Index::watched(&record, &watch)?;
        watch.stage(measuring, measuring)?;
        let statistics = ChannelStatistics::measure(&record, &index, &watch)?;
        let replay = Self {
            record,
            index,
            statistics,
            weather: CancellableOnce::new(),
            load_model: CancellableOnce::new(),
            bottleneck: CancellableOnce::new(),
            recorded: Measured { overall: Values::default(), counts: Counts::default(), associations: Vec::new() },
            ranges: bounds::Bounded::default(),
        };
        let setup = Setup::recorded(&replay.record);
        watch.stage(replaying, replaying)?;
        let (recorded, ranges) = rayon::join(
            || replay.as_recorded(&setup, &watch),
            || bounds::bound(&replay.record, &replay.index, &setup, &watch),
        );
        Ok(Self { recorded: recorded?, ranges: ranges?, ..replay })
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
    pub const fn channel_statistics(&self) -> &ChannelStatistics {
        &self.statistics
    }

    /// The two-state weather of every path, fitted the first time it is asked for.
    pub fn weather(&self) -> &ChannelStates {
        self.weather
            .get_or_try_init(&mut Silent, |progress| self.fit_weather(progress))
            .unwrap_or_else(|Cancelled| unreachable!("Silent never cancels"))
    }

    /// Makes what [`Replay::weather`], [`Replay::load`] and [`Replay::bottleneck`] tell, as far as it is not made yet. `progress`
    /// counts steps of each.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks.
    pub fn learn(&self, progress: &mut dyn Progress) -> Result<(), Cancelled> {
        self.make_ready([true; 3], 1, 0, progress).map(drop)
    }

    /// Makes the weather, the crowd and the bottleneck where it `needs` them; each is `units` of the `rest` and what is made. Gives how
    /// many units that was.
    fn make_ready(
        &self,
        needs: [bool; 3],
        units: u64,
        rest: u64,
        progress: &mut dyn Progress,
    ) -> Result<u64, Cancelled> {
        let [weather, load_model, bottleneck] = needs;
        let load_model = load_model || bottleneck;
        let missing = [
            weather && self.weather.get().is_none(),
            load_model && self.load_model.get().is_none(),
            bottleneck && self.bottleneck.get().is_none(),
        ];
        let mut made = 0;
        let parts = missing.map(|missing| {
            let from = made;
            made += if missing { units } else { 0 };
            (from, made)
        });
        let [first, second, third] = parts;
        let total = made + rest;
        if weather {
            self.fitted(&mut Part::new(progress, first.0, first.1, total))?;
        }
        if load_model {
            let mut part = Part::new(progress, second.0, second.1, total);
            self.load_model.get_or_try_init(&mut part, |progress| self.measure_crowd(progress))?;
        }
        if bottleneck {
            let mut part = Part::new(progress, third.0, third.1, total);
            self.bottleneck.get_or_try_init(&mut part, |progress| self.find_bottleneck(progress))?;
        }
        Ok(made)
    }

    /// [`Replay::weather`], which may be stopped while it is fitted. `progress` counts steps.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks.
    pub fn fitted(&self, progress: &mut dyn Progress) -> Result<&ChannelStates, Cancelled> {
        self.weather.get_or_try_init(progress, |progress| self.fit_weather(progress))
    }

    fn fit_weather(&self, progress: &mut dyn Progress) -> Result<ChannelStates, Cancelled> {
        let passes = ChannelStates::PASSES * self.statistics.paths.len() as u64;
        let mut watch = SharedProgress::new(progress, passes);
        watch.stage(passes, passes)?;
        ChannelStates::new(&self.statistics, &watch)
    }

    fn measure_crowd(&self, progress: &mut dyn Progress) -> Result<LoadModel, Cancelled> {
        let mut watch = SharedProgress::new(progress, LoadModel::PASSES);
        watch.stage(LoadModel::PASSES, LoadModel::PASSES)?;
        LoadModel::new(&self.record, &self.index, &self.statistics, &watch)
    }

    fn find_bottleneck(&self, progress: &mut dyn Progress) -> Result<Bottleneck, Cancelled> {
        let passes = 1 + self.record.medium().nodes().len() as u64;
        let mut watch = SharedProgress::new(progress, passes);
        watch.stage(passes, passes)?;
        Bottleneck::new(&self.record, &self.index, &self.statistics, &self.load_model().loads, &watch)
    }

    /// How the medium responds to load, measured the first time it is asked for.
    ///
    /// # Errors
    /// [`Unidentified`] where the trace does not say.
    pub fn load(&self) -> Result<&LoadFit, Unidentified> {
        self.load_model().fit.as_ref().map_err(|why| *why)
    }

    /// Losses of first copies by the load they met, in fifths, against the fitted response; nothing where there is none.
    #[must_use]
    pub fn load_steps(&self) -> Vec<LoadStep> {
        self.load_model().steps(&self.record, &self.index)
    }

    /// The node that the copies and replies of several clients pass one at a time, looked for the first time it is asked for.
    ///
    /// # Errors
    /// [`Unidentified`] where round trips are not those of a line.
    pub fn bottleneck(&self) -> Result<&QueueFit, Unidentified> {
        self.queue().fit.as_ref().map_err(|why| *why)
    }

    pub(crate) fn queue(&self) -> &Bottleneck {
        self.bottleneck
            .get_or_try_init(&mut Silent, |progress| self.find_bottleneck(progress))
            .unwrap_or_else(|Cancelled| unreachable!("Silent never cancels"))
    }

    pub(crate) fn load_model(&self) -> &LoadModel {
        self.load_model
            .get_or_try_init(&mut Silent, |progress| self.measure_crowd(progress))
            .unwrap_or_else(|Cancelled| unreachable!("Silent never cancels"))
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
    /// `progress` counts replicates; what has to be learned of the trace first, each as all of them.
    ///
    /// # Errors
    /// As [`Replay::run`], before anything runs where possible.
    pub fn run_all(&self, scenarios: &[Scenario], progress: &mut dyn Progress) -> Result<Vec<RunResult>, Error> {
        let setups: Vec<Setup> = scenarios.iter().map(|s| Setup::new(&self.record, s)).collect::<Result<_, _>>()?;
        let batches = batches(&setups);
        let jobs = batches.iter().map(|batch| batch.setups.len() as u64).sum();
        // Here, and not by the first job that asks: what is learned is itself spread over the threads, and a job that waits for its own
        // part of that could begin another one, which asks for the same.
        let needs = [Setup::needs_weather, Setup::needs_crowd, Setup::is_queued].map(|needs| setups.iter().any(needs));
        let learned = self.make_ready(needs, jobs, jobs, progress)?;
        if setups.iter().any(Setup::needs_load_fit) {
            self.load()?;
        }
        if setups.iter().any(Setup::needs_bottleneck) {
            self.bottleneck()?;
        }
        let paths = self.record.associations().len() as u64;
        let mut progress = Part::new(progress, learned, learned + jobs, learned + jobs);
        let mut watch = SharedProgress::new(&mut progress, jobs);
        watch.stage(jobs, batches.iter().map(|batch| batch.passes(paths)).sum())?;
        // One at a time: no thread waits for another before all are done.
        let work = |batch| self.work(&setups, batch, &watch);
        let parts: Vec<Vec<Done>> = batches.par_iter().with_max_len(1).map(work).collect::<Result<_, _>>()?;
        let mut done: Vec<Vec<Done>> = setups.iter().map(|_| Vec::new()).collect();
        for (batch, parts) in batches.iter().zip(parts) {
            for (&setup, part) in batch.setups.iter().zip(parts) {
                done[setup].push(part);
            }
        }
        watch.stage(0, 0)?;
        let assemble = |(scenario, parts)| Ok(result::assemble(self, scenario, parts, &watch)?);
        scenarios.iter().zip(done).map(assemble).collect()
    }

    /// One job of each scenario of a bundle, in the weather and with the dither that they share.
    fn work(&self, setups: &[Setup], batch: &Batch, watch: &SharedProgress<'_>) -> Result<Vec<Done>, Cancelled> {
        let setups = || batch.setups.iter().filter_map(|&i| setups.get(i));
        let (replicate, taken) = match batch.job {
            Job::Bounds => {
                let bound = |setup| bounds::bound(&self.record, &self.index, setup, watch).map(Done::Bounds);
                return setups().map(bound).collect();
            }
            Job::Assume(assume) => (0, Realisation { assume, ..Realisation::AS_RECORDED }),
            Job::Replicate(replicate) => (replicate, Realisation::AS_RECORDED),
            Job::Another(replicate) => (replicate, Realisation { luck: Luck::Resampled, ..Realisation::AS_RECORDED }),
        };
        let Some(first) = setups().next() else { return Ok(Vec::new()) };
        let mut draws = self.draws(first, replicate, taken, batch.setups.len() > 1);
        let mut replicate_run: Vec<Replicate> =
            setups().map(|setup| Replicate::new(self, setup.wants_steps(batch.job))).collect();
        let apart = |setup: &Setup| draws.are_independent(setup);
        let (paths, all_apart) = (0..self.record.associations().len() as u32, setups().all(apart));
        if all_apart {
            // Path by path: what is known of one is at hand for all scenarios.
            for path in paths {
                for (setup, replicate_run) in setups().zip(&mut replicate_run) {
                    self.simulate_path(setup, path, &mut draws, replicate_run, watch)?;
                }
                watch.pass()?;
            }
        } else {
            for (setup, replicate_run) in setups().zip(&mut replicate_run) {
                self.simulate_all(setup, &mut draws, replicate_run, watch)?;
            }
        }
        let done = |replicate_run: Replicate| {
            let (measured, steps) = replicate_run.measured();
            match batch.job {
                Job::Another(_) => Done::Another(Box::new(measured)),
                Job::Replicate(_) => Done::Replicate(Box::new(measured), steps),
                Job::Bounds | Job::Assume(_) => Done::Assumed(Box::new(measured), steps),
            }
        };
        Ok(replicate_run.into_iter().map(done).collect())
    }

    /// The draws of one replicate, for one scenario or for `many`.
    fn draws(&self, setup: &Setup, replicate: u32, taken: Realisation, many: bool) -> ReplicateDraws<'_> {
        let dithers = self.record.associations().iter().map(|_| OnceCell::new()).collect();
        ReplicateDraws { replicate, channel: setup.open_for(many, self, replicate, taken), dithers, heap: EventQueue::default() }
    }

    /// What was recorded, as `setup` takes it.
    fn as_recorded(&self, setup: &Setup, watch: &SharedProgress<'_>) -> Result<Measured, Cancelled> {
        let mut replicate_run = Replicate::new(self, false);
        self.simulate_all(setup, &mut self.draws(setup, 0, Realisation::AS_RECORDED, false), &mut replicate_run, watch)?;
        Ok(replicate_run.measured().0)
    }

    /// One realisation of all associations. Those that feel each other are one piece of work. Passes once an association, or, where they
    /// are not apart, as often in equal parts of the time of the record.
    fn simulate_all(
        &self,
        setup: &Setup,
        draws: &mut ReplicateDraws<'_>,
        replicate_run: &mut Replicate,
        watch: &SharedProgress<'_>,
    ) -> Result<(), Cancelled> {
        if draws.are_independent(setup) {
            for path in 0..self.record.associations().len() as u32 {
                self.simulate_path(setup, path, draws, replicate_run, watch)?;
                watch.pass()?;
            }
            return Ok(());
        }
        let ReplicateDraws { replicate, channel, dithers, heap } = draws;
        let (dithers, policy) = (&*dithers, &setup.policy);
        channel.begin();
        let client = |path: u32| self.client(setup, path, (*replicate, dithers));
        let mut clients: Vec<Client<'_>> = (0..self.record.associations().len()).map(|p| client(p as u32)).collect();
        if channel.couples() && !setup.is_all_pinned() {
            let mut clock = Clock::of(&self.record, watch);
            replicate_run.simulate(&mut clients, policy, &mut **channel, heap, &mut |now| clock.shows(now))?;
            clock.shows(Instant::MAX)?;
        } else {
            // The servers of one client node share its limits.
            let mut channel = Split { setup, pinned_clients: self.pinned_clients(setup), modelled: &mut **channel };
            let mut nodes: BTreeMap<u32, Vec<Client<'_>>> = BTreeMap::new();
            for client in clients {
                nodes.entry(client.record.client).or_default().push(client);
            }
            for node in nodes.values_mut() {
                replicate_run.simulate(node, policy, &mut channel, heap, &mut |_| watch.ask())?;
                node.iter().try_for_each(|_| watch.pass())?;
            }
            clients = nodes.into_values().flatten().collect();
            clients.sort_by_key(|client| client.path);
        }
        replicate_run.joined(&self.record.associations().iter().map(|a| a.id).collect::<Vec<_>>());
        clients.iter().for_each(|client| replicate_run.add(client));
        watch.ask()
    }

    /// One realisation of one association, which nothing else has a part in.
    fn simulate_path(
        &self,
        setup: &Setup,
        path: u32,
        draws: &mut ReplicateDraws<'_>,
        replicate_run: &mut Replicate,
        watch: &SharedProgress<'_>,
    ) -> Result<(), Cancelled> {
        let ReplicateDraws { replicate, channel, dithers, heap } = draws;
        channel.begin();
        let (record, plan, policy) = (&self.record.associations()[path as usize], setup.plan(path), &setup.policy);
        let dithers = self.dithers(setup, path, (*replicate, dithers));
        let mut timers = setup.timers(path, record);
        if !replicate_run.wants_steps() && !channel.defers() {
            timers = match SingleClient::new(path, record, plan, policy, timers, dithers) {
                Ok(client) => {
                    replicate_run.alone(client, &mut **channel);
                    return Ok(());
                }
                Err(timers) => timers,
            };
        }
        let mut client = [Client::new(path, record, plan, policy, timers, dithers)];
        if setup.is_pinned(path) {
            replicate_run.simulate(&mut client, &setup.policy, &mut self.pinned_clients(setup), heap, &mut |_| watch.ask())?;
        } else {
            replicate_run.simulate(&mut client, &setup.policy, &mut **channel, heap, &mut |_| watch.ask())?;
        }
        let [client] = client;
        replicate_run.add(&client);
        Ok(())
    }

    /// What those meet that stay as recorded.
    fn pinned_clients(&self, setup: &Setup) -> Recorded<'_> {
        Recorded { index: &self.index, tolerance: setup.channel.tolerance(), assume: Assume::Nothing }
    }

    fn client<'a>(
        &'a self,
        setup: &'a Setup,
        path: u32,
        (replicate, dithers): (u32, &'a [OnceCell<Dithers>]),
    ) -> Client<'a> {
        let record = &self.record.associations()[path as usize];
        let timers = setup.timers(path, record);
        let dithers = self.dithers(setup, path, (replicate, dithers));
        Client::new(path, record, setup.plan(path), &setup.policy, timers, dithers)
    }

    fn dithers<'a>(
        &self,
        setup: &Setup,
        path: u32,
        (replicate, dithers): (u32, &'a [OnceCell<Dithers>]),
    ) -> &'a Dithers {
        let exchanges = self.record.associations()[path as usize].exchanges.len();
        dithers[path as usize].get_or_init(|| Dithers::new(setup.seed, replicate, path, exchanges))
    }

    pub(crate) const fn index(&self) -> &Index {
        &self.index
    }

    pub(crate) const fn recorded_measured(&self) -> &Measured {
        &self.recorded
    }

    /// What was recorded from `from` on.
    pub(crate) fn recorded_since(&self, from: Instant, watch: &SharedProgress<'_>) -> Result<Measured, Cancelled> {
        let setup = Setup::recorded(&self.record).since(&self.record, from);
        self.as_recorded(&setup, watch)
    }

    pub(crate) const fn recorded_ranges(&self) -> &bounds::Bounded {
        &self.ranges
    }
}

/// What is drawn in one replicate, for all scenarios of a bundle.
struct ReplicateDraws<'a> {
    replicate: u32,
    channel: Box<dyn Channel + 'a>,
    /// Per path, when first asked for.
    dithers: Vec<OnceCell<Dithers>>,
    heap: EventQueue,
}

impl ReplicateDraws<'_> {
    /// Whether each association can be simulated by itself: no client feels another one's transmissions, and none shares limits.
    fn are_independent(&self, setup: &Setup) -> bool {
        let coupled = self.channel.couples() && !setup.is_all_pinned();
        !coupled && !setup.policy.joins_servers()
    }
}

/// Passes as often as there are associations, each time when another such part of the record's time is over.
struct Clock<'a, 'p> {
    watch: &'a SharedProgress<'p>,
    start: Instant,
    length: Span,
    parts: i64,
    passed: i64,
}

impl<'a, 'p> Clock<'a, 'p> {
    fn of(record: &Record, watch: &'a SharedProgress<'p>) -> Self {
        let (start, end) = record.window().unwrap_or((Instant::ZERO, Instant::ZERO));
        let parts = i64::try_from(record.associations().len()).unwrap_or(i64::MAX);
        Self { watch, start, length: end - start, parts, passed: 0 }
    }

    fn shows(&mut self, now: Instant) -> Result<(), Cancelled> {
        while self.passed < self.parts && now >= self.start + self.length.scale(self.passed + 1, self.parts) {
            self.passed += 1;
            self.watch.pass()?;
        }
        self.watch.ask()
    }
}

/// Pinned associations meet what they met, the others a model's weather.
struct Split<'a> {
    setup: &'a Setup,
    pinned_clients: Recorded<'a>,
    modelled: &'a mut dyn Channel,
}

impl Channel for Split<'_> {
    fn fate(&mut self, sent: &Sent) -> Met {
        if self.setup.is_pinned(sent.path) { self.pinned_clients.fate(sent) } else { self.modelled.fate(sent) }
    }
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
