//! Requests and replies about replays: channels, runs, measures, sweeps.

use crate::view::{CaptureId, PolicyView, RunId};
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
        /// The one of the others that the capture supports best: the network twin where it is right about its own capture.
        Auto,
        /// Model-free: only what was recorded; everything else stays open (bounds).
        Recorded,
        /// Borrowed from recorded copies of the same path near in time.
        Empirical,
        /// Good and bad channel states, fitted to each path and drawn afresh in every replicate.
        GilbertElliott,
        /// `Empirical`, moved by the load that all clients put on the medium together, refused where the
        /// capture does not show how it responds.
        Loaded,
        /// `GilbertElliott`, moved likewise.
        LoadedGilbertElliott,
        /// `Empirical` behind a bottleneck: one node that serves the copies and replies of all clients one after the other, and drops
        /// what it has no room for; refused where the capture does not show how it works.
        Queued,
        /// The network twin: queues, cells, contention and link retries, simulated frame by frame; refused where the capture does not
        /// show the machine.
        Twin,
    }
    /// When the application would have sent.
    pub enum WorkloadKind {
        /// As detected per association.
        Auto,
        /// Ready times do not depend on earlier exchanges.
        Arrivals,
        /// The next request follows the end of the previous one.
        ThinkTime,
    }
}

