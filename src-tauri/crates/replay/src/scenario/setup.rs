//! A checked scenario: workload plans, estimators, jobs.

use super::{Algorithm, AnotherRun, Bounds, CompletionTimes, Detail, Error, History, Scenario};
use crate::channel::{Assume, Outcomes};
use crate::engine::{Driver, Pair, Timers};
use crate::model::{
    AssociationRecord, Base, ChannelSpec, FirstAnswers, LoadResponse, Policy, Record, WorkloadChoice, WorkloadPlan,
};
use base::{Instant, Span};
use rto::{AlgorithmSpec, Estimator};
use serde_json::Value;
use std::sync::Mutex;

/// A checked scenario: all that its jobs share. Lists by association are in the order of the record.
#[derive(Debug)]
pub(crate) struct Setup {
    /// Rules of the sender.
    pub policy: Policy,
    /// Channel; no longer [`ChannelSpec::Auto`] where it is run.
    pub channel: ChannelSpec,
    /// Seed of every draw.
    pub seed: u64,
    /// Workload of each association.
    pub plans: Vec<WorkloadPlan>,
    /// Position in `prototypes` of the algorithm that each association runs; `None`: it stays as recorded.
    pub runs: Vec<Option<usize>>,
    prototypes: Vec<Prototype>,
    /// Beginning of the replay, and state of estimators there.
    pub history: History,
    replicates: u32,
    bounds: Bounds,
    another: AnotherRun,
    completions: CompletionTimes,
    /// Mechanisms of the network twin that are switched off.
    pub without: Vec<twin::Mechanism>,
    detail: Detail,
    /// Whether workloads are as detected in the trace.
    is_detected: bool,
    /// Number of replicates of this trace and of another run, in this order, that are there already, from the first one
    /// on.
    pub done: [u32; 2],
    /// Whether its bounds are there already.
    pub is_bounded: bool,
    /// Per path: by how much the counts of a client that stays as recorded exceed those that its known fates show
    /// ([`crate::estimate::ChannelStatistics::beyond_known`]); zero for clients that are simulated. Empty where none
    /// stays.
    pub open_counts: Vec<FirstAnswers>,
}

/// A unit of parallel work of one scenario.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Job {
    /// Bounds of the metrics.
    Bounds,
    /// One simulation with an assumption about fates that are not determined.
    Assume(Assume),
    /// The replicate of this trace with this number, from 0.
    Replicate(u32),
    /// The replicate of another run with this number, from 0.
    Another(u32),
}

/// Assumption and outcomes of one simulation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Realisation {
    /// Assumption of a channel without a model.
    pub assume: Assume,
    /// Random outcomes of copies.
    pub outcomes: Outcomes,
}

impl Realisation {
    /// Recorded outcomes, and no assumption: undetermined fates stay unknown.
    pub const AS_RECORDED: Self = Self { assume: Assume::Nothing, outcomes: Outcomes::Recorded };
}

/// A fresh estimator, with its pacer if it has one, to copy for each association.
#[derive(Debug)]
pub(crate) struct Prototype {
    // `Estimator` and `Pacer` are `Send`, not `Sync`; the lock is held for one copy per association.
    fresh: Mutex<Pair>,
    spec: Option<&'static AlgorithmSpec>,
    /// Whether packets name the copy that they answer ([`AlgorithmSpec::marks_attempts`]).
    pub marks: bool,
    /// Whether the estimator keeps state between exchanges ([`AlgorithmSpec::learns`]).
    pub learns: bool,
    /// Whether the sender waits one timeout after the last copy ([`AlgorithmSpec::waits_after_last`]).
    pub waits_after_last: bool,
    /// Whether the algorithm has a pacer.
    pub paced: bool,
}

