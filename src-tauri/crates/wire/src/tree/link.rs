//! Nodes of Ethernet, Linux cooked captures, BSD loopback and raw IP.

use super::builder::TreeBuilder;
use super::ipv6::data;
use super::{Options, Part, Tree, Value};
use crate::link::ethernet::{self, Ethernet};
use crate::link::sll::Sll;
use base::Severity;

/// Writes an Ethernet frame and the layers in it.
pub fn ethernet(tree: &mut Tree, part: Part<'_>, options: &Options<'_>) {
    let header = Ethernet::parse(part.octets);
    let error = header.as_ref().err();
    let start = header.as_ref().map_or(0, |header| header.payload.start);
    let own = if error.is_some() { part } else { part.at(&(0..start)) };
    let mut builder = TreeBuilder::protocol(tree, own, "eth", "Ethernet", error);
    for (name, title) in [("eth.dst", "Destination"), ("eth.src", "Source")] {
        builder.field(6, name, |octets| address48(octets, title));
    }
    while error.is_none() && builder.left() > 2 {
        builder.hex(2, "vlan.tpid", "VLAN tag");
        builder.word(
            2,
            "vlan.tci",
            |word| format!("VLAN: 0x{word:04x}"),
            |builder| {
                builder.bits(0, 12, "vlan.id", |bits| format!("VLAN ID: {bits}"));
            },
        );
    }
    builder.hex(2, "eth.type", "Type");
    builder.close(error);
    if let Ok(header) = header {
        network(tree, part.at(&header.payload), header.ethertype, options);
    }
}

fn address48(octets: &[u8], title: &str) -> (Value, String) {
    let address: [u8; 6] = octets.first_chunk().copied().unwrap_or_default();
    let text = address.map(|octet| format!("{octet:02x}")).join(":");
    (Value::Addr48(address), format!("{title}: {text}"))
}

/// Writes the payload of an EtherType.
fn network(tree: &mut Tree, part: Part<'_>, ethertype: u16, options: &Options<'_>) {
    match ethertype {
        _ if part.octets.is_empty() => {}
        ethernet::IPV6 => super::ipv6(tree, part, options),
        ethernet::IPV4 => super::ipv4(tree, part, options),
        other => data(tree, part, &format!("EtherType 0x{other:04x}, not decoded")),
    }
}

/// Writes a packet without a link header: IPv4 if its first four bits are 4, else IPv6.
pub fn raw_ip(tree: &mut Tree, part: Part<'_>, options: &Options<'_>) {
    match part.octets.first().map(|octet| octet >> 4) {
        Some(4) => super::ipv4(tree, part, options),
        Some(_) => super::ipv6(tree, part, options),
        None => {}
    }
}

/// Writes BSD loopback (link type 0): four octets of address family, in the byte order of the writer, and IP.
pub fn null(tree: &mut Tree, part: Part<'_>, options: &Options<'_>) {
    /// Octets of the address family.
    const FAMILY: usize = 4;
    let own = part.at(&(0..FAMILY));
    let mut builder = TreeBuilder::protocol(tree, own, "null", "Null/Loopback", None);
    // Families are small: the octets on the side of the zeros tell the order.
    let little = part.octets.first() != Some(&0);
    if little {
        builder.uint_le(FAMILY, "null.family", "Family");
    } else {
        builder.uint(FAMILY, "null.family", "Family");
    }
    builder.close(None);
    raw_ip(tree, part.at(&(FAMILY..part.octets.len())), options);
}

/// Writes a record of a Linux cooked capture, version 1 (link type 113).
pub fn sll(tree: &mut Tree, part: Part<'_>, options: &Options<'_>) {
    let header = Sll::parse(part.octets);
    cooked(tree, part, header, options, |builder| {
        builder.uint(2, "sll.pkttype", "Packet type");
        builder.uint(2, "sll.hatype", "Link-layer address type");
        sll_address(builder, 2);
        builder.hex(2, "sll.etype", "Protocol");
    });
}

/// Writes a record of a Linux cooked capture, version 2 (link type 276).
pub fn sll2(tree: &mut Tree, part: Part<'_>, options: &Options<'_>) {
    let header = Sll::parse_v2(part.octets);
    cooked(tree, part, header, options, |builder| {
        builder.hex(2, "sll.etype", "Protocol");
        builder.bytes(2, "sll.reserved", "Reserved");
        builder.uint(4, "sll.ifindex", "Interface index");
        builder.uint(2, "sll.hatype", "Link-layer address type");
        builder.uint(1, "sll.pkttype", "Packet type");
        sll_address(builder, 1);
    });
}

/// Writes the length, of `width` octets, and the eight octets of an address.
fn sll_address(builder: &mut TreeBuilder<'_, '_>, width: usize) {
    /// Octets of the address field.
    const ROOM: usize = 8;
    let len = usize::try_from(builder.uint(width, "sll.halen", "Link-layer address length")).unwrap_or(ROOM);
    if len > ROOM {
        builder.find(Severity::Remark, "the address is longer than the 8 octets kept of it");
    }
    let len = len.min(ROOM);
    match len {
        0 => {}
        6 => builder.field(6, "sll.src.eth", |octets| address48(octets, "Source")),
        _ => builder.bytes(len, "sll.src.other", "Source"),
    }
    if len < ROOM {
        builder.bytes(ROOM.saturating_sub(len), "sll.unused", "Unused");
    }
}

fn cooked(
    tree: &mut Tree,
    part: Part<'_>,
    header: Result<Sll, crate::Error>,
    options: &Options<'_>,
    fields: impl FnOnce(&mut TreeBuilder<'_, '_>),
) {
    let own = header.as_ref().map_or(part, |header| part.at(&(0..header.header_len)));
    let mut builder = TreeBuilder::protocol(tree, own, "sll", "Linux cooked capture", header.as_ref().err());
    fields(&mut builder);
    builder.close(header.as_ref().err());
    if let Ok(header) = header {
        network(tree, part.at(&header.payload(part.octets)), header.ethertype, options);
    }
}
