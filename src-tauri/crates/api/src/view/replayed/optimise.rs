//! Parameters found offline: what to search for, and what was found.

use crate::view::{
    AlgorithmChoice, CaptureId, ChannelKind, DifferenceView, MetricView, PartView, PolicyView, WorkloadKind,
};
use replay::MetricName;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Measures shown beside the objective because it may improve at their expense: a timer that gives up soon completes soon.
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
    /// Verdict of the held-out capture on the values found.
    pub enum CheckKind {
        /// Nothing better than the values to start from was found.
        NotBetter,
        /// None was held out: whether they fit more than their own capture is not known.
        NotChecked,
        /// Better where they were searched, not where they were not.
        OverFitted,
        /// Better in both, but on the one held out the 90 % interval of the difference contains zero.
        Unclear,
        /// Better in both.
        Holds,
    }
}

view! {
    /// Search for parameters that improve a measure.
    pub struct OptimiseRequest {
        /// Capture to learn on.
        pub capture: CaptureId,
        /// The clients that change timers, and the time from which they do; without, all.
        #[serde(default, skip_serializing_if = "PartView::is_all")]
        #[cfg_attr(feature = "ts", ts(as = "Option<PartView>", optional))]
        pub part: PartView,
        /// Capture to check on.
        pub hold_out: Option<CaptureId>,
        /// As `part`, of the capture to check on.
        #[serde(default, skip_serializing_if = "PartView::is_all")]
        #[cfg_attr(feature = "ts", ts(as = "Option<PartView>", optional))]
        pub hold_out_part: PartView,
        /// The algorithm to start from.
        pub algorithm: AlgorithmChoice,
        /// Parameters to search.
        pub over: Vec<String>,
        /// A measure; `completion` and `retransmissions` are `duration_mean` and `retries_mean`.
        pub objective: String,
        /// Search method.
        pub method: MethodKind,
        /// Greatest number of evaluations of the objective.
        pub evaluations: u32,
        /// Channel model; not [`ChannelKind::Recorded`].
        pub channel: ChannelKind,
        /// Workload.
        pub workload: WorkloadKind,
        /// Seed of every draw: of the channel and of the swarm.
        pub seed: u32,
        /// Replicates.
        pub replicates: u32,
        /// The sender's and the server's other rules.
        #[serde(default, skip_serializing_if = "PolicyView::is_default")]
        #[cfg_attr(feature = "ts", ts(as = "Option<PolicyView>", optional))]
        pub policy: PolicyView,
    }

    /// Effect of the new values on one capture.
    pub struct EffectView {
        /// The capture.
        pub capture: String,
        /// SHA-256 of its file.
        pub sha256: String,
        /// It was not looked at during the search.
        pub held_out: bool,
        /// The replayed part in words; null: all of the capture.
        pub part: Option<String>,
        /// Every measure with the values to start from.
        pub before: BTreeMap<String, MetricView>,
        /// Every measure with the values found.
        pub after: BTreeMap<String, MetricView>,
        /// After minus before, paired by replicate.
        pub difference: BTreeMap<String, DifferenceView>,
    }

    /// Result of a search.
    pub struct OptimisedView {
        /// The algorithm.
        pub algorithm: String,
        /// The measure.
        pub objective: String,
        /// Less of it is better.
        pub smaller_is_better: bool,
        /// Search method.
        pub method: MethodKind,
        /// Number of evaluations of the objective.
        pub evaluations: u32,
        /// The values to start from, by parameter.
        #[cfg_attr(feature = "ts", ts(type = "Record<string, number | string | boolean>"))]
        pub before: serde_json::Map<String, serde_json::Value>,
        /// The values found, by parameter, rounded.
        #[cfg_attr(feature = "ts", ts(type = "Record<string, number | string | boolean>"))]
        pub after: serde_json::Map<String, serde_json::Value>,
        /// The capture of the search, then the one held out.
        pub effects: Vec<EffectView>,
        /// Verdict of the held-out capture.
        pub check: CheckKind,
        /// Measures that surely became worse where it was searched, of completion, retransmissions, needless copies and
        /// failures: what the objective was paid with.
        pub worse: Vec<String>,
        /// A preset with these values, for [`crate::Session::presets`].
        pub preset: String,
    }
}
