//! TSCH: cells, queues and back-off, as in Contiki-NG (`os/net/mac/tsch`: `tsch-queue.c`, `tsch-slot-operation.c`).
//!
//! A step is one slot in which some cell is active. Every node offers at most one frame; then receptions,
//! acknowledgements and back-off windows follow. A failure in a shared cell raises the back-off exponent and draws a
//! window; exponent and window survive the drop of a packet on the queue of the parent, while the queue of another
//! neighbour forgets them once it is empty (`tsch_queue_free_unused_neighbors`).

mod cells;

use super::draws::Purpose;
use super::packet::{Cargo, Event, Over, Packet};
use super::realisation::Realisation;
use crate::model::{DropReason, NodeId, Tsch};
use base::{Instant, Span, unit};
use cells::Offer;
use std::collections::VecDeque;

/// Air time of an octet at 250 kbit/s (IEEE Std 802.15.4-2020, 12.2.2).
const OCTET: Span = Span::from_micros(32);

/// Queue towards one neighbour.
#[derive(Clone, Debug)]
struct Queue {
    neighbour: NodeId,
    packets: VecDeque<Packet>,
    exponent: u8,
    window: u32,
}

/// Queues of one node.
#[derive(Clone, Debug, Default)]
struct Node {
    beacons: VecDeque<Packet>,
    broadcasts: VecDeque<Packet>,
    /// In the order in which neighbours got a queue, the parent first.
    queues: Vec<Queue>,
    /// Number of packets in all of them.
    packets: usize,
}

/// Place of a packet in a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Beacon,
    Broadcast,
    Neighbour(usize),
}

/// One frame of a slot.
#[derive(Clone, Copy, Debug)]
struct Transmission {
    from: NodeId,
    place: Place,
    packet: Packet,
    channel: u8,
    airtime: Span,
    received: bool,
    acknowledged: bool,
}

/// The MAC of all nodes.
#[derive(Debug)]
pub(super) struct TschMac<'m> {
    tsch: &'m Tsch,
    nodes: Vec<Node>,
    /// Number of packets in all queues.
    packets: usize,
    /// Some queue waits for its window.
    has_windows: bool,
    /// Number of the next slot to look at.
    slot: i64,
    transmissions: Vec<Transmission>,
    /// Channel on which every node listens in this slot.
    listening: Vec<Option<u8>>,
    /// Nodes that pass a shared cell in which they may send.
    shared: Vec<bool>,
    /// Number of slots since the last frame.
    silence: u32,
    log: Option<Vec<Over>>,
}

/// Slots without a frame after which waiting packets are given up: no cell will ever take them. Chosen here: all cells
/// of any three slotframes of Orchestra (397, 31, 17) and all windows pass within an eighth of it.
const SILENCE: u32 = 1 << 21;

impl<'m> TschMac<'m> {
    pub fn new(tsch: &'m Tsch, nodes: usize) -> Self {
        let node = |at: usize| {
            let parent = tsch.parents.get(at).copied().flatten();
            Node { queues: parent.map(|parent| Queue::new(parent, tsch)).into_iter().collect(), ..Node::default() }
        };
        Self {
            tsch,
            nodes: (0..nodes).map(node).collect(),
            packets: 0,
            has_windows: false,
            slot: i64::MIN,
            transmissions: Vec::new(),
            listening: vec![None; nodes],
            shared: vec![false; nodes],
            silence: 0,
            log: None,
        }
    }

    /// Keeps a log of frames, for [`TschMac::take_log`].
    pub fn keep_log(&mut self) {
        self.log = Some(Vec::new());
    }

