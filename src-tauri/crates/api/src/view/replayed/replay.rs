//! Requests and replies about replays: channels, runs, measures, sweeps.

use crate::view::{CaptureId, PolicyView, RunId, TrustKind};
use base::{AssociationId, Instant, Span};
use replay::{ChannelSpec, History, WorkloadChoice};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

const fn yes() -> bool {
    true
}

choice! {
    /// Source of the fates of counterfactual copies.
    pub enum ChannelKind {
        /// The one of the others that the capture supports best: the network twin where it is right about its own
        /// capture.
        Auto,
        /// Model-free: only what was recorded; everything else stays open (bounds).
        Recorded,
        /// Sampled from recorded copies of the same path near in time.
        Empirical,
        /// Good and bad channel states, fitted to each path and drawn afresh in every replicate.
        GilbertElliott,
        /// `Empirical`, moved by the load that all clients put on the medium together, refused where the
        /// capture does not show how it responds.
        Loaded,
        /// `GilbertElliott`, moved by the load as `Loaded` is.
        LoadedGilbertElliott,
        /// `Empirical` behind a bottleneck: one node that serves the copies and replies of all clients one after the
        /// other, and drops what it has no room for; refused where the capture does not show how it works.
        Queued,
        /// The network twin: queues, cells, contention and link retries, simulated frame by frame; refused where the
        /// capture does not show the machine.
        Twin,
    }
    /// Workload model: the time at which the application would have sent.
    pub enum WorkloadKind {
        /// The model that was detected for each association.
        Auto,
        /// Ready times do not depend on earlier exchanges.
        Arrivals,
        /// The next request follows the end of the previous one.
        ThinkTime,
    }
}

