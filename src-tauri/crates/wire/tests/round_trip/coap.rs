//! CoAP messages with every nibble of option delta and length.

use proptest::prelude::*;
use wire::Coap;
use wire::coap::{Code, Token, Type};

/// RFC 7252 §3.1: the nibble and the extended octets of a delta or length.
fn nibble(value: usize) -> (u8, Vec<u8>) {
    match value {
        0..=12 => (value as u8, vec![]),
        13..=268 => (13, vec![(value - 13) as u8]),
        _ => (14, ((value - 269) as u16).to_be_bytes().to_vec()),
    }
}

fn encode(kind: u8, code: u8, mid: u16, token: &[u8], options: &[(u16, Vec<u8>)], payload: &[u8]) -> Vec<u8> {
    let mut out = vec![0x40 | kind << 4 | token.len() as u8, code];
    out.extend(mid.to_be_bytes());
    out.extend(token);
    let mut previous = 0;
    for (number, value) in options {
        let (delta, more_delta) = nibble(usize::from(number - previous));
        let (length, more_length) = nibble(value.len());
        out.push(delta << 4 | length);
        out.extend(more_delta);
        out.extend(more_length);
        out.extend(value);
        previous = *number;
    }
    if !payload.is_empty() {
        out.push(0xff);
        out.extend(payload);
    }
    out
}

/// Values at and around every border of the encoding.
fn borders() -> impl Strategy<Value = usize> {
    prop_oneof![prop::sample::select(vec![0usize, 1, 12, 13, 14, 268, 269, 270, 300]), 0usize..600,]
}

fn options() -> impl Strategy<Value = Vec<(u16, Vec<u8>)>> {
    let delta = prop_oneof![8 => borders(), 1 => 0usize..65_536];
    let option = (delta, borders(), any::<u8>());
    prop::collection::vec(option, 0..8).prop_map(|list| {
        let mut number = 0usize;
        list.into_iter()
            .map_while(|(delta, length, fill)| {
                number += delta;
                u16::try_from(number).ok().map(|number| (number, vec![fill; length]))
            })
            .collect()
    })
}

proptest! {
    #[test]
    fn message(
        kind in 0u8..4,
        code in 1u8..,
        mid in any::<u16>(),
        token in prop::collection::vec(any::<u8>(), 0..=8),
        options in options(),
        payload in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let octets = encode(kind, code, mid, &token, &options, &payload);
        let message = Coap::parse(&octets).unwrap();
        prop_assert_eq!(message.kind, [Type::Con, Type::Non, Type::Ack, Type::Rst][usize::from(kind)]);
        prop_assert_eq!((message.code, message.mid), (Code(code), mid));
        prop_assert_eq!(message.token, Token::from_slice(&token).unwrap());
        let read: Vec<_> = message.options.iter().map(|o| (o.number, octets[o.value.clone()].to_vec())).collect();
        prop_assert_eq!(read, options);
        prop_assert_eq!(message.payload.map_or(&[][..], |span| &octets[span]), &payload[..]);
    }

    /// Every proper prefix that cuts the header or an option is an error that says where.
    #[test]
    fn cut_message(options in options(), cut in any::<prop::sample::Index>()) {
        let octets = encode(0, 1, 7, &[1, 2], &options, &[]);
        let whole = Coap::parse(&octets).unwrap();
        let cut = cut.index(octets.len());
        let at_border = cut == whole.header.end || whole.options.iter().any(|o| o.span.end == cut);
        match Coap::parse(&octets[..cut]) {
            Ok(_) => prop_assert!(at_border),
            Err(error) => prop_assert!(!at_border && error.at <= cut, "{}", error),
        }
    }
}
