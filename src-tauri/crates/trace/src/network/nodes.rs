//! Nodes: link-layer addresses of one node brought together, and the IPv6 addresses that are its own.

use super::{NOWHERE, Node, NodeId, Role};
use crate::analysis::Trace;
use crate::lookup::Map;
use crate::model::Endpoint;
use crate::model::names::{known_name, mote_name, mote_of_mac, name_of_address, name_of_endpoint};
use base::{AssociationId, Instant, MessageId, Span};
use std::net::Ipv6Addr;
use wire::ieee802154::MacAddr;

/// A link-layer address of a node.
struct Station {
    mac: MacAddr,
    mote: Option<u32>,
    /// True where it sent a frame.
    heard: bool,
    /// The station that this one is another address of.
    same: Option<u32>,
}

/// Link-layer addresses, numbered by first appearance.
#[derive(Default)]
pub(super) struct Stations {
    /// Short addresses count within their PAN; extended ones everywhere.
    numbers: Map<(Option<u16>, MacAddr), u32>,
    list: Vec<Station>,
}

impl Stations {
    /// Returns the number of an address; [`NOWHERE`] for none and for the broadcast address.
    pub fn number(&mut self, pan: Option<u16>, mac: MacAddr) -> u32 {
        let key = match mac {
            MacAddr::None | MacAddr::BROADCAST => return NOWHERE,
            MacAddr::Short(_) => (pan, mac),
            MacAddr::Extended(_) => (None, mac),
        };
        *self.numbers.entry(key).or_insert_with(|| {
            self.list.push(Station { mac, mote: None, heard: false, same: None });
            // At most two for each frame, which are numbered with 32 bits.
            (self.list.len() - 1) as u32
        })
    }

    /// Notes that station `number` sent a frame; `mote` is its sender by a simulator's log.
    pub fn heard(&mut self, number: u32, mote: Option<u32>) {
        if let Some(station) = self.list.get_mut(number as usize) {
            station.heard = true;
            station.mote = station.mote.or(mote);
        }
    }

    /// Returns whether a station is a short address whose extended one is not known yet.
    pub fn is_alone(&self, number: u32) -> bool {
        self.list.get(number as usize).is_some_and(|s| s.same.is_none() && matches!(s.mac, MacAddr::Short(_)))
    }

    /// Notes that a short and an extended address, by their numbers, are of one node.
    pub fn join(&mut self, short: u32, extended: u32) {
        if let Some(station) = self.list.get_mut(short as usize).filter(|_| short != extended) {
            station.same = Some(extended);
        }
    }

    /// Makes one node of the addresses that belong together.
    pub fn into_nodes(self, trace: &Trace) -> Nodes {
        let mut nodes = Nodes { of_station: vec![0; self.list.len()], ..Nodes::default() };
        // Short addresses point to extended ones, which point to none.
        for (number, station) in (0..).zip(&self.list).filter(|(_, station)| station.same.is_none()) {
            let id = nodes.add(blank(station.mote.or_else(|| mote_of_mac(station.mac).map(u32::from)), !station.heard));
            nodes.assign(number, id, station.mac);
        }
        for (number, station) in (0..).zip(&self.list) {
            let Some(&id) = station.same.and_then(|same| nodes.of_station.get(same as usize)) else { continue };
            nodes.assign(number, id, station.mac);
            if let Some(node) = nodes.list.get_mut(id) {
                node.mote = node.mote.or(station.mote);
                node.silent &= !station.heard;
            }
        }
        let motes = nodes.list.iter().enumerate().filter_map(|(id, node)| Some((node.mote?, id))).collect();
        let source = |mote: Option<u32>, motes: &Map<u32, NodeId>| mote.and_then(|mote| motes.get(&mote)).copied();
        nodes.of_source = trace.capture.sources.iter().map(|s| source(s.mote, &motes)).collect();
        nodes
    }
}

fn blank(mote: Option<u32>, silent: bool) -> Node {
    Node {
        name: String::new(),
        mote,
        macs: Vec::new(),
        addresses: Vec::new(),
        port: None,
        role: Role::Leaf,
        silent,
        client_of: Vec::new(),
        server_of: Vec::new(),
        frames: 0,
        broadcasts: 0,
        airtime: Span::ZERO,
        ranks: Vec::new(),
        parents: Vec::new(),
        parents_by: None,
        above: None,
    }
}

