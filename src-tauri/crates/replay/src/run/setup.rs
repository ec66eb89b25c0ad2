//! A scenario checked and made ready: plans, estimator, jobs.

use super::{Algorithm, Bounds, Detail, Error, Job, Replay, Scenario};
use crate::channel::{
    AsItWas, Assume, Base, Channel, ChannelSpec, Empirical, GilbertElliottChannel, Lends, LoadResponse, Loaded, Recorded,
};
use crate::engine::{Driver, Pair, Timers};
use crate::load::Slopes;
use crate::plan::Plan;
use crate::policy::{Policy, WorkloadChoice};
use crate::record::Record;
use base::Span;
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
    /// Per association: stays as recorded.
    pinned: Vec<bool>,
    prototype: Option<Prototype>,
    replicates: u32,
    bounds: Bounds,
    detail: Detail,
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
        if scenario.policy.probing_rate == Some(0) {
            return Err(Error::NotPositive("PROBING_RATE"));
        }
        let prototype = match &scenario.algorithm {
            Algorithm::AsRecorded => None,
            Algorithm::Preset { id, params } => Some(Prototype::new(id, params)?),
        };
        for id in &scenario.as_recorded {
            if !record.associations().iter().any(|a| a.id == *id) {
                return Err(Error::NoAssociation(*id));
            }
        }
        let pinned: Vec<bool> =
            record.associations().iter().map(|a| prototype.is_none() || scenario.as_recorded.contains(&a.id)).collect();
        let plan = |(a, &pinned): (&_, &bool)| {
            Plan::new(a, scenario.workload, pinned && scenario.workload == WorkloadChoice::Auto)
        };
        let plans = record.associations().iter().zip(&pinned).map(plan).collect();
        Ok(Self {
            policy: scenario.policy,
            channel: scenario.channel,
            seed: scenario.seed,
            plans,
            pinned,
            prototype,
            replicates: scenario.replicates,
            bounds: scenario.bounds,
            detail: scenario.detail,
        })
    }

    /// The trace itself.
    pub fn recorded(record: &Record) -> Self {
        Self {
            policy: Policy::default(),
            channel: ChannelSpec::RECORDED,
            seed: 0,
            plans: record.associations().iter().map(|a| Plan::new(a, WorkloadChoice::Auto, true)).collect(),
            pinned: vec![true; record.associations().len()],
            prototype: None,
            replicates: 0,
            bounds: Bounds::Skip,
            detail: Detail::Metrics,
        }
    }

    pub fn is_pinned(&self, path: u32) -> bool {
        self.pinned.get(path as usize).copied().unwrap_or(true)
    }

    /// Whether nobody does anything else than was recorded.
    pub fn is_all_pinned(&self) -> bool {
        self.pinned.iter().all(|&pinned| pinned)
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

    pub const fn prototype(&self) -> Option<&Prototype> {
        self.prototype.as_ref()
    }

    pub fn timers(&self) -> Timers {
        match &self.prototype {
            None => Timers::Recorded,
            Some(p) if self.policy.forgets() => Timers::Algorithm(Box::new(p.driver().may_forget())),
            Some(p) => Timers::Algorithm(Box::new(p.driver())),
        }
    }

    /// The channel of one replicate. A channel without a model assumes `assume` of what is not determined.
    pub fn open<'a>(&self, replay: &'a Replay, replicate: u32, assume: Assume) -> Box<dyn Channel + 'a> {
        let Replay { record, index, climate, .. } = replay;
        match self.channel {
            ChannelSpec::Recorded { tolerance } => Box::new(Recorded { index, tolerance, assume }),
            ChannelSpec::Empirical { tolerance } => {
                Box::new(Empirical::new(record, index, climate, tolerance, self.seed, replicate))
            }
            ChannelSpec::GilbertElliott { tolerance } => {
                let (weather, draws) = (replay.weather(), (self.seed, replicate));
                Box::new(GilbertElliottChannel::new(record, index, climate, weather, tolerance, draws))
            }
            ChannelSpec::Loaded { base, response, tolerance } => {
                let (crowd, draws) = (replay.crowd(), (self.seed, replicate));
                let climate = &crowd.climate;
                let base: Box<dyn Lends + 'a> = match base {
                    Base::Empirical => {
                        Box::new(Empirical::new(record, index, climate, tolerance, self.seed, replicate))
                    }
                    Base::GilbertElliott => {
                        Box::new(GilbertElliottChannel::new(record, index, climate, replay.weather(), tolerance, draws))
                    }
                };
                let slopes = match (response, &crowd.fit) {
                    (LoadResponse::Given { loss, rtt }, _) => Slopes { loss, rtt },
                    (LoadResponse::Fitted, Ok(fit)) => fit.draw(self.seed, replicate),
                    // Refused before anything runs.
                    (LoadResponse::Fitted, Err(_)) => Slopes { loss: 0.0, rtt: 0.0 },
                };
                let recorded = Recorded { index, tolerance, assume: Assume::Nothing };
                let last = |plan: &Plan| plan.looped.then(|| (plan.triggers.len() as u32).saturating_sub(1));
                let last = self.plans.iter().map(last).collect();
                let as_it_was = AsItWas { recorded, pinned: self.pinned.clone(), last };
                Box::new(Loaded::new(base, as_it_was, (crowd, index), slopes, tolerance, draws))
            }
        }
    }

    /// What there is to do, in the order in which results are put together.
    pub fn jobs(&self) -> impl Iterator<Item = Job> + use<> {
        let bounds = (self.bounds == Bounds::Compute).then_some(Job::Bounds);
        let realisations: Vec<Job> = if self.prototype.is_none() {
            vec![Job::Assume(Assume::Nothing)]
        } else {
            match self.channel {
                ChannelSpec::Recorded { .. } => [Assume::Fast, Assume::Slow, Assume::Lost].map(Job::Assume).to_vec(),
                ChannelSpec::Empirical { .. } | ChannelSpec::GilbertElliott { .. } | ChannelSpec::Loaded { .. } => {
                    (0..self.replicates).map(Job::Replicate).collect()
                }
            }
        };
        bounds.into_iter().chain(realisations)
    }

    /// Steps are kept of the first realisation: replicate 0, or the optimistic assumption.
    pub fn wants_steps(&self, job: Job) -> bool {
        self.detail == Detail::Steps
            && matches!(job, Job::Replicate(0) | Job::Assume(Assume::Nothing) | Job::Assume(Assume::Fast))
    }
}
