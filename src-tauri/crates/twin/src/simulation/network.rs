//! Network layer: datagrams are forwarded hop by hop, reassembled where they end, and answered by servers.
//!
//! The server answers every copy that reaches it: the stacks with presets have no CoAP duplicate suppression
//! (Contiki-NG, `coap-engine.c`). Where an answer is lost with its link-layer acknowledgement the link layer drops the
//! repeat.

mod copy;
mod drops;
mod reassembly;

pub use copy::{Copy, Ending, Settled};

use super::agenda::Agenda;
use super::draws::Purpose;
use super::packet::{Cargo, Event, Fragment, Packet};
use super::realisation::Realisation;
use crate::model::{DropReason, Load, Machine, Mechanism, NodeId, Routes, Shape, SimulatedDrop, Withdrawals};
use base::{Instant, Span, unit};
use reassembly::{Reassembly, Taken};
use std::borrow::Cow;
use std::collections::{BTreeSet, VecDeque};

/// State of a copy.
#[derive(Clone, Copy, Debug)]
struct CopyState {
    copy: Copy,
    client: NodeId,
    server: NodeId,
    /// True for a copy that is known to have gone on the air: no withdrawal of a route holds it back.
    is_recorded: bool,
    /// Number of packets, receptions and waits that may still lead to an answer.
    alive: u32,
    aired: Option<Instant>,
    /// Number of hops of its request so far, then of its answer.
    hops: u8,
    is_served: bool,
    is_settled: bool,
}

/// Hops after which a datagram is dropped: the usual hop limit (RFC 4861, 6.3.2 and IANA: 64). Recorded routes may form
/// loops.
const HOP_LIMIT: u8 = 64;

/// Event of the network layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Pending {
    /// A copy leaves its client.
    Request { copy: u32 },
    /// A fragment arrived at a node.
    Arrival { node: NodeId, copy: u32, datagram: u32, position: u8, count: u8, is_answer: bool },
    /// A server answers a copy.
    Answer { copy: u32 },
}

/// Network layer of all nodes.
#[derive(Debug)]
pub(super) struct Network<'m> {
    machine: &'m Machine,
    /// Routes of the machine, or like them with longer and shorter outages.
    routes: Cow<'m, Routes>,
    copies: Vec<CopyState>,
    pending: Agenda<Pending>,
    datagrams: u32,
    /// Packets on their way to the MAC.
    packets: VecDeque<(Instant, NodeId, Packet)>,
    reassembly: Reassembly,
    done: VecDeque<Settled>,
    unsettled: usize,
    served: u64,
    /// Requests that were answered, by association; `None` while servers answer every copy.
    answered: Option<BTreeSet<(u32, u32)>>,
    /// Relation to its parent, by node.
    parents: Vec<Parent>,
    /// Parts of copies that were dropped; `None` where no log is kept.
    drops: Option<Vec<SimulatedDrop>>,
}

/// Relation of a node to its parent.
#[derive(Clone, Copy, Debug)]
struct Parent {
    /// Moment at which the latest packet to it was given up; `None` where that was acknowledged.
    failed: Option<Instant>,
    /// First and last moment of the latest withdrawal that followed a failure.
    withdrawn: (Instant, Instant),
}

impl<'m> Network<'m> {
    /// Creates the network layer of `machine` with room for `contexts` datagrams in the reassembly of each node.
    pub fn new(machine: &'m Machine, contexts: usize) -> Self {
        Self {
            machine,
            routes: Cow::Borrowed(&machine.routes),
            copies: Vec::new(),
            pending: Agenda::default(),
            datagrams: 0,
            packets: VecDeque::new(),
            reassembly: Reassembly::new(machine, contexts),
            done: VecDeque::new(),
            unsettled: 0,
            served: 0,
            parents: vec![Parent { failed: None, withdrawn: (Instant::MIN, Instant::MIN) }; machine.len()],
            answered: None,
            drops: None,
        }
    }

