//! Requests and replies about algorithms: the user's presets, and outlooks on an ideal path.

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
}
