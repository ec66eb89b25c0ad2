//! Parameters found offline: what to search for, and what was found.

use super::{AlgorithmChoice, CaptureId, ChannelKind, DifferenceView, MetricView, PartView, PolicyView, WorkloadKind};
use replay::MetricName;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a better objective may be paid with: timers that give up soon complete soon.
pub const PRICE: [MetricName; 4] =
    [MetricName::DurationMean, MetricName::RetriesMean, MetricName::SpuriousAll, MetricName::Failed];

choice! {
    /// How to search.
    pub enum MethodKind {
        /// Downhill from the values the algorithm has ([`rto::optimise::nelder_mead`]).
        NelderMead,
        /// All over the declared bounds ([`rto::optimise::swarm()`]).
        Swarm,
    }
    /// What the capture that was held out says of the values found.
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
    /// What to search for.
    pub struct OptimiseRequest {
        /// Where to learn.
        pub capture: CaptureId,
        /// Who of it changes timers, and from when on; without, all.
        #[serde(default, skip_serializing_if = "PartView::is_all")]
        #[cfg_attr(feature = "ts", ts(as = "Option<PartView>", optional))]
        pub part: PartView,
        /// Where to check.
        pub hold_out: Option<CaptureId>,
        /// As `part`, of the capture to check on.
        #[serde(default, skip_serializing_if = "PartView::is_all")]
        #[cfg_attr(feature = "ts", ts(as = "Option<PartView>", optional))]
        pub hold_out_part: PartView,
        /// What to start from.
        pub algorithm: AlgorithmChoice,
        /// Parameters to search.
        pub over: Vec<String>,
        /// A measure; `completion` and `retransmissions` are `duration_mean` and `retries_mean`.
        pub objective: String,
        /// How.
        pub method: MethodKind,
        /// How often the objective may be asked.
        pub evaluations: u32,
        /// What copies meet that were not sent at a recorded moment; not [`ChannelKind::Recorded`].
        pub channel: ChannelKind,
        /// Workload.
        pub workload: WorkloadKind,
        /// Seed of the weather and of the swarm.
        pub seed: u32,
        /// Replicates.
        pub replicates: u32,
        /// The sender's and the server's other rules.
        #[serde(default, skip_serializing_if = "PolicyView::is_default")]
        #[cfg_attr(feature = "ts", ts(as = "Option<PolicyView>", optional))]
        pub policy: PolicyView,
    }

    /// What a change does to one capture.
    pub struct EffectView {
        /// The capture.
        pub capture: String,
        /// SHA-256 of its file.
        pub sha256: String,
        /// It was not looked at during the search.
        pub held_out: bool,
        /// Who of it changed timers and from when on, in words; null: all of it.
        pub part: Option<String>,
        /// Every measure with the values to start from.
        pub before: BTreeMap<String, MetricView>,
        /// Every measure with the values found.
        pub after: BTreeMap<String, MetricView>,
        /// After minus before, paired by replicate.
        pub difference: BTreeMap<String, DifferenceView>,
    }

    /// What was found.
    pub struct OptimisedView {
        /// Whose parameters.
        pub algorithm: String,
        /// The measure.
        pub objective: String,
        /// Less of it is better.
        pub smaller_is_better: bool,
        /// How.
        pub method: MethodKind,
        /// How often the objective was asked.
        pub evaluations: u32,
        /// The values to start from, by parameter.
        #[cfg_attr(feature = "ts", ts(type = "Record<string, number | string | boolean>"))]
        pub before: serde_json::Map<String, serde_json::Value>,
        /// The values found, by parameter, rounded.
        #[cfg_attr(feature = "ts", ts(type = "Record<string, number | string | boolean>"))]
        pub after: serde_json::Map<String, serde_json::Value>,
        /// The capture of the search, then the one held out.
        pub effects: Vec<EffectView>,
        /// What the one held out says.
        pub check: CheckKind,
        /// Measures that surely became worse where it was searched, of completion, retransmissions, needless copies and
        /// failures: what the objective was paid with.
        pub worse: Vec<String>,
        /// A preset with these values, for [`crate::Session::presets`].
        pub preset: String,
    }
}
