//! Requests and replies about the network: nodes, links, and their load over time.

use crate::view::{CaptureId, LossEvidence, NodeListKind, NodeRole, ParentEvidence, RunId, Spread};
use base::{AssociationId, Instant};
use serde::{Deserialize, Serialize};

view! {
    /// RPL parent of a node from some time on.
    pub struct ParentView {
        /// Time when it was first seen, nanoseconds from the trace's epoch.
        pub at: Instant,
        /// Parent: position in [`NetworkView::nodes`], from 0.
        pub node: u32,
    }

    /// A node of the network.
    pub struct NetworkNode {
        /// Name of the node, for people.
        pub name: String,
        /// Role in the network.
        pub role: NodeRole,
        /// Addressed, but never heard.
        pub silent: bool,
        /// Link-layer addresses of the node.
        pub macs: Vec<String>,
        /// IP addresses of the node; those of IPv4 in dotted form.
        pub addresses: Vec<String>,
        /// Numbers of the associations whose client the node is.
        pub client_of: Vec<AssociationId>,
        /// Numbers of the associations whose server the node is.
        pub server_of: Vec<AssociationId>,
        /// Number of frames that the node sent, retries and broadcasts included.
        pub frames: u32,
        /// Number of broadcasts that the node sent.
        pub broadcasts: u32,
        /// Air time of the frames that the node sent, seconds.
        pub airtime: f64,
        /// RPL rank that it last announced, in units of its DODAG (RFC 6550 §3.5); null: none, or infinite.
        pub rank: Option<u16>,
        /// RPL parents in order of time, changes only.
        pub parents: Vec<ParentView>,
        /// Evidence for the parents; null without any.
        pub parents_by: Option<ParentEvidence>,
        /// Node above it in the tree that is drawn: position in [`NetworkView::nodes`], from 0; null at a top.
        pub above: Option<u32>,
        /// Filter expression of the packet list for frames that it sent or was sent.
        pub filter: String,
    }

    /// A share with its 95 % interval (Wilson score, [`trace::network::Share::interval95`]).
    pub struct ShareView {
        /// Number of trials that had the property.
        pub hits: u32,
        /// Number of all trials.
        pub trials: u32,
        /// Share of hits, 0 to 1; this and the ends are null without trials.
        pub value: Option<f64>,
        /// Lower end of the interval, 0 to 1.
        pub lo95: Option<f64>,
        /// Upper end of the interval, 0 to 1.
        pub hi95: Option<f64>,
    }

    /// A link: one direction between two nodes, broadcasts apart.
    pub struct NetworkLink {
        /// Sender: position in [`NetworkView::nodes`], from 0.
        pub from: u32,
        /// Addressee: position in [`NetworkView::nodes`], from 0.
        pub to: u32,
        /// Number of frames, every attempt counted; off 802.15.4 number of messages.
        pub frames: u32,
        /// Number of distinct frames: a frame with its link-layer retries counts as one.
        pub unique: u32,
        /// Share of acknowledged frames among those that asked for an acknowledgement.
        pub acked: ShareView,
        /// Share of lost frames among those of which it is known.
        pub lost: ShareView,
        /// Evidence for the losses.
        pub evidence: LossEvidence,
        /// Share of distinct frames that arrived among those of which it is known.
        pub delivered: ShareView,
        /// Attempts for one delivery, at least 1 (ETX, De Couto et al. 2003, counted on the data); null without a
        /// delivery.
        pub attempts: Option<f64>,
        /// Median time from the first attempt's start to the end of the one that arrived, seconds; null where none did.
        pub delay_p50: Option<f64>,
        /// 95th percentile of that time, nearest rank, seconds; null where none did.
        pub delay_p95: Option<f64>,
        /// Air time of the frames, seconds.
        pub airtime: f64,
        /// Number of CoAP messages over this hop, each once.
        pub messages: u32,
        /// Number of copies of confirmable requests among the messages.
        pub copies: u32,
        /// Number of needless copies among the messages.
        pub needless: u32,
        /// Signal strength of the frames at the sniffer, dBm; null: the capture does not say.
        pub rssi: Option<Spread>,
        /// Link quality (LQI) of the frames at the sniffer, 0 to 255 in IEEE 802.15.4; null: the capture does not say.
        pub lqi: Option<Spread>,
        /// Filter expression of the packet list for its frames.
        pub filter: String,
    }

    /// Frames and airtime of one radio channel.
    pub struct ChannelView {
        /// Channel number; null: the capture does not say.
        pub number: Option<u8>,
        /// Number of frames on the channel.
        pub frames: u32,
        /// Air time of the frames on the channel, seconds.
        pub airtime: f64,
    }

    /// Network of a capture: nodes, links, channels.
    pub struct NetworkView {
        /// Nodes; requests and links name them by position, from 0.
        pub nodes: Vec<NetworkNode>,
        /// Links, sorted by sender and addressee.
        pub links: Vec<NetworkLink>,
        /// Radio channels of 802.15.4; empty off it.
        pub channels: Vec<ChannelView>,
        /// Mode of operation of RPL (RFC 6550 §6.3.1): 0 no downward routes, 1 non-storing, 2 and 3 storing; null: not
        /// announced.
        pub mode_of_operation: Option<u8>,
        /// List of nodes that was found beside the capture, or is bundled with it; null: none.
        pub plan: Option<PlanView>,
    }

    /// Place of a node on a plan, with y pointing down.
    #[derive(Copy)]
    pub struct PositionView {
        /// Distance to the right: metres in a simulation, else in the unit of the list; finite.
        pub x: f64,
        /// Distance down, in the same unit; finite.
        pub y: f64,
    }

    /// A listed node that the network has.
    pub struct PlannedNode {
        /// Node: position in [`NetworkView::nodes`], from 0.
        pub node: u32,
        /// Place; null: the list has none.
        pub place: Option<PositionView>,
        /// Name for people; null: the list has none.
        pub name: Option<String>,
    }

    /// A list of nodes: a simulation, a floor plan or names.
    pub struct PlanView {
        /// File name without its folder.
        pub file: String,
        /// Form of the list.
        pub kind: NodeListKind,
        /// Listed nodes that the network has, in the order of the network.
        pub nodes: Vec<PlannedNode>,
        /// Number of listed nodes that the network does not have.
        pub unknown: u32,
        /// Notes on entries that were skipped, one sentence each.
        pub notes: Vec<String>,
    }

    /// Request: the nodes of a list: a simulation of Cooja, rows of `node,x,y[,name]`, or hosts.
    pub struct NodeListRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Path of the list.
        pub path: String,
    }

    /// Request: the load of links and nodes in a window (Arrow, `NetworkLoadColumns`).
    pub struct NetworkLoadRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Window start, nanoseconds from the trace's epoch.
        pub t0: Instant,
        /// Window end, nanoseconds from the trace's epoch.
        pub t1: Instant,
        /// Run through the network twin whose simulated frames are counted; null: those of the capture.
        #[serde(default)]
        pub run: Option<RunId>,
    }

    /// Request: load and loss over time (Arrow, `NetworkSeriesColumns`), of all links, of one link, or around one node.
    pub struct NetworkSeriesRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Window start, nanoseconds from the trace's epoch.
        pub t0: Instant,
        /// Window end, nanoseconds from the trace's epoch.
        pub t1: Instant,
        /// Number of equal parts of the window, 1..=4096; clamped to that range.
        pub bins: u32,
        /// Only this link: position in [`NetworkView::links`], from 0; not with `node`.
        #[serde(default)]
        pub link: Option<u32>,
        /// Only the neighbourhood and the links of this node: position in [`NetworkView::nodes`], from 0; not with
        /// `link`.
        #[serde(default)]
        pub node: Option<u32>,
        /// Run through the network twin whose simulated frames are counted; null: those of the capture.
        #[serde(default)]
        pub run: Option<RunId>,
    }
}
