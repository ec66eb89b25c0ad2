//! The nodes of a ladder, in the order of the path.

use crate::model::names::name_of_mac;
use crate::model::{Association, Hop, Message};
use serde::{Deserialize, Serialize};
use wire::MacAddr;

/// Role of a node in an exchange.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "LadderRole"))]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Sends the request, and gets the answer.
    Client,
    /// Forwards on the path that the exchange took.
    Router,
    /// Was sent to or forwarded beside the path that the exchange took: after a change of routes, or in a detour.
    Beside,
    /// Gets the request, and answers it.
    Server,
}

/// A node that carried the exchange.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// Name for people: `mote 3`, else its address.
    pub name: String,
    /// Link-layer address; [`MacAddr::None`] off 802.15.4, and where it was not seen.
    pub address: MacAddr,
    /// Role in the exchange.
    pub role: Role,
    /// True where the capture shows frames from it or to it. A client or server that was not seen stands in the ladder
    /// all the same, and nothing leads to it.
    pub seen: bool,
}

/// The nodes of a ladder, client first and server last.
pub(super) struct Nodes {
    list: Vec<Node>,
}

impl Nodes {
    /// Finds the nodes of an exchange with these messages.
    pub fn of(association: &Association, copies: &[&Message], replies: &[&Message]) -> Self {
        let all = || copies.iter().chain(replies);
        let wired = all().flat_map(|message| message.hops()).all(|hop| hop.src() == MacAddr::None);
        let origin = |messages: &[&Message]| {
            messages.iter().filter(|m| m.from_origin).find_map(|m| Some(m.hops().next()?.src())).filter(is_address)
        };
        let target = |messages: &[&Message]| {
            let last = |m: &&Message| m.hops().find(Hop::reaches).map(|hop| hop.dst());
            messages.iter().find_map(last).filter(is_address)
        };
        let client = origin(copies).or_else(|| target(replies));
        let server = origin(replies).or_else(|| target(copies)).filter(|server| client != Some(*server));
        let (order, path) = in_order(copies, replies);
        let between = order.into_iter().filter(|&node| Some(node) != client && Some(node) != server);
        let router = |address: MacAddr| Node {
            name: name_of_mac(address),
            address,
            role: if path.contains(&address) { Role::Router } else { Role::Beside },
            seen: true,
        };
        let end = |name: &str, address: Option<MacAddr>, role: Role| Node {
            name: name.to_owned(),
            address: address.unwrap_or_default(),
            role,
            seen: wired || address.is_some(),
        };
        let mut list = vec![end(&association.client_name, client, Role::Client)];
        list.extend(between.map(router));
        list.push(end(&association.server_name, server, Role::Server));
        Self { list }
    }

    /// Returns the positions of sending and addressed node of a hop. Off 802.15.4 they are the ends of the association,
    /// by `request`.
    pub fn ends(&self, hop: &Hop<'_>, request: bool) -> (usize, usize) {
        let (client, server) = (0, self.server());
        let at = |address: MacAddr| self.list.iter().position(|n| n.address == address && is_address(&address));
        let (from, to) = if request { (client, server) } else { (server, client) };
        (at(hop.src()).unwrap_or(from), at(hop.dst()).unwrap_or(to))
    }

    /// Returns the position of the server.
    pub fn server(&self) -> usize {
        self.list.len().saturating_sub(1)
    }

    /// Returns the nodes in their order.
    pub fn into_list(self) -> Vec<Node> {
        self.list
    }
}

fn is_address(address: &MacAddr) -> bool {
    *address != MacAddr::None
}

/// Returns the nodes in order from the client to the server, and those of them on the path that the exchange took: that
/// of the first copy that reached the server, else the longest one seen.
fn in_order(copies: &[&Message], replies: &[&Message]) -> (Vec<MacAddr>, Vec<MacAddr>) {
    // Each message as the chains of its hops, from the client's side to the server's.
    let mut chains: Vec<(bool, Vec<MacAddr>)> = Vec::new();
    for (messages, request) in [(copies, true), (replies, false)] {
        for message in messages {
            let mut chain: Vec<MacAddr> = Vec::new();
            for hop in message.hops() {
                after(&mut chain, hop.src(), hop.dst());
            }
            if !request {
                chain.reverse();
            }
            chains.push((message.from_origin && message.hops().any(|hop| hop.reaches()), chain));
        }
    }
    // The first that is whole, else the longest; the first of equals.
    let best = chains.iter().rev().max_by_key(|(whole, chain)| (*whole, if *whole { 0 } else { chain.len() }));
    let Some((whole, primary)) = best.cloned() else { return (Vec::new(), Vec::new()) };
    let mut order = primary.clone();
    for (_, chain) in &chains {
        for (index, &node) in chain.iter().enumerate().filter(|&(_, node)| !primary.contains(node)) {
            if order.contains(&node) {
                continue;
            }
            let before = index.checked_sub(1).and_then(|i| chain.get(i)).and_then(|n| position(&order, *n));
            let next = chain.iter().skip(index + 1).find_map(|n| position(&order, *n));
            let at = before.map(|at| at + 1).or(next).unwrap_or(order.len());
            order.insert(at, node);
        }
    }
    // Any node may be on a path that was seen only in part.
    let path = if whole { primary } else { order.clone() };
    (order, path)
}

fn position(order: &[MacAddr], node: MacAddr) -> Option<usize> {
    order.iter().position(|&other| other == node)
}

/// Puts the two nodes of a hop into a chain: the second behind the first.
fn after(chain: &mut Vec<MacAddr>, src: MacAddr, dst: MacAddr) {
    for address in [src, dst].into_iter().filter(is_address) {
        if position(chain, address).is_none() {
            let at = if address == dst { position(chain, src).map(|at| at + 1) } else { None };
            chain.insert(at.unwrap_or(chain.len()), address);
        }
    }
}
