//! One replicate of one scenario: every association simulated by itself, or all together where they depend on each
//! other.

use super::Replay;
use super::open::SharedBy;
use super::replicate::{Replicate, ReplicateMetrics};
use crate::channel::{Assume, Channel, FrameLog, Met, Recorded, Sent};
use crate::engine::{Client, EventQueue, SingleClient, Steps};
use crate::metrics::add_first_answers;
use crate::model::{Dithers, DrawnWorkload, FirstAnswers, Record};
use crate::scenario::{CompletionTimes, Realisation, Setup};
use base::{Cancelled, ExchangeId, Instant, SharedProgress, Span};
use std::cell::OnceCell;
use std::collections::BTreeMap;

impl Replay {
    /// Prepares the random draws of one replicate, for as many scenarios as `shared_by` says. Errs when an estimate is
    /// needed and its computation is cancelled.
    pub(super) fn draws(
        &self,
        setup: &Setup,
        replicate: u32,
        taken: Realisation,
        shared_by: SharedBy,
    ) -> Result<ReplicateDraws<'_>, Cancelled> {
        let dithers = self.record.associations().iter().map(|_| OnceCell::new()).collect();
        let workloads = self.workloads(setup, replicate, taken.outcomes);
        let channel = match self.twin_of(setup) {
            Some(twin) => self.twin_channel(setup, (twin, workloads.as_deref()), replicate, taken.outcomes),
            None => setup.open_for(shared_by, self, replicate, taken)?,
        };
        Ok(ReplicateDraws { replicate, channel, dithers, heap: EventQueue::default(), workloads })
    }

    /// Metrics of the recorded run, of exchanges that begin `since` then; `None`: of all. Errs when cancelled.
    pub(crate) fn as_recorded(
        &self,
        since: Option<Instant>,
        progress: &SharedProgress<'_>,
    ) -> Result<ReplicateMetrics, Cancelled> {
        let whole = Setup::recorded(&self.record);
        let mut setup = match since {
            Some(from) => whole.since(&self.record, from),
            None => whole,
        };
        setup.open_counts = self.open_counts(&setup, since);
        let setup = &setup;
        let mut replicate_run = Replicate::new(self, false, CompletionTimes::Keep);
        self.simulate_all(
            setup,
            &mut self.draws(setup, 0, Realisation::AS_RECORDED, SharedBy::One)?,
            &mut replicate_run,
            progress,
        )?;
        Ok(Self::measured(setup, replicate_run).0)
    }

    /// Open counts of `setup` for [`Setup::open_counts`]; the exchanges begin `since` then.
    pub(super) fn open_counts(&self, setup: &Setup, since: Option<Instant>) -> Vec<FirstAnswers> {
        if !setup.is_any_pinned() {
            return Vec::new();
        }
        let mut open = self.statistics.beyond_known(&self.record, &self.index, since.unwrap_or(Instant::MIN));
        let modelled = (0..).zip(&mut open).filter(|(path, _)| !setup.is_pinned(*path));
        modelled.for_each(|(_, open)| *open = FirstAnswers::default());
        open
    }

    /// Metrics and steps of a finished replicate of `setup`, with its open counts.
    pub(super) fn measured(setup: &Setup, finished: Replicate) -> (ReplicateMetrics, Steps) {
        let (mut measured, steps) = finished.measured();
        if !setup.open_counts.is_empty() {
            let mut sum = FirstAnswers::default();
            for ((values, counts), &open) in measured.associations.iter_mut().zip(&setup.open_counts) {
                add_first_answers(values, counts, open);
                sum.add(open, 1.0);
            }
            add_first_answers(&mut measured.overall, &measured.counts, sum);
        }
        (measured, steps)
    }

    /// Simulates one replicate of all associations; those that affect one another together. Passes `progress` once an
    /// association, or, where they depend on each other, as often in equal parts of the time of the record; errs when
    /// cancelled.
    pub(super) fn simulate_all(
        &self,
        setup: &Setup,
        draws: &mut ReplicateDraws<'_>,
        replicate_run: &mut Replicate,
        progress: &SharedProgress<'_>,
    ) -> Result<(), Cancelled> {
        if draws.are_independent(setup) {
            for path in 0..self.record.associations().len() as u32 {
                self.simulate_path(setup, path, draws, replicate_run, progress)?;
                progress.pass()?;
            }
            return Ok(());
        }
        let ReplicateDraws { replicate, channel, dithers, heap, workloads } = draws;
        let (dithers, policy) = (&*dithers, &setup.policy);
        channel.begin();
        let drawn = |path: u32| workloads.as_ref().and_then(|all| all.get(path as usize)?.as_ref());
        let client = |path: u32| self.client(setup, (path, drawn(path)), (*replicate, dithers));
        let until = self.twin_of(setup).map_or(Instant::MAX, |twin| twin.workloads.until());
        let mut clients: Vec<Client<'_>> = (0..self.record.associations().len()).map(|p| client(p as u32)).collect();
        if channel.couples() && !setup.is_all_pinned() {
            let mut clock = Clock::of(&self.record, progress);
            replicate_run.simulate(&mut clients, policy, &mut **channel, heap, until, &mut |now| clock.shows(now))?;
            clock.shows(Instant::MAX)?;
        } else {
            // Associations of one client node share its limits.
            let mut channel = Split { setup, pinned_clients: self.pinned_clients(setup), modelled: &mut **channel };
            let mut nodes: BTreeMap<u32, Vec<Client<'_>>> = BTreeMap::new();
            for client in clients {
                nodes.entry(client.record.client).or_default().push(client);
            }
            for node in nodes.values_mut() {
                replicate_run.simulate(node, policy, &mut channel, heap, until, &mut |_| progress.ask())?;
                node.iter().try_for_each(|_| progress.pass())?;
            }
            clients = nodes.into_values().flatten().collect();
            clients.sort_by_key(|client| client.path);
        }
        replicate_run.joined(&self.record.associations().iter().map(|a| a.id).collect::<Vec<_>>());
        clients.iter().for_each(|client| replicate_run.add(client));
        progress.ask()
    }

    /// Simulates one replicate of the association at position `path`, which is independent of all others; errs when
    /// cancelled.
    pub(super) fn simulate_path(
        &self,
        setup: &Setup,
        path: u32,
        draws: &mut ReplicateDraws<'_>,
        replicate_run: &mut Replicate,
        progress: &SharedProgress<'_>,
    ) -> Result<(), Cancelled> {
        let ReplicateDraws { replicate, channel, dithers, heap, .. } = draws;
        channel.begin();
        let (record, plan, policy) = (&self.record.associations()[path as usize], setup.plan(path), &setup.policy);
        let dithers = self.dithers(setup, path, (*replicate, dithers));
        let mut timers = setup.timers(path, record);
        if self.index.fast.single_client && !replicate_run.wants_steps() && !channel.defers() {
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
            replicate_run.simulate(
                &mut client,
                &setup.policy,
                &mut self.pinned_clients(setup),
                heap,
                Instant::MAX,
                &mut |_| progress.ask(),
            )?;
        } else {
            replicate_run
                .simulate(&mut client, &setup.policy, &mut **channel, heap, Instant::MAX, &mut |_| progress.ask())?;
        }
        let [client] = client;
        replicate_run.add(&client);
        Ok(())
    }

    /// Channel of clients that stay as recorded.
    pub(super) fn pinned_clients(&self, setup: &Setup) -> Recorded<'_> {
        Recorded { index: &self.index, tolerance: setup.channel.tolerance(), assume: Assume::Nothing }
    }

    fn client<'a>(
        &'a self,
        setup: &'a Setup,
        (path, drawn): (u32, Option<&'a DrawnWorkload>),
        (replicate, dithers): (u32, &'a [OnceCell<Dithers>]),
    ) -> Client<'a> {
        let record = &self.record.associations()[path as usize];
        let timers = setup.timers(path, record);
        let dithers = self.dithers(setup, path, (replicate, dithers));
        let (record, plan) = drawn.map_or((record, setup.plan(path)), |drawn| (&drawn.record, &drawn.plan));
        Client::new(path, record, plan, &setup.policy, timers, dithers)
    }

    fn dithers<'a>(
        &self,
        setup: &Setup,
        path: u32,
        (replicate, dithers): (u32, &'a [OnceCell<Dithers>]),
    ) -> &'a Dithers {
        // Drawn beforehand where several scenarios use them.
        let is_fast = self.index.fast.batches;
        let exchanges = if is_fast { self.record.associations()[path as usize].exchanges.len() } else { 0 };
        dithers[path as usize].get_or_init(|| Dithers::new(setup.seed, replicate, path, exchanges))
    }
}