    /// Switches `mechanism` off, as far as this layer goes.
    pub fn switch_off(&mut self, mechanism: Mechanism) {
        match mechanism {
            Mechanism::Limits => self.reassembly = Reassembly::new(self.machine, usize::MAX),
            Mechanism::RepeatedAnswers => self.answered = Some(BTreeSet::new()),
            Mechanism::Collisions
            | Mechanism::Losses
            | Mechanism::Retries
            | Mechanism::KeptBackoff
            | Mechanism::WakeUps => {}
        }
    }

    /// Makes each outage as many times as long as `times` says of its beginning ([`Routes::with_longer_outages`]).
    pub fn lengthen_outages(&mut self, times: impl Fn(Instant) -> u32) {
        if self.machine.routes.outages().next().is_some() {
            self.routes = Cow::Owned(self.machine.routes.clone().with_longer_outages(times));
        }
    }

    /// Goes back to the beginning, without the mechanisms that are switched off.
    pub fn restart(&mut self) {
        let answered = self.answered.as_ref().map(|_| BTreeSet::new());
        let routes = std::mem::replace(&mut self.routes, Cow::Borrowed(&self.machine.routes));
        *self = Self { answered, routes, reassembly: self.reassembly.restarted(), ..Self::new(self.machine, 0) };
    }

    /// Takes a copy from its client. `is_recorded`: it is known to have gone on the air. Settled at once as
    /// [`Ending::RequestLost`] where its nodes are not known.
    pub fn request(&mut self, at: Instant, copy: Copy, is_recorded: bool) {
        let ends = self.machine.ends.get(copy.association as usize).copied().flatten();
        let Some(ends) = ends else {
            self.done.push_back(Settled { key: copy.key, at, ending: Ending::RequestLost, aired: None });
            if let Some(drops) = &mut self.drops {
                let (node, key, reason) = (NodeId::MAX, copy.key, DropReason::NodesUnknown);
                drops.push(SimulatedDrop { at, node, key, is_answer: false, datagram: None, reason });
            }
            return;
        };
        let (client, server) = (ends.client, ends.server);
        // Fewer than the milliseconds of a capture, whose copies are further apart.
        let number = self.copies.len() as u32;
        let state = CopyState {
            copy,
            client,
            server,
            is_recorded,
            alive: 0,
            aired: None,
            hops: 0,
            is_served: false,
            is_settled: false,
        };
        self.copies.push(state);
        self.unsettled += 1;
        self.hold(number);
        self.pending.push(at, Pending::Request { copy: number });
    }

    /// Returns the next copy whose fate is known, each once; `None` where there is none now.
    pub fn settled(&mut self) -> Option<Settled> {
        self.done.pop_front()
    }

    /// Returns whether the fate of some copy is not known.
    pub fn is_busy(&self) -> bool {
        self.unsettled > 0
    }

    /// Returns the number of requests that reached a server, repeats included.
    pub fn served(&self) -> u64 {
        self.served
    }

    /// Returns the load of a packet, with the caller's identifier of its copy.
    pub fn load(&self, cargo: Cargo) -> Load {
        match cargo {
            Cargo::Nothing => Load::Other,
            Cargo::Beacon => Load::Beacon,
            Cargo::Fragment(Fragment { copy, is_answer, datagram, position, count }) => {
                let Some(CopyState { copy: Copy { key, association, .. }, .. }) =
                    self.copies.get(copy as usize).copied()
                else {
                    return Load::Other;
                };
                Load::Copy { key, association, is_answer, datagram, fragment: position, fragments: count }
            }
        }
    }

    /// Returns the time of the next event of this layer; [`Instant::MAX`] without one.
    pub fn next(&self) -> Instant {
        self.pending.next()
    }

    /// Puts a packet beside the exchanges on its way.
    pub fn put(&mut self, at: Instant, node: NodeId, packet: Packet) {
        self.packets.push_back((at, node, packet));
    }