impl Prototype {
    fn new(id: &str, params: &Value) -> Result<Self, Error> {
        let fresh = Pair { estimator: rto::build(id, params)?, pacer: rto::build_pacer(id, params)? };
        let spec = rto::spec(id);
        Ok(Self {
            paced: fresh.pacer.is_some(),
            fresh: Mutex::new(fresh),
            spec,
            marks: spec.is_some_and(|s| s.marks_attempts),
            learns: spec.is_none_or(AlgorithmSpec::learns),
            waits_after_last: spec.is_none_or(|s| s.waits_after_last),
        })
    }

    /// Copy of the fresh estimator.
    pub fn fresh(&self) -> Box<dyn Estimator> {
        self.both().estimator
    }

    fn both(&self) -> Pair {
        match self.fresh.lock() {
            Ok(fresh) => fresh.clone(),
            Err(poisoned) => poisoned.into_inner().clone(),
        }
    }

    /// Driver with copies of the fresh estimator and pacer.
    fn driver(&self) -> Driver {
        Driver::new(self.both(), self.spec)
    }
}

impl Setup {
    /// Checks `scenario` against `record` and resolves it. Errs with [`Error::NotPositive`] for a time, rate or room
    /// that must be positive, [`Error::NoAssociation`] for an association that the record lacks, and [`Error::Param`]
    /// for an unknown algorithm or parameter.
    pub fn new(record: &Record, scenario: &Scenario) -> Result<Self, Error> {
        if scenario.channel.tolerance() < Span::ZERO {
            return Err(Error::NotPositive("the tolerance"));
        }
        if scenario.policy.exchange_lifetime <= Span::ZERO {
            return Err(Error::NotPositive("EXCHANGE_LIFETIME"));
        }
        if scenario.policy.server.processing < Span::ZERO {
            return Err(Error::NotPositive("a server's processing time"));
        }
        if let ChannelSpec::Loaded { response: LoadResponse::Queue { service, room }, .. } = scenario.channel {
            if service.is_some_and(|service| service <= Span::ZERO) {
                return Err(Error::NotPositive("the time that a message is served"));
            }
            if room == Some(0) {
                return Err(Error::NotPositive("the room of a queue"));
            }
        }
        if scenario.policy.probing_rate == Some(0) {
            return Err(Error::NotPositive("PROBING_RATE"));
        }
        let named = scenario.as_recorded.iter().chain(scenario.mixed.iter().map(|(id, _)| id));
        for id in named {
            if !record.associations().iter().any(|a| a.id == *id) {
                return Err(Error::NoAssociation(*id));
            }
        }
        let mut prototypes = Vec::new();
        let mut known: Vec<(&Algorithm, Option<usize>)> = Vec::new();
        for algorithm in std::iter::once(&scenario.algorithm).chain(scenario.mixed.iter().map(|(_, a)| a)) {
            if let Algorithm::Preset { id, params } = algorithm
                && !known.iter().any(|(other, _)| *other == algorithm)
            {
                known.push((algorithm, Some(prototypes.len())));
                prototypes.push(Prototype::new(id, params)?);
            }
        }
        let run = |a: &AssociationRecord| {
            let own = scenario.mixed.iter().find(|(id, _)| *id == a.id).map_or(&scenario.algorithm, |(_, own)| own);
            let stays = scenario.as_recorded.contains(&a.id);
            known.iter().find(|(algorithm, _)| !stays && *algorithm == own).and_then(|k| k.1)
        };
        let runs: Vec<Option<usize>> = record.associations().iter().map(run).collect();
        let pinned: Vec<bool> = runs.iter().map(Option::is_none).collect();
        let is_queued = matches!(scenario.channel, ChannelSpec::Loaded { response: LoadResponse::Queue { .. }, .. });
        let plan = |(a, &pinned): (&AssociationRecord, &bool)| {
            let plan = WorkloadPlan::new(a, scenario.workload, pinned && scenario.workload == WorkloadChoice::Auto);
            if is_queued { plan.with_turnaround(&a.exchanges) } else { plan }
        };
        let plans = record.associations().iter().zip(&pinned).map(plan).collect();
        let setup = Self {
            policy: scenario.policy,
            channel: scenario.channel,
            seed: scenario.seed,
            plans,
            runs,
            prototypes,
            history: scenario.history,
            replicates: scenario.replicates,
            bounds: if scenario.is_bounded() { scenario.bounds } else { Bounds::Skip },
            another: scenario.another,
            completions: scenario.completions,
            without: scenario.without.clone(),
            detail: scenario.detail,
            is_detected: scenario.workload == WorkloadChoice::Auto,
            done: [0; 2],
            is_bounded: false,
            open_counts: Vec::new(),
        };
        Ok(match scenario.history.until() {
            Some(from) => setup.since(record, from),
            None => setup,
        })
    }

