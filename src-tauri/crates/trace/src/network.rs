//! The network that a capture shows: its nodes, the links between them, and how RPL holds them together.
//!
//! ```text
//! frames ──► stations ──► attempts ──► links      who sent what to whom, how often, and whether it arrived
//! datagrams ──► addresses, ranks, parents         IPv6, DIO and DAO
//! both ──► tree                                   the node above each, for a picture that no playhead moves
//! ```
//!
//! Frames and air time are those of the capture: frames that the sniffer did not hear are missing. Off 802.15.4 there
//! are the ends of CoAP messages only, and nothing is known of loss on the way.

mod airtime;
mod load;
mod located;
mod nodes;
mod rpl;
mod share;
mod traffic;
mod tree;

pub use airtime::airtime;
pub use load::{Bin, Focus, LinkLoad, NodeLoad, Window};
pub use located::Located;
pub use share::Share;

use crate::analysis::Trace;
use crate::packet::Places;
use base::{AssociationId, Cancelled, ExchangeId, Instant, Progress, SharedProgress, Span};
use serde::{Deserialize, Serialize};
use std::net::Ipv6Addr;
use wire::ieee802154::MacAddr;

/// Position of a node in [`Network::nodes`].
pub type NodeId = usize;
/// Position of a link in [`Network::links`].
pub type LinkId = usize;

/// Role of a node in the network.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "NodeRole"))]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Root of a DODAG: usually the border router.
    Root,
    /// Sends on what others sent, or is the parent of another node.
    Router,
    /// Neither, on 802.15.4.
    Leaf,
    /// An end of messages off 802.15.4.
    Host,
}

/// A parent in RPL, from some time on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parent {
    /// Time when it was first seen.
    pub at: Instant,
    /// The parent.
    pub node: NodeId,
}

/// Evidence for the parents of a node, weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ParentEvidence {
    /// By where its datagrams for the root go first.
    Traffic,
    /// By who gets its DAOs (storing mode, RFC 6550 §9.2).
    DaoReceiver,
    /// By the Transit Information in its DAOs (non-storing mode, RFC 6550 §6.7.8).
    Transit,
}

/// A node.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// For people: `mote 5`, a name that the capture gives, else the shortest address.
    pub name: String,
    /// Number of the Cooja mote.
    pub mote: Option<u32>,
    /// Link-layer addresses, first seen first; empty off 802.15.4.
    pub macs: Vec<MacAddr>,
    /// IPv6 addresses, first seen first; IPv4 is mapped.
    pub addresses: Vec<Ipv6Addr>,
    /// UDP port that distinguishes this node, where several share an address (a capture of the loopback interface).
    pub port: Option<u16>,
    /// Its role.
    pub role: Role,
    /// It was addressed and never heard.
    pub silent: bool,
    /// Associations whose client it is.
    pub client_of: Vec<AssociationId>,
    /// Associations whose server it is.
    pub server_of: Vec<AssociationId>,
    /// Frames that it sent, retries, broadcasts and known acknowledgements included.
    pub frames: u64,
    /// Number of broadcasts among them.
    pub broadcasts: u64,
    /// Air time that it sent.
    pub airtime: Span,
    /// Ranks it announced, changes only; `None` is the infinite rank (RFC 6550 §17: no route).
    pub ranks: Vec<(Instant, Option<u16>)>,
    /// Its parents, changes only.
    pub parents: Vec<Parent>,
    /// Evidence for the parents.
    pub parents_by: Option<ParentEvidence>,
    /// Node above it in the tree of the network; `None` at a top. No node is above itself, however far up.
    pub above: Option<NodeId>,
}

impl Node {
    /// Its parent at a time.
    #[must_use]
    pub fn parent_at(&self, at: Instant) -> Option<NodeId> {
        let after = self.parents.partition_point(|parent| parent.at <= at);
        self.parents.get(after.checked_sub(1)?).map(|parent| parent.node)
    }

    /// The rank it last announced.
    #[must_use]
    pub fn rank(&self) -> Option<u16> {
        self.ranks.last()?.1
    }
}

