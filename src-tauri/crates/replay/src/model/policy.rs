//! Rules of the sender besides timeouts and pace: RFC 7252 §4.7 and §4.8, and the rules that the
//! CoCoA drafts put beside their estimator. They are the engine's, so that every algorithm can be run under
//! every rule; the defaults are RFC 7252 without options.

use crate::model::AssociationRecord;
use base::Span;

/// Treatment of a request that has to wait (NSTART, RFC 7252 §4.7).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Application {
    /// The application does as it did when it was recorded ([`AssociationRecord::queue`]); where that is unknown, all
    /// requests wait.
    Recorded,
    /// The application keeps it in a queue of at most `limit` requests, first in, first out; more are dropped.
    Queue {
        /// Greatest number of requests waiting at once.
        limit: u32,
    },
    /// The application drops it, as that of Ancillotti & Bruno 2017 does.
    Drop,
}

impl Application {
    /// Greatest number of requests of `association` that wait at once; `None`: no limit.
    pub(crate) const fn limit(self, association: &AssociationRecord) -> Option<u32> {
        match self {
            Self::Recorded => association.queue,
            Self::Queue { limit } => Some(limit),
            Self::Drop => Some(0),
        }
    }
}

/// First timeouts of a sender without a round-trip sample, with other exchanges open to the destination.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Blind {
    /// The algorithm decides; it knows how many exchanges are open.
    #[default]
    Algorithm,
    /// The first timeout is as with no other exchange open.
    Ignore,
    /// The first timeout times the number of open exchanges, this one included
    /// (draft-bormann-core-cocoa-02 to draft-ietf-core-cocoa-03 §4.1).
    Linear,
    /// The first timeout doubled once per other open exchange (draft-bormann-core-cocoa-01; Betzler et al.
    /// 2014, §II.B).
    Power,
}

impl Blind {
    /// Factor of the first timeout with `others` exchanges open; at least 1.
    #[must_use]
    pub const fn factor(self, others: u32) -> i64 {
        match self {
            Self::Algorithm | Self::Ignore => 1,
            Self::Linear => others as i64 + 1,
            // Spans saturate long before.
            Self::Power => 1 << if others < 62 { others } else { 62 },
        }
    }
}

/// A limit on the exchanges one client has open to all its servers together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Aggregate {
    /// No limit: NSTART holds per server (RFC 7252 §4.7).
    #[default]
    Unlimited,
    /// The aggregate limit of the early CoCoA drafts ([`rto::limits::plimit`]).
    Plimit,
}

/// Changes to the recorded behaviour of the server.
///
/// A record does not say how long a server worked on a request, only how long the round trip was: so its processing
/// time can be made longer, not replaced. When a copy reached it is not recorded either; it is taken to be half a round
/// trip after it was sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Server {
    /// Additional processing time of a request; not negative.
    pub processing: Span,
    /// Whether the server processes each copy as a new request, without the de-duplication of RFC 7252 §4.5. Otherwise
    /// a copy that comes while the answer is being made is answered when that is ready, and a later one at once, with
    /// the stored answer.
    pub repeats: bool,
}

/// Rules of the sender beside its timer, and behaviour of the server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Policy {
    /// Greatest number of exchanges open at once towards one server (NSTART); `None`: as many as the trace shows. 0
    /// counts as 1.
    pub nstart: Option<u8>,
    /// Greatest number of retransmissions before giving up (MAX_RETRANSMIT).
    pub max_retransmit: u8,
    /// Time after which an exchange is given up whatever its timers say (EXCHANGE_LIFETIME): its message ID may be used
    /// again, so a later reply could not be distinguished from another's.
    pub exchange_lifetime: Span,
    /// Treatment of a request that has to wait, for whichever reason.
    pub application: Application,
    /// First timeouts before the first sample of a destination.
    pub blind: Blind,
    /// Lifetime of the state about a server to which nothing is sent; `None`: for ever.
    pub state_lifetime: Option<Span>,
    /// Greatest number of servers that a client keeps state of; the least recently used is forgotten. `None`: all.
    pub destinations: Option<u16>,
    /// Limit on open exchanges to all servers.
    pub aggregate: Aggregate,
    /// Average rate, octets per second, that a server which does not answer may be sent to (PROBING_RATE): after an
    /// exchange was given up, and until something arrives, the next first transmission waits until all that was sent
    /// since the last reply is within it. `None`: not limited. Counted are CoAP payloads and fixed headers
    /// ([`Policy::HEADER`]), the part of a message that a record knows for certain.
    pub probing_rate: Option<u32>,
    /// Behaviour of the server.
    pub server: Server,
}

impl Policy {
    /// MAX_RETRANSMIT: number of retransmissions before giving up, RFC 7252 §4.8.
    pub const MAX_RETRANSMIT: u8 = 4;
    /// EXCHANGE_LIFETIME, RFC 7252 §4.8.2.
    pub const EXCHANGE_LIFETIME: Span = Span::from_secs(247);
    /// Lifetime of state in the CoCoA drafts (draft-ietf-core-cocoa-03 §4.3, recommended; "MUST"
    /// up to draft-ietf-core-cocoa-01; Betzler et al. 2014, §II.B).
    pub const STATE_LIFETIME: Span = Span::from_secs(255);
    /// PROBING_RATE, RFC 7252 §4.8, octets per second.
    pub const PROBING_RATE: u32 = 1;
    /// Fixed header of a CoAP message in octets, RFC 7252 §3.
    pub const HEADER: u16 = 4;

    /// Whether the exchanges of one client's servers depend on each other.
    #[must_use]
    pub(crate) const fn joins_servers(&self) -> bool {
        matches!(self.aggregate, Aggregate::Plimit) || self.destinations.is_some()
    }

    /// Whether learned state may be forgotten.
    #[must_use]
    pub(crate) const fn forgets(&self) -> bool {
        self.state_lifetime.is_some() || self.destinations.is_some()
    }

    /// Whether starts and first timeouts follow from NSTART, the queue and the algorithm alone.
    #[must_use]
    pub(crate) fn is_plain(&self) -> bool {
        !self.joins_servers()
            && !self.forgets()
            && self.probing_rate.is_none()
            && self.blind == Blind::Algorithm
            && self.server.processing == Span::ZERO
    }
}

impl Default for Policy {
    /// RFC 7252 §4.8 with as many open exchanges and as long a queue as the trace shows.
    fn default() -> Self {
        Self {
            nstart: None,
            max_retransmit: Self::MAX_RETRANSMIT,
            exchange_lifetime: Self::EXCHANGE_LIFETIME,
            application: Application::Recorded,
            blind: Blind::Algorithm,
            state_lifetime: None,
            destinations: None,
            aggregate: Aggregate::Unlimited,
            probing_rate: None,
            server: Server::default(),
        }
    }
}

/// Workload to replay: the rule by which requests become ready.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WorkloadChoice {
    /// The workload of each association, as detected in the trace.
    #[default]
    Auto,
    /// Ready times are the recorded ones, independent of earlier exchanges.
    Arrivals,
    /// The next request follows the end of the one it followed in the trace, by the same gap.
    ThinkTime,
}
