//! Every random number of a replay: ChaCha8 blocks addressed by what they are for, never by the
//! order in which they are asked for. Two algorithms that ask for the dither of the same exchange,
//! or for the weather of the same moment, get the same number (common random numbers), so their
//! difference is theirs and not the dice's.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use rto::Dither;

/// What a number is for; part of its address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// ACK_RANDOM_FACTOR and its relatives.
    Dither = 1,
    /// Which recorded copy lends its fate.
    Weather = 2,
    /// Resampling in a bootstrap.
    Bootstrap = 3,
    /// Which copy an ambiguous reply answers.
    Imputation = 4,
    /// Good and bad spells of a fitted weather.
    Spells = 5,
    /// Which parameters of a fitted weather could be.
    Posterior = 6,
    /// Whether load changes a fate.
    Load = 7,
    /// Which response to load could be.
    Response = 8,
    /// How much each recorded copy counts.
    Donors = 9,
    /// Whose turn an exchange of another run takes.
    Turns = 10,
}

/// Words per ChaCha block.
pub(crate) const WORDS: usize = 16;
/// Blocks per refill.
const BLOCKS: u64 = 4;

/// The numbers of one (seed, replicate, association, purpose), in blocks of 16 words.
#[derive(Debug)]
pub(crate) struct Lane {
    rng: ChaCha8Rng,
    first: u64,
    filled: bool,
    words: [u32; WORDS * BLOCKS as usize],
}

impl Lane {
    pub fn new(seed: u64, replicate: u32, association: u32, purpose: Purpose) -> Self {
        let mut key = [0_u8; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..12].copy_from_slice(&replicate.to_le_bytes());
        key[12..16].copy_from_slice(&association.to_le_bytes());
        key[16] = purpose as u8;
        Self { rng: ChaCha8Rng::from_seed(key), first: 0, filled: false, words: [0; WORDS * BLOCKS as usize] }
    }

    /// The 16 words of block `index`.
    pub fn block(&mut self, index: u64) -> &[u32; WORDS] {
        let first = index - index % BLOCKS;
        if !self.filled || self.first != first {
            self.rng.set_word_pos(u128::from(first) * WORDS as u128);
            for word in &mut self.words {
                *word = self.rng.next_u32();
            }
            self.first = first;
            self.filled = true;
        }
        let at = (index - first) as usize * WORDS;
        self.words[at..at + WORDS].first_chunk().unwrap_or(&[0; WORDS])
    }

    /// The dither of copy `attempt` of exchange `exchange`.
    pub fn dither(&mut self, exchange: u32, attempt: u8) -> Dither {
        let index = u64::from(exchange) | (u64::from(attempt / 16) << 32);
        Dither(self.block(index)[usize::from(attempt % 16)])
    }
}

/// The dithers of one (seed, replicate, association), drawn once for all algorithms.
#[derive(Clone, Debug)]
pub(crate) struct Dithers {
    address: (u64, u32, u32),
    /// By exchange, of its first copies.
    words: Vec<[u32; Self::COPIES]>,
}

impl Dithers {
    /// Copies that nearly all exchanges do with: MAX_RETRANSMIT is 4 (RFC 7252 §4.8).
    const COPIES: usize = 8;

    /// Those of `exchanges` exchanges.
    pub fn new(seed: u64, replicate: u32, association: u32, exchanges: usize) -> Self {
        let mut lane = Lane::new(seed, replicate, association, Purpose::Dither);
        let words = (0..exchanges as u64).map(|i| *lane.block(i).first_chunk().unwrap_or(&[0; Self::COPIES]));
        Self { address: (seed, replicate, association), words: words.collect() }
    }

    /// That of copy `attempt` of exchange `exchange`, as [`Lane::dither`].
    pub fn of(&self, exchange: u32, attempt: u8) -> Dither {
        match self.words.get(exchange as usize).and_then(|words| words.get(usize::from(attempt))) {
            Some(&word) => Dither(word),
            None => {
                let (seed, replicate, association) = self.address;
                Lane::new(seed, replicate, association, Purpose::Dither).dither(exchange, attempt)
            }
        }
    }
}

/// A word as a fraction of 1: uniform on [0, 1).
pub(crate) fn unit(word: u32) -> f64 {
    f64::from(word) / 4_294_967_296.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_do_not_depend_on_the_order_of_asking() {
        let mut forward = Lane::new(7, 3, 1, Purpose::Weather);
        let mut backward = Lane::new(7, 3, 1, Purpose::Weather);
        let a: Vec<[u32; WORDS]> = (0..100).map(|i| *forward.block(i)).collect();
        let b: Vec<[u32; WORDS]> = (0..100).rev().map(|i| *backward.block(i)).collect();
        assert!(a.iter().eq(b.iter().rev()));
        let far = *forward.block(u64::MAX);
        assert_eq!(&far, backward.block(u64::MAX));
    }

    #[test]
    fn dithers_are_those_of_their_lane() {
        let (mut lane, dithers) = (Lane::new(7, 3, 1, Purpose::Dither), Dithers::new(7, 3, 1, 20));
        for exchange in [0, 7, 19, 20, u32::MAX] {
            for attempt in [0, 1, 7, 8, 15, 16, 255] {
                assert_eq!(dithers.of(exchange, attempt), lane.dither(exchange, attempt));
            }
        }
    }

    #[test]
    fn every_part_of_the_address_counts() {
        let first = |mut lane: Lane| *lane.block(5);
        let base = first(Lane::new(7, 3, 1, Purpose::Weather));
        assert_ne!(base, first(Lane::new(8, 3, 1, Purpose::Weather)));
        assert_ne!(base, first(Lane::new(7, 4, 1, Purpose::Weather)));
        assert_ne!(base, first(Lane::new(7, 3, 2, Purpose::Weather)));
        assert_ne!(base, first(Lane::new(7, 3, 1, Purpose::Dither)));
        let mut lane = Lane::new(7, 3, 1, Purpose::Dither);
        assert_ne!(lane.dither(5, 0), lane.dither(5, 16));
    }
}
