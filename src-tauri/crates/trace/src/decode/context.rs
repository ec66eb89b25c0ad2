//! 6LoWPAN contexts: given by the user, announced by routers, or learned from RPL.
//!
//! A 6LoWPAN Context Option in a router advertisement says it (RFC 6775 §4.2). RPL networks of
//! Contiki announce none: there, context 0 is the prefix that DIO messages carry in their Prefix
//! Information Option (RFC 6550 §6.7.10).

use super::keyring::Keyring;
use super::lowpan::LowpanView;
use super::options::DecodeOptions;
use crate::model::{Capture, Fcs, Link};
use base::{Cancelled, FrameId, Layer, Notes, SharedProgress};
use std::net::Ipv6Addr;
use wire::icmpv6::{self, Icmpv6};
use wire::ieee802154::FrameType;
use wire::ipv6::{ICMPV6, UDP};
use wire::lowpan::{ContextTable, Prefix};
use wire::rpl::Rpl;
use wire::{Ipv6, MacHeader};

/// Origin of a 6LoWPAN context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ContextOrigin {
    /// Given by the user.
    Given,
    /// Announced in a router advertisement (RFC 6775 §4.2).
    Announced,
    /// Taken to be the prefix that RPL announces.
    Rpl,
}

/// Returns the 6LoWPAN contexts of a capture, and number and origin of each that this capture or the user says, by
/// number. In order of precedence: given by `options`, announced in this capture, learned from an earlier part of it.
/// The prefix that RPL announces becomes context 0 where neither of the latter two is known.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks.
pub(crate) fn learn(
    capture: &Capture,
    options: &DecodeOptions,
    keyring: &Keyring,
    notes: &mut Notes,
    progress: &SharedProgress<'_>,
) -> Result<(ContextTable, Vec<(u8, ContextOrigin)>), Cancelled> {
    let mut table = with(ContextTable::EMPTY, &options.learned.contexts);
    let mut origins = [None; 16];
    let mut know = |id: u8, origin| {
        if let Some(slot) = origins.get_mut(usize::from(id)) {
            *slot = Some(origin);
        }
    };
    let mut announced = false;
    for (index, frame) in capture.frames.iter().enumerate() {
        progress.item(index)?;
        if frame.link != Link::Ieee802154 || frame.fcs == Fcs::Bad {
            continue;
        }
        match announcement(capture.octets_of(frame), keyring) {
            Some(Announcement::Context(id, prefix)) => {
                table = table.with(id, prefix);
                know(id, ContextOrigin::Announced);
                announced = true;
            }
            Some(Announcement::Prefix(prefix)) if !announced && table.0.first() == Some(&None) => {
                table = table.with(0, prefix);
                know(0, ContextOrigin::Rpl);
                notes.remark(Layer::Lowpan, "context-learned", Some(FrameId::at(index)), None, || {
                    format!("context 0 is taken to be {prefix}, the prefix that RPL announces")
                });
                // RPL networks announce one prefix; explicit contexts would have come with it.
                break;
            }
            _ => {}
        }
    }
    table = with(table, &options.contexts);
    for &(id, ..) in &options.contexts {
        know(id, ContextOrigin::Given);
    }
    Ok((table, (0..).zip(origins).filter_map(|(id, origin)| Some((id, origin?))).collect()))
}

/// The contexts of `table`, and `others` in place of those with the same number.
fn with(table: ContextTable, others: &[(u8, Ipv6Addr, u8)]) -> ContextTable {
    let prefix = |address: Ipv6Addr, len| Prefix { octets: address.octets(), len };
    others.iter().fold(table, |table, &(id, address, len)| table.with(id, prefix(address, len)))
}

enum Announcement {
    Context(u8, Prefix),
    Prefix(Prefix),
}

fn announcement(octets: &[u8], keyring: &Keyring) -> Option<Announcement> {
    // Most frames are none, and of those that are data most carry UDP.
    if FrameType::of(*octets.first()?) != FrameType::Data {
        return None;
    }
    let header = MacHeader::parse(octets).ok()?;
    announced(&header, &keyring.payload(octets, &header).ok()?)
}

fn announced(header: &MacHeader, payload: &[u8]) -> Option<Announcement> {
    if is_iphc_of_udp(payload) {
        return None;
    }
    let lowpan = LowpanView::parse(payload, (header.src, header.dst)).ok()?;
    if lowpan.headers.frag.is_some() {
        return None;
    }
    let datagram = lowpan.datagram(&ContextTable::EMPTY).ok()?;
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

/// Returns whether a payload is a datagram in IPHC that carries UDP and nothing else, told from its first octets (RFC
/// 6282 §3.1.1, §4.1): most of what is on the air is, and announces nothing.
fn is_iphc_of_udp(payload: &[u8]) -> bool {
    let &[first, second, ..] = payload else { return false };
    if first >> 5 != 0b011 {
        return false;
    }
    let inline = |lengths: [usize; 4], mode: u8| lengths[usize::from(mode & 3)];
    let contexts = usize::from(second >> 7);
    let traffic = inline([4, 3, 1, 0], first >> 3);
    let next = 2 + contexts + traffic;
    if first & 4 == 0 {
        return payload.get(next) == Some(&UDP);
    }
    let hop_limit = inline([1, 0, 0, 0], first);
    let src = inline(if second & 0x40 == 0 { [16, 8, 2, 0] } else { [0, 8, 2, 0] }, second >> 4);
    let dst = match (second & 8 != 0, second & 4 != 0) {
        (false, _) => inline([16, 8, 2, 0], second),
        (true, false) => inline([16, 6, 4, 1], second),
        (true, true) => 6,
    };
    // A compressed UDP header.
    payload.get(next + hop_limit + src + dst).is_some_and(|&next| next >> 3 == 0b11110)
}
