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
mod simulated;
mod traffic;
mod tree;

pub use airtime::airtime;
pub use load::{Bin, Focus, LinkLoad, NodeLoad, Window};
pub use located::Located;
pub use share::Share;
pub use simulated::SimulatedFrame;

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
    /// Forwards messages of others, or is the parent of another node.
    Router,
    /// Neither root nor router, on 802.15.4.
    Leaf,
    /// An end of messages off 802.15.4.
    Host,
}

/// An RPL parent of a node, from some time on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parent {
    /// Time when it was first seen as the parent.
    pub at: Instant,
    /// Node that is the parent.
    pub node: NodeId,
}

/// Evidence for the parents of a node, weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ParentEvidence {
    /// First hops of its datagrams for the root.
    Traffic,
    /// Receivers of its DAOs (storing mode, RFC 6550 §9.2).
    DaoReceiver,
    /// Transit Information in its DAOs (non-storing mode, RFC 6550 §6.7.8).
    Transit,
}

/// A node of the network.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// Name for people: `mote 5`, a name that the capture gives, else an address.
    pub name: String,
    /// Number of the Cooja mote; `None` for other nodes.
    pub mote: Option<u32>,
    /// Link-layer addresses, first seen first; empty off 802.15.4.
    pub macs: Vec<MacAddr>,
    /// IPv6 addresses, first seen first; IPv4 is mapped.
    pub addresses: Vec<Ipv6Addr>,
    /// UDP port that distinguishes this node, where several share an address (a capture of the loopback interface).
    pub port: Option<u16>,
    /// Role in the network.
    pub role: Role,
    /// True where the node was addressed and never heard.
    pub silent: bool,
    /// Associations whose client the node is, in ascending order.
    pub client_of: Vec<AssociationId>,
    /// Associations whose server the node is, in ascending order.
    pub server_of: Vec<AssociationId>,
    /// Number of frames that the node sent, retries, broadcasts and known acknowledgements included.
    pub frames: u64,
    /// Number of broadcasts that the node sent.
    pub broadcasts: u64,
    /// Air time of the frames that the node sent.
    pub airtime: Span,
    /// Ranks it announced in DIOs, each with its time, changes only; `None` is the infinite rank (RFC 6550 §17: no
    /// route).
    pub ranks: Vec<(Instant, Option<u16>)>,
    /// Parents of the node in order of time, changes only.
    pub parents: Vec<Parent>,
    /// Evidence for the parents; `None` without any.
    pub parents_by: Option<ParentEvidence>,
    /// Node above it in the tree of the network; `None` for a root of the tree. The tree has no cycles.
    pub above: Option<NodeId>,
}

impl Node {
    /// Returns its parent at time `at`; `None` before the first.
    #[must_use]
    pub fn parent_at(&self, at: Instant) -> Option<NodeId> {
        let after = self.parents.partition_point(|parent| parent.at <= at);
        self.parents.get(after.checked_sub(1)?).map(|parent| parent.node)
    }

    /// Returns the rank it last announced; `None` without any, and for the infinite rank.
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
    /// The loss is not known.
    Unknown,
    /// Captured link-layer acknowledgements: a frame without one was lost, or was received by a node that could not
    /// answer. Bounds loss from above: in the runs of `tests/truth/network.rs` by up to 6 points, where the channel is
    /// full.
    Acks,
    /// The log of the simulator, which says who received each frame.
    Log,
}

/// Smallest, median and largest value of a measure that sniffers give, in its unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Spread {
    /// Smallest value, in the unit of the measure.
    pub min: i16,
    /// Median, the lower of two, in the unit of the measure.
    pub median: i16,
    /// Largest value, in the unit of the measure.
    pub max: i16,
}

