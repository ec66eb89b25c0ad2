//! A prediction held against a second capture: conditions of a capture, measures inside and outside their intervals, and what changed.

use crate::view::{AlgorithmChoice, CaptureId, RunId, TimerKnown};
use serde::{Deserialize, Serialize};

view! {
    /// Conditions of a capture besides the timers of its clients. A prediction keeps those of the capture that it was made from.
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
        /// Number of exchanges that it started.
        pub exchanges: u32,
        /// Its next request waits for the end of the one before it (think time).
        pub waits: bool,
        /// Number of first copies of which it is known whether they were answered.
        pub first_copies: u32,
        /// Number of answered ones among them.
        pub answered: u32,
        /// Link-layer hops to the server; null: not seen.
        pub hops: Option<u32>,
        /// Name of the RPL parent that it had for longest; null: not seen.
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
        /// Number of acknowledged ones among them.
        pub acknowledged: u32,
    }

    /// A prediction held against a second capture.
    pub struct CheckAgainView {
        /// Number of measures inside and outside their intervals, in one sentence.
        pub verdict: String,
        /// Timer that was predicted.
        pub algorithm: AlgorithmChoice,
        /// Timer that ran in the second capture, in one sentence.
        pub timer: String,
        /// Evidence of that timer.
        pub known: TimerKnown,
        /// The second capture ran the predicted timer, as far as is known; null: not known.
        pub same: Option<bool>,
        /// Number of measures that were predicted with an interval and measured.
        pub compared: u32,
        /// Number of those inside their interval.
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
        /// Value in the first capture.
        pub before: Option<f64>,
        /// Predicted mean over replicates; null also where the replicates have two modes.
        pub mean: Option<f64>,
        /// 5th percentile of another run; of the recorded trace where no other run was predicted.
        pub lo90: Option<f64>,
        /// 95th percentile of the same.
        pub hi90: Option<f64>,
        /// Value in the second capture.
        pub measured: Option<f64>,
        /// The measured value is inside the interval; null where either is missing.
        pub held: Option<bool>,
    }

    /// A condition before and after.
    pub struct ChangeView {
        /// Kind of condition.
        pub kind: ChangeKind,
        /// Quantity in words.
        pub what: String,
        /// Value in the first capture; null where it does not apply.
        pub before: Option<f64>,
        /// Value in the second capture; null where it does not apply.
        pub after: Option<f64>,
        /// Unit of both: `s`, `1/min`, `fraction`; empty for a plain number.
        pub unit: String,
        /// It changed by more than the rule of its kind allows.
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

    /// Request: hold a kept prediction against a second capture.
    pub struct CheckAgainRequest {
        /// Text of the prediction: the JSON that `rtoscope replay --format json` writes.
        pub prediction: String,
        /// Predicted timer, needed where the prediction has several; null: the only one.
        #[serde(default)]
        pub algorithm: Option<AlgorithmChoice>,
        /// Number of the second capture, which must not be the one that the prediction was made from.
        pub capture: CaptureId,
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