/// Nodes, with indexes by address and source.
#[derive(Default)]
pub(super) struct Nodes {
    /// Nodes of the network, by number.
    pub list: Vec<Node>,
    of_station: Vec<NodeId>,
    /// Node of a simulator's mote, by source of frames.
    of_source: Vec<Option<NodeId>>,
    by_iid: Map<[u8; 8], NodeId>,
    by_address: Map<Ipv6Addr, NodeId>,
    by_host: Map<(Ipv6Addr, Option<u16>), NodeId>,
    /// Roots of DODAGs, by first appearance.
    pub roots: Vec<NodeId>,
}

impl Nodes {
    fn add(&mut self, node: Node) -> NodeId {
        self.list.push(node);
        self.list.len() - 1
    }

    fn assign(&mut self, station: u32, id: NodeId, mac: MacAddr) {
        if let Some(place) = self.of_station.get_mut(station as usize) {
            *place = id;
        }
        if let Some(node) = self.list.get_mut(id) {
            node.macs.push(mac);
        }
        if let Some(iid) = mac.iid() {
            self.by_iid.entry(iid).or_insert(id);
        }
    }

    /// Returns the node of a station; `None` for [`NOWHERE`].
    pub fn of(&self, station: u32) -> Option<NodeId> {
        self.of_station.get(station as usize).copied()
    }

    /// Returns the node that a simulator's log names as the source of a frame; `None` for other captures.
    pub fn of_source(&self, source: base::SourceId) -> Option<NodeId> {
        *self.of_source.get(source.index())?
    }

    /// Returns the node of a unicast address: learned, or derived from a link-layer address (RFC 4944 §6); else `None`.
    pub fn owner(&self, address: Ipv6Addr) -> Option<NodeId> {
        if address.is_multicast() {
            return None;
        }
        let learned = self.by_address.get(&address).copied();
        let [.., a, b, c, d, e, f, g, h] = address.octets();
        learned.or_else(|| self.by_iid.get(&[a, b, c, d, e, f, g, h]).copied())
    }

    /// Gives `address` to the node that owns it by [`Self::owner`], else to `sender`.
    pub fn learn(&mut self, address: Ipv6Addr, sender: Option<NodeId>) {
        if address.is_multicast() || address.is_unspecified() {
            return;
        }
        let Some(id) = self.owner(address).or(sender) else { return };
        let new = self.by_address.insert(address, id).is_none();
        if let Some(node) = self.list.get_mut(id).filter(|_| new) {
            node.addresses.push(address);
        }
    }

    /// Learns the addresses of the sources and destinations of messages.
    pub fn settle_addresses(&mut self, trace: &Trace) {
        for message in &trace.messages {
            self.learn(message.src().addr, None);
            self.learn(message.dst().addr, None);
        }
    }

    fn host(&mut self, hosts: &Hosts, end: Endpoint) -> NodeId {
        if let Some(id) = self.owner(end.addr) {
            return id;
        }
        let port = hosts.port_of(end);
        if let Some(&id) = self.by_host.get(&(end.addr, port)) {
            return id;
        }
        let id = self.add(Node { role: Role::Host, addresses: vec![end.addr], port, ..blank(None, false) });
        self.by_host.insert((end.addr, port), id);
        id
    }

    /// Returns the node of an endpoint, where it is known.
    fn end(&self, hosts: &Hosts, end: Endpoint) -> Option<NodeId> {
        self.owner(end.addr).or_else(|| self.by_host.get(&(end.addr, hosts.port_of(end))).copied())
    }

