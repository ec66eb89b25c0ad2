//! Recognition of CoAP in UDP payloads on unknown ports.

use super::check::is_allowed;
use super::{Coap, Code, registry};

/// Evidence that octets are a CoAP message, in bits: how much rarer a message as good as this one is among random
/// octets. 0 where they are no message, or have a code that is not registered, is a signalling one or does not go with
/// the type.
///
/// Counted are the version (2 bits), a token length in use (1), a registered code (3) that goes with the type
/// (1), and for each option a number that is registered (2) with a length that is allowed (1). An Empty
/// message is all of its payload: nothing behind the Message ID says as much as three more bits. Options of an
/// unknown number, which random octets are full of, take 2 bits each; of a registered one with a length that is not
/// allowed, 4.
#[must_use]
pub fn evidence(udp_payload: &[u8]) -> u8 {
    let Ok(message) = Coap::parse(udp_payload) else { return 0 };
    let code = message.code;
    if code.name().is_none() || code.class() == Code::SIGNALLING_CLASS {
        return 0;
    }
    if !is_allowed(message.kind, code.is_empty(), code.is_request()) {
        return 0;
    }
    let mut bits = 7i32;
    if code.is_empty() {
        bits = bits.saturating_add(3);
    }
    for option in &message.options {
        let said = match registry::option(option.number) {
            Some(spec) if (usize::from(spec.min)..=usize::from(spec.max)).contains(&option.value.len()) => 3,
            Some(_) => -4,
            None => -2,
        };
        bits = bits.saturating_add(said);
    }
    u8::try_from(bits.clamp(0, 255)).unwrap_or(u8::MAX)
}

/// Returns whether one payload is probably a CoAP message: [`evidence`] of at least 7 bits, all that a header without
/// options can have. One in 2300 payloads of 1 to 64 random octets passes, so ask for several payloads of a port.
#[must_use]
pub fn plausible(udp_payload: &[u8]) -> bool {
    evidence(udp_payload) >= 7
}
