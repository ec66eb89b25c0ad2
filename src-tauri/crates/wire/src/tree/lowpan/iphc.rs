//! Nodes of compressed headers, with the header of the datagram that each became.

use super::super::builder::TreeBuilder;
use super::super::{Value, ipv6::protocol_name};
use crate::ip::ipv6::{FRAGMENT, HEADER_LEN};
use crate::ip::lowpan::{Decompressed, Dispatch, IphcLayout, LayerKind};
use base::Severity;
use std::net::Ipv6Addr;

/// High nibble of an NHC octet of an extension header in byte code (RFC 7400 §3.2).
const GHC_EXTENSION: u8 = 0xb;

/// Writes the compressed header chain of a datagram. `rebuilt` is `None` where it could not be rebuilt; then the
/// first header is written as far as it goes.
pub(super) fn datagram_headers(builder: &mut TreeBuilder<'_, '_>, dispatch: Dispatch, rebuilt: Option<&Decompressed>) {
    let out = rebuilt.map_or(&[][..], |rebuilt| &rebuilt.header);
    match dispatch {
        Dispatch::Hc1 => return hc1(builder, rebuilt),
        Dispatch::Ipv6Uncompressed => {
            builder.hex(1, "6lowpan.pattern", "Dispatch: IPv6 header");
            let left = rebuilt.map_or(0, |_| HEADER_LEN);
            return builder.octets(left, "6lowpan.ipv6", "IPv6 header");
        }
        _ => {}
    }
    let Some(rebuilt) = rebuilt else { return iphc(builder, None) };
    let mut at = 0usize;
    for (kind, span) in &rebuilt.spans {
        let header = out.get(at..).unwrap_or_default();
        let len = match kind {
            LayerKind::Ipv6 => HEADER_LEN,
            LayerKind::Udp | LayerKind::Icmpv6 => crate::udp::HEADER_LEN,
            LayerKind::Extension(FRAGMENT) => 8,
            LayerKind::Extension(_) => header.get(1).map_or(8, |units| (usize::from(*units) << 3).saturating_add(8)),
        };
        match kind {
            LayerKind::Ipv6 => {
                // Behind another header, an NHC octet introduces it.
                if at > 0 {
                    builder.hex(1, "6lowpan.nhc.pattern", "NHC: IPv6 header");
                }
                iphc(builder, header.first_chunk());
            }
            LayerKind::Extension(protocol) => extension(builder, *protocol, span.len()),
            LayerKind::Udp => udp(builder, header, span.len()),
            LayerKind::Icmpv6 => {
                builder.hex(1, "6lowpan.nhc.pattern", "NHC: ICMPv6, GHC");
                builder.octets(span.len().saturating_sub(1), "6lowpan.nhc.ghc", "GHC byte code");
            }
        }
        at = at.saturating_add(len);
    }
    if let Some(context) = rebuilt.missing_context {
        builder.derived(
            "rtoscope.missing_context",
            Value::Uint(context.into()),
            format!("Context {context} is not known: its prefix reads as ::"),
        );
        builder.find(Severity::Warning, format!("context {context} is not known"));
    }
}

