//! Receptions that no other frame can have spoiled.

use crate::inference::air::{Air, AirFrame, NOBODY, Table, Tally};
use crate::inference::packets::Packets;
use crate::model::{Csma, Evidence, Matrix, NodeId};
use base::{Cancelled, Instant, SharedProgress, Span};
use trace::FrameType;

/// Clean data frames from which on a link's acknowledgements are not asked. Chosen here: of 30 the 90 % interval of a
/// reception of 0.9 is ± 0.09 (`cargo test -p twin --test machines`).
const ENOUGH: u64 = 30;

/// Counts successes and trials of frames on every link, and adds those of its acknowledgements where frames are few.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks.
pub(super) fn of(air: &Air, packets: &Packets, csma: &Csma, progress: &SharedProgress<'_>) -> Result<Tally, Cancelled> {
    let (mut data, mut acks): (Tally, Tally) = (Table::new(), Table::new());
    let clean = Clean { air, csma };
    for (index, packet) in packets.list.iter().filter(|packet| packet.to != NOBODY).enumerate() {
        progress.ask_at(index)?;
        for (number, &at) in packet.attempts.iter().enumerate() {
            let Some(frame) = air.frame(at).filter(|frame| frame.asks) else { continue };
            if clean.is_undisturbed(at, frame) {
                let (received, all) = data.entry((packet.from, packet.to)).or_default();
                *received += u64::from(frame.acknowledgement.is_some());
                *all += 1;
            }
            // After the last allowed attempt none follows, whether the acknowledgement came or not.
            if number + 1 < usize::from(csma.max_attempts) && clean.is_acknowledgement_undisturbed(at, frame) {
                let (received, all) = acks.entry((packet.to, packet.from)).or_default();
                *received += u64::from(number + 1 == packet.attempts.len());
                *all += 1;
            }
        }
    }
    for (link, (received, all)) in acks {
        let known = data.entry(link).or_default();
        if known.1 < ENOUGH {
            *known = (known.0 + received, known.1 + all);
        }
    }
    Ok(data)
}

/// Tests of single frames.
struct Clean<'a> {
    air: &'a Air,
    csma: &'a Csma,
}

impl Clean<'_> {
    /// Returns whether only the link decided about `frame`: no other frame met it or held its acknowledgement back, and
    /// the addressee did not wait for an acknowledgement itself. That the addressee sends soon after is no reason to
    /// leave a frame out: it can because it did not receive, and without these frames links would seem too good.
    fn is_undisturbed(&self, at: u32, frame: &AirFrame) -> bool {
        let answer = frame.end + self.csma.ack_delay;
        let mut met = self.air.overlapping(at, frame.at, answer);
        let is_met = met.any(|(other, near)| {
            Some(other) != frame.acknowledgement && !(near.from == frame.to && near.at >= frame.end)
        });
        let mut before = self.air.overlapping(at, frame.end - self.csma.ack_wait, frame.at);
        !is_met && !before.any(|(_, near)| near.from == frame.to && near.asks)
    }

    /// Returns whether only the link decided about the acknowledgement of `frame`: nothing else on the air with it, and
    /// no frame before `frame` that its sender may have taken for it.
    fn is_acknowledgement_undisturbed(&self, at: u32, frame: &AirFrame) -> bool {
        let Some((number, ack)) = frame.acknowledgement.and_then(|n| Some((n, self.air.frame(n)?))) else {
            return false;
        };
        let alone = self.air.overlapping(number, frame.end, ack.end).all(|(other, _)| other == at);
        let before = frame.at - self.csma.turnaround;
        alone && self.air.overlapping(at, before, frame.at).next().is_none()
    }
}

/// Overlaps of frames: successes of those that met exactly one other frame, by that frame's sender and the addressee.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Met {
    /// Number of frames that met a frame of this sender and no other.
    pub all: u64,
    /// Number of these frames that were received.
    pub received: u64,
    /// Expected number of receptions, from the links alone.
    pub expected: f64,
}

/// Counts frames that overlapped with exactly one other frame, by that frame's sender and the addressee.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks.
pub(super) fn met(
    air: &Air,
    packets: &Packets,
    reception: &Matrix<Evidence>,
    progress: &SharedProgress<'_>,
) -> Result<Table<(NodeId, NodeId), Met>, Cancelled> {
    let mut table: Table<(NodeId, NodeId), Met> = Table::new();
    for (index, packet) in packets.list.iter().filter(|packet| packet.to != NOBODY).enumerate() {
        progress.ask_at(index)?;
        for &at in &packet.attempts {
            let Some(frame) = air.frame(at).filter(|frame| frame.asks) else { continue };
            let mut others = air.overlapping(at, frame.at, frame.end);
            let (Some((_, other)), None) = (others.next(), others.next()) else { continue };
            if other.from == NOBODY || other.from == frame.to || other.from == frame.from {
                continue;
            }
            let met = table.entry((other.from, frame.to)).or_default();
            met.all += 1;
            met.received += u64::from(frame.acknowledgement.is_some());
            met.expected += reception.get(frame.from, frame.to).mean();
        }
    }
    Ok(table)
}

/// Starts of a node's frames within those of another one.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Starts {
    /// Number seen; frames that start at once count half for each.
    pub seen: f64,
    /// Number expected of a node that does not sense.
    pub expected: f64,
}

/// Counts starts within each other's frames of every pair of nodes, lower number first: both directions together.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks.
pub(super) fn starts(air: &Air, progress: &SharedProgress<'_>) -> Result<Table<(NodeId, NodeId), Starts>, Cancelled> {
    /// Time before and after a frame that shows how often a node starts. Chosen here by judgement: no experiment
    /// decides it; three to four of the longest frames (4.3 ms). Half of it sees half of the starts that the
    /// expectation rests on, double reaches into other traffic. `cargo test --release -p twin --test calibration
    /// csma` scores who senses whom.
    const AROUND: Span = Span::from_millis(15);
    /// Time after a frame in which its acknowledgement and the retry of a busy channel fall. Chosen here: the
    /// acknowledgement is over after 0.5 ms (192 µs and 11 octets of 32 µs), and a back-off of macMinBE 3 after 2.2
    /// ms more (7 · 320 µs, IEEE 802.15.4-2006 §7.5.1.4); less would count the starts that sensing has put off.
    const AFTER: Span = Span::from_millis(4);
    let mut table: Table<(NodeId, NodeId), Starts> = Table::new();
    let is_data = |frame: &&AirFrame| frame.kind != FrameType::Ack && frame.from != NOBODY;
    let within =
        |from: Instant, to: Instant| air.frames.get(air.starting(from, to)).unwrap_or_default().iter().filter(is_data);
    for (index, frame) in air.frames.iter().filter(is_data).enumerate() {
        progress.ask_at(index)?;
        let is_third = |other: &&AirFrame| other.from != frame.from && other.from != frame.to;
        let pair = |other: &AirFrame| (frame.from.min(other.from), frame.from.max(other.from));
        for other in within(frame.at, frame.end).filter(is_third) {
            // Frames that start at once are each within the other: half counts for each.
            table.entry(pair(other)).or_default().seen += if other.at == frame.at { 0.5 } else { 1.0 };
        }
        let weight = (frame.end - frame.at).secs_f64() / (2.0 * AROUND.secs_f64());
        let before = within(frame.at - AROUND, frame.at);
        let after = within(frame.end + AFTER, frame.end + AFTER + AROUND);
        for other in before.chain(after).filter(is_third) {
            table.entry(pair(other)).or_default().expected += weight;
        }
    }
    Ok(table)
}
