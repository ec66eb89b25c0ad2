//! Requests and replies about packets written to files.

use crate::view::{ColourRule, FrameList, RunId, SessionNode};
use serde::{Deserialize, Serialize};

choice! {
    /// Content of a file of a run.
    #[derive(Default)]
    pub enum RunFileKind {
        /// Recorded frames that stay, and as raw IP the packets that this timer would have sent.
        #[default]
        Packets,
        /// Every frame that the network twin simulated.
        Frames,
    }
}

view! {
    /// Request: write the frames of a packet list as pcapng; of a list of messages, all frames that carried them.
    pub struct ExportPacketsRequest {
        /// Packet list whose frames are written.
        pub list: FrameList,
        /// Path of the file; an existing one is replaced, unless it is the capture itself.
        pub path: String,
    }

    /// Request: write the rows of a packet list as CSV, with the columns and names that are shown.
    pub struct ExportPacketTableRequest {
        /// Packet list whose rows are written.
        pub list: FrameList,
        /// Names of the columns, from the left ([`crate::view::PacketColumn::name`]).
        pub columns: Vec<String>,
        /// Rules of colour in force, whose names the column `rule` has.
        #[serde(default)]
        pub rules: Vec<ColourRule>,
        /// Names that the reader gave nodes.
        #[serde(default)]
        pub nodes: Vec<SessionNode>,
        /// Path of the file; an existing one is replaced, unless it is the capture itself.
        pub path: String,
    }

    /// Request: write the packets that a run would have sent as pcapng, in its first replicate.
    pub struct ExportRunRequest {
        /// Number of the run, as `replay` gave it.
        pub run: RunId,
        /// Content of the file.
        #[serde(default)]
        #[cfg_attr(feature = "ts", ts(as = "Option<RunFileKind>", optional))]
        pub kind: RunFileKind,
        /// Path of the file; an existing one is replaced, unless it is the capture itself.
        pub path: String,
    }

    /// Numbers of packets in a written file.
    pub struct Exported {
        /// Path of the file.
        pub path: String,
        /// Number of recorded frames.
        pub recorded: u32,
        /// Number of recorded frames left out: of copies and replies that would not have been there, or not then. Of a
        /// file of simulated frames, number of those that no recorded frame gives octets. 0 for packet lists.
        pub left_out: u32,
        /// Number of synthetic copies of requests; of a file of simulated frames, of copies with a frame in it.
        pub copies: u32,
        /// Number of synthetic replies; of a file of simulated frames, of replies with a frame in it.
        pub replies: u32,
        /// Number of simulated frames, acknowledgements and other traffic among them.
        pub simulated: u32,
        /// Simulated frames that are left out, one sentence for each reason and hop.
        pub notes: Vec<String>,
    }
}
