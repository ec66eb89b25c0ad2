//! Request and reply of the ladder: one exchange hop by hop, recorded and under runs.

use crate::view::{
    CaptureId, Delivery, Evidence, LadderRole, ReplyKind, RunId, SimulatedView, TimerView, VantageKind, WaitKind,
    WaitView,
};
use base::{AssociationId, ExchangeId, FrameId, Instant, Span};
use serde::{Deserialize, Serialize};
use table::columns::{FateKind, OutcomeKind};

choice! {
    /// Fate of a message on its path.
    pub enum EndingKind {
        /// Received whole by the node of its destination; its further treatment there is in no capture.
        Arrived,
        /// Not received by the addressed node, says the Cooja log.
        NotReceived,
        /// A fragment of it was never on the air.
        Incomplete,
        /// Not acknowledged, though link-layer ACKs are captured in general.
        NotAcknowledged,
        /// Received by a node that was not seen to send it on.
        NotSentOn,
        /// Dropped by a node, which only a simulation shows: its reason is in `drops`.
        Dropped,
        /// Unknown: the capture cannot tell.
        Unknown,
    }

    /// Reason why a node of a simulation dropped a part of a message.
    pub enum DropKind {
        /// The capture does not show the node of the client or of the server.
        NodesUnknown,
        /// The client had withdrawn its route, and sent no requests meanwhile.
        Withdrawn,
        /// The node had no next hop.
        NoRoute,
        /// The message passed as many hops as a datagram may.
        HopLimit,
        /// The queue was full.
        QueueFull,
        /// No attempt was acknowledged, up to the last one.
        NoAcknowledgement,
        /// The channel stayed busy, up to the last assessment.
        ChannelBusy,
        /// No cell of the schedule takes it.
        NoCell,
        /// No room to put its fragments together, or not all of them came in time.
        NoReassembly,
    }
}

