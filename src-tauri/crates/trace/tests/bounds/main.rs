//! Bounds that hold for every input: time, memory, no panic, the same octets.

#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "../bundle/mod.rs"]
mod bundle;
#[path = "../make/mod.rs"]
mod make;

mod bounded;
mod corpus;
mod cut_everywhere;
mod digest;
mod floods;
mod memory;
mod wrong_inputs;