    /// Leaves out all exchanges that began before `from`.
    pub fn since(mut self, record: &Record, from: Instant) -> Self {
        let plans = std::mem::take(&mut self.plans);
        self.plans = plans.into_iter().zip(record.associations()).map(|(p, a)| p.since(&a.exchanges, from)).collect();
        self
    }

    /// Setup that replays the trace itself: every association stays as recorded.
    pub fn recorded(record: &Record) -> Self {
        Self {
            policy: Policy::default(),
            channel: ChannelSpec::RECORDED,
            seed: 0,
            plans: record.associations().iter().map(|a| WorkloadPlan::new(a, WorkloadChoice::Auto, true)).collect(),
            runs: vec![None; record.associations().len()],
            prototypes: Vec::new(),
            history: History::None,
            replicates: 0,
            bounds: Bounds::Skip,
            another: AnotherRun::Skip,
            completions: CompletionTimes::Skip,
            without: Vec::new(),
            detail: Detail::Metrics,
            is_detected: true,
            done: [0; 2],
            is_bounded: false,
            open_counts: Vec::new(),
        }
    }

    /// Whether the association at `path` stays as recorded.
    pub fn is_pinned(&self, path: u32) -> bool {
        self.prototype(path).is_none()
    }

    /// Whether a client stays as recorded.
    pub fn is_any_pinned(&self) -> bool {
        self.runs.iter().any(Option::is_none)
    }

    /// Whether all clients stay as recorded.
    pub fn is_all_pinned(&self) -> bool {
        self.runs.iter().all(Option::is_none)
    }

    /// Whether the fitted two-state channels are needed.
    pub const fn needs_channel_states(&self) -> bool {
        matches!(
            self.channel,
            ChannelSpec::GilbertElliott { .. } | ChannelSpec::Loaded { base: Base::GilbertElliott, .. }
        )
    }

    /// Whether the response of the medium to load must be identified.
    pub fn needs_load_fit(&self) -> bool {
        !self.is_all_pinned() && matches!(self.channel, ChannelSpec::Loaded { response: LoadResponse::Fitted, .. })
    }

    /// Whether the loads of recorded copies are needed: fates respond to the load of others.
    pub const fn needs_load_model(&self) -> bool {
        matches!(self.channel, ChannelSpec::Loaded { .. })
    }

    /// Whether copies pass a bottleneck, found or given.
    pub const fn is_queued(&self) -> bool {
        matches!(self.channel, ChannelSpec::Loaded { response: LoadResponse::Queue { .. }, .. })
    }

    /// Whether a bottleneck must be identified, because its service time is not given.
    pub fn needs_bottleneck(&self) -> bool {
        let asks =
            matches!(self.channel, ChannelSpec::Loaded { response: LoadResponse::Queue { service: None, .. }, .. });
        asks && !self.is_all_pinned()
    }

    /// Whether copies pass the network twin.
    pub fn needs_twin(&self) -> bool {
        self.channel == ChannelSpec::Twin && !self.is_all_pinned()
    }

    /// Whether the workload of the association at `path` is drawn: under the twin, unless it is given in some other
    /// way.
    pub fn draws_workload(&self, path: u32) -> bool {
        self.needs_twin() && !self.is_pinned(path) && self.is_detected && self.history == History::None
    }

