//! Nodes of IPv6, its extension headers, UDP, and IPv4 as far as CoAP over it needs.

mod extension;

use super::builder::TreeBuilder;
use super::upper_layer::{Ends, checksum, not_here};
use super::{Options, Part, Tree, Value};
use crate::dtls::{self, DtlsRecord};
use crate::ip::ipv4::Ipv4;
use crate::ip::ipv6::{self, HEADER_LEN, ICMPV6, Ipv6, UDP};
use crate::udp::{self, Udp};
use crate::{Error, Kind};
use base::Severity;
use std::net::{Ipv4Addr, Ipv6Addr};

/// Writes an IPv6 datagram and the layers in it; datagrams inside it to a depth of [`ipv6::NESTED`].
pub fn ipv6(tree: &mut Tree, part: Part<'_>, options: &Options<'_>) {
    let mut part = part;
    for _ in 0..ipv6::NESTED {
        let Some(inner) = one_ipv6(tree, part, options) else { return };
        part = inner;
    }
}

/// Writes one IPv6 header and its payload; returns a datagram that it encapsulates.
fn one_ipv6<'a>(tree: &mut Tree, part: Part<'a>, options: &Options<'_>) -> Option<Part<'a>> {
    let (header, error) = Ipv6::parse_partly(part.octets);
    let (src, dst) = (Ipv6Addr::from(header.src), Ipv6Addr::from(header.dst));
    let headers_end = header.extensions.last().map_or(HEADER_LEN, |extension| extension.span.end);
    let own = if error.is_some() { part } else { part.at(&(0..headers_end)) };
    let mut builder = TreeBuilder::protocol(tree, own, "ipv6", format!("IPv6, {src} → {dst}"), error.as_ref());
    builder.word(
        4,
        "ipv6.head",
        |word| format!("Version, traffic class, flow label: 0x{word:08x}"),
        |builder| {
            builder.bits(28, 4, "ipv6.version", |bits| format!("Version: {bits}"));
            builder.bits(20, 8, "ipv6.tclass", |bits| format!("Traffic Class: 0x{bits:02x}"));
            builder.bits(22, 6, "ipv6.tclass.dscp", |bits| format!("DSCP: {bits}"));
            builder.bits(20, 2, "ipv6.tclass.ecn", |bits| format!("ECN: {bits}"));
            builder.bits(0, 20, "ipv6.flow", |bits| format!("Flow Label: 0x{bits:05x}"));
        },
    );
    builder.uint(2, "ipv6.plen", "Payload Length");
    if header.missing > 0 {
        builder.find(Severity::Warning, not_here(header.missing));
    }
    builder.uint_as(1, "ipv6.nxt", |next| format!("Next Header: {}", protocol_name(next as u8)));
    builder.uint(1, "ipv6.hlim", "Hop Limit");
    builder.ipv6("ipv6.src", "Source Address");
    builder.ipv6("ipv6.dst", "Destination Address");
    for extension in &header.extensions {
        extension::extension(&mut builder, extension, &header);
    }
    if error.is_some() {
        builder.close(error.as_ref());
        return None;
    }
    let upper = part.at(&header.payload);
    let ends = Ends { src: header.src, dst: header.final_dst() };
    let whole = header.missing == 0;
    let mut inner = None;
    match header.upper {
        upper_protocol if header.fragment.is_some_and(|fragment| fragment.more || fragment.offset > 0) => {
            fragment(tree, upper, upper_protocol);
        }
        UDP => udp(tree, upper, whole.then_some(ends), options),
        ICMPV6 => super::icmpv6(tree, upper, whole.then_some(ends)),
        ipv6::IPV6 => inner = Some(upper),
        _ if upper.octets.is_empty() => {}
        ipv6::TCP => tcp(tree, upper),
        other => data(tree, upper, &format!("{}, not decoded", protocol_name(other))),
    }
    let behind = part.at(&(header.payload.end..part.octets.len()));
    if !behind.octets.is_empty() {
        data(tree, behind, "Octets behind the payload");
    }
    inner
}

/// Writes a fragment of a datagram; its content is written where the datagram is put together.
fn fragment(tree: &mut Tree, part: Part<'_>, protocol: u8) {
    if !part.octets.is_empty() {
        data(tree, part, &format!("Fragment of IP, {}", protocol_name(protocol)));
    }
}

