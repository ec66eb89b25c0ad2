//! Requests and replies about files: exports, figures, sessions, reports.

pub(crate) mod export;
pub(crate) mod figure;
pub(crate) mod report;
pub(crate) mod session;
pub(crate) mod study;
