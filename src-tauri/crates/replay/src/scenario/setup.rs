//! A checked scenario: workload plans, estimators, jobs.

use super::{Algorithm, AnotherRun, Bounds, CompletionTimes, Detail, Error, History, Scenario};
use crate::channel::{Assume, Outcomes};
use crate::engine::{Driver, Pair, Timers};
use crate::model::{AssociationRecord, Base, ChannelSpec, LoadResponse, Plan, Policy, Record, WorkloadChoice};
use base::{Instant, Span};
use rto::{AlgorithmSpec, Estimator};
use serde_json::Value;
use std::sync::Mutex;

/// A checked scenario.
#[derive(Debug)]
pub(crate) struct Setup {
    pub policy: Policy,
    pub channel: ChannelSpec,
    pub seed: u64,
    pub plans: Vec<Plan>,
    /// Per association which of `prototypes` it runs; `None`: it stays as recorded.
    pub runs: Vec<Option<usize>>,
    prototypes: Vec<Prototype>,
    pub history: History,
    replicates: u32,
    bounds: Bounds,
    another: AnotherRun,
    completions: CompletionTimes,
    /// Mechanisms of the network twin that are switched off.
    pub without: Vec<twin::Mechanism>,
    detail: Detail,
    /// Workloads are as detected in the trace.
    is_detected: bool,
    /// Replicates of this trace and of another run that are there already, from the first one on.
    pub done: [u32; 2],
    /// Its bounds are there already.
    pub is_bounded: bool,
}

/// A unit of parallel work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Job {
    Bounds,
    Assume(Assume),
    Replicate(u32),
    Another(u32),
}

/// Choices of one realisation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Realisation {
    /// Assumption of a channel without a model.
    pub assume: Assume,
    /// Random outcomes of copies.
    pub outcomes: Outcomes,
}

impl Realisation {
    /// Recorded outcomes, no assumption.
    pub const AS_RECORDED: Self = Self { assume: Assume::Nothing, outcomes: Outcomes::Recorded };
}

/// A fresh estimator, and perhaps a pacer, to copy.
#[derive(Debug)]
pub(crate) struct Prototype {
    // `Estimator` and `Pacer` are `Send`, not `Sync`; the lock is held for one copy per association.
    fresh: Mutex<Pair>,
    spec: Option<&'static AlgorithmSpec>,
    pub marks: bool,
    pub learns: bool,
    pub waits_after_last: bool,
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

    /// A fresh estimator.
    pub fn fresh(&self) -> Box<dyn Estimator> {
        self.both().estimator
    }

    fn both(&self) -> Pair {
        match self.fresh.lock() {
            Ok(fresh) => fresh.clone(),
            Err(poisoned) => poisoned.into_inner().clone(),
        }
    }

    /// Both at work.
    fn driver(&self) -> Driver {
        Driver::new(self.both(), self.spec)
    }
}

impl Setup {
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
            let plan = Plan::new(a, scenario.workload, pinned && scenario.workload == WorkloadChoice::Auto);
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
        };
        Ok(match scenario.history.until() {
            Some(from) => setup.since(record, from),
            None => setup,
        })
    }

    /// The same without what began before `from`.
    pub fn since(mut self, record: &Record, from: Instant) -> Self {
        let plans = std::mem::take(&mut self.plans);
        self.plans = plans.into_iter().zip(record.associations()).map(|(p, a)| p.since(&a.exchanges, from)).collect();
        self
    }

    /// The trace itself.
    pub fn recorded(record: &Record) -> Self {
        Self {
            policy: Policy::default(),
            channel: ChannelSpec::RECORDED,
            seed: 0,
            plans: record.associations().iter().map(|a| Plan::new(a, WorkloadChoice::Auto, true)).collect(),
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
        }
    }

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

    pub const fn needs_channel_states(&self) -> bool {
        matches!(
            self.channel,
            ChannelSpec::GilbertElliott { .. } | ChannelSpec::Loaded { base: Base::GilbertElliott, .. }
        )
    }

    /// Whether it has to be known how the medium responds to load.
    pub fn needs_load_fit(&self) -> bool {
        !self.is_all_pinned() && matches!(self.channel, ChannelSpec::Loaded { response: LoadResponse::Fitted, .. })
    }

    /// Whether copies feel what others have under way.
    pub const fn needs_load_model(&self) -> bool {
        matches!(self.channel, ChannelSpec::Loaded { .. })
    }

    /// Whether copies pass a bottleneck, found or given.
    pub const fn is_queued(&self) -> bool {
        matches!(self.channel, ChannelSpec::Loaded { response: LoadResponse::Queue { .. }, .. })
    }

    /// Whether it has to be known how a bottleneck works.
    pub fn needs_bottleneck(&self) -> bool {
        let asks =
            matches!(self.channel, ChannelSpec::Loaded { response: LoadResponse::Queue { service: None, .. }, .. });
        asks && !self.is_all_pinned()
    }

    /// Whether copies pass the network twin.
    pub fn needs_twin(&self) -> bool {
        self.channel == ChannelSpec::Twin && !self.is_all_pinned()
    }

    /// Whether the workload of the association at `path` is drawn: under the twin, unless it is given in some other way.
    pub fn draws_workload(&self, path: u32) -> bool {
        self.needs_twin() && !self.is_pinned(path) && self.is_detected && self.history == History::None
    }

    /// Algorithm of the association at `path`; `None`: it stays as recorded.
    pub fn prototype(&self, path: u32) -> Option<&Prototype> {
        self.runs.get(path as usize).copied().flatten().and_then(|at| self.prototypes.get(at))
    }

    /// The workload of the association at `path`.
    pub fn plan(&self, path: u32) -> &Plan {
        &self.plans[path as usize]
    }

    /// The timers of `association`, at `path`, warm where there is a history to know.
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

    /// Whether what its copies meet is a matter of seed, channel and replicate, so that scenarios that have these in common can meet it
    /// in the same [`Channel`].
    pub fn shares(&self, other: &Self) -> bool {
        let modelled = matches!(self.channel, ChannelSpec::Empirical { .. } | ChannelSpec::GilbertElliott { .. });
        let alive = !self.is_all_pinned() && !other.is_all_pinned();
        modelled && alive && (self.channel, self.seed) == (other.channel, other.seed)
    }

    /// Units of work, in the order in which results are assembled.
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

    /// Replicates of this trace and of another run that its result has.
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

    /// Completion times are kept of this trace's replicates.
    pub const fn completions(&self, job: Job) -> CompletionTimes {
        if matches!(job, Job::Another(_)) { CompletionTimes::Skip } else { self.completions }
    }

    /// Steps are kept of the first realisation: replicate 0, or the optimistic assumption.
    pub fn wants_steps(&self, job: Job) -> bool {
        self.detail == Detail::Steps
            && matches!(job, Job::Replicate(0) | Job::Assume(Assume::Nothing) | Job::Assume(Assume::Fast))
    }
}
