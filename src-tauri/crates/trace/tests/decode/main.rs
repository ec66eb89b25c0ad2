//! Frames to messages, packet lists and logs of motes.

#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "../bundle/mod.rs"]
mod bundle;
#[path = "../make/mod.rs"]
mod make;

mod ip;
mod link;
mod mote_log;
mod order;
mod packets;
mod tshark;
