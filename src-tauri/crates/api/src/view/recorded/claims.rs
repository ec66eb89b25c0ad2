//! Estimates about clients and exchanges, each with its error; and the assumptions of a user that replace them.

use crate::view::{CaptureId, WorkloadKind};
use base::{AssociationId, ExchangeId, Instant, Span};
use serde::{Deserialize, Serialize};

choice! {
    /// Place on the path at which an association was captured.
    pub enum VantageKind {
        /// Taken at the client.
        Client,
        /// Taken at the server.
        Server,
        /// Taken on the way between them.
        Between,
        /// Every hop was seen, from client to server.
        Everywhere,
    }
    /// Part that an exchange plays in something larger.
    pub enum RelationKind {
        /// Carries a block of a payload (block-wise transfer, RFC 7959).
        Transfer,
        /// Registered an observation (RFC 7641).
        Observation,
        /// Is a notification of an observation (RFC 7641).
        Notification,
        /// Was sent on by a proxy or NAT.
        Onward,
        /// Was sent by a proxy or NAT for another client.
        Behind,
        /// Began together with those of other clients.
        Event,
    }
}

view! {
    /// Requests of the application of a client, from its own log. A capture does not show which requests wait or are
    /// dropped.
    #[derive(Copy)]
    pub struct ApplicationView {
        /// Number of requests that the application issued.
        pub issued: u32,
        /// Number of requests among those that were issued while more waited behind them.
        pub before_others: u32,
        /// Greatest number of requests that waited at once.
        pub most_waiting: u32,
        /// Number of messages that were dropped before they became requests.
        pub dropped: u32,
        /// Greatest number of requests that may wait, where drops show it; replays use it too. Null: no limit is known.
        pub queue: Option<u32>,
    }

    /// An estimated moment that no frame shows.
    #[derive(Copy)]
    pub struct MomentView {
        /// Estimated time, nanoseconds from the trace's epoch.
        pub at: Instant,
        /// Greatest error of the time to either side, nanoseconds.
        pub error: Span,
    }

    /// A transfer, an observation, a proxy pair or an event that an exchange is a part of.
    pub struct RelationView {
        /// Part of the exchange in the relation.
        pub kind: RelationKind,
        /// The relation in one sentence.
        pub said: String,
        /// Exchanges of the relation, this one among them, in order of start; the first ones where they are very many.
        pub exchanges: Vec<ExchangeId>,
        /// Number of exchanges of the relation in all.
        pub count: u32,
    }

    /// Assumption of a user about one client. Null: not assumed, estimated.
    pub struct AssumedView {
        /// Number of the association; null: every association without an assumption of its own.
        pub association: Option<AssociationId>,
        /// Place of the capture on the path.
        pub vantage: Option<VantageKind>,
        /// Workload of its application.
        pub workload: Option<WorkloadKind>,
        /// Identifier of the nodes' network stack, one of those in replies of `trust`; it holds for all associations.
        pub stack: Option<String>,
    }

    /// Request: judge a capture under assumptions. It goes on under a new number, without runs; the old number is gone.
    pub struct AssumeRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// All assumptions; those made before are forgotten.
        pub said: Vec<AssumedView>,
    }
}
