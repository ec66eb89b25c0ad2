//! Commands that show the contents of a capture: packets, exchanges, ladders, networks.

pub(crate) mod dissect;
pub(crate) mod exchanges;
pub(crate) mod follow;
pub(crate) mod info;
pub(crate) mod ladder;
pub(crate) mod network;
pub(crate) mod packets;
