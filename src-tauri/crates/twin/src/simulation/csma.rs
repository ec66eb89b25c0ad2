//! CSMA/CA as in Contiki-NG (`os/net/mac/csma`: `csma-output.c`, `csma.c`), with the rules in which other stacks differ
//! ([`crate::Rules`]).
//!
//! ```text
//! back-off ends ──► turnaround ──► channel clear? ──► frame ──► wait for the acknowledgement ──► next packet
//!      ▲  ▲                             │ no                          │ none        │ another frame
//!      │  └──── longer window ──────────┴─────────────────────────────┼─────────────┘
//!      └─────── shortest window ──────────────────────────────────────┘
//! ```
//!
//! Every queue has its own back-off; some stacks have one queue for all neighbours. A back-off that ends while its node
//! is busy waits until the node is idle again. A node that receives a frame for it is busy until it has sent the
//! acknowledgement, and keeps one frame that comes while it is busy.

mod log;
mod medium;
mod queues;
mod receiving;
mod sending;
#[cfg(test)]
mod tests;

use super::agenda::Agenda;
use super::packet::{Event, Over, Packet};
use super::realisation::Realisation;
use crate::model::{Csma, NodeId};
use base::{Instant, Span};
use log::Log;
use medium::{Content, Frame, Medium};
use queues::{Cause, Numbered, Queue, queue_of};
use std::collections::VecDeque;

/// Air time of an octet at 250 kbit/s (IEEE Std 802.15.4-2020, 12.2.2).
const OCTET: Span = Span::from_micros(32);

/// Activity of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// The node listens.
    Idle,
    /// Turnaround before the channel assessment for a packet to `neighbour`: `left` ticks of it from `since` on.
    Turning { neighbour: NodeId, since: Instant, left: i64 },
    /// A packet to `neighbour` is on the air.
    Sending { neighbour: NodeId },
    /// The node waits for the acknowledgement of packet `number`.
    Waiting { neighbour: NodeId, number: u32 },
    /// Turnaround before the acknowledgement of a frame.
    Answering { frame: Frame },
    /// The acknowledgement of a frame is on the air.
    Acknowledging { frame: Frame },
}

/// One node.
#[derive(Clone, Debug)]
struct Node {
    state: State,
    /// Number of the state: a due time of an earlier one is void.
    epoch: u32,
    /// Frame that came while it was busy.
    pending: Option<Frame>,
    /// Back-offs that ended while it was busy: neighbour and turn.
    overdue: VecDeque<(NodeId, u32)>,
    queues: Vec<Queue>,
    /// Number of packets in all of them.
    packets: usize,
    /// No back-off begins before.
    quiet_until: Instant,
}

/// The moment of an event, and what it needs and brings about.
struct Now<'a> {
    at: Instant,
    drawn: &'a Realisation,
    events: &'a mut Vec<Event>,
}

/// Something that happens later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Due {
    /// A back-off ends.
    Backoff { node: NodeId, neighbour: NodeId, turn: u32 },
    /// A turnaround or a wait ends.
    State { node: NodeId, epoch: u32 },
    /// The frame of a node ends.
    Frame { node: NodeId },
}

/// The MAC of all nodes.
#[derive(Debug)]
pub(super) struct CsmaMac<'m> {
    csma: &'m Csma,
    nodes: Vec<Node>,
    /// Nodes that are not idle.
    busy: Vec<NodeId>,
    medium: Medium,
    agenda: Agenda<Due>,
    /// Number of the last packet.
    numbers: u32,
    /// Number of the last back-off.
    turns: u32,
    /// Number of packets in all queues.
    packets: u64,
    /// Nodes that a frame may concern; empty between events, kept for its room.
    listeners: Vec<NodeId>,
    log: Option<Log>,
}

impl<'m> CsmaMac<'m> {
    pub fn new(csma: &'m Csma, nodes: usize) -> Self {
        let node = Node {
            state: State::Idle,
            epoch: 0,
            pending: None,
            overdue: VecDeque::new(),
            queues: Vec::new(),
            packets: 0,
            quiet_until: Instant::MIN,
        };
        Self {
            csma,
            nodes: vec![node; nodes],
            busy: Vec::new(),
            medium: Medium::default(),
            agenda: Agenda::default(),
            numbers: 0,
            turns: 0,
            packets: 0,
            listeners: Vec::new(),
            log: None,
        }
    }

    /// Keeps a log of frames, for [`CsmaMac::take_log`].
    pub fn keep_log(&mut self) {
        self.log = Some(Log::default());
    }

    /// Returns the frames since the last call that are over and decided, in the order of their ends.
    pub fn take_log(&mut self) -> Vec<Over> {
        let Some(log) = &mut self.log else { return Vec::new() };
        let undecided = |number: u32| {
            let is_same = |frame: &Frame| frame.content.number() == number;
            self.nodes.iter().any(|node| {
                node.pending.as_ref().is_some_and(is_same)
                    || match &node.state {
                        State::Waiting { number: awaited, .. } => *awaited == number,
                        State::Answering { frame } | State::Acknowledging { frame } => is_same(frame),
                        State::Idle | State::Turning { .. } | State::Sending { .. } => false,
                    }
            })
        };
        log.take(undecided)
    }

    /// Returns the number of packets in all queues.
    pub fn waiting(&self) -> u64 {
        self.packets
    }