    /// Sets names, associations and roles, which need all other facts.
    pub fn settle(&mut self, trace: &Trace, hosts: &Hosts, hops: &[Carried]) {
        for association in &trace.associations {
            let (client, server) = (self.end(hosts, association.client), self.end(hosts, association.server));
            if let Some(node) = client.and_then(|id| self.list.get_mut(id)) {
                node.client_of.push(association.id);
            }
            if let Some(node) = server.and_then(|id| self.list.get_mut(id)) {
                node.server_of.push(association.id);
            }
        }
        let mut routes = vec![false; self.list.len()];
        for parent in self.list.iter().flat_map(|node| &node.parents) {
            routes[parent.node] = true;
        }
        for hop in hops {
            let message = trace.messages.get(hop.message.index());
            if message.is_some_and(|m| self.owner(m.src().addr).is_some_and(|src| src != hop.from)) {
                routes[hop.from] = true;
            }
        }
        for (id, node) in self.list.iter_mut().enumerate() {
            if node.role != Role::Host {
                node.role = match (self.roots.contains(&id), routes[id]) {
                    (true, _) => Role::Root,
                    (false, true) => Role::Router,
                    (false, false) => Role::Leaf,
                };
            }
            node.name = name(node, trace);
        }
    }
}

/// Returns the name of a node: a mote's, that which the capture gives an address, else the address by which exchanges
/// know it, as lists of clients have it; else the shortest link-layer address.
fn name(node: &Node, trace: &Trace) -> String {
    if let Some(mote) = node.mote {
        return mote_name(mote);
    }
    let annotations = &trace.capture.annotations;
    if let Some(name) = node.addresses.iter().find_map(|&address| known_name(address.into(), annotations)) {
        return name;
    }
    if let Some(port) = node.port {
        let addr = node.addresses.first().copied().unwrap_or(Ipv6Addr::UNSPECIFIED);
        return name_of_endpoint(Endpoint { addr, port }, annotations);
    }
    let association = |id: &AssociationId| trace.associations.get(id.index());
    let client = node.client_of.first().and_then(association).map(|association| association.client.addr);
    let server = || node.server_of.first().and_then(association).map(|association| association.server.addr);
    if let Some(address) = client.or_else(server) {
        return name_of_address(address.into(), annotations);
    }
    if let Some(mac) = node.macs.iter().map(ToString::to_string).min_by_key(String::len) {
        return mac;
    }
    let address = node.addresses.first().copied().unwrap_or(Ipv6Addr::UNSPECIFIED);
    name_of_address(address.into(), annotations)
}

/// Addresses that several nodes share: where a message goes from an address to itself, ports distinguish its ends.
pub(super) struct Hosts {
    shared: Vec<Ipv6Addr>,
}

impl Hosts {
    /// Finds the shared addresses among the ends of messages.
    pub fn of(trace: &Trace) -> Self {
        let own = trace.messages.iter().filter(|m| m.src().addr == m.dst().addr).map(|m| m.src().addr);
        let mut shared: Vec<Ipv6Addr> = own.collect();
        shared.sort_unstable();
        shared.dedup();
        Self { shared }
    }

    fn port_of(&self, end: Endpoint) -> Option<u16> {
        self.shared.binary_search(&end.addr).is_ok().then_some(end.port)
    }
}

/// One hop of a CoAP message, between nodes.
pub(super) struct Carried {
    /// Message that took this hop.
    pub message: MessageId,
    /// Number of the transmitting node.
    pub from: NodeId,
    /// Number of the addressed node.
    pub to: NodeId,
    /// Start of its first frame.
    pub at: Instant,
    /// True off 802.15.4, where the ends of the message are the nodes.
    pub wired: bool,
}

/// Returns the hops of all messages whose nodes are known, in order. Off 802.15.4 it adds the ends as nodes.
pub(super) fn hops(trace: &Trace, nodes: &mut Nodes, hosts: &Hosts) -> Vec<Carried> {
    let mut all = Vec::new();
    for message in &trace.messages {
        for hop in message.hops() {
            let wired = hop.src() == MacAddr::None && hop.dst() == MacAddr::None;
            let ends = if wired {
                Some((nodes.host(hosts, message.src()), nodes.host(hosts, message.dst())))
            } else {
                // Not by PAN: extended addresses, or short ones of the PAN that talks IPv6.
                let find = |mac: MacAddr| mac.iid().and_then(|iid| nodes.by_iid.get(&iid).copied());
                find(hop.src()).zip(find(hop.dst()))
            };
            if let Some((from, to)) = ends {
                all.push(Carried { message: message.id, from, to, at: hop.sent, wired });
            }
        }
    }
    all
}