/// Evidence for the loss of a link, weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LossEvidence {
    /// It is not.
    Unknown,
    /// By captured link-layer acknowledgements: what has none was lost, or was received by a node that could not answer.
    /// Bounds loss from above: in the runs of `tests/truth/network.rs` by up to 6 points, where the channel is full.
    Acks,
    /// The log of the simulator says who received each frame.
    Log,
}

/// Smallest, middle and largest value of a measure that sniffers give.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Spread {
    /// Smallest.
    pub min: i16,
    /// Median, the lower of two.
    pub median: i16,
    /// Largest.
    pub max: i16,
}

/// One direction between two nodes, broadcasts apart.
#[derive(Clone, PartialEq, Debug)]
pub struct Link {
    /// Sender.
    pub from: NodeId,
    /// Addressee.
    pub to: NodeId,
    /// Frames: every attempt. Off 802.15.4: messages.
    pub frames: u64,
    /// Number of distinct frames: a frame with its link-layer retries counts as one.
    pub unique: u64,
    /// Frames that asked for an acknowledgement, and those of them whose acknowledgement was captured.
    pub acked: Share,
    /// Frames that were lost, of those of which it is known.
    pub lost: Share,
    /// Evidence for the loss.
    pub evidence: LossEvidence,
    /// Unique frames that arrived in some attempt, of those of which it is known.
    pub delivered: Share,
    /// From the start of the first attempt to the end of the one that arrived: median and 95th percentile (nearest
    /// rank). What waits before the first attempt is not seen.
    pub delay: Option<(Span, Span)>,
    /// Air time of its frames.
    pub airtime: Span,
    /// CoAP messages over this hop, each once.
    pub messages: u64,
    /// Number of copies of confirmable requests among them.
    pub copies: u64,
    /// Number of copies among those that need not have been sent.
    pub needless: u64,
    /// Signal strength where the sniffer was, dBm; not at the receiver.
    pub rssi: Option<Spread>,
    /// Link quality where the sniffer was.
    pub lqi: Option<Spread>,
}

impl Link {
    /// Attempts that one delivery takes: what ETX estimates from probes (De Couto et al. 2003), counted on the data.
    #[must_use]
    pub fn attempts_per_delivery(&self) -> Option<f64> {
        (self.delivered.hits > 0).then(|| self.lost.trials as f64 / self.delivered.hits as f64)
    }
}

/// Traffic of one channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Channel {
    /// Its number; `None`: the capture does not say.
    pub number: Option<u8>,
    /// Frames, all types.
    pub frames: u64,
    /// Their air time.
    pub airtime: Span,
}

/// Number that stands for no link, no node, no station.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// One frame on the air, for sums over windows of time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OnAir {
    pub at: Instant,
    /// Its link; [`NOWHERE`] for broadcasts, acknowledgements and what could not be read.
    pub link: u32,
    /// Its sender, or [`NOWHERE`].
    pub from: u32,
    /// Air time, ns: the longest frame takes 4.3 ms.
    pub airtime: u32,
    /// The first attempt.
    pub first: bool,
    /// Whether it was lost, where that is known.
    pub lost: Option<bool>,
    /// Delay of a first attempt: from its start to the end of the attempt that arrived, µs; 0 where none is known to
    /// have.
    pub delay: u32,
}

/// Everything about the network of one trace.
#[derive(Clone, Debug)]
pub struct Network {
    /// Nodes: motes by number, then others by first appearance.
    pub nodes: Vec<Node>,
    /// Links by sender and addressee.
    pub links: Vec<Link>,
    /// Channels by number; empty off 802.15.4.
    pub channels: Vec<Channel>,
    /// Mode of operation that DIOs announce (RFC 6550 §6.3.1): 1 non-storing, 2 and 3 storing.
    pub mode_of_operation: Option<u8>,
    /// First and last time stamp.
    pub window: (Instant, Instant),
    /// Every frame on the air, in order of time.
    pub(crate) on_air: Vec<OnAir>,
    /// Per node: itself and whom it has links with.
    pub(crate) neighbours: Vec<Vec<NodeId>>,
}

