//! One replicate of the network twin again, with every frame.

use crate::channel::{FrameLog, Sent};
use crate::run::Replay;
use crate::run::open::SharedBy;
use crate::run::replicate::Replicate;
use crate::scenario::{CompletionTimes, Error, Realisation, Scenario, Setup};
use base::{ExchangeId, Instant, Progress, SharedProgress};
use std::collections::BTreeMap;
use trace::MacAddr;
use twin::{Ends, Machine, NodeId, SimulatedFrame, Way};

/// Every frame of one replicate through the network twin, by copy.
#[derive(Clone, PartialEq, Debug)]
pub struct ReplicateFrames {
    log: FrameLog,
    /// Keys of copies by exchange and number, from 0.
    keys: BTreeMap<(ExchangeId, u16), u64>,
    /// Link-layer addresses of the nodes, in the order of their numbers.
    nodes: Vec<MacAddr>,
    /// Client and server of each association, in the order of the record; `None` where their nodes are not known.
    ends: Vec<Option<Ends>>,
}

/// One copy of a replicate, with its way and that of the answer to it.
#[derive(Clone, PartialEq, Debug)]
pub struct SimulatedCopy {
    /// Moment at which its client gave it to the network.
    pub sent: Instant,
    /// Client and server.
    pub ends: Ends,
    /// Way of the request.
    pub request: Way,
    /// Way of the answer; empty where the server sent none.
    pub answer: Way,
}

impl SimulatedCopy {
    /// Returns the moment at which the answer reached the client; `None` where it did not.
    #[must_use]
    pub fn answered(&self) -> Option<Instant> {
        self.answer.reached(self.ends.client)
    }

    /// Returns the moment at which the request reached the server; `None` where it did not.
    #[must_use]
    pub fn served(&self) -> Option<Instant> {
        self.request.reached(self.ends.server)
    }
}

impl ReplicateFrames {
    /// Returns copy `number` (from 0) of an exchange, as [`crate::Steps`] names both. `None` where it was not sent, or where its client stays
    /// as recorded, or its nodes are not known: what a simulation says of it is not its fate.
    #[must_use]
    pub fn copy(&self, exchange: ExchangeId, number: u16) -> Option<SimulatedCopy> {
        let &key = self.keys.get(&(exchange, number))?;
        let &sent = usize::try_from(key).ok().and_then(|key| self.log.copies.get(key))?;
        let ends = self.ends.get(sent.path as usize).copied().flatten()?;
        let (request, answer) = (self.log.ways.of(key, false), self.log.ways.of(key, true));
        Some(SimulatedCopy { sent: sent.at, ends, request, answer })
    }

    /// Returns the link-layer address of `node`; [`MacAddr::None`] where there is no such node.
    #[must_use]
    pub fn address(&self, node: NodeId) -> MacAddr {
        self.nodes.get(usize::from(node)).copied().unwrap_or(MacAddr::None)
    }

    /// Returns all frames, those of other traffic too, in order of time.
    #[must_use]
    pub fn frames(&self) -> &[SimulatedFrame] {
        self.log.ways.frames()
    }

    /// Returns the memory that it takes, octets.
    #[must_use]
    pub const fn octets(&self) -> usize {
        self.log.ways.octets() + self.log.copies.capacity() * size_of::<Sent>()
    }
}

impl Replay {
    /// Runs replicate `replicate` (from 0) of `scenario` again, and keeps every frame: the same draws, so the same copies at the same moments, as
    /// in [`Replay::run`]. `None` where copies do not pass the network twin. `progress` counts associations.
    ///
    /// # Errors
    /// As [`Replay::run`].
    pub fn frames(
        &self,
        scenario: &Scenario,
        replicate: u32,
        progress: &mut dyn Progress,
    ) -> Result<Option<ReplicateFrames>, Error> {
        let scenario = self.with_chosen_channel(scenario)?;
        let setup = Setup::new(&self.record, &scenario)?;
        if !setup.needs_twin() {
            return Ok(None);
        }
        let twin = self.needed_twin()?;
        let paths = self.record.associations().len() as u64;
        let mut shared = SharedProgress::new(progress, paths);
        shared.stage(paths, paths)?;
        let mut draws = self.draws(&setup, replicate, Realisation::AS_RECORDED, SharedBy::One)?;
        draws.keep_log();
        let mut run = Replicate::new(self, false, CompletionTimes::Skip);
        self.simulate_all(&setup, &mut draws, &mut run, &shared)?;
        let Some(log) = draws.take_log(twin.workloads.until()) else { return Ok(None) };
        let exchange = |path: u32, exchange: u32| draws.exchange(&self.record, path, exchange);
        Ok(Some(collect(&setup, (log, &twin.machine), exchange)))
    }
}

/// Orders the copies of `log` by exchange, without those of clients that stay as recorded.
fn collect(
    setup: &Setup,
    (log, machine): (FrameLog, &Machine),
    exchange: impl Fn(u32, u32) -> Option<ExchangeId>,
) -> ReplicateFrames {
    let modelled = log.copies.iter().zip(0_u64..).filter(|(sent, _)| !setup.is_pinned(sent.path));
    let key = |(sent, key): (&Sent, u64)| Some(((exchange(sent.path, sent.exchange)?, u16::from(sent.attempt)), key));
    let keys = modelled.filter_map(key).collect();
    ReplicateFrames { keys, nodes: machine.nodes.clone(), ends: machine.ends.clone(), log }
}
