//! Request and reply of the ladder: one exchange hop by hop, recorded and under runs.

use crate::view::{
    CaptureId, Delivery, Evidence, LadderRole, ReplyKind, RunId, TimerView, VantageKind, WaitKind, WaitView,
};
use base::{AssociationId, ExchangeId, FrameId, Instant, Span};
use serde::{Deserialize, Serialize};
use table::columns::{FateKind, OutcomeKind};

choice! {
    /// Fate of a message.
    pub enum EndingKind {
        /// The node of its destination had all of it; what it did with that no capture shows.
        Arrived,
        /// The Cooja log says that the addressed node did not receive it.
        NotReceived,
        /// A fragment of it never went on the air.
        Incomplete,
        /// Link-layer ACKs are captured in general, and none came.
        NotAcknowledged,
        /// A node had it and was not seen to send it on.
        NotSentOn,
        /// The capture cannot tell.
        Unknown,
    }
}

view! {
    /// Ask for one exchange hop by hop.
    pub struct LadderRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Number of the exchange.
        pub exchange: ExchangeId,
        /// Runs to show beside the recorded behaviour.
        #[serde(default)]
        pub runs: Vec<RunId>,
    }

    /// A node, in the order of the path.
    pub struct LadderNode {
        /// Name for people.
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
        /// Number of the frame, from 0.
        pub frame: FrameId,
        /// Piece of the datagram, from 0.
        pub fragment: u32,
        /// Number of times the fragment had been sent on this hop by then, from 1.
        pub attempt: u32,
        /// MAC sequence number.
        pub seq: Option<u32>,
        /// Its start.
        pub start: Instant,
        /// Its last octet, at 32 µs an octet.
        pub end: Instant,
        /// Delivery to the addressed node.
        pub delivery: Delivery,
        /// The frame that acknowledged it.
        pub ack: Option<FrameId>,
        /// End of that frame.
        pub acked: Option<Instant>,
    }

    /// One message on one hop.
    pub struct LadderLeg {
        /// Sending node: position in `nodes`.
        pub from: u32,
        /// Addressed node.
        pub to: u32,
        /// Start of the first frame.
        pub sent: Instant,
        /// End of the frame that completed it there; null: not all of it went on the air.
        pub arrived: Option<Instant>,
        /// Delivery to `to`.
        pub delivery: Delivery,
        /// Fragments seen; 1 for a datagram in one frame.
        pub fragments: u32,
        /// Start of the first frame to the end of the last acknowledgement needed; null: not all acknowledged.
        pub mac_delay: Option<Span>,
        /// It had been sent on this link before.
        pub duplicate: bool,
        /// IPv6 hop limit.
        pub hop_limit: u32,
        /// Its frames in the order of the capture.
        pub frames: Vec<LadderFrame>,
    }

    /// A message in a node, between arrival and the first frame that took it on.
    pub struct LadderWait {
        /// Position in `nodes`.
        pub node: u32,
        /// It had arrived.
        pub from: Instant,
        /// First frame that took it on.
        pub until: Instant,
        /// Why.
        pub kind: WaitKind,
    }

    /// One message on its way.
    pub struct LadderTransit {
        /// Number of the message.
        pub message: u32,
        /// Its hops, in order of their beginning.
        pub legs: Vec<LadderLeg>,
        /// Its waits.
        pub waits: Vec<LadderWait>,
        /// Fate of the message.
        pub ending: EndingKind,
        /// Evidence of the fate.
        pub evidence: Evidence,
        /// The leg on which it died or was last seen; null: it arrived, or was never seen.
        pub leg: Option<u32>,
        /// When it arrived, where that was seen.
        pub at: Option<Instant>,
    }

    /// A recorded copy that a counterfactual one is taken to be.
    pub struct LikeView {
        /// Its exchange.
        pub exchange: ExchangeId,
        /// Its number, from 0.
        pub copy: u32,
        /// Delay of the counterfactual copy against the recorded one; its transit is moved by this.
        pub shift: Span,
    }

    /// One copy.
    pub struct LadderCopy {
        /// Start of its first frame; in a run: when it is sent.
        pub sent: Instant,
        /// Timer armed with it; null where nothing tells it.
        pub timer: Option<TimerView>,
        /// Time on the air to the next copy, or to the closing reply, which the timer outlasts. Null: neither was seen, or a run.
        pub gap: Option<Span>,
        /// Wait before the air, where the client's log tells it.
        pub wait: Option<WaitView>,
        /// The timer ran out; else something ended it before.
        pub expired: bool,
        /// Fate of the copy.
        pub fate: FateKind,
        /// Evidence of the fate; `unknown` for modelled copies of a run.
        pub evidence: Evidence,
        /// To its reply.
        pub rtt: Option<Span>,
        /// It need not have been sent.
        pub needless: bool,
        /// The reply that answers it: position in `replies`.
        pub reply: Option<u32>,
        /// Hop by hop; null where nothing was recorded: the fate is modelled, and how the copy got it is not.
        pub transit: Option<LadderTransit>,
        /// In a run: the recorded copy whose fate and hops it takes; null: its fate is modelled.
        pub like: Option<LikeView>,
    }

    /// One reply.
    pub struct LadderReply {
        /// Form of the reply.
        pub form: ReplyKind,
        /// Start of its first frame seen.
        pub sent: Instant,
        /// When the client had it; null: it did not, or the capture cannot tell.
        pub arrived: Option<Instant>,
        /// The copy it answers, from 0.
        pub answers: Option<u32>,
        /// Evidence of the reply matching.
        pub evidence: Evidence,
        /// It ended the exchange.
        pub closing: bool,
        /// Hop by hop.
        pub transit: LadderTransit,
    }

    /// One behaviour.
    pub struct LadderSide {
        /// Null: as recorded.
        pub run: Option<RunId>,
        /// Copies in time order.
        pub copies: Vec<LadderCopy>,
        /// Replies in the order of sending; of a run, those of recorded copies only.
        pub replies: Vec<LadderReply>,
        /// When it ended with a reply.
        pub end: Option<Instant>,
        /// Outcome.
        pub outcome: OutcomeKind,
    }

    /// One exchange hop by hop.
    pub struct LadderView {
        /// Number of the exchange.
        pub exchange: ExchangeId,
        /// Its association.
        pub association: AssociationId,
        /// Message ID.
        pub mid: u16,
        /// Token, lower-case hex.
        pub token: String,
        /// Method.
        pub code: String,
        /// Vantage of the association.
        pub vantage: VantageKind,
        /// Its place among the exchanges of its association, from 0.
        pub place: u32,
        /// Number of exchanges of the association.
        pub of: u32,
        /// The exchange before it there.
        pub previous: Option<ExchangeId>,
        /// The exchange after it there.
        pub next: Option<ExchangeId>,
        /// From the client to the server.
        pub nodes: Vec<LadderNode>,
        /// First the recorded behaviour, then the runs in the order asked for.
        pub sides: Vec<LadderSide>,
    }
}