    /// Returns the frames since the last call, slot by slot.
    pub fn take_log(&mut self) -> Vec<Over> {
        self.log.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Returns the number of packets in all queues.
    pub fn waiting(&self) -> u64 {
        self.packets as u64
    }

    /// Puts `packet` into a queue of `node`; returns `false` where there is no room.
    pub fn enqueue(&mut self, at: Instant, node: NodeId, packet: Packet, limits: &Realisation) -> bool {
        self.wake(at);
        let (tsch, Some(node)) = (self.tsch, self.nodes.get_mut(usize::from(node))) else { return false };
        if node.packets >= limits.packets {
            return false;
        }
        match (packet.to, packet.cargo) {
            (None, Cargo::Beacon) => node.beacons.push_back(packet),
            (None, _) => node.broadcasts.push_back(packet),
            (Some(to), _) => {
                let known = node.queues.iter().position(|queue| queue.neighbour == to);
                let at = known.unwrap_or_else(|| {
                    node.queues.push(Queue::new(to, tsch));
                    node.queues.len() - 1
                });
                let Some(queue) = node.queues.get_mut(at) else { return false };
                if queue.packets.len() >= limits.per_neighbour {
                    return false;
                }
                queue.packets.push_back(packet);
            }
        }
        node.packets += 1;
        self.packets += 1;
        true
    }

    /// Returns the start of the frames of the next slot that matters; [`Instant::MAX`] while nothing waits.
    pub fn next(&self) -> Instant {
        if self.packets == 0 && !self.has_windows { Instant::MAX } else { self.start_of(self.slot) }
    }

    fn start_of(&self, slot: i64) -> Instant {
        self.tsch.origin + self.tsch.slot.scale(slot, 1)
    }

    /// After a time in which nothing waited, goes on with the first active slot after `at`.
    fn wake(&mut self, at: Instant) {
        let length = self.tsch.slot.nanos().max(1);
        let slot = (at - self.tsch.origin).nanos().div_euclid(length).saturating_add(1);
        if self.packets == 0 && !self.has_windows {
            self.slot = self.tsch.next_active(slot.max(self.slot));
        }
    }

    /// Simulates the next slot.
    pub fn step(&mut self, drawn: &Realisation, events: &mut Vec<Event>) {
        self.offer();
        self.receive(drawn);
        self.acknowledge(drawn);
        self.silence = if self.transmissions.is_empty() { self.silence + 1 } else { 0 };
        self.settle(drawn, events);
        self.shrink_windows();
        if self.silence > SILENCE {
            self.give_up(events);
        }
        self.slot = self.tsch.next_active(self.slot.saturating_add(1));
    }

    /// Drops all packets and ends all back-offs.
    fn give_up(&mut self, events: &mut Vec<Event>) {
        let at = self.start_of(self.slot);
        for (node, number) in self.nodes.iter_mut().zip(0..) {
            let queues = node.queues.iter_mut().flat_map(|queue| {
                queue.window = 0;
                queue.packets.drain(..)
            });
            let packets = node.beacons.drain(..).chain(node.broadcasts.drain(..)).chain(queues);
            events.extend(packets.map(|packet| Event::Gone {
                at,
                hop: (number, None),
                cargo: packet.cargo,
                dropped: Some(DropReason::NoCell),
            }));
            node.packets = 0;
        }
        (self.packets, self.silence, self.has_windows) = (0, 0, false);
    }

    /// Collects the frames of this slot, shortest first, and who listens where.
    fn offer(&mut self) {
        self.transmissions.clear();
        for (at, node) in self.nodes.iter().enumerate() {
            let Offer { sends, listens, passes_shared } = self.tsch.offer(self.slot, at as NodeId, node);
            if let Some(slot) = self.listening.get_mut(at) {
                *slot = listens;
            }
            if let Some(slot) = self.shared.get_mut(at) {
                *slot = passes_shared;
            }
            let Some((place, packet, channel)) = sends else { continue };
            self.transmissions.push(Transmission {
                from: at as NodeId,
                place,
                packet,
                channel,
                airtime: OCTET.scale(i64::from(packet.octets), 1),
                received: false,
                acknowledged: false,
            });
        }
        // The shorter a frame, the sooner its acknowledgement: one that comes during another frame spoils it.
        self.transmissions.sort_by_key(|t| t.airtime);
    }

    /// Decides which frames reach their addressees.
    fn receive(&mut self, drawn: &Realisation) {
        for at in 0..self.transmissions.len() {
            let (earlier, rest) = self.transmissions.split_at_mut(at);
            let Some((this, later)) = rest.split_first_mut() else { continue };
            let Some(to) = this.packet.to else { continue };
            if self.listening.get(usize::from(to)).copied().flatten() != Some(this.channel) {
                continue;
            }
            let others = || earlier.iter().chain(later.iter()).filter(|other| other.channel == this.channel);
            let is_hit = others().any(|other| disturbs(drawn, self.slot, other.from, to))
                || earlier.iter().filter(|other| other.received && other.channel == this.channel).any(|other| {
                    // Its acknowledgement begins before this frame ends.
                    let answers = other.airtime + self.tsch.ack_delay;
                    let from = other.packet.to.unwrap_or(NodeId::MAX);
                    answers < this.airtime && from != to && disturbs(drawn, self.slot, from, to)
                });
            let word = drawn.draws.words(Purpose::Frame, self.slot, this.from, to)[0];
            this.received = !is_hit && unit(word) < drawn.reception.get(this.from, to);
        }
    }

    /// Decides which acknowledgements reach the senders.
    fn acknowledge(&mut self, drawn: &Realisation) {
        let (delay, length) = (self.tsch.ack_delay, self.tsch.ack_airtime);
        for at in 0..self.transmissions.len() {
            let Some(this) = self.transmissions.get(at).filter(|t| t.received) else { continue };
            let (from, channel, Some(to)) = (this.from, this.channel, this.packet.to) else { continue };
            let (start, end) = (this.airtime + delay, this.airtime + delay + length);
            let is_hit = self.transmissions.iter().enumerate().any(|(other_at, other)| {
                if other_at == at || other.channel != channel {
                    return false;
                }
                let frame = other.airtime > start && other.from != from && disturbs(drawn, self.slot, other.from, from);
                let answerer = other.packet.to.filter(|_| other.received);
                let answer = answerer.is_some_and(|answerer| {
                    let (begins, ends) = (other.airtime + delay, other.airtime + delay + length);
                    begins < end && start < ends && disturbs(drawn, self.slot, answerer, from)
                });
                frame || answer
            });
            let word = drawn.draws.words(Purpose::Frame, self.slot, from, to)[1];
            if let Some(this) = self.transmissions.get_mut(at) {
                this.acknowledged = !is_hit && unit(word) < drawn.reception.get(to, from);
            }
        }
    }

    /// Takes the consequences: receptions, drops, new windows.
    fn settle(&mut self, drawn: &Realisation, events: &mut Vec<Event>) {
        let start = self.start_of(self.slot);
        let transmissions = std::mem::take(&mut self.transmissions);
        for this in &transmissions {
            let (cargo, node) = (this.packet.cargo, this.from);
            events.push(Event::Sent { at: start, node, cargo });
            let at = start + this.airtime;
            if let Some(to) = this.packet.to.filter(|_| this.received && !this.packet.is_received) {
                events.push(Event::Received { at, node: to, cargo });
            }
            if let Some(acknowledged) = self.leave(this, drawn) {
                let dropped = (!acknowledged).then_some(DropReason::NoAcknowledgement);
                events.push(Event::Gone { at, hop: (node, this.packet.to), cargo, dropped });
            }
            self.note(start, this);
        }
        self.transmissions = transmissions;
    }

    fn note(&mut self, start: Instant, this: &Transmission) {
        let Some(log) = &mut self.log else { return };
        let answer = start + this.airtime + self.tsch.ack_delay;
        log.push(Over {
            packet: Packet { attempts: this.packet.attempts.saturating_add(1), ..this.packet },
            from: this.from,
            start,
            airtime: this.airtime,
            channel: this.channel,
            is_received: this.received,
            handed_up: (this.received && !this.packet.is_received).then_some(start + this.airtime),
            acknowledgement: this.received.then(|| (answer, answer + self.tsch.ack_airtime)),
            is_acknowledged: this.acknowledged,
        });
    }

    /// Updates the queue that a frame came from; returns whether the packet was delivered, if it leaves the queue.
    fn leave(&mut self, this: &Transmission, drawn: &Realisation) -> Option<bool> {
        let (tsch, parent) = (self.tsch, self.tsch.parents.get(usize::from(this.from)).copied().flatten());
        let node = self.nodes.get_mut(usize::from(this.from))?;
        let Place::Neighbour(place) = this.place else {
            let list = if this.place == Place::Beacon { &mut node.beacons } else { &mut node.broadcasts };
            list.pop_front();
            node.packets = node.packets.saturating_sub(1);
            self.packets = self.packets.saturating_sub(1);
            return Some(true);
        };
        let queue = node.queues.get_mut(place)?;
        let packet = queue.packets.front_mut()?;
        packet.attempts = packet.attempts.saturating_add(1);
        packet.is_received |= this.received;
        let is_done = this.acknowledged || packet.attempts >= drawn.max_attempts;
        if is_done {
            queue.packets.pop_front();
            node.packets = node.packets.saturating_sub(1);
            self.packets = self.packets.saturating_sub(1);
        }
        if this.acknowledged || is_done && !drawn.keeps_back_off {
            queue.reset(tsch);
        } else {
            let word = drawn.draws.words(Purpose::Frame, self.slot, this.from, queue.neighbour)[2];
            queue.fail(tsch, word);
        }
        let is_kept = parent == Some(queue.neighbour) || !queue.packets.is_empty();
        if is_kept {
            self.has_windows |= queue.window > 0;
        } else {
            node.queues.remove(place);
        }
        is_done.then_some(this.acknowledged)
    }

    /// Windows shrink by one with every shared cell that their node may send in.
    fn shrink_windows(&mut self) {
        if !self.has_windows {
            return;
        }
        self.has_windows = false;
        for (node, _) in self.nodes.iter_mut().zip(&self.shared).filter(|(_, shared)| **shared) {
            for queue in &mut node.queues {
                queue.window = queue.window.saturating_sub(1);
            }
        }
        self.has_windows = self.nodes.iter().any(|node| node.queues.iter().any(|queue| queue.window > 0));
    }
}

/// Returns whether a frame of `other` spoils what `to` receives in this slot.
fn disturbs(drawn: &Realisation, slot: i64, other: NodeId, to: NodeId) -> bool {
    let probability = drawn.disturbance.get(other, to);
    if probability <= 0.0 || probability >= 1.0 {
        return probability >= 1.0;
    }
    unit(drawn.draws.words(Purpose::Disturbance, slot, other, to)[0]) < probability
}

impl Queue {
    fn new(neighbour: NodeId, tsch: &Tsch) -> Self {
        Self { neighbour, packets: VecDeque::new(), exponent: tsch.min_exponent, window: 0 }
    }

    /// Acknowledged: no back-off (`tsch_queue_backoff_reset`).
    fn reset(&mut self, tsch: &Tsch) {
        (self.exponent, self.window) = (tsch.min_exponent, 0);
    }

    /// Not acknowledged: a longer window (`tsch_queue_backoff_inc`), one more because this slot counts as well.
    fn fail(&mut self, tsch: &Tsch, word: u32) {
        self.exponent = self.exponent.saturating_add(1).min(tsch.max_exponent);
        let slots = u64::from(1_u32 << self.exponent.min(16));
        self.window = ((u64::from(word) * slots) >> 32) as u32 + 1;
    }
}
