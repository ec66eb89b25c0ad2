//! Bodies of the fuzz targets: plain functions, run by `cargo fuzz` (`src-tauri/fuzz`) and, over the
//! committed corpus and arbitrary octets, by `cargo test`.
//!
//! A body parses and checks the laws every result must keep; it panics when one is broken.

use crate::coap::{Coap, Oscore, check, number, plausible};
use crate::dtls;
use crate::ip::icmpv6::{self, Icmpv6};
use crate::ip::ipv4::Ipv4;
use crate::ip::ipv6::{self, Ipv6};
use crate::ip::lowpan::{self, ContextTable, Dispatch, LayerKind, Prefix};
use crate::ip::rpl::Rpl;
use crate::link::ethernet::{self, Ethernet};
use crate::link::ieee802154::{fcs16, has_valid_fcs16};
use crate::link::security;
use crate::link::tap::{self, Tap, TiStatus};
use crate::tree::{self, Options, Tree};
use crate::udp::{self, Udp};
use crate::{ByteRange, Error, MacAddr, MacHeader};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Fuzz target: takes any octets, panics where a law is broken.
pub type Body = fn(&[u8]);

/// All targets: name of the corpus directory, and body.
pub const TARGETS: [(&str, Body); 9] = [
    ("capture", capture),
    ("coap", coap),
    ("decompress", decompress),
    ("frame", frame),
    ("ipv6", ipv6),
    ("lowpan", lowpan),
    ("mac", mac),
    ("security", security),
    ("tree", tree),
];

/// Parses the headers that a capture puts around a frame: TAP, PHY header, Ethernet, IPv4.
pub fn capture(octets: &[u8]) {
    if let Some(tap) = located(octets, Tap::parse(octets)) {
        assert_eq!(tap.frame, tap.header_len..octets.len());
    }
    if let Some(psdu) = located(octets, tap::nonask_phy(octets)) {
        assert_tiled(octets, 6, [&psdu]);
    }
    if let Some(ethernet) = located(octets, Ethernet::parse(octets)) {
        assert_eq!(ethernet.payload.end, octets.len());
        let payload = slice(octets, &ethernet.payload);
        match ethernet.ethertype {
            ethernet::IPV6 => ipv6(payload),
            ethernet::IPV4 => ipv4(payload),
            _ => {}
        }
    }
    ipv4(octets);
    assert_eq!(TiStatus::of(octets).is_some(), octets.len() >= 2);
}

/// Parses a MAC frame, with or without FCS.
pub fn mac(octets: &[u8]) {
    let with_fcs = [octets, &fcs16(octets).to_le_bytes()].concat();
    assert!(has_valid_fcs16(&with_fcs));
    let Some(header) = located(octets, MacHeader::parse(octets)) else { return };
    assert_tiled(octets, 0, [&header.span, &header.payload]);
    assert_eq!(header.payload.end.saturating_add(header.mic_len), octets.len());
    let ies = header.header_ies.iter().chain(&header.payload_ies);
    let first = ies.clone().next().map_or(header.span.end, |ie| ie.span.start);
    assert_eq!(assert_tiled(octets, first, ies.clone().map(|ie| &ie.span)), header.span.end);
    for ie in ies {
        assert_tiled(octets, ie.span.start.saturating_add(2), [&ie.content]);
        assert_eq!(ie.content.end, ie.span.end);
    }
    if let Some(aux) = &header.aux_security {
        assert!(aux.span.end <= first);
    }
}

/// Parses a MAC payload up to its datagram.
pub fn lowpan(octets: &[u8]) {
    let Some(headers) = located(octets, lowpan::parse(octets)) else { return };
    assert_eq!(headers.rest.end, octets.len());
    let mesh = headers.mesh.as_ref().map(|mesh| &mesh.span);
    let frag = headers.frag.as_ref().map(|frag| &frag.span);
    let frag = frag.into_iter().chain(headers.rfrag.as_ref().map(|frag| &frag.span));
    let frag = frag.chain(headers.rfrag_ack.as_ref().map(|ack| &ack.span));
    let routing = headers.routing.iter().map(|header| &header.span);
    assert_ordered(octets, mesh.into_iter().chain(frag).chain(routing).chain([&headers.rest]));
    assert!(lowpan::source_route(octets, &headers.routing, [0xfd; 16]).len() <= octets.len());
    assert!(!matches!(headers.dispatch, Dispatch::Mesh | Dispatch::Bc0 | Dispatch::Page(_) | Dispatch::Frag1 { .. }));
    assert_eq!(matches!(headers.dispatch, Dispatch::FragN { .. }), headers.frag.is_some_and(|frag| !frag.first));
}

