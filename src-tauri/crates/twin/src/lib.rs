//! Network twin: the machine that a capture shows, and its simulation frame by frame.
//!
//! Reduced-form channels predict well where the network does not answer to the timers. Where it does (queues fill,
//! cells collide, link-layer retries run out) a model of the machine is needed. In a capture of all hops nearly all of
//! it can be read or computed.
//!
//! ```text
//! trace::Trace ──► infer ──► Machine ──► Simulation::new ──► send, advance ──► Settled
//!                  nodes, MAC, links,    one replicate:       copies in,         fates out,
//!                  routes, traffic       parameters drawn     in order of time   in order of time
//! ```
//!
//! # Layers
//!
//! A module imports only from those above it (`crates/api/tests/house/layers.rs`):
//!
//! * `model`: the machine as plain data, every uncertain parameter with its evidence.
//! * `behaviour`: [`Behaviour`], statistics of frames that nothing is fitted to, of captures and simulations alike.
//! * `ways`: [`Ways`], the way of every copy and of its answer over their hops, from a log.
//! * `inference`: [`infer`], from a trace to a machine, or a [`Refusal`] that says what is missing.
//! * `simulation`: [`Simulation`], sans-IO discrete events in integer time.
//!
//! # What a machine is
//!
//! The twin simulates the network only. Clients, their timers and their applications are the caller's: it calls
//! [`Simulation::send`] when a copy leaves a client, and learns from [`Simulation::advance`] what becomes of it.
//! Servers answer every copy that reaches them.
//!
//! # Logs
//!
//! [`Simulation::with_log`] keeps every frame with its cargo and its fate ([`SimulatedFrame`]) and every packet that
//! was dropped ([`SimulatedDrop`]): for pictures of a copy's hops ([`Ways`]), for captures of a replicate, and for
//! [`infer_simulated`], which learns a machine from it as from a capture, so that the inference can be tested where the
//! truth is known (`tests/calibration`).
//!
//! # Mechanisms
//!
//! [`Simulation::without`] switches a [`Mechanism`] off: what the answer loses with it is what the mechanism does. The
//! page `docs/storm.md` is made of such answers (`replay/tests/storm.rs`).
//!
//! # Determinism
//!
//! Every random number is addressed by seed, replicate, place and time (`base::philox`), never by the order of asking:
//! two timers that send the same frame in the same cell meet the same draw. The same calls give the same fates.

mod behaviour;
mod inference;
mod model;
mod simulation;
mod ways;

pub use behaviour::{Behaviour, Forwarding, Pattern, SENDERS};
pub use inference::{Places, Refusal, infer, infer_before, infer_simulated, lacks_hops, recorded_frames};
pub use model::{
    Acknowledger, AfterBusy, AfterMiss, Background, CellRule, Choice, Constant, Csma, DropReason, Ends, Evidence,
    Known, Limits, Load, Mac, Machine, Matrix, Mechanism, NodeId, NodeWithdrawals, Outage, Parameter, Preset, Queueing,
    Routes, Rules, Shape, SimulatedDrop, SimulatedFrame, Slotframe, Stack, StackCsma, StackFinding, StackKnown,
    StackLimits, StackTsch, Tsch, Window, Withdrawals,
};
pub use simulation::{Copy, Ending, Settled, Simulation, Statistics};
pub use ways::{Hop, Way, Ways};
