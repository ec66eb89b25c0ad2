//! Scenario of a replay: algorithm, rules, channel, and the detail of the result.

mod setup;

pub(crate) use setup::{Job, Prototype, Realisation, Setup};

use crate::estimate::Unidentified;
use crate::model::{ChannelSpec, LoadResponse, Policy, WorkloadChoice};
use base::{AssociationId, Cancelled, Instant};
use serde_json::Value;

/// Retransmission timer to replay.
#[derive(Clone, PartialEq, Debug)]
pub enum Algorithm {
    /// The recorded timer: the gaps between the recorded copies are its timeouts. Needs no channel model: under every
    /// channel the recorded fates are used and the result is the trace.
    AsRecorded,
    /// A preset of the `rto` registry.
    Preset {
        /// Identifier of the preset.
        id: String,
        /// Overrides of its parameters: an object of values in natural units, or null.
        params: Value,
    },
}

/// Choice to compute the model-free bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Bounds {
    /// Computes `best` and `worst`.
    #[default]
    Compute,
    /// Skips them: `best` and `worst` stay empty.
    Skip,
}

/// Choice to answer the question for another run too.
///
/// The first is *what would have happened in this trace*: a copy sent when one was recorded meets what that one met, so
/// that the recorded timer gives the trace itself. The second is *what would another run show*: the same channel with
/// other random outcomes. Then the exchanges of every replicate are resampled in blocks (`channel/block_bootstrap.rs`).
/// They show how far runs are apart, around the mean that this trace gives. Real runs are other runs: this is what
/// their measures are to be held against ([`crate::calibrate`]). Clients that stay as recorded stay so in both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AnotherRun {
    /// Computes as many replicates more ([`super::Summary::another`], [`super::RunResult::another`]).
    Compute,
    /// Computes another run only: [`super::RunResult::replicates`] are empty. For channels with a model.
    Only,
    /// Computes no other run.
    #[default]
    Skip,
}

/// Choice to keep the distribution of completion times.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CompletionTimes {
    /// Keeps it for every replicate ([`super::RunResult::completions`]).
    Keep,
    /// Keeps no completion times.
    #[default]
    Skip,
}

/// Treatment of the error of a channel as a model ([`crate::model_error`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ModelErrors {
    /// Adds the error of the channel in this network to its replicates ([`crate::model_error::Kind`]).
    #[default]
    Include,
    /// Adds no error: replicates differ by luck and parameters only. For learning the error.
    Exclude,
}

/// Detail kept of the first replicate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Detail {
    /// Keeps metrics only, no steps.
    #[default]
    Metrics,
    /// Keeps the steps of the first replicate, for drawing.
    Steps,
}

/// Treatment of the part of a trace before a replay begins.
///
/// Exchanges that began before that moment are not replayed and not measured, in `recorded` neither, and there are no
/// model-free bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum History {
    /// The whole trace is replayed; estimators start cold.
    #[default]
    None,
    /// The replay begins at `until`, and estimators start cold then.
    Forgotten {
        /// Beginning of the replay.
        until: Instant,
    },
    /// The replay begins at `until`, and estimators start warm: they have met the recorded exchanges that were over by
    /// then, copy by copy and reply by reply.
    Learned {
        /// Beginning of the replay.
        until: Instant,
    },
}

impl History {
    /// Beginning of the replay; `None` where the whole trace is replayed.
    #[must_use]
    pub const fn until(self) -> Option<Instant> {
        match self {
            Self::None => None,
            Self::Forgotten { until } | Self::Learned { until } => Some(until),
        }
    }
}

