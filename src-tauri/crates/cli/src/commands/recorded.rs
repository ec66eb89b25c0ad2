//! Commands that show what a capture holds.

pub(crate) mod dissect;
pub(crate) mod exchanges;
pub(crate) mod follow;
pub(crate) mod info;
pub(crate) mod ladder;
pub(crate) mod network;
pub(crate) mod packets;
