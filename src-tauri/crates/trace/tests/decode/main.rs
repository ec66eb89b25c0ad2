//! Frames to messages, packet lists, logs of motes and lists of nodes.

#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "../bundle/mod.rs"]
mod bundle;
#[path = "../make/mod.rs"]
mod make;

mod ip;
mod link;
mod mote_log;
mod node_list;
mod order;
mod packets;
mod tshark;
