//! ICMPv6 and Neighbor Discovery.

use super::ipv6::{Ends, checksum};
use super::pen::Pen;
use super::{Part, Tree, Value};
use crate::icmpv6::{Icmpv6, RPL_CONTROL};
use crate::ipv6::ICMPV6;

/// An ICMPv6 message. The checksum is not judged where `ends` is `None`.
pub fn icmpv6(tree: &mut Tree, part: Part<'_>, ends: Option<Ends>) {
    let header = Icmpv6::parse(part.octets);
    let error = header.as_ref().err();
    let kind = header.as_ref().ok().map(|header| (header.kind, header.code));
    let name = header.as_ref().ok().and_then(Icmpv6::name).unwrap_or("ICMPv6 message");
    let mut pen = Pen::protocol(tree, part, "icmpv6", format!("ICMPv6, {name}"), error);
    pen.uint_as(1, "icmpv6.type", |kind| format!("Type: {name} ({kind})"));
    pen.uint(1, "icmpv6.code", "Code");
    checksum(&mut pen, "icmpv6.checksum", part.octets, ICMPV6, ends);
    if error.is_some() {
        return pen.close(error);
    }
    match kind {
        Some((RPL_CONTROL, code)) => return super::rpl::message(pen, code),
        Some((128 | 129, _)) => {
            pen.hex(2, "icmpv6.echo.identifier", "Identifier");
            pen.uint(2, "icmpv6.echo.sequence_number", "Sequence");
            pen.rest("data.data", "Data");
        }
        // RFC 4861 §4.1 to §4.4.
        Some((133, _)) => {
            pen.bytes(4, "icmpv6.reserved", "Reserved");
            options(&mut pen);
        }
        Some((134, _)) => {
            pen.uint(1, "icmpv6.nd.ra.cur_hop_limit", "Current hop limit");
            pen.word(
                1,
                "icmpv6.nd.ra.flag",
                |word| format!("Flags: 0x{word:02x}"),
                |pen| {
                    pen.flag(7, "icmpv6.nd.ra.flag.m", "Managed address configuration");
                    pen.flag(6, "icmpv6.nd.ra.flag.o", "Other configuration");
                    pen.flag(5, "icmpv6.nd.ra.flag.h", "Home Agent");
                    pen.bits(3, 2, "icmpv6.nd.ra.flag.prf", |bits| format!("Router preference: {bits}"));
                },
            );
            pen.uint(2, "icmpv6.nd.ra.router_lifetime", "Router lifetime (s)");
            pen.uint(4, "icmpv6.nd.ra.reachable_time", "Reachable time (ms)");
            pen.uint(4, "icmpv6.nd.ra.retrans_timer", "Retransmission timer (ms)");
            options(&mut pen);
        }
        Some((135, _)) => {
            pen.bytes(4, "icmpv6.reserved", "Reserved");
            pen.ipv6("icmpv6.nd.ns.target_address", "Target Address");
            options(&mut pen);
        }
        Some((136, _)) => {
            pen.word(
                4,
                "icmpv6.nd.na.flag",
                |word| format!("Flags: 0x{word:08x}"),
                |pen| {
                    pen.flag(31, "icmpv6.nd.na.flag.r", "Router");
                    pen.flag(30, "icmpv6.nd.na.flag.s", "Solicited");
                    pen.flag(29, "icmpv6.nd.na.flag.o", "Override");
                },
            );
            pen.ipv6("icmpv6.nd.na.target_address", "Target Address");
            options(&mut pen);
        }
        _ => {}
    }
    pen.rest("icmpv6.data", "Data");
    pen.close(None);
}

/// Neighbor Discovery options, RFC 4861 §4.6: lengths in units of 8 octets.
fn options(pen: &mut Pen<'_, '_>) {
    while let [kind, units] = *pen.peek(2) {
        let len = usize::from(units) << 3;
        if len == 0 || pen.left() < len {
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
        pen.group(
            len,
            "icmpv6.opt",
            |_| (Value::None, format!("ICMPv6 Option: {title}")),
            |pen| {
                pen.uint(1, "icmpv6.opt.type", "Type");
                pen.uint(1, "icmpv6.opt.length", "Length");
                option(pen, kind);
            },
        );
    }
}

fn option(pen: &mut Pen<'_, '_>, kind: u8) {
    match kind {
        1 | 2 => {
            // RFC 4944 §8: an EUI-64, padded to two units of 8 octets; a short address to one (as an
            // Ethernet address fills it).
            let len = if pen.left() == 14 { 8 } else { pen.left() };
            pen.bytes(len, "icmpv6.opt.linkaddr", "Link-layer address");
            pen.rest("icmpv6.opt.padding", "Padding");
        }
        3 => {
            pen.uint(1, "icmpv6.opt.prefix.length", "Prefix Length");
            pen.word(
                1,
                "icmpv6.opt.prefix.flag",
                |word| format!("Flags: 0x{word:02x}"),
                |pen| {
                    pen.flag(7, "icmpv6.opt.prefix.flag.l", "On-link");
                    pen.flag(6, "icmpv6.opt.prefix.flag.a", "Autonomous address configuration");
                    pen.flag(5, "icmpv6.opt.prefix.flag.r", "Router address");
                },
            );
            pen.uint(4, "icmpv6.opt.prefix.valid_lifetime", "Valid Lifetime (s)");
            pen.uint(4, "icmpv6.opt.prefix.preferred_lifetime", "Preferred Lifetime (s)");
            pen.bytes(4, "icmpv6.opt.reserved", "Reserved");
            pen.ipv6("icmpv6.opt.prefix", "Prefix");
        }
        5 => {
            pen.bytes(2, "icmpv6.opt.reserved", "Reserved");
            pen.uint(4, "icmpv6.opt.mtu", "MTU");
        }
        // RFC 6775 §4.1 to §4.3.
        33 => {
            pen.uint(1, "icmpv6.opt.aro.status", "Status");
            pen.bytes(3, "icmpv6.opt.reserved", "Reserved");
            pen.uint(2, "icmpv6.opt.aro.registration_lifetime", "Registration Lifetime (min)");
            pen.bytes(8, "icmpv6.opt.aro.eui64", "EUI-64");
        }
        34 => {
            pen.uint(1, "icmpv6.opt.6co.context_length", "Context Length");
            pen.word(
                1,
                "icmpv6.opt.6co.flag",
                |word| format!("Flags: 0x{word:02x}"),
                |pen| {
                    pen.flag(4, "icmpv6.opt.6co.flag.c", "Compression");
                    pen.bits(0, 4, "icmpv6.opt.6co.flag.cid", |bits| format!("CID: {bits}"));
                },
            );
            pen.bytes(2, "icmpv6.opt.reserved", "Reserved");
            pen.uint(2, "icmpv6.opt.6co.valid_lifetime", "Lifetime (min)");
            if pen.left() >= 16 {
                pen.ipv6("icmpv6.opt.6co.context_prefix", "Context Prefix");
            } else {
                pen.rest("icmpv6.opt.6co.context_prefix", "Context Prefix");
            }
        }
        35 => {
            pen.uint(2, "icmpv6.opt.abro.version_low", "Version Low");
            pen.uint(2, "icmpv6.opt.abro.version_high", "Version High");
            pen.uint(2, "icmpv6.opt.abro.valid_lifetime", "Valid Lifetime (min)");
            pen.ipv6("icmpv6.opt.abro.6lbr_address", "6LBR Address");
        }
        _ => {}
    }
}
