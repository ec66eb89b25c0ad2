//! Hops of copies that the network twin simulated, in the form of recorded ones.

use super::{narrow, node};
use crate::runs::Stored;
use crate::view::{
    Delivery, DropKind, EndingKind, Evidence, LadderDrop, LadderFrame, LadderLeg, LadderReply, LadderRole,
    LadderTransit, LadderView, LadderWait, ReplyKind, WaitKind,
};
use crate::{Error, Opened, Progress};
use base::Instant;
use replay::{DropReason, Hop, Load, NodeId, ReplicateFrames, SimulatedCopy, SimulatedDrop, SimulatedFrame, Way};
use std::collections::BTreeMap;
use table::ExchangeMark;
use table::columns::FateKind;
use trace::ladder;

/// One simulated copy of an exchange.
pub(super) struct Simulated {
    /// Way of the copy.
    pub request: LadderTransit,
    /// The reply to it, with its way; `None` where its server sent none.
    pub reply: Option<LadderReply>,
    /// Fate of the copy.
    pub fate: FateKind,
}

/// Simulated copies of one exchange, by number from 0.
pub(super) struct Copies(BTreeMap<usize, Simulated>);

impl Copies {
    /// Simulates the replicate of the lanes of `run` again, unless that is done, and lays out the copies of the
    /// exchange with `mark`; nodes that `view` lacks are added to it. `None` where copies of the run do not pass the
    /// network twin. Errs when cancelled.
    pub fn of(
        opened: &Opened,
        run: &Stored,
        (view, mark): (&mut LadderView, &ExchangeMark),
        progress: &mut dyn Progress,
    ) -> Result<Option<Self>, Error> {
        let Some(frames) = run.frames(opened, progress)? else { return Ok(None) };
        let copy = |number: usize| Some((number, frames.copy(mark.exchange, u16::try_from(number).ok()?)?));
        let copies: Vec<(usize, SimulatedCopy)> = (0..mark.copies.len()).filter_map(copy).collect();
        for (_, copy) in &copies {
            let requests = copy.request.hops.iter().map(|hop| (hop.from, hop.to));
            let answers = copy.answer.hops.iter().map(|hop| (hop.to, hop.from));
            for (before, node) in requests.chain(answers) {
                add(view, frames, copy, (before, node));
            }
        }
        let view = &*view;
        let form = reply_form(opened, view);
        let lay_out = |(number, copy): (usize, SimulatedCopy)| {
            let layout = Layout { view, frames, copy: &copy };
            (number, layout.simulated(number, form, mark.end))
        };
        Ok(Some(Self(copies.into_iter().map(lay_out).collect())))
    }

    /// Takes copy `number`, from 0; `None` where it is not simulated.
    pub fn take(&mut self, number: usize) -> Option<Simulated> {
        self.0.remove(&number)
    }
}

/// Returns the form of the replies: that of the recorded one which closed the exchange, else of the client's first
/// exchange that has one.
fn reply_form(opened: &Opened, view: &LadderView) -> ReplyKind {
    let trace = &opened.trace;
    let all = trace.associations.get(view.association.index()).map_or(&[][..], |association| &association.exchanges);
    let closing = |id: &base::ExchangeId| {
        let replies = trace.exchanges.get(id.index()).map_or(&[][..], |exchange| &exchange.replies);
        replies.iter().find(|reply| reply.closing).map(|reply| reply.kind)
    };
    closing(&view.exchange).or_else(|| all.iter().find_map(closing)).unwrap_or(ReplyKind::Piggybacked)
}

/// Returns the position of a node in `view`; `None` where it is not there.
fn place(view: &LadderView, frames: &ReplicateFrames, copy: &SimulatedCopy, node: NodeId) -> Option<u32> {
    if node == copy.ends.client {
        return Some(0);
    }
    if node == copy.ends.server {
        return view.nodes.len().checked_sub(1).map(narrow);
    }
    let address = frames.address(node).to_string();
    view.nodes.iter().position(|other| other.address.as_ref() == Some(&address)).map(narrow)
}

