//! Requests and replies about alerts of a capture that goes on.

use crate::view::CaptureId;
use base::Instant;
use serde::{Deserialize, Serialize};

choice! {
    /// Capture that alerts are about.
    pub enum AlertSource {
        /// The recording, running or just over.
        Recording,
        /// The file that is followed.
        Followed,
    }

    /// Stage of an alert.
    pub enum AlertStage {
        /// The value passed its threshold.
        Begin,
        /// The value came back, or nothing is left to measure.
        End,
        /// Something happened, which has a moment and no end.
        Event,
    }
}

view! {
    /// Request: errors of rules.
    pub struct AlertsCheckRequest {
        /// Rules, as `rtoscope watch --alert` takes them.
        pub rules: Vec<String>,
    }

    /// Request: begin to watch a capture that goes on, in place of the one before. Where the same one is watched
    /// already, it goes on with these rules.
    pub struct AlertsStartRequest {
        /// Rules, at least one and no two alike.
        pub rules: Vec<String>,
        /// Capture to be watched.
        pub source: AlertSource,
    }

    /// Request: the alerts so far.
    pub struct AlertsRequest {
        /// Number of the last alert that is known; 0: all that are kept.
        pub after: u32,
    }

    /// An alert of a rule.
    pub struct AlertView {
        /// Number of the alert, from 1 in the order in which they were said.
        pub number: u32,
        /// Text of its rule.
        pub rule: String,
        /// Stage.
        pub stage: AlertStage,
        /// Time in the capture; null while that is not open.
        pub time: Option<Instant>,
        /// The same as ISO 8601 in UTC, to the millisecond.
        pub utc: String,
        /// Time at which it began, for one that ends, or of the first event of a sequence; else null.
        pub since: Option<Instant>,
        /// Name of the client or node; null: all clients together.
        pub client: Option<String>,
        /// Value of the measure: a share, a number or seconds; null for events, and where nothing is left to measure.
        pub value: Option<f64>,
        /// Threshold, in the same unit; null for events.
        pub threshold: Option<f64>,
        /// Number of exchanges behind it.
        pub exchanges: u32,
        /// Number of their copies; for a timer that changed, of retransmissions.
        pub copies: u32,
        /// The alert in words.
        pub text: String,
    }

    /// An alert that goes on.
    pub struct OpenAlertView {
        /// Name of the client; null: all clients together.
        pub client: Option<String>,
        /// Time at which it began; null while the capture is not open.
        pub since: Option<Instant>,
    }

    /// A rule and its state.
    pub struct AlertRuleView {
        /// Text of the rule, with single spaces.
        pub text: String,
        /// Number of times that it began or happened.
        pub said: u32,
        /// Alerts of it that go on, by client.
        pub open: Vec<OpenAlertView>,
    }

    /// Sums over the exchanges of a client, or of all.
    pub struct WatchedView {
        /// Name of the client; empty for all together.
        pub client: String,
        /// Number of exchanges that are over.
        pub exchanges: u32,
        /// Number of exchanges that were answered.
        pub answered: u32,
        /// Number of exchanges that the client gave up.
        pub failed: u32,
        /// Number of exchanges whose end is not known.
        pub open: u32,
        /// Number of copies.
        pub copies: u32,
        /// Number of copies that were sent while an earlier one is answered anyway.
        pub needless: u32,
        /// Number of copies that are known to have been lost, or whose replies were.
        pub lost: u32,
        /// Timer that it was identified to run, as a preset; null: not identified, or of all together.
        pub timer: Option<String>,
    }

    /// Alerts of a capture that goes on.
    pub struct AlertsView {
        /// Capture that is watched.
        pub source: AlertSource,
        /// Path of its file.
        pub path: String,
        /// Number of the open capture that it is becoming; null while that is not open: times are then null.
        pub capture: Option<CaptureId>,
        /// Sentence that says why nothing more is watched; empty while it goes on.
        pub ended: String,
        /// Whether octets wait that were not read yet.
        pub is_behind: bool,
        /// Number of frames so far.
        pub frames: u32,
        /// Time before which all exchanges that began were judged; null before the first.
        pub judged: Option<Instant>,
        /// Time of the last frame that was read; null before the first.
        pub latest: Option<Instant>,
        /// Longest capture time, nanoseconds, from the first frame of an exchange until it is judged.
        pub delay: f64,
        /// Rules with their state, in the order of the request.
        pub rules: Vec<AlertRuleView>,
        /// New alerts, the oldest first; of more than a thousand, the last thousand.
        pub alerts: Vec<AlertView>,
        /// Sums over all clients.
        pub all: WatchedView,
        /// Sums of each client, by name.
        pub clients: Vec<WatchedView>,
        /// Notes on input that was skipped or doubtful, each kind once.
        pub notes: Vec<String>,
    }
}