/// Decompresses a datagram; the first octet chooses addresses and contexts.
pub fn decompress(octets: &[u8]) {
    let Some((circumstances, input)) = octets.split_first() else { return };
    let address = |bits: u8| match bits & 3 {
        0 => MacAddr::None,
        1 => MacAddr::Short(0x1234),
        _ => MacAddr::Extended([0, 0x12, 0x4b, 0, 1, 2, 3, 4]),
    };
    let len = match circumstances >> 4 & 3 {
        0 => 0,
        1 => 48,
        2 => 64,
        _ => 128,
    };
    let contexts = ContextTable::EMPTY.with(0, Prefix { octets: [0xfd; 16], len });
    let total = (circumstances & 0x40 != 0).then_some(1280);
    let (src, dst) = (address(*circumstances), address(circumstances >> 2));
    let Some(rebuilt) = located(input, lowpan::decompress(input, src, dst, &contexts, total)) else { return };
    let end = assert_tiled(input, 0, rebuilt.spans.iter().map(|(_, span)| span));
    assert_eq!(end, rebuilt.consumed);
    assert_eq!(rebuilt.spans.first().map(|(kind, _)| *kind), Some(LayerKind::Ipv6));

    let mut datagram = rebuilt.header;
    datagram.extend_from_slice(slice(input, &(rebuilt.consumed..input.len())));
    let verbatim = matches!(Dispatch::of(input, 0), Ok(Dispatch::Ipv6Uncompressed));
    if let Some(header) = located(&datagram, Ipv6::parse(&datagram))
        && !verbatim
        && total.is_none()
    {
        assert_eq!((header.missing, header.payload.end), (0, datagram.len()));
    }
}

/// Parses an IPv6 datagram and its payload.
pub fn ipv6(octets: &[u8]) {
    let Some(header) = located(octets, Ipv6::parse(octets)) else { return };
    let extensions = header.extensions.iter().map(|extension| &extension.span);
    assert_tiled(octets, ipv6::HEADER_LEN, extensions.chain([&header.payload]));
    let promised = ipv6::HEADER_LEN.saturating_add(usize::from(header.payload_len));
    assert_eq!(header.payload.end.saturating_add(header.missing), promised);
    if let Some(option) = &header.rpl_option {
        assert!(header.extensions.iter().any(|e| e.span.start < option.span.start && option.span.end <= e.span.end));
    }
    let upper = slice(octets, &header.payload);
    let sum = |upper: &[u8]| ipv6::checksum(header.src, header.final_dst(), header.upper, upper);
    // The checksum of even octets, put behind them, makes a sum of 0 for a segment two octets longer.
    let even = slice(upper, &(0..upper.len() & !1));
    let longer = [even, &[0, 0]].concat();
    let filled = [even, &sum(&longer).to_be_bytes()].concat();
    assert_eq!(sum(&filled), 0);
    match header.upper {
        ipv6::UDP => udp(upper),
        ipv6::ICMPV6 => icmpv6(upper),
        _ => {}
    }
}

