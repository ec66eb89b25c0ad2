//! Random numbers by place and time: whoever asks for the same event meets the same number.

use crate::model::NodeId;
use base::philox;

/// Event that a number decides; part of its address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// Under TSCH the reception of a frame (word 0) and of its acknowledgement (word 1), and the window after a failure
    /// (word 2). Under CSMA word 0 alone, for reception, sensing and disturbance.
    Frame = 1,
    /// Disturbance of a frame by another one.
    Disturbance = 2,
    /// Probability with which a node receives another, in this replicate.
    Reception = 3,
    /// Probability with which a node disturbs the reception of another, in this replicate.
    Disturbing = 4,
    /// Probability with which a node senses another, in this replicate.
    Sensing = 5,
    /// Limits of queues and buffers, in this replicate.
    Limits = 6,
    /// Back-off before a frame.
    Backoff = 7,
    /// Withdrawal of a route after a failure; the probability of it.
    Withdrawal = 8,
    /// Shift of a withdrawal that followed no failure.
    WithdrawalShift = 9,
}

/// The random numbers of one replicate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draws {
    key: [u32; 2],
}

impl Draws {
    /// Creates the numbers of `replicate` under `seed`.
    pub fn new(seed: u64, replicate: u32) -> Self {
        /// Separates the twin from other users of a seed; any number will do.
        const TWIN: u32 = 0x7477_696e;
        let [a, b, ..] = philox([replicate, TWIN, 0, 0], [seed as u32, (seed >> 32) as u32]);
        Self { key: [a, b] }
    }

    /// Returns four words, uniform on 32 bits, for an event between two nodes at a moment, counted in whatever unit the
    /// asker has, below 2^56.
    pub fn words(&self, purpose: Purpose, moment: i64, from: NodeId, to: NodeId) -> [u32; 4] {
        let place = u32::from(from) << 16 | u32::from(to);
        let moment = moment as u64;
        // Moments stay below 2^56: what is above them separates purposes.
        philox([moment as u32, (moment >> 32) as u32 ^ ((purpose as u32) << 24), place, 0], self.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_the_address_counts() {
        let draws = Draws::new(1, 2);
        let base = draws.words(Purpose::Frame, 5, 3, 4);
        assert_eq!(base, Draws::new(1, 2).words(Purpose::Frame, 5, 3, 4));
        let others = [
            Draws::new(2, 2).words(Purpose::Frame, 5, 3, 4),
            Draws::new(1, 3).words(Purpose::Frame, 5, 3, 4),
            draws.words(Purpose::Disturbance, 5, 3, 4),
            draws.words(Purpose::Frame, 6, 3, 4),
            draws.words(Purpose::Frame, 5 + (1 << 32), 3, 4),
            draws.words(Purpose::Frame, 5, 4, 3),
        ];
        assert!(others.iter().all(|other| *other != base));
    }
}
