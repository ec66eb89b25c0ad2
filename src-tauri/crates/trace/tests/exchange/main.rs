//! Messages to exchanges, their relations and judgement; ladders and the network.

#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "../bundle/mod.rs"]
mod bundle;
#[path = "../make/mod.rs"]
mod make;
#[path = "../talk/mod.rs"]
mod talk;

mod ladder;
mod ladder_cooja;
mod network;
mod reconstruct;
mod relations;
mod vantage;
