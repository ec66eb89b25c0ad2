//! Packets: all attempts to send one frame over a hop.

use super::air::{Air, AirFrame, NOBODY, Table};
use crate::model::NodeId;
use base::{Cancelled, SharedProgress, Span};
use trace::{FrameType, Trace};

/// Longest time from one attempt of a packet to the next, but for schedules with a longer back-off. A retry has the
/// octets and the sequence number of the frame before it on its link; later the sequence number may have come round (as
/// `trace::network` groups frames). With one cell a slotframe that takes 256 slotframes, twice as long as
/// [`super::tsch::longest_back_off`].
const RETRY_WINDOW: Span = Span::from_secs(30);

/// One packet on one hop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Packet {
    /// Positions of its attempts in [`Air::frames`], in order of time. Never empty.
    pub attempts: Vec<u32>,
    /// Node that sends it on this hop.
    pub from: NodeId,
    /// Node that it is addressed to; [`NOBODY`]: broadcast.
    pub to: NodeId,
    /// Whether it is a beacon.
    pub is_beacon: bool,
    /// Whether some attempt was acknowledged on the air.
    pub is_acknowledged: bool,
}

impl Packet {
    /// Returns the position of its first attempt in [`Air::frames`].
    pub fn first(&self) -> u32 {
        self.attempts.first().copied().unwrap_or(0)
    }
}

/// All packets of a capture, in order of their first attempt.
#[derive(Debug, Default)]
pub(super) struct Packets {
    /// Packets in order of their first attempt.
    pub list: Vec<Packet>,
    /// Position in `list`, by position in [`Air::frames`]; `u32::MAX` for acknowledgements and frames of unknown
    /// senders.
    pub of_frame: Vec<u32>,
}

impl Packets {
    /// Groups the frames of `air`. `repeats(before, frame)` tells whether a frame is the one before it on its link once
    /// more.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks.
    pub fn of(
        air: &Air,
        repeats: impl Fn(&AirFrame, &AirFrame) -> bool,
        progress: &SharedProgress<'_>,
    ) -> Result<Self, Cancelled> {
        let mut packets = Self { list: Vec::new(), of_frame: vec![u32::MAX; air.frames.len()] };
        let mut last: Table<(NodeId, NodeId), (u32, u32)> = Table::new();
        for (frame, at) in air.frames.iter().zip(0_u32..) {
            progress.ask_at(at as usize)?;
            if frame.kind == FrameType::Ack || frame.from == NOBODY {
                continue;
            }
            let key = (frame.from, frame.to);
            let is_retry = |&(_, before): &(u32, u32)| {
                frame.to != NOBODY && air.frame(before).is_some_and(|before| repeats(before, frame))
            };
            let number = match last.get(&key).copied().filter(is_retry) {
                Some((number, _)) => number,
                None => {
                    packets.list.push(Packet {
                        attempts: Vec::new(),
                        from: frame.from,
                        to: frame.to,
                        is_beacon: frame.kind == FrameType::Beacon,
                        is_acknowledged: false,
                    });
                    packets.list.len() as u32 - 1
                }
            };
            last.insert(key, (number, at));
            if let Some(slot) = packets.of_frame.get_mut(at as usize) {
                *slot = number;
            }
            if let Some(packet) = packets.list.get_mut(number as usize) {
                packet.attempts.push(at);
                packet.is_acknowledged |= frame.acknowledgement.is_some();
            }
        }
        Ok(packets)
    }
}

/// Returns the rule by which a frame of `trace` repeats the one before it on its link: the same octets and sequence
/// number, not long after it. `back_off`: the longest of its schedule, where it follows one.
pub(super) fn repeats(trace: &Trace, back_off: Option<Span>) -> impl Fn(&AirFrame, &AirFrame) -> bool {
    let window = back_off.map_or(RETRY_WINDOW, |back_off| back_off.max(RETRY_WINDOW));
    let octets = |frame: &AirFrame| trace.capture.frames.get(frame.id.index()).map(|f| trace.capture.octets_of(f));
    move |before, frame| before.seq == frame.seq && frame.at - before.at <= window && octets(before) == octets(frame)
}
