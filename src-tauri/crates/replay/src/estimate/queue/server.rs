//! The node through which the copies and replies of several clients pass, one at a time.

use super::fifo::Queue;
use crate::model::Fate;
use base::{Instant, Span};

/// How such a node works.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Node {
    /// Time that a message of mean airtime takes, seconds.
    pub service: f64,
    /// Most messages inside, the one that is served included; more are dropped. [`u32::MAX`]: no limit.
    pub room: u32,
    /// Requests and replies stand in one line; else each way has its own server.
    pub shared: bool,
}

/// What a copy, and the reply to it, met at the node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Transit {
    /// Messages before the request, before the reply; 0 where it did not come so far.
    pub ahead: [u32; 2],
    /// How long the request waited, the reply.
    pub waited: [Span; 2],
}

impl Transit {
    /// Both waits.
    pub fn wait(&self) -> Span {
        self.waited[0] + self.waited[1]
    }
}

/// Requests go one way, replies the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    Request,
    Reply,
}

/// A node at work.
#[derive(Clone, Debug)]
pub(crate) struct QueueServer {
    pub node: Node,
    lines: [Queue; 2],
}

impl QueueServer {
    pub const fn new(node: Node) -> Self {
        Self { node, lines: [Queue::new(), Queue::new()] }
    }

    fn line(&mut self, way: Way) -> &mut Queue {
        let [first, second] = &mut self.lines;
        if self.node.shared || way == Way::Request { first } else { second }
    }

    /// Messages of mean airtime before one that comes now, the one that is served included.
    pub fn ahead(&mut self, way: Way, at: Instant) -> u32 {
        let wait = self.line(way).wait(at).secs_f64();
        // Where there is no wait nobody is inside, however short the service.
        if wait > 0.0 { (wait / self.node.service).ceil().min(f64::from(u32::MAX)) as u32 } else { 0 }
    }

    /// More was waiting there than is known of, or less.
    pub fn shift(&mut self, way: Way, at: Instant, more: Span) {
        self.line(way).shift(at, more);
    }

    /// The time that a message takes which is `share` times as long on the air as the mean.
    pub fn work(&self, share: f64) -> Span {
        Span::from_secs_f64(self.node.service * share).unwrap_or(Span::ZERO)
    }

    /// It comes and is not dropped; how long it waits.
    pub fn enter(&mut self, way: Way, at: Instant, work: Span) -> Span {
        self.line(way).enter(at, work)
    }

    /// Whether there is room behind `ahead` messages.
    pub const fn has_room(&self, ahead: u32) -> bool {
        ahead < self.node.room
    }
}

/// From the node to either end: half of what the shortest round trip leaves beside two services.
pub(crate) fn beside(shortest: Span, work: Span) -> Span {
    (shortest - work.scale(2, 1)).max(Span::ZERO).scale(1, 2)
}

/// When the reply to a request comes to the node that sent it on at `left`: half of what the shortest round trip leaves beside both
/// services later, and in time to be back when it was. `sent` is when the request was sent, `rtt` what its round trip took or would
/// take with the first wait as it is now. It comes after the request in any case: what is sent in one instant is in before what
/// answers it.
pub(crate) fn reply_comes(sent: Instant, left: Instant, shortest: Span, work: Span, rtt: Option<Span>) -> Instant {
    let comes = left + beside(shortest, work);
    rtt.map_or(comes, |rtt| comes.min(sent + rtt - work).max(sent + Span::from_nanos(1)))
}

/// Whether a reply is made to a request that passed the node and came to this end. Where a copy was lost is not always known: then
/// its reply is taken to have been lost.
pub(crate) const fn is_answered(fate: Fate) -> bool {
    !matches!(fate, Fate::RequestLost)
}