/// One question to [`crate::Replay`]: a timer, a channel, rules, a workload and a seed.
#[derive(Clone, PartialEq, Debug)]
pub struct Scenario {
    /// Retransmission timer of all clients that have none of their own.
    pub algorithm: Algorithm,
    /// Rules of the sender beside its timer.
    pub policy: Policy,
    /// Channel that gives copies their fates.
    pub channel: ChannelSpec,
    /// Pattern by which the application sends.
    pub workload: WorkloadChoice,
    /// Seed of every random draw. Scenarios to be compared must share it.
    pub seed: u64,
    /// Number of replicates of a modelled channel; [`ChannelSpec::Recorded`] has none.
    pub replicates: u32,
    /// Associations that stay as they were while the others change.
    pub as_recorded: Vec<AssociationId>,
    /// Associations with an algorithm of their own, [`Algorithm::AsRecorded`] included: mixed populations. The first
    /// that names one counts; the rest run [`Scenario::algorithm`].
    pub mixed: Vec<(AssociationId, Algorithm)>,
    /// Beginning of the replay, and state of estimators there.
    pub history: History,
    /// Model-free bounds: computed or skipped; there are none where clients affect one another
    /// ([`ChannelSpec::Loaded`], [`ChannelSpec::Twin`]) and with a [`History`].
    pub bounds: Bounds,
    /// Results of another run: computed, computed alone, or skipped; only with a model of the channel.
    pub another: AnotherRun,
    /// Whether to keep the distribution of completion times.
    pub completions: CompletionTimes,
    /// Treatment of the error of the channel as a model.
    pub model_error: ModelErrors,
    /// Mechanisms of the network twin that are switched off, to see what they do; other channels have none.
    pub without: Vec<twin::Mechanism>,
    /// Detail kept of the first replicate.
    pub detail: Detail,
}

impl Scenario {
    /// Whether the association with this identifier stays as it was recorded.
    #[must_use]
    pub fn stays_as_recorded(&self, id: AssociationId) -> bool {
        let own = self.mixed.iter().find(|(mixed, _)| *mixed == id).map_or(&self.algorithm, |(_, own)| own);
        self.as_recorded.contains(&id) || *own == Algorithm::AsRecorded
    }

    /// Whether the interval of another run is made to enclose that of this trace. Behind a bottleneck medians are whole
    /// services, and other runs, moved to the mean of this trace (`centre_all`, run/result.rs), would lie beside them.
    pub(crate) fn encloses(&self) -> bool {
        matches!(self.channel, ChannelSpec::Loaded { response: LoadResponse::Queue { .. }, .. })
    }

    /// Number of replicates of a result to be reported. Chosen here: 5 % quantiles are then the tenth value from either
    /// end.
    pub const REPLICATES: u32 = 200;
    /// Number of replicates of a first answer while a parameter is being moved. Chosen here for speed: the 90 %
    /// interval is then nearly the range of the sample.
    pub const WHAT_IF: u32 = 20;

    /// Whether there are model-free bounds: they take recorded fates as they are, whatever the load, and all exchanges.
    pub(crate) fn is_bounded(&self) -> bool {
        self.history == History::None
            && !matches!(self.channel, ChannelSpec::Loaded { .. } | ChannelSpec::Twin | ChannelSpec::Auto)
    }

    /// Scenario of `algorithm` with default policy, detected workload, seed 1 and [`Scenario::REPLICATES`].
    #[must_use]
    pub fn new(algorithm: Algorithm, channel: ChannelSpec) -> Self {
        Self {
            algorithm,
            policy: Policy::default(),
            channel,
            workload: WorkloadChoice::Auto,
            seed: 1,
            replicates: Self::REPLICATES,
            as_recorded: Vec::new(),
            mixed: Vec::new(),
            history: History::None,
            bounds: Bounds::Compute,
            another: AnotherRun::Skip,
            completions: CompletionTimes::Skip,
            model_error: ModelErrors::Include,
            without: Vec::new(),
            detail: Detail::Metrics,
        }
    }
}

/// Reason why a run did not happen.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// Algorithm or parameter is unknown, or a value is out of range.
    #[error(transparent)]
    Param(#[from] rto::ParamError),
    /// An association that the record does not have.
    #[error("there is no association {0} in this trace")]
    NoAssociation(AssociationId),
    /// A time or rate that must be positive is not.
    #[error("{0} must be more than zero")]
    NotPositive(&'static str),
    /// The trace does not say how its medium responds to load.
    #[error("the response to load cannot be identified: {0}")]
    Unidentified(#[from] Unidentified),
    /// The capture does not show the machine that a network twin needs.
    #[error("there is no network twin of this capture: {0}")]
    NoTwin(#[from] twin::Refusal),
    /// [`crate::Replay::learn_network`] was not called.
    #[error("the network twin was not inferred from the trace")]
    TwinNotLearned,
    /// [`crate::Replay::choose_channel`] was not called.
    #[error("the channel was not chosen by the capture yet")]
    NotChosen,
    /// `progress` asked to stop.
    #[error("cancelled")]
    Cancelled,
}

impl From<Cancelled> for Error {
    fn from(Cancelled: Cancelled) -> Self {
        Self::Cancelled
    }
}
