//! coap-lite reads what we read. It is laxer: where it accepts what RFC 7252 calls a format error, the
//! difference is listed here.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use coap_lite::Packet;
use proptest::prelude::*;
use wire::coap::Type;
use wire::{Coap, Error, Kind};

/// The format errors coap-lite lets pass.
fn is_leniency(error: Error) -> bool {
    matches!(
        error.kind,
        Kind::Invalid(
            "CoAP version is not 1"
                | "Empty message with a token, options or payload"
                | "payload marker without a payload"
        )
    )
}

fn assert_same(octets: &[u8]) {
    match (Coap::parse(octets), Packet::from_bytes(octets)) {
        (Ok(ours), Ok(theirs)) => {
            let kind = match ours.kind {
                Type::Con => coap_lite::MessageType::Confirmable,
                Type::Non => coap_lite::MessageType::NonConfirmable,
                Type::Ack => coap_lite::MessageType::Acknowledgement,
                Type::Rst => coap_lite::MessageType::Reset,
            };
            assert_eq!(kind, theirs.header.get_type());
            assert_eq!(ours.code.0, u8::from(theirs.header.code));
            assert_eq!(ours.mid, theirs.header.message_id);
            assert_eq!(ours.token.as_slice(), theirs.get_token());
            let list = |(number, values): (&u16, &std::collections::LinkedList<Vec<u8>>)| {
                values.iter().map(|value| (*number, value.clone())).collect::<Vec<_>>()
            };
            let theirs_options: Vec<_> = theirs.options().flat_map(list).collect();
            let options: Vec<_> = ours.options.iter().map(|o| (o.number, octets[o.value.clone()].to_vec())).collect();
            assert_eq!(options, theirs_options);
            assert_eq!(ours.payload.map_or(&[][..], |span| &octets[span]), theirs.payload);
        }
        (Err(error), theirs) => assert!(theirs.is_err() || is_leniency(error), "only we refuse: {error}"),
        (Ok(_), Err(error)) => panic!("only coap-lite refuses: {error:?}"),
    }
}

#[test]
fn known_leniencies() {
    for octets in [
        // Version 2.
        &[0x80, 0x01, 0x12, 0x34][..],
        // Empty message with a token, and with a payload.
        &[0x41, 0x00, 0x12, 0x34, 0xaa],
        &[0x40, 0x00, 0x12, 0x34, 0xff, 0xaa],
        // Payload marker without a payload.
        &[0x40, 0x01, 0x12, 0x34, 0xff],
    ] {
        assert!(is_leniency(Coap::parse(octets).unwrap_err()), "{octets:02x?}");
        assert!(Packet::from_bytes(octets).is_ok(), "{octets:02x?}: coap-lite has become stricter");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(needs::cases(20_000)))]

    #[test]
    fn same_on_any_octets(octets in prop::collection::vec(any::<u8>(), 0..100)) {
        assert_same(&octets);
    }

    /// Small octets behind a good header make options rather than errors.
    #[test]
    fn same_on_plausible_octets(
        first in 0x40u8..0x80,
        code in any::<u8>(),
        rest in prop::collection::vec(prop_oneof![4 => 0u8..0x20, 1 => any::<u8>(), 1 => 0xd0u8..0xf0], 2..100),
    ) {
        assert_same(&[&[first, code], &rest[..]].concat());
    }
}
