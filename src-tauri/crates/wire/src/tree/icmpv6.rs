//! Nodes of ICMPv6 and Neighbor Discovery.

use super::builder::TreeBuilder;
use super::upper_layer::{Ends, checksum};
use super::{Part, Tree, Value};
use crate::ip::icmpv6::{Icmpv6, RPL_CONTROL};
use crate::ip::ipv6::ICMPV6;

/// Writes an ICMPv6 message. The checksum is not judged where `ends` is `None`.
pub fn icmpv6(tree: &mut Tree, part: Part<'_>, ends: Option<Ends>) {
    let header = Icmpv6::parse(part.octets);
    let error = header.as_ref().err();
    let kind = header.as_ref().ok().map(|header| (header.kind, header.code));
    let name = header.as_ref().ok().and_then(Icmpv6::name).unwrap_or("ICMPv6 message");
    let mut builder = TreeBuilder::protocol(tree, part, "icmpv6", format!("ICMPv6, {name}"), error);
    builder.uint_as(1, "icmpv6.type", |kind| format!("Type: {name} ({kind})"));
    builder.uint(1, "icmpv6.code", "Code");
    checksum(&mut builder, "icmpv6.checksum", part.octets, ICMPV6, ends);
    if error.is_some() {
        return builder.close(error);
    }
    match kind {
        Some((RPL_CONTROL, code)) => return super::rpl::message(builder, code),
        Some((128 | 129, _)) => {
            builder.hex(2, "icmpv6.echo.identifier", "Identifier");
            builder.uint(2, "icmpv6.echo.sequence_number", "Sequence");
            builder.rest("data.data", "Data");
        }
        // RFC 4861 §4.1 to §4.4.
        Some((133, _)) => {
            builder.bytes(4, "icmpv6.reserved", "Reserved");
            options(&mut builder);
        }
        Some((134, _)) => {
            builder.uint(1, "icmpv6.nd.ra.cur_hop_limit", "Current hop limit");
            builder.word(
                1,
                "icmpv6.nd.ra.flag",
                |word| format!("Flags: 0x{word:02x}"),
                |builder| {
                    builder.flag(7, "icmpv6.nd.ra.flag.m", "Managed address configuration");
                    builder.flag(6, "icmpv6.nd.ra.flag.o", "Other configuration");
                    builder.flag(5, "icmpv6.nd.ra.flag.h", "Home Agent");
                    builder.bits(3, 2, "icmpv6.nd.ra.flag.prf", |bits| format!("Router preference: {bits}"));
                },
            );
            builder.uint(2, "icmpv6.nd.ra.router_lifetime", "Router lifetime (s)");
            builder.uint(4, "icmpv6.nd.ra.reachable_time", "Reachable time (ms)");
            builder.uint(4, "icmpv6.nd.ra.retrans_timer", "Retransmission timer (ms)");
            options(&mut builder);
        }
        Some((135, _)) => {
            builder.bytes(4, "icmpv6.reserved", "Reserved");
            builder.ipv6("icmpv6.nd.ns.target_address", "Target Address");
            options(&mut builder);
        }
        Some((136, _)) => {
            builder.word(
                4,
                "icmpv6.nd.na.flag",
                |word| format!("Flags: 0x{word:08x}"),
                |builder| {
                    builder.flag(31, "icmpv6.nd.na.flag.r", "Router");
                    builder.flag(30, "icmpv6.nd.na.flag.s", "Solicited");
                    builder.flag(29, "icmpv6.nd.na.flag.o", "Override");
                },
            );
            builder.ipv6("icmpv6.nd.na.target_address", "Target Address");
            options(&mut builder);
        }
        _ => {}
    }
    builder.rest("icmpv6.data", "Data");
    builder.close(None);
}

