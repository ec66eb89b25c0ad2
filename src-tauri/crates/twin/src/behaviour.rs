//! Behaviour of a network on the air: statistics that no parameter is fitted to, of a capture and of a simulation
//! alike.
//!
//! * *Attempt patterns* of a link: which attempts of a packet were acknowledged. They depend on receptions, collisions,
//!   acknowledgements and limits at once, so that an error in one of them shows.
//! * *Senders at once*: cells of a slotted network with one, two, three senders; elsewhere, frames that start while
//!   others are on the air.
//! * *Forwarding*: packets that a node passes on, of those that it got to pass on. Full queues and lost fragments lower
//!   it.
//!
//! Frames are those of [`crate::recorded_frames`] or [`crate::Simulation::take_log`]; acknowledgements count as they
//! are sent, since a sniffer does not see whether they arrive.

use crate::model::{Ends, Load, Mac, Machine, NodeId, SimulatedFrame};
use base::{Instant, Span};
use std::collections::BTreeMap;
use std::fmt;

/// Attempts of a packet on one hop, and which of them were acknowledged.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Pattern {
    attempts: u8,
    /// Bit by attempt, the first one lowest.
    acknowledged: u32,
}

impl Pattern {
    /// Attempts that are told apart: those of one packet are at most 8 with the presets of known stacks, 32 with any.
    const MOST: u8 = 32;

    /// Returns the pattern of attempts in order, `true` for one that was acknowledged; those beyond the 32nd are not
    /// told apart.
    #[must_use]
    pub fn of(acknowledged: &[bool]) -> Self {
        acknowledged.iter().fold(Self::default(), |mut pattern, &is| {
            pattern.push(is);
            pattern
        })
    }

    /// Adds an attempt behind those so far; beyond [`Self::MOST`] none.
    fn push(&mut self, is_acknowledged: bool) {
        if self.attempts < Self::MOST {
            self.acknowledged |= u32::from(is_acknowledged) << self.attempts;
            self.attempts += 1;
        }
    }

    /// Returns for each attempt, in order, whether it was acknowledged.
    pub fn attempts(self) -> impl Iterator<Item = bool> {
        (0..self.attempts).map(move |at| self.acknowledged >> at & 1 == 1)
    }

    /// Returns whether some attempt was acknowledged.
    #[must_use]
    pub const fn is_acknowledged(self) -> bool {
        self.acknowledged != 0
    }
}

/// `A` for an attempt that was acknowledged, `.` for one that was not.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.attempts().try_for_each(|is| f.write_str(if is { "A" } else { "." }))
    }
}

/// Number of classes of senders at once: one, two, three, more.
pub const SENDERS: usize = 4;

/// Counts of the packets of exchanges that a node got to pass on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Forwarding {
    /// Number of packets that reached the node on their way, acknowledged.
    pub received: u64,
    /// Number of packets that the node sent on.
    pub sent_on: u64,
}

/// Behaviour of a network in an interval of time.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Behaviour {
    /// Number of frames, acknowledgements not counted.
    pub frames: u64,
    /// Number of packets of exchanges by sender and addressee of the hop, and by pattern.
    pub patterns: BTreeMap<(NodeId, NodeId), BTreeMap<Pattern, u64>>,
    /// Number of cells with one, two, three, more senders; without slots: of frames at whose start none, one, two, more
    /// others were on the air.
    pub senders: [u64; SENDERS],
    /// Counts by node that passes packets of exchanges on.
    pub forwarding: BTreeMap<NodeId, Forwarding>,
}

