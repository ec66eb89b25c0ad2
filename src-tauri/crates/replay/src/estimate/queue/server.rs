//! The node through which the copies and replies of several clients pass, one at a time.

use super::fifo::Queue;
use crate::model::Fate;
use base::{Instant, Span};

/// Parameters of the bottleneck node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Node {
    /// Service time of a message of mean airtime, seconds.
    pub service: f64,
    /// Greatest number of messages inside, the one in service included; more are dropped. [`u32::MAX`]: no limit.
    pub room: u32,
    /// Whether requests and replies share one queue; otherwise each direction has its own server.
    pub shared: bool,
    /// Greatest round trip through the empty node; [`Span::MAX`] where the shortest recorded one is taken for it.
    pub empty: Span,
}

impl Node {
    /// Node without limits whose service time is still to be set.
    pub const OPEN: Self = Self { service: 0.0, room: u32::MAX, shared: true, empty: Span::MAX };
}

/// Transit of a copy and its reply through the node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Transit {
    /// Number of messages ahead of the request and of the reply, in this order; 0 where it did not arrive.
    pub ahead: [u32; 2],
    /// Waits of the request and of the reply, in this order.
    pub waited: [Span; 2],
}

impl Transit {
    /// Sum of both waits.
    pub fn wait(&self) -> Span {
        self.waited[0] + self.waited[1]
    }
}

/// Direction through the node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// From a client to its server.
    Request,
    /// From a server to its client.
    Reply,
}

/// State of the node in a simulation: its queues.
#[derive(Clone, Debug)]
pub(crate) struct QueueServer {
    /// Parameters of the node.
    pub node: Node,
    lines: [Queue; 2],
}

impl QueueServer {
    /// State of `node` with both queues empty.
    pub const fn new(node: Node) -> Self {
        Self { node, lines: [Queue::new(), Queue::new()] }
    }

    fn line(&mut self, way: Way) -> &mut Queue {
        let [first, second] = &mut self.lines;
        if self.node.shared || way == Way::Request { first } else { second }
    }

    /// Number of messages of mean airtime ahead of an arrival at `at`, the one in service included.
    pub fn ahead(&mut self, way: Way, at: Instant) -> u32 {
        let wait = self.line(way).wait(at).secs_f64();
        // Without a wait the node is empty, however short the service.
        if wait > 0.0 { (wait / self.node.service).ceil().min(f64::from(u32::MAX)) as u32 } else { 0 }
    }

    /// Corrects the backlog of a direction at `at` by `more`, which may be negative.
    pub fn shift(&mut self, way: Way, at: Instant, more: Span) {
        self.line(way).shift(at, more);
    }

    /// Service time of a message that is `share` times as long on the air as the mean.
    pub fn work(&self, share: f64) -> Span {
        Span::from_secs_f64(self.node.service * share).unwrap_or(Span::ZERO)
    }

    /// Adds an arrival that is not dropped; returns its wait.
    pub fn enter(&mut self, way: Way, at: Instant, work: Span) -> Span {
        self.line(way).enter(at, work)
    }

    /// Whether there is room behind `ahead` messages.
    pub const fn has_room(&self, ahead: u32) -> bool {
        ahead < self.node.room
    }
}

/// Delay between the node and either end: half of what the `shortest` round trip leaves beside two services of `work`.
pub(crate) fn beside(shortest: Span, work: Span) -> Span {
    (shortest - work.scale(2, 1)).max(Span::ZERO).scale(1, 2)
}

/// Arrival of a reply at the node that forwarded its request at `left`: half of what the `shortest` round trip leaves
/// beside both services later, and in time to be back when it was. `sent` is the time of the request, `rtt` the round
/// trip that it took or would take with the first wait as it is now; `None` where that is unknown. The reply comes
/// after the request in any case: a message sent in one instant is in before the one that answers it.
pub(crate) fn reply_comes(sent: Instant, left: Instant, shortest: Span, work: Span, rtt: Option<Span>) -> Instant {
    let comes = left + beside(shortest, work);
    rtt.map_or(comes, |rtt| comes.min(sent + rtt - work).max(sent + Span::from_nanos(1)))
}

/// Whether a reply is made to a request that passed the node and came to this end. Where a copy was lost is not always
/// known: then its reply is taken to have been lost.
pub(crate) const fn is_answered(fate: Fate) -> bool {
    !matches!(fate, Fate::RequestLost)
}
