//! Requests and replies about real runs of the network of a capture: measured values beside predictions.

use crate::view::{AlgorithmChoice, CaptureId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

choice! {
    /// Evidence for the timer of a real run.
    pub enum TimerKnown {
        /// The run is bundled, and its timer is on record.
        Bundled,
        /// The folder of the run, or a file beside the capture, names the timer.
        Named,
        /// `identify` finds it from the timeouts.
        Identified,
        /// No evidence: the timer is not known.
        Unknown,
    }
}

view! {
    /// Request: real runs of the network of a capture.
    pub struct MeasuredRequest {
        /// Number of the capture.
        pub capture: CaptureId,
        /// Predicted timers, to be compared with those that ran.
        pub algorithms: Vec<AlgorithmChoice>,
    }

    /// A real run of the same network, with the same clients and servers.
    pub struct MeasuredRun {
        /// Name of the run for people.
        pub name: String,
        /// Number of its capture; null where that is not open.
        pub capture: Option<CaptureId>,
        /// Timer that ran; null where it is not known.
        pub algorithm: Option<AlgorithmChoice>,
        /// Evidence for the timer.
        pub known: TimerKnown,
        /// Positions, from 0, of the predicted timers that are this one, with all its parameters; of an identified one,
        /// those that
        /// `identify` does not tell apart.
        pub same: Vec<u32>,
        /// Positions, from 0, of other predicted timers of the same algorithm group.
        pub alike: Vec<u32>,
        /// Measured values by name of measure, in the units of [`crate::view::MetricSpec::unit`]; those that apply.
        pub metrics: BTreeMap<String, f64>,
    }
}
