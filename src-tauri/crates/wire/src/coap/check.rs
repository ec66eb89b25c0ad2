//! Validation of a message that could be parsed: rules of RFC 7252 beyond the message format, whose
//! breach is an [`crate::Error`] of [`Coap::parse`].

use super::registry::{self, Format};
use super::{Block, Coap, Oscore, Type, number};
use base::Severity;

/// Breach of a rule, located in a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Issue {
    /// Stable name of the kind, one of [`CODES`].
    pub code: &'static str,
    /// Warning for a breach of the standard, remark for something legal but unusual.
    pub severity: Severity,
    /// Offset of the octet concerned in the slice given to [`Coap::parse`].
    pub at: usize,
    /// Index into [`Coap::options`] of the option concerned; `None` for an issue of the fixed header.
    pub option: Option<usize>,
    /// Sentence for a person; of a breach it names the standard, as far as one is known.
    pub text: String,
}

/// Names of all kinds of issues, as [`Issue::code`] has them.
pub const CODES: [&str; 11] = [
    "coap-reserved-class",
    "coap-unassigned-code",
    "coap-type-and-code",
    "coap-option-length",
    "coap-option-repeated",
    "coap-option-reserved",
    "coap-option-critical-unknown",
    "coap-option-not-utf8",
    "coap-option-leading-zeros",
    "coap-block-size",
    "coap-oscore",
];

/// Returns all issues of a message: of its code, of its type, then option by option. `octets` is the slice given to
/// [`Coap::parse`], `rc_option` the number of the retransmission-count option, which counts as known.
#[must_use]
pub fn issues(message: &Coap, octets: &[u8], rc_option: u16) -> Vec<Issue> {
    let mut issues = Vec::new();
    let mut say = |code, severity, at, option, text: String| issues.push(Issue { code, severity, at, option, text });
    let code = message.code;
    if code.is_reserved() {
        say(CODES[0], Severity::Warning, 1, None, format!("code {code} is of a reserved class (RFC 7252 §4.2)"));
    } else if code.name().is_none() {
        say(CODES[1], Severity::Remark, 1, None, format!("code {code} is not assigned"));
    }
    if !is_allowed(message.kind, code.is_empty(), code.is_request()) {
        let text = format!("{} {code} is not a combination of RFC 7252 §4.3", message.kind);
        say(CODES[2], Severity::Warning, 0, None, text);
    }
    let mut previous = None;
    for (index, option) in message.options.iter().enumerate() {
        let value = octets.get(option.value.clone()).unwrap_or_default();
        let (at, index) = (option.span.start, Some(index));
        let again = previous.replace(option.number) == Some(option.number);
        // RFC 7252 §12.2.
        if matches!(option.number, 0 | 128 | 132 | 136 | 140) {
            say(CODES[5], Severity::Warning, at, index, format!("option number {} is reserved", option.number));
            continue;
        }
        let Some(spec) = registry::option(option.number) else {
            if number::is_critical(option.number) && option.number != rc_option {
                let text = format!("option {} is critical and not registered", option.number);
                say(CODES[6], Severity::Remark, at, index, text);
            }
            continue;
        };
        let (name, len) = (spec.name, value.len());
        if !(usize::from(spec.min)..=usize::from(spec.max)).contains(&len) {
            let (min, max, rfc) = (spec.min, spec.max, spec.reference);
            say(
                CODES[3],
                Severity::Warning,
                at,
                index,
                format!("{name} of {len} octets; {min} to {max} are allowed ({rfc})"),
            );
        }
        if again && !spec.repeatable {
            let text = format!("{name} occurs again; it is not repeatable ({})", spec.reference);
            say(CODES[4], Severity::Warning, at, index, text);
        }
        match spec.format {
            Format::Text if std::str::from_utf8(value).is_err() => {
                say(CODES[7], Severity::Warning, at, index, format!("{name} is not UTF-8 (RFC 7252 §3.2)"));
            }
            Format::Uint | Format::Block if value.first() == Some(&0) && spec.min == 0 => {
                say(CODES[8], Severity::Remark, at, index, format!("{name} has leading zeros (RFC 7252 §3.2)"));
            }
            Format::Block if len <= 3 => {
                let value = value.iter().fold(0, |uint, &octet| uint << 8 | u32::from(octet));
                if Block::from(value).szx == 7 {
                    let text = format!("{name} with size exponent 7, reserved over UDP (RFC 7959 §2.2)");
                    say(CODES[9], Severity::Warning, at, index, text);
                }
            }
            _ if option.number == number::OSCORE => {
                if let Err(error) = Oscore::parse(value) {
                    say(CODES[10], Severity::Warning, at, index, error.shifted(option.value.start).to_string());
                }
            }
            _ => {}
        }
    }
    issues
}

/// Returns whether a message of type `kind` may be Empty (`empty`), carry a request (`request`), or else a response
/// (RFC 7252 §4.3, Table 1).
pub(super) const fn is_allowed(kind: Type, empty: bool, request: bool) -> bool {
    match kind {
        Type::Con => true,
        Type::Non => !empty,
        Type::Ack => !request,
        Type::Rst => empty,
    }
}
