//! Nodes of RPL control messages (RFC 6550 §6).

use super::builder::TreeBuilder;
use super::{Part, Tree, Value};
use crate::ip::rpl::{self, Rpl, kind};
use std::net::Ipv6Addr;

/// Writes the body of an ICMPv6 message of type 155, by its `code`.
pub fn rpl(tree: &mut Tree, part: Part<'_>, code: u8) {
    let builder = TreeBuilder::protocol(tree, part, "icmpv6.rpl", "RPL control message", None);
    message(builder, code);
}

/// Writes a message behind the ICMPv6 header that `builder` has written, and closes it.
pub(super) fn message(mut builder: TreeBuilder<'_, '_>, code: u8) {
    let start = builder.pos();
    let body = builder.part().octets.get(start..).unwrap_or_default();
    let error = Rpl::parse(code, body).err().map(|error| error.shifted(start));
    if let Some(error) = &error {
        builder.end_at(error.at);
    }
    match code {
        0 => {
            builder.hex(1, "icmpv6.rpl.dis.flags", "Flags");
            builder.bytes(1, "icmpv6.reserved", "Reserved");
        }
        1 => dio(&mut builder),
        2 => dao(&mut builder),
        3 => dao_ack(&mut builder),
        _ => builder.rest("icmpv6.data", "Data"),
    }
    options(&mut builder);
    builder.close(error.as_ref());
}

fn dio(builder: &mut TreeBuilder<'_, '_>) {
    builder.uint(1, "icmpv6.rpl.dio.instance", "RPLInstanceID");
    builder.uint(1, "icmpv6.rpl.dio.version", "Version");
    builder.uint(2, "icmpv6.rpl.dio.rank", "Rank");
    builder.word(
        1,
        "icmpv6.rpl.dio.flag",
        |word| format!("Flags: 0x{word:02x}"),
        |builder| {
            builder.flag(7, "icmpv6.rpl.dio.flag.g", "Grounded");
            builder.bits(6, 1, "icmpv6.rpl.dio.flag.0", |bits| format!("Zero: {bits}"));
            builder.bits(3, 3, "icmpv6.rpl.dio.flag.mop", |bits| {
                let name = match bits {
                    0 => "no downward routes",
                    1 => "non-storing",
                    2 => "storing without multicast",
                    3 => "storing with multicast",
                    _ => "unassigned",
                };
                format!("Mode of Operation: {name} ({bits})")
            });
            builder.bits(0, 3, "icmpv6.rpl.dio.flag.preference", |bits| format!("DODAG Preference: {bits}"));
        },
    );
    builder.uint(1, "icmpv6.rpl.dio.dtsn", "DTSN");
    builder.hex(1, "icmpv6.rpl.dio.flag", "Flags");
    builder.bytes(1, "icmpv6.reserved", "Reserved");
    builder.ipv6("icmpv6.rpl.dio.dagid", "DODAGID");
}

fn dao(builder: &mut TreeBuilder<'_, '_>) {
    builder.uint(1, "icmpv6.rpl.dao.instance", "RPLInstanceID");
    let mut local = false;
    builder.word(
        1,
        "icmpv6.rpl.dao.flag",
        |word| {
            local = word & 0x40 != 0;
            format!("Flags: 0x{word:02x}")
        },
        |builder| {
            builder.flag(7, "icmpv6.rpl.dao.flag.k", "DAO-ACK Request");
            builder.flag(6, "icmpv6.rpl.dao.flag.d", "DODAGID Present");
            builder.bits(0, 6, "icmpv6.rpl.dao.flag.rsv", |bits| format!("Reserved: {bits}"));
        },
    );
    builder.bytes(1, "icmpv6.reserved", "Reserved");
    builder.uint(1, "icmpv6.rpl.dao.sequence", "DAO Sequence");
    if local {
        builder.ipv6("icmpv6.rpl.dao.dodagid", "DODAGID");
    }
}

fn dao_ack(builder: &mut TreeBuilder<'_, '_>) {
    builder.uint(1, "icmpv6.rpl.daoack.instance", "RPLInstanceID");
    let mut local = false;
    builder.word(
        1,
        "icmpv6.rpl.daoack.flag",
        |word| {
            local = word & 0x80 != 0;
            format!("Flags: 0x{word:02x}")
        },
        |builder| {
            builder.flag(7, "icmpv6.rpl.daoack.flag.d", "DODAGID Present");
            builder.bits(0, 7, "icmpv6.rpl.daoack.flag.rsv", |bits| format!("Reserved: {bits}"));
        },
    );
    builder.uint(1, "icmpv6.rpl.daoack.sequence", "DAO-ACK Sequence");
    builder.uint(1, "icmpv6.rpl.daoack.status", "Status");
    if local {
        builder.ipv6("icmpv6.rpl.daoack.dodagid", "DODAGID");
    }
}