/// One direction between two nodes; broadcasts are not counted.
#[derive(Clone, PartialEq, Debug)]
pub struct Link {
    /// Node that sends on the link.
    pub from: NodeId,
    /// Node that the frames are addressed to.
    pub to: NodeId,
    /// Number of frames, every attempt counted; off 802.15.4 number of messages.
    pub frames: u64,
    /// Number of distinct frames: a frame with its link-layer retries counts as one.
    pub unique: u64,
    /// Share of the frames that asked for an acknowledgement whose acknowledgement was captured.
    pub acked: Share,
    /// Share of the frames of known fate that were lost.
    pub lost: Share,
    /// Evidence for the loss.
    pub evidence: LossEvidence,
    /// Share of the distinct frames of known fate that arrived in some attempt.
    pub delivered: Share,
    /// Delay from the start of the first attempt to the end of the one that arrived: median and 95th percentile
    /// (nearest rank). The wait before the first attempt is not seen. `None` where none is known to have arrived.
    pub delay: Option<(Span, Span)>,
    /// Air time of the frames of the link.
    pub airtime: Span,
    /// Number of CoAP messages over this hop, each counted once.
    pub messages: u64,
    /// Number of copies of confirmable requests among the messages.
    pub copies: u64,
    /// Number of copies among the messages that need not have been sent.
    pub needless: u64,
    /// Signal strength at the sniffer, not at the receiver, dBm; `None` where no record says it.
    pub rssi: Option<Spread>,
    /// Link quality indicator at the sniffer, 0 to 255; `None` where no record says it.
    pub lqi: Option<Spread>,
}

impl Link {
    /// Returns the number of attempts for each delivery: the quantity that ETX estimates from probes (De Couto et al.
    /// 2003), counted on the data. `None` where no delivery is known.
    #[must_use]
    pub fn attempts_per_delivery(&self) -> Option<f64> {
        (self.delivered.hits > 0).then(|| self.lost.trials as f64 / self.delivered.hits as f64)
    }
}

/// Traffic of one channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Channel {
    /// Channel number, 11 to 26 at 2.4 GHz; `None`: the capture does not say.
    pub number: Option<u8>,
    /// Number of frames of all types.
    pub frames: u64,
    /// Air time of all frames on the channel.
    pub airtime: Span,
}

/// Value in place of a number: no link, no node, no station.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// One frame on the air, for sums over windows of time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OnAir {
    /// Start of the frame.
    pub at: Instant,
    /// Position of its link in [`Network::links`]; [`NOWHERE`] for broadcasts, acknowledgements and frames that could
    /// not be read.
    pub link: u32,
    /// Position of its sender in [`Network::nodes`], or [`NOWHERE`].
    pub from: u32,
    /// Air time, ns: the longest frame takes 4.3 ms.
    pub airtime: u32,
    /// True for the first attempt.
    pub first: bool,
    /// True where it was lost; `None` where that is not known.
    pub lost: Option<bool>,
    /// Delay of a first attempt: from its start to the end of the attempt that arrived, µs; 0 where none is known to
    /// have.
    pub delay: u32,
}

/// The network that one trace shows; [`of`] builds it.
#[derive(Clone, Debug)]
pub struct Network {
    /// Nodes: motes by number, then others by first appearance. Indexed by [`NodeId`].
    pub nodes: Vec<Node>,
    /// Links by sender and addressee. Indexed by [`LinkId`].
    pub links: Vec<Link>,
    /// Channels by number; empty off 802.15.4.
    pub channels: Vec<Channel>,
    /// Mode of operation, the code that DIOs announce (RFC 6550 §6.3.1): 0 no downward routes, 1 non-storing, 2 and 3
    /// storing; `None` without DIOs.
    pub mode_of_operation: Option<u8>,
    /// First and last time stamp of the capture.
    pub window: (Instant, Instant),
    /// Every frame on the air, in order of time.
    pub(crate) on_air: Vec<OnAir>,
    /// Nodes that a node has links with, itself first, by node.
    pub(crate) neighbours: Vec<Vec<NodeId>>,
}

/// Builds the network of `trace`. `places` are those of `trace`; `needless` tells of an exchange and the position of a
/// copy in it whether the copy need not have been sent. `progress` counts fifths.
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
    /// Sorts nodes (motes by number, then others as they were) and links (by sender and addressee), and renumbers
    /// references to them.
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

    /// Returns the link from one node to another; `None` where there is none.
    #[must_use]
    pub fn link(&self, from: NodeId, to: NodeId) -> Option<LinkId> {
        self.links.binary_search_by_key(&(from, to), |link| (link.from, link.to)).ok()
    }
}
