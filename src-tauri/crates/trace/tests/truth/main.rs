//! Readings of captures, scored against ground truth of simulators, motes and live runs.

#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "../bundle/mod.rs"]
mod bundle;
#[path = "../motes/mod.rs"]
mod motes;

mod cooja;
mod fates;
mod live;
mod network;
mod sniffer;
mod times;
mod workload;