    /// Returns the time of the next event; [`Instant::MAX`] while there is none.
    pub fn next(&self) -> Instant {
        self.agenda.next()
    }

    /// Puts `packet` into a queue of `node`; returns `false` where there is no room (`csma_output_packet`).
    pub fn enqueue(&mut self, at: Instant, node: NodeId, packet: Packet, drawn: &Realisation) -> bool {
        let neighbour = queue_of(self.csma, packet.to);
        let Some(own) = self.nodes.get_mut(usize::from(node)) else { return false };
        if own.packets >= drawn.packets {
            return false;
        }
        let known = own.queues.iter().position(|queue| queue.neighbour == neighbour);
        if known.is_none() && own.queues.len() >= drawn.neighbours {
            return false;
        }
        let place = known.unwrap_or_else(|| {
            own.queues.push(Queue::new(neighbour, 0));
            own.queues.len() - 1
        });
        let Some(queue) = own.queues.get_mut(place) else { return false };
        if queue.packets.len() >= drawn.per_neighbour {
            return false;
        }
        self.numbers = self.numbers.wrapping_add(1);
        queue.packets.push_back(Numbered { packet, number: self.numbers });
        let is_first = queue.packets.len() == 1;
        own.packets += 1;
        self.packets += 1;
        if is_first {
            self.back_off(at, drawn, (node, neighbour), Cause::Enqueued);
        }
        true
    }

    /// Simulates the next event.
    pub fn step(&mut self, drawn: &Realisation, events: &mut Vec<Event>) {
        let Some((at, due)) = self.agenda.pop() else { return };
        let now = &mut Now { at, drawn, events };
        match due {
            Due::Backoff { node, neighbour, turn } => {
                if self.is_due(node, neighbour, turn) {
                    self.begin(now, node, (neighbour, turn));
                }
            }
            Due::State { node, epoch } => {
                if self.nodes.get(usize::from(node)).is_some_and(|own| own.epoch == epoch) {
                    self.state_over(now, node);
                }
            }
            Due::Frame { node } => self.frame_over(now, node),
        }
    }

    fn queue(&mut self, node: NodeId, neighbour: NodeId) -> Option<&mut Queue> {
        self.nodes.get_mut(usize::from(node))?.queues.iter_mut().find(|queue| queue.neighbour == neighbour)
    }

    /// Returns whether the back-off `turn` is still the running one of its queue.
    fn is_due(&mut self, node: NodeId, neighbour: NodeId, turn: u32) -> bool {
        self.queue(node, neighbour).is_some_and(|queue| queue.turn == turn)
    }

    /// Starts a back-off for the first packet to `neighbour`.
    fn back_off(&mut self, at: Instant, drawn: &Realisation, (node, neighbour): (NodeId, NodeId), cause: Cause) {
        self.turns = self.turns.wrapping_add(1);
        let (csma, turn) = (self.csma, self.turns);
        let quiet = self.nodes.get(usize::from(node)).map_or(at, |own| own.quiet_until.max(at));
        let Some(queue) = self.queue(node, neighbour) else { return };
        queue.turn = turn;
        let end = queue.back_off(csma, drawn, (node, cause), quiet);
        queue.backs_off();
        self.agenda.push(end, Due::Backoff { node, neighbour, turn });
    }

    /// Changes the state of `node`; one that is not idle ends at `until`.
    fn enter(&mut self, node: NodeId, state: State, until: Option<Instant>) {
        let Some(own) = self.nodes.get_mut(usize::from(node)) else { return };
        let was_idle = own.state == State::Idle;
        own.state = state;
        own.epoch = own.epoch.wrapping_add(1);
        let epoch = own.epoch;
        match (was_idle, state == State::Idle) {
            (true, false) => self.busy.push(node),
            (false, true) => self.busy.retain(|&other| other != node),
            _ => {}
        }
        if let Some(until) = until {
            self.agenda.push(until, Due::State { node, epoch });
        }
    }

    fn state_over(&mut self, now: &mut Now<'_>, node: NodeId) {
        let Some(state) = self.nodes.get(usize::from(node)).map(|own| own.state) else { return };
        match state {
            State::Turning { neighbour, .. } => self.assess(now, node, neighbour),
            State::Waiting { neighbour, .. } => {
                self.miss(now, node, neighbour);
                self.rest(now, node);
            }
            State::Answering { frame } => self.acknowledge(now, node, frame),
            State::Idle | State::Sending { .. } | State::Acknowledging { .. } => {}
        }
    }

    /// `node` is idle again: first the frame that came meanwhile, then back-offs that ended meanwhile.
    fn rest(&mut self, now: &mut Now<'_>, node: NodeId) {
        self.enter(node, State::Idle, None);
        let Some(own) = self.nodes.get_mut(usize::from(node)) else { return };
        let heard = own.pending.take().filter(|frame| frame.to == Some(node));
        if let Some(frame) = heard.filter(|frame| matches!(frame.content, Content::Data { .. })) {
            self.enter(node, State::Answering { frame }, Some(now.at + self.csma.ack_delay));
        }
        while let Some(own) = self.nodes.get_mut(usize::from(node)).filter(|own| own.state == State::Idle) {
            let Some((neighbour, turn)) = own.overdue.pop_front() else { return };
            if self.is_due(node, neighbour, turn) {
                self.begin(now, node, (neighbour, turn));
            }
        }
    }
}
