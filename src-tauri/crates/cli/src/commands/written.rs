//! Commands that write files.

pub(crate) mod export;
pub(crate) mod figure;
pub(crate) mod report;
