//! Level of trust in the answers of a replay.

use serde::{Deserialize, Serialize};

choice! {
    /// Trust in answers over a channel that the capture chose, from its checks and the support of the answers.
    pub enum TrustKind {
        /// Most copies of some timer rest on what the channel assumes.
        Low,
        /// The network twin is only near some recorded measure, or there is none that could be used.
        Medium,
        /// Asked about its own capture, the network twin has each recorded measure inside its 90 % interval.
        High,
    }
}
