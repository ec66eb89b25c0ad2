//! The reply about what the answer to a replay depends on.

use crate::view::AlgorithmChoice;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

view! {
    /// One algorithm in one ranking.
    pub struct PlaceView {
        /// Its position in `algorithms`.
        pub algorithm: u32,
        /// Share of the replicates in which it is the best.
        pub best: f64,
        /// Its mean place.
        pub place: f64,
    }

    /// Another value of what no capture shows of a network twin.
    pub struct PresetView {
        /// Name of the parameter, as in [`crate::view::ParameterView`].
        pub name: String,
        /// Value with which it was asked.
        pub value: f64,
        /// Value as asked; null where each replicate draws one.
        pub usual: Option<f64>,
        /// Unit; empty for counts.
        pub unit: String,
    }

    /// The same question asked in another way.
    pub struct VariationView {
        /// The difference, for people.
        pub what: String,
        /// Why there is no answer; null when there is one.
        pub refused: Option<String>,
        /// Value of a preset of the network twin, where that is the difference.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "ts", ts(optional))]
        pub preset: Option<PresetView>,
        /// By algorithm: mean per measure; a measure with two modes has none.
        pub means: Vec<BTreeMap<String, f64>>,
        /// By algorithm: means of both modes per measure that has two.
        #[serde(default)]
        pub modes: Vec<BTreeMap<String, (f64, f64)>>,
    }

    /// The answers to variations of one question.
    pub struct SensitivityView {
        /// The algorithms compared.
        pub algorithms: Vec<AlgorithmChoice>,
        /// Replicates of each row: as many as asked for, or fewer where that is enough.
        pub replicates: u32,
        /// As asked first.
        pub variations: Vec<VariationView>,
        /// By measure, as asked: from best to worst.
        pub ranking: BTreeMap<String, Vec<PlaceView>>,
    }
}