/// Writes the options of an RPL control message, RFC 6550 §6.7.
fn options(builder: &mut TreeBuilder<'_, '_>) {
    while let [kind, behind @ ..] = builder.peek(2) {
        if *kind == kind::PAD1 {
            builder.bytes(1, "icmpv6.rpl.opt.pad1", "Pad1");
            continue;
        }
        let len = behind.first().map_or(0, |len| usize::from(*len)).saturating_add(2);
        if builder.left() < len {
            return;
        }
        let title = rpl::option_name(*kind).unwrap_or("Option");
        builder.group(
            len,
            "icmpv6.opt",
            |_| (Value::None, format!("RPL Option: {title}")),
            |builder| {
                builder.uint_as(1, "icmpv6.rpl.opt.type", |kind| format!("Type: {title} ({kind})"));
                builder.uint(1, "icmpv6.rpl.opt.length", "Length");
                option(builder, *kind);
            },
        );
    }
}

fn option(builder: &mut TreeBuilder<'_, '_>, kind: u8) {
    let flags = |word: u64| format!("Flags: 0x{word:02x}");
    match kind {
        kind::CONFIGURATION => {
            builder.word(1, "icmpv6.rpl.opt.config.flag", flags, |builder| {
                builder.flag(3, "icmpv6.rpl.opt.config.auth", "Authentication Enabled");
                builder.bits(0, 3, "icmpv6.rpl.opt.config.pcs", |bits| format!("Path Control Size: {bits}"));
            });
            builder.uint(1, "icmpv6.rpl.opt.config.interval_double", "DIOIntervalDoublings");
            builder.uint(1, "icmpv6.rpl.opt.config.interval_min", "DIOIntervalMin");
            builder.uint(1, "icmpv6.rpl.opt.config.redundancy", "DIORedundancyConstant");
            builder.uint(2, "icmpv6.rpl.opt.config.max_rank_inc", "MaxRankIncrease");
            builder.uint(2, "icmpv6.rpl.opt.config.min_hop_rank_inc", "MinHopRankIncrease");
            builder.uint(2, "icmpv6.rpl.opt.config.ocp", "Objective Code Point");
            builder.uint(1, "icmpv6.rpl.opt.config.rsv", "Reserved");
            builder.uint(1, "icmpv6.rpl.opt.config.def_lifetime", "Default Lifetime");
            builder.uint(2, "icmpv6.rpl.opt.config.lifetime_unit", "Lifetime Unit (s)");
        }
        kind::TARGET => {
            builder.hex(1, "icmpv6.rpl.opt.target.flag", "Flags");
            builder.uint(1, "icmpv6.rpl.opt.target.prefix_length", "Target Length");
            prefix(builder, "icmpv6.rpl.opt.target.prefix", "Target");
        }
        kind::TRANSIT => {
            builder.word(1, "icmpv6.rpl.opt.transit.flag", flags, |builder| {
                builder.flag(7, "icmpv6.rpl.opt.transit.flag.e", "External");
                builder.bits(0, 7, "icmpv6.rpl.opt.transit.flag.rsv", |bits| format!("Reserved: {bits}"));
            });
            builder.uint(1, "icmpv6.rpl.opt.transit.pathctl", "Path Control");
            builder.uint(1, "icmpv6.rpl.opt.transit.pathseq", "Path Sequence");
            builder.uint(1, "icmpv6.rpl.opt.transit.pathlifetime", "Path Lifetime");
            if builder.left() >= 16 {
                builder.ipv6("icmpv6.rpl.opt.transit.parent", "Parent Address");
            }
        }
        kind::PREFIX => {
            builder.uint(1, "icmpv6.rpl.opt.prefix.length", "Prefix Length");
            builder.word(1, "icmpv6.rpl.opt.prefix.flag", flags, |builder| {
                builder.flag(7, "icmpv6.rpl.opt.prefix.flag.l", "On-link");
                builder.flag(6, "icmpv6.rpl.opt.prefix.flag.a", "Autonomous address configuration");
                builder.flag(5, "icmpv6.rpl.opt.prefix.flag.r", "Router address");
            });
            builder.uint(4, "icmpv6.rpl.opt.prefix.valid_lifetime", "Valid Lifetime (s)");
            builder.uint(4, "icmpv6.rpl.opt.prefix.preferred_lifetime", "Preferred Lifetime (s)");
            builder.bytes(4, "icmpv6.rpl.opt.prefix.reserved", "Reserved");
            builder.ipv6("icmpv6.rpl.opt.prefix", "Prefix");
        }
        _ => {}
    }
}

/// Writes a prefix of as many octets as are left.
fn prefix(builder: &mut TreeBuilder<'_, '_>, name: &'static str, title: &str) {
    let mut address = [0; 16];
    let given = builder.peek(16);
    for (octet, given) in address.iter_mut().zip(given) {
        *octet = *given;
    }
    let address = Ipv6Addr::from(address);
    builder.field(given.len(), name, |_| (Value::Ipv6(address), format!("{title}: {address}")));
}
