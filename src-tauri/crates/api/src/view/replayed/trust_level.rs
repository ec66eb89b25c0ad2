//! Level of trust in the answers of a replay.

use serde::{Deserialize, Serialize};

choice! {
    /// Trust in answers over a channel that the capture chose, from its checks and the support of the answers.
    pub enum TrustKind {
        /// Most copies of some timer rest on what the channel assumes, or the network twin is only near many recorded
        /// measures.
        Low,
        /// The network twin is only near some recorded measure, was not asked about the recorded timer, or there is
        /// none that could be used.
        Medium,
        /// Asked about its own capture under the recorded timer, the network twin has each measure inside its 90 %
        /// interval.
        High,
    }
}
