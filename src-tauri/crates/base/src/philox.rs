//! Random words addressed by a counter and a key.

/// Number of 32-bit words in a counter, and in the result of one call of [`philox`].
pub const WORDS: usize = 4;

/// Philox4x32-10: four random words that are a function of a counter and a key (Salmon, Moraes, Dror & Shaw, "Parallel
/// random numbers: as easy as 1, 2, 3", SC'11; constants of table 2).
///
/// ```
/// // The first known answer that the authors publish with their code (Random123, `kat_vectors`).
/// assert_eq!(base::philox([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
/// ```
#[inline]
#[must_use]
pub fn philox([mut a, mut b, mut c, mut d]: [u32; WORDS], [mut k, mut l]: [u32; 2]) -> [u32; WORDS] {
    const ROUNDS: usize = 10;
    for _ in 0..ROUNDS {
        let (left, right) = (u64::from(a) * 0xd251_1f53, u64::from(c) * 0xcd9e_8d57);
        (a, b) = ((right >> 32) as u32 ^ b ^ k, right as u32);
        (c, d) = ((left >> 32) as u32 ^ d ^ l, left as u32);
        (k, l) = (k.wrapping_add(0x9e37_79b9), l.wrapping_add(0xbb67_ae85));
    }
    [a, b, c, d]
}

/// Converts a word to a fraction of 1, `word` / 2^32: uniform on [0, 1) for a uniform word.
#[must_use]
pub fn unit(word: u32) -> f64 {
    f64::from(word) / 4_294_967_296.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The known answers that the authors publish with their code (Random123, `kat_vectors`).
    #[test]
    fn the_numbers_are_those_of_philox() {
        let pi = [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344];
        for (counter, key, expected) in [
            ([0; 4], [0; 2], [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]),
            ([u32::MAX; 4], [u32::MAX; 2], [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]),
            (pi, [0xa409_3822, 0x299f_31d0], [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]),
        ] {
            assert_eq!(philox(counter, key), expected);
        }
    }

    #[test]
    fn fractions_are_below_one() {
        assert_eq!((unit(0), unit(1 << 31)), (0.0, 0.5));
        assert!(unit(u32::MAX) < 1.0);
    }
}
