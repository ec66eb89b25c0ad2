//! A prediction held against a second capture: kept predictions, conditions of a capture, measures inside and outside
//! their intervals, what changed, and a calibration table of one's own.

use crate::view::{AlgorithmChoice, CaptureId, ChannelKind, PolicyView, RunId, StartView, TimerKnown};
use base::AssociationId;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Predictions of one replay as they were made, in the members of `rtoscope replay --format json` that a comparison
/// needs. Other members are left alone, so that later versions may add some.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct KeptPrediction {
    /// Capture that the predictions were made from.
    pub capture: PredictedCapture,
    /// One for each predicted timer.
    pub runs: Vec<PredictedRun>,
    /// Conditions of that capture; null: not kept.
    pub conditions: Option<ConditionsView>,
}

/// Capture that a prediction was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct PredictedCapture {
    /// Name of the capture, for people.
    #[serde(default)]
    pub name: String,
    /// SHA-256 of its octets, lower-case hex.
    pub sha256: String,
}

/// Timer as it was predicted for a capture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct PredictedRun {
    /// Name in the registry.
    pub algorithm: String,
    /// Values of parameters that differ from the published ones, by name.
    #[cfg_attr(feature = "ts", ts(type = "Record<string, ParamValue>"))]
    pub params: Map<String, Value>,
    /// Channel that was asked for.
    pub channel: ChannelKind,
    /// Clients that kept their timer.
    #[serde(default)]
    pub as_recorded: Vec<AssociationId>,
    /// Beginning of the replayed part; null: the whole capture.
    pub start: Option<StartView>,
    /// Rules of the sender.
    #[serde(default)]
    pub policy: PolicyView,
    /// Numbers by measure, as in the command line.
    pub metrics: BTreeMap<String, PredictedMeasure>,
}

/// Measure of a prediction, in the unit of the measure. Null where it does not apply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct PredictedMeasure {
    /// Recorded value in the capture itself, in the unit of the measure.
    pub recorded: Option<f64>,
    /// Mean over replicates; null where these have two modes.
    pub mean: Option<f64>,
    /// 5th percentile of what would have happened in this capture.
    pub lo90: Option<f64>,
    /// 95th percentile of what would have happened in this capture.
    pub hi90: Option<f64>,
    /// 5th percentile of what another run would show; null where that was not asked for.
    pub another_lo90: Option<f64>,
    /// 95th percentile of what another run would show; null where that was not asked for.
    pub another_hi90: Option<f64>,
}

