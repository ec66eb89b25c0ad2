//! The grid of slots: frames of a TSCH network start at one phase of the slot.

use crate::inference::air::{Air, Table};
use base::{Instant, Span};
use trace::FrameType;

/// Slot lengths that stacks use: 10 ms, 15 ms of early platforms, and 40 ms at 50 kbit/s (Contiki-NG,
/// `os/net/mac/tsch/tsch-timeslot-timing.c`), 65 ms (Contiki 3.0).
const SLOTS: [Span; 4] = [Span::from_millis(10), Span::from_millis(15), Span::from_millis(40), Span::from_millis(65)];
/// Resolution of phases. Cooja is exact; a sniffer with a steady clock stays within it for minutes.
const PHASE: Span = Span::from_micros(100);
/// Frames that start in phase, per cent of all: strangers and clock steps are the rest. Chosen here: no contention
/// network among the bundled captures comes near (`cargo test -p twin --test machines`).
const IN_PHASE: usize = 95;
/// Frames below which no grid is looked for. Chosen here: of 50 in a network without slots 48 are within one phase by
/// chance with less than one in 10^60.
const FEWEST_FRAMES: usize = 50;

/// Slots of a network.
#[derive(Clone, Copy, Debug)]
pub(in crate::inference) struct Grid {
    /// Duration of a slot.
    pub slot: Span,
    /// Start of the frames of slot 0.
    pub origin: Instant,
}

/// Frames and acknowledgements of one slot, as positions in [`Air::frames`].
#[derive(Clone, Debug, Default)]
pub(super) struct Slot {
    /// Frames other than acknowledgements, in order of time.
    pub frames: Vec<u32>,
    /// Acknowledgements, in order of time.
    pub acks: Vec<u32>,
}

impl Grid {
    /// Returns the grids that frames other than acknowledgements follow, shortest slots first. One cell every 120 ms
    /// fits slots of 10, 15 and 40 ms, and is simulated alike with all of them; but only short slots have room for
    /// slotframes of any length.
    pub fn all(air: &Air) -> Vec<Self> {
        let starts: Vec<Instant> = air.frames.iter().filter(|f| f.kind != FrameType::Ack).map(|f| f.at).collect();
        if starts.len() < FEWEST_FRAMES {
            return Vec::new();
        }
        SLOTS.into_iter().filter_map(|slot| Self::with(&starts, slot)).collect()
    }

    /// The grid of slots of length `slot` that `starts` follow; `None` where too few are in phase.
    fn with(starts: &[Instant], slot: Span) -> Option<Self> {
        let first = *starts.first()?;
        let bins = slot.nanos() / PHASE.nanos();
        let bin = |at: Instant| (at - first).nanos().rem_euclid(slot.nanos()) / PHASE.nanos();
        let mut counts: Table<i64, usize> = Table::new();
        for &at in starts {
            *counts.entry(bin(at)).or_default() += 1;
        }
        let near = |at: i64| [-1, 0, 1].iter().filter_map(|d| counts.get(&(at + d).rem_euclid(bins))).sum::<usize>();
        let best = counts.keys().copied().max_by_key(|&at| (near(at), counts.get(&at).copied(), -at))?;
        if near(best) * 100 < starts.len() * IN_PHASE {
            return None;
        }
        // The earliest frame of the phase: later ones may be late by the clock of the sniffer, not earlier than the
        // slot.
        let origin = starts.iter().copied().find(|&at| bin(at) == best)?;
        Some(Self { slot, origin })
    }

    /// Returns the number of the slot in which something starts at `at`: a frame, or an acknowledgement later in the
    /// slot.
    pub fn number(&self, at: Instant) -> i64 {
        // A frame may be early by the phase; the rest of the slot belongs to acknowledgements.
        (at - self.origin + PHASE.scale(2, 1)).nanos().div_euclid(self.slot.nanos())
    }

    /// Returns all slots with frames or acknowledgements, in order of time.
    pub fn slots(&self, air: &Air) -> Vec<Slot> {
        let mut slots: Table<i64, Slot> = Table::new();
        for (frame, at) in air.frames.iter().zip(0_u32..) {
            let slot = slots.entry(self.number(frame.at)).or_default();
            if frame.kind == FrameType::Ack { &mut slot.acks } else { &mut slot.frames }.push(at);
        }
        slots.into_values().collect()
    }
}
