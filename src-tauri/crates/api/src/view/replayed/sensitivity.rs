//! Reply about the sensitivity of a replay to its assumptions.

use crate::view::AlgorithmChoice;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

view! {
    /// Place of one algorithm in the ranking by one measure.
    pub struct PlaceView {
        /// Position in `algorithms`, from 0.
        pub algorithm: u32,
        /// Share of the replicates in which it is the best, 0 to 1; ties share it equally.
        pub best: f64,
        /// Mean place over the replicates, from 1; ties have their midrank.
        pub place: f64,
    }

    /// Value given to a parameter of the network twin that no capture shows.
    pub struct PresetView {
        /// Name of the parameter, as in [`crate::view::ParameterView`].
        pub name: String,
        /// Value in this variation, in `unit`.
        pub value: f64,
        /// Value in the question as asked, in `unit`; null where each replicate draws one.
        pub usual: Option<f64>,
        /// Unit; empty for counts.
        pub unit: String,
    }

    /// Answer to the question asked in another way.
    pub struct VariationView {
        /// Difference from the question as asked, for people.
        pub what: String,
        /// Reason why there is no answer; null where there is one.
        pub refused: Option<String>,
        /// Parameter of the network twin that differs; absent where something else does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub preset: Option<PresetView>,
        /// Means over replicates by name of measure, one entry per algorithm, without two modes. Empty if refused.
        pub means: Vec<BTreeMap<String, f64>>,
        /// Means in the fast and in the slow mode by name of measure, one entry per algorithm; those with two modes.
        /// Empty if refused.
        #[serde(default)]
        pub modes: Vec<BTreeMap<String, (f64, f64)>>,
    }

    /// Answers to the variations of one question.
    pub struct SensitivityView {
        /// Algorithms compared, in the order asked for.
        pub algorithms: Vec<AlgorithmChoice>,
        /// Number of replicates of each variation: as many as asked for, or fewer where that is enough.
        pub replicates: u32,
        /// Variations; the question as asked is the first.
        pub variations: Vec<VariationView>,
        /// Rankings by name of measure, for the question as asked, from best to worst; algorithms without the measure
        /// are left out.
        pub ranking: BTreeMap<String, Vec<PlaceView>>,
    }
}
