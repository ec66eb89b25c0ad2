//! Conditions of a capture besides the timers of its clients: load, routes and losses.

use super::{Opened, window};
use crate::view::{ClientConditions, ConditionsView, LinkConditions};
use base::{AssociationId, Cancelled, Instant, Progress, Span};
use replay::Fate;
use std::collections::BTreeMap;
use std::net::Ipv6Addr;
use trace::network::{Network, NodeId};
use trace::{Association, Workload};

impl Opened {
    /// Returns the conditions of the capture besides the timers: length, clients, links.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` breaks.
    pub(crate) fn conditions(&self, progress: &mut dyn Progress) -> Result<ConditionsView, Cancelled> {
        let network = self.network(progress)?;
        let (start, end) = window(&self.trace.capture);
        let mut clients: BTreeMap<(Ipv6Addr, Ipv6Addr), ClientConditions> = BTreeMap::new();
        for association in &self.trace.associations {
            let own = self.client(association, network, end);
            // A client that takes a new port goes on as the same client.
            match clients.get_mut(&(association.client.addr, association.server.addr)) {
                Some(known) => {
                    known.exchanges += own.exchanges;
                    known.first_copies += own.first_copies;
                    known.answered += own.answered;
                }
                None => {
                    clients.insert((association.client.addr, association.server.addr), own);
                }
            }
        }
        let name = |at: NodeId| network.nodes.get(at).map(|node| node.name.clone()).unwrap_or_default();
        let links = network.links.iter().filter(|link| link.acked.trials > 0).map(|link| LinkConditions {
            from: name(link.from),
            to: name(link.to),
            frames: count(link.acked.trials),
            acknowledged: count(link.acked.hits),
        });
        Ok(ConditionsView {
            seconds: (end - start).secs_f64(),
            clients: clients.into_values().collect(),
            links: links.collect(),
        })
    }

    fn client(&self, association: &Association, network: &Network, end: Instant) -> ClientConditions {
        let record = self.replay.record();
        let exchanges = || {
            let own = record.associations().iter().filter(|own| own.id == association.id);
            own.flat_map(|own| &own.exchanges)
        };
        let fates = || exchanges().filter_map(|exchange| exchange.copies.first()).map(|copy| copy.fate);
        ClientConditions {
            client: address(association.client.addr),
            server: address(association.server.addr),
            name: association.client_name.clone(),
            exchanges: count(exchanges().count() as u64),
            waits: association.workload == Workload::ThinkTime,
            first_copies: count(fates().filter(|fate| fate.is_known()).count() as u64),
            answered: count(fates().filter(|fate| matches!(fate, Fate::Answered { .. })).count() as u64),
            hops: association.hops.map(u32::from),
            parent: parent(network, association.id, end),
        }
    }
}

/// Returns the name of the RPL parent that the client of an association had for longest; `None` where none was seen.
fn parent(network: &Network, association: AssociationId, end: Instant) -> Option<String> {
    let node = network.nodes.iter().find(|node| node.client_of.contains(&association))?;
    let until = node.parents.iter().skip(1).map(|next| next.at).chain([end]);
    let mut held: BTreeMap<NodeId, Span> = BTreeMap::new();
    for (parent, until) in node.parents.iter().zip(until) {
        *held.entry(parent.node).or_default() += until - parent.at;
    }
    let (longest, _) = held.into_iter().max_by_key(|&(node, span)| (span, std::cmp::Reverse(node)))?;
    Some(network.nodes.get(longest)?.name.clone())
}

fn address(address: Ipv6Addr) -> String {
    address.to_ipv4_mapped().map_or_else(|| address.to_string(), |v4| v4.to_string())
}

fn count(n: u64) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
