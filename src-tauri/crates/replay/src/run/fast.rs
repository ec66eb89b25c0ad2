//! Fast form of many runs: scenarios that meet the same channel share its draws.

mod batch;

pub(super) use batch::{Done, batches};
