//! Air time of frames.

use crate::decode::air_time::OCTET_AIR_TIME;
use base::Span;

/// Octets that the O-QPSK PHY sends before the PSDU: four of preamble, one of SFD, one of frame length
/// (IEEE Std 802.15.4-2020, 12.1: PPDU format).
const PHY_HEADER: u32 = 6;

/// Octets of the frame check sequence, without which captures are kept (IEEE Std 802.15.4-2020, 7.2.11; 2 octets with
/// this PHY).
const FCS: u32 = 2;

/// Returns the air time of a frame with a PSDU of `octets` octets, FCS not counted there; PHY header and FCS are added.
#[must_use]
pub fn airtime(octets: u32) -> Span {
    OCTET_AIR_TIME.scale(i64::from(octets.saturating_add(PHY_HEADER + FCS)), 1)
}

#[cfg(test)]
mod tests {
    use super::airtime;
    use base::Span;

    #[test]
    fn an_acknowledgement_and_the_longest_frame() {
        // 11 octets of 32 µs: the 352 µs of an immediate acknowledgement (3 octets and FCS, IEEE 802.15.4-2006
        // 7.5.6.4.2).
        assert_eq!(airtime(3), Span::from_micros(352));
        // aMaxPhyPacketSize 127: 133 octets in all, 4.256 ms.
        assert_eq!(airtime(125), Span::from_micros(4_256));
    }
}
