//! RPL (RFC 6550): ranks, parents, the root.

use super::nodes::{Carried, Nodes};
use super::traffic::Traffic;
use super::{NodeId, Parent, ParentEvidence};
use crate::analysis::Trace;
use crate::packet::Rpl;
use crate::packet::{Packet, Places};
use base::{Cancelled, FrameId, Instant, SharedProgress};
use std::net::Ipv6Addr;
use wire::rpl::{Dao, Dio};

/// Rank of a node without a route (RFC 6550 §17, INFINITE_RANK).
const INFINITE: u16 = 0xffff;

/// Hop limits that datagrams begin with: 64 by default (RFC 1700, "IP time to live"), 255 in neighbour discovery (RFC
/// 4861 §4) and with RPL's own messages in many stacks. The sender of a frame with one is the source of its datagram.
const FIRST_HOP_LIMITS: [u8; 2] = [64, 255];

/// Statement of one datagram about a node's parent.
struct Claim {
    at: Instant,
    child: NodeId,
    parent: NodeId,
    by: ParentEvidence,
    /// True where the child itself sent the frame; else the datagram was on its way.
    own: bool,
}

/// Facts that RPL messages state.
#[derive(Default)]
pub(super) struct RplFacts {
    /// Mode of operation, a code, of the first DIO (RFC 6550 §6.3.1).
    pub mode_of_operation: Option<u8>,
    claims: Vec<Claim>,
}

/// A datagram on one hop: start of its frame, transmitting and addressed node, IPv6 source.
struct Sight {
    at: Instant,
    from: NodeId,
    to: Option<NodeId>,
    src: Ipv6Addr,
}

/// Reads the datagrams that are not CoAP: addresses, DIO and DAO. Fragmented ones are passed over; RPL messages usually
/// fit into a frame. In `progress` it is a stage of `units`.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks.
pub(super) fn listen(
    trace: &Trace,
    places: &Places,
    traffic: &Traffic,
    nodes: &mut Nodes,
    (progress, units): (&mut SharedProgress<'_>, u64),
) -> Result<RplFacts, Cancelled> {
    let mut facts = RplFacts::default();
    let is_other = |id: FrameId| places.of_frame(trace, id).is_none();
    progress.list(units, traffic.frames.len())?;
    for (index, sent) in traffic.frames.iter().enumerate() {
        progress.item(index)?;
        if !sent.is_data || !is_other(sent.frame) {
            continue;
        }
        let Some(from) = nodes.of(sent.from) else { continue };
        let packet = Packet::read(trace, places, sent.frame);
        let Some(ip) = packet.ip else { continue };
        let is_first = ip.src.is_unicast_link_local() || FIRST_HOP_LIMITS.contains(&ip.hop_limit);
        nodes.learn(ip.src, is_first.then_some(from));
        let at = trace.capture.frames.get(sent.frame.index()).map_or(Instant::ZERO, |frame| frame.at);
        let sight = Sight { at, from, to: nodes.of(sent.to), src: ip.src };
        match packet.icmpv6.and_then(|icmp| icmp.rpl) {
            Some(Rpl::Dio(dio)) => facts.dio(&dio, &sight, nodes),
            Some(Rpl::Dao(dao)) => facts.dao(&dao, &sight, nodes),
            _ => {}
        }
    }
    Ok(facts)
}

impl RplFacts {
    fn dio(&mut self, dio: &Dio, sight: &Sight, nodes: &mut Nodes) {
        self.mode_of_operation.get_or_insert(dio.mode_of_operation);
        for prefix in dio.prefixes.iter().filter(|prefix| prefix.router_address) {
            nodes.learn(Ipv6Addr::from(prefix.prefix.octets), Some(sight.from));
        }
        let rank = Some(dio.rank).filter(|&rank| rank != INFINITE);
        if let Some(node) = nodes.list.get_mut(sight.from)
            && node.ranks.last().is_none_or(|&(_, last)| last != rank)
        {
            node.ranks.push((sight.at, rank));
        }
        if let Some(root) = nodes.owner(Ipv6Addr::from(dio.dodag_id)).filter(|root| !nodes.roots.contains(root)) {
            nodes.roots.push(root);
        }
    }

    fn dao(&mut self, dao: &Dao, sight: &Sight, nodes: &Nodes) {
        let mut is_withdrawn = false;
        let mut names_parent = false;
        for transit in &dao.transits {
            is_withdrawn |= transit.path_lifetime == 0;
            let Some(parent) = transit.parent else { continue };
            names_parent = true;
            let (from, to) = transit.targets;
            for target in dao.targets.get(from..to).unwrap_or_default().iter().filter(|t| t.len == 128) {
                let child = nodes.owner(Ipv6Addr::from(target.octets));
                let parent = nodes.owner(Ipv6Addr::from(parent));
                if let (Some(child), Some(parent)) = (child, parent)
                    && transit.path_lifetime > 0
                {
                    let by = ParentEvidence::Transit;
                    self.claims.push(Claim { at: sight.at, child, parent, by, own: child == sight.from });
                }
            }
        }
        // In storing mode DAOs name no parent: a node sends them to its own, those of its children included (RFC 6550
        // §9.2), and one of lifetime 0 to the parent it had.
        if let (false, false, Some(parent)) = (names_parent, is_withdrawn, sight.to) {
            let own = nodes.owner(sight.src) == Some(sight.from);
            self.claims.push(Claim { at: sight.at, child: sight.from, parent, by: ParentEvidence::DaoReceiver, own });
        }
    }
}

/// Sets the parents of every node, by the best evidence that there is for it; changes only.
pub(super) fn settle(facts: &RplFacts, hops: &[Carried], trace: &Trace, nodes: &mut Nodes) {
    let root = match nodes.roots[..] {
        [root] => Some(root),
        _ => None,
    };
    let upward = hops.iter().filter_map(|hop| {
        let message = trace.messages.get(hop.message.index())?;
        (root.is_some() && nodes.owner(message.dst().addr) == root && Some(hop.from) != root && !hop.wired)
            .then_some(Claim { at: hop.at, child: hop.from, parent: hop.to, by: ParentEvidence::Traffic, own: true })
    });
    let mut all: Vec<Claim> = upward.collect();
    all.extend(facts.claims.iter().map(|claim| Claim { ..*claim }));
    all.sort_by_key(|claim| (claim.child, claim.at));
    for claims in all.chunk_by(|a, b| a.child == b.child) {
        let best = claims.iter().map(|claim| (claim.by, claim.own)).max();
        let Some((child, (by, own))) = claims.first().map(|claim| claim.child).zip(best) else { continue };
        let Some(node) = nodes.list.get_mut(child) else { continue };
        node.parents_by = Some(by);
        for claim in claims.iter().filter(|claim| (claim.by, claim.own) == (by, own) && claim.parent != child) {
            if node.parents.last().is_none_or(|last| last.node != claim.parent) {
                node.parents.push(Parent { at: claim.at, node: claim.parent });
            }
        }
    }
}
