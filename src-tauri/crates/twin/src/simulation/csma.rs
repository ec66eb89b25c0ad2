//! CSMA/CA as in Contiki-NG (`os/net/mac/csma`: `csma-output.c`, `csma.c`).
//!
//! ```text
//! back-off ends ──► turnaround ──► channel clear? ──► frame ──► wait for the acknowledgement ──► next packet
//!      ▲  ▲                             │ no                          │ none        │ another frame
//!      │  └──── longer window ──────────┴─────────────────────────────┼─────────────┘
//!      └─────── shortest window ──────────────────────────────────────┘
//! ```
//!
//! Every queue has its own back-off. One that ends while its node is busy waits until the node is idle again. A node that receives a
//! frame for it is busy until it has sent the acknowledgement, and keeps one frame that comes while it is busy.

mod medium;
mod queues;

use super::packet::{Event, Packet};
use super::realisation::Realisation;
use crate::model::{Acknowledger, Csma, NodeId};
use base::{Instant, Span};
use medium::{Content, Frame, Medium, Transmission};
use queues::{EVERYBODY, Numbered, Queue, Verdict};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Air time of an octet at 250 kbit/s (IEEE Std 802.15.4-2020, 12.2.2).
const OCTET: Span = Span::from_micros(32);

/// Activity of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// It listens.
    Idle,
    /// Turnaround before the channel assessment for a packet to `neighbour`: `left` ticks of it from `since` on.
    Turning { neighbour: NodeId, since: Instant, left: i64 },
    /// A packet to `neighbour` is on the air.
    Sending { neighbour: NodeId },
    /// It waits for the acknowledgement of packet `number`.
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
    /// Packets in all of them.
    packets: usize,
}

/// Something that happens later.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Due {
    /// A back-off ends.
    BackoffOver { node: NodeId, neighbour: NodeId, turn: u32 },
    /// A turnaround or a wait ends.
    StateOver { node: NodeId, epoch: u32 },
    /// The frame of a node ends.
    FrameOver { node: NodeId },
}

