//! The network twin against the prototypes of `shared/design/twin`: on the same parameter files both give the same
//! distributions. The prototypes' replicates are in `tsch/replicates.txt` and `csma/replicates.txt`, with the commands
//! that made them.

#![allow(clippy::unwrap_used, reason = "tests")]

mod csma;
mod samples;
mod timers;
mod tsch;
