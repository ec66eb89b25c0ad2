//! Live capture: octets of sniffers to frames, frames to a file as they come.
//!
//! ```text
//! dongle ──► transport ──► protocol ──► Heard ──► Recording ──► pcapng ──► readers
//!            device/…      decode/…      frame     disk first
//! ```
//!
//! [`decode`] is sans-IO: octets in, frames and counts out, nothing read or written, no clock. [`device`] opens
//! devices to listen to. [`output`] puts whole files in their places. [`recording`] appends whole blocks to a pcapng
//! file. [`capture`] runs devices into a recording until the capture is stopped.
//!
//! Received frames are on the disk before anything else sees them. Frames that are not received are counted: by the
//! device (its own counters), on the way (damaged records, missing numbers), or by the disk.
//!
//! This crate is input and output: unlike all others below `api` it reads the clock, in the module `clock` only.

pub mod capture;
mod clock;
pub mod decode;
pub mod device;
#[doc(hidden)]
pub mod fuzz;
pub mod output;
pub mod recording;
pub mod stop;

pub use capture::{Capture, Report, State, capture};
pub use decode::{Heard, Tally};
pub use device::{Device, Listed, list};
pub use recording::Recording;
