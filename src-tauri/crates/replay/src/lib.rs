//! Counterfactual replay: what would a capture have looked like with another retransmission timer?
//!
//! Feeding recorded round trips to another estimator is biased: it would have sent copies at moments for which the
//! capture has none, and started its next exchanges at other times. So the question is split into parts that are tested
//! apart.
//!
//! ```text
//! trace ──► Record ──► Replay::new ──► Replay::run(&Scenario) ──► RunResult
//!           fates      channel          engine × channel ×        per metric: recorded, bounds,
//!           of copies  statistics       replicates, bounds        mean, 90 % interval, support
//! ```
//!
//! # Layers
//!
//! A module imports only from those above it (`crates/api/tests/house/layers.rs`):
//!
//! * `model`: the record, the sender's rules, workloads, the channel asked for, random streams.
//! * `estimate`: autocorrelation and donors, the two-state channel of each path, response to load, queue at a
//!   bottleneck.
//! * `channel`: the fate of a copy sent at any moment: recorded, empirical, Gilbert–Elliott, under load, behind a
//!   bottleneck, through the network twin.
//! * `engine`: the event loop of clients, on the client exchange of [`rto::exchange`].
//! * `scenario`: what a run is asked for, checked and resolved.
//! * `metrics`, `bounds`: measures of a run; their ranges without a channel model.
//! * `run`: replicates, threads, summaries. [`calibrate`], [`identify`] and [`sensitivity`] use it, and [`trust`] on
//!   top.
//!
//! # The interface
//!
//! * [`Record`]: exchanges, copies and their fates, "unknown" included; [`Record::from_trace`], [`Record::new`].
//! * [`Replay`]: a record made ready. [`Replay::run`] and [`Replay::run_all`] take [`Scenario`]s and a
//!   [`base::Progress`]; [`Replay::recorded`] are the trace's own metrics; [`Replay::channel_statistics`] are its
//!   autocorrelations.
//! * [`Scenario`]: [`Algorithm`], [`Policy`], [`ChannelSpec`], [`WorkloadChoice`], seed, replicates, clients that stay
//!   as recorded, whether to compute [`Bounds`], and how much [`Detail`] to keep.
//! * [`RunResult`]: a [`Summary`] per [`MetricName`], overall and per association; the [`Values`] of every replicate;
//!   the [`Steps`] of the first.
//! * [`Replay::frames`]: a replicate of the network twin again, with every frame and drop.
//! * [`difference`]: two results compared replicate by replicate.
//! * [`calibrate`]: predictions scored against real runs.
//! * [`stats`]: quantiles, intervals, the paired bootstrap.
//!
//! # What a result claims
//!
//! `recorded` is the trace, measured by the same code. `best` and `worst` use no model of the channel (module
//! `bounds`): they hold for every algorithm. They are narrow for one that learns nothing; once one that learns has met
//! something that was not recorded, they are those of *any* timer. `mean`, `lo90` and `hi90` are the modelled answer
//! over replicates of the channel. `support` is the share of copies whose fate was recorded rather than sampled or
//! assumed: the smaller it is, the more of the answer is the model's.
//!
//! If the capture cannot tell which copy a reply answers, the bounds allow every possibility, and the modelled answer
//! imputes one in every replicate: to leave such exchanges out would make a one-sided capture look like a path without
//! losses.
//!
//! # What it does not claim
//!
//! * The same exchanges are replayed, however long they take: a faster timer in a closed loop finishes sooner rather
//!   than sending more. Rates are comparable, counts are the trace's.
//! * Beyond the ends of the trace the channel is that near its ends.
//! * Ready times of requests that queued behind another one are not on the air; the recorded start stands in for them,
//!   so a faster timer cannot start them earlier.
//! * Clients affect one another's copies under [`ChannelSpec::Loaded`] and [`ChannelSpec::Twin`] only.
//! * Durations begin with the first transmission: the time that a pacer or a queue costs a request is
//!   [`RunResult::queued`].
//! * Estimators start cold unless a [`History`] is given.
//!
//! # Determinism
//!
//! Every random number is addressed by its purpose (seed, replicate, association, exchange or time, attempt), never by
//! the order of asking. The same scenario gives the same bytes for any number of threads, and two scenarios with one
//! seed meet the same channel at the same moments.

mod bounds;
pub mod calibrate;
mod channel;
mod engine;
mod estimate;
pub mod identify;
mod metrics;
mod model;
mod run;
mod scenario;
pub mod sensitivity;
mod stage;
pub mod stats;
pub mod trust;

pub use channel::{Channel, FrameLog, Met, Sent, Settled, Support};
pub use engine::{States, StepKind, Steps};
pub use estimate::{
    Autocorrelation, ChannelStates, ChannelStatistics, Delay, Estimate, Fit, GilbertElliott, Limit, LoadFit, LoadStep,
    PathChannelState, QueueFit, Residuals, Response, Scope, Unidentified, Verdict,
};
pub use metrics::{Completions, Curve, MetricName, Values};
pub use model::{
    Aggregate, Application, AssociationRecord, Base, Blind, ChannelSpec, CopyRecord, ExchangeRecord, FastPaths, Fate,
    Hops, LoadResponse, Medium, Node, Outcome, Policy, Record, Server, Workload, WorkloadChoice, bootstrap_words,
};
pub use run::model_error;
pub use run::{
    Agreement, AssociationResult, Begun, Check, ChosenChannel, CopyOrigin, Difference, Forecast, Gate, GateKind,
    Measure, Misplaced, Mode, Modes, Replay, ReplicateFrames, RunResult, Share, SimulatedCopy, Subject, Summary, Why,
    difference,
};
pub use scenario::{Algorithm, AnotherRun, Bounds, CompletionTimes, Detail, Error, History, ModelErrors, Scenario};
pub use twin::{
    DropReason, Hop, Known, Load, Machine, Mechanism, NodeId, Parameter, Pattern, Refusal, SimulatedDrop,
    SimulatedFrame, Stack, StackFinding, StackKnown, Way,
};
