//! Requests and replies about real runs of the network of a capture: the truth beside a prediction.

use crate::view::{AlgorithmChoice, CaptureId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

choice! {
    /// Evidence of the timer of a real run.
    pub enum TimerKnown {
        /// The run is bundled, and its timer is on record.
        Bundled,
        /// Its folder, or a file beside the capture, names it.
        Named,
        /// `identify` tells it from the timeouts.
        Identified,
        /// It is not known.
        Unknown,
    }
}

view! {
    /// Ask for real runs of the network of a capture.
    pub struct MeasuredRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Predicted timers.
        pub algorithms: Vec<AlgorithmChoice>,
    }

    /// A real run of the same network, with the same clients and servers.
    pub struct MeasuredRun {
        /// Its name for people.
        pub name: String,
        /// Its capture, where it is open.
        pub capture: Option<CaptureId>,
        /// Timer that ran; null where it is not known.
        pub algorithm: Option<AlgorithmChoice>,
        /// Evidence of it.
        pub known: TimerKnown,
        /// Positions of the predicted timers that are this one, with all its parameters; of an identified one, those that
        /// `identify` does not tell apart.
        pub same: Vec<u32>,
        /// Positions of other timers of the same algorithm.
        pub alike: Vec<u32>,
        /// By measure name: its measured values.
        pub metrics: BTreeMap<String, f64>,
    }
}
