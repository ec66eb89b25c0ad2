//! One replicate of the network twin again, with every frame.

use crate::channel::{FrameLog, Sent};
use crate::engine::Steps;
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
    /// Copies by their key; `None` for one of no recorded exchange.
    origins: Vec<Option<CopyOrigin>>,
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

/// Place of a simulated copy among the exchanges of its replicate, and the recorded message that it repeats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CopyOrigin {
    /// Its exchange, as [`Steps`] names it: one of the record, or, beyond those, one that only this replicate has.
    pub exchange: ExchangeId,
    /// Recorded exchange whose request it sends: `exchange` itself, where that is one of the record.
    pub request: ExchangeId,
    /// Number of the copy, from 0.
    pub number: u16,
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
    /// Returns copy `number` (from 0) of an exchange, as [`crate::Steps`] names both. `None` where it was not sent, or
    /// where its client stays as recorded, or its nodes are not known: what a simulation says of it is not its fate.
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

    /// Returns the place of the copy with `key` ([`twin::Load::Copy`]), also where its client stays as recorded. `None`
    /// where no such copy was sent, or where it is one of no recorded exchange.
    #[must_use]
    pub fn origin(&self, key: u64) -> Option<CopyOrigin> {
        self.origins.get(usize::try_from(key).ok()?).copied().flatten()
    }

    /// Returns all frames, those of other traffic too, in order of time.
    #[must_use]
    pub fn frames(&self) -> &[SimulatedFrame] {
        self.log.ways.frames()
    }

    /// Returns the memory that it takes, octets.
    #[must_use]
    pub const fn octets(&self) -> usize {
        self.log.ways.octets()
            + self.log.copies.capacity() * size_of::<Sent>()
            + self.origins.capacity() * size_of::<Option<CopyOrigin>>()
    }
}

impl Replay {
    /// Runs replicate `replicate` (from 0) of `scenario` again, and keeps every frame: the same draws, so the same
    /// copies at the same moments, as in [`Replay::run`]. `None` where copies do not pass the network twin. `progress`
    /// counts associations.
    ///
    /// # Errors
    /// As [`Replay::run`].
    pub fn frames(
        &self,
        scenario: &Scenario,
        replicate: u32,
        progress: &mut dyn Progress,
    ) -> Result<Option<ReplicateFrames>, Error> {
        Ok(self.logged(scenario, (replicate, false), progress)?.map(|(frames, _)| frames))
    }

    /// Runs a replicate again as [`Replay::frames`] does, and keeps its steps too, which a run has of its first
    /// replicate only.
    ///
    /// # Errors
    /// As [`Replay::run`].
    pub fn replicate(
        &self,
        scenario: &Scenario,
        replicate: u32,
        progress: &mut dyn Progress,
    ) -> Result<Option<(ReplicateFrames, Steps)>, Error> {
        self.logged(scenario, (replicate, true), progress)
    }

    /// Runs one replicate with a log; steps are empty unless they are wanted.
    fn logged(
        &self,
        scenario: &Scenario,
        (replicate, wants_steps): (u32, bool),
        progress: &mut dyn Progress,
    ) -> Result<Option<(ReplicateFrames, Steps)>, Error> {
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
        let mut run = Replicate::new(self, wants_steps, CompletionTimes::Skip);
        self.simulate_all(&setup, &mut draws, &mut run, &shared)?;
        let Some(log) = draws.take_log(twin.workloads.until()) else { return Ok(None) };
        let origin = |sent: &Sent| {
            let (exchange, request) = draws.exchange(&self.record, sent.path, sent.exchange)?;
            Some(CopyOrigin { exchange, request, number: u16::from(sent.attempt) })
        };
        let frames = collect(&setup, (log, &twin.machine), origin);
        Ok(Some((frames, run.measured().1)))
    }
}

/// Orders the copies of `log` by exchange, without those of clients that stay as recorded.
fn collect(
    setup: &Setup,
    (log, machine): (FrameLog, &Machine),
    origin: impl Fn(&Sent) -> Option<CopyOrigin>,
) -> ReplicateFrames {
    let origins: Vec<Option<CopyOrigin>> = log.copies.iter().map(origin).collect();
    let all = log.copies.iter().zip(&origins).zip(0_u64..);
    let modelled = all.filter(|((sent, _), _)| !setup.is_pinned(sent.path));
    let key = |((_, origin), key): ((_, &Option<CopyOrigin>), u64)| {
        Some(((origin.as_ref()?.exchange, origin.as_ref()?.number), key))
    };
    let keys = modelled.filter_map(key).collect();
    ReplicateFrames { keys, origins, nodes: machine.nodes.clone(), ends: machine.ends.clone(), log }
}
