//! Nodes of CoAP messages.

mod option;

use super::builder::TreeBuilder;
use super::upper_layer::not_here;
use super::{Part, Tree, Value};
use crate::coap::{Type, check};
use crate::{Coap, Error, Kind};
use base::Severity;

/// Reason that [`Coap::parse`] gives for a payload marker at the end.
const LONE_MARKER: &str = "payload marker without a payload";

/// Writes a CoAP message: all of a UDP payload. `rc_option` is the number of the retransmission-count option.
pub fn coap(tree: &mut Tree, part: Part<'_>, rc_option: u16) {
    held(tree, part, rc_option, 0);
}

/// Writes a CoAP message of which `missing` octets behind the part are not in the capture.
pub(super) fn held(tree: &mut Tree, part: Part<'_>, rc_option: u16, missing: usize) {
    let (mut message, mut error) = Coap::parse_partly(part.octets);
    let odd = message.odd_token(part.octets);
    let finding = odd.and_then(|token| {
        message.token = token;
        error.take()
    });
    let name = message.code.name().unwrap_or("unassigned code");
    let label = if message.header.is_empty() {
        "CoAP".to_owned()
    } else {
        format!("CoAP, {} {} {name}, MID {}", message.kind, message.code, message.mid)
    };
    let mut builder = TreeBuilder::protocol(tree, part, "coap", label, error.as_ref());
    builder.word(
        1,
        "coap.head",
        |word| format!("Version, type, token length: 0x{word:02x}"),
        |builder| {
            builder.bits(6, 2, "coap.version", |bits| format!("Version: {bits}"));
            builder.bits(4, 2, "coap.type", |bits| {
                let name = match message.kind {
                    Type::Con => "Confirmable",
                    Type::Non => "Non-confirmable",
                    Type::Ack => "Acknowledgement",
                    Type::Rst => "Reset",
                };
                format!("Type: {name} ({bits})")
            });
            builder.bits(0, 4, "coap.token_len", |bits| format!("Token Length: {bits}"));
        },
    );
    let issues = check::issues(&message, part.octets, rc_option);
    let issues = if error.is_none() || !message.header.is_empty() { issues } else { Vec::new() };
    builder.uint_as(1, "coap.code", |_| format!("Code: {} {name}", message.code));
    for issue in issues.iter().filter(|issue| issue.option.is_none()) {
        builder.find(issue.severity, issue.text.clone());
    }
    if let Some(error) = finding {
        builder.find(Severity::Warning, error.to_string());
    }
    builder.uint_as(2, "coap.mid", |mid| format!("Message ID: {mid} (0x{mid:04x})"));
    if !message.token.is_empty() {
        builder.bytes(message.token.len(), "coap.token", "Token");
    }
    let mut previous = 0;
    let mut about = issues.iter().filter(|issue| issue.option.is_some()).peekable();
    for (index, option) in message.options.iter().enumerate() {
        let number = index.saturating_add(1);
        let delta = option.number.saturating_sub(previous);
        // Issues come in the order of the options; of several of one option the first is shown.
        let issue = about.next_if(|issue| issue.option == Some(index));
        while about.next_if(|issue| issue.option == Some(index)).is_some() {}
        option::option(&mut builder, option, (number, delta), issue, rc_option);
        previous = option.number;
    }
    if let Some(payload) = &message.payload {
        builder.hex(1, "coap.opt.end_marker", "Payload marker");
        let text = part.octets.get(payload.clone()).and_then(|octets| std::str::from_utf8(octets).ok());
        match text.filter(|text| !text.contains(|c: char| c.is_control() && !c.is_whitespace())) {
            Some(text) => builder.field(payload.len(), "coap.payload", |octets| {
                (Value::Bytes, format!("Payload ({} octets): {}", octets.len(), excerpt(text)))
            }),
            None => builder.octets(payload.len(), "coap.payload", "Payload"),
        }
    }
    match error {
        // Octets that the capture left out are no error: their content is unknown.
        Some(Error { at, kind: Kind::Truncated { .. } | Kind::Invalid(LONE_MARKER), .. }) if missing > 0 => {
            builder.close_cut(at, not_here(missing));
        }
        None if missing > 0 => builder.close_cut(part.octets.len(), not_here(missing)),
        error => builder.close(error.as_ref()),
    }
}

/// Cuts a text to 80 characters on one line.
pub(super) fn excerpt(text: &str) -> String {
    /// Largest number of characters shown. Chosen here: a line of text holds them.
    const SHOWN: usize = 80;
    let (mut shown, mut more) = (text, false);
    if let Some((end, _)) = text.char_indices().nth(SHOWN) {
        (shown, more) = (text.get(..end).unwrap_or_default(), true);
    }
    let mut excerpt = base::printable(shown).into_owned();
    if more {
        excerpt.push('…');
    }
    excerpt
}
