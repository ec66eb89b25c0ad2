//! Random streams: Philox words addressed by their purpose, never by the
//! order in which they are asked for. Two algorithms that ask for the dither of the same exchange,
//! or for the channel at the same moment, get the same number (common random numbers), so their
//! difference is theirs and not the dice's.
//!
//! Philox4x32-10 (Salmon, Moraes, Dror & Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC'11) is made for that:
//! a number is a function of its address, the *place* of the draw, and four words at any address cost a tenth of a
//! block of a stream cipher.

use base::philox;
pub(crate) use base::unit;
use rto::Dither;

/// Purpose of a random number; part of its address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// Dither of a timeout (ACK_RANDOM_FACTOR, RFC 7252 §4.8, and its relatives).
    Dither = 1,
    /// Fate of a copy: loss, donor and round trip.
    Fate = 2,
    /// Resample of a bootstrap.
    Bootstrap = 3,
    /// Imputation of the copy that an ambiguous reply answers.
    Imputation = 4,
    /// State path of a fitted two-state channel.
    StatePath = 5,
    /// Parameters of a fitted channel, drawn from their posterior.
    Posterior = 6,
    /// Change of a fate by load.
    Load = 7,
    /// Response to load, or service time of a queue, drawn from its sampling distribution.
    Response = 8,
    /// Weights of a Bayesian bootstrap over recorded copies.
    BootstrapWeights = 9,
    /// Blocks of a block bootstrap over exchanges.
    BlockBootstrap = 10,
    /// Arrivals and think times of a network twin's clients.
    Workload = 11,
}

/// Number of words of one Philox call.
const FOUR: usize = 4;
/// Number of words of one block.
pub(crate) const WORDS: usize = 4 * FOUR;

/// Random stream of one (seed, replicate, association, purpose), in blocks of 16 words.
#[derive(Clone, Debug)]
pub(crate) struct RandomStream {
    /// Key, and the part of the counter that separates streams of equal keys.
    key: [u32; 2],
    own: u32,
    /// The block read as a whole last, and its words.
    latest: Option<u64>,
    words: [u32; WORDS],
}

impl RandomStream {
    /// Stream of this address; equal addresses have equal words.
    pub fn new(seed: u64, replicate: u32, association: u32, purpose: Purpose) -> Self {
        // The name of a stream is longer than a key: 96 bits drawn from it stand for it.
        let [k, l, own, _] = philox([association, replicate, purpose as u32, 0], [seed as u32, (seed >> 32) as u32]);
        Self { key: [k, l], own, latest: None, words: [0; WORDS] }
    }

    /// Words `4 · quarter` to `4 · quarter + 3` of block `index`; there are four quarters.
    pub fn quarter(&self, index: u64, quarter: u32) -> [u32; FOUR] {
        philox([index as u32, (index >> 32) as u32, quarter, self.own], self.key)
    }

    /// Returns the 16 words of block `index`.
    pub fn block(&mut self, index: u64) -> &[u32; WORDS] {
        if self.latest != Some(index) {
            for (at, quarter) in (0..WORDS).step_by(FOUR).zip(0..) {
                let words = self.quarter(index, quarter);
                self.words[at..at + FOUR].copy_from_slice(&words);
            }
            self.latest = Some(index);
        }
        &self.words
    }

    /// Dither of copy `attempt` (0 for the original) of exchange `exchange`.
    pub fn dither(&self, exchange: u32, attempt: u8) -> Dither {
        let index = u64::from(exchange) | (u64::from(attempt / WORDS as u8) << 32);
        let at = attempt % WORDS as u8;
        Dither(self.quarter(index, u32::from(at) / FOUR as u32)[usize::from(at) % FOUR])
    }
}

/// Dithers of one (seed, replicate, association), drawn once for all algorithms.
#[derive(Clone, Debug)]
pub(crate) struct Dithers {
    stream: RandomStream,
    /// Dithers of the first copies, by exchange. Most exchanges have no more.
    words: Vec<[u32; FOUR]>,
}

impl Dithers {
    /// Draws the dithers of the first four copies of `exchanges` exchanges; others are computed when asked for.
    pub fn new(seed: u64, replicate: u32, association: u32, exchanges: usize) -> Self {
        let stream = RandomStream::new(seed, replicate, association, Purpose::Dither);
        let words = (0..exchanges as u64).map(|i| stream.quarter(i, 0)).collect();
        Self { stream, words }
    }

    /// Dither of copy `attempt` (0 for the original) of exchange `exchange`, equal to [`RandomStream::dither`].
    pub fn of(&self, exchange: u32, attempt: u8) -> Dither {
        let known = self.words.get(exchange as usize).and_then(|words| words.get(usize::from(attempt)));
        known.map_or_else(|| self.stream.dither(exchange, attempt), |&word| Dither(word))
    }
}

/// Two independent standard normal numbers from two words (Box & Muller, Ann. Math. Stat. 29, 1958).
pub(crate) fn normals(words: [u32; 2]) -> [f64; 2] {
    let radius = (-2.0 * (1.0 - unit(words[0])).ln()).sqrt();
    let angle = std::f64::consts::TAU * unit(words[1]);
    [radius * angle.cos(), radius * angle.sin()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_do_not_depend_on_the_order_of_asking() {
        let mut forward = RandomStream::new(7, 3, 1, Purpose::Fate);
        let mut backward = RandomStream::new(7, 3, 1, Purpose::Fate);
        let a: Vec<[u32; WORDS]> = (0..100).map(|i| *forward.block(i)).collect();
        let b: Vec<[u32; WORDS]> = (0..100).rev().map(|i| *backward.block(i)).collect();
        assert!(a.iter().eq(b.iter().rev()));
        let far = *forward.block(u64::MAX);
        assert_eq!(&far, backward.block(u64::MAX));
    }

    #[test]
    fn a_block_is_its_quarters() {
        let mut stream = RandomStream::new(7, 3, 1, Purpose::Fate);
        let quarters: Vec<u32> = (0..4).flat_map(|quarter| stream.quarter(5, quarter)).collect();
        assert_eq!(stream.block(5)[..], quarters);
        assert_ne!(stream.block(6)[..], quarters);
    }

    #[test]
    fn dithers_are_those_of_their_stream() {
        let (stream, dithers) = (RandomStream::new(7, 3, 1, Purpose::Dither), Dithers::new(7, 3, 1, 20));
        for exchange in [0, 7, 19, 20, u32::MAX] {
            for attempt in [0, 1, 7, 8, 15, 16, 255] {
                assert_eq!(dithers.of(exchange, attempt), stream.dither(exchange, attempt));
            }
        }
    }

    #[test]
    fn every_part_of_the_address_counts() {
        let first = |mut stream: RandomStream| *stream.block(5);
        let base = first(RandomStream::new(7, 3, 1, Purpose::Fate));
        assert_ne!(base, first(RandomStream::new(8, 3, 1, Purpose::Fate)));
        assert_ne!(base, first(RandomStream::new(7, 4, 1, Purpose::Fate)));
        assert_ne!(base, first(RandomStream::new(7, 3, 2, Purpose::Fate)));
        assert_ne!(base, first(RandomStream::new(7, 3, 1, Purpose::Dither)));
        let stream = RandomStream::new(7, 3, 1, Purpose::Dither);
        assert_ne!(stream.dither(5, 0), stream.dither(5, 16));
    }
}
