//! Requests and replies about algorithms: the user's presets, outlooks on an ideal path, and lines for a stack.

use super::AlgorithmChoice;
use rto::AlgorithmSpec;
use serde::{Deserialize, Serialize};

view! {
    /// Request: load presets, from a file or from text (not both), or with neither only list the loaded ones.
    pub struct PresetsRequest {
        /// Path of a TOML or, by its name `*.json`, JSON file of at most 1 MiB.
        #[serde(default)]
        pub path: Option<String>,
        /// The text of such a file: JSON when it begins with `{`.
        #[serde(default)]
        pub text: Option<String>,
    }

    /// A preset that the user loaded.
    pub struct UserPresetView {
        /// Preset id, unique among all algorithms.
        pub id: String,
        /// Id of the built-in preset that it is based on.
        pub base: String,
    }

    /// Reply: the user's presets.
    pub struct PresetsView {
        /// Ids that this request added or replaced, in the order of the file.
        pub loaded: Vec<String>,
        /// All presets of the user, in the order of loading.
        pub mine: Vec<UserPresetView>,
        /// Every algorithm, the user's last.
        #[serde(skip_deserializing)]
        pub algorithms: Vec<AlgorithmSpec>,
    }

    /// Request: the expected course of an exchange on a path of constant round trip and independent losses.
    pub struct OutlookRequest {
        /// Algorithm, with the parameters that differ from its preset's.
        pub algorithm: AlgorithmChoice,
        /// Round trip of every answered copy, seconds: above 0, at most 247 (EXCHANGE_LIFETIME, RFC 7252 §4.8.2).
        pub rtt: f64,
        /// Probability that a copy or its reply is lost, 0 to 1.
        pub loss: f64,
    }

    /// Reply: expected course of one exchange, means over the dither ([`rto::model::outlook`]).
    pub struct OutlookView {
        /// The estimator arms the same timeouts exchange after exchange.
        pub settled: bool,
        /// Timeout of each copy in order of sending, seconds; the last one even where the sender does not wait for it.
        pub timeouts: Vec<f64>,
        /// Time of giving up, seconds from the first transmission: least, mean, greatest over the dither.
        pub give_up: [f64; 3],
        /// Probability that a reply comes before the sender gives up, 0 to 1.
        pub success: f64,
        /// Mean time from the first transmission to the first reply of successful exchanges, seconds; null without any.
        pub completion: Option<f64>,
        /// Mean number of copies of an exchange, the first transmission included.
        pub copies: f64,
        /// Mean number of copies of an exchange sent although one before is answered.
        pub needless: f64,
    }

    /// Request: the lines that make a CoAP stack run an algorithm.
    pub struct ApplyRequest {
        /// Algorithm, with the parameters that differ from its preset's.
        pub algorithm: AlgorithmChoice,
        /// Identifier of the stack, one of those in replies of `coap_stacks`.
        pub stack: String,
        /// MAX_RETRANSMIT: number of retransmissions before giving up; null: 4 (RFC 7252 §4.8).
        #[serde(default)]
        pub max_retransmit: Option<u8>,
        /// NSTART: greatest number of open exchanges towards one server; null: 1 (RFC 7252 §4.8).
        #[serde(default)]
        pub nstart: Option<u8>,
    }

    /// Request: the CoAP stacks, and for each whether it can run a timer.
    pub struct StacksRequest {
        /// Algorithm, with the parameters that differ from its preset's.
        pub algorithm: AlgorithmChoice,
        /// MAX_RETRANSMIT: number of retransmissions before giving up; null: 4 (RFC 7252 §4.8).
        #[serde(default)]
        pub max_retransmit: Option<u8>,
        /// NSTART: greatest number of open exchanges towards one server; null: 1 (RFC 7252 §4.8).
        #[serde(default)]
        pub nstart: Option<u8>,
    }

    /// A CoAP stack, and whether it can run a timer.
    pub struct CoapStackView {
        /// Identifier, as [`ApplyRequest::stack`] takes it.
        pub id: String,
        /// Name of the stack, for people.
        pub name: String,
        /// Version whose sources were read.
        pub version: String,
        /// File or place that takes the lines.
        pub place: String,
        /// Section of the stack's documentation.
        pub documentation: String,
        /// Reason why no lines make it run the timer; null: some do.
        pub lines_refused: Option<RefusedView>,
        /// Reason why it has no place for the timer as a C program; null: it has one.
        pub program_refused: Option<RefusedView>,
    }

    /// Reason why a stack cannot run a timer.
    pub struct RefusedView {
        /// Sentence that says which value or algorithm the stack would not take, and why.
        pub why: String,
        /// Sentence that says what can be done about it.
        pub remedy: String,
    }

    /// Request: write one file of a timer for a CoAP stack.
    pub struct ExportAppliedRequest {
        /// The timer and the stack.
        pub timer: ApplyRequest,
        /// Content of the file.
        pub file: AppliedFile,
        /// Path of the file to write; an existing one is replaced, unless the session has read it.
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
        /// Source file (C) of the program.
        Source,
    }
}