/// Writes a protocol that is not decoded.
pub(super) fn data(tree: &mut Tree, part: Part<'_>, label: &str) {
    TreeBuilder::protocol(tree, part, "data", label, None).rest("data.data", "Data");
}

/// Writes a UDP datagram and the CoAP message in it, as far as they are captured. The checksum is not judged where
/// `ends` is `None`.
pub fn udp(tree: &mut Tree, part: Part<'_>, ends: Option<Ends>, options: &Options<'_>) {
    let header = Udp::parse(part.octets);
    // A payload that merely ends early is read as far as it goes.
    let missing = match &header {
        Err(Error { at: udp::HEADER_LEN, kind: Kind::Truncated { need, have }, .. }) => need.saturating_sub(*have),
        _ => 0,
    };
    let error = header.as_ref().err().filter(|_| missing == 0);
    let own = if error.is_some() { part } else { part.at(&(0..udp::HEADER_LEN)) };
    let ports = part.octets.first_chunk().filter(|_| error.is_none());
    let ports = ports.map_or(String::new(), |[a, b, c, d]| {
        format!(", {} → {}", u16::from_be_bytes([*a, *b]), u16::from_be_bytes([*c, *d]))
    });
    // A length that does not fit is no reason not to show the header.
    let shown = error.map(|error| Error { at: error.at.max(udp::HEADER_LEN), ..*error });
    let mut builder = TreeBuilder::protocol(tree, own, "udp", format!("UDP{ports}"), shown.as_ref());
    let ports = [builder.uint(2, "udp.srcport", "Source Port"), builder.uint(2, "udp.dstport", "Destination Port")];
    builder.uint(2, "udp.length", "Length");
    if missing > 0 {
        builder.find(Severity::Warning, not_here(missing));
    }
    checksum(&mut builder, "udp.checksum", part.octets, UDP, ends.filter(|_| missing == 0));
    builder.close(shown.as_ref());
    if error.is_some() {
        return;
    }
    let end = header.map_or(part.octets.len(), |header| header.payload.end);
    let payload = part.at(&(udp::HEADER_LEN..end));
    let is_coap = ports.iter().any(|port| options.ports.iter().any(|&known| u64::from(known) == *port));
    match dtls::records(payload.octets) {
        _ if payload.octets.is_empty() => {}
        Some(records) => dtls_records(tree, payload, &records),
        None if is_coap => super::coap::held(tree, payload, options.rc_option, missing),
        None => data(tree, payload, "UDP payload"),
    }
    let behind = part.at(&(end..part.octets.len()));
    if !behind.octets.is_empty() {
        data(tree, behind, "Octets behind the UDP datagram");
    }
}

/// Writes a TCP segment with its ports; CoAP over TCP (RFC 8323) is recognised by its port and not decoded.
fn tcp(tree: &mut Tree, part: Part<'_>) {
    /// Ports of coap+tcp and coaps+tcp (RFC 8323 §8.1, §8.2).
    const COAP_PORTS: [u64; 2] = [5683, 5684];
    let mut builder = TreeBuilder::protocol(tree, part, "tcp", "TCP, not decoded", None);
    let ports = [builder.uint(2, "tcp.srcport", "Source Port"), builder.uint(2, "tcp.dstport", "Destination Port")];
    if ports.iter().any(|port| COAP_PORTS.contains(port)) {
        builder.find(Severity::Remark, "CoAP over TCP (RFC 8323) is not decoded: it has no retransmissions of its own");
    }
    builder.rest("tcp.segment_data", "Segment");
    builder.close(None);
}

/// Writes the headers of DTLS records; their content is encrypted, or a handshake.
fn dtls_records(tree: &mut Tree, part: Part<'_>, records: &[(usize, DtlsRecord)]) {
    for (start, record) in records {
        let own = part.at(&(*start..start.saturating_add(record.content.end)));
        let mut builder = TreeBuilder::protocol(tree, own, "dtls", format!("DTLS, {}", record.name()), None);
        builder.uint_as(1, "dtls.record.content_type", |kind| format!("Content Type: {} ({kind})", record.name()));
        builder.hex(2, "dtls.record.version", "Version");
        builder.uint(2, "dtls.record.epoch", "Epoch");
        builder.uint(6, "dtls.record.sequence_number", "Sequence Number");
        let behind = builder.left();
        if behind > record.content.len() {
            builder.uint(behind.saturating_sub(record.content.len()), "dtls.record.length", "Length");
        }
        builder.rest("dtls.record.content", "Content");
        builder.close(None);
    }
}

