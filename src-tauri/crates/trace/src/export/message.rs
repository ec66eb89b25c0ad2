//! CoAP messages that were not captured, made of those that were.

use wire::Coap;
use wire::coap::{Code, Token, Type};

/// Returns a CoAP message of a header and a token alone (RFC 7252 §3): all that remains when options and payload are
/// not known, and the whole of an Empty message.
#[must_use]
pub fn bare(kind: Type, code: Code, mid: u16, token: Token) -> Vec<u8> {
    let kind = match kind {
        Type::Con => 0_u8,
        Type::Non => 1,
        Type::Ack => 2,
        Type::Rst => 3,
    };
    // An empty message has no token (§4.1).
    let token = if code.is_empty() { Token::EMPTY } else { token };
    let first = 0x40 | kind << 4 | token.len() as u8;
    [&[first, code.0], &mid.to_be_bytes()[..], token.as_slice()].concat()
}

/// Returns `message` with `count` in its retransmission-count option, number `option` (Lee, Kim and Youn 2016). `None`
/// where it has no such option, or is damaged.
#[must_use]
pub fn with_count(message: &[u8], option: u16, count: u8) -> Option<Vec<u8>> {
    let parsed = Coap::parse(message).ok()?;
    if parsed.rc(message, option)? == count {
        return Some(message.to_vec());
    }
    let found = parsed.options.iter().find(|found| found.number == option)?;
    let head = message.get(found.span.start..found.value.start)?;
    let (&first, extended) = head.split_first()?;
    // Extended octets of the delta, which precede those of the length.
    let delta = match first >> 4 {
        13 => extended.get(..1)?,
        14 => extended.get(..2)?,
        _ => &[],
    };
    // The original's value is empty (draft-jarvinen-core-fasor-00); others have one octet.
    let value = if count == 0 { &[][..] } else { &[count] };
    let lead = [first & 0xf0 | value.len() as u8];
    Some([message.get(..found.span.start)?, &lead, delta, value, message.get(found.span.end..)?].concat())
}

/// Returns `message` with another Message ID and, unless it is an Empty one, another token. `None` where its header
/// ends early.
#[must_use]
pub fn with_ids(message: &[u8], mid: u16, token: Token) -> Option<Vec<u8>> {
    let (&[first, code, ..], rest) = message.split_first_chunk::<4>()?;
    let rest = rest.get(usize::from(first & 0x0f)..)?;
    // An empty message has no token (§4.1).
    let token = if Code(code).is_empty() { Token::EMPTY } else { token };
    let first = first & 0xf0 | token.len() as u8;
    Some([&[first, code], &mid.to_be_bytes()[..], token.as_slice(), rest].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_messages_have_no_token() {
        let token = Token::from_slice(&[1, 2]).unwrap();
        assert_eq!(bare(Type::Ack, Code::EMPTY, 0x1234, token), [0x60, 0, 0x12, 0x34]);
        assert_eq!(bare(Type::Con, Code(3), 0x1234, token), [0x42, 3, 0x12, 0x34, 1, 2]);
    }

    #[test]
    fn identifiers_are_put_in_place() {
        let token = Token::from_slice(&[7, 8, 9]).unwrap();
        let get = [0x42, 1, 0x12, 0x34, 1, 2, 0xb1, b's'];
        assert_eq!(with_ids(&get, 0xabcd, token).unwrap(), [0x43, 1, 0xab, 0xcd, 7, 8, 9, 0xb1, b's']);
        assert_eq!(with_ids(&get, 0x1234, Token::from_slice(&[1, 2]).unwrap()).unwrap(), get);
        assert_eq!(with_ids(&[0x60, 0, 0, 1], 2, token).unwrap(), [0x60, 0, 0, 2]);
        assert_eq!(with_ids(&get[..5], 1, token), None);
    }

    #[test]
    fn the_count_is_put_in_place() {
        // Uri-Path "s" (11), option 65020 (delta 65009 = 14, 64740 = 0xfce4), an option behind it, a payload.
        let original = [0x40, 3, 0, 1, 0xb1, b's', 0xe0, 0xfc, 0xe4, 0x11, 9, 0xff, b'x'];
        let third = [0x40, 3, 0, 1, 0xb1, b's', 0xe1, 0xfc, 0xe4, 2, 0x11, 9, 0xff, b'x'];
        assert_eq!(with_count(&original, 65_020, 2).unwrap(), third);
        assert_eq!(with_count(&third, 65_020, 0).unwrap(), original);
        assert_eq!(with_count(&third, 65_020, 2).unwrap(), third);
        assert_eq!(with_count(&original, 65_002, 2), None);
        assert_eq!(with_count(&original[..8], 65_020, 2), None);
        let parsed = Coap::parse(&third).unwrap();
        assert_eq!(parsed.options.iter().map(|option| option.number).collect::<Vec<_>>(), [11, 65_020, 65_021]);
    }
}
