//! Frames to messages: keys, 6LoWPAN contexts, MAC headers and acknowledgements, datagrams, and messages over their
//! hops.
//!
//! ```text
//! frames ──► link ──► datagram ──► join ──► Message
//!            ACKs     one record   hops of one
//!                     per hop      message
//! ```

pub(crate) mod air_time;
pub(crate) mod context;
pub(crate) mod datagram;
pub(crate) mod join;
pub(crate) mod keyring;
pub(crate) mod link;
pub(crate) mod lowpan;
mod options;
pub(crate) mod series;

pub use context::ContextOrigin;
pub use keyring::LinkKey;
pub use link::acknowledgements;
pub use options::{DecodeOptions, Learned};
