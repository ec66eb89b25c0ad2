//! One exchange, hop by hop: every frame that carried every copy and every reply, and what follows from them.
//!
//! ```text
//!  client        router        server
//!    │──── 1 ──────│─ no ACK      │      a Leg: all frames of one message on one hop
//!    │──── 2 ─────►│▒             │      an Attempt: one of those frames
//!    │             │▒ waiting     │      a Wait: in a node, until it sent the message on
//!    │             │─────────────►│▒
//!    │◄─ ─ ─ ─ ─ ─ │◄ ─ ─ ─ ─ ─ ─ │      an Ending: where a message was last seen, and how that is known
//! ```
//!
//! A pure function of what was captured: nothing is drawn between two sightings that neither of them says. A capture
//! that sees one link only gives ladders with one rung.

mod ending;
mod leg;
mod node;

pub use ending::{Ending, Loss};
pub use leg::{Attempt, Leg, Wait, WaitKind};
pub use node::{Node, Role};

use crate::analysis::Trace;
use crate::model::{Exchange, Message, Vantage};
use base::{ExchangeId, Instant, MessageId, Span};
use node::Nodes;

/// One exchange, hop by hop.
#[derive(Clone, PartialEq, Debug)]
pub struct Ladder {
    /// Exchange that is laid out.
    pub exchange: ExchangeId,
    /// Nodes in the order of the path: the client, the routers, the server; nodes beside it stand behind the one that
    /// sent to them. Never fewer than two.
    pub nodes: Vec<Node>,
    /// Way of each of [`Exchange::copies`], in that order.
    pub copies: Vec<Transit>,
    /// Way of each of [`Exchange::replies`], in that order.
    pub replies: Vec<Transit>,
    /// Timer of each of [`Exchange::copies`], in that order.
    pub timers: Vec<Timer>,
}

/// The way of one message over its hops.
#[derive(Clone, PartialEq, Debug)]
pub struct Transit {
    /// Message that is followed.
    pub message: MessageId,
    /// Hops of the message, in the order in which they began.
    pub legs: Vec<Leg>,
    /// Waits of the message in nodes, in the order of time.
    pub waits: Vec<Wait>,
    /// Last known place of the message.
    pub ending: Ending,
}

impl Transit {
    /// Returns the number of frames on the air, retries and fragments included, acknowledgements not.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.legs.iter().map(|leg| leg.attempts.len()).sum()
    }
}

/// The retransmission timer of one copy, as far as sending shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timer {
    /// Start of the copy's first frame. The sender armed the timer earlier, by its own queue.
    pub from: Instant,
    /// Start of the next copy's first frame, or arrival of the closing reply; `None` when neither was seen.
    pub until: Option<Instant>,
    /// True where it expired: the length from `from` to `until` is the timeout, to the difference of two queueing
    /// delays. Otherwise the timeout was longer than that.
    pub expired: bool,
}

impl Timer {
    /// Returns the time that it was seen to run; `None` where its end was not seen.
    #[must_use]
    pub fn length(&self) -> Option<Span> {
        self.until.map(|until| until - self.from)
    }
}

impl Ladder {
    /// Lays out exchange `id` of `trace`; `None` when there is no such exchange.
    #[must_use]
    pub fn of(trace: &Trace, id: ExchangeId) -> Option<Self> {
        let exchange = trace.exchanges.get(id.index())?;
        let association = trace.associations.get(exchange.association.index())?;
        let message = |id: MessageId| trace.messages.get(id.index());
        let copies: Vec<&Message> = exchange.copies.iter().filter_map(|copy| message(copy.message)).collect();
        let replies: Vec<&Message> = exchange.replies.iter().filter_map(|reply| message(reply.message)).collect();
        let nodes = Nodes::of(association, &copies, &replies);
        let everywhere = association.vantage == Vantage::Everywhere;
        let transit = |message: &Message, request: bool| {
            let legs = leg::legs(trace, &nodes, message, request);
            Transit { message: message.id, waits: leg::waits(&legs), ending: Ending::Unknown { leg: None }, legs }
        };
        let mut ladder = Self {
            exchange: id,
            copies: copies.iter().map(|message| transit(message, true)).collect(),
            replies: replies.iter().map(|message| transit(message, false)).collect(),
            timers: timers(exchange),
            nodes: Vec::new(),
        };
        let sure = ending::certainties(&copies);
        for (((transit, message), copy), sure) in ladder.copies.iter_mut().zip(copies).zip(&exchange.copies).zip(sure) {
            let known = ending::of_copy(copy, message, sure);
            transit.ending = known.unwrap_or_else(|| ending::last_seen(&transit.legs, everywhere, exchange, sure));
        }
        let sure = ending::certainties(&replies);
        for (((transit, message), reply), sure) in
            ladder.replies.iter_mut().zip(replies).zip(&exchange.replies).zip(sure)
        {
            let known = ending::of_reply(reply, message, sure);
            transit.ending = known.unwrap_or_else(|| ending::last_seen(&transit.legs, everywhere, exchange, sure));
            let copy = reply.answers.and_then(|copy| exchange.copies.get(usize::from(copy)));
            let arrived = copy.and_then(|copy| copy.arrived);
            transit.waits.splice(0..0, leg::turnaround(arrived, transit.legs.first(), nodes.server()));
        }
        ladder.nodes = nodes.into_list();
        Some(ladder)
    }

    /// Returns the number of frames on the air of all copies and replies, acknowledgements not counted.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.copies.iter().chain(&self.replies).map(Transit::frames).sum()
    }
}

/// Returns the timer of each copy.
fn timers(exchange: &Exchange) -> Vec<Timer> {
    let timer = |(index, copy): (usize, &crate::model::Copy)| {
        let next = exchange.copies.get(index + 1).map(|next| next.sent);
        let end = exchange.end.filter(|&end| end >= copy.sent);
        Timer { from: copy.sent, until: next.or(end), expired: next.is_some() }
    };
    exchange.copies.iter().enumerate().map(timer).collect()
}
