//! Simulation-based calibration of the inference (Talts et al., "Validating Bayesian inference algorithms with
//! simulation-based calibration", 2018): networks are drawn from a prior, simulated, and inferred from the log of their
//! frames. The ranks of the true receptions within their posteriors must be uniform; schedules, stacks and attempts
//! must be found exactly.

#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "../build/mod.rs"]
mod build;
mod csma;
mod ranks;
mod tsch;