view! {
    /// An algorithm with parameter overrides (natural units: seconds, ratios).
    pub struct AlgorithmChoice {
        /// Preset id.
        pub id: String,
        /// Overrides; empty for the preset as published.
        #[serde(default)]
        #[cfg_attr(feature = "ts", ts(type = "Record<string, number | string | boolean>"))]
        pub params: serde_json::Map<String, serde_json::Value>,
    }

    /// Replay a capture under other algorithms.
    pub struct ReplayRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Algorithms to compare; when empty the six of a first comparison, and the user's own.
        pub algorithms: Vec<AlgorithmChoice>,
        /// Channel model.
        pub channel: ChannelKind,
        /// Workload.
        pub workload: WorkloadKind,
        /// Seed of every draw.
        pub seed: u32,
        /// Replicates, 1..=10000.
        pub replicates: u32,
        /// Position in `algorithms` that differences are taken to; null: the recorded behaviour.
        #[serde(default)]
        pub baseline: Option<u32>,
        /// The clients that are replayed, and the time from which they are; without, all.
        #[serde(default, skip_serializing_if = "PartView::is_all")]
        #[cfg_attr(feature = "ts", ts(as = "Option<PartView>", optional))]
        pub part: PartView,
        /// The whole answer: the model-free bounds too, and what another run would show; without them an answer comes in a third of
        /// the time.
        #[serde(default = "yes")]
        pub bounds: bool,
        /// The sender's and the server's other rules.
        #[serde(default, skip_serializing_if = "PolicyView::is_default")]
        #[cfg_attr(feature = "ts", ts(as = "Option<PolicyView>", optional))]
        pub policy: PolicyView,
    }

    /// Clients of a capture and the stretch of it that are replayed: the question of a deployment. By default all of it.
    #[derive(Default)]
    pub struct PartView {
        /// Clients that stay as they were recorded.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(feature = "ts", ts(as = "Option<Vec<AssociationId>>", optional))]
        pub as_recorded: Vec<AssociationId>,
        /// Beginning of the replay; without, that of the trace.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub start: Option<StartView>,
    }

    /// A replay of a part of a trace, which begins when others have gone before.
    #[derive(Copy)]
    pub struct StartView {
        /// When it begins; exchanges that began before are neither replayed nor measured.
        pub at: Instant,
        /// Whether estimators have learned from the recorded exchanges before it; else they start as new.
        pub warm: bool,
    }

    /// One of two modes of a measure.
    #[derive(Copy)]
    pub struct ModeView {
        /// Mean over the replicates of the mode.
        pub mean: f64,
        /// 5th percentile of them.
        pub lo90: f64,
        /// 95th percentile of them.
        pub hi90: f64,
        /// 5th and 95th percentile of other runs that end in this mode; null where there are none.
        pub another: Option<(f64, f64)>,
    }

    /// Two modes of a run: some replicates end fast, the others collapse. No mean over both is the answer.
    #[derive(Copy)]
    pub struct ModesView {
        /// Share of the replicates that collapse: P(collapse).
        pub slow: f64,
        /// Lower end of its 90 % interval.
        pub lo90: f64,
        /// Upper end.
        pub hi90: f64,
        /// Mean completion time that parts them, seconds.
        pub boundary: f64,
    }

    /// One measure of one run. Null where it does not apply.
    pub struct MetricView {
        /// In the trace itself; an expectation where it rests on fates that the capture leaves open.
        pub recorded: Option<f64>,
        /// Least and greatest value that these fates allow; absent where all are known, and of a part of the capture.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub recorded_range: Option<(f64, f64)>,
        /// Model-free bound, the worse side for this measure.
        pub worst: Option<f64>,
        /// Model-free bound, the better side.
        pub best: Option<f64>,
        /// Mean over replicates; null where these have two modes.
        pub mean: Option<f64>,
        /// 5th percentile over replicates: of what would have happened in this trace with the recorded luck.
        pub lo90: Option<f64>,
        /// 95th percentile over replicates, likewise.
        pub hi90: Option<f64>,
        /// 5th and 95th percentile of what another run under the same channel statistics would show; null where it was not
        /// asked for.
        pub another: Option<(f64, f64)>,
        /// In the replicates that end fast and in those that collapse; absent for a run with one mode.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub modes: Option<(ModeView, ModeView)>,
        /// Share of copies whose fate was recorded.
        pub support: Option<f64>,
    }

    /// A paired difference to the baseline: same replicate, same channel states.
    pub struct DifferenceView {
        /// Mean of the differences.
        pub mean: f64,
        /// 5th percentile.
        pub lo90: f64,
        /// 95th percentile.
        pub hi90: f64,
        /// 5th and 95th percentile of the difference in another run; null where it was not asked for.
        pub another: Option<(f64, f64)>,
        /// Where the run has two modes, or the baseline: the difference in each. `mean` is then that of no run.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub modes: Option<(ModeView, ModeView)>,
    }

    /// Answer of a replay in words, the same in every place that says it.
    pub struct AnswerView {
        /// The timer that completes exchanges sooner than the recorded one, or that this cannot be told: one sentence.
        pub headline: String,
        /// Limits of the answer and facts that come with it, a sentence or two each.
        pub details: Vec<String>,
    }

    /// One algorithm's run.
    pub struct RunView {
        /// Its number: ask for its lanes, steps and states by it.
        pub run: RunId,
        /// The algorithm.
        pub algorithm: AlgorithmChoice,
        /// Its name for people, with the values that are its own: `CoCoA+, Strong K 3`.
        pub name: String,
        /// Verdict on this timer alone, whatever differences are taken to.
        pub verdict: AnswerView,
        /// Whether what was recorded is a usual run of this timer through the network twin: the verdict where it is the timer that was
        /// running. Absent through other channels, and without completion times.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub self_replay: Option<AnswerView>,
        /// By measure name.
        pub metrics: BTreeMap<String, MetricView>,
        /// Paired differences by measure name.
        pub differences: BTreeMap<String, DifferenceView>,
        /// Its two modes; absent where one explains the replicates.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub modes: Option<ModesView>,
        /// Share of copies whose fate was recorded, replicate 0 to R-1 together; null through the network twin, which borrows none.
        pub support: Option<f64>,
        /// Per association: copies and needless copies of the replicate that is drawn.
        pub copies: Vec<u32>,
        /// See `copies`.
        pub needless: Vec<u32>,
        /// Per association: 95th percentile of completion times in that replicate, nanoseconds; null where nothing is answered.
        pub completion_p95: Vec<Option<Span>>,
    }

    /// Result of a replay.
    pub struct ReplayView {
        /// As asked for.
        pub capture: CaptureId,
        /// In the order asked for.
        pub runs: Vec<RunView>,
        /// Verdict on all of them. Values of real runs are in that of the command `verdict`.
        pub verdict: AnswerView,
        /// Channel that was used, where the capture chose it, and why in one sentence.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub chosen: Option<ChosenChannelView>,
        /// Measures in display order.
        pub metrics: Vec<MetricSpec>,
        /// Rules and part of the capture that are not as usual, in words: for files that have no caption.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub settings: Option<String>,
    }

    /// A channel that the capture chose.
    pub struct ChosenChannelView {
        /// Channel; never `auto`.
        pub channel: ChannelKind,
        /// Why, in one sentence that begins with its name.
        pub why: String,
    }

    /// Name, definition and unit of a measure.
    pub struct MetricSpec {
        /// Name, as in the CLI.
        pub name: String,
        /// Heading.
        pub label: String,
        /// Second line of the heading: the rule.
        pub rule: String,
        /// `s`, `fraction`, `count`, `1/s`, `octet/s`, `×`.
        pub unit: String,
        /// Smaller is better.
        pub smaller_is_better: bool,
        /// Shown by default in Compare.
        pub headline: bool,
    }

    /// The second parameter of a sweep.
    pub struct SweepAcross {
        /// The parameter.
        pub parameter: String,
        /// Its values, natural units.
        pub values: Vec<f64>,
    }

    /// Run one algorithm for several values of one parameter, or of two.
    pub struct SweepRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// The algorithm to start from.
        pub algorithm: AlgorithmChoice,
        /// The parameter.
        pub parameter: String,
        /// Its values, natural units.
        pub values: Vec<f64>,
        /// Another parameter: every value of the one with every value of the other.
        #[serde(default)]
        pub across: Option<SweepAcross>,
        /// Channel model.
        pub channel: ChannelKind,
        /// Workload.
        pub workload: WorkloadKind,
        /// Seed.
        pub seed: u32,
        /// Replicates.
        pub replicates: u32,
        /// The clients that are replayed, and the time from which they are; without, all.
        #[serde(default, skip_serializing_if = "PartView::is_all")]
        #[cfg_attr(feature = "ts", ts(as = "Option<PartView>", optional))]
        pub part: PartView,
        /// The sender's and the server's other rules.
        #[serde(default, skip_serializing_if = "PolicyView::is_default")]
        #[cfg_attr(feature = "ts", ts(as = "Option<PolicyView>", optional))]
        pub policy: PolicyView,
    }

    /// One value of a sweep.
    pub struct SweepPoint {
        /// The value.
        pub value: f64,
        /// The value of the other parameter; null without one.
        pub across: Option<f64>,
        /// By measure name, `w` and `b` (trade-off plane) among them.
        pub metrics: BTreeMap<String, MetricView>,
    }
}

impl AnswerView {
    /// Returns all its sentences as one text.
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

    /// The recorded exchanges before the replay begins, and whether estimators learn from them.
    pub(crate) const fn history(&self) -> History {
        match self.start {
            None => History::None,
            Some(StartView { at: until, warm: false }) => History::Forgotten { until },
            Some(StartView { at: until, warm: true }) => History::Learned { until },
        }
    }

    /// The time at which the replay begins; `None`: with the trace.
    pub(crate) fn from(&self) -> Option<Instant> {
        self.start.map(|start| start.at)
    }
}