/// Adds `after` to the nodes of `view`, unless it is there: behind the node before it, and never behind the server.
fn add(view: &mut LadderView, frames: &ReplicateFrames, copy: &SimulatedCopy, (before, after): (NodeId, NodeId)) {
    if place(view, frames, copy, after).is_some() {
        return;
    }
    let last = narrow(view.nodes.len().saturating_sub(1));
    let at = place(view, frames, copy, before).map_or(last, |at| at.saturating_add(1)).min(last);
    let address = frames.address(after);
    let name = trace::names::name_of_mac(address);
    let added = node(&ladder::Node { name, address, role: LadderRole::Beside, seen: true });
    view.nodes.insert(at as usize, added);
    let moved = |node: &mut u32| *node += u32::from(*node >= at);
    for side in &mut view.sides {
        let copies = side.copies.iter_mut().filter_map(|copy| copy.transit.as_mut());
        for transit in copies.chain(side.replies.iter_mut().map(|reply| &mut reply.transit)) {
            transit.legs.iter_mut().flat_map(|leg| [&mut leg.from, &mut leg.to]).for_each(moved);
            transit.waits.iter_mut().for_each(|wait| moved(&mut wait.node));
            transit.drops.iter_mut().for_each(|drop| moved(&mut drop.node));
        }
    }
}

/// A copy that is laid out over the nodes of a ladder.
struct Layout<'a> {
    view: &'a LadderView,
    frames: &'a ReplicateFrames,
    copy: &'a SimulatedCopy,
}

