//! The 16-bit frame check sequence.

/// CRC polynomial x^16 + x^12 + x^5 + 1, its bits reversed (7.2.10).
const POLYNOMIAL: u16 = 0x8408;

/// Octets taken at once (slicing-by-8).
const SLICE: usize = 8;

/// CRC tables: row n holds the contribution of an octet that n octets follow.
static TABLES: [[u16; 256]; SLICE] = tables();

#[allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "run by the compiler, which would refuse what goes wrong"
)]
const fn tables() -> [[u16; 256]; SLICE] {
    let mut tables = [[0; 256]; SLICE];
    let mut row = 0;
    while row < SLICE {
        let mut octet = 0;
        while octet < 256 {
            // The CRC of one octet followed by `row` octets of zero.
            let mut crc = octet as u16;
            let mut bit = 0;
            while bit < 8 * (row + 1) {
                crc = if crc & 1 == 1 { (crc >> 1) ^ POLYNOMIAL } else { crc >> 1 };
                bit += 1;
            }
            tables[row][octet] = crc;
            octet += 1;
        }
        row += 1;
    }
    tables
}

/// ITU-T CRC-16 of `octets`: x^16 + x^12 + x^5 + 1, least significant bit first, initially zero, not
/// inverted (7.2.10).
#[must_use]
pub fn fcs16(octets: &[u8]) -> u16 {
    let [t0, t1, t2, t3, t4, t5, t6, t7] = &TABLES;
    // The index is an octet and each row has 256.
    let of = |row: &[u16; 256], octet: u8| row.get(usize::from(octet)).copied().unwrap_or_default();
    let (slices, rest) = octets.as_chunks();
    let crc = slices.iter().fold(0_u16, |crc, &[a, b, c, d, e, f, g, h]| {
        let [low, high] = crc.to_le_bytes();
        of(t7, a ^ low) ^ of(t6, b ^ high) ^ of(t5, c) ^ of(t4, d) ^ of(t3, e) ^ of(t2, f) ^ of(t1, g) ^ of(t0, h)
    });
    rest.iter().fold(crc, |crc, &octet| {
        let [low, high] = crc.to_le_bytes();
        u16::from(high) ^ of(t0, low ^ octet)
    })
}

/// Returns whether the last two octets are the [`fcs16`] of those before them, least significant first.
#[must_use]
pub fn has_valid_fcs16(psdu: &[u8]) -> bool {
    psdu.split_last_chunk().is_some_and(|(octets, fcs)| fcs16(octets) == u16::from_le_bytes(*fcs))
}

#[cfg(test)]
mod tests {
    use super::{fcs16, has_valid_fcs16};

    #[test]
    fn by_slices_as_by_bits() {
        let octets: Vec<u8> = (0..100_u32).map(|n| (n * n * 31 + 7) as u8).collect();
        for len in 0..octets.len() {
            let octets = &octets[..len];
            let bits = octets.iter().fold(0, |crc, &octet| {
                (0..8).fold(crc ^ u16::from(octet), |crc, _| if crc & 1 == 1 { (crc >> 1) ^ 0x8408 } else { crc >> 1 })
            });
            assert_eq!(fcs16(octets), bits, "{len} octets");
        }
    }

    #[test]
    fn check_values() {
        // The check value of CRC-16/KERMIT, which this is.
        assert_eq!(fcs16(b"123456789"), 0x2189);
        // 7.2.10's example: the bits 0100 0000 0000 0000 0101 0110 give 0010 0111 1001 1110, first bit first.
        assert_eq!(fcs16(&[0x02, 0x00, 0x6a]), 0x79e4);
        assert!(has_valid_fcs16(&[0x02, 0x00, 0x01, 0x31, 0xa4]));
        assert!(!has_valid_fcs16(&[0x02, 0x00, 0x01, 0x31, 0xa5]));
        assert!(!has_valid_fcs16(&[0x02]));
    }
}
