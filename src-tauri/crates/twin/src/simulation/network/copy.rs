//! Copies, as callers send them and learn of them.

use base::Instant;

/// A copy of a request, as its sender gives it to the network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Copy {
    /// Position of its association in [`Machine::ends`].
    pub association: u32,
    /// Position of its frame lengths in [`Machine::shapes`].
    pub shape: u32,
    /// Number of the request that it is a copy of, unique in its association.
    pub request: u32,
    /// The caller's identifier of the copy, which returns with its fate.
    pub key: u64,
}

/// Fate of a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The answer reached the client.
    Answered,
    /// The copy did not reach the server.
    RequestLost,
    /// The copy reached the server, and no answer reached the client.
    AnswerLost,
}

/// A copy whose fate is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settled {
    /// Identifier of the copy, as of [`Copy::key`].
    pub key: u64,
    /// Moment at which it was settled: the arrival of the answer, else the loss of the last frame that could have
    /// changed it.
    pub at: Instant,
    /// Fate of the copy.
    pub ending: Ending,
    /// Start of its first frame on the air; `None` where there was none.
    pub aired: Option<Instant>,
}