/// Parses a CoAP message, or a DTLS record.
pub fn coap(octets: &[u8]) {
    if let Some(records) = dtls::records(octets) {
        let end = records.iter().fold(0, |end: usize, (start, record)| {
            assert_eq!(end, *start);
            start.saturating_add(record.content.end)
        });
        assert_eq!(end, octets.len());
        assert!(!plausible(octets), "DTLS and CoAP begin differently (RFC 7983)");
    }
    assert!(!plausible(octets) || Coap::parse(octets).is_ok());
    let Some(message) = located(octets, Coap::parse(octets)) else { return };
    assert_eq!(message.header, 0..message.token.len().saturating_add(4));
    let end = assert_tiled(octets, message.header.end, message.options.iter().map(|option| &option.span));
    assert!(message.options.is_sorted_by_key(|option| option.number));
    for option in &message.options {
        assert_ordered(octets, [&(option.span.start..option.span.start.saturating_add(1)), &option.value]);
        assert_eq!(option.value.end, option.span.end);
        let uint = message.option_uint(octets, option.number);
        assert!(message.rc(octets, option.number).is_none_or(|count| uint == Some(u32::from(count))));
        assert!(message.block(octets, option.number).is_none_or(|block| (16..=2048).contains(&block.size())));
    }
    for issue in check::issues(&message, octets, 65_020) {
        assert!(check::CODES.contains(&issue.code) && issue.at < octets.len(), "{issue:?}");
        assert!(issue.option.is_none_or(|index| index < message.options.len()), "{issue:?}");
    }
    for value in message.values(octets, number::OSCORE) {
        if let Some(oscore) = located(value, Oscore::parse(value)) {
            assert_ordered(value, [&oscore.partial_iv, &oscore.kid_context, &oscore.kid].into_iter().flatten());
        }
    }
    match &message.payload {
        Some(payload) => assert_eq!((payload.start, payload.end), (end.saturating_add(1), octets.len())),
        None => assert_eq!(end, octets.len()),
    }
}

/// Parses a whole frame without FCS, every layer handed to the next.
pub fn frame(octets: &[u8]) {
    mac(octets);
    let Ok(header) = MacHeader::parse(octets) else { return };
    let payload = slice(octets, &header.payload);
    lowpan(payload);
    let Ok(headers) = lowpan::parse(payload) else { return };
    let (src, dst) = headers.endpoints(header.src, header.dst);
    let rest = slice(payload, &headers.rest);
    let total = headers.frag.map(|frag| usize::from(frag.size));
    let contexts = |_| Some(Prefix { octets: [0xfd; 16], len: 64 });
    let Some(rebuilt) = located(rest, lowpan::decompress(rest, src, dst, &contexts, total)) else { return };
    let mut datagram = rebuilt.header;
    datagram.extend_from_slice(slice(rest, &(rebuilt.consumed..rest.len())));
    ipv6(&datagram);
}

/// Opens a secured frame with one key, and checks its tree.
pub fn security(octets: &[u8]) {
    const KEY: security::Key = [0xc0; 16];
    const SOURCE: [u8; 8] = [0, 0x12, 0x4b, 0, 1, 2, 3, 4];
    let Ok(header) = MacHeader::parse(octets) else { return };
    let results = [
        security::open(octets, &header, &KEY, SOURCE),
        security::open_tsch(octets, &header, &KEY, SOURCE, 0x01_0203_0405),
    ];
    for opened in results.into_iter().flatten() {
        let first = opened.payload_ies.first().map_or(opened.payload.start, |ie| ie.span.start);
        let ies = opened.payload_ies.iter().map(|ie| &ie.span);
        assert_eq!(assert_tiled(&opened.octets, first, ies.chain([&opened.payload])), opened.octets.len());
        if let Some(error) = opened.error {
            assert!(error.at <= opened.octets.len());
        }
        let mut made = Tree::default();
        tree::opened(&mut made, &header, &opened, &Options::default());
        assert_tree(&made);
    }
}

/// Builds a decode tree; the first octet chooses the kind of the others.
pub fn tree(octets: &[u8]) {
    let Some((kind, octets)) = octets.split_first() else { return };
    let contexts = ContextTable::EMPTY.with(0, Prefix { octets: [0xfd; 16], len: 64 });
    let trailer = match kind >> 4 & 3 {
        0 => tree::Trailer::None,
        1 => tree::Trailer::Crc16,
        2 => tree::Trailer::Crc32,
        _ => tree::Trailer::Ti,
    };
    let options = Options { trailer, contexts: &contexts, ..Options::default() };
    let mut made = Tree::default();
    let part = made.buffer("Frame", octets);
    match kind & 0xf {
        0 => drop(tree::frame(&mut made, part, &options)),
        1 => tree::ethernet(&mut made, part, &options),
        2 => tree::raw_ip(&mut made, part, &options),
        3 => tree::null(&mut made, part, &options),
        4 => tree::sll(&mut made, part, &options),
        5 => tree::sll2(&mut made, part, &options),
        6 => {
            if let Some((part, trailer)) = tree::tap(&mut made, part) {
                tree::frame(&mut made, part, &Options { trailer, ..options });
            }
        }
        7 => {
            if let Some(part) = tree::nonask_phy(&mut made, part) {
                tree::frame(&mut made, part, &options);
            }
        }
        8 => drop(tree::lowpan(&mut made, part, MacAddr::Short(1), MacAddr::Short(2), &contexts)),
        9 => tree::udp(&mut made, part, None, &options),
        10 => tree::icmpv6(&mut made, part, None),
        11 => (0..8).for_each(|code| tree::rpl(&mut made, part, code)),
        _ => tree::coap(&mut made, part, options.rc_option),
    }
    assert_tree(&made);
}