/// Writes IPHC (RFC 6282 §3.1), with the addresses of the IPv6 header that it became.
fn iphc(builder: &mut TreeBuilder<'_, '_>, header: Option<&[u8; HEADER_LEN]>) {
    let Some(encoding) = builder.peek(2).first_chunk().copied() else { return };
    let layout = IphcLayout::of(encoding);
    builder.word(
        2,
        "6lowpan.iphc",
        |word| format!("IPHC: 0x{word:04x}"),
        |builder| {
            builder.bits(13, 3, "6lowpan.pattern", |bits| format!("Pattern: IPv6 header compression (0x{bits:02x})"));
            let elided = ["all inline", "DSCP elided", "flow label elided", "all elided"];
            builder.bits(11, 2, "6lowpan.iphc.tf", |bits| {
                format!("Traffic class and flow label: {} ({bits})", elided.get(bits as usize).unwrap_or(&""))
            });
            builder.flag(10, "6lowpan.iphc.nh", "Next header is compressed");
            let limits = ["inline", "1", "64", "255"];
            builder.bits(8, 2, "6lowpan.iphc.hlim", |bits| {
                format!("Hop limit: {} ({bits})", limits.get(bits as usize).unwrap_or(&""))
            });
            builder.flag(7, "6lowpan.iphc.cid", "Context identifier extension");
            builder.flag(6, "6lowpan.iphc.sac", "Source address is stateful");
            builder.bits(4, 2, "6lowpan.iphc.sam", |bits| format!("Source address mode: {bits}"));
            builder.flag(3, "6lowpan.iphc.m", "Destination is multicast");
            builder.flag(2, "6lowpan.iphc.dac", "Destination address is stateful");
            builder.bits(0, 2, "6lowpan.iphc.dam", |bits| format!("Destination address mode: {bits}"));
        },
    );
    if layout.contexts > 0 {
        builder.word(
            1,
            "6lowpan.iphc.cids",
            |word| format!("Contexts: 0x{word:02x}"),
            |builder| {
                builder.bits(4, 4, "6lowpan.iphc.sci", |bits| format!("Source context: {bits}"));
                builder.bits(0, 4, "6lowpan.iphc.dci", |bits| format!("Destination context: {bits}"));
            },
        );
    }
    traffic(builder, layout.traffic);
    if layout.next_header > 0 {
        builder.uint_as(1, "6lowpan.next", |next| format!("Next header: {}", protocol_name(next as u8)));
    }
    if layout.hop_limit > 0 {
        builder.uint(1, "6lowpan.hops", "Hop limit");
    }
    let addresses = header.and_then(|header| {
        let (src, dst) = header.get(8..)?.split_first_chunk::<16>()?;
        Some((Ipv6Addr::from(*src), Ipv6Addr::from(*dst.first_chunk::<16>()?)))
    });
    if let Some((src, dst)) = addresses {
        address(builder, layout.src, "6lowpan.src", "Source", src);
        address(builder, layout.dst, "6lowpan.dst", "Destination", dst);
    }
}

fn address(builder: &mut TreeBuilder<'_, '_>, len: usize, name: &'static str, title: &str, address: Ipv6Addr) {
    let label = format!("{title}: {address}");
    if len > 0 {
        builder.field(len, name, |_| (Value::Ipv6(address), label));
    } else {
        builder.derived(name, Value::Ipv6(address), label);
    }
}

/// Writes traffic class and flow label, RFC 6282 §3.2.1.
fn traffic(builder: &mut TreeBuilder<'_, '_>, len: usize) {
    let ecn = |bits: u64| format!("ECN: {bits}");
    let dscp = |bits: u64| format!("DSCP: {bits}");
    let flow = |bits: u64| format!("Flow label: 0x{bits:05x}");
    let label = |word: u64| format!("Traffic class and flow label: 0x{word:x}");
    match len {
        4 => builder.word(4, "6lowpan.traffic", label, |builder| {
            builder.bits(30, 2, "6lowpan.ecn", ecn);
            builder.bits(24, 6, "6lowpan.dscp", dscp);
            builder.bits(0, 20, "6lowpan.flow", flow);
        }),
        3 => builder.word(3, "6lowpan.traffic", label, |builder| {
            builder.bits(22, 2, "6lowpan.ecn", ecn);
            builder.bits(0, 20, "6lowpan.flow", flow);
        }),
        1 => builder.word(1, "6lowpan.traffic", label, |builder| {
            builder.bits(6, 2, "6lowpan.ecn", ecn);
            builder.bits(0, 6, "6lowpan.dscp", dscp);
        }),
        _ => {}
    }
}

/// Writes a compressed extension header, RFC 6282 §4.2, RFC 7400 §3.2.
fn extension(builder: &mut TreeBuilder<'_, '_>, protocol: u8, len: usize) {
    let name = protocol_name(protocol);
    builder.group(
        len,
        "6lowpan.nhc.ext",
        |_| (Value::None, format!("Compressed extension header: {name}")),
        |builder| {
            let encoding = builder.peek(1).first().copied().unwrap_or_default();
            builder.word(
                1,
                "6lowpan.nhc",
                |word| format!("NHC: 0x{word:02x}"),
                |builder| {
                    builder
                        .bits(4, 4, "6lowpan.nhc.pattern", |bits| format!("Pattern: extension header (0x{bits:02x})"));
                    builder.bits(1, 3, "6lowpan.nhc.ext.eid", |bits| format!("Header ID: {bits}"));
                    builder.flag(0, "6lowpan.nhc.ext.nh", "Next header is compressed");
                },
            );
            if encoding & 1 == 0 {
                builder
                    .uint_as(1, "6lowpan.nhc.ext.next", |next| format!("Next header: {}", protocol_name(next as u8)));
            }
            if encoding >> 4 == GHC_EXTENSION {
                return builder.rest("6lowpan.nhc.ghc", "GHC byte code");
            }
            if protocol == FRAGMENT {
                builder.hex(1, "6lowpan.nhc.ext.reserved", "Reserved");
            } else {
                builder.uint(1, "6lowpan.nhc.ext.length", "Header length");
            }
            builder.rest("data.data", "Data");
        },
    );
}

