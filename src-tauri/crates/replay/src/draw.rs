//! Every random number of a replay: ChaCha8 blocks addressed by what they are for, never by the
//! order in which they are asked for. Two algorithms that ask for the dither of the same exchange,
//! or for the weather of the same moment, get the same number (common random numbers), so their
//! difference is theirs and not the dice's.

use chacha20::variants::Legacy;
use chacha20::{ChaChaCore, R8};
use rand_core::SeedableRng;
use rand_core::block::Generator;
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
/// Blocks that are made at once: the generator's vectors hold so many.
const BLOCKS: u64 = 4;

/// The numbers of one (seed, replicate, association, purpose), in blocks of 16 words.
#[derive(Debug)]
pub(crate) struct Lane {
    /// The generator without its buffer: it writes where blocks are read. 64 bits count the blocks, as in Bernstein 2008.
    core: ChaChaCore<R8, Legacy>,
    /// The first of the blocks in `words`.
    first: Option<u64>,
    words: [u32; WORDS * BLOCKS as usize],
}

impl Lane {
    pub fn new(seed: u64, replicate: u32, association: u32, purpose: Purpose) -> Self {
        let mut key = [0_u8; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..12].copy_from_slice(&replicate.to_le_bytes());
        key[12..16].copy_from_slice(&association.to_le_bytes());
        key[16] = purpose as u8;
        Self::keyed(key)
    }

    fn keyed(key: [u8; 32]) -> Self {
        Self { core: ChaChaCore::from_seed(key), first: None, words: [0; WORDS * BLOCKS as usize] }
    }

    /// The 16 words of block `index`.
    pub fn block(&mut self, index: u64) -> &[u32; WORDS] {
        let first = index - index % BLOCKS;
        if self.first != Some(first) {
            self.core.set_block_pos(first);
            self.core.generate(&mut self.words);
            self.first = Some(first);
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

/// Two normal numbers of two words (Box & Muller, Ann. Math. Stat. 29, 1958).
pub(crate) fn normals(words: [u32; 2]) -> [f64; 2] {
    let radius = (-2.0 * (1.0 - unit(words[0])).ln()).sqrt();
    let turn = std::f64::consts::TAU * unit(words[1]);
    [radius * turn.cos(), radius * turn.sin()]
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

    /// ChaCha8 with a key and an initialisation vector of nothing but zeros: TC1 of draft-strombergson-chacha-test-vectors-01.
    #[test]
    fn the_numbers_are_those_of_chacha8() {
        let mut lane = Lane::keyed([0; 32]);
        let octets: Vec<u8> = lane.block(0).iter().flat_map(|word| word.to_le_bytes()).collect();
        let expected = [0x3e, 0x00, 0xef, 0x2f, 0x89, 0x5f, 0x40, 0xd6, 0x7f, 0x5b, 0xb8, 0xe8, 0x1f, 0x09, 0xa5, 0xa1];
        assert_eq!(octets[..16], expected);
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
