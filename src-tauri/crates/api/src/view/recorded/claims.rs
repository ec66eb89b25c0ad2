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
        /// In between.
        Between,
        /// Every hop.
        Everywhere,
    }
    /// The part that an exchange plays in something larger.
    pub enum RelationKind {
        /// It carries a block of a payload.
        Transfer,
        /// It registered an observation.
        Observation,
        /// It is a notification of an observation.
        Notification,
        /// A proxy or NAT sent it on.
        Onward,
        /// A proxy or NAT sent it for another.
        Behind,
        /// It began together with those of other clients.
        Event,
    }
}

view! {
    /// Requests of the application of a client, from its own log. A capture does not show which requests wait or are dropped.
    #[derive(Copy)]
    pub struct ApplicationView {
        /// Requests issued.
        pub issued: u32,
        /// Requests among those that were issued while more waited behind them.
        pub before_others: u32,
        /// Most that waited at once.
        pub most_waiting: u32,
        /// Messages that were dropped before they became requests.
        pub dropped: u32,
        /// Limit of its queue, where drops show it; replays use it too.
        pub queue: Option<u32>,
    }

    /// An estimated moment that no frame shows.
    #[derive(Copy)]
    pub struct MomentView {
        /// When.
        pub at: Instant,
        /// By how much that may be wrong.
        pub error: Span,
    }

    /// Something larger that an exchange is a part of.
    pub struct RelationView {
        /// Part of the exchange in the relation.
        pub kind: RelationKind,
        /// In a sentence.
        pub said: String,
        /// All exchanges of it, this one among them, in order of start; the first ones where they are very many.
        pub exchanges: Vec<ExchangeId>,
        /// Number of these exchanges in all.
        pub count: u32,
    }

    /// Assumption of a user about one client. Null: as it is estimated.
    pub struct AssumedView {
        /// The association; null: every association without an assumption of its own.
        pub association: Option<AssociationId>,
        /// Place of the capture on the way.
        pub vantage: Option<VantageKind>,
        /// When its application sends.
        pub workload: Option<WorkloadKind>,
        /// Network stack of the nodes, one of those in replies of `trust`; of every association alike.
        pub stack: Option<String>,
    }

    /// Judge a capture by what is said of it. It goes on under a new number, without runs; the old number is gone.
    pub struct AssumeRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// All that is said; what was said before is forgotten.
        pub said: Vec<AssumedView>,
    }
}