/// Random draws of one replicate, shared by all scenarios of a batch.
pub(super) struct ReplicateDraws<'a> {
    replicate: u32,
    channel: Box<dyn Channel + 'a>,
    /// Dithers of each path, drawn when first asked for.
    dithers: Vec<OnceCell<Dithers>>,
    heap: EventQueue,
    /// Workloads by path under the twin, where they are drawn.
    workloads: Option<Vec<Option<DrawnWorkload>>>,
}

impl ReplicateDraws<'_> {
    /// Whether each association can be simulated by itself: clients neither affect one another nor share limits.
    pub fn are_independent(&self, setup: &Setup) -> bool {
        let coupled = self.channel.couples() && !setup.is_all_pinned();
        !coupled && !setup.policy.joins_servers()
    }

    /// Keeps a log of every frame from here on ([`Channel::keep_log`]).
    pub fn keep_log(&mut self) {
        self.channel.keep_log();
    }

    /// Takes the log of the frames until the end of the run ([`Channel::take_log`]).
    pub fn take_log(&mut self, until: Instant) -> Option<FrameLog> {
        self.channel.take_log(until)
    }

    /// Identifier of the exchange at position `exchange` of the association at `path`, as drawn or as in `record`, and
    /// of the recorded exchange whose request it sends.
    pub fn exchange(&self, record: &Record, path: u32, exchange: u32) -> Option<(ExchangeId, ExchangeId)> {
        let at = exchange as usize;
        match self.workloads.as_ref().and_then(|all| all.get(path as usize)?.as_ref()) {
            Some(drawn) => Some((drawn.record.exchanges.get(at)?.id, *drawn.requests.get(at)?)),
            None => record.associations().get(path as usize)?.exchanges.get(at).map(|own| (own.id, own.id)),
        }
    }
}

/// Progress by simulated time: one pass per association, in equal parts of the time of the record.
struct Clock<'a, 'p> {
    progress: &'a SharedProgress<'p>,
    start: Instant,
    length: Span,
    parts: i64,
    passed: i64,
}

impl<'a, 'p> Clock<'a, 'p> {
    fn of(record: &Record, progress: &'a SharedProgress<'p>) -> Self {
        let (start, end) = record.window().unwrap_or((Instant::ZERO, Instant::ZERO));
        let parts = i64::try_from(record.associations().len()).unwrap_or(i64::MAX);
        Self { progress, start, length: end - start, parts, passed: 0 }
    }

    fn shows(&mut self, now: Instant) -> Result<(), Cancelled> {
        while self.passed < self.parts && now >= self.start + self.length.scale(self.passed + 1, self.parts) {
            self.passed += 1;
            self.progress.pass()?;
        }
        self.progress.ask()
    }
}

/// Pinned associations meet their recorded fates, the others a model's.
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