view! {
    /// Conditions of a capture besides the timers of its clients. A prediction keeps those of the capture that it was
    /// made from.
    pub struct ConditionsView {
        /// Length of the capture, seconds.
        pub seconds: f64,
        /// Clients with their servers, sorted by the two addresses; a client that takes a new port stays one.
        pub clients: Vec<ClientConditions>,
        /// Links whose frames asked for acknowledgements, one per direction.
        pub links: Vec<LinkConditions>,
    }

    /// Load, losses and route of a client towards one server.
    pub struct ClientConditions {
        /// IP address of the client, without port.
        pub client: String,
        /// IP address of the server, without port.
        pub server: String,
        /// Name of the client for people.
        pub name: String,
        /// Number of exchanges that the client started.
        pub exchanges: u32,
        /// Each request waits for the end of the exchange before it (think time).
        pub waits: bool,
        /// Number of first copies of which it is known whether they were answered.
        pub first_copies: u32,
        /// Number of answered copies among `first_copies`.
        pub answered: u32,
        /// Number of link-layer hops to the server; null: not seen.
        pub hops: Option<u32>,
        /// Name of the RPL parent that the client had for longest; null: not seen.
        pub parent: Option<String>,
    }

    /// Link-layer losses of one direction between two nodes, broadcasts apart.
    pub struct LinkConditions {
        /// Name of the sender for people.
        pub from: String,
        /// Name of the addressee for people.
        pub to: String,
        /// Number of frames that asked for an acknowledgement, every attempt counted.
        pub frames: u32,
        /// Number of acknowledged frames among `frames`.
        pub acknowledged: u32,
    }

    /// A prediction held against a second capture.
    pub struct CheckAgainView {
        /// Number of measures inside and outside their intervals, in one sentence.
        pub verdict: String,
        /// Timer that was predicted.
        pub algorithm: AlgorithmChoice,
        /// Channel that the prediction was made with.
        pub channel: ChannelKind,
        /// SHA-256 of the capture that the prediction was made from.
        pub first: String,
        /// SHA-256 of the second capture.
        pub second: String,
        /// Timer that ran in the second capture, in one sentence.
        pub timer: String,
        /// Evidence of that timer.
        pub known: TimerKnown,
        /// The second capture ran the predicted timer, as far as is known; null: not known.
        pub same: Option<bool>,
        /// Number of measures that were predicted with an interval and measured.
        pub compared: u32,
        /// Number of measures inside their predicted intervals.
        pub held: u32,
        /// Expected number of measures inside a right prediction: 0.9 for each interval, and 1 for each without width.
        pub expected: f64,
        /// Measures in display order, in units of [`crate::view::MetricSpec::unit`], without the number of exchanges.
        pub measures: Vec<HeldView>,
        /// Conditions besides the timer, before and after; empty where the prediction does not keep them.
        pub changes: Vec<ChangeView>,
        /// Reservations about the comparison, one sentence each.
        pub reservations: Vec<String>,
    }

    /// A measure of a prediction beside its measured value. Null where a value is not known.
    pub struct HeldView {
        /// Name of the measure, as on the command line.
        pub name: String,
        /// Recorded value in the first capture, in the unit of the measure.
        pub before: Option<f64>,
        /// Predicted mean over replicates, in the unit of the measure; null also where the replicates have two modes.
        pub mean: Option<f64>,
        /// 5th percentile of another run, in that unit; of the recorded trace where no other run was predicted.
        pub lo90: Option<f64>,
        /// 95th percentile of another run, in that unit; of the recorded trace where no other run was predicted.
        pub hi90: Option<f64>,
        /// Recorded value in the second capture, in that unit.
        pub measured: Option<f64>,
        /// The measured value is inside the interval; null where either is missing.
        pub held: Option<bool>,
    }

    /// A condition before and after.
    pub struct ChangeView {
        /// Condition that is compared.
        pub kind: ChangeKind,
        /// Quantity that is compared, in words.
        pub what: String,
        /// Value of the quantity in the first capture, in `unit`; null where it does not apply.
        pub before: Option<f64>,
        /// Value of the quantity in the second capture, in `unit`; null where it does not apply.
        pub after: Option<f64>,
        /// Unit of both: `s`, `1/min`, `fraction`; empty for a plain number.
        pub unit: String,
        /// True for a change by more than the rule of its kind allows.
        pub changed: bool,
        /// The change in one sentence.
        pub said: String,
    }

    /// Request: hold a run of this session against a second capture.
    pub struct CheckRunRequest {
        /// Number of the predicted run.
        pub run: RunId,
        /// Number of the second capture, which must not be the one of the run.
        pub capture: CaptureId,
    }

    /// Keep the predictions of runs, all of one capture.
    pub struct KeepPredictionRequest {
        /// Runs whose predictions are kept.
        pub runs: Vec<RunId>,
    }

    /// Hold a kept prediction against a second capture.
    pub struct CheckKeptRequest {
        /// Prediction that was kept, with its capture and conditions.
        pub prediction: KeptPrediction,
        /// Predicted timer; null where the prediction has one.
        #[serde(default)]
        pub algorithm: Option<AlgorithmChoice>,
        /// Number of the second capture, which must not be the one that the prediction was made from.
        pub capture: CaptureId,
    }

    /// Add a check to a calibration table of one's own.
    pub struct CalibrationAddRequest {
        /// CSV file of the table; made where there is none.
        pub path: String,
        /// The check, as it was answered.
        pub check: CheckAgainView,
    }

    /// A calibration table of one's own, with a check that was added.
    pub struct OwnCalibrationView {
        /// Path of the CSV file.
        pub path: String,
        /// Number of checks in it: pairs of captures with a predicted timer and a channel.
        pub checks: u32,
        /// The check is new; false: the table had it.
        pub added: bool,
        /// Coverage by measure, in display order.
        pub measures: Vec<OwnCoverage>,
        /// The table in one sentence.
        pub said: String,
    }

    /// Coverage of the intervals of one measure.
    pub struct OwnCoverage {
        /// Name, as in the command line.
        pub name: String,
        /// Number of checks with an interval and a measured value.
        pub compared: u32,
        /// Number of these checks with the measured value inside the interval.
        pub held: u32,
        /// Lower end of the 90 % interval (Wilson) of the share that holds, 0 to 1.
        pub lo90: f64,
        /// Upper end of that interval, 0 to 1.
        pub hi90: f64,
    }
}

choice! {
    /// Kind of a condition besides the timer.
    pub enum ChangeKind {
        /// Length of the capture.
        Length,
        /// Clients that are in one capture only.
        Clients,
        /// Exchanges per minute of the clients that are in both.
        Load,
        /// Hops and RPL parents.
        Routes,
        /// Frames without an acknowledgement, and first copies without an answer.
        Losses,
    }
}