/// Builds the network of `trace`. `places` are those of `trace`; `needless` says which copies of which exchanges need not
/// have been sent. `progress` counts fifths.
///
/// # Errors
/// [`Cancelled`] when `progress` breaks.
pub fn of(
    trace: &Trace,
    places: &Places,
    needless: &dyn Fn(ExchangeId, usize) -> bool,
    progress: &mut dyn Progress,
) -> Result<Network, Cancelled> {
    // Two of the frames, one each of links, datagrams and the rest; all take about as long.
    let mut shared = SharedProgress::new(progress, 5);
    let mut stations = nodes::Stations::default();
    let traffic = traffic::read(trace, &mut stations, (&mut shared, 1))?;
    let hosts = nodes::Hosts::of(trace);
    let mut nodes = stations.into_nodes(trace);
    let mut links = traffic.links(trace, &mut nodes, (&mut shared, 1))?;
    let rpl = rpl::listen(trace, places, &traffic, &mut nodes, (&mut shared, 1))?;
    shared.stage(1, 4)?;
    nodes.settle_addresses(trace);
    let hops = nodes::hops(trace, &mut nodes, &hosts);
    shared.pass()?;
    traffic::carry(places, needless, &hops, &mut links);
    shared.pass()?;
    rpl::settle(&rpl, &hops, trace, &mut nodes);
    shared.pass()?;
    nodes.settle(trace, &hosts, &hops);
    shared.pass()?;
    let mut network = Network {
        nodes: nodes.list,
        links: links.list,
        channels: traffic.channels,
        mode_of_operation: rpl.mode_of_operation,
        window: trace.capture.window().unwrap_or((Instant::ZERO, Instant::ZERO)),
        on_air: links.on_air,
        neighbours: Vec::new(),
    };
    network.sort();
    network.neighbours = network.meet();
    tree::build(&mut network);
    Ok(network)
}

impl Network {
    /// Motes by number, then others as they were; links by sender and addressee.
    fn sort(&mut self) {
        let mut order: Vec<NodeId> = (0..self.nodes.len()).collect();
        order.sort_by_key(|&id| (self.nodes.get(id).and_then(|node| node.mote).unwrap_or(u32::MAX), id));
        let mut place = vec![0; order.len()];
        for (now, &before) in order.iter().enumerate() {
            if let Some(place) = place.get_mut(before) {
                *place = now;
            }
        }
        let at = |id: NodeId| place.get(id).copied().unwrap_or(id);
        let mut nodes: Vec<Option<Node>> = std::mem::take(&mut self.nodes).into_iter().map(Some).collect();
        self.nodes = order.iter().filter_map(|&id| nodes.get_mut(id)?.take()).collect();
        for parent in self.nodes.iter_mut().flat_map(|node| &mut node.parents) {
            parent.node = at(parent.node);
        }
        for link in &mut self.links {
            (link.from, link.to) = (at(link.from), at(link.to));
        }
        let mut order: Vec<LinkId> = (0..self.links.len()).collect();
        order.sort_by_key(|&id| self.links.get(id).map(|link| (link.from, link.to)));
        let mut moved = vec![NOWHERE; order.len()];
        for (now, &before) in (0..).zip(&order) {
            if let Some(place) = moved.get_mut(before) {
                *place = now;
            }
        }
        self.links.sort_by_key(|link| (link.from, link.to));
        for frame in &mut self.on_air {
            frame.link = moved.get(frame.link as usize).copied().unwrap_or(NOWHERE);
            if frame.from != NOWHERE {
                frame.from = u32::try_from(at(frame.from as usize)).unwrap_or(NOWHERE);
            }
        }
    }

    /// Lists for each node the nodes that it has links with, itself first.
    fn meet(&self) -> Vec<Vec<NodeId>> {
        let mut all: Vec<Vec<NodeId>> = (0..self.nodes.len()).map(|id| vec![id]).collect();
        for link in &self.links {
            for (one, other) in [(link.from, link.to), (link.to, link.from)] {
                if let Some(met) = all.get_mut(one).filter(|met| !met.contains(&other)) {
                    met.push(other);
                }
            }
        }
        all
    }

    /// The link from one node to another.
    #[must_use]
    pub fn link(&self, from: NodeId, to: NodeId) -> Option<LinkId> {
        self.links.binary_search_by_key(&(from, to), |link| (link.from, link.to)).ok()
    }
}
