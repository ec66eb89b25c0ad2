//! Queueing: the wait of datagrams in a node before their first frame is on the air.
//!
//! When a client sends, and arms its timer, no capture sees; but when a node had a datagram that it forwards, and when
//! it began to send it on, captures of several hops do. Both wait in the same queue of the same MAC.

use crate::lookup::Map;
use crate::model::{Delay, Delivery, Exchange, Message, message_at};
use base::Span;
use wire::ieee802154::MacAddr;

/// Most messages that are measured, evenly spaced.
/// Chosen here to bound time.
const MOST: usize = 65_536;

/// Fewest waits of a node from which its own distribution is taken.
/// Chosen here; `cargo test --release -p trace --test truth times` scores the times that follow.
const ENOUGH: usize = 50;

/// Distributions of the waits of a capture.
#[derive(Default)]
pub(crate) struct Queueing {
    /// Waits of each node with at least [`ENOUGH`] of them.
    nodes: Map<MacAddr, Delay>,
    /// Waits of all nodes together; `None` where no message was followed over two hops.
    all: Option<Delay>,
}

impl Queueing {
    /// Measures the waits of messages that were followed over several hops.
    pub fn measure(messages: &[Message]) -> Self {
        let mut waits: Vec<(MacAddr, Span)> = Vec::new();
        for message in messages.iter().step_by(messages.len().div_ceil(MOST).max(1)) {
            for (before, after) in message.pairs() {
                // Only certain arrivals count: a retry that was acknowledged later proves nothing.
                let node = after.nodes.src;
                let had = before.arrived.filter(|_| before.delivery == Delivery::Yes && before.nodes.dst == node);
                waits.extend(had.map(|at| (node, after.sent - at)).filter(|&(_, wait)| wait >= Span::ZERO));
            }
        }
        waits.sort_unstable();
        let own = waits.chunk_by(|a, b| a.0 == b.0).filter(|chunk| chunk.len() >= ENOUGH);
        let node = |chunk: &[(MacAddr, Span)]| Some((chunk.first()?.0, delay(chunk.iter().map(|&(_, wait)| wait))?));
        let nodes = own.filter_map(node).collect();
        Self { nodes, all: delay(waits.into_iter().map(|(_, wait)| wait)) }
    }

    /// Returns the wait of copies in the client of `exchanges`, which have one client: that of its node, else of all
    /// nodes. `None` off 802.15.4, where the client's node was not seen, and without any waits.
    pub fn of<'a>(&self, mut exchanges: impl Iterator<Item = &'a Exchange>, messages: &[Message]) -> Option<Delay> {
        let first = |e: &Exchange| message_at(messages, e.copies.first()?.message).filter(|m| m.from_origin);
        let client = exchanges.find_map(first).and_then(|m| m.hops().next()).map_or(MacAddr::None, |h| h.src());
        self.nodes.get(&client).copied().or(self.all).filter(|_| client != MacAddr::None)
    }
}

/// Returns the quantiles of waits, of one node or of all.
fn delay(waits: impl Iterator<Item = Span>) -> Option<Delay> {
    let mut waits: Vec<Span> = waits.collect();
    let seen = Delay::of(&mut waits)?;
    let Some(slotframe) = slotframe(seen.low, seen.median) else { return Some(seen) };
    // Shifted by as much as there is before the node's slot: evenly distributed, whatever the wait. The golden ratio
    // spreads the shifts evenly over the waits in order (Weyl's sequence).
    for (wait, k) in waits.iter_mut().zip(0_i64..) {
        let part = k.wrapping_mul(618_034).rem_euclid(1_000_000);
        *wait = (*wait - slotframe.scale(part, 1_000_000)).max(Span::ZERO);
    }
    Delay::of(&mut waits)
}

/// Returns the slotframe of TSCH, where waits are as alike as that. A node forwards in slots, mostly a slotframe after
/// arrival; its own datagrams come at any time, and wait for less.
fn slotframe(low: Span, median: Span) -> Option<Span> {
    /// Most that 5th percentile and median differ, as one part in this many of the median. CSMA's waits differ more,
    /// by back-offs of 320 µs each (IEEE 802.15.4-2020 6.2.5.1), from next to none on. Chosen here by judgement:
    /// slotframes of more than 25 slots may be off by one slot. A larger share takes busy CSMA for TSCH; `cargo test
    /// --release -p trace --test truth times` scores the times that follow.
    const ALIKE: i64 = 25;
    (median - low < median.scale(1, ALIKE)).then_some(median)
}