    /// Takes the next packet for the queue of a node: time, node, packet; `None` where there is none now.
    pub fn take_packet(&mut self) -> Option<(Instant, NodeId, Packet)> {
        self.packets.pop_front()
    }

    /// Learns that a packet found no room in its queue at `node`.
    pub fn refused(&mut self, at: Instant, node: NodeId, cargo: Cargo) {
        if let Cargo::Fragment(fragment) = cargo {
            self.note_drop(at, node, fragment.part(), DropReason::QueueFull);
            self.release(at, fragment.copy);
        }
    }

    /// Handles an event of the MAC. Receptions are handled in order of time, with [`Network::step`].
    pub fn on(&mut self, event: Event, drawn: &Realisation) {
        if let Event::Gone { at, hop: (node, Some(to)), dropped, .. } = event {
            self.leave(at, (node, to), dropped.is_none(), drawn);
        }
        match event {
            Event::Sent { at, node, cargo: Cargo::Fragment(Fragment { copy, is_answer: false, .. }) } => {
                if let Some(state) = self.copies.get_mut(copy as usize).filter(|state| state.client == node) {
                    state.aired.get_or_insert(at);
                }
            }
            Event::Received { at, node, cargo: Cargo::Fragment(fragment) } => {
                let Fragment { copy, is_answer, datagram, position, count } = fragment;
                self.hold(copy);
                self.pending.push(at, Pending::Arrival { node, copy, datagram, position, count, is_answer });
            }
            Event::Gone { at, hop: (node, _), cargo: Cargo::Fragment(fragment), dropped } => {
                if let Some(reason) = dropped {
                    self.note_drop(at, node, fragment.part(), reason);
                }
                self.release(at, fragment.copy);
            }
            Event::Sent { .. } | Event::Received { .. } | Event::Gone { .. } => {}
        }
    }

    /// A packet left its queue. Where it went to the parent of `node` and was given up, the node may leave that parent.
    fn leave(&mut self, at: Instant, (node, to): (NodeId, NodeId), acknowledged: bool, drawn: &Realisation) {
        let withdrawals = &self.machine.withdrawals;
        let (Some(&[first, repeated]), Some(parent)) =
            (drawn.withdraws.get(usize::from(node)), self.parents.get_mut(usize::from(node)))
        else {
            return;
        };
        if withdrawals.parent(node, at) != Some(to) {
            return;
        }
        let before = std::mem::replace(&mut parent.failed, (!acknowledged).then_some(at));
        if acknowledged || parent.withdrawn.1 > at {
            return;
        }
        let probability = if Withdrawals::is_repeated(before, at) { repeated } else { first };
        let [whether, which, ..] = drawn.draws.words(Purpose::Withdrawal, drawn.moment(at), node, to);
        if unit(whether) < probability {
            let position = (unit(which) * withdrawals.after_failure.len() as f64) as usize;
            if let Some(&(wait, length)) = withdrawals.after_failure.get(position) {
                parent.withdrawn = (at + wait, at + wait + length);
            }
        }
    }

    /// Returns whether `node` sends no requests of its own at `at`.
    fn is_withdrawn(&self, node: NodeId, at: Instant, drawn: &Realisation) -> bool {
        let is_in = |&(from, until): &(Instant, Instant)| from <= at && at < until;
        self.parents.get(usize::from(node)).is_some_and(|parent| is_in(&parent.withdrawn))
            || drawn.withdrawn.get(usize::from(node)).is_some_and(|list| list.iter().any(is_in))
    }

