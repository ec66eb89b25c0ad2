//! RPL control messages (RFC 6550 §6).

use super::pen::Pen;
use super::{Part, Tree, Value};
use crate::rpl::{self, Rpl, kind};
use std::net::Ipv6Addr;

/// The body of an ICMPv6 message of type 155.
pub fn rpl(tree: &mut Tree, part: Part<'_>, code: u8) {
    let pen = Pen::protocol(tree, part, "icmpv6.rpl", "RPL control message", None);
    message(pen, code);
}

/// A message behind the ICMPv6 header that `pen` has written.
pub(super) fn message(mut pen: Pen<'_, '_>, code: u8) {
    let start = pen.pos();
    let body = pen.part().octets.get(start..).unwrap_or_default();
    let error = Rpl::parse(code, body).err().map(|error| error.shifted(start));
    if let Some(error) = &error {
        pen.end_at(error.at);
    }
    match code {
        0 => {
            pen.hex(1, "icmpv6.rpl.dis.flags", "Flags");
            pen.bytes(1, "icmpv6.reserved", "Reserved");
        }
        1 => dio(&mut pen),
        2 => dao(&mut pen),
        3 => dao_ack(&mut pen),
        _ => pen.rest("icmpv6.data", "Data"),
    }
    options(&mut pen);
    pen.close(error.as_ref());
}

fn dio(pen: &mut Pen<'_, '_>) {
    pen.uint(1, "icmpv6.rpl.dio.instance", "RPLInstanceID");
    pen.uint(1, "icmpv6.rpl.dio.version", "Version");
    pen.uint(2, "icmpv6.rpl.dio.rank", "Rank");
    pen.word(
        1,
        "icmpv6.rpl.dio.flag",
        |word| format!("Flags: 0x{word:02x}"),
        |pen| {
            pen.flag(7, "icmpv6.rpl.dio.flag.g", "Grounded");
            pen.bits(6, 1, "icmpv6.rpl.dio.flag.0", |bits| format!("Zero: {bits}"));
            pen.bits(3, 3, "icmpv6.rpl.dio.flag.mop", |bits| {
                let name = match bits {
                    0 => "no downward routes",
                    1 => "non-storing",
                    2 => "storing without multicast",
                    3 => "storing with multicast",
                    _ => "unassigned",
                };
                format!("Mode of Operation: {name} ({bits})")
            });
            pen.bits(0, 3, "icmpv6.rpl.dio.flag.preference", |bits| format!("DODAG Preference: {bits}"));
        },
    );
    pen.uint(1, "icmpv6.rpl.dio.dtsn", "DTSN");
    pen.hex(1, "icmpv6.rpl.dio.flag", "Flags");
    pen.bytes(1, "icmpv6.reserved", "Reserved");
    pen.ipv6("icmpv6.rpl.dio.dagid", "DODAGID");
}

fn dao(pen: &mut Pen<'_, '_>) {
    pen.uint(1, "icmpv6.rpl.dao.instance", "RPLInstanceID");
    let mut local = false;
    pen.word(
        1,
        "icmpv6.rpl.dao.flag",
        |word| {
            local = word & 0x40 != 0;
            format!("Flags: 0x{word:02x}")
        },
        |pen| {
            pen.flag(7, "icmpv6.rpl.dao.flag.k", "DAO-ACK Request");
            pen.flag(6, "icmpv6.rpl.dao.flag.d", "DODAGID Present");
            pen.bits(0, 6, "icmpv6.rpl.dao.flag.rsv", |bits| format!("Reserved: {bits}"));
        },
    );
    pen.bytes(1, "icmpv6.reserved", "Reserved");
    pen.uint(1, "icmpv6.rpl.dao.sequence", "DAO Sequence");
    if local {
        pen.ipv6("icmpv6.rpl.dao.dodagid", "DODAGID");
    }
}

fn dao_ack(pen: &mut Pen<'_, '_>) {
    pen.uint(1, "icmpv6.rpl.daoack.instance", "RPLInstanceID");
    let mut local = false;
    pen.word(
        1,
        "icmpv6.rpl.daoack.flag",
        |word| {
            local = word & 0x80 != 0;
            format!("Flags: 0x{word:02x}")
        },
        |pen| {
            pen.flag(7, "icmpv6.rpl.daoack.flag.d", "DODAGID Present");
            pen.bits(0, 7, "icmpv6.rpl.daoack.flag.rsv", |bits| format!("Reserved: {bits}"));
        },
    );
    pen.uint(1, "icmpv6.rpl.daoack.sequence", "DAO-ACK Sequence");
    pen.uint(1, "icmpv6.rpl.daoack.status", "Status");
    if local {
        pen.ipv6("icmpv6.rpl.daoack.dodagid", "DODAGID");
    }
}

