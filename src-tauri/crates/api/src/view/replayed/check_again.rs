//! A prediction held against a second capture: conditions of a capture, measures inside and outside their intervals, and what changed.

use crate::view::{AlgorithmChoice, CaptureId, RunId, TimerKnown};
use serde::{Deserialize, Serialize};

view! {
    /// Conditions of a capture besides the timers of its clients. A prediction keeps those of the capture that it was made from.
    pub struct ConditionsView {
        /// Length of the capture, s.
        pub seconds: f64,
        /// Clients with their servers.
        pub clients: Vec<ClientConditions>,
        /// Links whose frames asked for acknowledgements.
        pub links: Vec<LinkConditions>,
    }

    /// Load, losses and route of a client towards one server.
    pub struct ClientConditions {
        /// Address of the client with its port.
        pub client: String,
        /// Address of the server with its port.
        pub server: String,
        /// Name of the client for people.
        pub name: String,
        /// Exchanges that it started.
        pub exchanges: u32,
        /// Its next request waits for the end of the one before it.
        pub waits: bool,
        /// First copies of which it is known whether they were answered.
        pub first_copies: u32,
        /// Answered ones among them.
        pub answered: u32,
        /// Hops to the server; null: not seen.
        pub hops: Option<u32>,
        /// Parent in RPL that it had for longest; null: not seen.
        pub parent: Option<String>,
    }

    /// Link-layer losses of one direction between two nodes.
    pub struct LinkConditions {
        /// Name of the sender.
        pub from: String,
        /// Name of the addressee.
        pub to: String,
        /// Frames that asked for an acknowledgement, every attempt.
        pub frames: u32,
        /// Acknowledged ones among them.
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
        /// Measures that were predicted with an interval and measured.
        pub compared: u32,
        /// Those of them inside their interval.
        pub held: u32,
        /// Expected number of those: 0.9 of each interval, and 1 of each without width.
        pub expected: f64,
        /// Measures in display order.
        pub measures: Vec<HeldView>,
        /// Conditions besides the timer, before and after.
        pub changes: Vec<ChangeView>,
        /// Reservations about the comparison, one sentence each.
        pub reservations: Vec<String>,
    }

    /// A measure of a prediction beside its measured value.
    pub struct HeldView {
        /// Name, as in the command line.
        pub name: String,
        /// Value in the first capture.
        pub before: Option<f64>,
        /// Predicted mean; null where the replicates have two modes.
        pub mean: Option<f64>,
        /// 5th percentile of what another run would show.
        pub lo90: Option<f64>,
        /// 95th percentile of it.
        pub hi90: Option<f64>,
        /// Value in the second capture.
        pub measured: Option<f64>,
        /// Measured inside the interval; null where either is missing.
        pub held: Option<bool>,
    }

    /// A condition before and after.
    pub struct ChangeView {
        /// Kind of the condition.
        pub kind: ChangeKind,
        /// The quantity.
        pub what: String,
        /// In the first capture; null where it does not apply.
        pub before: Option<f64>,
        /// In the second.
        pub after: Option<f64>,
        /// Unit of both; empty of a plain number.
        pub unit: String,
        /// It changed by more than the rule of its kind allows.
        pub changed: bool,
        /// The change in one sentence.
        pub said: String,
    }

    /// Hold a run of this session against a second capture.
    pub struct CheckRunRequest {
        /// Predicted run.
        pub run: RunId,
        /// The second capture.
        pub capture: CaptureId,
    }

    /// Hold a kept prediction against a second capture.
    pub struct CheckAgainRequest {
        /// Text of the prediction: the JSON that `rtoscope replay --format json` writes.
        pub prediction: String,
        /// Predicted timer; null where the file has one.
        #[serde(default)]
        pub algorithm: Option<AlgorithmChoice>,
        /// The second capture.
        pub capture: CaptureId,
    }
}

choice! {
    /// Kind of a condition besides the timer.
    pub enum ChangeKind {
        /// Length of the capture.
        Length,
        /// Clients that came or went.
        Clients,
        /// Exchanges in a time.
        Load,
        /// Hops and parents.
        Routes,
        /// Frames and copies without an answer.
        Losses,
    }
}
