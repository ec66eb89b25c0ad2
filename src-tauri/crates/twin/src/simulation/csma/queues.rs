//! Queues of a node: one for each neighbour, each with its own back-off. Names of functions in parentheses are
//! Contiki-NG's (`os/net/mac/csma/csma-output.c`).

use crate::model::{AfterBusy, AfterMiss, Csma, NodeId, Queueing, Window};
use crate::simulation::draws::Purpose;
use crate::simulation::packet::Packet;
use crate::simulation::realisation::Realisation;
use base::{Instant, Span};
use std::collections::VecDeque;

/// Neighbour of the queue of broadcasts.
const EVERYBODY: NodeId = NodeId::MAX;
/// Neighbour of the queue of all packets, where there is one.
const ANYBODY: NodeId = NodeId::MAX - 1;

/// Returns the neighbour of the queue that takes packets to `to`; `None`: broadcasts.
pub(super) fn queue_of(csma: &Csma, to: Option<NodeId>) -> NodeId {
    match csma.rules.queues {
        Queueing::PerNeighbour => to.unwrap_or(EVERYBODY),
        Queueing::One => ANYBODY,
    }
}

/// A packet with its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Numbered {
    /// Packet as the network layer gave it.
    pub packet: Packet,
    /// Number of the packet, unique in a simulation.
    pub number: u32,
}

/// Queue towards one neighbour.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    /// Next hop of its packets.
    pub neighbour: NodeId,
    /// Packets in the order of sending, the one that is being sent first.
    pub packets: VecDeque<Numbered>,
    /// Number of transmissions of the first packet, among them those that a busy channel used up.
    transmissions: u8,
    /// Number of busy channel assessments since the last transmission.
    collisions: u8,
    /// Number of missing acknowledgements of the first packet.
    misses: u8,
    /// Number of back-offs of the first packet.
    back_offs: u8,
    /// Number of the back-off that is running: an earlier one that ends late is void.
    pub turn: u32,
}

/// Reason of a back-off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cause {
    /// A packet came into an empty queue.
    Enqueued,
    /// The packet before it left.
    Next,
    /// The channel was busy.
    Busy,
    /// The acknowledgement did not come.
    Missed,
}

/// Consequence of a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// The packet waits for another attempt.
    Again,
    /// The packet is dropped.
    Dropped,
}

impl Queue {
    pub fn new(neighbour: NodeId, turn: u32) -> Self {
        Self { neighbour, packets: VecDeque::new(), transmissions: 0, collisions: 0, misses: 0, back_offs: 0, turn }
    }

    /// Prepares for the next packet after one has left: all counts begin again (`free_packet`).
    pub fn reset(&mut self) {
        (self.transmissions, self.collisions, self.misses, self.back_offs) = (0, 0, 0, 0);
    }

    /// Counts a busy channel, or a strange frame that came for the acknowledgement, and returns the consequence
    /// (`collision`).
    pub fn collide(&mut self, csma: &Csma, max_attempts: u8) -> Verdict {
        self.collisions = self.collisions.saturating_add(1);
        if self.collisions > csma.max_backoffs {
            match csma.rules.after_busy {
                AfterBusy::Attempt => {
                    self.collisions = 0;
                    self.transmissions = self.transmissions.saturating_add(1);
                }
                AfterBusy::Drop => return Verdict::Dropped,
                AfterBusy::Forever => {}
            }
        }
        self.verdict(max_attempts)
    }

    /// Counts a missing acknowledgement and returns the consequence (`noack`).
    pub fn miss(&mut self, max_attempts: u8) -> Verdict {
        self.collisions = 0;
        self.transmissions = self.transmissions.saturating_add(1);
        self.misses = self.misses.saturating_add(1);
        self.verdict(max_attempts)
    }

    /// Counts a back-off that was drawn.
    pub fn backs_off(&mut self) {
        self.back_offs = self.back_offs.saturating_add(1);
    }

    fn verdict(&self, max_attempts: u8) -> Verdict {
        if self.transmissions >= max_attempts { Verdict::Dropped } else { Verdict::Again }
    }

    /// Returns the end of a back-off that begins at `at` at `node` for `cause`. In whole ticks it counts from the tick
    /// at which it begins, and ends at once if that has passed (`schedule_transmission`).
    pub fn back_off(&self, csma: &Csma, drawn: &Realisation, (node, cause): (NodeId, Cause), at: Instant) -> Instant {
        // Two back-offs of a queue may begin at one moment: a busy channel, and no delay.
        let moment = (drawn.moment(at) << 6) + i64::from(self.transmissions & 7) * 8 + i64::from(self.collisions & 7);
        let [word, other, ..] = drawn.draws.words(Purpose::Backoff, moment, node, self.neighbour);
        let exponent = self.exponent(csma);
        let tick = csma.tick.nanos().max(1);
        let ticks = |count: i64| {
            let passed = (at - csma.origin).nanos().rem_euclid(tick);
            (at + csma.tick.scale(count, 1) - Span::from_nanos(passed)).max(at)
        };
        match csma.rules.window {
            Window::Ticks => ticks(below(word, ((1_i64 << exponent) - 1) * csma.unit.nanos().max(0) / tick)),
            Window::Units => {
                let delay = match (csma.rules.after_miss, cause) {
                    (AfterMiss::Delay { max_exponent }, Cause::Missed) => {
                        below(other, 1 << self.misses.saturating_sub(1).min(max_exponent).min(16))
                    }
                    _ => 0,
                };
                at + csma.unit.scale(below(word, 1 << exponent) + delay, 1)
            }
            Window::Spread => {
                let unit = csma.unit.nanos().max(0) / tick;
                match cause {
                    Cause::Enqueued => ticks(0),
                    Cause::Next => ticks(unit),
                    Cause::Busy | Cause::Missed => ticks(unit + below(word, unit << exponent)),
                }
            }
        }
    }

    /// Exponent of the next back-off; at most 16, so that a window fits the 32 bits of a random word with room to
    /// spare.
    fn exponent(&self, csma: &Csma) -> u8 {
        let grown = match (csma.rules.window, csma.rules.after_miss) {
            (Window::Spread, _) => self.misses,
            (_, AfterMiss::Grow) => self.back_offs,
            (_, AfterMiss::Restart | AfterMiss::Delay { .. }) => self.collisions,
        };
        csma.min_exponent.saturating_add(grown).min(csma.max_exponent).min(16)
    }
}

/// A whole number below `most`, 0 where there is none, from a random word.
fn below(word: u32, most: i64) -> i64 {
    (i64::from(word) * most) >> 32
}
