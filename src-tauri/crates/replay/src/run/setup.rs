//! A scenario checked and made ready: plans, estimator, jobs.

use super::{Algorithm, AnotherRun, Bounds, Detail, Error, History, Job, Replay, Scenario};
use crate::channel::{
    Anew, AsItWas, Assume, Base, Channel, ChannelSpec, Climate, Empirical, GilbertElliottChannel, Index, Lends,
    LoadResponse, Loaded, Luck, Queued, Recorded, Remembered,
};
use crate::engine::{Driver, Pair, Timers};
use crate::load::Slopes;
use crate::plan::Plan;
use crate::policy::{Policy, WorkloadChoice};
use crate::queue::Node;
use crate::record::{AssociationRecord, Record};
use base::{Instant, Span};
use rto::{AlgorithmSpec, Estimator};
use serde_json::Value;
use std::sync::Mutex;

/// A scenario made ready.
#[derive(Debug)]
pub(crate) struct Setup {
    pub policy: Policy,
    pub channel: ChannelSpec,
    pub seed: u64,
    pub plans: Vec<Plan>,
    /// Per association which of `prototypes` it runs; `None`: it stays as recorded.
    runs: Vec<Option<usize>>,
    prototypes: Vec<Prototype>,
    history: History,
    replicates: u32,
    bounds: Bounds,
    another: AnotherRun,
    detail: Detail,
}

/// How one realisation takes the record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    /// What a channel without a model takes for granted.
    pub assume: Assume,
    /// Whose luck copies have.
    pub luck: Luck,
}

