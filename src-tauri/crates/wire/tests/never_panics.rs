//! Any octets at all, and any octets that begin like the real thing, keep the laws in `wire::fuzz`.

use proptest::prelude::*;
use wire::fuzz::TARGETS;

/// First octets that lead deep into each parser; the rest is left to chance.
fn openings() -> impl Strategy<Value = Vec<u8>> {
    prop::sample::select(vec![
        // Empty input.
        vec![],
        // 802.15.4: data with long addresses, a 2015 frame with IEs, security, multipurpose.
        vec![0x61, 0xdc, 0x01, 0xcd, 0xab, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
        vec![0x01, 0x23],
        vec![0x09, 0xd8, 0x01, 0xcd, 0xab],
        vec![0x0d, 0x80],
        // Encrypted and not authenticated, so that any octets open: the slot number in the nonce, IEs present.
        vec![0x09, 0xef, 0xcd, 0xab, 2, 0, 0, 0, 0, 0x48, 0xde, 0xac, 1, 0, 0, 0, 0, 0x48, 0xde, 0xac, 0x64, 0, 0x3f],
        // 6LoWPAN: IPHC with next headers behind it, fragments, mesh, HC1, IPv6.
        vec![0x7e, 0x00, 0xe0],
        vec![0x7e, 0x77, 0xe1, 0x06, 0x63, 0x04],
        vec![0x02, 0x7e, 0xf5],
        vec![0xc1, 0x00],
        vec![0xb0, 0x50],
        vec![0x42, 0xfb],
        vec![0x41, 0x60],
        // IPv6: hop-by-hop options, source routing header, UDP, ICMPv6.
        [&[0x60, 0, 0, 0, 0, 40, 0, 64][..], &[0xfd; 32], &[43, 0, 0x63, 4]].concat(),
        [&[0x60, 0, 0, 0, 0, 40, 43, 64][..], &[0xfd; 32], &[17, 2, 3, 2, 0x99]].concat(),
        [&[0x60, 0, 0, 0, 0, 20, 17, 64][..], &[0xfd; 32], &[0x16, 0x33, 0x16, 0x33, 0, 20]].concat(),
        [&[0x60, 0, 0, 0, 0, 60, 58, 64][..], &[0xfd; 32], &[155, 1, 0, 0]].concat(),
        [&[0x60, 0, 0, 0, 0, 60, 58, 64][..], &[0xfd; 32], &[134, 0, 0, 0]].concat(),
        // CoAP.
        vec![0x40, 0x01, 0x12, 0x34],
        vec![0x48, 0x45],
        // TAP, Ethernet, IPv4.
        vec![0, 0, 28, 0],
        vec![0, 0, 0, 0, 0xa7],
        vec![0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0x81, 0, 0, 1, 0x08, 0, 0x45],
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(needs::cases(30_000)))]

    #[test]
    fn any_octets(octets in prop::collection::vec(any::<u8>(), 0..160)) {
        for (_, target) in TARGETS {
            target(&octets);
        }
    }

    #[test]
    fn plausible_octets(opening in openings(), rest in prop::collection::vec(any::<u8>(), 0..120)) {
        let octets = [opening, rest].concat();
        for (_, target) in TARGETS {
            target(&octets);
        }
    }

    /// Small octets make short lengths, and so more structure.
    #[test]
    fn quiet_octets(opening in openings(), rest in prop::collection::vec(0u8..24, 0..120)) {
        let octets = [opening, rest].concat();
        for (_, target) in TARGETS {
            target(&octets);
        }
    }
}
