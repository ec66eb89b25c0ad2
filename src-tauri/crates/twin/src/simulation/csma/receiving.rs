//! Receiving: frames that end, acknowledgements, and processors that wake up.

use super::medium::{Content, Frame, Transmission};
use super::queues::queue_of;
use super::{CsmaMac, Now, State};
use crate::model::{Acknowledger, NodeId};
use crate::simulation::packet::Event;
use crate::simulation::realisation::Realisation;

impl CsmaMac<'_> {
    /// Ends the frame of `node`: its receivers learn of it, then its sender goes on.
    pub(super) fn frame_over(&mut self, now: &mut Now<'_>, node: NodeId) {
        let Some(transmission) = self.medium.finish(node) else { return };
        if let Some(log) = &mut self.log {
            log.over(&transmission.frame);
        }
        let Some(state) = self.nodes.get(usize::from(node)).map(|own| own.state) else { return };
        match (state, transmission.frame.content) {
            (State::Sending { neighbour }, Content::Data { number, .. }) => {
                self.sent(now, (node, transmission.frame.to), (neighbour, number));
            }
            (State::Acknowledging { frame }, _) => {
                self.take_in(now, node, frame);
                self.rest(now, node);
            }
            _ => {}
        }
        self.deliver(now, &transmission);
        self.medium.recycle(transmission);
    }

    /// Hands a frame to all nodes that receive it and have a use for it: the addressee, and those that are not idle.
    /// Nodes that only noticed it come after those, as in `RadioMedium` of Cooja: what both do a tick later keeps this
    /// order.
    fn deliver(&mut self, now: &mut Now<'_>, transmission: &Transmission) {
        let Frame { from, to, .. } = transmission.frame;
        let mut listeners = std::mem::take(&mut self.listeners);
        listeners.clear();
        let idle = to.filter(|to| !self.busy.contains(to));
        listeners.extend(idle.into_iter().chain(self.busy.iter().copied()).filter(|&node| node != from));
        listeners.retain(|&node| {
            let reaches = transmission.reaches(node, now.drawn);
            if reaches {
                self.hear(now, node, transmission.frame);
            }
            !reaches
        });
        for &node in &listeners {
            if transmission.disturbs(node, now.drawn) {
                self.miss_out(now, node);
            }
        }
        self.listeners = listeners;
    }

    /// `node` has received a frame.
    fn hear(&mut self, now: &mut Now<'_>, node: NodeId, frame: Frame) {
        let is_own = frame.to == Some(node);
        let is_noticed = is_own || self.csma.acknowledger == Acknowledger::Processor;
        let Some(own) = self.nodes.get_mut(usize::from(node)).filter(|_| is_noticed) else { return };
        match (own.state, frame.content) {
            (State::Idle, Content::Data { .. }) if is_own => {
                self.enter(node, State::Answering { frame }, Some(now.at + self.csma.ack_delay));
            }
            (State::Waiting { neighbour, number }, Content::Acknowledgement { number: answered })
                if is_own && number == answered =>
            {
                if let Some(log) = &mut self.log {
                    log.acknowledged(number);
                }
                self.leave(now, node, neighbour, None);
                self.rest(now, node);
            }
            (State::Waiting { neighbour, .. }, _) => {
                self.collide(now, node, neighbour);
                self.rest(now, node);
            }
            (State::Turning { .. } | State::Answering { .. } | State::Acknowledging { .. }, _) => {
                own.pending = Some(frame);
                self.wake(now, node);
            }
            (State::Idle | State::Sending { .. }, _) => {}
        }
    }

    /// A frame that `node` could not read ends: it takes the place of one that waits to be read.
    fn miss_out(&mut self, now: &mut Now<'_>, node: NodeId) {
        if self.csma.acknowledger == Acknowledger::Radio || !now.drawn.wakes {
            return;
        }
        if let Some(own) = self.nodes.get_mut(usize::from(node)) {
            own.pending = None;
            self.wake(now, node);
        }
    }

    /// Returns whether something changes at `node` when the radio wakes its processor now.
    pub(super) fn may_wake(&self, node: NodeId, drawn: &Realisation) -> bool {
        let state = self.nodes.get(usize::from(node)).map(|own| own.state);
        self.csma.acknowledger == Acknowledger::Processor
            && drawn.wakes
            && matches!(state, Some(State::Turning { .. } | State::Answering { .. }))
    }

    /// Wakes the processor of `node` by the radio: the tick of turnaround that is running ends (`cooja-radio.c` counts
    /// wake-ups).
    pub(super) fn wake(&mut self, now: &mut Now<'_>, node: NodeId) {
        if !self.may_wake(node, now.drawn) {
            return;
        }
        match self.nodes.get(usize::from(node)).map(|own| own.state) {
            Some(State::Turning { neighbour, since, left }) => {
                let tick = self.csma.tick;
                let left = left - (now.at - since).nanos() / tick.nanos().max(1) - 1;
                if left <= 0 {
                    self.assess(now, node, neighbour);
                } else {
                    self.enter(
                        node,
                        State::Turning { neighbour, since: now.at, left },
                        Some(now.at + tick.scale(left, 1)),
                    );
                }
            }
            Some(State::Answering { frame }) => self.acknowledge(now, node, frame),
            _ => {}
        }
    }

    /// Acknowledges `frame`, if the channel allows it, and takes it in.
    pub(super) fn acknowledge(&mut self, now: &mut Now<'_>, node: NodeId, frame: Frame) {
        let is_blocked = self.csma.acknowledger == Acknowledger::Processor && self.medium.is_busy(node, now.drawn);
        let Content::Data { number, .. } = frame.content else { return };
        if is_blocked {
            self.take_in(now, node, frame);
            self.rest(now, node);
            return;
        }
        let end = now.at + self.csma.ack_airtime;
        if let Some(log) = &mut self.log {
            log.acknowledgement(number, (now.at, end));
        }
        let content = Content::Acknowledgement { number };
        self.enter(node, State::Acknowledging { frame }, None);
        self.start(now, Frame { from: node, to: Some(frame.from), start: now.at, end, content });
    }

    /// The network layer of `node` gets the packet of `frame`, unless it had it before (`mac_sequence_is_duplicate`).
    fn take_in(&mut self, now: &mut Now<'_>, node: NodeId, frame: Frame) {
        let Content::Data { packet, number } = frame.content else { return };
        let queue = self.queue(frame.from, queue_of(self.csma, Some(node)));
        let known = queue.and_then(|queue| queue.packets.front_mut()).filter(|first| first.number == number);
        let had = match known {
            Some(first) => std::mem::replace(&mut first.packet.is_received, true),
            None => packet.is_received,
        };
        if let Some(log) = &mut self.log {
            log.received(number, (!had).then_some(now.at));
        }
        if !had {
            now.events.push(Event::Received { at: now.at, node, cargo: packet.cargo });
        }
    }
}