    /// Handles the next event of this layer.
    pub fn step(&mut self, drawn: &Realisation) {
        let Some((at, pending)) = self.pending.pop() else { return };
        match pending {
            Pending::Arrival { node, copy, datagram, position, count, is_answer } => {
                let fragment = Fragment { copy, is_answer, datagram, position, count };
                match self.reassembly.take(at, node, fragment) {
                    Taken::Whole => self.arrive(at, node, copy, is_answer),
                    Taken::Part => {}
                    Taken::Refused => self.note_drop(at, node, fragment.part(), DropReason::NoReassembly),
                }
                self.release(at, copy);
            }
            Pending::Request { copy } => {
                if let Some(&CopyState { is_recorded, client, .. }) = self.copies.get(copy as usize) {
                    if is_recorded || !self.is_withdrawn(client, at, drawn) {
                        self.forward(at, client, copy, false);
                    } else {
                        self.note_drop(at, client, (copy, false, None), DropReason::Withdrawn);
                    }
                }
                self.release(at, copy);
            }
            Pending::Answer { copy } => {
                if let Some(state) = self.copies.get_mut(copy as usize) {
                    state.hops = 0;
                    let server = state.server;
                    self.forward(at, server, copy, true);
                }
                self.release(at, copy);
            }
        }
    }

    /// A whole datagram is at `node`.
    fn arrive(&mut self, at: Instant, node: NodeId, copy: u32, is_answer: bool) {
        let Some(state) = self.copies.get_mut(copy as usize) else { return };
        if !is_answer && node == state.server {
            state.is_served = true;
            self.served += 1;
            let Copy { association, request, .. } = state.copy;
            if self.answered.as_mut().is_some_and(|answered| !answered.insert((association, request))) {
                return;
            }
            self.hold(copy);
            self.pending.push(at + self.machine.processing.max(Span::ZERO), Pending::Answer { copy });
        } else if is_answer && node == state.client {
            self.settle(at, copy, Ending::Answered);
        } else {
            self.forward(at, node, copy, is_answer);
        }
    }

    /// Hands a datagram to the next node.
    fn forward(&mut self, at: Instant, node: NodeId, number: u32, is_answer: bool) {
        self.hold(number);
        if let Some(state) = self.copies.get_mut(number as usize).filter(|state| state.hops < HOP_LIMIT) {
            state.hops += 1;
            let CopyState { copy, client, server, .. } = *state;
            let destination = if is_answer { client } else { server };
            let next = self.routes.next(node, destination, at);
            let lengths =
                self.machine.shapes.get(copy.shape as usize).map_or(&[][..], |s: &Shape| s.fragments(is_answer, node));
            let datagram = self.datagrams;
            self.datagrams = self.datagrams.wrapping_add(1);
            if let Some(next) = next {
                let count = u8::try_from(lengths.len()).unwrap_or(u8::MAX);
                for (&octets, position) in lengths.iter().zip(0..count) {
                    let cargo = Cargo::Fragment(Fragment { copy: number, is_answer, datagram, position, count });
                    self.hold(number);
                    let is_forwarded = next != destination;
                    let packet = Packet { is_forwarded, ..Packet::new(Some(next), octets, cargo) };
                    self.packets.push_back((at, node, packet));
                }
            } else {
                self.note_drop(at, node, (number, is_answer, None), DropReason::NoRoute);
            }
        } else {
            self.note_drop(at, node, (number, is_answer, None), DropReason::HopLimit);
        }
        self.release(at, number);
    }

    /// Counts one thing more that may lead to an answer to `copy`.
    fn hold(&mut self, copy: u32) {
        if let Some(state) = self.copies.get_mut(copy as usize) {
            state.alive += 1;
        }
    }

    /// Counts one thing less; after the last one the copy is lost.
    fn release(&mut self, at: Instant, copy: u32) {
        let Some(state) = self.copies.get_mut(copy as usize) else { return };
        state.alive = state.alive.saturating_sub(1);
        if state.alive == 0 {
            let ending = if state.is_served { Ending::AnswerLost } else { Ending::RequestLost };
            self.settle(at, copy, ending);
        }
    }

    fn settle(&mut self, at: Instant, copy: u32, ending: Ending) {
        let Some(state) = self.copies.get_mut(copy as usize).filter(|state| !state.is_settled) else { return };
        state.is_settled = true;
        self.unsettled = self.unsettled.saturating_sub(1);
        self.done.push_back(Settled { key: state.copy.key, at, ending, aired: state.aired });
    }
}
