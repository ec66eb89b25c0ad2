//! The network: nodes, links, and what they carried when.

use crate::view::{CaptureId, LossEvidence, NodeListKind, NodeRole, ParentEvidence, Spread};
use base::{AssociationId, Instant};
use serde::{Deserialize, Serialize};

view! {
    /// A parent, from some time on.
    pub struct ParentView {
        /// When it was first seen.
        pub at: Instant,
        /// Position of the parent among the nodes.
        pub node: u32,
    }

    /// A node of the network.
    pub struct NetworkNode {
        /// Name for people.
        pub name: String,
        /// Role in the network.
        pub role: NodeRole,
        /// It was addressed and never heard.
        pub silent: bool,
        /// Link-layer addresses.
        pub macs: Vec<String>,
        /// IP addresses.
        pub addresses: Vec<String>,
        /// Associations whose client it is.
        pub client_of: Vec<AssociationId>,
        /// Associations whose server it is.
        pub server_of: Vec<AssociationId>,
        /// Frames sent, retries and broadcasts included.
        pub frames: u32,
        /// Broadcasts among these.
        pub broadcasts: u32,
        /// Time it spent sending, s.
        pub airtime: f64,
        /// RPL rank it last announced; null: none, or infinite.
        pub rank: Option<u16>,
        /// RPL parents, changes only.
        pub parents: Vec<ParentView>,
        /// Evidence of the parents.
        pub parents_by: Option<ParentEvidence>,
        /// Node above it in the tree of the network; null at a top.
        pub above: Option<u32>,
        /// Filter of the packet list for what it sent or was sent.
        pub filter: String,
    }

    /// A share with its 95 % interval (Wilson).
    pub struct ShareView {
        /// Number of hits.
        pub hits: u32,
        /// Number of trials.
        pub trials: u32,
        /// The share, and the ends of the interval; null of nothing.
        pub value: Option<f64>,
        /// Lower end.
        pub lo95: Option<f64>,
        /// Upper end.
        pub hi95: Option<f64>,
    }

    /// One direction between two nodes.
    pub struct NetworkLink {
        /// Sender, among the nodes.
        pub from: u32,
        /// Addressee.
        pub to: u32,
        /// Frames, every attempt; off 802.15.4 messages.
        pub frames: u32,
        /// Frames with their retries counted as one.
        pub unique: u32,
        /// Acknowledged frames, of those that asked for it.
        pub acked: ShareView,
        /// Lost frames, of those of which it is known.
        pub lost: ShareView,
        /// Evidence of the loss.
        pub evidence: LossEvidence,
        /// Unique frames that arrived, of those of which it is known.
        pub delivered: ShareView,
        /// Attempts for one delivery.
        pub attempts: Option<f64>,
        /// First attempt to arrival, median, s.
        pub delay_p50: Option<f64>,
        /// First attempt to arrival, 95th percentile, s.
        pub delay_p95: Option<f64>,
        /// On the air, s.
        pub airtime: f64,
        /// CoAP messages.
        pub messages: u32,
        /// Copies of confirmable requests.
        pub copies: u32,
        /// Needless ones among these.
        pub needless: u32,
        /// Signal strength at the sniffer, dBm.
        pub rssi: Option<Spread>,
        /// Link quality at the sniffer.
        pub lqi: Option<Spread>,
        /// Filter of the packet list for its frames.
        pub filter: String,
    }

    /// Frames and airtime of one radio channel.
    pub struct ChannelView {
        /// Number; null: the capture does not say.
        pub number: Option<u8>,
        /// Frames.
        pub frames: u32,
        /// On the air, s.
        pub airtime: f64,
    }

    /// The network of a capture.
    pub struct NetworkView {
        /// Nodes.
        pub nodes: Vec<NetworkNode>,
        /// Links, by sender and addressee.
        pub links: Vec<NetworkLink>,
        /// Channels of 802.15.4; none off it.
        pub channels: Vec<ChannelView>,
        /// RPL's mode of operation: 1 non-storing, 2 and 3 storing.
        pub mode_of_operation: Option<u8>,
        /// List of nodes that was found beside the capture, or is bundled with it; null: none.
        pub plan: Option<PlanView>,
    }

    /// Place of a node on a plan: to the right and down.
    #[derive(Copy)]
    pub struct PositionView {
        /// Metres in a simulation, else in the unit of the list.
        pub x: f64,
        /// In the same unit.
        pub y: f64,
    }

    /// A node of a list, found among those of the network.
    pub struct PlannedNode {
        /// Its position among the nodes.
        pub node: u32,
        /// Its place; null: the list has none.
        pub place: Option<PositionView>,
        /// Its name for people; null: the list has none.
        pub name: Option<String>,
    }

    /// A list of nodes: a simulation, a floor plan or names.
    pub struct PlanView {
        /// Name of the file.
        pub file: String,
        /// Its form.
        pub kind: NodeListKind,
        /// Nodes of the network in it, in the order of the network.
        pub nodes: Vec<PlannedNode>,
        /// Number of listed nodes that the network does not have.
        pub unknown: u32,
        /// Entries that were skipped, in sentences.
        pub notes: Vec<String>,
    }

    /// Ask for the nodes of a list: a simulation of Cooja, rows of `node,x,y[,name]`, or hosts.
    pub struct NodeListRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// The list.
        pub path: String,
    }

    /// Ask what links and nodes carried in a window (Arrow, `NetworkLoadColumns`).
    pub struct NetworkLoadRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Window start.
        pub t0: Instant,
        /// Window end.
        pub t1: Instant,
    }

    /// Ask for load and loss over time (Arrow, `NetworkSeriesColumns`).
    pub struct NetworkSeriesRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Window start.
        pub t0: Instant,
        /// Window end.
        pub t1: Instant,
        /// Equal parts of it, 1..=4096.
        pub bins: u32,
        /// Only this link.
        #[serde(default)]
        pub link: Option<u32>,
        /// Only the neighbourhood and the links of this node.
        #[serde(default)]
        pub node: Option<u32>,
    }
}
