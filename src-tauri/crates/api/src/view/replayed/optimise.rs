//! Requests and replies about the offline search for parameters.

use crate::view::{
    AlgorithmChoice, CaptureId, ChannelKind, DifferenceView, MetricView, PartView, PolicyView, WorkloadKind,
};
use replay::MetricName;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Measures shown beside the objective because it may improve at their expense: a timer that gives up soon completes
/// soon. Chosen here by judgement: the time, what it costs, what was in vain and what fails. No experiment decides it,
/// and it changes no search.
pub const PRICE: [MetricName; 4] =
    [MetricName::DurationMean, MetricName::RetriesMean, MetricName::SpuriousAll, MetricName::Failed];

choice! {
    /// Search method.
    pub enum MethodKind {
        /// Downhill from the algorithm's values (Nelder & Mead 1965).
        NelderMead,
        /// A particle swarm over the declared bounds (Clerc & Kennedy 2002), as in psoCoCoA.
        Swarm,
    }
    /// Verdict of the held-out capture on the values found, by the objective.
    pub enum CheckKind {
        /// Nothing better than the start values was found.
        NotBetter,
        /// No capture was held out: whether the values fit more than their own capture is not known.
        NotChecked,
        /// Better where they were searched, but not on the held-out capture.
        OverFitted,
        /// Better on both, but on the held-out capture the 90 % interval of the difference contains zero.
        Unclear,
        /// Better on both, and on the held-out capture the 90 % interval of the difference excludes zero.
        Holds,
    }
}

view! {
    /// Request: search for parameters that improve a measure.
    pub struct OptimiseRequest {
        /// Number of the capture to search on.
        pub capture: CaptureId,
        /// Clients that change timers, and the time from which they do; absent: all.
        #[serde(default, skip_serializing_if = "PartView::is_all")]
        #[cfg_attr(feature = "ts", ts(as = "Option<PartView>", optional))]
        pub part: PartView,
        /// Number of the capture to check on; null: none is held out.
        pub hold_out: Option<CaptureId>,
        /// Part of the capture to check on, as `part`.
        #[serde(default, skip_serializing_if = "PartView::is_all")]
        #[cfg_attr(feature = "ts", ts(as = "Option<PartView>", optional))]
        pub hold_out_part: PartView,
        /// Algorithm to start from, with its values.
        pub algorithm: AlgorithmChoice,
        /// Names of the numeric parameters to search, at least one.
        pub over: Vec<String>,
        /// Name of the measure to improve; `completion` and `retransmissions` are `duration_mean` and `retries_mean`.
        pub objective: String,
        /// Method of the search.
        pub method: MethodKind,
        /// Greatest number of evaluations of the objective, 1 to 100,000; a replay of all replicates each.
        pub evaluations: u32,
        /// Channel model; [`ChannelKind::Recorded`] is refused.
        pub channel: ChannelKind,
        /// Workload model, which decides when applications would have sent.
        pub workload: WorkloadKind,
        /// Seed of every draw: of the channel and of the swarm.
        pub seed: u32,
        /// Number of replicates, 1..=10000.
        pub replicates: u32,
        /// Other rules of the sender and the server.
        #[serde(default, skip_serializing_if = "PolicyView::is_default")]
        #[cfg_attr(feature = "ts", ts(as = "Option<PolicyView>", optional))]
        pub policy: PolicyView,
    }

    /// Effect of the values found on one capture.
    pub struct EffectView {
        /// File name of the capture.
        pub capture: String,
        /// SHA-256 of its file, lower-case hex.
        pub sha256: String,
        /// The search did not use it.
        pub held_out: bool,
        /// Replayed part in words; null: all of the capture.
        pub part: Option<String>,
        /// Measures with the start values, by name.
        pub before: BTreeMap<String, MetricView>,
        /// Measures with the values found, by name.
        pub after: BTreeMap<String, MetricView>,
        /// Differences by name of measure: found minus start, paired by replicate.
        pub difference: BTreeMap<String, DifferenceView>,
    }

    /// Result of a search.
    pub struct OptimisedView {
        /// Preset id of the algorithm.
        pub algorithm: String,
        /// Name of the measure.
        pub objective: String,
        /// A smaller value of it is better.
        pub smaller_is_better: bool,
        /// Method of the search.
        pub method: MethodKind,
        /// Number of evaluations of the objective that the search made.
        pub evaluations: u32,
        /// Start values by name of parameter, in its natural unit.
        #[cfg_attr(feature = "ts", ts(type = "Record<string, number | string | boolean>"))]
        pub before: serde_json::Map<String, serde_json::Value>,
        /// Values found by name of parameter, rounded to 4 significant digits; the start values where nothing better
        /// was found.
        #[cfg_attr(feature = "ts", ts(type = "Record<string, number | string | boolean>"))]
        pub after: serde_json::Map<String, serde_json::Value>,
        /// Effect on the capture of the search, then on the held-out one.
        pub effects: Vec<EffectView>,
        /// Verdict of the held-out capture on the values found.
        pub check: CheckKind,
        /// Names of those measures of [`PRICE`] that surely became worse on the capture of the search: the 90 %
        /// interval of the difference excludes zero.
        pub worse: Vec<String>,
        /// Preset file (TOML) with these values, for [`crate::Session::presets`].
        pub preset: String,
    }
}