/// Kind of value of each field of a tree, by the field's name.
static KINDS: LazyLock<BTreeMap<&str, tree::ValueKind>> = LazyLock::new(|| tree::names().collect());

/// The laws of a tree: spans in their buffer and inside their parent's, children one deeper than their
/// parent, every octet under a leaf, values as [`tree::names`] says.
fn assert_tree(tree: &Tree) {
    let mut parents: Vec<&tree::Node> = Vec::new();
    for node in &tree.nodes {
        let buffer = tree.buffers.get(usize::from(node.buffer)).map_or(0, |buffer| buffer.octets.len());
        assert!(node.span.start <= node.span.end && node.span.end as usize <= buffer, "{node:?} of {buffer}");
        assert!(usize::from(node.depth) <= parents.len(), "{node:?} has no parent");
        parents.truncate(node.depth.into());
        if let Some(parent) = parents.last() {
            let inside = parent.span.start <= node.span.start && node.span.end <= parent.span.end;
            assert!(parent.buffer == node.buffer && inside, "{node:?} is not inside {parent:?}");
        }
        parents.push(node);
        let kind = KINDS.get(node.name);
        assert!(kind.is_none_or(|kind| kind.admits(&node.value)), "{node:?} is not {kind:?}");
    }
    if let Some((buffer, octet)) = tree.uncovered().next() {
        panic!("octet {octet} of buffer {buffer} is under no leaf: {:#?}", tree.nodes);
    }
}

fn ipv4(octets: &[u8]) {
    let Some(header) = located(octets, Ipv4::parse(octets)) else { return };
    assert_eq!(header.payload.end.saturating_add(header.missing), usize::from(header.total_len));
    if header.protocol == ipv6::UDP {
        udp(slice(octets, &header.payload));
    }
}

fn udp(octets: &[u8]) {
    let Some(header) = located(octets, Udp::parse(octets)) else { return };
    assert_eq!(header.payload, udp::HEADER_LEN..usize::from(header.length));
    coap(slice(octets, &header.payload));
}

fn icmpv6(octets: &[u8]) {
    let Some(header) = located(octets, Icmpv6::parse(octets)) else { return };
    let body = slice(octets, &header.body);
    match header.kind {
        icmpv6::ROUTER_ADVERTISEMENT => drop(located(body, icmpv6::context_options(body))),
        icmpv6::RPL_CONTROL => drop(located(body, Rpl::parse(header.code, body))),
        _ => {}
    }
}

/// Returns the value of a result, or `None` for an error, which must point into the octets or at their end.
fn located<T>(octets: &[u8], result: Result<T, Error>) -> Option<T> {
    result.inspect_err(|error| assert!(error.at <= octets.len(), "{error} is past the end")).ok()
}

fn slice<'a>(octets: &'a [u8], span: &ByteRange) -> &'a [u8] {
    let slice = octets.get(span.clone());
    assert!(slice.is_some(), "{span:?} is not in 0..{}", octets.len());
    slice.unwrap_or_default()
}

/// Spans lie in `octets`, in order, without overlap; returns where the last ends.
fn assert_ordered<'a>(octets: &[u8], spans: impl IntoIterator<Item = &'a ByteRange>) -> usize {
    spans.into_iter().fold(0, |end, span| {
        assert!(end <= span.start, "{span:?} begins before {end}");
        slice(octets, span);
        span.end
    })
}

/// Spans are ordered and leave no gap behind `start`; returns where the last ends.
fn assert_tiled<'a>(octets: &[u8], start: usize, spans: impl IntoIterator<Item = &'a ByteRange>) -> usize {
    spans.into_iter().fold(start, |end, span| {
        assert_eq!(end, span.start, "gap or overlap");
        slice(octets, span);
        span.end
    })
}
