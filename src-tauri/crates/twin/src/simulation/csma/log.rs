//! Log of frames: each with what its addressee made of it, which is known some time after it has ended.

use super::medium::{Content, Frame};
use crate::simulation::packet::Over;
use base::Instant;
use std::collections::VecDeque;

/// Frames that are over, in the order of their ends, with the numbers of their packets.
#[derive(Debug, Default)]
pub(super) struct Log(VecDeque<(u32, Over)>);

impl Log {
    /// Adds a frame of a packet that ended, not received so far; acknowledgements are left out.
    pub fn over(&mut self, frame: &Frame) {
        let Frame { from, start, end, content, .. } = *frame;
        let Content::Data { packet, number } = content else { return };
        let (airtime, channel) = (end - start, 0);
        let over = Over {
            packet,
            from,
            start,
            airtime,
            channel,
            is_received: false,
            handed_up: None,
            acknowledgement: None,
            is_acknowledged: false,
        };
        self.0.push_back((number, over));
    }

    /// Notes that the addressee has the last frame of packet `number`, and when its network layer had the packet;
    /// `None` for a repeat.
    pub fn received(&mut self, number: u32, handed_up: Option<Instant>) {
        self.change(number, |over| (over.is_received, over.handed_up) = (true, handed_up));
    }

    /// Notes start and end of the acknowledgement that the addressee sends.
    pub fn acknowledgement(&mut self, number: u32, times: (Instant, Instant)) {
        self.change(number, |over| over.acknowledgement = Some(times));
    }

    /// Notes that the sender has the acknowledgement.
    pub fn acknowledged(&mut self, number: u32) {
        self.change(number, |over| over.is_acknowledged = true);
    }

    fn change(&mut self, number: u32, change: impl FnOnce(&mut Over)) {
        // The latest frame of the packet: the next one does not end before this one is decided.
        if let Some((_, over)) = self.0.iter_mut().rev().find(|(other, _)| *other == number) {
            change(over);
        }
    }

    /// Takes the frames before the first one that is still undecided, by the number of its packet.
    pub fn take(&mut self, undecided: impl Fn(u32) -> bool) -> Vec<Over> {
        let open = self.0.iter().position(|&(number, _)| undecided(number)).unwrap_or(self.0.len());
        self.0.drain(..open).map(|(_, over)| over).collect()
    }
}
