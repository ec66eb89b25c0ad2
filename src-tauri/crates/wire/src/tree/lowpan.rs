//! Nodes of 6LoWPAN headers.

mod iphc;
mod route;

use super::builder::TreeBuilder;
use super::{Part, Tree, Value};
use crate::ip::lowpan::{self, ContextSource, Dispatch, Frag, Mesh, Rfrag};
use crate::{Error, MacAddr};
use base::Severity;

/// Outcome of writing the 6LoWPAN headers of one frame: the datagram, or the fragment of one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LowpanLayer {
    /// Uncompressed datagram, octets from its IPv6 header on; `None` unless all of it is in this frame.
    pub datagram: Option<Vec<u8>>,
    /// Fragment that the frame holds: link-layer source and destination of the datagram, and the fragment header;
    /// `None` where it holds none.
    pub fragment: Option<(MacAddr, MacAddr, Frag)>,
    /// Recoverable fragment (RFC 8931) that the frame holds; `None` where it holds none.
    pub recoverable: Option<Rfrag>,
}

/// Writes a MAC payload. `src` and `dst` are the frame's addresses.
pub fn lowpan(
    tree: &mut Tree,
    part: Part<'_>,
    src: MacAddr,
    dst: MacAddr,
    contexts: &dyn ContextSource,
) -> LowpanLayer {
    let (headers, error) = lowpan::parse_partly(part.octets);
    if error.is_none() && headers.dispatch == Dispatch::NotLowpan {
        TreeBuilder::protocol(tree, part, "data", "Not 6LoWPAN", None).rest("data.data", "Data");
        return LowpanLayer::default();
    }
    let (src, dst) = headers.endpoints(src, dst);
    let rest = part.octets.get(headers.rest.clone()).unwrap_or_default();
    let fragment = headers.frag.clone().filter(|_| error.is_none()).map(|frag| (src, dst, frag));
    let total = headers.frag.as_ref().map(|frag| usize::from(frag.size));
    let is_compressed = matches!(headers.dispatch, Dispatch::Iphc | Dispatch::Hc1 | Dispatch::Ipv6Uncompressed);
    let rebuilt = (error.is_none() && is_compressed).then(|| lowpan::decompress(rest, src, dst, contexts, total));
    let inner = match &rebuilt {
        Some(Err(error)) => Some(error.shifted(headers.rest.start)),
        _ => None,
    };
    let error = error.or(inner);

    let mut builder = TreeBuilder::protocol(tree, part, "6lowpan", "6LoWPAN", error.as_ref());
    let mut routing = headers.routing.iter().peekable();
    while builder.pos() < headers.rest.start.max(error.map_or(0, |error: Error| error.at)) && builder.left() > 0 {
        let at = builder.pos();
        if let Some(header) = routing.next_if(|header| header.span.start == at) {
            route::lorh(&mut builder, header);
            continue;
        }
        match (&headers.mesh, &headers.frag, builder.peek(1)) {
            (Some(mesh), _, _) if mesh.span.start == at => mesh_header(&mut builder, mesh),
            (_, Some(frag), _) if frag.span.start == at => frag_header(&mut builder, frag),
            _ if headers.rfrag.as_ref().is_some_and(|frag| frag.span.start == at) => {
                headers.rfrag.iter().for_each(|frag| route::rfrag(&mut builder, frag));
            }
            _ if headers.rfrag_ack.as_ref().is_some_and(|ack| ack.span.start == at) => {
                headers.rfrag_ack.iter().for_each(|ack| route::rfrag_ack(&mut builder, ack));
            }
            (_, _, [page @ 0xf0..=0xff]) => {
                let page = page & 0xf;
                builder.field(1, "6lowpan.pagenb", |_| (Value::Uint(page.into()), format!("Page: {page}")));
            }
            (_, _, [0x50]) => builder.group(
                2,
                "6lowpan.bc0",
                |_| (Value::None, "Broadcast header".to_owned()),
                |builder| {
                    builder.hex(1, "6lowpan.pattern", "Dispatch");
                    builder.uint(1, "6lowpan.bcast.seqnum", "Sequence Number");
                },
            ),
            _ => break,
        }
    }
    let rebuilt = rebuilt.and_then(Result::ok);
    if is_compressed {
        iphc::datagram_headers(&mut builder, headers.dispatch, rebuilt.as_ref());
    }
    if error.is_some() {
        builder.close(error.as_ref());
        return LowpanLayer { datagram: None, fragment, recoverable: None };
    }
    match &rebuilt {
        Some(_) => builder.rest("6lowpan.payload", "Payload"),
        None => opaque(&mut builder, headers.dispatch),
    }
    let datagram = rebuilt.filter(|_| fragment.is_none()).map(|rebuilt| {
        let mut octets = rebuilt.header;
        octets.extend_from_slice(rest.get(rebuilt.consumed..).unwrap_or_default());
        octets
    });
    LowpanLayer { datagram, fragment, recoverable: headers.rfrag }
}