/// The MAC of all nodes.
#[derive(Debug)]
pub(super) struct CsmaMac<'m> {
    csma: &'m Csma,
    nodes: Vec<Node>,
    /// Nodes that are not idle.
    busy: Vec<NodeId>,
    medium: Medium,
    agenda: BinaryHeap<Reverse<(Instant, u64, Due)>>,
    /// Number of entries so far: those of the same instant keep their order.
    scheduled: u64,
    /// Number of the last packet.
    numbers: u32,
    /// Number of the last back-off.
    turns: u32,
    /// Packets in all queues.
    packets: u64,
    /// Nodes that a frame may concern; empty between events, kept for its room.
    listeners: Vec<NodeId>,
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
        };
        Self {
            csma,
            nodes: vec![node; nodes],
            busy: Vec::new(),
            medium: Medium::default(),
            agenda: BinaryHeap::new(),
            scheduled: 0,
            numbers: 0,
            turns: 0,
            packets: 0,
            listeners: Vec::new(),
        }
    }

    /// Packets in all queues.
    pub fn waiting(&self) -> u64 {
        self.packets
    }

    /// Time of the next event; [`Instant::MAX`] while there is none.
    pub fn next(&self) -> Instant {
        self.agenda.peek().map_or(Instant::MAX, |next| next.0.0)
    }

    /// Puts `packet` into a queue of `node`; `false` where there is no room (`csma_output_packet`).
    pub fn enqueue(&mut self, at: Instant, node: NodeId, packet: Packet, drawn: &Realisation) -> bool {
        let neighbour = packet.to.unwrap_or(EVERYBODY);
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
            self.back_off(at, node, neighbour, drawn);
        }
        true
    }

    /// Simulates the next event.
    pub fn step(&mut self, drawn: &Realisation, events: &mut Vec<Event>) {
        let Some(Reverse((at, _, due))) = self.agenda.pop() else { return };
        match due {
            Due::BackoffOver { node, neighbour, turn } => {
                if self.is_due(node, neighbour, turn) {
                    self.begin(at, node, (neighbour, turn), drawn, events);
                }
            }
            Due::StateOver { node, epoch } => {
                if self.nodes.get(usize::from(node)).is_some_and(|own| own.epoch == epoch) {
                    self.state_over(at, node, drawn, events);
                }
            }
            Due::FrameOver { node } => self.frame_over(at, node, drawn, events),
        }
    }

    fn schedule(&mut self, at: Instant, due: Due) {
        self.scheduled += 1;
        self.agenda.push(Reverse((at, self.scheduled, due)));
    }

    fn queue(&mut self, node: NodeId, neighbour: NodeId) -> Option<&mut Queue> {
        self.nodes.get_mut(usize::from(node))?.queues.iter_mut().find(|queue| queue.neighbour == neighbour)
    }

    /// Returns whether the back-off `turn` is still the running one of its queue.
    fn is_due(&mut self, node: NodeId, neighbour: NodeId, turn: u32) -> bool {
        self.queue(node, neighbour).is_some_and(|queue| queue.turn == turn)
    }

    /// Starts a back-off for the first packet to `neighbour`.
    fn back_off(&mut self, at: Instant, node: NodeId, neighbour: NodeId, drawn: &Realisation) {
        self.turns = self.turns.wrapping_add(1);
        let (csma, turn) = (self.csma, self.turns);
        let Some(queue) = self.queue(node, neighbour) else { return };
        queue.turn = turn;
        let end = queue.back_off(csma, drawn, node, at);
        self.schedule(end, Due::BackoffOver { node, neighbour, turn });
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
            self.schedule(until, Due::StateOver { node, epoch });
        }
    }

    /// A back-off ended: the node sends, or tries later (`send_one_packet`).
    fn begin(
        &mut self,
        at: Instant,
        node: NodeId,
        (neighbour, turn): (NodeId, u32),
        drawn: &Realisation,
        events: &mut Vec<Event>,
    ) {
        let Some(own) = self.nodes.get_mut(usize::from(node)) else { return };
        if own.state != State::Idle {
            own.overdue.push_back((neighbour, turn));
        } else if self.medium.is_receiving(node, drawn) {
            self.collide(at, node, neighbour, drawn, events);
        } else {
            let left = self.csma.turnaround.nanos() / self.csma.tick.nanos().max(1);
            self.enter(node, State::Turning { neighbour, since: at, left }, Some(at + self.csma.turnaround));
        }
    }

    fn state_over(&mut self, at: Instant, node: NodeId, drawn: &Realisation, events: &mut Vec<Event>) {
        let Some(state) = self.nodes.get(usize::from(node)).map(|own| own.state) else { return };
        match state {
            State::Turning { neighbour, .. } => self.assess(at, node, neighbour, drawn, events),
            State::Waiting { neighbour, .. } => {
                self.miss(at, node, neighbour, drawn, events);
                self.rest(at, node, drawn, events);
            }
            State::Answering { frame } => self.acknowledge(at, node, frame, drawn, events),
            State::Idle | State::Sending { .. } | State::Acknowledging { .. } => {}
        }
    }

    /// Assesses the channel and sends the first packet to `neighbour`.
    fn assess(&mut self, at: Instant, node: NodeId, neighbour: NodeId, drawn: &Realisation, events: &mut Vec<Event>) {
        let first = self.queue(node, neighbour).and_then(|queue| queue.packets.front().copied());
        let Some(Numbered { packet, number }) = first.filter(|_| !self.medium.is_busy(node, drawn)) else {
            self.collide(at, node, neighbour, drawn, events);
            self.rest(at, node, drawn, events);
            return;
        };
        let end = at + OCTET.scale(i64::from(packet.octets), 1);
        let content = Content::Data { packet, number };
        self.enter(node, State::Sending { neighbour }, None);
        events.push(Event::Sent { at, node, cargo: packet.cargo });
        self.start(Frame { from: node, to: packet.to, start: at, end, content }, drawn, events);
    }

    /// Acknowledges `frame`, if the channel allows it, and takes it in.
    fn acknowledge(&mut self, at: Instant, node: NodeId, frame: Frame, drawn: &Realisation, events: &mut Vec<Event>) {
        let is_blocked = self.csma.acknowledger == Acknowledger::Processor && self.medium.is_busy(node, drawn);
        let Content::Data { number, .. } = frame.content else { return };
        if is_blocked {
            self.take_in(at, node, frame, events);
            self.rest(at, node, drawn, events);
            return;
        }
        let end = at + self.csma.ack_airtime;
        let content = Content::Acknowledgement { number };
        self.enter(node, State::Acknowledging { frame }, None);
        self.start(Frame { from: node, to: Some(frame.from), start: at, end, content }, drawn, events);
    }

    /// The frame of `node` ends: its receivers learn of it, then its sender goes on.
    fn frame_over(&mut self, at: Instant, node: NodeId, drawn: &Realisation, events: &mut Vec<Event>) {
        let Some(transmission) = self.medium.finish(node) else { return };
        let Some(state) = self.nodes.get(usize::from(node)).map(|own| own.state) else { return };
        match (state, transmission.frame.content) {
            (State::Sending { neighbour }, Content::Data { number, .. }) => {
                self.sent(at, node, (neighbour, number), drawn, events);
            }
            (State::Acknowledging { frame }, _) => {
                self.take_in(at, node, frame, events);
                self.rest(at, node, drawn, events);
            }
            _ => {}
        }
        self.deliver(at, &transmission, drawn, events);
        self.medium.recycle(transmission);
    }

    /// The packet `number` is out: a broadcast is done, another one waits for its acknowledgement.
    fn sent(
        &mut self,
        at: Instant,
        node: NodeId,
        (neighbour, number): (NodeId, u32),
        drawn: &Realisation,
        events: &mut Vec<Event>,
    ) {
        let heard = self.nodes.get_mut(usize::from(node)).and_then(|own| own.pending.take());
        if neighbour == EVERYBODY {
            self.leave(at, node, neighbour, true, drawn, events);
            self.rest(at, node, drawn, events);
        } else if heard.is_some() {
            // A frame that came in the turnaround is taken for the acknowledgement.
            self.collide(at, node, neighbour, drawn, events);
            self.rest(at, node, drawn, events);
        } else {
            self.enter(node, State::Waiting { neighbour, number }, Some(at + self.csma.ack_wait));
        }
    }

    /// Hands a frame to all nodes that receive it and have a use for it: the addressee, and those that are not idle.
    fn deliver(&mut self, at: Instant, transmission: &Transmission, drawn: &Realisation, events: &mut Vec<Event>) {
        let Frame { from, to, .. } = transmission.frame;
        let mut listeners = std::mem::take(&mut self.listeners);
        listeners.clear();
        let idle = to.filter(|to| !self.busy.contains(to));
        listeners.extend(self.busy.iter().copied().chain(idle).filter(|&node| node != from));
        for &node in &listeners {
            if transmission.reaches(node, drawn) {
                self.hear(at, node, transmission.frame, drawn, events);
            } else if transmission.disturbs(node, drawn) {
                self.miss_out(at, node, drawn, events);
            }
        }
        self.listeners = listeners;
    }

    /// Puts a frame on the air. Nodes that begin to receive it wake up.
    fn start(&mut self, frame: Frame, drawn: &Realisation, events: &mut Vec<Event>) {
        self.medium.start(frame);
        self.schedule(frame.end, Due::FrameOver { node: frame.from });
        if self.csma.acknowledger == Acknowledger::Radio {
            return;
        }
        let mut listeners = std::mem::take(&mut self.listeners);
        listeners.clear();
        listeners.extend(self.busy.iter().copied().filter(|&node| node != frame.from));
        for &node in &listeners {
            if self.medium.begins_to_reach(frame.from, node, drawn) {
                self.wake(frame.start, node, drawn, events);
            }
        }
        self.listeners = listeners;
    }

    /// `node` has received a frame.
    fn hear(&mut self, at: Instant, node: NodeId, frame: Frame, drawn: &Realisation, events: &mut Vec<Event>) {
        let is_own = frame.to == Some(node);
        let is_noticed = is_own || self.csma.acknowledger == Acknowledger::Processor;
        let Some(own) = self.nodes.get_mut(usize::from(node)).filter(|_| is_noticed) else { return };
        match (own.state, frame.content) {
            (State::Idle, Content::Data { .. }) if is_own => {
                self.enter(node, State::Answering { frame }, Some(at + self.csma.ack_delay));
            }
            (State::Waiting { neighbour, number }, Content::Acknowledgement { number: answered })
                if is_own && number == answered =>
            {
                self.leave(at, node, neighbour, true, drawn, events);
                self.rest(at, node, drawn, events);
            }
            (State::Waiting { neighbour, .. }, _) => {
                self.collide(at, node, neighbour, drawn, events);
                self.rest(at, node, drawn, events);
            }
            (State::Turning { .. } | State::Answering { .. } | State::Acknowledging { .. }, _) => {
                own.pending = Some(frame);
                self.wake(at, node, drawn, events);
            }
            (State::Idle | State::Sending { .. }, _) => {}
        }
    }

    /// A frame that `node` could not read ends: it takes the place of one that waits to be read.
    fn miss_out(&mut self, at: Instant, node: NodeId, drawn: &Realisation, events: &mut Vec<Event>) {
        if self.csma.acknowledger == Acknowledger::Radio {
            return;
        }
        if let Some(own) = self.nodes.get_mut(usize::from(node)) {
            own.pending = None;
            self.wake(at, node, drawn, events);
        }
    }

    /// The radio wakes the processor of `node`: the tick of turnaround that is running ends (`cooja-radio.c` counts wake-ups).
    fn wake(&mut self, at: Instant, node: NodeId, drawn: &Realisation, events: &mut Vec<Event>) {
        let state = self.nodes.get(usize::from(node)).map(|own| own.state);
        if self.csma.acknowledger == Acknowledger::Radio {
            return;
        }
        match state {
            Some(State::Turning { neighbour, since, left }) => {
                let tick = self.csma.tick;
                let left = left - (at - since).nanos() / tick.nanos().max(1) - 1;
                if left <= 0 {
                    self.assess(at, node, neighbour, drawn, events);
                } else {
                    self.enter(node, State::Turning { neighbour, since: at, left }, Some(at + tick.scale(left, 1)));
                }
            }
            Some(State::Answering { frame }) => self.acknowledge(at, node, frame, drawn, events),
            _ => {}
        }
    }

    /// The network layer of `node` gets the packet of `frame`, unless it had it before (`mac_sequence_is_duplicate`).
    fn take_in(&mut self, at: Instant, node: NodeId, frame: Frame, events: &mut Vec<Event>) {
        let Content::Data { packet, number } = frame.content else { return };
        let queue = self.queue(frame.from, node);
        let known = queue.and_then(|queue| queue.packets.front_mut()).filter(|first| first.number == number);
        let had = match known {
            Some(first) => std::mem::replace(&mut first.packet.is_received, true),
            None => packet.is_received,
        };
        if !had {
            events.push(Event::Received { at, node, cargo: packet.cargo });
        }
    }

    /// `node` is idle again: first the frame that came meanwhile, then back-offs that ended meanwhile.
    fn rest(&mut self, at: Instant, node: NodeId, drawn: &Realisation, events: &mut Vec<Event>) {
        self.enter(node, State::Idle, None);
        let Some(own) = self.nodes.get_mut(usize::from(node)) else { return };
        let heard = own.pending.take().filter(|frame| frame.to == Some(node));
        if let Some(frame) = heard.filter(|frame| matches!(frame.content, Content::Data { .. })) {
            self.enter(node, State::Answering { frame }, Some(at + self.csma.ack_delay));
        }
        while let Some(own) = self.nodes.get_mut(usize::from(node)).filter(|own| own.state == State::Idle) {
            let Some((neighbour, turn)) = own.overdue.pop_front() else { return };
            if self.is_due(node, neighbour, turn) {
                self.begin(at, node, (neighbour, turn), drawn, events);
            }
        }
    }

    fn collide(&mut self, at: Instant, node: NodeId, neighbour: NodeId, drawn: &Realisation, events: &mut Vec<Event>) {
        let csma = self.csma;
        let verdict = self.queue(node, neighbour).map(|queue| queue.collide(csma));
        self.judge(at, (node, neighbour), verdict, drawn, events);
    }

    fn miss(&mut self, at: Instant, node: NodeId, neighbour: NodeId, drawn: &Realisation, events: &mut Vec<Event>) {
        let csma = self.csma;
        let verdict = self.queue(node, neighbour).map(|queue| queue.miss(csma));
        self.judge(at, (node, neighbour), verdict, drawn, events);
    }

    fn judge(
        &mut self,
        at: Instant,
        (node, neighbour): (NodeId, NodeId),
        verdict: Option<Verdict>,
        drawn: &Realisation,
        events: &mut Vec<Event>,
    ) {
        match verdict {
            Some(Verdict::Dropped) => self.leave(at, node, neighbour, false, drawn, events),
            Some(Verdict::Again) => self.back_off(at, node, neighbour, drawn),
            None => {}
        }
    }

    /// The first packet leaves its queue; the next one backs off anew, and an empty queue is given up (`free_packet`).
    fn leave(
        &mut self,
        at: Instant,
        node: NodeId,
        neighbour: NodeId,
        acknowledged: bool,
        drawn: &Realisation,
        events: &mut Vec<Event>,
    ) {
        let Some(own) = self.nodes.get_mut(usize::from(node)) else { return };
        let Some(place) = own.queues.iter().position(|queue| queue.neighbour == neighbour) else { return };
        let Some(queue) = own.queues.get_mut(place) else { return };
        let Some(first) = queue.packets.pop_front() else { return };
        queue.reset();
        own.packets = own.packets.saturating_sub(1);
        self.packets = self.packets.saturating_sub(1);
        let is_empty = queue.packets.is_empty();
        if is_empty {
            own.queues.remove(place);
        } else {
            self.back_off(at, node, neighbour, drawn);
        }
        events.push(Event::Gone { at, cargo: first.packet.cargo, acknowledged });
    }
}
