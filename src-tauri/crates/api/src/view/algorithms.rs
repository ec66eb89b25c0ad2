//! Requests and replies about algorithms: the user's presets, outlooks on an ideal path, and lines for a stack.

use super::AlgorithmChoice;
use rto::AlgorithmSpec;
use serde::{Deserialize, Serialize};

view! {
    /// Load presets, from a file or from text, or (with neither) only ask which there are.
    pub struct PresetsRequest {
        /// A TOML or, by its name `*.json`, JSON file.
        #[serde(default)]
        pub path: Option<String>,
        /// The text of such a file: JSON when it begins with `{`.
        #[serde(default)]
        pub text: Option<String>,
    }

    /// A preset of the user's own.
    pub struct UserPresetView {
        /// Its id.
        pub id: String,
        /// The preset it is based on.
        pub base: String,
    }

    /// The user's presets.
    pub struct PresetsView {
        /// Ids that this request added or replaced.
        pub loaded: Vec<String>,
        /// All of the user's own.
        pub mine: Vec<UserPresetView>,
        /// Every algorithm, the user's last.
        #[serde(skip_deserializing)]
        pub algorithms: Vec<AlgorithmSpec>,
    }

    /// Ask what an algorithm comes to on a path of constant round trip and independent losses.
    pub struct OutlookRequest {
        /// The algorithm.
        pub algorithm: AlgorithmChoice,
        /// Round trip of every copy that is answered, seconds.
        pub rtt: f64,
        /// Probability that a copy or its reply is lost, 0 to 1.
        pub loss: f64,
    }

    /// Outlook of an algorithm: means over the dither.
    pub struct OutlookView {
        /// It arms the same timeouts exchange after exchange.
        pub settled: bool,
        /// Timeout of each copy, seconds, the last included even where the sender does not wait for it.
        pub timeouts: Vec<f64>,
        /// When it gives up: least, mean, greatest over the dither, seconds from the first transmission.
        pub give_up: [f64; 3],
        /// Probability of a reply.
        pub success: f64,
        /// Mean seconds to the first reply of exchanges that succeed; null where none does.
        pub completion: Option<f64>,
        /// Mean copies.
        pub copies: f64,
        /// Mean copies sent although one before is answered.
        pub needless: f64,
    }

    /// Ask for the lines that make a CoAP stack run an algorithm.
    pub struct ApplyRequest {
        /// The algorithm.
        pub algorithm: AlgorithmChoice,
        /// Identifier of the stack.
        pub stack: String,
        /// Retransmissions before giving up; null: those of RFC 7252 §4.8.
        #[serde(default)]
        pub max_retransmit: Option<u8>,
        /// Most open exchanges towards one server; null: that of RFC 7252 §4.8.
        #[serde(default)]
        pub nstart: Option<u8>,
    }

    /// Ask which CoAP stacks can run a timer.
    pub struct StacksRequest {
        /// The algorithm.
        pub algorithm: AlgorithmChoice,
        /// Retransmissions before giving up; null: those of RFC 7252 §4.8.
        #[serde(default)]
        pub max_retransmit: Option<u8>,
        /// Most open exchanges towards one server; null: that of RFC 7252 §4.8.
        #[serde(default)]
        pub nstart: Option<u8>,
    }

    /// A CoAP stack, with what it makes of a timer.
    pub struct CoapStackView {
        /// Identifier.
        pub id: String,
        /// Name.
        pub name: String,
        /// Version whose sources were read.
        pub version: String,
        /// File or place that takes the lines.
        pub place: String,
        /// Section of the stack's documentation.
        pub documentation: String,
        /// Why no lines make it run the timer; null: some do.
        pub lines_refused: Option<RefusedView>,
        /// Why it has no place for the timer as a C program; null: it has one.
        pub program_refused: Option<RefusedView>,
    }

    /// Reason why a stack cannot run a timer.
    pub struct RefusedView {
        /// Sentence that says which value or algorithm the stack would not take, and why.
        pub why: String,
        /// Sentence that says what can be done about it.
        pub remedy: String,
    }

    /// Write one file of a timer for a CoAP stack.
    pub struct ExportAppliedRequest {
        /// The timer and the stack.
        pub timer: ApplyRequest,
        /// Content of the file.
        pub file: AppliedFile,
        /// Path of the file to write.
        pub path: String,
    }
}

choice! {
    /// File of a timer for a CoAP stack.
    pub enum AppliedFile {
        /// Lines of the stack's configuration.
        Lines,
        /// Header of the C program.
        Header,
        /// C file.
        Source,
    }
}