view! {
    /// Request: one exchange hop by hop, recorded and under some runs.
    pub struct LadderRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Number of the exchange.
        pub exchange: ExchangeId,
        /// Runs to show beside the recorded behaviour.
        #[serde(default)]
        pub runs: Vec<RunId>,
    }

    /// A node on the path of an exchange.
    pub struct LadderNode {
        /// Name of the node, for people.
        pub name: String,
        /// Link-layer address; null off 802.15.4 and where it was not seen.
        pub address: Option<String>,
        /// Role in the exchange.
        pub role: LadderRole,
        /// The capture shows frames from it or to it.
        pub seen: bool,
    }

    /// One frame of a leg.
    pub struct LadderFrame {
        /// Number of the frame in the capture, from 0; null: it is simulated.
        pub frame: Option<FrameId>,
        /// Position of the fragment in its datagram, from 0.
        pub fragment: u32,
        /// Number of times the fragment had been sent on this hop by then, from 1.
        pub attempt: u32,
        /// MAC sequence number, 0 to 255; null where the frame has none, and in a simulation.
        pub seq: Option<u32>,
        /// Start of the frame, nanoseconds from the trace's epoch.
        pub start: Instant,
        /// End of its last octet, nanoseconds from the trace's epoch: at 32 µs an octet (250 kbit/s, IEEE 802.15.4-2020
        /// table 12-1); equal to `start` where the rate is not known.
        pub end: Instant,
        /// Delivery to the addressed node.
        pub delivery: Delivery,
        /// Number of the frame that acknowledged it, from 0; null: none was captured, or it is simulated.
        pub ack: Option<FrameId>,
        /// End of the acknowledgement that its sender had, nanoseconds from the trace's epoch; null without one.
        pub acked: Option<Instant>,
    }

    /// One message on one hop.
    pub struct LadderLeg {
        /// Sending node: position in `nodes`, from 0.
        pub from: u32,
        /// Addressed node: position in `nodes`, from 0.
        pub to: u32,
        /// Start of the first frame, nanoseconds from the trace's epoch.
        pub sent: Instant,
        /// End of the frame that completed the message at `to`, nanoseconds from the trace's epoch; null: not all of it
        /// went on the air. In a simulation the moment at which `to` had all of it; null: it never had.
        pub arrived: Option<Instant>,
        /// Whether the message arrived at `to`, as far as the capture shows it.
        pub delivery: Delivery,
        /// Number of fragments seen; 1 for a datagram in one frame.
        pub fragments: u32,
        /// Time from the start of the first frame to the end of the last acknowledgement needed, nanoseconds; null: not
        /// all acknowledged.
        pub mac_delay: Option<Span>,
        /// The message had been sent on this link before.
        pub duplicate: bool,
        /// Hop limit of its IPv6 header on this hop, 0 to 255 (RFC 8200 §3); null in a simulation.
        pub hop_limit: Option<u32>,
        /// Frames of this hop, in the order of the capture.
        pub frames: Vec<LadderFrame>,
    }

    /// A part of a message that a node of a simulation dropped.
    pub struct LadderDrop {
        /// Node: position in `nodes`, from 0.
        pub node: u32,
        /// Time of the drop, nanoseconds from the trace's epoch.
        pub at: Instant,
        /// Reason for the drop.
        pub reason: DropKind,
    }

    /// Stay of a message in a node, between its arrival and the first frame that took it on.
    pub struct LadderWait {
        /// Node: position in `nodes`, from 0.
        pub node: u32,
        /// Time of arrival, nanoseconds from the trace's epoch.
        pub from: Instant,
        /// Start of the first frame that took it on, nanoseconds from the trace's epoch.
        pub until: Instant,
        /// Reason for the wait.
        pub kind: WaitKind,
    }

    /// Transit of one message over its hops.
    pub struct LadderTransit {
        /// Number of the message in the trace, from 0; null: it is simulated.
        pub message: Option<u32>,
        /// Hops of the message, in order of their beginning.
        pub legs: Vec<LadderLeg>,
        /// Stays of the message in nodes between its hops.
        pub waits: Vec<LadderWait>,
        /// Parts of it that nodes dropped, in order of time; of a simulation only.
        pub drops: Vec<LadderDrop>,
        /// Fate of the message.
        pub ending: EndingKind,
        /// Evidence of the fate.
        pub evidence: Evidence,
        /// Leg on which it died or was last seen: position in `legs`, from 0; null: it arrived, or was never seen.
        pub leg: Option<u32>,
        /// Time of arrival at its destination, nanoseconds from the trace's epoch; null where that was not seen.
        pub at: Option<Instant>,
    }

    /// Recorded copy whose fate and hops a copy of a run takes.
    pub struct LikeView {
        /// Number of its exchange.
        pub exchange: ExchangeId,
        /// Number of the copy in that exchange, from 0.
        pub copy: u32,
        /// Delay of the counterfactual copy against the recorded one, nanoseconds, by which its transit is moved;
        /// negative: it is earlier.
        pub shift: Span,
    }

    /// One copy of the exchange, with its transit.
    pub struct LadderCopy {
        /// Start of its first frame, in a run the time of sending; nanoseconds from the trace's epoch.
        pub sent: Instant,
        /// Timer armed with it; null where nothing tells it.
        pub timer: Option<TimerView>,
        /// Time on the air to the next copy, or to the closing reply, which the timer outlasts; nanoseconds. Null:
        /// neither was seen, or a run.
        pub gap: Option<Span>,
        /// Wait before the air; null in a run, and where no log of the client tells it.
        pub wait: Option<WaitView>,
        /// The timer ran out; else something ended it before.
        pub expired: bool,
        /// Fate of the copy.
        pub fate: FateKind,
        /// Evidence of the fate; `unknown` for modelled copies of a run.
        pub evidence: Evidence,
        /// Round-trip time from this copy to the reply that answers it, nanoseconds; null where none does.
        pub rtt: Option<Span>,
        /// Needless: sent while an earlier copy is answered anyway.
        pub needless: bool,
        /// Reply that answers it: position in `replies`, from 0; null: none, or not known.
        pub reply: Option<u32>,
        /// Transit hop by hop; null where nothing was recorded or simulated: the fate is modelled, the path is not.
        pub transit: Option<LadderTransit>,
        /// In a run, the recorded copy whose fate and hops it takes; null: its fate is modelled, its hops simulated if
        /// any.
        pub like: Option<LikeView>,
    }

    /// One reply to the exchange, with its transit.
    pub struct LadderReply {
        /// Form of the reply.
        pub form: ReplyKind,
        /// Start of its first frame seen, nanoseconds from the trace's epoch.
        pub sent: Instant,
        /// Time of arrival at the client, nanoseconds from the trace's epoch; null: none, or the capture cannot tell.
        pub arrived: Option<Instant>,
        /// Number of the copy it answers, from 0; null: not known.
        pub answers: Option<u32>,
        /// Evidence of the reply matching.
        pub evidence: Evidence,
        /// True for the reply that ended the exchange.
        pub closing: bool,
        /// Transit hop by hop.
        pub transit: LadderTransit,
    }

    /// One exchange hop by hop under one behaviour.
    pub struct LadderSide {
        /// Number of the run; null: as recorded.
        pub run: Option<RunId>,
        /// Replicate whose hops the copies of a run have; null: recorded hops, or none.
        pub simulated: Option<SimulatedView>,
        /// Copies in order of sending; empty where the application did not send the exchange in the run.
        pub copies: Vec<LadderCopy>,
        /// Replies in the order of sending; of a run, those of recorded and of simulated copies only.
        pub replies: Vec<LadderReply>,
        /// Arrival of the reply that ended the exchange, nanoseconds from the trace's epoch; null: no reply did.
        pub end: Option<Instant>,
        /// Outcome of the exchange.
        pub outcome: OutcomeKind,
    }

    /// One exchange hop by hop, recorded and under the runs asked for.
    pub struct LadderView {
        /// Number of the exchange.
        pub exchange: ExchangeId,
        /// Number of the association that the exchange is of.
        pub association: AssociationId,
        /// CoAP Message ID of the request (RFC 7252 §3).
        pub mid: u16,
        /// CoAP token, lower-case hex, two digits an octet, 0 to 8 octets.
        pub token: String,
        /// CoAP method code: `0.03`.
        pub code: String,
        /// Vantage of the association.
        pub vantage: VantageKind,
        /// Position among the exchanges of its association, from 0.
        pub place: u32,
        /// Number of exchanges of the association.
        pub of: u32,
        /// Number of the exchange before it there; null: it is the first.
        pub previous: Option<ExchangeId>,
        /// Number of the exchange after it there; null: it is the last.
        pub next: Option<ExchangeId>,
        /// Nodes of the path, from the client to the server.
        pub nodes: Vec<LadderNode>,
        /// Behaviours: first the recorded one, then the runs in the order asked for.
        pub sides: Vec<LadderSide>,
    }
}
