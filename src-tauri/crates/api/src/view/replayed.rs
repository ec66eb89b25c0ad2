//! Requests and replies about replays, and about what they rest on.

pub(crate) mod channel_states;
pub(crate) mod check_again;
pub(crate) mod distribution;
pub(crate) mod identify;
pub(crate) mod measured;
pub(crate) mod metrics;
pub(crate) mod optimise;
pub(crate) mod policy;
pub(crate) mod replay;
pub(crate) mod sensitivity;
pub(crate) mod trust;
pub(crate) mod trust_level;