    /// Algorithm of the association at `path`; `None`: it stays as recorded.
    pub fn prototype(&self, path: u32) -> Option<&Prototype> {
        self.runs.get(path as usize).copied().flatten().and_then(|at| self.prototypes.get(at))
    }

    /// Workload of the association at `path`, which must be one of the record.
    pub fn plan(&self, path: u32) -> &WorkloadPlan {
        &self.plans[path as usize]
    }

    /// Timers of `association`, at `path`, warm where there is a history to learn from.
    pub fn timers(&self, path: u32, association: &AssociationRecord) -> Timers {
        let Some(prototype) = self.prototype(path) else { return Timers::Recorded };
        let mut driver = prototype.driver();
        if self.policy.forgets() {
            driver = driver.may_forget();
        }
        if let (History::Learned { until }, Some(plan)) = (self.history, self.plans.get(path as usize)) {
            driver.live_through(&association.exchanges, &plan.over, until);
        }
        Timers::Algorithm(Box::new(driver))
    }

    /// Whether the fates of its copies depend on seed, channel and replicate alone, and `other` has these in common:
    /// then both can meet them in the same [`Channel`](crate::channel::Channel).
    pub fn shares(&self, other: &Self) -> bool {
        let modelled = matches!(self.channel, ChannelSpec::Empirical { .. } | ChannelSpec::GilbertElliott { .. });
        let alive = !self.is_all_pinned() && !other.is_all_pinned();
        modelled && alive && (self.channel, self.seed) == (other.channel, other.seed)
    }

    /// Jobs that are still to be done, in the order in which results are assembled.
    pub fn jobs(&self) -> impl Iterator<Item = Job> + use<> {
        let bounds = (self.bounds == Bounds::Compute && !self.is_bounded).then_some(Job::Bounds);
        let realisations: Vec<Job> = if self.is_all_pinned() {
            vec![Job::Assume(Assume::Nothing)]
        } else {
            match self.channel {
                ChannelSpec::Recorded { .. } => [Assume::Fast, Assume::Slow, Assume::Lost].map(Job::Assume).to_vec(),
                ChannelSpec::Empirical { .. }
                | ChannelSpec::GilbertElliott { .. }
                | ChannelSpec::Loaded { .. }
                | ChannelSpec::Twin
                // Chosen before there are jobs.
                | ChannelSpec::Auto => (self.done[0]..self.replicates).map(Job::Replicate).collect(),
            }
        };
        let others = (self.done[1]..self.asked()[1]).map(Job::Another);
        let own = if self.another == AnotherRun::Only && self.asked()[1] > 0 { Vec::new() } else { realisations };
        bounds.into_iter().chain(own).chain(others)
    }

    /// Number of replicates of this trace and of another run, in this order, that its result has.
    pub fn asked(&self) -> [u32; 2] {
        let is_modelled = !self.is_all_pinned() && !matches!(self.channel, ChannelSpec::Recorded { .. });
        let all = if is_modelled { self.replicates } else { 0 };
        match self.another {
            AnotherRun::Skip => [all, 0],
            AnotherRun::Compute => [all; 2],
            AnotherRun::Only => [0, all],
        }
    }

    /// Whether its result has bounds.
    pub fn wants_bounds(&self) -> bool {
        self.bounds == Bounds::Compute
    }

    /// Whether completion times are kept of this `job`: of replicates of this trace only.
    pub const fn completions(&self, job: Job) -> CompletionTimes {
        if matches!(job, Job::Another(_)) { CompletionTimes::Skip } else { self.completions }
    }

    /// Whether steps are kept of this `job`: of replicate 0, or of the optimistic assumption.
    pub fn wants_steps(&self, job: Job) -> bool {
        self.detail == Detail::Steps
            && matches!(job, Job::Replicate(0) | Job::Assume(Assume::Nothing) | Job::Assume(Assume::Fast))
    }
}
