//! The reply about what the answer to a replay depends on.

use super::AlgorithmChoice;
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

    /// The same question asked in another way.
    pub struct VariationView {
        /// The difference, for people.
        pub what: String,
        /// Why there is no answer; null when there is one.
        pub refused: Option<String>,
        /// By algorithm: mean per measure.
        pub means: Vec<BTreeMap<String, f64>>,
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
