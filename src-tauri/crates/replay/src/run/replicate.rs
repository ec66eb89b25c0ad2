//! One replicate: its simulation, and its metrics.

use super::Replay;
use crate::channel::Channel;
use crate::engine::{Client, EventQueue, NoSteps, RunningMedian, SingleClient, StepObserver, Steps, simulate};
use crate::metrics::{Counts, Histogram, Values, measure};
use crate::model::Policy;
use crate::scenario::CompletionTimes;
use base::{AssociationId, Cancelled, Instant};

/// Metrics of one replicate, or of the trace.
#[derive(Debug, Clone)]
pub(crate) struct ReplicateMetrics {
    /// Metrics over all associations.
    pub overall: Values,
    /// Counts over all associations, from which these metrics follow.
    pub counts: Counts,
    /// Metrics and counts of each association, in the order of the record.
    pub associations: Vec<(Values, Counts)>,
    /// Distribution of completion times, where it is wanted.
    pub completions: Option<Box<Histogram>>,
}

impl ReplicateMetrics {
    /// Distribution of completion times, where it is wanted.
    pub fn completions(&self) -> Option<&Histogram> {
        self.completions.as_deref()
    }

    /// Memory that it takes, in octets.
    pub fn octets(&self) -> usize {
        let completions = self.completions.as_ref().map_or(0, |histogram| histogram.octets());
        size_of::<Self>() + self.associations.capacity() * size_of::<(Values, Counts)>() + completions
    }
}

/// One replicate in progress: associations are simulated and added in the order of the record.
#[derive(Debug)]
pub(super) struct Replicate {
    /// Durations of all successes, nanoseconds.
    durations: Vec<i64>,
    associations: Vec<(Values, Counts)>,
    overall: Counts,
    /// Memory for one association after the other.
    strong: RunningMedian,
    /// Whether completion times are wanted.
    wants_completions: bool,
    /// Steps, where they are wanted.
    steps: Option<Steps>,
}

impl Replicate {
    /// Replicate without any association yet.
    pub fn new(replay: &Replay, wants_steps: bool, completions: CompletionTimes) -> Self {
        Self {
            durations: Vec::with_capacity(replay.record().exchanges()),
            associations: Vec::with_capacity(replay.record().associations().len()),
            overall: Counts::default(),
            strong: RunningMedian::default(),
            wants_completions: completions == CompletionTimes::Keep,
            steps: wants_steps.then(|| Steps::with_room(replay.record().exchanges())),
        }
    }

    /// Simulates `clients` together until `until`. Calls `report` with the simulated time now and then; errs only when
    /// `report` does, which ends the simulation.
    pub fn simulate<C: Channel + ?Sized>(
        &mut self,
        clients: &mut [Client<'_>],
        policy: &Policy,
        channel: &mut C,
        heap: &mut EventQueue,
        until: Instant,
        report: &mut dyn FnMut(Instant) -> Result<(), Cancelled>,
    ) -> Result<(), Cancelled> {
        match &mut self.steps {
            Some(steps) => simulate(clients, policy, channel, steps, heap, until, report),
            None => simulate(clients, policy, channel, &mut NoSteps, heap, until, report),
        }
    }

    /// Groups the steps of clients that were simulated together by association, in this `order`.
    pub fn joined(&mut self, order: &[AssociationId]) {
        if let Some(steps) = &mut self.steps {
            steps.joined(order);
        }
    }

    /// Whether steps are recorded.
    pub fn wants_steps(&self) -> bool {
        self.steps.is_some()
    }

    /// Simulates the next association by itself, and measures it.
    pub fn alone<C: Channel + ?Sized>(&mut self, client: SingleClient<'_>, channel: &mut C) {
        let from = self.durations.len();
        let (mut counts, payloads) = (Counts::default(), client.payloads());
        counts.tally = client.simulate(channel, &mut self.strong, |exchange, run| {
            let payload = payloads.get(exchange as usize).copied().unwrap_or(0);
            counts.add(&run, payload, &mut self.durations);
        });
        self.count(from, counts);
    }

    /// Measures the next association, which `client` has simulated.
    pub fn add(&mut self, client: &Client<'_>) {
        let from = self.durations.len();
        let counts = Counts::of(&client.runs, &client.record.exchanges, client.tally, &mut self.durations);
        self.count(from, counts);
    }

    /// The next association has these counts; its durations are those `from` there on.
    fn count(&mut self, from: usize, counts: Counts) {
        let own = self.durations.get_mut(from..).unwrap_or(&mut []);
        self.associations.push((measure(&counts, own), counts));
        self.overall.merge(&counts);
    }

    /// Finishes the replicate: its metrics, and its steps, empty unless they were wanted.
    pub fn measured(mut self) -> (ReplicateMetrics, Steps) {
        let overall = measure(&self.overall, &mut self.durations);
        let started = self.overall.started;
        let completions = self.wants_completions.then(|| Box::new(Histogram::of(&self.durations, started)));
        let measured = ReplicateMetrics { overall, counts: self.overall, associations: self.associations, completions };
        let mut steps = self.steps.unwrap_or_default();
        steps.shrink();
        (measured, steps)
    }
}
