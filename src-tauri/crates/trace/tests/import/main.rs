//! Files to frames: containers, radio logs, damage, merging, files that grow.

#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "../make/mod.rs"]
mod make;

mod annotations;
mod damage;
mod drops;
mod errors;
mod formats;
mod merge;
mod records;
mod shared;
mod stdin;
mod tail;
mod unpack;
mod zep;
