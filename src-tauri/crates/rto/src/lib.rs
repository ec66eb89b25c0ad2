//! Retransmission timeouts of the CoAP literature, sans-IO, reading like the papers.
//!
//! An [`Estimator`] chooses, for one destination, how long to wait for an acknowledgement before the
//! next copy is sent. It holds no clock, no socket, no random source and no open exchange; the engine
//! that drives it owns all of these and passes by reference what the algorithm may see. So one estimator can be
//! replayed over a capture, stepped by a simulator, cloned at any point, or compared with a table printed in a paper.
//!
//! # The contract
//!
//! For every exchange the engine
//!
//! 1. makes a [`Flight`] with the number of exchanges already open to the destination and calls
//!    [`Flight::transmit`], which records the original, calls [`Estimator::on_transmit`] and records
//!    the timeout it returns;
//! 2. when that timeout expires, either calls [`Estimator::on_timeout`] and [`Flight::transmit`]
//!    for the next copy, or gives up with [`Estimator::on_abandon`];
//! 3. when an acknowledgement arrives first, calls [`Estimator::on_ack`] with [`Flight::sample`].
//!
//! Exactly one of `on_ack` and `on_abandon` ends a flight. Flights of one destination may overlap
//! (NSTART > 1); events arrive in order of time. [`exchange::ClientExchange`] makes these calls: it counts
//! the copies, keeps the deadline and ends the exchange by RFC 7252 §4.2.
//!
//! ```
//! use base::{Instant, Span};
//! use rto::{Dither, Flight};
//!
//! # fn main() -> Result<(), rto::ParamError> {
//! let mut cocoa = rto::build("cocoa_plus", &serde_json::Value::Null)?;
//! let mut flight = Flight::new(0);
//! let timeout = flight.transmit(Instant::ZERO, &mut *cocoa, Dither::NONE);
//! assert_eq!(timeout, Span::from_secs(2));
//! let now = Instant::ZERO + Span::from_millis(500);
//! cocoa.on_ack(now, &flight, flight.sample(now, None));
//! assert_eq!(cocoa.state(now).rto, Span::from_millis(1_750));
//! # Ok(())
//! # }
//! ```
//!
//! # Arithmetic
//!
//! Times are integer nanoseconds, weights exact [`Ratio`]s, and each assignment a paper prints is
//! rounded once, half away from zero. Overflow saturates. Sources that compute in whole
//! milliseconds or clock ticks are followed to the unit.
//!
//! # Unimplemented proposals
//!
//! [`unimplemented_proposals()`] lists the proposals that no readable source specifies completely. Where an
//! interpretation can be defended it is a preset marked [`AlgorithmSpec::reading`], which lists its assumptions.
//!
//! # Adding an algorithm
//!
//! Five steps: `ADDING.md`. Forms, reports, the command line and the conformance tests follow. A [`Pacer`] beside
//! the estimator holds first transmissions back; a file of [`user`] presets needs no code.

#[cfg(test)]
extern crate self as rto;

#[cfg(test)]
mod adding;
pub mod algorithms;
pub mod apply;
mod arithmetic;
pub mod drive;
mod estimator;
pub mod exchange;
pub mod limits;
pub mod model;
pub mod optimise;
mod params;
mod parts;
mod registry;
mod spec;

pub use arithmetic::{Dither, Ratio};
pub use estimator::{Estimator, EstimatorState, Flight, Memo, Pacer, PacerState, Sample};
pub use params::{Choice, ParamError, ParamSpec, ParamValue, Scale, Unit, parse_overrides};
pub use registry::algorithm_set::AlgorithmSet;
pub use registry::unimplemented::{UnimplementedProposal, unimplemented_proposals};
pub use registry::user;
pub use registry::{algorithms, build, build_pacer, family_name, spec, specs};
pub use spec::{AlgorithmSpec, Constant, Number, Rank, StateSpec};