impl Layout<'_> {
    /// Lays out copy `number`; `form`: that of the reply; `end`: of the exchange.
    fn simulated(&self, number: usize, form: ReplyKind, end: Option<Instant>) -> Simulated {
        let SimulatedCopy { sent, ends, request, answer } = self.copy;
        let (served, answered) = (self.copy.served(), self.copy.answered());
        let request = self.transit(request, ends.server, Some((*sent, ends.client, WaitKind::Queue)));
        let began = answer.hops.first().and_then(|hop| hop.frames.first()).map(|frame| frame.start);
        let began = began.or_else(|| answer.drops.first().map(|drop| drop.at));
        let turnaround = served.map(|at| (at, ends.server, WaitKind::Turnaround));
        let reply = began.map(|began| LadderReply {
            form,
            sent: began,
            arrived: answered,
            answers: Some(narrow(number)),
            evidence: Evidence::Unknown,
            closing: answered.is_some() && answered == end,
            transit: self.transit(answer, ends.client, turnaround),
        });
        let under_way = |transit: &LadderTransit| transit.ending == EndingKind::Unknown;
        let fate = match (served, answered) {
            (_, Some(_)) => FateKind::Answered,
            (None, None) if under_way(&request) => FateKind::Unknown,
            (None, None) => FateKind::RequestLost,
            (Some(_), None) if reply.as_ref().is_none_or(|reply| under_way(&reply.transit)) => FateKind::Unknown,
            (Some(_), None) => FateKind::ReplyLost,
        };
        Simulated { request, reply, fate }
    }

    /// Lays out the way of one message to `destination`. `origin`: when which node had it first, and why it stays there
    /// until its first frame.
    fn transit(&self, way: &Way, destination: NodeId, origin: Option<(Instant, NodeId, WaitKind)>) -> LadderTransit {
        let reached = way.reached(destination);
        let lost = way.drops.last();
        let seen = |drop: &SimulatedDrop| way.hops.iter().rposition(|hop| hop.from == drop.node || hop.to == drop.node);
        let (ending, leg) = match (reached, lost) {
            (Some(_), _) => (EndingKind::Arrived, None),
            (None, Some(drop)) => (EndingKind::Dropped, seen(drop)),
            (None, None) => (EndingKind::Unknown, way.hops.len().checked_sub(1)),
        };
        LadderTransit {
            message: None,
            legs: (0..way.hops.len()).filter_map(|place| self.leg(&way.hops, place)).collect(),
            waits: (0..way.hops.len()).filter_map(|place| self.wait(&way.hops, place, origin)).collect(),
            drops: way.drops.iter().map(|drop| self.drop(drop)).collect(),
            ending,
            evidence: Evidence::Unknown,
            leg: leg.map(narrow),
            at: reached,
        }
    }

    /// Position of a node; the client's where the ladder does not have it, as for a copy of a client that no frame
    /// shows.
    fn place(&self, node: NodeId) -> u32 {
        place(self.view, self.frames, self.copy, node).unwrap_or(0)
    }

    fn leg(&self, hops: &[Hop], place: usize) -> Option<LadderLeg> {
        let hop = hops.get(place)?;
        let first = hop.frames.first()?.start;
        let before = hops.iter().take(place);
        Some(LadderLeg {
            from: self.place(hop.from),
            to: self.place(hop.to),
            sent: first,
            arrived: hop.arrived,
            delivery: delivery(hop.arrived.is_some()),
            fragments: u32::from(hop.fragments),
            mac_delay: acknowledged(hop).map(|at| at - first),
            duplicate: before.filter(|other| (other.from, other.to) == (hop.from, hop.to)).count() > 0,
            hop_limit: None,
            frames: hop.frames.iter().map(frame).collect(),
        })
    }

    /// Stay of the message in the sender of a hop, unless another hop took it from there before.
    fn wait(&self, hops: &[Hop], place: usize, origin: Option<(Instant, NodeId, WaitKind)>) -> Option<LadderWait> {
        let hop = hops.get(place)?;
        let until = hop.frames.first()?.start;
        if hops.iter().take(place).any(|other| (other.before, other.from) == (hop.before, hop.from)) {
            return None;
        }
        let (from, kind) = match hop.before {
            Some(before) => (hops.get(before)?.arrived?, WaitKind::Queue),
            None => origin.filter(|&(_, node, _)| node == hop.from).map(|(at, _, kind)| (at, kind))?,
        };
        Some(LadderWait { node: self.place(hop.from), from, until, kind })
    }

    fn drop(&self, drop: &SimulatedDrop) -> LadderDrop {
        let reason = match drop.reason {
            DropReason::NodesUnknown => DropKind::NodesUnknown,
            DropReason::Withdrawn => DropKind::Withdrawn,
            DropReason::NoRoute => DropKind::NoRoute,
            DropReason::HopLimit => DropKind::HopLimit,
            DropReason::QueueFull => DropKind::QueueFull,
            DropReason::NoAcknowledgement => DropKind::NoAcknowledgement,
            DropReason::ChannelBusy => DropKind::ChannelBusy,
            DropReason::NoCell => DropKind::NoCell,
            DropReason::NoReassembly => DropKind::NoReassembly,
        };
        LadderDrop { node: self.place(drop.node), at: drop.at, reason }
    }
}

/// A simulation knows what becomes of a frame.
const fn delivery(is_received: bool) -> Delivery {
    if is_received { Delivery::Yes } else { Delivery::No }
}

fn frame(frame: &SimulatedFrame) -> LadderFrame {
    let fragment = match frame.load {
        Load::Copy { fragment, .. } => fragment,
        Load::Other | Load::Beacon => 0,
    };
    LadderFrame {
        frame: None,
        fragment: u32::from(fragment),
        attempt: u32::from(frame.attempt),
        seq: None,
        start: frame.start,
        end: frame.end,
        delivery: delivery(frame.is_received),
        ack: None,
        acked: frame.acknowledgement.filter(|_| frame.is_acknowledged).map(|(_, end)| end),
    }
}

/// Returns the end of the acknowledgement that left no fragment unacknowledged; `None` where one has none.
fn acknowledged(hop: &Hop) -> Option<Instant> {
    let ends = hop.frames.iter().map(frame).filter_map(|frame| Some((frame.fragment, frame.acked?)));
    let mut first: BTreeMap<u32, Instant> = BTreeMap::new();
    for (fragment, end) in ends {
        first.entry(fragment).or_insert(end);
    }
    (first.len() == usize::from(hop.fragments)).then(|| first.into_values().max()).flatten()
}
