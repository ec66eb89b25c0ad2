//! Requests and replies about reports.

use super::session::SessionFile;
use crate::view::CaptureId;
use serde::{Deserialize, Serialize};

view! {
    /// Request: make the data of a report, and write the report where a path is given.
    pub struct ReportRequest {
        /// Number of the open capture that `file.current` names.
        pub capture: CaptureId,
        /// Session whose report is made.
        pub file: SessionFile,
        /// Path of the report to write; null: it is not written.
        pub path: Option<String>,
    }

    /// Data of a report: equal captures, sessions and programs give equal octets.
    pub struct ReportView {
        /// Always `rtoscope-report`.
        pub format: String,
        /// Version of this schema: 1.
        pub version: u32,
        /// Program that made it, with its version: `RTOscope 0.1.0`.
        pub program: String,
        /// Session, with this capture alone and without folders.
        pub session: SessionFile,
        /// Command line that makes this report again.
        pub command: String,
        /// Recorded replies of the core, from which the report's page answers its views, in the order of asking.
        pub replies: Vec<ReportReply>,
        /// Tables that a reader can save.
        pub tables: Vec<ReportTable>,
    }

    /// A recorded reply of the core.
    pub struct ReportReply {
        /// Name of the command.
        pub name: String,
        /// Request of the command.
        #[cfg_attr(feature = "ts", ts(type = "unknown"))]
        pub request: serde_json::Value,
        /// Reply as JSON; null where it is an Arrow stream.
        #[cfg_attr(feature = "ts", ts(type = "unknown"))]
        pub json: serde_json::Value,
        /// Reply as an Arrow IPC stream, base64 (RFC 4648 §4); null where it is JSON.
        pub arrow: Option<String>,
    }

    /// A table in two forms.
    pub struct ReportTable {
        /// File name without extension: `compare`.
        pub name: String,
        /// Table as CSV (RFC 4180).
        pub csv: String,
        /// Table as Apache Parquet, base64 (RFC 4648 §4).
        pub parquet: String,
    }
}
