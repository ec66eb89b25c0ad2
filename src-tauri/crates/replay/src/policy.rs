//! What the sender does besides choosing timeouts: RFC 7252 §4.7 and §4.8. PROBING_RATE limits only what
//! is not acknowledged (§4.7), so it does not appear among exchanges of confirmable messages.

use base::Span;

/// What the application does with a request that has to wait (NSTART, RFC 7252 §4.7).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Application {
    /// Keeps it in a queue of at most `limit` requests, first in, first out; more are dropped.
    Queue {
        /// Most requests waiting at once.
        limit: u32,
    },
    /// Drops it, as the application of Ancillotti & Bruno 2017 does.
    Drop,
}

/// The sender's rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Policy {
    /// Most exchanges open at once towards one server; `None`: as many as the trace shows.
    pub nstart: Option<u8>,
    /// Retransmissions before giving up.
    pub max_retransmit: u8,
    /// After this long an exchange is given up whatever its timers say: its message ID may be used
    /// again, so a later reply could not be told from another's.
    pub exchange_lifetime: Span,
    /// What happens to a request that has to wait.
    pub application: Application,
}

impl Policy {
    /// MAX_RETRANSMIT, RFC 7252 §4.8.
    pub const MAX_RETRANSMIT: u8 = 4;
    /// EXCHANGE_LIFETIME, RFC 7252 §4.8.2.
    pub const EXCHANGE_LIFETIME: Span = Span::from_secs(247);
}

impl Default for Policy {
    /// RFC 7252 §4.8 with as many open exchanges as the trace shows and an unlimited queue.
    fn default() -> Self {
        Self {
            nstart: None,
            max_retransmit: Self::MAX_RETRANSMIT,
            exchange_lifetime: Self::EXCHANGE_LIFETIME,
            application: Application::Queue { limit: u32::MAX },
        }
    }
}

/// Which workload to replay.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WorkloadChoice {
    /// Per association, as detected in the trace.
    #[default]
    Auto,
    /// Ready times are the recorded ones, whatever happened before.
    Arrivals,
    /// The next request follows the end of the one it followed in the trace, by the same gap.
    ThinkTime,
}