view! {
    /// An algorithm with overrides of its parameters.
    pub struct AlgorithmChoice {
        /// Preset id, of the registry or of the user's presets.
        pub id: String,
        /// Overrides by name of parameter, in its natural unit (seconds, ratios); empty for the preset as published.
        #[serde(default)]
        #[cfg_attr(feature = "ts", ts(type = "Record<string, number | string | boolean>"))]
        pub params: serde_json::Map<String, serde_json::Value>,
    }

    /// Request: replay a capture under other algorithms.
    pub struct ReplayRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Algorithms to compare; empty: the six of a first comparison, and the user's own presets.
        pub algorithms: Vec<AlgorithmChoice>,
        /// Channel model, which decides the fates of copies.
        pub channel: ChannelKind,
        /// Workload model, which decides when applications would have sent.
        pub workload: WorkloadKind,
        /// Seed of every random draw; equal requests give equal replies.
        pub seed: u32,
        /// Number of replicates, 1..=10000.
        pub replicates: u32,
        /// Baseline of differences: position in `algorithms`, from 0; null: the recorded behaviour.
        #[serde(default)]
        pub baseline: Option<u32>,
        /// Clients that are replayed, and the time from which they are; absent: all.
        #[serde(default, skip_serializing_if = "PartView::is_all")]
        #[cfg_attr(feature = "ts", ts(as = "Option<PartView>", optional))]
        pub part: PartView,
        /// Compute the model-free bounds too, and the intervals of another run; without them an answer comes in a third
        /// of the time.
        #[serde(default = "yes")]
        pub bounds: bool,
        /// Other rules of the sender and the server.
        #[serde(default, skip_serializing_if = "PolicyView::is_default")]
        #[cfg_attr(feature = "ts", ts(as = "Option<PolicyView>", optional))]
        pub policy: PolicyView,
    }

    /// Part of a capture that is replayed, the question of a deployment: its clients and its beginning. Default: all.
    #[derive(Default)]
    pub struct PartView {
        /// Numbers of the associations whose clients stay as they were recorded.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(as = "Option<Vec<AssociationId>>", optional))]
        pub as_recorded: Vec<AssociationId>,
        /// Beginning of the replay; absent: that of the trace.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub start: Option<StartView>,
    }

    /// Beginning of a replay within a trace.
    #[derive(Copy)]
    pub struct StartView {
        /// Time, nanoseconds from the trace's epoch; exchanges that began before are neither replayed nor measured.
        pub at: Instant,
        /// Estimators have learned from the recorded exchanges before it; else they start as new.
        pub warm: bool,
    }

    /// One of two modes of a measure, in its unit.
    #[derive(Copy)]
    pub struct ModeView {
        /// Mean over the replicates of the mode.
        pub mean: f64,
        /// 5th percentile over the replicates of the mode.
        pub lo90: f64,
        /// 95th percentile over the replicates of the mode.
        pub hi90: f64,
        /// 5th and 95th percentile over other runs that end in this mode; null where there are none.
        pub another: Option<(f64, f64)>,
    }

    /// Two modes of a run: some replicates end fast, the others collapse. A mean over both describes neither.
    #[derive(Copy)]
    pub struct ModesView {
        /// Share of the replicates that collapse, 0 to 1: P(collapse).
        pub slow: f64,
        /// Lower end of its 90 % interval, 0 to 1.
        pub lo90: f64,
        /// Upper end of its 90 % interval, 0 to 1.
        pub hi90: f64,
        /// Mean completion time of a replicate that parts the two, seconds.
        pub boundary: f64,
    }

    /// One measure of one run, in the unit of [`MetricSpec::unit`]. Null where it does not apply.
    pub struct MetricView {
        /// Value in the trace itself; an expectation where it rests on fates that the capture leaves open.
        pub recorded: Option<f64>,
        /// Least and greatest value that these fates allow; absent where all are known, and of a part of the capture.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub recorded_range: Option<(f64, f64)>,
        /// Model-free bound on the worse side of this measure; null where bounds were not asked for or do not hold.
        pub worst: Option<f64>,
        /// Model-free bound on the better side of this measure; null where bounds were not asked for or do not hold.
        pub best: Option<f64>,
        /// Mean over replicates; null where they have two modes, and without a channel model.
        pub mean: Option<f64>,
        /// 5th percentile over replicates: the recorded trace, with its luck, under the timer.
        pub lo90: Option<f64>,
        /// 95th percentile over replicates, likewise.
        pub hi90: Option<f64>,
        /// 5th and 95th percentile of another run under the same channel statistics, with luck of its own; null where
        /// it was not asked for.
        pub another: Option<(f64, f64)>,
        /// Values in the replicates that end fast, then in those that collapse; absent for a run with one mode.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub modes: Option<(ModeView, ModeView)>,
        /// Support: share of copies whose fate was recorded, 0 to 1.
        pub support: Option<f64>,
    }

    /// Paired difference of a measure to the baseline, in its unit: same replicate, same channel states.
    pub struct DifferenceView {
        /// Mean of the differences, this run minus the baseline.
        pub mean: f64,
        /// 5th percentile over replicates.
        pub lo90: f64,
        /// 95th percentile over replicates.
        pub hi90: f64,
        /// 5th and 95th percentile of the difference in another run; null where it was not asked for.
        pub another: Option<(f64, f64)>,
        /// Differences in the fast and in the slow mode, where the run or the baseline has two; `mean` then describes
        /// no run. Absent else.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub modes: Option<(ModeView, ModeView)>,
    }

    /// Verdict of a replay in words, the same in every place that says it.
    pub struct AnswerView {
        /// One sentence: the timer that completes exchanges sooner than the recorded one, or that this cannot be told.
        pub headline: String,
        /// Limits of the verdict and facts that come with it, a sentence or two each.
        pub details: Vec<String>,
    }

    /// The replicate of the network twin whose frames can be shown.
    #[derive(Copy)]
    pub struct SimulatedView {
        /// Number of the replicate, from 1: the one that the lanes of the run show.
        pub replicate: u32,
        /// Number of all replicates of the run.
        pub of: u32,
        /// Seed of every draw.
        pub seed: u32,
    }

    /// Run of one algorithm.
    pub struct RunView {
        /// Number of the run, for requests of its lanes, steps and states.
        pub run: RunId,
        /// Algorithm as it was asked for.
        pub algorithm: AlgorithmChoice,
        /// Name for people, with the values that are its own: `CoCoA+, Strong K 3`.
        pub name: String,
        /// Verdict on this timer alone, whatever differences are taken to.
        pub verdict: AnswerView,
        /// Verdict on whether the recorded behaviour is a usual run of this timer through the network twin, of use
        /// where it is the timer that was running. Absent through other channels, and without completion times.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub self_replay: Option<AnswerView>,
        /// Measures by name ([`MetricSpec::name`]).
        pub metrics: BTreeMap<String, MetricView>,
        /// Paired differences to the baseline by name of measure.
        pub differences: BTreeMap<String, DifferenceView>,
        /// Two modes of the run; absent where one explains the replicates.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub modes: Option<ModesView>,
        /// Replicate whose frames can be shown, simulated: that of the lanes. Absent through channels that simulate
        /// none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub simulated: Option<SimulatedView>,
        /// Support: share of copies whose fate was recorded, 0 to 1, over all replicates; null through the network
        /// twin, which samples none.
        pub support: Option<f64>,
        /// Number of copies in the first replicate, which is drawn; one entry per association.
        pub copies: Vec<u32>,
        /// Number of needless copies among them; one entry per association.
        pub needless: Vec<u32>,
        /// 95th percentile of completion times in the same replicate, nanoseconds, one entry per association; null
        /// where nothing is answered.
        pub completion_p95: Vec<Option<Span>>,
    }

    /// Result of a replay.
    pub struct ReplayView {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Runs in the order asked for; equal settings share a run.
        pub runs: Vec<RunView>,
        /// Verdict on all runs, without measured values of real runs: those are in the reply of the command `verdict`.
        pub verdict: AnswerView,
        /// Channel that the capture chose, and why; absent where the request named one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub chosen: Option<ChosenChannelView>,
        /// All measures, in display order.
        pub metrics: Vec<MetricSpec>,
        /// Unusual rules and the part of the capture in words, for files without a caption; absent where all is usual.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub settings: Option<String>,
    }

    /// A channel that the capture chose.
    pub struct ChosenChannelView {
        /// Channel model; never `auto`.
        pub channel: ChannelKind,
        /// Reason for the choice, in one sentence that begins with the name of the channel.
        pub why: String,
        /// Trust in the answers of this replay.
        pub trust: TrustKind,
    }

    /// Name, heading and unit of a measure.
    pub struct MetricSpec {
        /// Name, as on the command line.
        pub name: String,
        /// Heading of the measure, for people.
        pub label: String,
        /// Second line of the heading: the definition in short.
        pub rule: String,
        /// Unit: `s`, `fraction` (0 to 1), `count`, `1/s`, `octet/s`, `×` (a ratio); empty for a plain number.
        pub unit: String,
        /// Smaller values are better.
        pub smaller_is_better: bool,
        /// Compare shows it by default.
        pub headline: bool,
    }

    /// Second parameter of a sweep.
    pub struct SweepAcross {
        /// Name of the parameter.
        pub parameter: String,
        /// Values of the parameter, in its natural unit.
        pub values: Vec<f64>,
    }

    /// Request: run one algorithm for several values of one parameter, or of two; at most 256 settings.
    pub struct SweepRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Algorithm to start from, with its values.
        pub algorithm: AlgorithmChoice,
        /// Name of the parameter.
        pub parameter: String,
        /// Values of the parameter, in its natural unit.
        pub values: Vec<f64>,
        /// Second parameter, other than the first: all values of the one with all values of the other. Null: none.
        #[serde(default)]
        pub across: Option<SweepAcross>,
        /// Channel model, which decides the fates of copies.
        pub channel: ChannelKind,
        /// Workload model, which decides when applications would have sent.
        pub workload: WorkloadKind,
        /// Seed of every random draw.
        pub seed: u32,
        /// Number of replicates, 1..=10000.
        pub replicates: u32,
        /// Clients that are replayed, and the time from which they are; absent: all.
        #[serde(default, skip_serializing_if = "PartView::is_all")]
        #[cfg_attr(feature = "ts", ts(as = "Option<PartView>", optional))]
        pub part: PartView,
        /// Other rules of the sender and the server.
        #[serde(default, skip_serializing_if = "PolicyView::is_default")]
        #[cfg_attr(feature = "ts", ts(as = "Option<PolicyView>", optional))]
        pub policy: PolicyView,
    }

    /// One setting of a sweep.
    pub struct SweepPoint {
        /// Value of the parameter, in its natural unit.
        pub value: f64,
        /// Value of the second parameter, in its natural unit; null without one.
        pub across: Option<f64>,
        /// Measures by name, `w` and `b` (trade-off plane) among them.
        pub metrics: BTreeMap<String, MetricView>,
    }
}

