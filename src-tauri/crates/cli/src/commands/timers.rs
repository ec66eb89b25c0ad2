//! Commands that need no capture.

pub(crate) mod algorithms;
pub(crate) mod drive;
