//! Commands that replay a capture under other timers, and those that estimate its channel.

pub(crate) mod channel_states;
pub(crate) mod check_again;
pub(crate) mod distribution;
pub(crate) mod identify;
pub(crate) mod measured;
pub(crate) mod optimise;
pub(crate) mod replays;
pub(crate) mod sensitivity;