impl Taken {
    /// As it is.
    pub const AS_IT_IS: Self = Self { assume: Assume::Nothing, luck: Luck::Recorded };
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
        let plan = |(a, &pinned): (&_, &bool)| {
            Plan::new(a, scenario.workload, pinned && scenario.workload == WorkloadChoice::Auto)
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
            detail: scenario.detail,
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
            detail: Detail::Metrics,
        }
    }

    pub fn is_pinned(&self, path: u32) -> bool {
        self.prototype(path).is_none()
    }

    /// Whether nobody does anything else than was recorded.
    pub fn is_all_pinned(&self) -> bool {
        self.runs.iter().all(Option::is_none)
    }

    pub const fn needs_weather(&self) -> bool {
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
    pub const fn needs_crowd(&self) -> bool {
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

    /// What the association at `path` runs; `None`: it stays as recorded.
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

    /// The channel of one replicate. A channel without a model assumes `assume` of what is not determined.
    pub fn open<'a>(&self, replay: &'a Replay, replicate: u32, taken: Taken) -> Box<dyn Channel + 'a> {
        self.open_for(false, replay, replicate, taken)
    }

    /// As [`Setup::open`]; for `many` scenarios that share it, what first copies meet is kept.
    pub fn open_for<'a>(
        &self,
        many: bool,
        replay: &'a Replay,
        replicate: u32,
        Taken { assume, luck }: Taken,
    ) -> Box<dyn Channel + 'a> {
        let Replay { record, index, climate, .. } = replay;
        let draws = (self.seed, replicate);
        match (self.channel, luck) {
            (ChannelSpec::Recorded { tolerance }, _) => Box::new(Recorded { index, tolerance, assume }),
            (ChannelSpec::Empirical { tolerance }, Luck::Recorded) => {
                self.kept(many, index, Empirical::new(record, index, climate, tolerance, self.seed, replicate))
            }
            (ChannelSpec::GilbertElliott { tolerance }, Luck::Recorded) => {
                let weather = replay.weather();
                self.kept(many, index, GilbertElliottChannel::new(record, index, climate, weather, tolerance, draws))
            }
            (ChannelSpec::Empirical { tolerance }, Luck::Anew) => {
                let base = self.lends(replay, climate, Base::Empirical, tolerance, replicate);
                self.kept(many, index, Anew::new(base, record, draws))
            }
            (ChannelSpec::GilbertElliott { tolerance }, Luck::Anew) => {
                let base = self.lends(replay, climate, Base::GilbertElliott, tolerance, replicate);
                self.kept(many, index, Anew::new(base, record, draws))
            }
            (ChannelSpec::Loaded { base, response, tolerance }, _) => {
                let crowd = replay.crowd();
                let queue = match response {
                    LoadResponse::Queue { service, room } => Some((replay.queue(), service, room)),
                    LoadResponse::Fitted | LoadResponse::Given { .. } => None,
                };
                let climate = queue.map_or(&crowd.climate, |(queue, ..)| &queue.climate);
                let base = self.lends(replay, climate, base, tolerance, replicate);
                let base = if luck == Luck::Anew { Box::new(Anew::new(base, record, draws)) } else { base };
                let recorded = Recorded { index, tolerance, assume: Assume::Nothing };
                let last = |(plan, a): (&Plan, &AssociationRecord)| {
                    (plan.looped || a.has_more()).then(|| (plan.triggers.len() as u32).saturating_sub(1))
                };
                let last = self.plans.iter().zip(record.associations()).map(last).collect();
                let as_it_was = AsItWas {
                    recorded,
                    pinned: self.runs.iter().map(Option::is_none).collect(),
                    last,
                    since: self.history.until(),
                };
                if let Some((queue, service, room)) = queue {
                    let fit = queue.fit.as_ref().ok();
                    // Refused before anything runs where there is neither.
                    let drawn = || fit.map_or(0.0, |fit| fit.draw(self.seed, replicate));
                    let drawn_room = fit.map(|fit| fit.room(self.seed, replicate));
                    let node = Node {
                        service: service.map_or_else(drawn, Span::secs_f64),
                        room: room.or(drawn_room).unwrap_or(u32::MAX),
                        shared: fit.is_none_or(|fit| fit.shared),
                    };
                    return Box::new(Queued::new(base, as_it_was, (queue, &crowd.loads), node, tolerance, draws));
                }
                let slopes = match (response, &crowd.fit) {
                    (LoadResponse::Given { loss, rtt }, _) => Slopes { loss, rtt },
                    (LoadResponse::Fitted, Ok(fit)) => fit.draw(self.seed, replicate),
                    // Refused before anything runs.
                    (LoadResponse::Fitted | LoadResponse::Queue { .. }, _) => Slopes { loss: 0.0, rtt: 0.0 },
                };
                Box::new(Loaded::new(base, as_it_was, (crowd, index), slopes, tolerance, draws))
            }
        }
    }

    /// `channel` as it is, or for `many` scenarios.
    fn kept<'a, C: Lends + Channel + 'a>(&self, many: bool, index: &Index, channel: C) -> Box<dyn Channel + 'a> {
        // Requests that follow an end seldom go out together: that end is another one under every timer.
        let coincide = |path: u32| self.plans.get(path as usize).is_some_and(|plan| !plan.looped);
        let any = || (0..index.paths.len() as u32).any(coincide);
        if many && any() { Box::new(Remembered::new(channel, index, coincide)) } else { Box::new(channel) }
    }

    /// What lends fates, from `climate`.
    fn lends<'a>(
        &self,
        replay: &'a Replay,
        climate: &'a Climate,
        base: Base,
        tolerance: Span,
        replicate: u32,
    ) -> Box<dyn Lends + 'a> {
        let Replay { record, index, .. } = replay;
        match base {
            Base::Empirical => Box::new(Empirical::new(record, index, climate, tolerance, self.seed, replicate)),
            Base::GilbertElliott => {
                let (weather, draws) = (replay.weather(), (self.seed, replicate));
                Box::new(GilbertElliottChannel::new(record, index, climate, weather, tolerance, draws))
            }
        }
    }

    /// What there is to do, in the order in which results are put together.
    pub fn jobs(&self) -> impl Iterator<Item = Job> + use<> {
        let bounds = (self.bounds == Bounds::Compute).then_some(Job::Bounds);
        let realisations: Vec<Job> = if self.is_all_pinned() {
            vec![Job::Assume(Assume::Nothing)]
        } else {
            match self.channel {
                ChannelSpec::Recorded { .. } => [Assume::Fast, Assume::Slow, Assume::Lost].map(Job::Assume).to_vec(),
                ChannelSpec::Empirical { .. } | ChannelSpec::GilbertElliott { .. } | ChannelSpec::Loaded { .. } => {
                    (0..self.replicates).map(Job::Replicate).collect()
                }
            }
        };
        let another = self.another == AnotherRun::Compute && matches!(realisations.first(), Some(Job::Replicate(_)));
        let anew = (0..if another { self.replicates } else { 0 }).map(Job::Another);
        bounds.into_iter().chain(realisations).chain(anew)
    }

    /// Steps are kept of the first realisation: replicate 0, or the optimistic assumption.
    pub fn wants_steps(&self, job: Job) -> bool {
        self.detail == Detail::Steps
            && matches!(job, Job::Replicate(0) | Job::Assume(Assume::Nothing) | Job::Assume(Assume::Fast))
    }
}
