//! Sending: from the end of a back-off to the end of the packet's stay in its queue.

use super::medium::{Content, Frame};
use super::queues::{Cause, Numbered, Verdict};
use super::{CsmaMac, Due, Now, OCTET, State};
use crate::model::{DropReason, NodeId};
use crate::simulation::packet::Event;

impl CsmaMac<'_> {
    /// Handles the end of a back-off: the node sends, or tries later (`send_one_packet`).
    pub(super) fn begin(&mut self, now: &mut Now<'_>, node: NodeId, (neighbour, turn): (NodeId, u32)) {
        let Some(own) = self.nodes.get_mut(usize::from(node)) else { return };
        if own.state != State::Idle {
            own.overdue.push_back((neighbour, turn));
        } else if self.medium.is_receiving(node, now.drawn) {
            self.collide(now, node, neighbour);
        } else {
            let left = self.csma.turnaround.nanos() / self.csma.tick.nanos().max(1);
            self.enter(node, State::Turning { neighbour, since: now.at, left }, Some(now.at + self.csma.turnaround));
        }
    }

    /// Assesses the channel and sends the first packet to `neighbour`.
    pub(super) fn assess(&mut self, now: &mut Now<'_>, node: NodeId, neighbour: NodeId) {
        let is_busy = self.medium.is_busy(node, now.drawn);
        let first = self.queue(node, neighbour).and_then(|queue| queue.packets.front_mut());
        let Some(Numbered { packet, number }) = first.filter(|_| !is_busy) else {
            self.collide(now, node, neighbour);
            self.rest(now, node);
            return;
        };
        packet.attempts = packet.attempts.saturating_add(1);
        let (packet, number) = (*packet, *number);
        let end = now.at + OCTET.scale(i64::from(packet.octets), 1);
        let content = Content::Data { packet, number };
        self.enter(node, State::Sending { neighbour }, None);
        now.events.push(Event::Sent { at: now.at, node, cargo: packet.cargo });
        self.start(now, Frame { from: node, to: packet.to, start: now.at, end, content });
    }

    /// Puts a frame on the air. Nodes that begin to receive it wake up; nothing is drawn for those that are not to be
    /// woken.
    pub(super) fn start(&mut self, now: &mut Now<'_>, frame: Frame) {
        self.medium.start(frame);
        self.agenda.push(frame.end, Due::Frame { node: frame.from });
        let mut listeners = std::mem::take(&mut self.listeners);
        listeners.clear();
        listeners
            .extend(self.busy.iter().copied().filter(|&node| node != frame.from && self.may_wake(node, now.drawn)));
        for &node in &listeners {
            if self.medium.begins_to_reach(frame.from, node, now.drawn) {
                self.wake(now, node);
            }
        }
        self.listeners = listeners;
    }

    /// Handles the end of the frame of packet `number` to `to`: a broadcast is done, another one waits for its
    /// acknowledgement.
    pub(super) fn sent(
        &mut self,
        now: &mut Now<'_>,
        (node, to): (NodeId, Option<NodeId>),
        (neighbour, number): (NodeId, u32),
    ) {
        let heard = self.nodes.get_mut(usize::from(node)).and_then(|own| own.pending.take());
        if to.is_none() {
            self.leave(now, node, neighbour, None);
            self.rest(now, node);
        } else if heard.is_some() {
            // A frame that came in the turnaround is taken for the acknowledgement.
            self.collide(now, node, neighbour);
            self.rest(now, node);
        } else {
            self.enter(node, State::Waiting { neighbour, number }, Some(now.at + self.csma.ack_wait));
        }
    }

    /// Counts a busy channel for the first packet to `neighbour`: it backs off again or is dropped.
    pub(super) fn collide(&mut self, now: &mut Now<'_>, node: NodeId, neighbour: NodeId) {
        let csma = self.csma;
        let verdict = self.queue(node, neighbour).map(|queue| queue.collide(csma, now.drawn.max_attempts));
        self.judge(now, (node, neighbour), verdict, Cause::Busy);
    }

    /// Counts a missing acknowledgement of the first packet to `neighbour`: it backs off again or is dropped.
    pub(super) fn miss(&mut self, now: &mut Now<'_>, node: NodeId, neighbour: NodeId) {
        let verdict = self.queue(node, neighbour).map(|queue| queue.miss(now.drawn.max_attempts));
        self.judge(now, (node, neighbour), verdict, Cause::Missed);
    }

    fn judge(&mut self, now: &mut Now<'_>, of: (NodeId, NodeId), verdict: Option<Verdict>, cause: Cause) {
        match verdict {
            Some(Verdict::Dropped) => {
                let is_missed = cause == Cause::Missed;
                let reason = if is_missed { DropReason::NoAcknowledgement } else { DropReason::ChannelBusy };
                self.leave(now, of.0, of.1, Some(reason));
            }
            Some(Verdict::Again) => self.back_off(now.at, now.drawn, of, cause),
            None => {}
        }
    }

    /// Removes the first packet from its queue, for a reason where it is dropped; the next one backs off again, and an
    /// empty queue is given up (`free_packet`).
    pub(super) fn leave(&mut self, now: &mut Now<'_>, node: NodeId, neighbour: NodeId, dropped: Option<DropReason>) {
        let Some(own) = self.nodes.get_mut(usize::from(node)) else { return };
        let Some(place) = own.queues.iter().position(|queue| queue.neighbour == neighbour) else { return };
        let Some(queue) = own.queues.get_mut(place) else { return };
        let Some(first) = queue.packets.pop_front() else { return };
        queue.reset();
        own.packets = own.packets.saturating_sub(1);
        self.packets = self.packets.saturating_sub(1);
        let is_empty = queue.packets.is_empty();
        if dropped.is_none() && first.packet.is_forwarded {
            own.quiet_until = now.at + self.csma.rules.pause;
        }
        if is_empty {
            own.queues.remove(place);
        } else {
            self.back_off(now.at, now.drawn, (node, neighbour), Cause::Next);
        }
        now.events.push(Event::Gone { at: now.at, hop: (node, first.packet.to), cargo: first.packet.cargo, dropped });
    }
}