/// RFC 6550 §6.7.
fn options(pen: &mut Pen<'_, '_>) {
    while let [kind, behind @ ..] = pen.peek(2) {
        if *kind == kind::PAD1 {
            pen.bytes(1, "icmpv6.rpl.opt.pad1", "Pad1");
            continue;
        }
        let len = behind.first().map_or(0, |len| usize::from(*len)).saturating_add(2);
        if pen.left() < len {
            return;
        }
        let title = rpl::option_name(*kind).unwrap_or("Option");
        pen.group(
            len,
            "icmpv6.opt",
            |_| (Value::None, format!("RPL Option: {title}")),
            |pen| {
                pen.uint_as(1, "icmpv6.rpl.opt.type", |kind| format!("Type: {title} ({kind})"));
                pen.uint(1, "icmpv6.rpl.opt.length", "Length");
                option(pen, *kind);
            },
        );
    }
}

fn option(pen: &mut Pen<'_, '_>, kind: u8) {
    let flags = |word: u64| format!("Flags: 0x{word:02x}");
    match kind {
        kind::CONFIGURATION => {
            pen.word(1, "icmpv6.rpl.opt.config.flag", flags, |pen| {
                pen.flag(3, "icmpv6.rpl.opt.config.auth", "Authentication Enabled");
                pen.bits(0, 3, "icmpv6.rpl.opt.config.pcs", |bits| format!("Path Control Size: {bits}"));
            });
            pen.uint(1, "icmpv6.rpl.opt.config.interval_double", "DIOIntervalDoublings");
            pen.uint(1, "icmpv6.rpl.opt.config.interval_min", "DIOIntervalMin");
            pen.uint(1, "icmpv6.rpl.opt.config.redundancy", "DIORedundancyConstant");
            pen.uint(2, "icmpv6.rpl.opt.config.max_rank_inc", "MaxRankIncrease");
            pen.uint(2, "icmpv6.rpl.opt.config.min_hop_rank_inc", "MinHopRankIncrease");
            pen.uint(2, "icmpv6.rpl.opt.config.ocp", "Objective Code Point");
            pen.uint(1, "icmpv6.rpl.opt.config.rsv", "Reserved");
            pen.uint(1, "icmpv6.rpl.opt.config.def_lifetime", "Default Lifetime");
            pen.uint(2, "icmpv6.rpl.opt.config.lifetime_unit", "Lifetime Unit (s)");
        }
        kind::TARGET => {
            pen.hex(1, "icmpv6.rpl.opt.target.flag", "Flags");
            pen.uint(1, "icmpv6.rpl.opt.target.prefix_length", "Target Length");
            prefix(pen, "icmpv6.rpl.opt.target.prefix", "Target");
        }
        kind::TRANSIT => {
            pen.word(1, "icmpv6.rpl.opt.transit.flag", flags, |pen| {
                pen.flag(7, "icmpv6.rpl.opt.transit.flag.e", "External");
                pen.bits(0, 7, "icmpv6.rpl.opt.transit.flag.rsv", |bits| format!("Reserved: {bits}"));
            });
            pen.uint(1, "icmpv6.rpl.opt.transit.pathctl", "Path Control");
            pen.uint(1, "icmpv6.rpl.opt.transit.pathseq", "Path Sequence");
            pen.uint(1, "icmpv6.rpl.opt.transit.pathlifetime", "Path Lifetime");
            if pen.left() >= 16 {
                pen.ipv6("icmpv6.rpl.opt.transit.parent", "Parent Address");
            }
        }
        kind::PREFIX => {
            pen.uint(1, "icmpv6.rpl.opt.prefix.length", "Prefix Length");
            pen.word(1, "icmpv6.rpl.opt.prefix.flag", flags, |pen| {
                pen.flag(7, "icmpv6.rpl.opt.prefix.flag.l", "On-link");
                pen.flag(6, "icmpv6.rpl.opt.prefix.flag.a", "Autonomous address configuration");
                pen.flag(5, "icmpv6.rpl.opt.prefix.flag.r", "Router address");
            });
            pen.uint(4, "icmpv6.rpl.opt.prefix.valid_lifetime", "Valid Lifetime (s)");
            pen.uint(4, "icmpv6.rpl.opt.prefix.preferred_lifetime", "Preferred Lifetime (s)");
            pen.bytes(4, "icmpv6.rpl.opt.prefix.reserved", "Reserved");
            pen.ipv6("icmpv6.rpl.opt.prefix", "Prefix");
        }
        _ => {}
    }
}

/// A prefix in as many octets as are left.
fn prefix(pen: &mut Pen<'_, '_>, name: &'static str, title: &str) {
    let mut address = [0; 16];
    let given = pen.peek(16);
    for (octet, given) in address.iter_mut().zip(given) {
        *octet = *given;
    }
    let address = Ipv6Addr::from(address);
    pen.field(given.len(), name, |_| (Value::Ipv6(address), format!("{title}: {address}")));
}