impl AnswerView {
    /// Returns all sentences as one text.
    #[must_use]
    pub fn text(&self) -> String {
        std::iter::once(&self.headline).chain(&self.details).map(String::as_str).collect::<Vec<_>>().join(" ")
    }
}

impl ChannelKind {
    /// Returns the channel model of this name with its default parameters.
    #[must_use]
    pub const fn spec(self) -> ChannelSpec {
        match self {
            Self::Recorded => ChannelSpec::RECORDED,
            Self::Empirical => ChannelSpec::EMPIRICAL,
            Self::GilbertElliott => ChannelSpec::GILBERT_ELLIOTT,
            Self::Loaded => ChannelSpec::LOADED,
            Self::LoadedGilbertElliott => ChannelSpec::LOADED_GILBERT_ELLIOTT,
            Self::Queued => ChannelSpec::QUEUED,
            Self::Twin => ChannelSpec::Twin,
            Self::Auto => ChannelSpec::Auto,
        }
    }
}

impl WorkloadKind {
    /// Returns the workload model of this name.
    #[must_use]
    pub const fn choice(self) -> WorkloadChoice {
        match self {
            Self::Auto => WorkloadChoice::Auto,
            Self::Arrivals => WorkloadChoice::Arrivals,
            Self::ThinkTime => WorkloadChoice::ThinkTime,
        }
    }
}

impl PartView {
    /// Whether the whole capture is replayed.
    #[must_use]
    pub fn is_all(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the recorded exchanges before the replay begins, and whether estimators learn from them.
    pub(crate) const fn history(&self) -> History {
        match self.start {
            None => History::None,
            Some(StartView { at: until, warm: false }) => History::Forgotten { until },
            Some(StartView { at: until, warm: true }) => History::Learned { until },
        }
    }

    /// Returns the time at which the replay begins; `None`: with the trace.
    pub(crate) fn from(&self) -> Option<Instant> {
        self.start.map(|start| start.at)
    }
}
