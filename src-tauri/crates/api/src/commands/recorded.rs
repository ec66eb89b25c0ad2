//! Commands that a capture answers without replays.

pub(crate) mod alerts;
pub(crate) mod captures;
pub(crate) mod dissect;
pub(crate) mod exchanges;
pub(crate) mod follow;
pub(crate) mod ladder;
pub(crate) mod live;
pub(crate) mod network;
pub(crate) mod packets;
pub(crate) mod plots;
pub(crate) mod step;
