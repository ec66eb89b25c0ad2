//! The network twin of a record: its machine, and its replicates.

mod frames;

pub use frames::{CopyOrigin, ReplicateFrames, SimulatedCopy};

use super::Replay;
use crate::channel::{BlockCounts, Channel, Outcomes, TwinChannel};
use crate::model::{DrawnWorkload, Keep, Record, WorkloadModel};
use crate::scenario::{Error, Setup};
use base::{Cancelled, Instant, Progress};
use trace::Trace;
use twin::{Known, Machine, Parameter, Refusal, Simulation};

/// Machine and workload model of a record.
#[derive(Clone, Debug)]
pub(super) struct Twin {
    machine: Machine,
    /// Models of its applications.
    pub workloads: WorkloadModel,
}

impl Twin {
    /// Twin of `record`. Where clients have several exchanges open at once, the machine says how many: the most that
    /// the capture shows, which may be fewer than their limit (NSTART).
    fn new(record: &Record, mut machine: Machine) -> Self {
        let workloads = WorkloadModel::new(record, machine.access);
        let (most, all) = (workloads.most_open(), record.exchanges() as u64);
        if most > 1 {
            machine.parameters.push(Parameter::exact("exchanges-open-at-once", most as f64, "", Known::Read, all));
        }
        Self { machine, workloads }
    }

    /// Returns the same twin with another value of the preset called `name` ([`Machine::with_preset`]).
    pub fn with_preset(&self, name: &str, value: f64) -> Self {
        Self { machine: self.machine.with_preset(name, value), workloads: self.workloads.clone() }
    }
}

/// Bit of a replicate's number that separates the draws of other runs from those of this one.
const ANOTHER: u32 = 1 << 31;

impl Replay {
    /// Infers the machine of the network from `trace`, which this replay's record was made of, unless that is done.
    /// Scenarios with [`crate::ChannelSpec::Twin`] need it; a refusal is kept ([`Replay::machine`]) and is no error.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks.
    pub fn learn_network(&self, trace: &Trace, progress: &mut dyn Progress) -> Result<(), Cancelled> {
        if self.twin.get().is_none() {
            let machine = twin::infer(trace, progress)?;
            let twin = machine.map(|machine| Twin::new(&self.record, machine));
            // Another thread may have been first, with the same result.
            self.twin.get_or_init(|| twin);
        }
        Ok(())
    }

    /// The replay of a capture that ended at `end`, with the same machine of its network.
    pub(crate) fn until(&self, end: Instant, progress: &mut dyn Progress) -> Result<Self, Cancelled> {
        Ok(Self::new(self.record.until(end), progress)?.on_network_of(self, Machine::clone))
    }

    /// Gives this replay the machine of `other` as `change` makes it, with the workloads of its own record; no machine
    /// where `other` has none.
    pub(super) fn on_network_of(self, other: &Self, change: impl Fn(&Machine) -> Machine) -> Self {
        if let Some(twin) = other.twin.get() {
            let own = |Twin { machine, .. }: &Twin| Twin {
                workloads: WorkloadModel::new(&self.record, machine.access),
                machine: change(machine),
            };
            self.twin.get_or_init(|| twin.as_ref().map(own).map_err(|why| *why));
        }
        self
    }

    /// Machine of the network twin, or the reason for which there is none; `None` before [`Replay::learn_network`].
    #[must_use]
    pub fn machine(&self) -> Option<Result<&Machine, Refusal>> {
        self.twin.get().map(|twin| twin.as_ref().map(|twin| &twin.machine).map_err(|why| *why))
    }

    /// Twin for a scenario that needs it; errs with [`Error::NoTwin`] where the capture shows none, and
    /// [`Error::TwinNotLearned`] before [`Replay::learn_network`].
    pub(super) fn needed_twin(&self) -> Result<&Twin, Error> {
        match self.twin.get() {
            Some(Ok(twin)) => Ok(twin),
            Some(Err(why)) => Err(Error::NoTwin(*why)),
            None => Err(Error::TwinNotLearned),
        }
    }

    /// Twin through which `setup` sends copies; `None` where it sends none through it.
    pub(super) fn twin_of(&self, setup: &Setup) -> Option<&Twin> {
        setup.needs_twin().then(|| self.needed_twin().ok()).flatten()
    }

    /// Workloads of one replicate by association, `None` for one whose workload is not drawn; `None` as a whole without
    /// a twin.
    pub(super) fn workloads(
        &self,
        setup: &Setup,
        replicate: u32,
        outcomes: Outcomes,
    ) -> Option<Vec<Option<DrawnWorkload>>> {
        let twin = self.twin_of(setup)?;
        let keep = if outcomes == Outcomes::Resampled { Keep::Nothing } else { Keep::Known };
        let draw = |(path, record): (u32, _)| {
            let plan = setup.plan(path);
            let draws = (setup.seed, number(replicate, outcomes));
            setup.draws_workload(path).then(|| twin.workloads.draw(record, plan, (path, keep), draws))
        };
        let mut drawn: Vec<Option<DrawnWorkload>> = (0..).zip(self.record.associations()).map(draw).collect();
        let ids = self.record.associations().iter().flat_map(|a| a.exchanges.iter().map(|e| e.id.0));
        let mut next = ids.max().map_or(0, |last| last.saturating_add(1));
        drawn.iter_mut().flatten().for_each(|workload| workload.number(&mut next));
        Some(drawn)
    }

    /// Opens the channel of one replicate through the network twin.
    pub(super) fn twin_channel<'a>(
        &'a self,
        setup: &Setup,
        (twin, workloads): (&'a Twin, Option<&[Option<DrawnWorkload>]>),
        replicate: u32,
        outcomes: Outcomes,
    ) -> Box<dyn Channel + 'a> {
        let shape = |id: base::ExchangeId| twin.machine.shape_of.get(id.index()).copied().unwrap_or(0);
        let shapes = self.record.associations().iter().enumerate().map(|(path, recorded)| {
            let drawn = workloads.and_then(|all| all.get(path)?.as_ref());
            match drawn {
                Some(drawn) => drawn.requests.iter().map(|&id| shape(id)).collect(),
                None => recorded.exchanges.iter().map(|e| shape(e.id)).collect(),
            }
        });
        let pinned = (0..self.record.associations().len() as u32).map(|path| setup.is_pinned(path)).collect();
        let simulation =
            Simulation::new(&twin.machine, setup.seed, number(replicate, outcomes)).without(&setup.without);
        let simulation = match outcomes {
            // Moved to other times they would stop less of what they stopped: only traffic shows an outage.
            Outcomes::Resampled => {
                let blocks = BlockCounts::draw(&self.record, (setup.seed, replicate));
                simulation.with_longer_outages(|at| blocks.of(at))
            }
            Outcomes::Recorded => simulation,
        };
        Box::new(TwinChannel::new(simulation, shapes.collect(), (pinned, self.pinned_clients(setup))))
    }
}

/// Number of a replicate among those of this run and of others.
fn number(replicate: u32, outcomes: Outcomes) -> u32 {
    if outcomes == Outcomes::Resampled { replicate | ANOTHER } else { replicate }
}