/// Writes the options of Neighbor Discovery, RFC 4861 §4.6, whose lengths are in units of 8 octets.
fn options(builder: &mut TreeBuilder<'_, '_>) {
    while let [kind, units] = *builder.peek(2) {
        let len = usize::from(units) << 3;
        if len == 0 || builder.left() < len {
            return;
        }
        let title = match kind {
            1 => "Source link-layer address",
            2 => "Target link-layer address",
            3 => "Prefix information",
            5 => "MTU",
            33 => "Address Registration",
            34 => "6LoWPAN Context",
            35 => "Authoritative Border Router",
            _ => "Option",
        };
        builder.group(
            len,
            "icmpv6.opt",
            |_| (Value::None, format!("ICMPv6 Option: {title}")),
            |builder| {
                builder.uint(1, "icmpv6.opt.type", "Type");
                builder.uint(1, "icmpv6.opt.length", "Length");
                option(builder, kind);
            },
        );
    }
}

fn option(builder: &mut TreeBuilder<'_, '_>, kind: u8) {
    match kind {
        1 | 2 => {
            // RFC 4944 §8: an EUI-64, padded to two units of 8 octets; a short address to one (as an
            // Ethernet address fills it).
            let len = if builder.left() == 14 { 8 } else { builder.left() };
            builder.bytes(len, "icmpv6.opt.linkaddr", "Link-layer address");
            builder.rest("icmpv6.opt.padding", "Padding");
        }
        3 => {
            builder.uint(1, "icmpv6.opt.prefix.length", "Prefix Length");
            builder.word(
                1,
                "icmpv6.opt.prefix.flag",
                |word| format!("Flags: 0x{word:02x}"),
                |builder| {
                    builder.flag(7, "icmpv6.opt.prefix.flag.l", "On-link");
                    builder.flag(6, "icmpv6.opt.prefix.flag.a", "Autonomous address configuration");
                    builder.flag(5, "icmpv6.opt.prefix.flag.r", "Router address");
                },
            );
            builder.uint(4, "icmpv6.opt.prefix.valid_lifetime", "Valid Lifetime (s)");
            builder.uint(4, "icmpv6.opt.prefix.preferred_lifetime", "Preferred Lifetime (s)");
            builder.bytes(4, "icmpv6.opt.reserved", "Reserved");
            builder.ipv6("icmpv6.opt.prefix", "Prefix");
        }
        5 => {
            builder.bytes(2, "icmpv6.opt.reserved", "Reserved");
            builder.uint(4, "icmpv6.opt.mtu", "MTU");
        }
        // RFC 6775 §4.1 to §4.3.
        33 => {
            builder.uint(1, "icmpv6.opt.aro.status", "Status");
            builder.bytes(3, "icmpv6.opt.reserved", "Reserved");
            builder.uint(2, "icmpv6.opt.aro.registration_lifetime", "Registration Lifetime (min)");
            builder.bytes(8, "icmpv6.opt.aro.eui64", "EUI-64");
        }
        34 => {
            builder.uint(1, "icmpv6.opt.6co.context_length", "Context Length");
            builder.word(
                1,
                "icmpv6.opt.6co.flag",
                |word| format!("Flags: 0x{word:02x}"),
                |builder| {
                    builder.flag(4, "icmpv6.opt.6co.flag.c", "Compression");
                    builder.bits(0, 4, "icmpv6.opt.6co.flag.cid", |bits| format!("CID: {bits}"));
                },
            );
            builder.bytes(2, "icmpv6.opt.reserved", "Reserved");
            builder.uint(2, "icmpv6.opt.6co.valid_lifetime", "Lifetime (min)");
            if builder.left() >= 16 {
                builder.ipv6("icmpv6.opt.6co.context_prefix", "Context Prefix");
            } else {
                builder.rest("icmpv6.opt.6co.context_prefix", "Context Prefix");
            }
        }
        35 => {
            builder.uint(2, "icmpv6.opt.abro.version_low", "Version Low");
            builder.uint(2, "icmpv6.opt.abro.version_high", "Version High");
            builder.uint(2, "icmpv6.opt.abro.valid_lifetime", "Valid Lifetime (min)");
            builder.ipv6("icmpv6.opt.abro.6lbr_address", "6LBR Address");
        }
        _ => {}
    }
}
