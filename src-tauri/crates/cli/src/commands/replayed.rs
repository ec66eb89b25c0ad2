//! Commands that drive timers over a capture, and those that estimate its channel.

pub(crate) mod calibrate;
pub(crate) mod channel_states;
pub(crate) mod check_again;
pub(crate) mod identify;
pub(crate) mod optimise;
pub(crate) mod replay;
pub(crate) mod study;
pub(crate) mod trust;
