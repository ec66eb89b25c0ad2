//! Commands on timers that need no capture.

pub(crate) mod algorithms;
pub(crate) mod apply;
pub(crate) mod drive;
