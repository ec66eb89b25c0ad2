//! Nodes of CoAP options.

use super::super::Value;
use super::super::builder::{TreeBuilder, hex};
use super::excerpt;
use crate::coap::check::Issue;
use crate::coap::registry::{self, Format};
use crate::coap::{Block, OptionView, Oscore, number};

/// Writes an option: the `index`th of its message, counted from 1, its number `delta` more than that of the one before.
pub(super) fn option(
    builder: &mut TreeBuilder<'_, '_>,
    option: &OptionView,
    (index, delta): (usize, u16),
    issue: Option<&Issue>,
    rc_option: u16,
) {
    let spec = registry::option(option.number);
    let is_count = option.number == rc_option;
    let name = match spec {
        _ if is_count => "Retransmission-Count",
        Some(spec) => spec.name,
        None => "Unknown Option",
    };
    let format = if is_count { Format::Uint } else { spec.map_or(Format::Opaque, |spec| spec.format) };
    let value_len = option.value.len();
    let header_len = option.span.len().saturating_sub(value_len);
    let show = |octets: &[u8]| {
        let value = octets.get(header_len..).unwrap_or_default();
        let shown = show(option.number, format, value);
        (Value::Text(format!("#{index}: {name}")), format!("Option {}, {name}{shown}", option.number))
    };
    builder.group(option.span.len(), "coap.opt.name", show, |builder| {
        let critical = if number::is_critical(option.number) { "Critical" } else { "Elective" };
        let forward = if number::is_unsafe(option.number) { "Unsafe" } else { "Safe" };
        let cache = if number::is_no_cache_key(option.number) { ", NoCacheKey" } else { "" };
        let described = format!("Type {}, {critical}, {forward}{cache}", option.number);
        builder.about("coap.opt.desc", Value::Text(described.clone()), described);
        let (mut long_delta, mut long_length) = (0, 0);
        builder.word(
            1,
            "coap.opt.head",
            |word| format!("Delta and length: 0x{word:02x}"),
            |builder| {
                let extra = |nibble: u64| match nibble {
                    13 => 1,
                    14 => 2,
                    _ => 0,
                };
                builder.bits(4, 4, "coap.opt.delta", |bits| {
                    long_delta = extra(bits);
                    format!("Option Delta: {delta} ({bits})")
                });
                builder.bits(0, 4, "coap.opt.length", |bits| {
                    long_length = extra(bits);
                    format!("Option Length: {value_len} ({bits})")
                });
            },
        );
        if long_delta > 0 {
            builder.uint(long_delta, "coap.opt.delta_ext", "Option Delta, extended");
        }
        if long_length > 0 {
            builder.uint(long_length, "coap.opt.length_ext", "Option Length, extended");
        }
        value(builder, option.number, is_count, format, value_len);
        if let Some(issue) = issue {
            builder.find(issue.severity, issue.text.clone());
        }
    });
}

/// Value in short, behind a colon; nothing for an empty one.
fn show(number: u16, format: Format, value: &[u8]) -> String {
    match format {
        Format::Empty => String::new(),
        Format::Opaque => format!(": {}", hex(value)),
        Format::Text => format!(": {}", excerpt(&String::from_utf8_lossy(value))),
        Format::Uint if matches!(number, number::CONTENT_FORMAT | number::ACCEPT) => {
            format!(": {}", content_format(uint(value)))
        }
        Format::Uint => format!(": {}", uint(value)),
        Format::Block => {
            let block = Block::from(uint(value) as u32);
            format!(": {}/{}/{}", block.num, u8::from(block.more), block.size())
        }
    }
}

/// Integer of the octets' low 64 bits, most significant first.
fn uint(value: &[u8]) -> u64 {
    value.iter().fold(0, |uint, octet| uint << 8 | u64::from(*octet))
}

fn content_format(number: u64) -> String {
    let name = u16::try_from(number).ok().and_then(registry::content_format);
    name.map_or_else(|| format!("content-format {number}"), |name| format!("{name} ({number})"))
}

