//! Queues of a node: one for each neighbour, each with its own back-off.

use crate::model::{Csma, NodeId};
use crate::simulation::draws::Purpose;
use crate::simulation::packet::Packet;
use crate::simulation::realisation::Realisation;
use base::Instant;
use std::collections::VecDeque;

/// Neighbour of the queue of broadcasts.
pub(super) const EVERYBODY: NodeId = NodeId::MAX;

/// A packet with its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Numbered {
    pub packet: Packet,
    pub number: u32,
}

/// Queue towards one neighbour.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    pub neighbour: NodeId,
    pub packets: VecDeque<Numbered>,
    /// Transmissions of the first packet, among them those that a busy channel used up.
    transmissions: u8,
    /// Busy channel assessments since the last transmission.
    collisions: u8,
    /// Number of the back-off that is running: an earlier one that ends late is void.
    pub turn: u32,
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
        Self { neighbour, packets: VecDeque::new(), transmissions: 0, collisions: 0, turn }
    }

    /// A packet left: the next one begins again (`free_packet`).
    pub fn reset(&mut self) {
        (self.transmissions, self.collisions) = (0, 0);
    }

    /// The channel was busy, or a strange frame came for the acknowledgement (`collision`).
    pub fn collide(&mut self, csma: &Csma, max_attempts: u8) -> Verdict {
        self.collisions = self.collisions.saturating_add(1);
        if self.collisions > csma.max_backoffs {
            self.collisions = 0;
            self.transmissions = self.transmissions.saturating_add(1);
        }
        self.verdict(max_attempts)
    }

    /// No acknowledgement came (`noack`).
    pub fn miss(&mut self, max_attempts: u8) -> Verdict {
        self.collisions = 0;
        self.transmissions = self.transmissions.saturating_add(1);
        self.verdict(max_attempts)
    }

    fn verdict(&self, max_attempts: u8) -> Verdict {
        if self.transmissions >= max_attempts { Verdict::Dropped } else { Verdict::Again }
    }

    /// End of a back-off that begins at `at` (`schedule_transmission`): a whole number of ticks below the window after the tick at
    /// which it begins, at once if that has passed.
    pub fn back_off(&self, csma: &Csma, drawn: &Realisation, node: NodeId, at: Instant) -> Instant {
        let exponent = csma.min_exponent.saturating_add(self.collisions).min(csma.max_exponent).min(16);
        let tick = csma.tick.nanos().max(1);
        let window = ((1_i64 << exponent) - 1) * csma.unit.nanos().max(0) / tick;
        // Two back-offs of a queue may begin at one moment: a busy channel, and no delay.
        let moment = (drawn.moment(at) << 6) + i64::from(self.transmissions & 7) * 8 + i64::from(self.collisions & 7);
        let word = drawn.draws.words(Purpose::Backoff, moment, node, self.neighbour)[0];
        let ticks = (i64::from(word) * window) >> 32;
        let passed = (at - csma.origin).nanos().rem_euclid(tick);
        (at + csma.tick.scale(ticks, 1) - base::Span::from_nanos(passed)).max(at)
    }
}