/// Writes the octets behind the headers of a frame without an uncompressed datagram: a fragment, or a dispatch that is
/// not decoded.
fn opaque(builder: &mut TreeBuilder<'_, '_>, dispatch: Dispatch) {
    match dispatch {
        Dispatch::FragN { .. } | Dispatch::Rfrag | Dispatch::RfragAck => builder.rest("6lowpan.payload", "Fragment"),
        other => {
            builder.rest("data", "Octets");
            builder.find(Severity::Remark, format!("6LoWPAN dispatch {other:?} is not decoded"));
        }
    }
}

/// Writes a mesh addressing header, RFC 4944 §5.2.
fn mesh_header(builder: &mut TreeBuilder<'_, '_>, mesh: &Mesh) {
    let label = format!("Mesh header, {} → {}", mesh.originator, mesh.final_dst);
    builder.group(
        mesh.span.len(),
        "6lowpan.mesh",
        |_| (Value::None, label),
        |builder| {
            let deep = builder.peek(1).first().is_some_and(|octet| octet & 0xf == 0xf);
            builder.word(
                1,
                "6lowpan.mesh.flags",
                |word| format!("Dispatch and flags: 0x{word:02x}"),
                |builder| {
                    builder.flag(5, "6lowpan.mesh.v", "V: originator address is short");
                    builder.flag(4, "6lowpan.mesh.f", "F: final address is short");
                    builder.bits(0, 4, "6lowpan.mesh.hops", |bits| format!("Hops left: {bits}"));
                },
            );
            if deep {
                builder.uint(1, "6lowpan.mesh.hops8", "Deep hops left");
            }
            let mut address = |address, short, extended, title: &str| {
                let label = format!("{title}: {address}");
                match address {
                    MacAddr::None => {}
                    MacAddr::Short(value) => builder.field(2, short, |_| (Value::Addr16(value), label)),
                    MacAddr::Extended(value) => builder.field(8, extended, |_| (Value::Addr64(value), label)),
                }
            };
            address(mesh.originator, "6lowpan.mesh.orig16", "6lowpan.mesh.orig64", "Originator");
            address(mesh.final_dst, "6lowpan.mesh.dest16", "6lowpan.mesh.dest64", "Destination");
        },
    );
}

/// Writes a fragmentation header, RFC 4944 §5.3.
fn frag_header(builder: &mut TreeBuilder<'_, '_>, frag: &Frag) {
    let which = if frag.first { "First fragment" } else { "Fragment" };
    let label = format!("{which}, tag 0x{:04x}, {} octets in all", frag.tag, frag.size);
    builder.group(
        frag.span.len(),
        "6lowpan.frag",
        |_| (Value::None, label),
        |builder| {
            builder.word(
                2,
                "6lowpan.frag.head",
                |word| format!("Dispatch and size: 0x{word:04x}"),
                |builder| {
                    builder.bits(11, 5, "6lowpan.pattern", |bits| format!("Pattern: 0x{bits:02x}"));
                    builder.bits(0, 11, "6lowpan.frag.size", |bits| format!("Datagram size: {bits}"));
                },
            );
            builder.hex(2, "6lowpan.frag.tag", "Datagram tag");
            if !frag.first {
                let octets = frag.offset;
                builder.field(1, "6lowpan.frag.offset", |_| {
                    (Value::Uint(octets as u64), format!("Datagram offset: {octets} octets"))
                });
            }
        },
    );
}