impl Behaviour {
    /// Returns the behaviour in `log`, frames of one network in any order, from `window.0` until before `window.1`. A
    /// packet belongs to the time of its first attempt.
    #[must_use]
    pub fn of(machine: &Machine, mut log: Vec<SimulatedFrame>, window: (Instant, Instant)) -> Self {
        let is_within = |at: Instant| window.0 <= at && at < window.1;
        log.sort_by_key(|frame| frame.start);
        let mut all = Self {
            frames: log.iter().filter(|frame| is_within(frame.start)).count() as u64,
            senders: senders(machine, &log, is_within),
            ..Self::default()
        };
        for Packet { from, to, ends, is_answer, first, pattern } in packets(machine, &log) {
            if !is_within(first) {
                continue;
            }
            *all.patterns.entry((from, to)).or_default().entry(pattern).or_default() += 1;
            let (origin, end) = if is_answer { (ends.server, ends.client) } else { (ends.client, ends.server) };
            if from != origin {
                all.forwarding.entry(from).or_default().sent_on += 1;
            }
            if to != end && pattern.is_acknowledged() {
                all.forwarding.entry(to).or_default().received += 1;
            }
        }
        all
    }
}

/// A packet of an exchange on one hop.
#[derive(Clone, Copy, Debug)]
struct Packet {
    from: NodeId,
    to: NodeId,
    ends: Ends,
    is_answer: bool,
    /// Start of its first attempt.
    first: Instant,
    pattern: Pattern,
}

/// Packets of exchanges in `log`, which is in order of time. Queues are served in order, so that the attempts of a
/// packet follow each other on its link.
fn packets(machine: &Machine, log: &[SimulatedFrame]) -> Vec<Packet> {
    let mut all: Vec<Packet> = Vec::new();
    let mut latest: BTreeMap<(NodeId, NodeId), Option<usize>> = BTreeMap::new();
    for frame in log {
        let Some(to) = frame.to else { continue };
        let current = latest.entry((frame.from, to)).or_default();
        if frame.attempt <= 1 {
            *current = opened(machine, frame, to).map(|packet| {
                all.push(packet);
                all.len() - 1
            });
        }
        if let Some(packet) = current.and_then(|at| all.get_mut(at)) {
            packet.pattern.push(frame.acknowledgement.is_some());
        }
    }
    all
}

/// The packet that begins with `frame`, if it is one of an exchange.
fn opened(machine: &Machine, frame: &SimulatedFrame, to: NodeId) -> Option<Packet> {
    let Load::Copy { association, is_answer, .. } = frame.load else { return None };
    let ends = machine.ends.get(association as usize).copied().flatten()?;
    Some(Packet { from: frame.from, to, ends, is_answer, first: frame.start, pattern: Pattern::default() })
}

fn senders(machine: &Machine, log: &[SimulatedFrame], is_within: impl Fn(Instant) -> bool) -> [u64; SENDERS] {
    /// A frame may be stamped early by this, as slots are read ([`crate::infer`]).
    const EARLY: Span = Span::from_micros(200);
    let mut counts = [0; SENDERS];
    let mut count = |senders: usize, times: u64| {
        if let Some(slot) = counts.get_mut(senders.clamp(1, SENDERS) - 1) {
            *slot += times;
        }
    };
    match &machine.mac {
        Mac::Tsch(tsch) => {
            let slot = |at: Instant| (at - tsch.origin + EARLY).nanos().div_euclid(tsch.slot.nanos().max(1));
            let within: Vec<i64> = log.iter().map(|f| f.start).filter(|&at| is_within(at)).map(slot).collect();
            within.chunk_by(|a, b| a == b).for_each(|cell| count(cell.len(), 1));
        }
        Mac::Csma(_) => {
            let mut open: Vec<Instant> = Vec::new();
            for frame in log {
                open.retain(|&end| end > frame.start);
                open.push(frame.end);
                if is_within(frame.start) {
                    count(open.len(), 1);
                }
            }
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_written_as_they_happened() {
        let pattern = Pattern::of(&[false, true, false]);
        assert_eq!(pattern.to_string(), ".A.");
        assert!(pattern.is_acknowledged());
        assert_eq!(pattern.attempts().collect::<Vec<_>>(), [false, true, false]);
        assert_ne!(Pattern::of(&[false]), Pattern::of(&[false, false]), "lengths count");
        assert_eq!(Pattern::of(&[true; 40]), Pattern::of(&[true; 32]));
    }
}