/// Writes an IPv4 packet and the UDP datagram in it.
pub fn ipv4(tree: &mut Tree, part: Part<'_>, options: &Options<'_>) {
    let header = Ipv4::parse(part.octets);
    let own = header.as_ref().map_or(part, |header| part.at(&(0..header.payload.start)));
    let error = header.as_ref().err();
    let mut builder = TreeBuilder::protocol(tree, own, "ip", "IPv4", error);
    builder.word(
        1,
        "ip.head",
        |word| format!("Version and header length: 0x{word:02x}"),
        |builder| {
            builder.bits(4, 4, "ip.version", |bits| format!("Version: {bits}"));
            let octets = (builder.word_value() & 0xf) << 2;
            builder.about("ip.hdr_len", Value::Uint(octets), format!("Header Length: {octets} octets"));
        },
    );
    builder.hex(1, "ip.dsfield", "Differentiated Services");
    builder.uint(2, "ip.len", "Total Length");
    if let Some(missing) = header.as_ref().ok().map(|header| header.missing).filter(|&missing| missing > 0) {
        builder.find(Severity::Warning, not_here(missing));
    }
    builder.hex(2, "ip.id", "Identification");
    builder.word(
        2,
        "ip.flags_offset",
        |word| format!("Flags and fragment offset: 0x{word:04x}"),
        |builder| {
            builder.flag(14, "ip.flags.df", "Don't Fragment");
            builder.flag(13, "ip.flags.mf", "More Fragments");
            builder.bits(0, 13, "ip.frag_offset", |bits| format!("Fragment Offset: {}", bits << 3));
        },
    );
    builder.uint(1, "ip.ttl", "Time to Live");
    builder.uint_as(1, "ip.proto", |protocol| format!("Protocol: {}", protocol_name(protocol as u8)));
    builder.hex(2, "ip.checksum", "Header Checksum");
    for (name, title) in [("ip.src", "Source Address"), ("ip.dst", "Destination Address")] {
        builder.field(4, name, |octets| {
            let address = Ipv4Addr::from(octets.first_chunk().copied().unwrap_or_default());
            (Value::Ipv4(address), format!("{title}: {address}"))
        });
    }
    if error.is_none() {
        builder.rest("ip.options", "Options");
    }
    let Ok(header) = header else {
        builder.close(error);
        return;
    };
    let upper = part.at(&header.payload);
    match header.protocol {
        protocol if header.fragment_offset > 0 || header.more_fragments => fragment(tree, upper, protocol),
        UDP => udp(tree, upper, None, options),
        ipv6::IPV6 => ipv6(tree, upper, options),
        ipv6::TCP => tcp(tree, upper),
        other if !upper.octets.is_empty() => data(tree, upper, &format!("{}, not decoded", protocol_name(other))),
        _ => {}
    }
    let behind = part.at(&(header.payload.end..part.octets.len()));
    if !behind.octets.is_empty() {
        data(tree, behind, "Octets behind the payload");
    }
}

/// Protocol number with its name.
pub(super) fn protocol_name(protocol: u8) -> String {
    let name = match protocol {
        ipv6::HOP_BY_HOP => "Hop-by-Hop Options",
        1 => "ICMP",
        ipv6::TCP => "TCP",
        UDP => "UDP",
        ipv6::IPV6 => "IPv6",
        ipv6::ROUTING => "Routing Header",
        ipv6::FRAGMENT => "Fragment Header",
        ipv6::AUTHENTICATION => "Authentication Header",
        ICMPV6 => "ICMPv6",
        ipv6::NO_NEXT_HEADER => "No Next Header",
        ipv6::DESTINATION_OPTIONS => "Destination Options",
        ipv6::MOBILITY => "Mobility Header",
        ipv6::HIP => "Host Identity Protocol",
        ipv6::SHIM6 => "Shim6",
        other => return format!("protocol {other}"),
    };
    format!("{name} ({protocol})")
}
