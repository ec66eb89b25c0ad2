//! The algorithms: one file or folder each, with its parameters, its estimator and its presets.
//!
//! [`crate::algorithms()`] lists the presets; those with a pace of their own are in [`paced`].

pub(crate) mod coap;
pub(crate) mod cocoa;
pub(crate) mod cocoa_pp;
pub(crate) mod ecoap;
#[cfg(test)]
pub(crate) mod fixed;
pub(crate) mod libraries;
pub mod paced;
pub(crate) mod proposals;
pub(crate) mod tcp;
