//! One block of ChaCha8 by its number.
//!
//! A replay asks for single blocks from all over the stream. Generators make four at a time, three of them for nothing, which was an
//! eighth of the time of a replay. The numbers are those of `rand_chacha::ChaCha8Rng`.

/// A quarter of the state.
type Row = [u32; 4];

/// Words per block.
pub(super) const WORDS: usize = 16;

/// "expand 32-byte k" (RFC 8439 §2.3).
const CONSTANTS: Row = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];
/// ChaCha8 (Bernstein 2008): 8 rounds are 4 double rounds.
const DOUBLE_ROUNDS: usize = 4;

fn add(a: Row, b: Row) -> Row {
    std::array::from_fn(|i| a[i].wrapping_add(b[i]))
}

/// `a` and `b` differing bits, rotated.
fn turn<const BITS: u32>(a: Row, b: Row) -> Row {
    std::array::from_fn(|i| (a[i] ^ b[i]).rotate_left(BITS))
}

/// The quarter round of all four columns (RFC 8439 §2.1).
fn round([mut a, mut b, mut c, mut d]: [Row; 4]) -> [Row; 4] {
    a = add(a, b);
    d = turn::<16>(d, a);
    c = add(c, d);
    b = turn::<12>(b, c);
    a = add(a, b);
    d = turn::<8>(d, a);
    c = add(c, d);
    b = turn::<7>(b, c);
    [a, b, c, d]
}

fn rotated<const BY: usize>(row: Row) -> Row {
    std::array::from_fn(|i| row[(i + BY) % 4])
}

/// Block `number` of the stream of `key`, with a counter of 64 bits and nonce 0.
pub(super) fn block(key: [Row; 2], number: u64) -> [u32; WORDS] {
    let start = [CONSTANTS, key[0], key[1], [number as u32, (number >> 32) as u32, 0, 0]];
    let mut state = start;
    for _ in 0..DOUBLE_ROUNDS {
        let [a, b, c, d] = round(state);
        // Diagonals as columns.
        let [a, b, c, d] = round([a, rotated::<1>(b), rotated::<2>(c), rotated::<3>(d)]);
        state = [a, rotated::<3>(b), rotated::<2>(c), rotated::<1>(d)];
    }
    let mut words = [0; WORDS];
    for (row, (a, b)) in words.as_chunks_mut::<4>().0.iter_mut().zip(state.into_iter().zip(start)) {
        *row = add(a, b);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand_chacha::ChaCha8Rng;
    use rand_core::{Rng, SeedableRng};

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn it_is_chacha8(key: [u32; 8], number in prop_oneof![0..1_000_u64, any::<u64>(), Just(u64::MAX)]) {
            let mut seed = [0; 32];
            for (octets, word) in seed.chunks_mut(4).zip(key) {
                octets.copy_from_slice(&word.to_le_bytes());
            }
            let mut known = ChaCha8Rng::from_seed(seed);
            known.set_word_pos(u128::from(number) * WORDS as u128);
            let expected: [u32; WORDS] = std::array::from_fn(|_| known.next_u32());
            let [a, b, c, d, e, f, g, h] = key;
            prop_assert_eq!(block([[a, b, c, d], [e, f, g, h]], number), expected);
        }
    }
}
