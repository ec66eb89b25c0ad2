//! The algorithms: one file or folder each, with its parameters, its estimator and its presets.
//!
//! [`crate::algorithms()`] lists the presets; those with a pace of their own are in [`paced`].

pub(crate) mod accb;
pub(crate) mod basic;
pub(crate) mod californium;
pub(crate) mod coap;
pub(crate) mod cocoa;
pub(crate) mod cocoa_pp;
pub(crate) mod ecoap;
pub(crate) mod eifel;
pub(crate) mod eifel_ticks;
pub(crate) mod erbium;
pub(crate) mod fasor;
#[cfg(test)]
pub(crate) mod fixed;
pub(crate) mod gamma;
pub(crate) mod lee2016;
pub(crate) mod libcoap;
pub(crate) mod linux;
pub(crate) mod linux_kernel;
pub mod paced;
pub(crate) mod peak_hopper;
pub(crate) mod rfc6298;
