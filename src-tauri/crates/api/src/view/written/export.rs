//! Requests and replies about packets written to files.

use crate::view::{FrameList, RunId};
use serde::{Deserialize, Serialize};

view! {
    /// Write the frames of a packet list as pcapng; of a list of messages, all frames that carried them.
    pub struct ExportPacketsRequest {
        /// The frames to write.
        pub list: FrameList,
        /// The file; one that is there is replaced, but not the capture itself.
        pub path: String,
    }

    /// Write what a run would have sent as pcapng.
    pub struct ExportRunRequest {
        /// Number of the run, as `replay` gave it.
        pub run: RunId,
        /// The file; one that is there is replaced, but not the capture itself.
        pub path: String,
    }

    /// Summary of an exported file.
    pub struct Exported {
        /// Its path.
        pub path: String,
        /// Recorded frames.
        pub recorded: u32,
        /// Recorded frames left out: of copies and replies that would not have been there, or not then.
        pub left_out: u32,
        /// Synthetic copies of requests.
        pub copies: u32,
        /// Synthetic replies.
        pub replies: u32,
    }
}
