//! 6LoWPAN contexts: given by the user, announced by routers, or learned from RPL.
//!
//! A 6LoWPAN Context Option in a router advertisement says it (RFC 6775 §4.2). RPL networks of
//! Contiki announce none: there, context 0 is the prefix that DIO messages carry in their Prefix
//! Information Option (RFC 6550 §6.7.10).

use crate::datagram::DecodeOptions;
use crate::link::LinkView;
use crate::{Capture, Link};
use base::{FrameId, Layer, Notes};
use wire::icmpv6::{self, Icmpv6};
use wire::ieee802154::FrameType;
use wire::ipv6::ICMPV6;
use wire::lowpan::{self, ContextTable, Prefix};
use wire::rpl::Rpl;
use wire::{Ipv6, MacHeader};

/// The contexts in force for a capture.
pub(crate) fn learn(capture: &Capture, links: &LinkView, options: &DecodeOptions, notes: &mut Notes) -> ContextTable {
    let mut table = ContextTable::EMPTY;
    let mut announced = false;
    for (index, frame) in capture.frames.iter().enumerate() {
        if frame.link != Link::Ieee802154 {
            continue;
        }
        let Some(Some(header)) = links.headers.get(index) else { continue };
        match announcement(header, capture.octets_of(frame)) {
            Some(Announcement::Context(id, prefix)) => {
                table = table.with(id, prefix);
                announced = true;
            }
            Some(Announcement::Prefix(prefix)) if !announced && table.0.first() == Some(&None) => {
                table = table.with(0, prefix);
                notes.remark(Layer::Lowpan, "context-learned", Some(FrameId::at(index)), None, || {
                    format!("context 0 is taken to be {prefix}, the prefix that RPL announces")
                });
                // RPL networks announce one prefix; explicit contexts would have come with it.
                break;
            }
            _ => {}
        }
    }
    for &(id, address, len) in &options.contexts {
        table = table.with(id, Prefix { octets: address.octets(), len });
    }
    table
}

enum Announcement {
    Context(u8, Prefix),
    Prefix(Prefix),
}

fn announcement(header: &MacHeader, octets: &[u8]) -> Option<Announcement> {
    if header.frame_type != FrameType::Data || header.is_encrypted() {
        return None;
    }
    let payload = octets.get(header.payload.clone())?;
    let lowpan = lowpan::parse(payload).ok()?;
    if lowpan.frag.is_some() {
        return None;
    }
    let rest = payload.get(lowpan.rest.clone())?;
    let (src, dst) = lowpan.endpoints(header.src, header.dst);
    let decompressed = lowpan::decompress(rest, src, dst, &ContextTable::EMPTY, None).ok()?;
    let mut datagram = decompressed.header;
    datagram.extend_from_slice(rest.get(decompressed.consumed..)?);
    let ipv6 = Ipv6::parse(&datagram).ok()?;
    if ipv6.upper != ICMPV6 {
        return None;
    }
    let octets = datagram.get(ipv6.payload.clone())?;
    let icmp = Icmpv6::parse(octets).ok()?;
    let body = octets.get(icmp.body.clone())?;
    match icmp.kind {
        icmpv6::ROUTER_ADVERTISEMENT => {
            let option = icmpv6::context_options(body).ok()?.into_iter().find(|c| c.lifetime_min > 0)?;
            Some(Announcement::Context(option.id, option.prefix))
        }
        icmpv6::RPL_CONTROL => match Rpl::parse(icmp.code, body).ok()? {
            Rpl::Dio(dio) => dio.prefixes.first().map(|p| Announcement::Prefix(p.prefix)),
            _ => None,
        },
        _ => None,
    }
}
