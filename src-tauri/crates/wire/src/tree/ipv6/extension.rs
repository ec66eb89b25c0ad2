//! Nodes of extension headers (RFC 8200 §4), their options and their routes.

use super::super::Value;
use super::super::builder::TreeBuilder;
use super::protocol_name;
use crate::ip::ipv6::{DESTINATION_OPTIONS, Extension, FRAGMENT, HOP_BY_HOP, Ipv6, ROUTING};
use std::net::Ipv6Addr;

/// Writes an extension header of `header`.
pub(super) fn extension(builder: &mut TreeBuilder<'_, '_>, extension: &Extension, header: &Ipv6) {
    let (name, next, length) = match extension.kind {
        HOP_BY_HOP => ("ipv6.hopopts", "ipv6.hopopts.nxt", "ipv6.hopopts.len"),
        ROUTING => ("ipv6.routing", "ipv6.routing.nxt", "ipv6.routing.len"),
        FRAGMENT => ("ipv6.fraghdr", "ipv6.fraghdr.nxt", "ipv6.fraghdr.reserved_octet"),
        DESTINATION_OPTIONS => ("ipv6.dstopts", "ipv6.dstopts.nxt", "ipv6.dstopts.len"),
        _ => ("ipv6.ext", "ipv6.ext.nxt", "ipv6.ext.len"),
    };
    let label = protocol_name(extension.kind);
    builder.group(
        extension.span.len(),
        name,
        |_| (Value::None, label),
        |builder| {
            builder.uint_as(1, next, |next| format!("Next Header: {}", protocol_name(next as u8)));
            builder.uint(1, length, if extension.kind == FRAGMENT { "Reserved" } else { "Length" });
            match extension.kind {
                HOP_BY_HOP | DESTINATION_OPTIONS => options(builder),
                ROUTING => routing(builder, header),
                FRAGMENT => fragment(builder),
                _ => {}
            }
        },
    );
}

/// Writes the options of a hop-by-hop or destination header, RFC 8200 §4.2.
fn options(builder: &mut TreeBuilder<'_, '_>) {
    while let [kind, behind @ ..] = builder.peek(2) {
        if *kind == 0 {
            builder.bytes(1, "ipv6.opt.pad1", "Pad1");
            continue;
        }
        let len = behind.first().map_or(0, |len| usize::from(*len));
        let whole = len.saturating_add(2);
        if builder.left() < whole {
            return;
        }
        let (name, title) = match kind {
            1 => ("ipv6.opt.padn_option", "PadN"),
            0x23 | 0x63 => ("ipv6.opt", "RPL Option"),
            0x05 => ("ipv6.opt", "Router Alert"),
            0x6d => ("ipv6.opt", "MPL Option"),
            _ => ("ipv6.opt", "Option"),
        };
        builder.group(
            whole,
            name,
            |_| (Value::None, title.to_owned()),
            |builder| {
                builder.hex(1, "ipv6.opt.type", "Type");
                builder.uint(1, "ipv6.opt.length", "Length");
                match kind {
                    1 => builder.rest("ipv6.opt.padn", "PadN"),
                    0x05 => {
                        builder.uint(2, "ipv6.opt.router_alert", "Router Alert");
                    }
                    // RFC 6553 §3, RFC 9008 §4.1.
                    0x23 | 0x63 => {
                        builder.word(
                            1,
                            "ipv6.opt.rpl.flag",
                            |word| format!("Flags: 0x{word:02x}"),
                            |builder| {
                                builder.flag(7, "ipv6.opt.rpl.flag.o", "Down");
                                builder.flag(6, "ipv6.opt.rpl.flag.r", "Rank Error");
                                builder.flag(5, "ipv6.opt.rpl.flag.f", "Forwarding Error");
                                builder.bits(0, 5, "ipv6.opt.rpl.flag.rsv", |bits| format!("Reserved: {bits}"));
                            },
                        );
                        builder.uint(1, "ipv6.opt.rpl.instance_id", "RPLInstanceID");
                        builder.uint(2, "ipv6.opt.rpl.sender_rank", "Sender Rank");
                    }
                    _ => builder.rest("ipv6.opt.unknown", "Value"),
                }
            },
        );
    }
}

/// Writes a routing header behind its first two octets, RFC 8200 §4.4, RFC 6554 §3.
fn routing(builder: &mut TreeBuilder<'_, '_>, header: &Ipv6) {
    builder.uint(1, "ipv6.routing.type", "Type");
    builder.uint(1, "ipv6.routing.segleft", "Segments Left");
    let Some(routing) = &header.routing else { return };
    match routing.kind {
        3 => {
            let (mut each, mut last) = (16usize, 16usize);
            builder.word(
                4,
                "ipv6.routing.rpl.head",
                |word| format!("Compression: 0x{word:08x}"),
                |builder| {
                    let less = |bits: u64| 16usize.saturating_sub(bits as usize);
                    builder.bits(28, 4, "ipv6.routing.rpl.cmprI", |bits| {
                        each = less(bits);
                        format!("CmprI: {bits}")
                    });
                    builder.bits(24, 4, "ipv6.routing.rpl.cmprE", |bits| {
                        last = less(bits);
                        format!("CmprE: {bits}")
                    });
                    builder.bits(20, 4, "ipv6.routing.rpl.pad", |bits| format!("Padding: {bits}"));
                    builder.bits(0, 20, "ipv6.routing.rpl.reserved", |bits| format!("Reserved: {bits}"));
                },
            );
            let count = routing.addresses.len();
            for (index, address) in routing.addresses.iter().enumerate() {
                let len = if index.saturating_add(1) == count { last } else { each };
                let address = Ipv6Addr::from(*address);
                let number = index.saturating_add(1);
                builder.field(len, "ipv6.routing.rpl.full_address", |_| {
                    (Value::Ipv6(address), format!("Address {number}: {address}"))
                });
            }
            builder.rest("ipv6.routing.rpl.padding", "Padding");
        }
        0 | 2 => {
            builder.bytes(4, "ipv6.routing.src.reserved", "Reserved");
            for _ in &routing.addresses {
                builder.ipv6("ipv6.routing.src.addr", "Address");
            }
        }
        _ => builder.rest("ipv6.routing.unknown_data", "Data"),
    }
}

/// Writes a fragment header behind its first two octets, RFC 8200 §4.5.
fn fragment(builder: &mut TreeBuilder<'_, '_>) {
    builder.word(
        2,
        "ipv6.fraghdr.head",
        |word| format!("Offset and flags: 0x{word:04x}"),
        |builder| {
            builder.bits(3, 13, "ipv6.fraghdr.offset", |bits| format!("Offset: {bits} ({} octets)", bits << 3));
            builder.bits(1, 2, "ipv6.fraghdr.reserved_bits", |bits| format!("Reserved: {bits}"));
            builder.flag(0, "ipv6.fraghdr.more", "More Fragments");
        },
    );
    builder.hex(4, "ipv6.fraghdr.ident", "Identification");
}