/// Writes a compressed UDP header, RFC 6282 §4.3; with GHC (RFC 7400 §3.1) the payload is part of it.
fn udp(builder: &mut TreeBuilder<'_, '_>, header: &[u8], len: usize) {
    let port = |at: usize| {
        header.get(at..).and_then(|octets| octets.first_chunk()).map_or(0, |port| u16::from_be_bytes(*port))
    };
    let (src, dst) = (port(0), port(2));
    let source = |title: &str| (Value::Uint(src.into()), format!("{title}: {src}"));
    let destination = |title: &str| (Value::Uint(dst.into()), format!("{title}: {dst}"));
    builder.group(
        len,
        "6lowpan.nhc.udp",
        |_| (Value::None, "Compressed UDP header".to_owned()),
        |builder| {
            let encoding = builder.peek(1).first().copied().unwrap_or_default();
            builder.word(
                1,
                "6lowpan.nhc",
                |word| format!("NHC: 0x{word:02x}"),
                |builder| {
                    builder.bits(3, 5, "6lowpan.nhc.pattern", |bits| format!("Pattern: UDP (0x{bits:02x})"));
                    builder.flag(2, "6lowpan.nhc.udp.checksum", "Checksum is elided");
                    builder.bits(0, 2, "6lowpan.nhc.udp.ports", |bits| format!("Ports: {bits}"));
                },
            );
            let (src_len, dst_len) = match encoding & 3 {
                0 => (2, 2),
                1 => (2, 1),
                2 => (1, 2),
                _ => (0, 0),
            };
            if src_len == 0 {
                builder.group(
                    1,
                    "6lowpan.udp.ports",
                    |_| (Value::None, format!("Ports: {src} → {dst}")),
                    |builder| {
                        let ((src, say_src), (dst, say_dst)) = (source("Source port"), destination("Destination port"));
                        builder.about("6lowpan.udp.src", src, say_src);
                        builder.about("6lowpan.udp.dst", dst, say_dst);
                    },
                );
            } else {
                builder.field(src_len, "6lowpan.udp.src", |_| source("Source port"));
                builder.field(dst_len, "6lowpan.udp.dst", |_| destination("Destination port"));
            }
            if encoding & 4 == 0 {
                builder.hex(2, "6lowpan.udp.checksum", "UDP checksum");
            }
            builder.rest("6lowpan.nhc.ghc", "GHC byte code");
        },
    );
}

/// Writes HC1 and `HC_UDP`, RFC 4944 §10: the encodings; the fields behind them are not aligned to octets.
fn hc1(builder: &mut TreeBuilder<'_, '_>, rebuilt: Option<&Decompressed>) {
    let more = builder.peek(2).get(1).is_some_and(|octet| octet & 1 != 0);
    let start = builder.pos();
    builder.hex(1, "6lowpan.pattern", "Dispatch: HC1");
    builder.word(
        1,
        "6lowpan.hc1.encoding",
        |word| format!("HC1 encoding: 0x{word:02x}"),
        |builder| {
            builder.flag(7, "6lowpan.hc1.src_prefix", "Source prefix is link-local");
            builder.flag(6, "6lowpan.hc1.src_ifc", "Source interface is elided");
            builder.flag(5, "6lowpan.hc1.dst_prefix", "Destination prefix is link-local");
            builder.flag(4, "6lowpan.hc1.dst_ifc", "Destination interface is elided");
            builder.flag(3, "6lowpan.hc1.class", "Traffic class and flow label are zero");
            builder.bits(1, 2, "6lowpan.hc1.next", |bits| format!("Next header: {bits}"));
            builder.flag(0, "6lowpan.hc1.more", "HC2 follows");
        },
    );
    if more {
        builder.word(
            1,
            "6lowpan.hc2.udp.encoding",
            |word| format!("HC_UDP encoding: 0x{word:02x}"),
            |builder| {
                builder.flag(7, "6lowpan.hc2.udp.src", "Source port is compressed");
                builder.flag(6, "6lowpan.hc2.udp.dst", "Destination port is compressed");
                builder.flag(5, "6lowpan.hc2.udp.length", "Length is elided");
            },
        );
    }
    builder.uint(1, "6lowpan.hops", "Hop limit");
    if let Some(rebuilt) = rebuilt {
        let end = start.saturating_add(rebuilt.consumed);
        builder.octets(end.saturating_sub(builder.pos()), "6lowpan.hc1.inline", "Inline fields");
    }
}
