//! Models that need no trace: the transmission rate of Lee, Kim & Youn 2016, and the expected course of an exchange
//! for any algorithm on a path of constant round trip and loss.
//!
//! Models are statistics: numbers are `f64` and seconds here.

mod lee;
mod outlook;

pub use lee::{Rate as LeeRate, base as lee_base, proposed as lee_proposed};
pub use outlook::{Outlook, Path, outlook};
