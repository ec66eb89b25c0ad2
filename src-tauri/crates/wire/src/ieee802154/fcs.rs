//! The 16-bit frame check sequence.

/// ITU-T CRC-16 of `octets`: x^16 + x^12 + x^5 + 1, least significant bit first, initially zero, not
/// inverted (7.2.10).
#[must_use]
pub fn fcs16(octets: &[u8]) -> u16 {
    /// x^16 + x^12 + x^5 + 1 with its bits reversed.
    const POLYNOMIAL: u16 = 0x8408;
    octets.iter().fold(0, |crc, &octet| {
        (0..8).fold(crc ^ u16::from(octet), |crc, _| if crc & 1 == 1 { (crc >> 1) ^ POLYNOMIAL } else { crc >> 1 })
    })
}

/// Whether the last two octets are the [`fcs16`] of those before them, least significant first.
#[must_use]
pub fn has_valid_fcs16(psdu: &[u8]) -> bool {
    psdu.split_last_chunk().is_some_and(|(octets, fcs)| fcs16(octets) == u16::from_le_bytes(*fcs))
}

#[cfg(test)]
mod tests {
    use super::{fcs16, has_valid_fcs16};

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