fn value(builder: &mut TreeBuilder<'_, '_>, number: u16, is_count: bool, format: Format, len: usize) {
    let spec = registry::option(number);
    let title = if is_count { "Retransmission count" } else { spec.map_or("Value", |spec| spec.name) };
    let name = if is_count { "coap_rc.count" } else { field_name(number) };
    match format {
        Format::Empty => builder.octets(len, name, title),
        Format::Opaque if number == number::OSCORE && len > 0 => oscore(builder, len),
        Format::Opaque => builder.field(len, name, |octets| (Value::Bytes, format!("{title}: {}", hex(octets)))),
        Format::Text => builder.field(len, name, |octets| {
            let text = String::from_utf8_lossy(octets).into_owned();
            let label = format!("{title}: {}", excerpt(&text));
            (Value::Text(text), label)
        }),
        Format::Uint if matches!(number, number::CONTENT_FORMAT | number::ACCEPT) => {
            builder.field(len, name, |octets| {
                let text = content_format(uint(octets));
                let plain = u16::try_from(uint(octets)).ok().and_then(registry::content_format);
                (Value::Text(plain.map_or_else(|| text.clone(), str::to_owned)), format!("{title}: {text}"))
            })
        }
        Format::Block if len <= 3 => builder.word(
            len,
            "coap.opt.block",
            |word| format!("{title}: 0x{word:x}"),
            |builder| {
                let bits = len.saturating_mul(8).saturating_sub(4) as u32;
                builder.bits(4, bits, "coap.opt.block_number", |bits| format!("Block Number: {bits}"));
                builder.bits(3, 1, "coap.opt.block_mflag", |bits| format!("More: {bits}"));
                builder.bits(0, 3, "coap.opt.block_size", |bits| format!("Block Size: {} ({bits})", 16u64 << bits));
            },
        ),
        Format::Uint if name != UNKNOWN => {
            builder.uint_as(len, name, |value| format!("{title}: {value}"));
        }
        Format::Uint | Format::Block => {
            builder.field(len, name, |octets| (Value::Bytes, format!("{title}: {}", hex(octets))));
        }
    }
}

/// Writes the value of an OSCORE option (RFC 8613 §6.1).
fn oscore(builder: &mut TreeBuilder<'_, '_>, len: usize) {
    let value = Oscore::parse(builder.peek(len));
    builder.group(
        len,
        "coap.opt.object_security",
        |octets| (Value::Bytes, format!("OSCORE: {}", hex(octets))),
        |builder| {
            let Ok(value) = value else { return };
            builder.word(
                1,
                "coap.opt.object_security.flags",
                |word| format!("Flags: 0x{word:02x}"),
                |builder| {
                    builder.bits(5, 3, "coap.opt.object_security_reserved", |bits| format!("Reserved: {bits}"));
                    builder.flag(4, "coap.opt.object_security_kid_context_present", "Key ID Context Present");
                    builder.flag(3, "coap.opt.object_security_kid_present", "Key ID Present");
                    builder.bits(0, 3, "coap.opt.object_security_piv_len", |bits| format!("Partial IV Length: {bits}"));
                },
            );
            if let Some(span) = value.partial_iv {
                builder.bytes(span.len(), "coap.opt.object_security_piv", "Partial IV");
            }
            if let Some(span) = value.kid_context {
                builder.uint(1, "coap.opt.object_security_kid_context_len", "Key ID Context Length");
                builder.bytes(span.len(), "coap.opt.object_security_kid_context", "Key ID Context");
            }
            if let Some(span) = value.kid {
                builder.bytes(span.len(), "coap.opt.object_security_kid", "Key ID");
            }
        },
    );
}

/// Wireshark's field of a value that it does not know: octets.
const UNKNOWN: &str = "coap.opt.unknown";

/// Wireshark's field of an option's value, or one in its style.
const fn field_name(number: u16) -> &'static str {
    match number {
        number::IF_MATCH => "coap.opt.if_match",
        number::URI_HOST => "coap.opt.uri_host",
        number::ETAG => "coap.opt.etag",
        number::OBSERVE => "coap.opt.observe",
        number::URI_PORT => "coap.opt.uri_port",
        number::LOCATION_PATH => "coap.opt.location_path",
        number::OSCORE => "coap.opt.object_security",
        number::URI_PATH => "coap.opt.uri_path",
        number::CONTENT_FORMAT => "coap.opt.ctype",
        number::MAX_AGE => "coap.opt.max_age",
        number::URI_QUERY => "coap.opt.uri_query",
        number::HOP_LIMIT => "coap.opt.hop_limit",
        number::ACCEPT => "coap.opt.accept",
        number::LOCATION_QUERY => "coap.opt.location_query",
        number::SIZE2 => "coap.opt.size2",
        number::PROXY_URI => "coap.opt.proxy_uri",
        number::PROXY_SCHEME => "coap.opt.proxy_scheme",
        number::SIZE1 => "coap.opt.size1",
        number::ECHO => "coap.opt.echo",
        number::NO_RESPONSE => "coap.opt.no_response",
        number::REQUEST_TAG => "coap.opt.request_tag",
        _ => UNKNOWN,
    }
}
